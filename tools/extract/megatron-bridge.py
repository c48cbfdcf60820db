#!/usr/bin/env python3
"""Lists the dotted fields of Megatron-Bridge's ConfigContainer by reading its dataclasses with `ast`; nothing is imported.

    python3 tools/extract/megatron-bridge.py BRIDGE_CHECKOUT MEGATRON_LM_CHECKOUT [--commit HASH] [--out schemas/megatron-bridge/options.json]

`default` is the class's own; a recipe written in Python may set another one, so `defaultUnknown` stands on every field. untouched.json
beside the output lists the fields whose names occur nowhere in the recipes, the programs and, for the model, the model families:
there the default is certain as long as upstream's own recipes are used. Where several classes may
stand in one place (`model`, `dataset`, `peft`), the fields of all of them are listed, and `parser` names the classes of a field that the first of them lacks.
Flags of the recipe and performance runners that set a field stand in its `flags`; their
other flags are options named after the program. `unread_recipes` lists the recipes that recipes.json beside the output does not have; `contrary_recipes`
those whose name does not tell whether they are benchmarks. Fields of older releases, with what has taken their place, are written by hand in
history.json beside the output. The same checkouts give the same bytes.
"""

import argparse
import ast
import json
import pathlib
import re
import subprocess

from megatron_bridge_classes import UNKNOWN, Sources, default_of, type_of

REPOSITORY = "NVIDIA-NeMo/Megatron-Bridge"
CONFIG = "megatron.bridge.training.config"
RUNNER = "scripts/training/run_recipe.py"
PROGRAMS = {"run_recipe": RUNNER, "submit": "scripts/training/setup_experiment.py", "performance": "scripts/performance/argument_parser.py"}
# Flags of the performance runner beyond those of the recipe runner that set one field as they are.
PERFORMANCE = {"use_megatron_fsdp": "ddp.use_megatron_fsdp", "nccl_ub": "ddp.nccl_ub", "hidden_size": "model.hidden_size", "num_layers": "model.num_layers", "num_moe_experts": "model.num_moe_experts"}
# Flags of the recipe runner that take the keys of a table, and where that stands.
TABLES = {"dataset": ("src/megatron/bridge/recipes/utils/dataset_utils.py", "DATASET_PRESETS"), "step_func": ("scripts/training/recipe_runner.py", "STEP_FUNCTIONS")}
# What converters of flags make of a word.
TYPES = {"int": "int", "float": "float", "bool_arg": "bool"}
# Converters that take the words of a list in the same file.
TAKES = {"is_cuda_graph_impl_valid": "VALID_CUDA_GRAPH_IMPLS", "is_cuda_graph_scope_valid": "VALID_CUDA_GRAPH_SCOPES"}
# Where recipes stand.
RECIPES = ("src/megatron/bridge/recipes", "src/megatron/bridge/perf_recipes", "src/megatron/bridge/diffusion/recipes")
# Sections that any class of a family can fill: what the class must derive from, and the package that holds the family.
FAMILIES = {
    "model": (("TransformerConfig", "ModelProviderMixin", "ModelConfig"), "megatron.bridge"),
    "dataset": (("DatasetProvider", "DataloaderConfig", "GPTDatasetConfig"), "megatron.bridge"),
    "peft": (("PEFT",), "megatron.bridge.peft"),
}
# Sections that may be None although their annotation does not say so: upstream looks before it reads them.
MAY_BE_NONE = ("profiling",)
DEPTH = 4
# Sections that upstream's recipes always fill with the same class or a subclass of it.
SETTLED = ("model", "ddp", "optimizer", "train", "validation", "scheduler", "checkpoint", "dist", "rng", "rerun_state_machine", "profiling", "logger")


class Walk:
    def __init__(self, sources):
        self.sources = sources
        self.rows = {}

    def section(self, prefix, classes, depth):
        """Fields of one section, merged over the classes that can fill it."""
        merged = {}
        for module, klass in classes:
            for name, value in self.sources.fields(module, klass).items():
                merged.setdefault(name, []).append((klass.name, value))
        for name, found in merged.items():
            annotation, node, module, line = found[0][1]
            partial = {} if found[0][0] == classes[0][1].name else {"parser": " ".join(klass for klass, _ in found[:3])}
            self.field(f"{prefix}{name}", annotation, node, module, line, partial, depth)

    def field(self, name, annotation, node, module, line, extra, depth):
        facts, names = type_of(annotation)
        classes = [found for found in (self.sources.resolve(module, klass) for klass in names) if found and self.sources.is_dataclass(found[1])]
        source = f"{module.path}:{line}"
        if name in FAMILIES:
            classes += [found for found in self.family(name) if found not in classes]
        if classes and name.startswith("model."):
            # A model within a model (a teacher, a language tower): free keys, so that 700 fields are not listed again.
            self.rows[name] = {"name": name, "type": "dict", "nullable": True, "default": None, "defaultUnknown": True, "open": True, **extra, "source": source}
            return
        if classes and depth < DEPTH:
            nullable = {"nullable": True} if facts.get("nullable") or name in MAY_BE_NONE else {}
            union = {"open": True} if name in FAMILIES else {}
            kind = "any" if name == "mixed_precision" else "group"
            self.rows[name] = {"name": name, "type": kind, **nullable, "default": {}, **union, **extra, "source": source}
            if kind == "any":
                self.rows[name].update(default=None, defaultUnknown=True, open=True)
            self.section(f"{name}.", classes, depth + 1)
            return
        default = default_of(node)
        self.rows[name] = {"name": name, "type": "any", **facts, "default": None if default is UNKNOWN else default, "defaultUnknown": True, **extra, "source": source}

    def family(self, name):
        bases, package = FAMILIES[name]
        for module in self.sources.modules.values():
            if not module.name.startswith(package):
                continue
            for klass in module.classes.values():
                if not klass.name.startswith("_") and self.sources.is_dataclass(klass) and self.sources.derives(module, klass, bases):
                    yield module, klass


def declared_flags(path):
    """Every add_argument of a program: dest -> (flags, facts)."""
    out = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "add_argument":
            continue
        names = [argument.value for argument in node.args if isinstance(argument, ast.Constant)]
        long = [name for name in names if name.startswith("--")]
        if not long:
            continue
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        facts = {"line": node.lineno}
        action = keywords.get("action")
        if isinstance(action, ast.Constant):
            facts["action"] = action.value
        choices = keywords.get("choices")
        if isinstance(choices, ast.List) and all(isinstance(item, ast.Constant) for item in choices.elts):
            facts["choices"] = [item.value for item in choices.elts if item.value is not None]
        elif isinstance(choices, ast.Call) and isinstance(choices.func, ast.Attribute) and choices.func.attr == "keys":
            facts["choices"] = keys_of(path, choices.func.value.id)
        converter = keywords.get("type")
        if isinstance(converter, ast.Name) and converter.id in TAKES:
            facts["choices"] = words_of(path, TAKES[converter.id])
        if isinstance(converter, ast.Name) and converter.id in TYPES:
            facts["type"] = TYPES[converter.id]
        nargs = keywords.get("nargs")
        if isinstance(nargs, ast.Constant):
            facts["nargs"] = nargs.value
        out[long[0][2:].replace("-", "_")] = (sorted(names, key=lambda name: not name.startswith("--")), facts)
    return out


def common_fields(path):
    """What the recipe runner's convenience flags set: dest -> field."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == "COMMON_OVERRIDE_FIELDS" for target in node.targets):
            return dict(ast.literal_eval(node.value))
    return {}


def add_flags(rows, checkout):
    """Flags that set a field go to the field; the others become options of their program. Returns the fields with a flag."""
    fields = common_fields(checkout / RUNNER)
    touched = set()
    for program, path in PROGRAMS.items():
        for dest, (flags, facts) in declared_flags(checkout / path).items():
            field = None if program == "submit" else fields.get(dest) or PERFORMANCE.get(dest)
            if field is not None and field in rows:
                touched.add(field)
                known = rows[field].setdefault("flags", [])
                known += [flag for flag in flags if flag not in known]
                continue
            row = {"name": f"{program}.{dest}", "flags": flags, "type": "bool" if facts.get("action", "").startswith("store_") else "str", "default": None, "defaultUnknown": True}
            if facts.get("nargs") in ("*", "+") and "type" in facts:
                facts = {**facts, "type": "list", "items": facts["type"]}
            row.update({key: value for key, value in facts.items() if key != "line"})
            if program == "run_recipe" and dest in TABLES:
                file, table = TABLES[dest]
                row["choices"] = keys_of(checkout / file, table)
            rows[row["name"]] = {**row, "parser": program, "source": f"{path}:{facts['line']}"}
    return touched


def keys_of(path, table):
    """The keys of a dictionary that a file assigns to a name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(target, ast.Name) and target.id == table for target in targets) and isinstance(node.value, ast.Dict):
            return [key.value for key in node.value.keys if isinstance(key, ast.Constant)]
    raise SystemExit(f"{path}: no dictionary {table}")


def words_of(path, name):
    """The words of a list that a file assigns to a name."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Name) and target.id == name for target in node.targets):
            return ast.literal_eval(node.value)
    raise SystemExit(f"{path}: no list {name}")


def recipes_not_read(checkout, read):
    """Names by which recipes are found that recipes.json does not have: what is defined, imported or listed where recipes stand and named like one."""
    found = set()
    for folder in RECIPES:
        for path in (checkout / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef):
                    found.add(node.name)
                elif isinstance(node, ast.alias):
                    found.add(node.asname or node.name)
                elif isinstance(node, ast.Name):
                    found.add(node.id)
                elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                    found.add(node.value)
    named = re.compile(r"[a-z]\w*_(?:pretrain|sft|finetune|peft|lora|dora)_(?:\w+_)?config")
    return sorted(name for name in found - read if named.fullmatch(name))


def contrary_recipes(checkout, names):
    """
    Recipes named after GPUs of which the name does not tell whether they are benchmarks: most that are, are not for H100 in BF16. Benchmarks are
    what the packages of the benchmarks export (scripts/training/recipe_metadata.py:134).
    """
    exported = set()
    for path in (checkout / RECIPES[1]).rglob("__init__.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.alias):
                exported.add(node.asname or node.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                exported.add(node.value)
    named = [name for name in names if re.search(r"_[0-9]+gpu_", name)]
    return sorted(name for name in named if (name in exported) == ("_h100_bf16_" in name))


def precision_recipes(sources):
    """Names of the registered mixed-precision recipes, in the order of the file; each is known with hyphens too."""
    module = sources.modules["megatron.bridge.training.mixed_precision"]
    names = [node.name for node in module.tree.body if isinstance(node, ast.FunctionDef) and any(ast.unparse(d) == "register" for d in node.decorator_list)]
    return [spelling for name in names for spelling in (name, name.replace("_", "-"))]


def words(checkout, folders):
    """Every word in the Python files below some folders, comments and strings included."""
    found = set()
    for folder in folders:
        for path in sorted((checkout / folder).rglob("*.py")):
            found.update(re.findall(r"[A-Za-z_]\w*", path.read_text(encoding="utf-8", errors="replace")))
    return found


def untouched(rows, checkout):
    """Fields that no recipe sets and that nothing copies over before upstream validates."""
    recipes = words(checkout, ["src/megatron/bridge/recipes", "src/megatron/bridge/perf_recipes", "src/megatron/bridge/diffusion", "scripts"])
    families = recipes | words(checkout, ["src/megatron/bridge/models", "src/megatron/bridge/peft"])
    copied = {name.split(".", 1)[1] for name in rows if name.startswith(("mixed_precision.", "comm_overlap."))}
    out = []
    for name, row in rows.items():
        section, _, field = name.partition(".")
        if section not in SETTLED or "." in field or "parser" in row or field in copied or row.get("type") == "group":
            continue
        if row["default"] == UNKNOWN or field in (families if section == "model" else recipes):
            continue
        out.append(name)
    return out


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("bridge", type=pathlib.Path)
    arguments.add_argument("megatron", type=pathlib.Path)
    arguments.add_argument("--commit", help="commit of the Bridge checkout; default: git rev-parse HEAD there")
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path("schemas/megatron-bridge/options.json"))
    given = arguments.parse_args()
    commit = given.commit or subprocess.run(["git", "-C", given.bridge, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()

    sources = Sources()
    sources.add(given.bridge, "src/megatron/bridge", "megatron.bridge")
    sources.add(given.megatron, "megatron/core", "megatron.core")
    sources.add(given.megatron, "megatron/training", "megatron.training")
    walk = Walk(sources)
    config = sources.modules[CONFIG]
    walk.section("", [(config, config.classes["ConfigContainer"])], 0)
    flags = add_flags(walk.rows, given.bridge)
    recipes = {"name": "precision_recipes", "type": "list", "items": "str", "default": precision_recipes(sources), "parser": "registry", "source": "src/megatron/bridge/training/mixed_precision.py:1"}

    # What the linter knows of the launch itself, for use in constraints.
    program = {"name": "entry.program", "type": "str", "default": None, "defaultUnknown": True, "choices": ["run_recipe", "submit", "performance", "own"], "parser": "entry", "source": f"{RUNNER}:1"}
    benchmark = {"name": "entry.benchmark", "type": "bool", "default": None, "defaultUnknown": True, "parser": "entry", "source": "scripts/training/recipe_metadata.py:158"}
    of_mode = {"name": "entry.recipe_of_mode", "type": "str", "default": None, "defaultUnknown": True, "parser": "entry", "source": "scripts/training/recipe_metadata.py:209"}

    read = json.loads((given.out.parent / "recipes.json").read_text(encoding="utf-8"))["recipes"]
    unread = {"name": "unread_recipes", "type": "list", "items": "str", "default": recipes_not_read(given.bridge, set(read)), "parser": "registry", "source": f"{RECIPES[0]}/__init__.py:1"}
    all_recipes = [*read, *unread["default"]]
    contrary = {"name": "contrary_recipes", "type": "list", "items": "str", "default": contrary_recipes(given.bridge, all_recipes), "parser": "registry", "source": "scripts/training/recipe_metadata.py:134"}

    history = json.loads((given.out.parent / "history.json").read_text(encoding="utf-8"))
    for old in history:
        if old["name"] in walk.rows:
            raise SystemExit(f"history.json: {old['name']} exists in this checkout")

    order = ["name", "flags", "type", "items", "nullable", "default", "defaultUnknown", "choices", "action", "nargs", "open", "parser", "renamedTo", "removed", "until", "source"]
    rows = [*walk.rows.values(), recipes, unread, contrary, program, benchmark, of_mode, *history]
    lines = [json.dumps({key: row[key] for key in order if key in row}, ensure_ascii=False) for row in rows]
    package = pathlib.Path(given.bridge, "src/megatron/bridge/package_info.py").read_text(encoding="utf-8")
    release = ".".join(re.search(rf"^{part} = (\d+)", package, re.M).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
    head = {"framework": "megatron-bridge", "repository": REPOSITORY, "commit": commit, "release": release}
    text = "{\n" + "".join(f'  "{key}": {json.dumps(value)},\n' for key, value in head.items()) + '  "options": [\n    ' + ",\n    ".join(lines) + "\n  ]\n}\n"
    given.out.parent.mkdir(parents=True, exist_ok=True)
    given.out.write_text(text, encoding="utf-8")
    settled = untouched(walk.rows, given.bridge)
    (given.out.parent / "untouched.json").write_text(json.dumps(settled, indent=1) + "\n", encoding="utf-8")
    print(f"{len(rows)} options, {len(flags)} of them with a flag, {len(settled)} that no recipe sets")


if __name__ == "__main__":
    main()
