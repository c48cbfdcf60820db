#!/usr/bin/env python3
"""Writes schemas/<framework>/options.json for slime, or for a trainer that descends from it (Relax).

    slime.py CHECKOUT --commit SHA [--framework slime] [--repository THUDM/slime] > options.json

Only Python's own `ast` is used: nothing of the checkout is imported or run. Two shapes of registration are read,
`X.add_argument("--flag", …)` and `reset_arg(X, "--flag", …)`; the latter only changes the default when Megatron-LM
already has the flag (parser "reset"). The arguments of SGLang's server and router that the trainer mounts are taken
from sglang.arguments.txt beside this file, with the prefixes and the skipped names that the checkout states.
"""
from __future__ import annotations

import argparse
import ast
import json
import operator
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
FOLD = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Pow: operator.pow, ast.FloorDiv: operator.floordiv}
TYPES = {"int": "int", "float": "float", "str": "str", "json.loads": "json", "bool": "any",
         "_positive_int": "int", "_non_negative_int": "int", "_positive_float": "float"}


class NotLiteral(Exception):
    """The expression is not made of literals."""


def fold(node):
    """The value of literals and of small arithmetic such as 512 * 1024**2."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, (ast.List, ast.Tuple)):
        return [fold(element) for element in node.elts]
    if isinstance(node, ast.Dict):
        return {fold(key): fold(value) for key, value in zip(node.keys, node.values)}
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return -fold(node.operand)
    if isinstance(node, ast.BinOp) and type(node.op) in FOLD:
        return FOLD[type(node.op)](fold(node.left), fold(node.right))
    raise NotLiteral


def dotted(node):
    """`a.b` of a name or an attribute, else None."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    return None


class Registrations(ast.NodeVisitor):
    """Collects the options, the mounted foreign parsers' skipped names and the changed defaults of one file."""

    def __init__(self, path):
        self.path, self.functions = path, []
        self.options, self.skipped, self.defaults = [], [], {}

    def visit_FunctionDef(self, node):
        self.functions.append(node.name)
        self.generic_visit(node)
        self.functions.pop()

    def visit_Assign(self, node):
        if any(isinstance(target, ast.Name) and target.id == "skipped_args" for target in node.targets):
            try:
                self.skipped = fold(node.value)
            except NotLiteral:  # Relax names the router's skipped arguments by a function
                pass
        self.generic_visit(node)

    def visit_Call(self, node):
        function = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", None)
        receiver = dotted(node.func.value) if isinstance(node.func, ast.Attribute) else None
        if function == "add_argument":
            self.add(node, node.args, receiver, reset=False)
        elif function == "reset_arg" and len(node.args) > 1:
            self.add(node, node.args[1:], dotted(node.args[0]), reset=True)
        elif function == "set_defaults":
            for keyword in node.keywords:
                try:
                    self.defaults[keyword.arg] = fold(keyword.value)
                except NotLiteral:
                    pass
        self.generic_visit(node)

    def parser(self, receiver, reset):
        """Which of the trainer's parsers gets this registration; None for parsers that are no part of training."""
        outermost = self.functions[0] if self.functions else ""
        if "pre_parse" in outermost:
            return "pre"
        if receiver == "temp_parser" or "server" in outermost.split("_") or "/server/" in self.path:
            return None
        if "sglang" in outermost or "/sglang" in self.path:
            return "sglang"
        return "reset" if reset else "megatron"

    def add(self, node, arguments, receiver, reset):
        flags = [a.value for a in arguments if isinstance(a, ast.Constant) and isinstance(a.value, str)]
        parser = self.parser(receiver, reset)
        if not flags or parser is None:
            return
        given = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
        action = given.get("action")
        action = action.value if isinstance(action, ast.Constant) else (dotted(action) if action else None)
        option = {"name": fold(given["dest"]) if "dest" in given else flags[0].lstrip("-").replace("-", "_"),
                  "flags": flags}
        if action in ("store_true", "store_false"):
            option.update(type="bool", default=action == "store_false", action=action)
        elif action and action.endswith("BooleanOptionalAction"):
            option.update(type="bool", nullable=True, default=None, action="boolean_optional")
            option["flags"] = flags + ["--no-" + flag[2:] for flag in flags]
        else:
            option.update(type=TYPES.get(dotted(given["type"]), "any") if "type" in given else "str", default=None)
            if action == "append":
                option.update(items=option["type"], type="list", action="append")
        if "nargs" in given:
            option["nargs"] = fold(given["nargs"])
            if option["nargs"] != "?":
                option.update(items=option["type"], type="list")
        if "choices" in given:
            option["choices"] = fold(given["choices"])
        if "default" in given:
            try:
                option["default"] = fold(given["default"])
                if option["type"] == "json" and isinstance(option["default"], str):
                    option["default"] = json.loads(option["default"])
            except NotLiteral:
                option["defaultUnknown"] = True
        if "required" in given and fold(given["required"]):
            option["required"] = True
        option.update(parser=parser, source=f"{self.path}:{node.lineno}")
        self.options.append(option)


def mounted(skipped, defaults):
    """SGLang's server and router arguments with the trainer's prefixes."""
    sections = {"server": ("sglang_", "--sglang-"), "router": ("router_", "--router-")}
    kinds = {"ints": "int", "floats": "float", "strs": "str"}
    name_prefix, flag_prefix = "", ""
    for line in (HERE / "sglang.arguments.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line:
            continue
        if line.startswith("["):
            section = line[1:].split("]")[0]
            name_prefix, flag_prefix = sections[section.split()[0]]
            source = {"server": "sglang python/sglang/srt/server_args.py", "router": "sglang sgl-router/py_src/sglang_router/router_args.py"}.get(section, "sglang.patch")
            continue
        name, kind, *rest = line.split()
        if flag_prefix == "--sglang-" and name in skipped:
            continue
        unprefixed = flag_prefix == "--router-" and name == "worker_urls"
        own_name, own_flag = ("", "--") if unprefixed else (name_prefix, flag_prefix)
        option = {"name": own_name + name, "flags": [own_flag + name.replace("_", "-")] + [own_flag + alias[2:] for alias in rest if alias.startswith("--")]}
        default = next((word[1:] for word in rest if word.startswith("=")), None)
        if kind == "flag":
            option.update(type="bool", default=False, action="store_true")
        elif kind == "switch":
            option.update(type="bool", nullable=True, default=None, action="boolean_optional")
            option["flags"] += [own_flag.replace("--", "--no-", 1) + name.replace("_", "-")]
        elif kind in kinds:
            option.update(type="list", items=kinds[kind], default=None, nargs="*" if section == "router" else "+")
        elif kind == "optional":
            option.update(type="str", default=None, nargs="?")
        else:
            value = default
            if default is not None and kind in ("int", "any"):
                value = int(default)
            elif default is not None and kind == "float":
                value = float(default)
            option.update(type=kind, default=value)
        if option["name"] in defaults:
            option["default"] = defaults[option["name"]]
        option.update(parser="sglang", source=source)
        yield option


def unread(skipped, own_flags, framework):
    """Flags that people write and no parser reads: SGLang's skipped ones, and those of earlier releases."""
    engine = {"tp_size": "the engine's size is --rollout-num-gpus-per-engine", "model_path": "the engines load --hf-checkpoint",
              "enable_memory_saver": "it follows from --offload-rollout", "random_seed": "it follows from --rollout-seed",
              "trust_remote_code": "it is always on", "enable_return_routed_experts": "it follows from --use-rollout-routing-replay"}
    table = {}
    for line in (HERE / "sglang.arguments.txt").read_text(encoding="utf-8").splitlines():
        name, *rest = line.split() or [""]
        if name in skipped:
            for flag in [name.replace("_", "-")] + [word[2:] for word in rest if word.startswith("--")]:
                table["--sglang-" + flag] = engine.get(name, "the trainer sets it for each engine")
    removed = HERE / f"{framework}.removed.json"
    table.update(json.loads(removed.read_text(encoding="utf-8"))["flags"])
    for flag, reason in table.items():
        if flag not in own_flags:
            yield {"name": "removed." + flag[2:].replace("-", "_"), "flags": [flag], "type": "any", "default": None,
                   "removed": reason, "parser": "none", "source": "not registered"}


def patched(checkout, own_flags):
    """Flags that the image's patch adds to Megatron-LM's parser, or to the configuration that the parser is made from."""
    path = "docker/patch/latest/megatron.patch"
    file = checkout / path
    if not file.exists():
        return
    names = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        found = re.match(r"\+\s+group\.add_argument\('(--[a-z-]+)', action='store_true'", line) or re.match(r"\+    (post_[a-z_]+): bool = False$", line)
        if found:
            flag = found.group(1) if found.group(1).startswith("--") else "--" + found.group(1).replace("_", "-")
            names.setdefault(flag, number)
    for flag, number in names.items():
        if flag not in own_flags:
            yield {"name": flag[2:].replace("-", "_"), "flags": [flag], "type": "bool", "default": False, "action": "store_true",
                   "parser": "megatron", "source": f"{path}:{number}"}


def newer(framework, own_flags):
    """Options of versions after the checkout (<framework>.newer.json), which nobody is to be told of as unknown."""
    file = HERE / f"{framework}.newer.json"
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {"options": []}
    for option in found["options"]:
        flag = "--" + option["name"].replace("_", "-")
        if flag not in own_flags:
            yield {**option, "flags": [flag], "parser": "megatron", "later": True, "source": found["source"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--framework", default="slime")
    parser.add_argument("--repository", default="THUDM/slime")
    arguments = parser.parse_args()
    package = arguments.framework
    backends = "slime/backends/megatron_utils" if package == "slime" else "relax/backends/megatron"
    sglang = "slime/backends/sglang_utils" if package == "slime" else "relax/backends/sglang"
    options, skipped, defaults = [], [], {}
    for path in (f"{package}/utils/arguments.py", f"{sglang}/arguments.py", f"{backends}/arguments.py"):
        visitor = Registrations(path)
        visitor.visit(ast.parse((arguments.checkout / path).read_text(encoding="utf-8")))
        options += visitor.options
        skipped += visitor.skipped
        defaults.update(visitor.defaults)
    own = {option["name"] for option in options}
    options += [option for option in mounted(skipped, defaults) if option["name"] not in own]
    flags = {flag for option in options for flag in option["flags"]}
    options += patched(arguments.checkout, flags)
    options += newer(arguments.framework, flags)
    options += unread(skipped, flags, arguments.framework)
    head = {"framework": arguments.framework, "repository": arguments.repository, "commit": arguments.commit}
    release = re.search(r'^\s*version="([^"]+)"', (arguments.checkout / "setup.py").read_text(encoding="utf-8"), re.M)
    if release is not None:
        head["release"] = release.group(1)
    json.dump({**head, "options": options}, sys.stdout, indent=1, ensure_ascii=False)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
