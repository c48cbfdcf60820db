#!/usr/bin/env python3
"""Lists every option of SkyRL by reading its dataclasses with `ast`; nothing of the project is imported.

    python3 tools/extract/skyrl.py CHECKOUT [--commit HASH] [--out schemas/skyrl/options.json]

`parser` names what knows an option: SkyRLTrainConfig, SFTConfig, EngineConfig (the flags of the tinker server), JaxBackendConfig (the keys
that it hands to its JAX backend), or the modules whose configuration class adds it. Keys of older versions and vLLM's engine arguments come
from schemas/skyrl/history.json.
An entry `entry.<module>` is a program of the repository: its default says which checks it runs before anything starts, its choices
name the parts of the standard run that it replaces.
The same checkout gives the same bytes.
"""

import argparse
import ast
import json
import pathlib
import re
import subprocess

from skyrl_classes import Checkout, Definition, Instance, Unknown

REPOSITORY = "NovaSky-AI/SkyRL"
CONFIG = "skyrl/train/config/config.py"
SFT = "skyrl/train/config/sft_config.py"
GYM = "skyrl-gym/skyrl_gym/envs/__init__.py"
TINKER = "skyrl/tinker/config.py"
TINKER_JAX = "skyrl/backends/jax.py"
TINKER_SERVER = "skyrl/tinker/api.py"
TINKER_BACKENDS = ("skyrl/tinker/engine.py", "get_backend_classes")
PROGRAMS = ("examples", "integrations", "skyrl/train", "skyrl-agent/skyrl_agent/integrations/skyrl_train")
SCALARS = {"int": "int", "float": "float", "str": "str", "bool": "bool", "dict": "dict", "list": "list", "Any": "any", "AnyPath": "str", "Path": "str"}
ENGINE = "generator.inference_engine.engine_init_kwargs"
# Types that options take besides their own, each with the file and the words that see to it.
PROMPTS = ("skyrl/train/dataset/dataset.py", "isinstance(self.datasets, str)")
ALSO_TAKEN = [
    ("data.train_data", "str", *PROMPTS),
    ("data.val_data", "str", *PROMPTS),
    ("data.val_data", "null", "skyrl/train/entrypoints/main_base.py", "and self.cfg.data.val_data:"),
    ("generator.chat_template", "null", "skyrl/train/generators/utils.py", "if chat_template_config is None:"),
    *(
        (f"{prefix}megatron_config.{name}", "null", path, f"if {subject} is {test}:")
        for prefix in ("trainer.policy.", "trainer.ref.", "")
        for name, path, subject, test in (
            ("ddp_config", "skyrl/backends/skyrl_train/workers/megatron/megatron_worker.py", "ddp_config", "not None"),
            ("transformer_config_kwargs", CONFIG, "self.transformer_config_kwargs", "None"),
            ("optimizer_config_kwargs", CONFIG, "self.optimizer_config_kwargs", "None"),
        )
    ),
]
# What the linter knows of the launch itself, for use in constraints.
FACTS = {"kind": "str", "own_generator": "bool", "own_losses": "bool", "own_run": "bool", "floats": "list", "uv_run": "bool", "base_model": "str"}


def plain(value):
    """Data for JSON; None where the program computes it."""
    if isinstance(value, Unknown):
        return None
    if isinstance(value, Instance):
        return {}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def type_of(checkout, module, annotation):
    """Type facts of an annotation: type, items, nullable, choices, open."""
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        annotation = ast.parse(annotation.value, mode="eval").body
    if isinstance(annotation, ast.BinOp):
        return union(checkout, module, [annotation.left, annotation.right])
    if isinstance(annotation, ast.Subscript):
        head = ast.unparse(annotation.value).split(".")[-1]
        arguments = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
        if head == "Optional":
            return {**type_of(checkout, module, arguments[0]), "nullable": True}
        if head == "Union":
            return union(checkout, module, arguments)
        if head in ("List", "list", "Tuple", "tuple", "Sequence"):
            items = type_of(checkout, module, arguments[0])["type"]
            return {"type": "list", **({} if items == "any" else {"items": items})}
        if head in ("Dict", "dict"):
            return {"type": "dict", "open": True}
        if head == "Literal":
            return {"type": "str", "choices": [a.value for a in arguments]}
        return {"type": "any"}
    text = ast.unparse(annotation)
    found = checkout.resolve(module, text)
    if isinstance(found, Definition) and found.is_enum():
        return {"type": "str", "choices": found.enum_values()}
    kind = SCALARS.get(text, "any")
    return {"type": kind, **({"open": True} if kind == "dict" else {})}


def union(checkout, module, parts):
    kinds = [type_of(checkout, module, p) for p in parts if ast.unparse(p) != "None"]
    nullable = {"nullable": True} if len(kinds) < len(parts) else {}
    if len(kinds) == 1:
        return {**kinds[0], **nullable}
    return {"type": "any", **nullable}


def walk(checkout, definition, prefix, given, out):
    """Options below a class, by dotted name."""
    for name, annotation, default, module, line in checkout.fields(definition):
        path = f"{prefix}{name}"
        value = given[name] if name in given else checkout.value(module, default)
        source = f"{module.path}:{line}"
        child, nullable = checkout.class_in(module, annotation)
        if child is not None:
            empty = value is None
            out[path] = {"name": path, "type": "group", **({"nullable": True} if nullable else {}), "default": None if empty else {}, "source": source}
            fields = value.fields if isinstance(value, Instance) else {}
            walk(checkout, child, f"{path}.", fields, out)
            continue
        facts = {"name": path, **type_of(checkout, module, annotation), "default": plain(value)}
        if isinstance(value, Unknown):
            facts["required" if value.text == "required" else "defaultUnknown"] = True
        out[path] = {**facts, "source": source}
    return out


def registered(checkout, path, name):
    """Values of an enumeration-like class."""
    found = checkout.resolve(checkout.module(path), name)
    return found.enum_values()


def choices(checkout, options):
    """Adds the accepted values that stand elsewhere in the code."""
    utils = "skyrl/backends/skyrl_train/utils/ppo_utils.py"
    options["trainer.algorithm.policy_loss_type"]["choices"] = registered(checkout, utils, "PolicyLossType")
    options["trainer.algorithm.advantage_estimator"]["choices"] = registered(checkout, utils, "AdvantageEstimator")
    options["trainer.resume_mode"]["choices"] = registered(checkout, "skyrl/train/utils/trainer_utils.py", "ResumeMode")
    tracking = checkout.resolve(checkout.module("skyrl/train/utils/tracking.py"), "Tracking")
    for statement in tracking.node.body:
        if isinstance(statement, ast.Assign) and statement.targets[0].id == "supported_backends":
            backends = [item.value for item in statement.value.elts]
            for name in ("trainer.logger", "logger"):
                if name in options:
                    options[name]["choices"] = backends


def also_taken(checkout, options):
    """Adds the types that the code behind an option takes besides its own."""
    for name, kind, path, text in ALSO_TAKEN:
        if name in options and text in (checkout.root / path).read_text(encoding="utf-8"):
            options[name].setdefault("alsoTakes", []).append(kind)


def kind_of(text, names):
    """Which checks a program runs before Ray starts, by the functions that it calls and the trainer that it imports."""
    if "validate_sft_cfg(" in text:
        return "sft"
    if "_validate_serve_cfg(" in text:
        return "serve"
    if re.search(r"(?<!def )\bvalidate_cfg\(", text):
        if "FullyAsyncTrainerSim" in names:
            return "fully-async-sim"
        if any(name.startswith("FullyAsync") for name in names):
            return "fully-async"
        if "FullCtxTrainer" in names:
            return "full-context"
        if "def run(self)" in text and "_setup_trainer" not in text:
            return "trial"
        return "one-step-off" if "AsyncRayPPOTrainer" in names else "train"
    if "validate_generator_cfg(" in text:
        return "generate"
    return "unchecked"


def replaced(checkout, module):
    """Methods of the standard run that the program's own run class defines, through its bases."""
    found = set()
    todo = [Definition(name, module, node) for name, node in module.classes.items() if name != "BasePPOExp"]
    while todo:
        definition = todo.pop()
        if definition.node is None or definition.name == "BasePPOExp":
            continue
        found |= {n.name for n in definition.node.body if isinstance(n, ast.FunctionDef) and n.name.startswith("get_")}
        for base in definition.node.bases:
            parent = checkout.resolve(definition.module, ast.unparse(base).split(".")[-1])
            if isinstance(parent, Definition):
                todo.append(parent)
    return sorted(found)


def programs(checkout):
    """Modules with a main() that parse a configuration: (module name, path, class definition, kind, methods of its own)."""
    found = []
    for folder in PROGRAMS:
        for file in sorted((checkout.root / folder).rglob("*.py")):
            path = file.relative_to(checkout.root).as_posix()
            text = file.read_text(encoding="utf-8")
            parsed = re.search(r"\b(\w+)\.from_cli_overrides\(", text)
            if parsed is None or "def main(" not in text:
                continue
            module = checkout.module(path)
            definition = checkout.resolve(module, parsed.group(1))
            if isinstance(definition, Definition):
                name = re.sub(r"^skyrl-agent/", "", path)[:-3].replace("/", ".")
                own = replaced(checkout, module)
                if re.search(r"register_policy_loss|register_advantage_estimator|\w+Registry\b", text):
                    own.append("losses")
                if re.search(r"(?<![\w.])register\(", text):
                    own.append("environments")
                if "parse_known_args" in text:
                    own.append("flags")
                found.append((name, path, definition, kind_of(text, module.imports), own))
    return found


def environments(checkout):
    """The names that skyrl-gym registers, as what a program can make without registering any."""
    tree = ast.parse((checkout / GYM).read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "register"]
    names = [keyword.value.value for call in calls for keyword in call.keywords if keyword.arg == "id"]
    return {"name": "entry.environments", "type": "list", "items": "str", "default": names, "parser": "entry", "source": f"{GYM}:{calls[0].lineno}"}


def tinker(checkout):
    """Flags of the tinker server."""
    definition = checkout.resolve(checkout.module(TINKER), "EngineConfig")
    for name, annotation, default, module, line in checkout.fields(definition):
        value = checkout.value(module, default)
        facts = {"name": f"tinker.{name}", "flags": ["--" + name.replace("_", "-")], **type_of(checkout, module, annotation), "default": plain(value)}
        if isinstance(value, Unknown):
            facts["required" if value.text == "required" else "defaultUnknown"] = True
        if name == "backend":
            facts["choices"] = backends(checkout)
        yield {**facts, "parser": "EngineConfig", "source": f"{module.path}:{line}"}
    server = ast.parse((checkout.root / TINKER_SERVER).read_text(encoding="utf-8"))
    for call in ast.walk(server):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument":
            flag = call.args[0].value
            named = {keyword.arg: keyword.value for keyword in call.keywords}
            facts = {"name": f"tinker.{flag[2:].replace('-', '_')}", "flags": [flag], "type": SCALARS[named["type"].id], "default": named["default"].value}
            yield {**facts, "parser": "EngineConfig", "source": f"{TINKER_SERVER}:{call.lineno}"}


def jax_backend(checkout):
    """Keys of the tinker server's configuration for its JAX backend."""
    definition = checkout.resolve(checkout.module(TINKER_JAX), "JaxBackendConfig")
    for name, annotation, default, module, line in checkout.fields(definition):
        value = plain(checkout.value(module, default))
        yield {"name": name, **type_of(checkout, module, annotation), "default": value, "parser": "JaxBackendConfig", "source": f"{module.path}:{line}"}


def backends(checkout):
    """Names that the engine of the tinker server compares its backend with."""
    path, function = TINKER_BACKENDS
    tree = ast.parse((checkout.root / path).read_text(encoding="utf-8"))
    body = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == function)
    return [node.comparators[0].value for node in ast.walk(body) if isinstance(node, ast.Compare)]


def newer(options):
    """Options of versions after the checkout (skyrl.newer.json), which nobody is to be told of as unknown."""
    found = json.loads(pathlib.Path(__file__).with_name("skyrl.newer.json").read_text(encoding="utf-8"))
    for below, rows in found.items():
        groups = [] if below == "commit" else [name for name, row in options.items() if row["type"] == "group" and f".{name}".endswith(f".{below}")]
        for group in groups:
            for row in rows:
                name = f"{group}.{row['name']}"
                if name not in options:
                    yield {**row, "name": name, "source": "later versions"}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("checkout", type=pathlib.Path)
    arguments.add_argument("--commit", help="commit of the checkout; default: git rev-parse HEAD there")
    arguments.add_argument("--out", type=pathlib.Path, default=pathlib.Path("schemas/skyrl/options.json"))
    given = arguments.parse_args()
    commit = given.commit or subprocess.run(["git", "-C", given.checkout, "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    checkout = Checkout(given.checkout, None)
    checkout.root_class = (checkout.module(CONFIG), "SkyRLTrainConfig")

    roots = {
        "SkyRLTrainConfig": walk(checkout, checkout.resolve(checkout.module(CONFIG), "SkyRLTrainConfig"), "", {}, {}),
        "SFTConfig": walk(checkout, checkout.resolve(checkout.module(SFT), "SFTConfig"), "", {}, {}),
    }
    for options in roots.values():
        if "trainer.logger" in options:
            choices(checkout, options)
        also_taken(checkout, options)
    if "logger" in roots["SFTConfig"]:
        roots["SFTConfig"]["logger"]["choices"] = roots["SkyRLTrainConfig"]["trainer.logger"]["choices"]

    for options in roots.values():
        options.update({row["name"]: row for row in list(newer(options))})
    rows = [{**o, "parser": root} for root, options in roots.items() for o in options.values()]
    extensions, entries = {}, []
    for name, path, definition, kind, own in programs(checkout):
        options = walk(checkout, definition, "", {}, {})
        base = roots["SFTConfig"] if kind == "sft" else roots["SkyRLTrainConfig"]
        for option in options.values():
            if option["name"] not in base:
                key = json.dumps(option, sort_keys=True)
                extensions.setdefault(key, {**option, "parser": ""})
                extensions[key]["parser"] = f"{extensions[key]['parser']} {name}".strip()
        entries.append({"name": f"entry.{name}", "type": "str", "default": kind, "choices": own, "parser": "entry", "source": f"{path}:1"})
    rows += extensions.values()
    rows += tinker(checkout)
    rows += jax_backend(checkout)
    history = json.loads((given.out.parent / "history.json").read_text(encoding="utf-8"))
    rows += history
    for line in pathlib.Path(__file__).with_name("vllm.arguments.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            rows.append({"name": f"{ENGINE}.{line}", "type": "any", "default": None, "parser": "vllm", "source": "vllm/engine/arg_utils.py"})
    rows += [{"name": f"entry.{name}", "type": kind, "default": None, "defaultUnknown": True, "parser": "entry", "source": f"{CONFIG}:1"} for name, kind in FACTS.items()]
    rows.append(environments(given.checkout))
    rows += sorted(entries, key=lambda row: row["name"])

    order = ["name", "flags", "type", "items", "alsoTakes", "nullable", "default", "defaultUnknown", "required", "choices", "renamedTo", "removed", "deprecated", "open", "parser", "source"]
    lines = [json.dumps({key: row[key] for key in order if key in row}, ensure_ascii=False) for row in rows]
    release = re.search(r'^__version__ = "([^"]+)"', (given.checkout / "skyrl/__init__.py").read_text(encoding="utf-8"), re.M).group(1)
    head = {"framework": "skyrl", "repository": REPOSITORY, "commit": commit, "release": release}
    text = "{\n" + "".join(f'  "{k}": {json.dumps(v)},\n' for k, v in head.items()) + '  "options": [\n    ' + ",\n    ".join(lines) + "\n  ]\n}\n"
    given.out.write_text(text, encoding="utf-8")
    print(f"{len(rows)} options, {len(entries)} programs")


if __name__ == "__main__":
    main()
