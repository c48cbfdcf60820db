#!/usr/bin/env python3
"""Lists in which releases of Megatron-LM each command-line flag exists, from a git directory with the release branches.

    megatron-lm-releases.py GIT schemas/megatron-lm/releases.json

Branches are called core_r0.N.0; a few older states count as releases before them where flags went that people still write.
Flags are those of add_argument(...) in megatron/training/arguments.py (megatron/arguments.py in old releases), and those that
dataclasses make, as megatron-lm.py reads them. `since` names the first release of a flag, when that is not the oldest one
looked at (flags of single entry scripts are left out); `deprecated` the first release that deprecates a flag which an older one
has as well; `gone` names the releases of flags that the newest one lacks. Same repository, same output.
"""
import ast
import json
import re
import subprocess
import sys

from megatron_options import DEPRECATED, ENTRY, OptionReader
from megatron_tree import MAIN, Tree


# States of the years before Megatron-core's own releases, by the number that stands for them.
BEFORE = {"0.1": "v2.6", "0.2": "23.06_pt_23.09", "0.3": "23.08"}


def git(repository, *arguments):
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def literal_flags(text):
    """flag -> whether values follow it."""
    out = {}
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "add_argument":
            continue
        action = next((ast.unparse(k.value) for k in node.keywords if k.arg == "action"), "'store'")
        takes = not re.search(r"store_true|store_false|store_const|count|Boolean", action)
        for argument in node.args:
            if isinstance(argument, ast.Constant) and str(argument.value).startswith("--"):
                out[argument.value] = takes
                if "Boolean" in action:
                    out["--no-" + argument.value[2:]] = takes
    return out


def source_at(repository, branch):
    return git(repository, "show", f"{branch}:{MAIN}") or git(repository, "show", f"{branch}:megatron/arguments.py")


def deprecated_at(repository, branch):
    """The flags that a release declares as deprecated."""
    out = set()
    for node in ast.walk(ast.parse(source_at(repository, branch))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr != "add_argument":
            continue
        said = {k.arg: ast.unparse(k.value) for k in node.keywords if k.arg in ("help", "dest")}
        if DEPRECATED.search(said.get("help", "")) or "deprecated" in said.get("dest", ""):
            out |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return out


def flags_at(repository, branch):
    text = source_at(repository, branch)
    out = literal_flags(text)
    if "ArgumentGroupFactory" in text:
        reader = OptionReader(Tree(repository, branch))
        reader.function(ENTRY, MAIN)
        for record in reader.options:
            for flag in record["flags"]:
                out.setdefault(flag, not str(record.get("action", "store")).startswith(("store_", "boolean", "count")))
    return out


def main():
    repository, path = sys.argv[1:3]
    names = re.findall(r"\bcore_r0\.(\d+)\.0$", git(repository, "branch", "-a"), re.M)
    numbers = sorted({int(name) for name in names if int(name) >= 5})
    releases = {f"0.{number}": flags_at(repository, f"core_r0.{number}.0") for number in numbers}
    order = list(releases)
    with open(path.replace("releases.json", "options.json"), encoding="utf-8") as fh:
        document = json.load(fh)
    rows = [option for option in document["options"] if "removed" not in option]
    now = {flag for option in rows for flag in option["flags"]}
    newest = ".".join(document["release"].split(".")[:2])
    since, deprecated, gone = {}, {}, {}
    said = {name: deprecated_at(repository, f"core_r{name}.0") for name in order}
    for flag in sorted({flag for option in rows if option.get("deprecated") and "parser" not in option for flag in option["flags"]}):
        first = next((name for name in order if flag in said[name]), None)
        if first is not None and any(flag in releases[name] for name in order[:order.index(first)]):
            deprecated[flag] = first
    everywhere = {flag for option in rows if "parser" not in option for flag in option["flags"]}
    for flag in sorted({flag for flags in releases.values() for flag in flags} - (now - everywhere) | everywhere):
        there = [name for name in order if flag in releases[name]]
        if flag in now:
            first = there[0] if there else None
            if first != order[0]:
                since[flag] = first or newest
        else:
            gone[flag] = {"since": there[0], "until": there[-1], "takesValues": releases[there[-1]][flag]}
    for name, state in BEFORE.items():
        for flag, takes_values in flags_at(repository, state).items():
            if flag not in now and not any(flag in flags for flags in releases.values()):
                gone[flag] = {"since": gone.get(flag, {"since": name})["since"], "until": name, "takesValues": takes_values}
    gone = dict(sorted(gone.items()))
    with open(path, "w", encoding="utf-8") as fh:
        json.dump({"releases": order, "since": since, "deprecated": deprecated, "gone": gone}, fh, indent=1)
        fh.write("\n")
    print(f"{len(since)} flags newer than {order[0]}, {len(gone)} gone")


if __name__ == "__main__":
    main()
