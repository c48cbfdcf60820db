#!/usr/bin/env python3
"""Lists what Megatron-Bridge's recipes set, by calling them.

    python3 tools/extract/megatron-bridge-recipes.py BRIDGE_CHECKOUT MEGATRON_LM_CHECKOUT [--commit HASH] [--out schemas/megatron-bridge/recipes.json]

Needs Python 3.11, torch (for CPUs) and transformers; Megatron-LM as Bridge pins it. Nothing is fetched: a model that a recipe takes from
Hugging Face is a record of what the recipe sets on it, with the shape that schemas/models/hub.json has of it; what else the published
configuration brings is not known. The output names each setting with its value once (`settings`; one without a value is set to something that is not
known here) and each combination once (`sets`, positions in `settings`). What a recipe does not list has the default of its class where the section or
the field stands under `settled`: sections that one class fills, and fields of the model that no family of models sets; or where it stands in the
entry of `families` that has the recipe: fields that others set, but not the files that make this recipe's model. Nothing is known of the rest. The
same checkouts give the same bytes.
"""

import argparse
import collections
import dataclasses
import enum
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from megatron_bridge_runtime import prepare, recipes

REPOSITORY = "NVIDIA-NeMo/Megatron-Bridge"
SCHEMAS = pathlib.Path(__file__).resolve().parents[2] / "schemas"
# Sections that one class fills in every recipe.
SETTLED = ("checkpoint", "ddp", "dist", "logger", "optimizer", "profiling", "rerun_state_machine", "rng", "scheduler", "tokenizer", "train", "validation")
# What hub.json calls a model's shape, and Bridge's field for it.
SHAPE = {"layers": "num_layers", "hidden": "hidden_size", "heads": "num_attention_heads", "kv_heads": "num_query_groups", "experts": "num_moe_experts"}
# What of megatron/bridge/models sets no field of a model that a recipe takes: the classes that all models share, conversion to other formats,
# and what assembles models of others (distillation, MIMO).
APART = ("conversion", "distillation_provider.py", "gpt_provider.py", "megatron_mimo", "model_provider.py", "t5_provider.py", "transformer_config.py")
# Fields that families set on what stands within a model only (a vision tower), to their defaults, or for models without a recipe. Read in full.
WITHIN = (
    "tensor_model_parallel_size pipeline_model_parallel_size virtual_pipeline_model_parallel_size context_parallel_size expert_model_parallel_size "
    "sequence_parallel num_layers_in_first_pipeline_stage num_layers_in_last_pipeline_stage account_for_embedding_in_pipeline_split "
    "account_for_loss_in_pipeline_split recompute_granularity recompute_method recompute_num_layers distribute_saved_activations offload_modules "
    "cuda_graph_impl tp_comm_overlap"
).split()
# A value that a recipe computes from something that is not known here.
UNKNOWN = float("nan")


# What writes to a model after its recipe: its fields are not as the class has them where no recipe names them.
WRITERS = ("MixedPrecisionConfig", "CommOverlapConfig")


class Recorded:
    """A model from Hugging Face: what a recipe sets on it, over the shape that is known of it."""

    unset = {}
    fields = frozenset()

    def __init__(self, shape, architecture=None):
        object.__setattr__(self, "made", dict(shape))
        object.__setattr__(self, "architecture", architecture)

    def __setattr__(self, name, value):
        self.made[name] = value

    def __getattr__(self, name):
        made = object.__getattribute__(self, "made")
        if name in made:
            return made[name]
        if name in self.unset:
            return self.unset[name]
        if name in self.fields:
            return UNKNOWN
        raise AttributeError(name)


class Bridge:
    """
    Makes records of a model. Which one it is stands in them, as upstream has it (models/conversion/auto_bridge.py:1786 and 2000), where its sizes are known.
    """

    def __init__(self, shape, name, architecture=None):
        self.shape = shape
        self.name = name
        self.architecture = architecture
        self.hf_pretrained = None

    def get_model_config(self, *_args, **_named):
        return Recorded(self.shape if self.name is None else {**self.shape, "extra_checkpoint_metadata": {"hf_model_id": self.name}}, self.architecture)

    def to_megatron_provider(self, *_args, **_named):
        return Recorded(self.shape if self.name is None else {**self.shape, "hf_model_id": self.name}, self.architecture)


def unset(provider, families):
    """Defaults of the fields that no family of models sets, in a class, in a call or by name: they are as the class has them unless a recipe sets them."""
    names = set_in(path for path in families.rglob("*.py") if path.relative_to(families).parts[0] not in APART)
    return {field.name: field.default for field in dataclasses.fields(provider) if field.default is not dataclasses.MISSING and (field.name in WITHIN or field.name not in names)}


def set_in(paths):
    """Names that files set, in a class, in a call or by name."""
    setting = re.compile(r"""(?<![\w.])(\w+)\s*(?::[^=\n]+)?=(?!=)|(?<!\w)(?:self|provider|model_cfg|config|cfg)\.(\w+)\s*=(?!=)|["'](\w+)["']""")
    return {name for path in paths for match in setting.finditer(path.read_text()) for name in match.groups() if name}


def unset_by(architecture, provider, families):
    """
    Defaults of the fields that nothing sets on the way from a published model to that of a recipe: the bridge of its architecture, what that takes from
    other files of models, and what all bridges share. None where no bridge is found.
    """
    registered = re.compile(rf"""register_bridge\(\s*source=["']?{architecture}\b""")
    todo = [path for path in sorted(families.rglob("*_bridge.py")) if path.relative_to(families).parts[0] != "conversion" and registered.search(path.read_text())]
    if len(todo) != 1:
        return None
    read = {families / "conversion" / name for name in ("auto_bridge.py", "model_bridge.py")}
    while todo:
        path = todo.pop()
        if path in read or path.relative_to(families).parts[0] in APART:
            continue
        read.add(path)
        for module in re.findall(r"^\s*from megatron\.bridge\.models\.([\w.]+) import", path.read_text(), re.M):
            file = families.joinpath(*module.split("."))
            todo += [one for one in (file.with_suffix(".py"), file / "__init__.py") if one.exists()]
    names = set_in(read) | written_later()
    return {field.name: field.default for field in dataclasses.fields(provider) if field.default is not dataclasses.MISSING and field.name not in names}


def written_later():
    from megatron.bridge.training import comm_overlap, mixed_precision

    classes = [getattr(module, name) for name in WRITERS for module in (comm_overlap, mixed_precision) if hasattr(module, name)]
    return {field.name for one in classes for field in dataclasses.fields(one)}


def without_hub(bridge):
    """Lets recipes take models from Hugging Face without asking it."""
    from megatron.bridge import AutoBridge
    from megatron.bridge.models.gpt_provider import GPTModelProvider

    hub = json.loads((SCHEMAS / "models" / "hub.json").read_text())
    Recorded.unset = unset(GPTModelProvider, bridge / "src" / "megatron" / "bridge" / "models")
    Recorded.fields = frozenset(field.name for field in dataclasses.fields(GPTModelProvider))

    def from_hub(_class, name, *_args, **_named):
        facts = hub.get(name, {}) if isinstance(name, str) else {}
        plain = str(facts.get("architecture", "")).endswith("ForCausalLM")
        return Bridge({field: facts[key] for key, field in SHAPE.items() if key in facts}, name, facts.get("architecture")) if plain else Bridge({}, None)

    AutoBridge.from_hf_pretrained = classmethod(from_hub)
    AutoBridge.from_hf_config = classmethod(from_hub)


def settled(config, metadata):
    """What the recipe runner makes of a benchmark before it looks at what the user gives."""
    if metadata is None:
        return config
    import run_recipe

    config = run_recipe._apply_benchmark_dataset_defaults(config, metadata)
    config = run_recipe._apply_benchmark_runtime_defaults(config, metadata, [])
    # Scaled to the number of GPUs.
    config.train.global_batch_size = UNKNOWN
    return config


def plain(value):
    """A value as JSON, and whether it is known."""
    import torch

    if isinstance(value, float) and not math.isfinite(value):
        return None, False
    if isinstance(value, enum.Enum):
        return value.name, True
    if isinstance(value, str):
        # A folder below the one that the program is started in.
        return value.removeprefix(f"{os.getcwd()}/"), True
    if value is None or isinstance(value, (bool, int, float)):
        return value, True
    if isinstance(value, torch.dtype):
        return str(value), True
    if isinstance(value, (list, tuple)):
        parts = [plain(part) for part in value]
        return [part for part, _ in parts], all(known for _, known in parts)
    if isinstance(value, dict):
        entries = {str(key): plain(part) for key, part in value.items()}
        return {key: part for key, (part, _) in entries.items()}, all(known for _, known in entries.values())
    return None, False


def is_default(value, option):
    value, known = plain(value)
    return option is not None and known and option["default"] == value


def walk(prefix, part, rows, options, depth=0):
    # What checks ask of a data set they ask of Bridge's own classes only.
    if prefix == "dataset." and ".diffusion." in type(part).__module__:
        return
    made = part.made if isinstance(part, Recorded) else {field.name: getattr(part, field.name, None) for field in dataclasses.fields(part)}
    for key, value in made.items():
        name = f"{prefix}{key}"
        if name not in options:
            continue
        if isinstance(value, Recorded) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
            if options[name]["type"] != "group":
                rows[name] = (None, False)
            if depth < 4:
                walk(f"{name}.", value, rows, options, depth + 1)
            continue
        if name.split(".")[0] not in SETTLED or not is_default(value, options[name]):
            rows[name] = plain(value)


def precisions(options):
    """What the named settings of mixed precision are."""
    from megatron.bridge.training.mixed_precision import MIXED_PRECISION_RECIPES

    out = {}
    for name, make in sorted(MIXED_PRECISION_RECIPES.items()):
        made = make()
        made.finalize()
        fields = {field.name: plain(getattr(made, field.name)) for field in dataclasses.fields(made)}
        out[name] = {key: value for key, (value, known) in fields.items() if known and f"mixed_precision.{key}" in options}
    return out


def defaults_of(fields, options):
    """The options of the model whose known default is that of a class."""
    return [f"model.{name}" for name, default in fields.items() if is_default(default, options.get(f"model.{name}"))]


def families_of(made_from, models, known, options):
    """For the recipes of each architecture, the options that have the default of their class beside those of which that is known everywhere."""
    from megatron.bridge.models.gpt_provider import GPTModelProvider

    for architecture, names in sorted(made_from.items()):
        fields = unset_by(architecture, GPTModelProvider, models)
        if fields is not None:
            yield {"recipes": sorted(names), "settled": sorted(set(defaults_of(fields, options)) - known)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bridge", type=pathlib.Path)
    parser.add_argument("megatron", type=pathlib.Path)
    parser.add_argument("--commit")
    parser.add_argument("--out", type=pathlib.Path, default=SCHEMAS / "megatron-bridge" / "recipes.json")
    args = parser.parse_args()
    commit = args.commit or subprocess.run(["git", "-C", args.bridge, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    options = {option["name"]: option for option in json.loads((SCHEMAS / "megatron-bridge" / "options.json").read_text())["options"]}
    args.bridge, args.megatron, args.out = args.bridge.resolve(), args.megatron.resolve(), args.out.resolve()
    os.chdir(tempfile.mkdtemp())
    prepare(args.bridge, args.megatron)
    without_hub(args.bridge)
    found, made_from, failed = {}, collections.defaultdict(list), collections.Counter()
    for name, make, metadata in recipes():
        try:
            config = settled(make(), metadata)
        except Exception as error:  # a recipe that needs the published configuration, or a GPU
            failed[f"{type(error).__name__}: {error}"[:100]] += 1
            continue
        rows = {}
        walk("", config, rows, options)
        layout = "model.pipeline_model_parallel_layout"
        if "_pipeline_model_parallel_layout_builder" in getattr(config.model, "made", vars(config.model)) and rows.get(layout) == (None, True):
            # There is none for these stages; the runner makes one for others.
            rows[layout] = (None, False)
        if getattr(config.model, "architecture", None) is not None:
            made_from[config.model.architecture].append(name)
        found[name] = sorted((key, json.dumps(value) if known else None) for key, (value, known) in rows.items())
    fields = defaults_of(Recorded.unset, options)
    families = families_of(made_from, args.bridge / "src" / "megatron" / "bridge" / "models", frozenset(fields), options)
    pairs = sorted({pair for rows in found.values() for pair in rows}, key=lambda pair: (pair[0], pair[1] or ""))
    position = {pair: at for at, pair in enumerate(pairs)}
    sets = sorted({tuple(position[pair] for pair in rows) for rows in found.values()})
    place = {combination: at for at, combination in enumerate(sets)}
    lines = ["{", f' "repository": "{REPOSITORY}",', f' "commit": "{commit}",', f' "settled": {json.dumps(sorted([*SETTLED, *fields]))},', ' "settings": [']
    lines.append(",\n".join(f"  [{json.dumps(key)}{'' if value is None else f', {value}'}]" for key, value in pairs))
    lines += [" ],", ' "sets": [', ",\n".join(f"  {json.dumps(combination)}" for combination in sets), " ],", ' "recipes": {']
    lines.append(",\n".join(f'  "{name}": {place[tuple(position[pair] for pair in rows)]}' for name, rows in sorted(found.items())))
    lines += [" },", ' "families": [']
    lines.append(",\n".join(f"  {json.dumps(family)}" for family in families))
    lines += [" ],", ' "precisions": {']
    lines.append(",\n".join(f'  "{name}": {json.dumps(fields)}' for name, fields in precisions(options).items()))
    lines += [" }", "}", ""]
    args.out.write_text("\n".join(lines))
    print(f"{len(found)} recipes, {len(sets)} combinations of {len(pairs)} settings; left out: {sum(failed.values())}", file=sys.stderr)
    for reason, times in failed.most_common():
        print(f"  {times}  {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
