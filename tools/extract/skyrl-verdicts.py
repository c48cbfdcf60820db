#!/usr/bin/env python3
"""Draws launches of SkyRL's programs, with the verdict of SkyRL's own code on each.

    python3 tools/extract/skyrl-verdicts.py SKYRL_CHECKOUT --bases FILE.jsonl[.gz] --draws N [--seed N] [--most N] [--out FILE]

A line of the bases holds a launch (module, argv, perhaps env). Up to `--most` times a setting of it is dropped or given another value, or one of
schemas/skyrl/options.json is added. Then the main() of that module runs: until it starts Ray the overrides are read, the configuration is built and
validated. What is accepted goes on, with fake workers, engines and data, until training would begin: `late` holds what is refused there. What the
workers, the engines and the first steps refuse is not seen. Needs torch (for CPUs), ray, omegaconf, transformers and what they import; vLLM,
Megatron-core and GPUs are pretended. One JSON object a line, which `npm run conformance:skyrl -- --file FILE` reads.
"""

import argparse
import contextlib
import importlib
import io
import json
import logging
import os
import pathlib
import random
import sys
import types
import typing

import stand_ins
from draws import bases_in, options_of, place_of, write_verdicts
from stand_ins import stand_in_for

FACTS = pathlib.Path(__file__).resolve().parents[2] / "schemas" / "skyrl" / "options.json"
STOOD_IN = ["antlr4", "omegaconf.grammar", "arctic_platform", "flash_attn", "hydra", "litellm", "megatron", "minisweagent", "openai", "pybase64", "skyrl_gym", "torchdata", "transformer_engine", "verifiers", "vllm", "vllm_router", "wandb", "zstandard"]
INTEGERS = [0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 100, 128, 256, 1024, 4096, -1]
FLOATS = ["0", "0.0", "0.1", "0.5", "0.9", "1", "1.0", "2.0", "1e-5", "-1", "1.5"]
TEXTS = ["auto", "none", "null", "/data/x", "bf16", "fp32", "nccl", "full", "token_mean", "k3"]


# What starts processes or reads models and data, wherever upstream's modules have it.
FAKED = ["PPORayActorGroup", "PromptDataset", "ResolvedPlacementGroup", "RayGpuMonitor", "WorkerDispatch", "get_ray_pg_ready_with_timeout", "placement_group", "sync_registries"]
WORKERS = ["skyrl.backends.skyrl_train.workers.fsdp.fsdp_worker", "skyrl.backends.skyrl_train.workers.megatron.megatron_worker"]


class Fake(stand_ins.Fake):
    """As long as any data set."""

    def __len__(self):
        return 131072

    def __iter__(self):
        return iter(())

    def __getitem__(self, _at):
        return self


class Tokenizer(Fake):
    def apply_chat_template(self, *_words, **_named):
        return [1, 2]


class Local:
    """What ray.remote makes of a function here: it runs in this process."""

    def __init__(self, function):
        self.remote = function

    def options(self, **_named):
        return self


def ray_remote(*words, **_named):
    def decorate(target):
        return Fake() if isinstance(target, type) else Local(target)

    return decorate(words[0]) if words else decorate


def value_of(option, draw):
    """The text behind `key=`, as somebody might write it; None where nobody would set the key as a whole."""
    kind, choices = option["type"], option.get("choices")
    if option.get("nullable") and draw.random() < 0.15:
        return "null"
    if choices and draw.random() < 0.9:
        return str(draw.choice(choices))
    if kind == "bool":
        return draw.choice(["true", "false"])
    if kind == "int":
        return str(draw.choice(INTEGERS))
    if kind == "float":
        return draw.choice(FLOATS)
    if kind == "str":
        return draw.choice(TEXTS)
    if kind == "list":
        one = {"int": "0", "float": "0.5"}.get(option.get("items"), "console")
        return draw.choice([f"[{one}]", "[]", f"[{one},{one}]"])
    return None


class Draws:
    def __init__(self, seed, bases, most):
        self.random = random.Random(seed)
        self.bases, self.most = bases, most
        facts = json.loads(FACTS.read_text())["options"]
        self.of_training = [option for option in facts if option.get("parser") == "SkyRLTrainConfig"]
        self.of_tuning = [option for option in facts if option.get("parser") == "SFTConfig"]
        self.by_name = {option["name"]: option for option in facts}

    def launch(self):
        draw = self.random
        base = draw.choice(self.bases)
        argv, mutations = list(base["argv"]), []
        options = self.of_tuning if "sft" in base["module"] else self.of_training
        for _ in range(draw.randint(0, self.most)):
            kind = draw.random()
            if kind < 0.2 and argv:
                mutations.append(f"{argv.pop(draw.randrange(len(argv)))} dropped")
                continue
            if kind < 0.5 and argv:
                at = draw.randrange(len(argv))
                name = argv[at].split("=", 1)[0].lstrip("+~")
                option = self.by_name.get(name)
            else:
                at, option = None, draw.choice(options)
            value = option and value_of(option, draw)
            if value is None:
                continue
            word = f"{option['name']}={value}"
            if at is None:
                argv = [other for other in argv if other.split("=", 1)[0] != option["name"]] + [word]
            else:
                argv[at] = word
            mutations.append(word)
        return {"base": base.get("base", base.get("id", "")), "module": base["module"], "env": base.get("env", {}), "argv": argv, "mutations": mutations}


class Upstream:
    def __init__(self, checkout):
        self.root = str(checkout)
        sys.path[:0] = [self.root, f"{self.root}/skyrl-gym"]
        logging.disable(logging.CRITICAL)
        os.environ.setdefault("WANDB_API_KEY", "none")
        import torch
        import typing_extensions

        # Upstream asks for Python 3.12.
        typing.TypedDict = typing_extensions.TypedDict
        typing.override = typing_extensions.override
        stand_in_for(*[name for name in STOOD_IN if name == "omegaconf.grammar" or importlib.util.find_spec(name) is None])
        torch.cuda.is_available = lambda: True
        torch.cuda.device_count = lambda: 8
        import ray
        from loguru import logger

        logger.remove()
        self.started = False
        ray.init = self.start
        ray.remote = ray_remote
        ray.get = lambda result, **_named: result
        ray.is_initialized = lambda: False
        ray.nodes = lambda: []
        import skyrl.train.utils.utils as utils

        utils.peer_access_supported = lambda *_words, **_named: True
        self.programs = {}

    def knows(self, module):
        """Whether the module is a program that can be imported here; tells of those that cannot."""
        if module not in self.programs:
            try:
                self.programs[module] = importlib.import_module(module).main
            except Exception as error:
                print(f"{module} is left out: {type(error).__name__}: {error}", file=sys.stderr)
                self.programs[module] = None
        return self.programs[module] is not None

    def start(self, *_words, **_named):
        self.started = True

    def fake(self):
        """Replaces what upstream's modules, all of them imported by now, would start or read."""
        for name in WORKERS:
            sys.modules[name] = Fake()
        for name, module in list(sys.modules.items()):
            if name.startswith(("skyrl.", "examples.")) and module is not None and name not in WORKERS:
                for faked in FAKED:
                    if faked in vars(module):
                        setattr(module, faked, Fake() if faked[0].islower() else Fake)
                if "check_is_vlm" in vars(module):
                    module.check_is_vlm = lambda *_words, **_named: False
                if "get_tokenizer" in vars(module):
                    module.get_tokenizer = lambda *_words, **_named: Tokenizer()
        from skyrl.train import fully_async_trainer, sft_trainer, trainer
        from skyrl.train.entrypoints import main_base, serve

        async def trained(_self):
            pass

        def interrupted(_seconds):
            raise KeyboardInterrupt

        # A server that has started waits to be interrupted.
        serve.time = types.SimpleNamespace(sleep=interrupted)

        main_base.BasePPOExp._get_new_inference_client = lambda _self: Fake()
        trainer.RayPPOTrainer.train = trained
        fully_async_trainer.FullyAsyncRayPPOTrainer.train = trained
        sft_trainer.SFTTrainer.train = lambda _self: None

    def verdict(self, launch):
        os.environ.update(launch["env"])
        sys.argv = [launch["module"], *launch["argv"]]
        refused = None
        out = io.StringIO()
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                self.programs[launch["module"]]()
        except KeyboardInterrupt:
            pass
        except (SystemExit, Exception) as error:  # whatever upstream raises is the verdict
            refused = {"stage": "launch", "exception": type(error).__name__, "message": str(error)[:400], "at": place_of(error, self.root)}
        if refused is None or self.started:
            late = refused if refused and self.refuses(refused) else None
            return {"verdict": "accept", "stage": "", "exception": "", "message": "", "at": "", "late": late}
        return {"verdict": "reject", **refused}

    def refuses(self, error):
        """Whether an error is one of upstream's own: fakes have theirs."""
        if error["exception"] == "AssertionError" or "is not a valid" in error["message"]:
            return True
        path, _, line = error["at"].rpartition(":")
        if not path:
            return False
        text = pathlib.Path(self.root, path).read_text().splitlines()
        return any("raise " in near for near in text[max(0, int(line) - 3) : int(line) + 4])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options_of(parser)
    given = parser.parse_args()
    upstream = Upstream(given.checkout.resolve())
    bases = [base for base in bases_in(given.bases) if upstream.knows(base["module"])]
    upstream.fake()
    draws = Draws(given.seed, bases, given.most)
    write_verdicts(given, draws.launch, upstream.verdict)


if __name__ == "__main__":
    main()
