#!/usr/bin/env python3
"""Draws launches of AReaL, with the verdict of AReaL's own code on each.

    python3 tools/extract/areal-verdicts.py AREAL_CHECKOUT --bases FILE.jsonl[.gz] --draws N [--seed N] [--most N] [--out FILE]

A line of the bases holds a launch (experiment, launch, yaml, overrides, env); the launches that upstream's examples show are added. Up to
`--most` times something is changed (areal_launches.py). Then upstream's own code runs as far as it goes without GPUs: its configuration is
loaded, the launchers' main functions run, and the constructor of the trainer with its schedulers and controllers; processes, GPUs,
servers, models and data are fakes. What the engines refuse in the workers is not seen. Needs torch (for CPUs), hydra-core and omegaconf
as AReaL pins them, lark, transformers, ray, aiohttp and what they import; other packages that are missing are stood in. One JSON object a line,
which `npm run conformance:areal -- --file FILE` reads.
"""

import argparse
import contextlib
import importlib.util
import io
import logging
import os
import pathlib
import re
import signal
import sys
import tempfile
import traceback

from areal_fakes import fake_engines, fake_upstream, keep_files
from areal_launches import Draws
from draws import bases_in, options_of, place_of, write_verdicts
from stand_ins import stand_in_for

MODULES = ["api.cli_args", "api.alloc_mode", "trainer.rl_trainer", "trainer.sft_trainer", "trainer.rw_trainer", "trainer.dpo_trainer", "infra.launcher.local", "infra.launcher.ray", "infra.launcher.slurm", "infra.launcher.sglang_server", "infra.launcher.vllm_server", "engine.fsdp_engine", "engine.megatron_engine", "experimental.engine.archon_engine"]
# The second controllers have moved since 1.0.4.
CONTROLLERS = ["v2.{}_service.controller.controller", "experimental.{}_service.controller.controller"]
TRAINERS = {"SFTConfig": "sft_trainer.SFTTrainer", "RWConfig": "rw_trainer.RWTrainer", "DPOConfig": "dpo_trainer.DPOTrainer"}
# Imported only when they are used, perhaps.
LAZY = ["awex", "etcd3", "sglang", "torch_memory_saver", "vllm"]
class Upstream:
    def __init__(self, checkout):
        self.root = str(checkout)
        sys.path.insert(0, self.root)
        logging.disable(logging.CRITICAL)
        import torch

        torch.cuda.is_available = lambda: True
        torch.cuda.get_device_name = lambda *_words: "NVIDIA"
        torch.cuda.device_count = lambda: 8
        stand_in_for(*[name for name in LAZY if importlib.util.find_spec(name) is None])
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()):
            self.load()
        fake_upstream(self.training, self.inference)

    def load(self):
        """Imports upstream's modules, with stand-ins for the packages that are not there."""
        while True:
            try:
                for name in MODULES:
                    importlib.import_module(f"areal.{name}")
                self.training, self.inference = (self.controller(kind) for kind in ("training", "inference"))
                return
            except ModuleNotFoundError as error:
                package = error.name.split(".")[0]
                if package == "areal":
                    raise
                stand_in_for(package)
                for name in [name for name in sys.modules if name.split(".")[0] == "areal"]:
                    del sys.modules[name]

    def controller(self, kind):
        there = next(name for name in CONTROLLERS if pathlib.Path(self.root, "areal", *name.format(kind).split(".")).with_suffix(".py").exists())
        return importlib.import_module(f"areal.{there.format(kind)}")

    def verdict(self, launch):
        self.launcher = launch["launch"] != "controller"
        for name in ("CUDA_VISIBLE_DEVICES", "AREAL_SPMD_MODE"):
            os.environ.pop(name, None)
        os.environ.update(launch["env"])
        place = pathlib.Path(tempfile.mkdtemp(), "config.yaml")
        place.write_text(launch["yaml"])
        words = ["--config", str(place), *launch["overrides"]]
        keep_files()
        out, refused = io.StringIO(), None
        signal.signal(signal.SIGALRM, lambda *_words: (_ for _ in ()).throw(TimeoutError("the fakes did not answer")))
        signal.alarm(60)
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                self.start(launch, words)
        except (SystemExit, Exception) as error:  # whatever upstream raises is the verdict
            refused = {"stage": self.stage_of(error), "exception": type(error).__name__, "message": str(error)[:400], "at": place_of(error, self.root)}
        signal.alarm(0)
        rest = {"changed": {}, "warnings": [], "late": []}
        if refused is None:
            return {"verdict": "accept", "stage": "", "exception": "", "message": "", "at": "", **rest}
        return {"verdict": "reject", **refused, **rest}

    def start(self, launch, words):
        """What the command would run: the launcher, and the training script with it or alone."""
        from areal.api import cli_args

        experiment = getattr(cli_args, launch["experiment"])
        if self.launcher:
            sys.argv = ["launcher", "train.py", *words]
            importlib.import_module(f"areal.infra.launcher.{launch['launch']}").main()
            os.environ.update(AREAL_SPMD_MODE="1", RANK="0", WORLD_SIZE="1")
            self.serve(["train.py", *words])
        config, _ = cli_args.load_expr_config(["train.py", *words] if self.launcher else words, experiment)
        module, name = TRAINERS.get(launch["experiment"], "rl_trainer.PPOTrainer").split(".")
        trainer = getattr(importlib.import_module(f"areal.trainer.{module}"), name)
        rows = [{}] * 8 * max(1, config.train_dataset.batch_size)
        valid = [{}] * 2 * max(1, config.valid_dataset.batch_size) if config.valid_dataset else None
        online = launch["experiment"] in ("PPOConfig", "GRPOConfig") and config.rollout.agent is not None and config.rollout.agent.mode == "online"
        trainer.close = lambda _self: None  # it would fail in its turn on what the constructor has not come to
        if self.launcher:
            fake_engines()
        trainer(config, train_dataset=None if online else rows, valid_dataset=None if online else valid)

    def serve(self, words):
        """The servers that the launcher would have started."""
        from areal.api.alloc_mode import _AllocationMode
        from areal.infra.launcher import sglang_server, vllm_server
        from areal.api import cli_args

        text = cli_args.parse_cli_args(words)[0].allocation_mode
        backend = _AllocationMode.from_str(text).gen_backend
        if backend == "sglang":
            sglang_server.launch_sglang_server(words)
        elif backend == "vllm":
            vllm_server.launch_vllm_server(words)

    def stage_of(self, error):
        frames = traceback.extract_tb(error.__traceback__)
        for name, stage in (("parse_cli_args", "yaml"), ("__post_init__", "post_init"), ("to_structured_cfg", "merge"), ("load_expr_config", "merge")):
            if any(frame.name == name for frame in frames):
                return stage
        place = place_of(error, self.root)
        return "allocation" if "alloc_mode" in place else "trainer" if "/trainer/" in place else "launcher"


def examples_in(checkout):
    """Upstream's example configurations whose script loads one of the experiment classes itself."""
    for script in sorted(checkout.glob("examples/**/*.py")):
        classes = set(re.findall(r"load_expr_config\(\w+, (SFTConfig|RWConfig|DPOConfig|PPOConfig|GRPOConfig)\)", script.read_text()))
        if len(classes) != 1:
            continue
        for path in sorted(script.parent.glob("*.yaml")):
            kind = {"SFTConfig": "sft", "RWConfig": "rw", "DPOConfig": "dpo"}.get(min(classes))
            if kind is None if any(word in path.stem for word in ("sft", "rw", "dpo")) else kind is not None:
                continue
            text = path.read_text()
            sets = ["scheduler.type=local"] if re.search("^scheduler:", text, re.M) else ["+scheduler.type=local"]
            if kind is None or kind in path.stem:
                yield {"base": str(path.relative_to(checkout)), "experiment": min(classes), "launch": "controller", "yaml": text, "overrides": sets, "env": {"CUDA_VISIBLE_DEVICES": "0,1,2,3,4,5,6,7"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options_of(parser)
    given = parser.parse_args()
    checkout = given.checkout.resolve()
    named = {base["base"]: base for base in bases_in(given.bases)}
    upstream = Upstream(checkout)
    # The bases hold together better than the examples, of which several are refused as they are.
    draws = Draws(given.seed, [*named.values()] * 3 + [*examples_in(checkout)], given.most)
    write_verdicts(given, draws.launch, upstream.verdict)


if __name__ == "__main__":
    main()
