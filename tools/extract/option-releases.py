#!/usr/bin/env python3
"""Lists in which releases of AReaL, SkyRL or slime each option exists, from a git directory with their tags.

    option-releases.py GIT areal|skyrl|slime [schemas/<framework>/option-releases.json]

`releases` names the releases looked at, the last one being the commit that options.json beside the output was read from. `since` gives the
first release of an option, when that is not the oldest one; `until` the last release of an option that the newest one lacks; `gaps` the first
and last release without an option that came back; `demanded` the first release that demands an option which earlier ones left out, where that
is looked at. All count in positions of `releases`, and hold for what is below an option too, where that
is not listed itself. `translated` are still older names: the last release that took them, and below which option that put them. `choices` are
values that an option takes no more, and `apart` the options that every release which took such a value refused beside it. Of slime these are
its own options, without those that Megatron-LM has; `alike` are those that every release registers in the same way, but for their choices. The
same repository gives the same bytes.
"""
import ast
import io
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

from areal import Reader
from skyrl import CONFIG, SFT, walk
from skyrl_classes import Checkout
from slime import Registrations

MEGATRON = pathlib.Path(__file__).parents[2] / "schemas/megatron-lm/options.json"
FSDP = "slime/backends/fsdp_utils/arguments.py"
# Sizes that every training by Megatron-LM is given, and options that no other backend has.
MEGATRON_ONLY = ("ffn_hidden_size", "hidden_size", "num_attention_heads", "num_layers", "pipeline_model_parallel_size", "tensor_model_parallel_size")
LEGACY = "skyrl/train/config/legacy.py"
# The tags of each framework, the file that declares its options, without which a tag is of another program, and the folders around it.
TAGS = {
    "areal": (r"v(\d+\.\d+\.\d+)", "areal/api/cli_args.py", ("areal",)),
    "slime": (r"v(\d+\.\d+\.\d+)", "slime/utils/arguments.py", ("slime",)),
    "skyrl": (r"skyrl-v(\d+\.\d+\.\d+)", "skyrl/train/config/config.py", ("skyrl", "skyrl-gym", "skyrl-agent")),
}


def git(repository, *arguments):
    return subprocess.run(["git", "-C", repository, *arguments], check=True, capture_output=True).stdout


def areal_names(root):
    """Dotted names below the experiment classes of a checkout, each with its types and whether it is demanded."""
    reader = Reader(root)
    found = {}

    def walk(name, prefix):
        for field, stmt in reader.fields(name).items():
            annotation = ast.unparse(stmt.annotation)
            core, nested, many = reader.below(annotation)
            default, *_ = reader.parts(stmt)
            demanded = isinstance(default, ast.Name) and default.id == "MISSING"
            found.setdefault(f"{prefix}{field}", set()).add((core.lower(), "None" in annotation or "Optional" in annotation, demanded))
            if nested:
                walk(nested, f"{prefix}{field}{'[]' if many else ''}.")

    for experiment in reader.experiments():
        walk(experiment, "")
    return found


def skyrl_names(root):
    """Dotted names below the configuration classes of a checkout."""
    checkout = Checkout(root, None)
    found = {}
    for path, name in ((CONFIG, "SkyRLTrainConfig"), (SFT, "SFTConfig")):
        module = checkout.module(path)
        if module is None:
            continue
        if path == CONFIG:
            checkout.root_class = (module, name)
        walk(checkout, checkout.resolve(module, name), "", {}, found)
    return set(found)


def registered(root):
    """The options that slime's own parsers add or change: (name as it is written, option)."""
    for path in sorted((root / "slime").rglob("arguments.py")):
        reader = Registrations(str(path.relative_to(root)))
        reader.visit(ast.parse(path.read_text(encoding="utf-8")))
        for option in reader.options:
            for flag in option["flags"]:
                yield flag[2:].replace("-", "_"), option


def registered_names(root):
    """Names of the options that slime registers, those of its FSDP backend among them while it had one."""
    found = {name for name, _ in registered(root)}
    if (root / FSDP).exists():
        for node in ast.walk(ast.parse((root / FSDP).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and node.name == "FSDPArgs":
                found |= {field.target.id for field in node.body if isinstance(field, ast.AnnAssign)}
    return found


def slime_names(root):
    """Names of slime's own options."""
    return registered_names(root) - {option["name"] for option in json.loads(MEGATRON.read_text(encoding="utf-8"))["options"]}


def slime_choices(root):
    """The values that slime's own options take: (name, value)."""
    return {(name, value) for name, option in registered(root) for value in option.get("choices", ())}


def refused_by_fsdp(root):
    """The options that a release's FSDP backend refuses as unknown ones; of one whose parser passes over these, none."""
    if not (root / FSDP).exists():
        return None
    passes_over = "parse_known_args" in (root / FSDP).read_text(encoding="utf-8")
    return set() if passes_over else set(MEGATRON_ONLY) - registered_names(root)


TAKEN = ("type", "items", "alsoTakes", "nargs", "action", "required")


def slime_registrations(root):
    """How slime's own options take their values: by name, the ways in which it is registered."""
    found = {}
    for name, option in registered(root):
        found.setdefault(name, set()).add(json.dumps([option.get(key) for key in TAKEN]))
    return found


def translated(repository, framework, revision):
    """The names that a release reads in place of newer ones, with what these stand below."""
    if framework != "skyrl" or git(repository, "ls-tree", "--name-only", revision, "--", LEGACY) == b"":
        return {}
    tables = [
        node.value
        for node in ast.walk(ast.parse(git(repository, "show", f"{revision}:{LEGACY}")))
        if isinstance(node, ast.AnnAssign) and isinstance(node.value, ast.Dict)
    ]
    return {f"generator.{key.value}": "generator.inference_engine" for table in tables for key in table.keys}


def declares(repository, framework, revision):
    return git(repository, "ls-tree", "--name-only", revision, "--", TAGS[framework][1]) != b""


def options_at(repository, framework, revision):
    """The names of the options of a revision; where these are looked at, their choices, what its FSDP backend refuses, and their registrations."""
    with tempfile.TemporaryDirectory() as folder:
        there = git(repository, "ls-tree", "--name-only", revision).decode().split("\n")
        folders = [name for name in TAGS[framework][2] if name in there]
        tar = git(repository, "archive", revision, "--", *folders)
        with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
            archive.extractall(folder)
        root = pathlib.Path(folder)
        names = {"areal": areal_names, "skyrl": skyrl_names, "slime": slime_names}[framework](root)
        if framework != "slime":
            return names, set(), None, {}
        return names, slime_choices(root), refused_by_fsdp(root), slime_registrations(root)


def types_in(ways):
    """The types of an option of AReaL, whether it is demanded or not."""
    return {(core, nullable) for core, nullable, _ in ways}


def demanded_since(at):
    """The first release from which on all demand an option, by the option, where an earlier one has it and does not demand it."""
    demands = [{name for name, ways in names.items() if all(demanded for *_, demanded in ways)} for names in at]
    found = {}
    for name in sorted(demands[-1]):
        lenient = [position for position, names in enumerate(at) if name in names and name not in demands[position]]
        if lenient:
            found[name] = next(position for position in range(lenient[-1] + 1, len(at)) if name in at[position])
    return found


def outermost(found):
    """The names without those of which the name above says the same."""
    return {name: position for name, position in found.items() if found.get(name.rpartition(".")[0].removesuffix("[]")) != position}


def main():
    repository, framework, *rest = sys.argv[1:]
    path = pathlib.Path(rest[0] if rest else f"schemas/{framework}/option-releases.json")
    known = json.loads((path.parent / "options.json").read_text(encoding="utf-8"))
    tags = [(tag, re.fullmatch(TAGS[framework][0], tag)) for tag in git(repository, "tag").decode().split()]
    releases = sorted(((m.group(1), tag) for tag, m in tags if m and declares(repository, framework, tag)), key=lambda pair: [int(n) for n in pair[0].split(".")])
    found = [options_at(repository, framework, revision) for revision in [*(tag for _, tag in releases), known["commit"]]]
    at = [names for names, *_ in found]
    newest = len(at) - 1
    since, until, gaps = {}, {}, {}
    for name in sorted(set().union(*at)):
        there = [position for position, names in enumerate(at) if name in names]
        if there[-1] != newest:
            until[name] = there[-1]
        elif there[0] != 0:
            since[name] = there[0]
        absent = [position for position in range(there[0], there[-1]) if position not in there]
        if absent:
            gaps[name] = [absent[0], absent[-1]]
    redeclared = sorted(name for name in (at[-1] if framework == "areal" else ()) if any(types_in(names.get(name, at[-1][name])) != types_in(at[-1][name]) for names in at))
    choices = {}
    for position, (_, taken, *_) in enumerate(found):
        for name, value in sorted(taken - found[-1][1]):
            if name in at[-1]:
                choices.setdefault(name, {})[value] = position
    refused = [options for _, _, options, _ in found if options is not None]
    ways = [registrations for *_, registrations in found]
    alike = sorted(name for name, way in ways[-1].items() if name in at[-1] and all(other.get(name) == way for other in ways))
    older = {}
    for position, (_, tag) in enumerate(releases):
        for name, below in translated(repository, framework, tag).items():
            older[name] = {"until": position, "below": below}
    result = {
        "releases": [name for name, _ in releases] + [known["commit"][:8]],
        "since": outermost(since),
        "until": outermost(until),
        "gaps": outermost(gaps),
        **({"demanded": demanded_since(at)} if framework == "areal" else {}),
        "translated": dict(sorted(older.items())),
        "choices": choices,
        **({"apart": {"train_backend": {"fsdp": sorted(set.intersection(*refused))}}} if refused else {}),
        **({"redeclared": redeclared} if framework == "areal" else {}),
        **({"alike": alike} if framework == "slime" else {}),
    }
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"{len(at)} releases, {len(result['since'])} later options, {len(result['until'])} gone ones")


if __name__ == "__main__":
    main()
