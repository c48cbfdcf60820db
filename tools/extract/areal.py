#!/usr/bin/env python3
"""Lists every option of AReaL by reading its dataclasses with `ast`; nothing of the project is imported.

    python3 tools/extract/areal.py CHECKOUT [--commit HASH] [--out schemas/areal/options.json]
    python3 tools/extract/areal.py NEWER_CHECKOUT --newer [--commit HASH] [--out schemas/areal/newer.json]

Reads areal/api/cli_args.py and walks the experiment classes (SFTConfig, RWConfig, DPOConfig, PPOConfig, GRPOConfig)
into dotted names. `parser` names the experiment classes that know an option; an element of a list of objects is
written `actor.scheduling_spec[].gpu`. Keys of older versions come from schemas/areal/history.json. With --newer it lists the
names that options.json beside the output lacks, or for which the newer checkout takes values of another type, the options
that are new or not as they were, and the names that are gone. The same checkout gives the same bytes.
"""

import argparse
import ast
import json
import pathlib
import re
import subprocess

MAIN = "areal/api/cli_args.py"
REPOSITORY = "inclusionAI/AReaL"
ROOT = "BaseExperimentConfig"
SCALARS = {"int": "int", "float": "float", "str": "str", "bool": "bool", "Any": "any", "dict": "dict", "list": "list"}


class Module:
    """Constants, enums and imports of one file, as far as defaults and choices need them."""

    def __init__(self, checkout, path):
        self.checkout = checkout
        text = (checkout / path).read_text(encoding="utf-8")
        # PEP 695 generics need Python 3.12; without them older Pythons read the file too.
        text = re.sub(r"^(\s*(?:def|class|async def)\s+\w+)\[[^\]\n]*\]", r"\1", text, flags=re.M)
        self.body = ast.parse(text).body
        self.constants, self.enums, self.imports = {}, {}, {}
        for node in self.body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                self.constants[node.targets[0].id] = node.value
            elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value:
                self.constants[node.target.id] = node.value
            elif isinstance(node, ast.ClassDef):
                members = {
                    s.targets[0].id: s.value.value
                    for s in node.body
                    if isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant)
                }
                if members:
                    self.enums[node.name] = members
                for s in node.body:
                    if isinstance(s, ast.AnnAssign) and s.value and "ClassVar" in ast.unparse(s.annotation):
                        self.constants[s.target.id] = s.value
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (node.module, alias.name)

    def value(self, node):
        """The data that an expression stands for, or ValueError."""
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Set):
            return sorted((self.value(e) for e in node.elts), key=str)
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(e) for e in node.elts]
        if isinstance(node, ast.Dict):
            return {self.value(k): self.value(v) for k, v in zip(node.keys, node.values)}
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.value(node.operand)
        if isinstance(node, ast.BinOp):
            left, right = self.value(node.left), self.value(node.right)
            if isinstance(node.op, ast.Add):
                return left + right
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Pow):
                return left**right
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and len(node.args) == 1:
            inner = self.value(node.args[0])
            if node.func.id in ("int", "float"):
                return {"int": int, "float": float}[node.func.id](inner)
            if node.func.id in ("list", "tuple"):
                return list(inner)
            if node.func.id == "sorted":
                return sorted(inner)
        if isinstance(node, ast.Attribute) and node.attr == "value" and isinstance(node.value, ast.Attribute):
            members = self.enums.get(getattr(node.value.value, "id", ""), {})
            if node.value.attr in members:
                return members[node.value.attr]
        if isinstance(node, ast.ListComp) and isinstance(node.generators[0].iter, ast.Name):
            members = self.enums.get(node.generators[0].iter.id)
            if members:
                return list(members.values())
        if isinstance(node, ast.Name):
            if node.id in self.constants:
                return self.value(self.constants[node.id])
            if node.id in self.imports:
                module, name = self.imports[node.id]
                for path in (module.replace(".", "/") + ".py", module.replace(".", "/") + "/__init__.py"):
                    if (self.checkout / path).exists():
                        other = Module(self.checkout, path)
                        if name in other.constants:
                            return other.value(other.constants[name])
        raise ValueError(ast.dump(node)[:80])


class Reader:
    """The dataclasses of the main file, by name."""

    def __init__(self, checkout):
        self.module = Module(checkout, MAIN)
        self.classes = {
            node.name: node
            for node in self.module.body
            if isinstance(node, ast.ClassDef)
            and any("dataclass" in ast.unparse(d) for d in node.decorator_list)
        }

    def bases(self, name):
        return [b.id for b in self.classes[name].bases if isinstance(b, ast.Name) and b.id in self.classes]

    def experiments(self):
        def derives(name):
            return name == ROOT or any(derives(b) for b in self.bases(name))

        return [name for name in self.classes if name != ROOT and derives(name)]

    def fields(self, name):
        """Fields in definition order, the subclass overriding its base, as dataclasses do."""
        merged = {}
        for base in reversed(self.bases(name)):
            merged.update(self.fields(base))
        for stmt in self.classes[name].body:
            if isinstance(stmt, ast.AnnAssign) and "ClassVar" not in ast.unparse(stmt.annotation):
                merged[stmt.target.id] = stmt
        return merged

    def below(self, annotation):
        """An annotation without what makes it optional, the dataclass in it if there is one, and whether it is a list."""
        core = re.sub(r"\bNone\b|\||\bOptional\[(.*)\]", r"\1", annotation).strip()
        nested = next((n for n in re.findall(r"\w+", core) if n in self.classes), None)
        return core, nested, bool(re.match(r"(tuple|list|Tuple|List)\[", core))

    def option(self, dotted, stmt, overrides):
        """One field as an option, the nested class if it has one, and the defaults that its factory gives to it."""
        annotation = ast.unparse(stmt.annotation)
        fact = {"name": dotted}
        nullable = bool(re.search(r"\bNone\b|Optional\[", annotation))
        core, nested, many = self.below(annotation)
        if nested and many:
            fact |= {"type": "list", "items": "group"}
        elif nested:
            fact["type"] = "group"
        elif many:
            fact |= {"type": "list", "items": SCALARS[re.findall(r"\w+", core)[1]]}
        elif core.startswith(("dict[", "Dict[")):
            fact |= {"type": "dict", "items": SCALARS[re.findall(r"\w+", core)[-1]]}
        else:
            fact["type"] = SCALARS.get(core) or ("any" if all(word in SCALARS for word in re.findall(r"\w+", core)) else core)
        if nullable:
            fact["nullable"] = True
        default, factory, choices = self.parts(stmt)
        below = {}
        if isinstance(default, ast.Name) and default.id == "MISSING":
            fact |= {"default": None, "required": True}
        elif default is not None:
            fact["default"] = self.module.value(default)
        elif isinstance(factory, ast.Name):
            fact["default"] = {"list": [], "dict": {}}.get(factory.id, {})
        elif isinstance(factory, ast.Lambda):
            try:
                fact["default"] = self.module.value(factory.body)
            except ValueError:
                made = [
                    {k.arg: self.module.value(k.value) for k in call.keywords}
                    for call in ast.walk(factory.body)
                    if isinstance(call, ast.Call)
                ]
                fact["default"] = made if many else {}
                below = {} if many else made[0]
        else:
            raise SystemExit(f"{dotted}: no default understood")
        if overrides.get(stmt.target.id) is not None:
            fact["default"] = overrides[stmt.target.id]
        if choices:
            fact["choices"] = [c for c in choices if c is not None]
        if fact["type"] == "dict" or (fact["type"] == "list" and "items" not in fact):
            fact["open"] = True
        fact["source"] = f"{MAIN}:{stmt.lineno}"
        return fact, nested, below

    def parts(self, stmt):
        """The default, the factory and the choices of a field; nodes, nodes, data."""
        value = stmt.value
        if not (isinstance(value, ast.Call) and ast.unparse(value.func) in ("field", "dataclasses.field")):
            return value, None, None
        keywords = {k.arg: k.value for k in value.keywords}
        choices = None
        metadata = keywords.get("metadata")
        if isinstance(metadata, ast.Dict):
            for key, node in zip(metadata.keys, metadata.values):
                if isinstance(key, ast.Constant) and key.value == "choices":
                    choices = self.module.value(node)
        return keywords.get("default"), keywords.get("default_factory"), choices

    def walk(self, name, prefix="", overrides=None):
        for field, stmt in self.fields(name).items():
            fact, nested, below = self.option(prefix + field, stmt, overrides or {})
            yield fact
            if nested:
                yield from self.walk(nested, f"{fact['name']}{'[]' if fact['type'] == 'list' else ''}.", below)


def build(checkout, commit, history):
    reader = Reader(checkout)
    merged = {}
    for experiment in reader.experiments():
        for fact in reader.walk(experiment):
            # The same field counts once; `actor` and `ref` are declared anew in each experiment class.
            key = json.dumps({k: v for k, v in fact.items() if k != "source"}, sort_keys=True)
            merged.setdefault(key, {**fact, "experiments": []})["experiments"].append(experiment)
    rows = []
    for fact in merged.values():
        source = fact.pop("source")
        fact["parser"] = " ".join(fact.pop("experiments"))
        fact["source"] = source
        rows.append(fact)
    known = {row["name"] for row in rows}
    for old in history:
        if old["name"] in known:
            raise SystemExit(f"history.json: {old['name']} exists in this checkout")
        rows.append(old)
    rows.sort(key=lambda row: (row["name"], row.get("parser", "")))
    release = re.search(r'^version = "([^"]+)"', (checkout / "pyproject.toml").read_text(encoding="utf-8"), re.M).group(1)
    return {"framework": "areal", "repository": REPOSITORY, "commit": commit, "release": release, "options": rows}


def newer(found, known):
    """What the options of a newer checkout have that the known ones have not: the outermost new names, and those of other types."""
    kinds = {}
    for row in known:
        if "removed" not in row:
            kinds.setdefault(row["name"], set()).add((row["type"], row.get("nullable", False)))
    names = {row["name"] for row in found if (row["type"], row.get("nullable", False)) not in kinds.get(row["name"], ())}
    return sorted(name for name in names if name in kinds or not any(name.startswith(f"{other}.") for other in names - set(kinds)))


def changes(found, known):
    """The options of a newer checkout that are new or not as they were, without where they stand, and the names that are gone."""

    def bare(row):
        return {key: value for key, value in row.items() if key != "source"}

    before = [bare(row) for row in known if "removed" not in row]
    there = {row["name"] for row in found}
    changed = {row["name"] for row in map(bare, found) if row not in before} | {row["name"] for row in before if row not in map(bare, found)}
    return {
        "changed": [bare(row) for row in found if row["name"] in changed],
        "gone": sorted({row["name"] for row in before} - there),
    }


def rows(values):
    """A list of JSON with one element a line."""
    return "[\n" + ",\n".join("  " + json.dumps(value, ensure_ascii=False) for value in values) + "\n ]"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout", type=pathlib.Path)
    parser.add_argument("--commit", help="commit of the checkout, when it is not a Git work tree")
    parser.add_argument("--newer", action="store_true", help="list what the checkout has beyond the known options")
    parser.add_argument("--out", type=pathlib.Path)
    arguments = parser.parse_args()
    out = arguments.out or pathlib.Path("schemas/areal", "newer.json" if arguments.newer else "options.json")
    commit = arguments.commit
    if commit is None:
        asked = ["git", "-C", str(arguments.checkout), "rev-parse", "HEAD"]
        commit = subprocess.run(asked, check=True, capture_output=True, text=True).stdout.strip()
    history = [] if arguments.newer else json.loads((out.parent / "history.json").read_text(encoding="utf-8"))
    result = build(arguments.checkout, commit, history)
    if arguments.newer:
        known = json.loads((out.parent / "options.json").read_text(encoding="utf-8"))["options"]
        rest = {"release": result["release"], "commit": commit, "options": newer(result["options"], known), **changes(result["options"], known)}
        lists = [f' "{key}": {rows(value) if isinstance(value, list) else json.dumps(value)}' for key, value in rest.items()]
        out.write_text("{\n" + ",\n".join(lists) + "\n}\n", encoding="utf-8")
        return
    head = {k: v for k, v in result.items() if k != "options"}
    lines = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in result["options"])
    text = json.dumps(head, ensure_ascii=False, indent=2)[:-2] + ',\n  "options": [\n' + lines + "\n  ]\n}\n"
    out.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
