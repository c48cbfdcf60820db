#!/usr/bin/env python3
"""Draws launches of Megatron-Bridge's recipe runner, with the verdict of Bridge's own code on each.

    python3 tools/extract/megatron-bridge-verdicts.py BRIDGE_CHECKOUT MEGATRON_LM_CHECKOUT --draws N [--seed N] [--out FILE]

Needs what megatron-bridge-recipes.py needs, and Hydra and OmegaConf so that the settings are read and refused as upstream does; without them they are set
on the configuration. A recipe whose model stands in schemas/models/hub.json, or is not from Hugging Face, is loaded,
up to six settings are changed, and run_recipe.py's steps are taken up to `runtime_config_update`, which resolves precision and overlap and
validates everything; then the sizes that process groups are made of are checked. The GPUs and Transformer Engine are pretended (eight
H100s a node, 2.14). One JSON object a line: recipe, mode, world_size, overrides, verdict, and for a refusal its place and message.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import sys
import tempfile
import traceback

from megatron_bridge_runtime import is_installed, prepare, recipes
from pretended_machine import pretend_a_node

HUB = json.loads((pathlib.Path(__file__).resolve().parents[2] / "schemas" / "models" / "hub.json").read_text())
HAS_HYDRA = is_installed("hydra") and is_installed("omegaconf")
CHECKPOINT = "checkpoint.pretrained_checkpoint"
SWITCH = [True, False]
# Settings that draws change, with the values that they take.
VALUES = {
    "checkpoint.async_save": SWITCH,
    "checkpoint.ckpt_format": ["torch_dist", "fsdp_dtensor", "torch_dcp", "zarr"],
    "checkpoint.fully_parallel_save": SWITCH,
    "checkpoint.load": [None, "/ckpt"],
    CHECKPOINT: [None, "base"],
    "checkpoint.save": [None, "/ckpt"],
    "checkpoint.save_interval": [None, 0, 100],
    "comm_overlap": [None],
    "dataset.dataloader_type": ["single", "cyclic", "batch", "external"],
    "dataset.enable_in_batch_packing": SWITCH,
    "dataset.enable_offline_packing": SWITCH,
    "dataset.seq_length": [512, 2048, 4096, 4100, 8192],
    "ddp.average_in_collective": SWITCH,
    "ddp.check_for_nan_in_grad": SWITCH,
    "ddp.data_parallel_sharding_strategy": ["no_shard", "optim", "optim_grads", "optim_grads_params"],
    "ddp.grad_reduce_in_fp32": SWITCH,
    "ddp.nccl_ub": SWITCH,
    "ddp.num_distributed_optimizer_instances": [1, 2],
    "ddp.overlap_grad_reduce": SWITCH,
    "ddp.overlap_param_gather": SWITCH,
    "ddp.use_distributed_optimizer": SWITCH,
    "ddp.use_megatron_fsdp": SWITCH,
    "dist.use_gloo_process_groups": SWITCH,
    "dist.use_megatron_fsdp": SWITCH,
    "dist.use_torch_fsdp2": SWITCH,
    "mixed_precision": [None, "bf16_mixed", "fp16_mixed", "bf16_with_fp8_delayed_scaling_mixed", "bf16_with_fp8_current_scaling_mixed", "bf16_with_mxfp8_mixed"],
    "model.account_for_embedding_in_pipeline_split": SWITCH,
    "model.account_for_loss_in_pipeline_split": SWITCH,
    "model.add_bias_linear": SWITCH,
    "model.apply_rope_fusion": SWITCH,
    "model.attention_dropout": [0.0, 0.1],
    "model.bf16": SWITCH,
    "model.calculate_per_token_loss": SWITCH,
    "model.context_parallel_size": [1, 2, 4, 8],
    "model.cp_comm_type": [None, "p2p", "a2a", "a2a+p2p"],
    "model.cpu_offloading": SWITCH,
    "model.cpu_offloading_num_layers": [0, 2, 40],
    "model.cross_entropy_loss_fusion": SWITCH,
    "model.cuda_graph_impl": ["none", "local", "transformer_engine", "full_iteration"],
    "model.cuda_graph_modules": [None, ["attn"], ["mlp"], ["moe_router"], ["full_iteration"]],
    "model.deterministic_mode": SWITCH,
    "model.distribute_saved_activations": SWITCH,
    "model.expert_model_parallel_size": [1, 2, 4, 8, 16],
    "model.expert_tensor_parallel_size": [None, 1, 2, 4],
    "model.fine_grained_activation_offloading": SWITCH,
    "model.fp16": SWITCH,
    "model.gradient_accumulation_fusion": SWITCH,
    "model.microbatch_group_size_per_vp_stage": [None, 1, 4],
    "model.moe_grouped_gemm": SWITCH,
    "model.moe_permute_fusion": SWITCH,
    "model.moe_router_topk": [1, 2, 8],
    "model.moe_shared_expert_overlap": SWITCH,
    "model.moe_token_dispatcher_type": ["allgather", "alltoall", "flex"],
    "model.mtp_num_layers": [None, 1],
    "model.multi_latent_attention": SWITCH,
    "model.num_attention_heads": [12, 20, 32],
    "model.num_layers": [8, 12, 24, 30],
    "model.num_layers_in_first_pipeline_stage": [None, 2],
    "model.num_moe_experts": [None, 4, 12, 128],
    "model.num_query_groups": [1, 2, 3, 8],
    "model.offload_modules": [None, ["core_attn"], ["moe_act"], ["bogus"]],
    "model.overlap_p2p_comm": SWITCH,
    "model.pipeline_model_parallel_size": [1, 2, 3, 4, 8],
    "model.recompute_granularity": [None, "full", "selective"],
    "model.recompute_method": [None, "uniform", "block"],
    "model.recompute_modules": [None, ["core_attn"], ["mlp"], ["moe"], ["layernorm", "moe_act"], ["core_attn", "bogus"]],
    "model.recompute_num_layers": [None, 1, 2, 40],
    "model.seq_length": [2048, 4096],
    "model.sequence_parallel": SWITCH,
    "model.tensor_model_parallel_size": [1, 2, 3, 4, 8],
    "model.tp_comm_overlap": SWITCH,
    "model.transformer_impl": ["local", "transformer_engine"],
    "model.use_te_rng_tracker": SWITCH,
    "model.virtual_pipeline_model_parallel_size": [None, 1, 2, 3, 4],
    "optimizer.bf16": SWITCH,
    "optimizer.exp_avg_dtype": ["torch.float32", "torch.bfloat16"],
    "optimizer.fp16": SWITCH,
    "optimizer.main_grads_dtype": ["torch.float32", "torch.bfloat16"],
    "optimizer.main_params_dtype": ["torch.float32", "torch.float16"],
    "optimizer.optimizer_cpu_offload": SWITCH,
    "optimizer.optimizer_offload_fraction": [0.0, 0.5, 1.0],
    "optimizer.overlap_cpu_optimizer_d2h_h2d": SWITCH,
    "optimizer.use_distributed_optimizer": SWITCH,
    "optimizer.use_precision_aware_optimizer": SWITCH,
    "profiling.memory_snapshot_path": ["snapshot.pickle", "snapshot.txt"],
    "profiling.record_memory_history": SWITCH,
    "profiling.use_nsys_profiler": SWITCH,
    "profiling.use_pytorch_profiler": SWITCH,
    "rng.te_rng_tracker": SWITCH,
    "scheduler.lr_decay_iters": [None, 10, 100000],
    "scheduler.lr_decay_style": ["cosine", "linear", "WSD", "constant"],
    "scheduler.lr_warmup_fraction": [None, 0.1],
    "scheduler.lr_warmup_iters": [0, 10, 5000],
    "scheduler.lr_wsd_decay_iters": [None, 100],
    "train.global_batch_size": [1, 8, 12, 32, 128, 1000],
    "train.manual_gc": SWITCH,
    "train.micro_batch_size": [1, 2, 3, 4],
    "train.rampup_batch_size": [None, [8, 8, 1000]],
    "train.train_iters": [0, 10, 1000, None],
    "train.train_samples": [None, 10000],
    "validation.eval_interval": [None, 0, 100],
    "validation.eval_iters": [0, 10],
}


def pretend():
    """A node of H100s with Transformer Engine, and the shapes of published models."""
    import torch
    import transformer_engine
    import transformers
    from megatron.bridge import AutoBridge

    transformer_engine.__version__ = "2.14.0"
    pretend_a_node(torch)
    from_config = AutoBridge.from_hf_config

    def from_hub(_class, name, *_args, **_named):
        facts = HUB[name]
        shape = {
            "num_hidden_layers": facts["layers"], "hidden_size": facts["hidden"], "num_attention_heads": facts["heads"],
            "num_key_value_heads": facts["kv_heads"], "intermediate_size": facts["ffn"], "vocab_size": facts["vocab"], "tie_word_embeddings": facts["tied"],
        }
        if facts.get("experts"):
            shape.update(num_experts=facts["experts"], moe_intermediate_size=facts["expert_ffn"])
        config = transformers.AutoConfig.for_model(facts["model_type"], **shape)
        config.architectures = [facts["architecture"]]
        config.torch_dtype = torch.bfloat16
        return from_config(config)

    AutoBridge.from_hf_pretrained = classmethod(from_hub)


def written(value):
    """A value as Hydra reads it."""
    if isinstance(value, list):
        return f"[{','.join(written(part) for part in value)}]"
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)


def holder(config, name):
    *groups, last = name.split(".")
    for group in groups:
        config = getattr(config, group)
    return config, last


def set_on(config, drawn, torch):
    """Sets fields as Hydra would; keys that it does not see are set as well."""
    for name, value in drawn.items():
        part, last = holder(config, name)
        is_type = isinstance(value, str) and value.startswith("torch.")
        setattr(part, last, getattr(torch, value.removeprefix("torch.")) if is_type else value)


def changes(config, mode, rng):
    """Settings to change, of those that the recipe's classes have."""
    drawn = {}
    for name in rng.sample(sorted(VALUES), rng.randrange(7)):
        try:
            part, last = holder(config, name)
        except AttributeError:
            continue
        foreign = ("model.moe_", "model.expert_")
        if not hasattr(part, last) or (name.startswith(foreign) and not getattr(config.model, "num_moe_experts", None) and rng.random() < 0.8):
            continue
        drawn[name] = rng.choice(VALUES[name])
    if mode in ("lora", "dora") and rng.random() < 0.9:
        drawn[CHECKPOINT] = "base"
    return drawn


def gpus(config, drawn, rng):
    """A number of GPUs, most often one that the layout divides."""
    if rng.random() < 0.2:
        return rng.choice([1, 2, 4, 8, 16, 32, 64, 128, 256])
    size = 1
    for name in ("tensor_model_parallel_size", "pipeline_model_parallel_size", "context_parallel_size"):
        size *= drawn.get(f"model.{name}", getattr(config.model, name, 1))
    several = size * rng.choice([1, 1, 2, 4])
    return several if several <= 8 or several % 8 == 0 else size


def verdict(config, mode, world_size, drawn):
    """Where and with which words run_recipe.py refuses; None when it goes on to train."""
    import recipe_runner as runner
    import torch
    from megatron.bridge.training.config import runtime_config_update

    before = dict(os.environ)
    os.environ.update(WORLD_SIZE=str(world_size), RANK="0", LOCAL_RANK="0")
    try:
        overrides = [f"{name}={written(value)}" for name, value in drawn.items()]
        if HAS_HYDRA:
            config = runner.apply_cli_overrides(config, overrides)
        else:
            set_on(config, drawn, torch)
        config = runner.sync_model_pipeline_layout(config, cli_overrides=overrides)
        config = runner.apply_runtime_environment(config)
        config = runner.sync_finetuning_cp_invariants(config, mode="pretrain" if mode == "pretrain" else "finetune")
        config = runner.sync_offline_packing_alignment(config)
        config = runner.sync_model_dataset_sequence_length(config)
        runtime_config_update(config)
        model = config.model
        expert = (model.expert_tensor_parallel_size or model.tensor_model_parallel_size) * (model.expert_model_parallel_size or 1)
        if world_size % (expert * model.pipeline_model_parallel_size):
            return {"at": "core/parallel_state.py:initialize_model_parallel", "message": "the expert layout does not divide the GPUs"}
        return None
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return {"at": f"{last.filename.split('/megatron/')[-1]}:{last.lineno}", "message": str(error).strip()[:160]}
    finally:
        os.environ.clear()
        os.environ.update(before)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bridge", type=pathlib.Path)
    parser.add_argument("megatron", type=pathlib.Path)
    parser.add_argument("--draws", type=int, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=argparse.FileType("w"), default=sys.stdout)
    args = parser.parse_args()
    bridge, megatron = args.bridge.resolve(), args.megatron.resolve()
    # Where a base checkpoint is looked for.
    os.chdir(tempfile.mkdtemp())
    os.mkdir("base")
    prepare(bridge, megatron)
    pretend()
    import recipe_runner as runner
    from recipe_metadata import infer_recipe_mode

    def load(name, mode):
        return runner.load_recipe(name, peft_scheme=mode if mode in ("lora", "dora") else None)

    loaded, left = [], collections.Counter()
    for name, _, benchmark in recipes():
        mode = infer_recipe_mode(name)
        if benchmark is not None or mode is None:
            continue
        try:
            load(name, mode)
            loaded.append((name, mode))
        except Exception as error:  # a model that is not known here, or a recipe that wants a GPU
            left[type(error).__name__] += 1
    print(f"{len(loaded)} recipes; left out: {dict(left)}", file=sys.stderr)
    rng = random.Random(args.seed)
    for _ in range(args.draws):
        name, mode = rng.choice(loaded)
        config = load(name, mode)
        drawn = changes(config, mode, rng)
        world_size = gpus(config, drawn, rng)
        refused = verdict(config, mode, world_size, drawn)
        overrides = [f"{key}={written(value)}" for key, value in drawn.items()]
        record = {"recipe": name, "mode": mode, "world_size": world_size, "overrides": overrides, "verdict": "accept" if refused is None else "reject", **(refused or {})}
        args.out.write(f"{json.dumps(record)}\n")


if __name__ == "__main__":
    main()
