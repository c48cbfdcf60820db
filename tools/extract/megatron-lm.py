#!/usr/bin/env python3
"""Lists Megatron-LM's command-line options from a checkout, without importing it.

    megatron-lm.py CHECKOUT schemas/megatron-lm/options.json [--commit SHA]

CHECKOUT is a working tree or a git directory. The syntax tree of megatron/training/arguments.py is walked in the order in
which add_megatron_arguments() calls its group functions. Two sources of options are followed: parser.add_argument(...), and
ArgumentGroupFactory(SomeDataclass, exclude=[...]), whose rules are:

  * the flag is "--" and the field name with dashes; a bool that defaults to False is store_true, any other bool is
    store_false, spelled --no-X and --disable-X;
  * Optional[T] is T; list[T] is nargs "+"; Literal gives choices; an Enum gives its member names;
  * metadata["argparse_meta"] overrides any of it.

Options that single entry scripts add (extra_args_provider=...) follow, with the scripts in `parser`; likewise options for
which a script has a default of its own (args_defaults={...}). Help texts are read only to
spot deprecated options and are never written. The output is the same for the same checkout.

What the checkout does not say of single options in a form that can be read stands in megatron-lm.judged.json. Two files
beside the output say more: releases.json (by megatron-lm-releases.py) since which release a flag exists, and which flags of
older releases are gone; history.json, written by hand, what has taken the place of each of those.
"""
import argparse
import ast
import json
import os
import re
import sys

from megatron_options import ENTRY, OptionReader, provider_file, set_choices
from megatron_tree import MAIN, Tree

REPOSITORY = "NVIDIA/Megatron-LM"
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "megatron-lm.judged.json"), encoding="utf-8") as judged:
    JUDGED = json.load(judged)
ITEM_TYPES = {"int": "int", "float": "float", "str": "str", "bool": "bool", None: "str"}
ACTIONS = {"store_true", "store_false"}


def option_fact(tree, record, parser=None):
    """One option as schemas/megatron-lm/options.json holds it."""
    out = {"name": record["dest"], "flags": record["flags"]}
    kind, action, nargs, choices = record["type"], record["action"], record["nargs"], record["choices"]
    if kind and kind.startswith("enum:"):
        kind = "str"
    elif kind and kind.startswith("_parse_"):
        choices, kind = set_choices(tree, kind, record["file"]) or choices, "str"
    item = ITEM_TYPES.get(kind, "any")
    if action in ACTIONS or action == "BooleanOptionalAction":
        out["type"] = "bool"
    elif nargs is not None and nargs != "?":
        out["type"], out["items"] = "list", item
    else:
        out["type"] = item
    default = record["default"]
    if isinstance(default, dict):
        out["default"], out["defaultUnknown"] = None, True
    else:
        out["default"] = default
    if out["default"] is None:
        out["nullable"] = True
    if isinstance(choices, list) and choices:
        out["choices"] = choices
        if record["dest"] in JUDGED["earlierChoices"]:
            out["earlierChoices"] = JUDGED["earlierChoices"][record["dest"]]
    if nargs is not None:
        out["nargs"] = nargs
    if action in ACTIONS:
        out["action"] = action
    elif action == "BooleanOptionalAction":
        out["action"] = "boolean_optional"
    elif action in ("append", "store_const", "count"):
        out["action"] = action
    if record["required"]:
        out["required"] = True
    if record["dest"] in JUDGED["renamedTo"] or (record["deprecated"] and record["dest"] not in JUDGED["notDeprecated"]):
        out["deprecated"] = True
    if record["dest"] in JUDGED["unused"]:
        out["unused"] = True
    if record["dest"] in JUDGED["renamedTo"]:
        out["renamedTo"] = JUDGED["renamedTo"][record["dest"]]
    if parser:
        out["parser"] = parser
    out["source"] = f"{record['file']}:{record['line']}"
    return out


def entry_scripts(tree):
    """(script, provider) for every script that parses Megatron's arguments; provider None when it adds no options."""
    out = []
    for path in sorted(tree.files):
        if path.startswith(("tests/", "megatron/training/", "megatron/core/")):
            continue
        text = tree.source(path)
        if "parse_and_validate_args" not in text and "parse_args(extra_args_provider" not in text:
            continue
        for n in ast.walk(tree.tree(path)):
            if not (isinstance(n, ast.Call) and ast.unparse(n.func).split(".")[-1] in ("parse_and_validate_args", "parse_args")):
                continue
            given = next((k.value for k in n.keywords if k.arg == "extra_args_provider"), None)
            if given is None and n.args and isinstance(n.args[0], ast.Name):
                given = n.args[0]
            names = [m.id for m in ast.walk(given) if isinstance(m, ast.Name)] if given is not None else []
            provider = next((x for x in names if provider_file(tree, x, path)), None)
            if given is None or provider:
                out.append((path, provider))
                break
    return out


def entry_defaults(tree, scripts):
    """(name, value) -> scripts, for the args_defaults={...} that entry scripts hand to the parser."""
    out = {}
    for path in scripts:
        for n in ast.walk(tree.tree(path)):
            given = next((k.value for k in n.keywords if k.arg == "args_defaults"), None) if isinstance(n, ast.Call) else None
            if not isinstance(given, ast.Dict):
                continue
            for key, value in zip(given.keys, given.values):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                    out.setdefault((key.value, value.value), []).append(path)
    return out


def with_releases(facts, folder):
    """The facts with their first releases, and rows for options that older releases had."""
    with open(os.path.join(folder, "releases.json"), encoding="utf-8") as fh:
        releases = json.load(fh)
    with open(os.path.join(folder, "history.json"), encoding="utf-8") as fh:
        history = json.load(fh)
    for fact in facts:
        first = [releases["since"].get(flag) for flag in fact["flags"]]
        if "parser" not in fact and None not in first:
            fact["since"] = min(first, key=lambda name: int(name.split(".")[1]))
        deprecated = [releases["deprecated"].get(flag) for flag in fact["flags"]]
        if "parser" not in fact and None not in deprecated:
            fact["deprecatedSince"] = min(deprecated, key=lambda name: int(name.split(".")[1]))
    rows = []
    for flag, found in releases["gone"].items():
        successor = history[flag]
        row = {"name": "gone_" + flag[2:].replace("-", "_"), "flags": [flag],
               "type": "any" if found["takesValues"] else "bool", "default": None if found["takesValues"] else False}
        row |= {"nargs": "*"} if found["takesValues"] else {"action": "store_true"}
        if "to" in successor:
            row["renamedTo"] = successor["to"]
        last = int(found["until"].split(".")[1])
        row |= {"removed": successor.get("why", "renamed"), "since": found["since"], "until": found["until"],
                "source": f"{MAIN} of core_r0.{last}.0"}
        rows.append(row)
    return facts + rows


def release(tree):
    """The release that the checkout belongs to: 0.20.0."""
    text = tree.source("megatron/core/package_info.py")
    return ".".join(re.search(rf"^{part} *= *(\d+)", text, re.M)[1] for part in ("MAJOR", "MINOR", "PATCH"))


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("checkout")
    ap.add_argument("out")
    ap.add_argument("--commit", default=None)
    a = ap.parse_args()
    tree = Tree(a.checkout, a.commit or "HEAD")
    commit = a.commit or tree.commit()
    if commit is None:
        sys.exit("no commit: give --commit when CHECKOUT is not a git working tree")
    ex = OptionReader(tree)
    ex.function(ENTRY, MAIN)
    facts = [option_fact(tree, record) for record in ex.options]
    known = {flag for fact in facts for flag in fact["flags"]}
    users = {}
    for script, provider in entry_scripts(tree):
        key = (provider_file(tree, provider, script), provider) if provider else (None, None)
        users.setdefault(key, []).append(script)
    plain = users.pop((None, None), [])
    own = {}
    for (file, provider), scripts in users.items():
        sub = OptionReader(tree)
        sub.function(provider, file)
        ex.notes += sub.notes
        for record in sub.options:
            if not known.intersection(record["flags"]):
                own.setdefault((record["file"], record["line"], record["dest"]), (record, []))[1].extend(scripts)
    facts += [option_fact(tree, record, ",".join(sorted(scripts))) for record, scripts in own.values()]
    entries = sorted(plain + [s for scripts in users.values() for s in scripts])
    by_name = {record["dest"]: record for record in ex.options}
    # First, so that whoever looks options up by name alone ends with the general one.
    facts = [
        option_fact(tree, dict(by_name[name], default=value), ",".join(sorted(scripts)))
        for (name, value), scripts in sorted(entry_defaults(tree, entries).items(), key=str)
        if name in by_name and by_name[name]["default"] is None
    ] + facts
    facts = with_releases(facts, os.path.dirname(os.path.abspath(a.out)))
    document = {"framework": "megatron-lm", "repository": REPOSITORY, "commit": commit, "release": release(tree),
                "entries": entries, "options": facts}
    with open(a.out, "w", encoding="utf-8") as fh:
        json.dump(document, fh, indent=1, ensure_ascii=False)
        fh.write("\n")
    print(f"{len(facts)} options, {len(document['entries'])} entry scripts")
    for note in ex.notes:
        print("note:", note)


if __name__ == "__main__":
    main()
