#!/usr/bin/env python3
"""Draws launches of slime's train.py and train_async.py, with the verdict of slime's own code on each.

    python3 tools/extract/slime-verdicts.py SLIME_CHECKOUT --megatron MEGATRON_LM_CHECKOUT --bases FILE.jsonl[.gz] --draws N [--seed N] [--most N] [--out FILE]

A line of the bases holds a launch that works (entry, argv, env, the texts of its YAML files, the paths that are missing). Up to `--most` changes are
made to it (slime_draws.py). Then slime's own argument pipeline runs: its three parsers, the comparison with the checkpoint's config.json, slime's,
Megatron-LM's and SGLang's checks, and what the entry script asserts. What is accepted goes on to the placement of GPUs, the engines' groups, the role
file, the process groups, the profiler, the model's configuration, the optimizer's set-up and the schedule of one rollout: `late` holds what is refused
there. SGLang's arguments are those of sglang.arguments.txt; Ray, the GPU (Hopper), Transformer Engine (2.8), the files under /root and the checkpoints'
config.json (what the base's own arguments say) are pretended. Needs torch (for CPUs), numpy, PyYAML, packaging and omegaconf. One JSON object a line,
which `npm run conformance:slime -- --file FILE` reads.
"""

import argparse
import builtins
import contextlib
import copy
import importlib
import io
import os
import pathlib
import sys
import types

from draws import bases_in, grouped, options_of, write_verdicts
from pretended_machine import pretend_a_node, quiet_torch
from pretended_sglang import RouterArgs, ServerArgs, answer_of_engine
from slime_draws import Draws
from slime_later import later, refusal
from stand_ins import Fake, stand_in_for

STOOD_IN = ["antlr4", "apex", "aiohttp", "blobfile", "einops", "flash_attn", "httpx", "mcp", "nvidia_resiliency_ext", "omegaconf.grammar", "qwen_vl_utils", "psutil", "ray", "requests", "safetensors", "sglang", "sglang_router", "tensorboard", "torch_memory_saver", "tqdm", "transformer_engine", "transformer_engine_torch", "transformers", "triton", "urllib3", "wandb"]


def ray_remote(*words, **_named):
    def decorate(target):
        return Fake() if isinstance(target, type) else target

    return decorate(words[0]) if words else decorate


class Machine:
    """The files of the launch: what the bases name under /root exists, but for what they say is missing."""

    def __init__(self, bases):
        self.checkpoints = {}
        self.present, self.missing, self.texts = set(), set(), {}
        for base in bases:
            self.missing.update(base["missing"])
            self.present.update(word for word in base["argv"] if word.startswith("/"))
            said = {group[0]: group[1] if len(group) > 1 else True for group in grouped(base["argv"])}
            self.checkpoints[said["--hf-checkpoint"]] = checkpoint_of(said)
        self.exists, self.isdir, self.isfile, self.open = os.path.exists, os.path.isdir, os.path.isfile, builtins.open

    def has(self, path):
        path = str(path).rstrip("/")
        if path.startswith(("/models", "/checkpoints")):  # of rules' examples
            return not path.endswith(".txt") or path.rpartition("/")[0].endswith("_torch_dist")
        if not path.startswith(("/root", "/nvme")):
            return self.exists(path) if os.path.isabs(path) else False
        folder, _, name = path.rpartition("/")
        if name == "latest_checkpointed_iteration.txt":
            return self.has(folder) and folder.endswith(("_torch_dist", "_resume"))
        if name == "config.json":
            return folder in self.checkpoints
        return path in self.texts or (path in self.present and path not in self.missing)

    def pretend(self, texts):
        self.texts = texts
        os.path.exists = self.has
        os.path.isdir = lambda path: self.has(path) and str(path) not in texts if str(path).startswith("/root") else self.isdir(path)
        os.path.isfile = lambda path: str(path) in texts if str(path).startswith("/root") else self.isfile(path)
        builtins.open = io.open = self.opened

    def opened(self, file, *words, **named):
        path = str(file)
        if path in self.texts:
            return io.StringIO(self.texts[path])
        return self.open(file, *words, **named)

    def config_of(self, path, **_named):
        if path not in self.checkpoints:
            raise OSError(f"{path} is not a local folder and is not a valid model identifier")
        return copy.deepcopy(self.checkpoints[path])


def checkpoint_of(said):
    """The config.json that a base's own arguments fit."""
    config = types.SimpleNamespace(
        architectures=["GlmMoeDsaForCausalLM" if "glm5" in said["--hf-checkpoint"] else "ForCausalLM"],
        hidden_size=int(said["--hidden-size"]),
        num_attention_heads=int(said["--num-attention-heads"]),
        num_hidden_layers=int(said["--num-layers"]),
        intermediate_size=int(said["--ffn-hidden-size"]),
        tie_word_embeddings="--untie-embeddings-and-output-weights" not in said,
        rms_norm_eps=float(said.get("--norm-epsilon", 1e-5)),
        rope_theta=int(said.get("--rotary-base", 10000)),
        vocab_size=int(said["--vocab-size"]),
    )
    if "--num-experts" in said:
        config.moe_intermediate_size = int(said["--moe-ffn-hidden-size"])
    if "--moe-shared-expert-gate" in said:  # Qwen's way to say it
        config.shared_expert_intermediate_size = int(said["--moe-shared-expert-intermediate-size"])
    return config


class Upstream:
    def __init__(self, checkout, megatron, bases):
        self.roots = [str(checkout), str(megatron)]
        sys.path[:0] = self.roots
        torch = quiet_torch()
        stand_in_for(*STOOD_IN)
        pretend_a_node(torch)
        import ray
        import transformers

        ray.remote, ray.get = ray_remote, lambda found, **_named: found
        importlib.import_module("sglang.srt.server_args").ServerArgs = ServerArgs
        importlib.import_module("sglang_router.launch_router").RouterArgs = RouterArgs
        self.machine = Machine(bases)
        transformers.AutoConfig = types.SimpleNamespace(from_pretrained=self.machine.config_of)
        import megatron.core.utils as core
        from packaging.version import Version

        core.get_te_version = lambda: Version("2.8.0")
        core._te_version = Version("2.8.0")
        import slime.backends.megatron_utils.arguments as of_megatron
        import slime.backends.sglang_utils.arguments as of_sglang
        import slime.backends.sglang_utils.external as external
        import slime.ray.rollout
        import slime.utils.arguments as arguments
        from megatron.core import parallel_state

        parallel_state.get_nccl_options = lambda *_words: None
        external.get_server_info = answer_of_engine
        self.arguments, self.of_megatron, self.of_sglang, self.torch = arguments, of_megatron, of_sglang, torch
        self.stage, self.parsed, self.asked = "", [], {}
        self.watch()

    def watch(self):
        """Tells which of upstream's steps runs, and what each parser has read."""
        steps = [
            (self.arguments, "_pre_parse_mode", "pre_parse"),
            (self.arguments, "sglang_parse_args", "sglang_parse"),
            (self.of_megatron, "_megatron_parse_args", "megatron_parse"),
            (self.of_megatron, "_hf_validate_args", "hf_compare"),
            (self.of_megatron, "_validate_allgather_cp_supported", "hf_compare"),
            (self.of_megatron, "_set_default_megatron_args", "megatron_defaults"),
            (self.arguments, "slime_validate_args", "slime_validate"),
            (self.of_megatron, "validate_args", "megatron_validate"),
            (self.arguments, "sglang_validate_args", "sglang_validate"),
        ]
        for module, name, stage in steps:
            setattr(module, name, self.staged(getattr(module, name), stage))
        original = argparse.ArgumentParser.parse_known_args
        upstream = self

        def parse_known_args(parser, *words, **named):
            namespace, rest = original(parser, *words, **named)
            upstream.parsed.append(parser)
            return namespace, rest

        argparse.ArgumentParser.parse_known_args = parse_known_args

    def staged(self, step, stage):
        def run(*words, **named):
            self.stage = stage
            found = step(*words, **named)
            if stage.endswith("_parse"):
                self.asked.update(copy.deepcopy(vars(found)))
            if stage == "megatron_parse":
                self.stage = "hf_load"
            return found

        return run

    def verdict(self, launch):
        os.environ.pop("WORLD_SIZE", None)
        os.environ.update(launch["env"])
        os.environ.update(RANK="0", LOCAL_RANK="0")
        sys.argv = [launch["entry"], *launch["argv"]]
        self.machine.pretend(launch["files"])
        out = io.StringIO()
        answer = {"verdict": "accept", "stage": "", "exception": "", "message": "", "at": "", "changed": {}, "ignored": [], "unread": [], "warnings": [], "late": None}
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                args = self.arguments.parse_args()
                self.stage = "entry"
                if launch["entry"] == "train_async.py":
                    assert not args.colocate, "Colocation is not supported for async training."
        except (SystemExit, Exception) as error:  # whatever upstream raises is the verdict
            return {**answer, "verdict": "reject", **refusal(self.stage, error, self.roots, out.getvalue())}
        self.readings(launch["argv"], args, answer)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            answer["late"] = later(self, args)
        return answer

    def readings(self, argv, args, answer):
        """What became of the flags: silently replaced, known to a parser that did not run, or known to none."""
        sglang = argparse.ArgumentParser(add_help=False)
        self.of_sglang.add_sglang_arguments(sglang)
        for word in argv:
            flag = word.split("=", 1)[0]
            if not flag.startswith("--") or len(flag) == 2:
                continue
            action = next((known for parser in self.parsed if (known := knows(parser, flag))), None)
            if action is None:
                answer["unread" if knows(sglang, flag) else "ignored"].append(flag)
                continue
            name = action.dest
            if name in self.asked and hasattr(args, name) and plain(getattr(args, name)) != plain(self.asked[name]):
                answer["changed"][name] = [repr(self.asked[name]), repr(getattr(args, name))]


def plain(value):
    """A value without the form that upstream gives it: a list, a type of torch, a member of an enumeration."""
    if isinstance(value, list):
        return ",".join(plain(one) for one in value)
    text = str(getattr(value, "name", value)).removeprefix("torch.")
    return {"bfloat16": "bf16", "float16": "fp16", "float32": "fp32"}.get(text, text)


def knows(parser, flag):
    """The action that a parser has for a flag, perhaps written shorter."""
    known = parser._option_string_actions
    if flag in known:
        return known[flag]
    longer = {id(known[name]): known[name] for name in known if parser.allow_abbrev and name.startswith(flag)}
    return next(iter(longer.values())) if len(longer) == 1 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options_of(parser)
    parser.add_argument("--megatron", type=pathlib.Path, required=True)
    given = parser.parse_args()
    sys.argv = sys.argv[:1]
    bases = list({base["base"]: base for base in bases_in(given.bases)}.values())
    draws = Draws(given.seed, bases, given.most)
    upstream = Upstream(given.checkout.resolve(), given.megatron.resolve(), bases)
    write_verdicts(given, draws.launch, upstream.verdict)


if __name__ == "__main__":
    main()
