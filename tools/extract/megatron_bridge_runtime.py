"""Imports Megatron-Bridge on a machine without GPUs, beside the Megatron-LM that it pins, and lists its recipes."""

import importlib
import importlib.util
import os
import pathlib
import sys

from pretended_machine import quiet_torch
from stand_ins import stand_in_for

MISSING = (
    "antlr4 apex av causal_conv1d comet_ml decord deep_ep diffusers easydict einops fla flash_attn flashinfer ftfy hydra imageio librosa mamba_ssm "
    "megatron.energon mlflow modelopt multistorageclient nemo_run nvidia_resiliency_ext omegaconf open_clip qwen_vl_utils soundfile soxr timm "
    "transformer_engine transformer_engine_torch wandb webdataset"
).split()


def prepare(bridge, megatron):
    """Makes Bridge importable beside Megatron-LM: both fill the package `megatron`."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    quiet_torch()
    import transformers  # noqa: F401

    absent = [name for name in MISSING if not is_installed(name)]
    stand_in_for(*absent, "triton")
    sys.path[:0] = [str(bridge / "scripts" / "training"), str(megatron)]
    import megatron as package

    package.__path__ = [str(bridge / "src" / "megatron"), str(megatron / "megatron")]


def is_installed(name):
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError):
        return False


def recipes():
    """Every recipe that the recipe runner finds by name: benchmarks before the library, as it does."""
    import megatron.bridge.perf_recipes as benchmarks
    import recipe_runner as runner
    from recipe_metadata import resolved_benchmark_recipe_metadata

    packages = [runner.library_recipe_package(), *map(importlib.import_module, runner.library_h100_modules())]
    for entry in sorted(pathlib.Path(benchmarks.__path__[0]).iterdir()):
        if entry.is_dir() and (entry / "__init__.py").exists():
            packages.append(importlib.import_module(f"{benchmarks.__name__}.{entry.name}"))
    names = {name for package in packages for name in dir(package) if name.endswith("_config") and not name.startswith("_") and callable(getattr(package, name))}
    for name in sorted(names):
        metadata = resolved_benchmark_recipe_metadata(name)
        found = runner.find_benchmark_recipe(name) if metadata else runner.find_library_recipe(name)
        if found is not None:
            yield name, found, metadata
