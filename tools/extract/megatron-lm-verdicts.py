#!/usr/bin/env python3
"""Draws launches of Megatron-LM's pretrain_gpt.py, with the verdict of Megatron-LM's own code on each.

    python3 tools/extract/megatron-lm-verdicts.py MEGATRON_LM_CHECKOUT --bases FILE.jsonl[.gz] --draws N [--seed N] [--most N] [--out FILE]

A line of the bases holds a launch (argv, env, world_size). Up to `--most` times an option of it is dropped or given another value, one of
schemas/megatron-lm/options.json is added, or the environment or the number of GPUs is changed. Then pretrain_gpt.py's own steps are taken before anything needs a GPU:
parse_and_validate_args, the configurations of the model, the optimizer, checkpoints and data parallelism. What is accepted goes on to the process
groups (fake ones), the layers of each stage, the learning rate's schedule, the description of the data sets and the model itself, without weights: `late` holds
what is refused there. Needs torch (for CPUs); the
GPU (Hopper), Transformer Engine (2.8) and the files of tokenizers are pretended. One JSON object a line, which
`npm run conformance:megatron -- --file FILE` reads.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import random
import re
import sys
import traceback
import types

from draws import bases_in, grouped, options_of, place_of, write_verdicts
from megatron_model import build, let_models_be_built
from pretended_machine import pretend_a_node, quiet_torch
from stand_ins import stand_in_for

FACTS = pathlib.Path(__file__).resolve().parents[2] / "schemas" / "megatron-lm" / "options.json"
STOOD_IN = ["apex", "einops", "flash_attn", "nvidia_resiliency_ext", "torch_memory_saver", "transformer_engine", "transformer_engine_torch", "triton"]
WORLD_SIZES = [1, 2, 4, 6, 8, 12, 16, 32, 64, 128]
ENVIRONMENT = {
    "CUDA_DEVICE_MAX_CONNECTIONS": [None, "1", "8", "32"],
    "NCCL_GRAPH_REGISTER": [None, "0", "1"],
    "NVTE_ALLOW_NONDETERMINISTIC_ALGO": [None, "0", "1"],
    "NVTE_FLASH_ATTN": [None, "0", "1"],
    "NVTE_FUSED_ATTN": [None, "0", "1"],
    "NVTE_FWD_LAYERNORM_SM_MARGIN": [None, "16"],
    "PYTORCH_CUDA_ALLOC_CONF": [None, "expandable_segments:True", "expandable_segments:False", "max_split_size_mb:512"],
    "PYTORCH_ALLOC_CONF": [None, "expandable_segments:True"],
    "NCCL_ALGO": [None, "Ring", "NVLS"],
    "CUBLAS_WORKSPACE_CONFIG": [None, ":4096:8"],
    "ENABLE_EXPERIMENTAL": [None, "1"],
}
# Where options are checked: those that stand here are drawn more often.
READ = [
    "megatron/training/arguments.py",
    "megatron/training/argument_utils.py",
    "megatron/core/transformer/transformer_config.py",
    "megatron/core/model_parallel_config.py",
    "megatron/core/optimizer/optimizer_config.py",
    "megatron/core/distributed/distributed_data_parallel_config.py",
    "megatron/core/parallel_state.py",
]
INTEGERS = [0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 32, 64, 100, 128, 1000, 4096, -1]
FLOATS = ["0", "0.0", "0.1", "0.5", "0.9", "1", "1.0", "2.0", "1e-5", "-1", "1.5"]


def values_of(option, draw):
    """The words behind a flag, as somebody might write them."""
    if option["type"] == "bool":
        return []
    choices = option.get("choices")
    kind = option["type"]
    if choices and draw.random() < 0.9:
        one = lambda: str(draw.choice(choices))
    elif "int" in kind:
        one = lambda: str(draw.choice(INTEGERS))
    elif "float" in kind:
        one = lambda: draw.choice(FLOATS)
    else:
        one = lambda: draw.choice(["auto", "full", "/data/x", "1", "bf16", "fp32", "core_attn"])
    several = option.get("nargs") in ("*", "+") and draw.random() < 0.3
    return [one(), one()] if several else [one()]


class Draws:
    def __init__(self, seed, bases, most, checkout):
        self.random = random.Random(seed)
        self.bases, self.most = bases, most
        facts = json.loads(FACTS.read_text())["options"]
        self.options = [option for option in facts if option.get("flags") and not option.get("parser") and not option.get("until")]
        read = "".join((checkout / path).read_text() for path in READ)
        self.checked = [option for option in self.options if re.search(rf"\b(args|self|config)\.{option['name']}\b", read)]
        self.by_flag = {flag: option for option in self.options for flag in option["flags"]}

    def changed(self, groups, mutations):
        draw = self.random
        kind = draw.random()
        if kind < 0.2 and len(groups) > 2:
            gone = groups.pop(draw.randrange(len(groups)))
            mutations.append(f"{gone[0]} dropped")
        elif kind < 0.5:
            group = draw.choice(groups)
            option = self.by_flag.get(group[0])
            if option is not None and option["type"] != "bool":
                group[1:] = values_of(option, draw)
                mutations.append(" ".join(group))
        else:
            option = draw.choice(self.checked if draw.random() < 0.8 else self.options)
            flag = draw.choice(option["flags"])
            groups[:] = [group for group in groups if group[0] != flag]
            groups.append([flag, *values_of(option, draw)])
            mutations.append(" ".join(groups[-1]))

    def launch(self):
        draw = self.random
        base = draw.choice(self.bases)
        groups, env, size, mutations = [list(g) for g in grouped(base["argv"])], dict(base["env"]), base["world_size"], []
        # Without it every launch that is accepted would stop where samples are counted.
        if all(group[0] != "--eval-interval" for group in groups):
            groups.append(["--eval-interval", "100"])
        for _ in range(draw.randint(0, self.most)):
            kind = draw.random()
            if kind < 0.08:
                size = draw.choice(WORLD_SIZES)
                mutations.append(f"world_size={size}")
            elif kind < 0.18:
                name = draw.choice(list(ENVIRONMENT))
                value = draw.choice(ENVIRONMENT[name])
                env.pop(name, None)
                if value is not None:
                    env[name] = value
                mutations.append(f"env {name}={value}")
            else:
                self.changed(groups, mutations)
        return {"base": base["base"], "world_size": size, "env": env, "argv": [word for group in groups for word in group], "mutations": mutations}


def refusal(stage, error, root, output=""):
    if isinstance(error, SystemExit):
        return {"stage": stage, "exception": "SystemExit", "message": (output.strip().splitlines() or [""])[-1][:400], "at": ""}
    return {"stage": stage, "exception": type(error).__name__, "message": str(error)[:400], "at": place_of(error, root)}


class Upstream:
    def __init__(self, checkout):
        sys.path.insert(0, str(checkout))
        torch = quiet_torch()
        let_models_be_built(torch)
        stand_in_for(*STOOD_IN)
        pretend_a_node(torch)
        import megatron.core.utils as core
        from packaging.version import Version

        core.get_te_version = lambda: Version("2.8.0")
        core._te_version = Version("2.8.0")
        import megatron.core.tokenizers.text.text_tokenizer  # noqa: F401 - it takes long, and each launch has a process of its own
        import megatron.training.training
        from megatron.core import parallel_state
        from megatron.core.transformer import transformer_block
        from megatron.training import argument_utils, arguments, global_vars

        self.arguments, self.argument_utils, self.root = arguments, argument_utils, str(checkout)
        parallel_state.get_nccl_options = lambda *_words: None
        import pretrain_gpt

        pretrain_gpt.build_tokenizer = lambda _args: types.SimpleNamespace(pad=0, eod=1, vocab_size=32000, unique_identifiers={})
        self.program = pretrain_gpt
        self.groups, self.block, self.training, self.torch = parallel_state, transformer_block, megatron.training.training, torch
        built = global_vars.build_tokenizer
        global_vars.build_tokenizer = lambda args: built(args) if args.tokenizer_type.startswith("Null") else self.pretend_a_tokenizer(args)
        for name in ("_set_tensorboard_writer", "_set_wandb_writer", "_set_one_logger", "_set_telemetry", "_set_energy_monitor"):
            setattr(global_vars, name, lambda _args: None)

    @staticmethod
    def pretend_a_tokenizer(args):
        args.vocab_size = args.vocab_size or 32000
        args.padded_vocab_size = args.padded_vocab_size or args.vocab_size

    def verdict(self, launch):
        """Runs in a process of its own: upstream changes what is global."""
        os.environ.update(launch["env"])
        os.environ.update(RANK="0", WORLD_SIZE=str(launch["world_size"]), LOCAL_RANK="0")
        sys.argv = ["pretrain_gpt.py", *launch["argv"]]
        out = io.StringIO()
        self.stage = "validate_args"
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                asked, args, model = self.configured()
        except (SystemExit, Exception) as error:  # whatever upstream raises is the verdict
            return {"verdict": "reject", **refusal("parse" if isinstance(error, SystemExit) else self.stage, error, self.root, out.getvalue())}
        late = None
        try:
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
                self.later(args, model)
        except Exception as error:
            late = refusal(self.stage, error, self.root)
        changed = {name: [repr(value), repr(getattr(args, name, None))] for name, value in asked.items() if repr(getattr(args, name, None)) != repr(value)}
        return {"verdict": "accept", "stage": "", "exception": "", "message": "", "changed": changed, "late": late}

    def configured(self):
        asked = {}
        parse = self.arguments.parse_args

        def parsed(*words, **named):
            args = parse(*words, **named)
            asked.update(vars(args))
            return args

        self.arguments.parse_args = parsed
        args = self.arguments.parse_and_validate_args(args_defaults={"tokenizer_type": "GPT2BPETokenizer"})
        self.stage = "transformer_config"
        model = self.argument_utils.gpt_config_from_args(args)
        self.stage = "config"
        self.argument_utils.pretrain_cfg_container_from_args(args, model)
        return asked, args, model

    def later(self, args, model):
        from torch.testing._internal.distributed.fake_pg import FakeStore

        self.stage = "groups"
        self.torch.distributed.init_process_group(backend="fake", rank=0, world_size=args.world_size, store=FakeStore())
        self.groups.initialize_model_parallel(
            args.tensor_model_parallel_size,
            args.pipeline_model_parallel_size,
            args.virtual_pipeline_model_parallel_size,
            pipeline_model_parallel_comm_backend=args.pipeline_model_parallel_comm_backend,
            use_sharp=args.use_sharp,
            gtp_remat_size=args.gtp_weight_remat_size,
            expert_gtp_remat_size=args.expert_gtp_weight_remat_size,
            context_parallel_size=args.context_parallel_size,
            hierarchical_context_parallel_sizes=args.hierarchical_context_parallel_sizes,
            hybrid_context_parallel=args.hybrid_context_parallel,
            expert_model_parallel_size=args.expert_model_parallel_size,
            num_distributed_optimizer_instances=args.num_distributed_optimizer_instances,
            expert_tensor_parallel_size=args.expert_tensor_parallel_size,
            distributed_timeout_minutes=args.distributed_timeout_minutes,
            order="tp-cp-ep-pp-dp" if args.use_tp_pp_dp_mapping else "tp-cp-ep-dp-pp",
            create_gloo_process_groups=False,
            high_priority_stream_groups=args.high_priority_stream_groups,
            sharp_enabled_group=args.sharp_enabled_group,
        )
        self.stage = "layers"
        config = model.transformer
        for stage in range(args.pipeline_model_parallel_size):
            for chunk in range(args.virtual_pipeline_model_parallel_size or 1):
                self.block.get_num_layers_to_build(config, vp_stage=chunk if args.virtual_pipeline_model_parallel_size else None, pp_rank=stage)
        self.stage = "schedule"
        if not args.skip_train:
            self.training.get_optimizer_param_scheduler(types.SimpleNamespace(param_groups=[]))
        self.stage = "data"
        args.iteration = 0
        self.training.get_train_valid_test_num_samples()
        self.program.core_gpt_dataset_config_from_args(args)
        self.stage = "model"
        try:
            build(self.torch, args)
        except Exception as error:
            # Where the stand-ins fail, nothing is known.
            if self.refuses(error):
                raise

    def refuses(self, error):
        """Whether an error is upstream's own, raised or asserted in its code."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        return last.filename.startswith(f"{self.root}/") and isinstance(error, (AssertionError, IndexError, ValueError)) and "StandIn" not in str(error)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options_of(parser)
    given = parser.parse_args()
    sys.argv = sys.argv[:1]
    draws = Draws(given.seed, bases_in(given.bases), given.most, given.checkout)
    upstream = Upstream(given.checkout.resolve())
    write_verdicts(given, draws.launch, upstream.verdict)


if __name__ == "__main__":
    main()
