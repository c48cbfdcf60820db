"""Reads the options that Megatron-LM's functions of the form f(parser) add, from a checkout's syntax trees.

The rules of ArgumentGroupFactory(SomeDataclass, exclude=[...]) are told in megatron-lm.py.
"""
import ast
import builtins
import os
import re

from megatron_tree import literal, type_name

# The function that adds all options to the parser.
ENTRY = "add_megatron_arguments"
DEPRECATED = re.compile(r"^\W*\[?deprecated|deprecated[.:]|\(?deprecated\)|^old \w+|now ignored|[.] ?deprecated", re.I)


def provider_file(tree, name, path, seen=()):
    """The file that defines a provider function used in `path`."""
    if any(isinstance(n, ast.FunctionDef) and n.name == name for n in tree.tree(path).body):
        return path
    near = os.path.dirname(path)
    for mod, orig in tree.imports(path).get(name, []):
        for cand in (mod + ".py", mod + "/__init__.py", f"{near}/{mod}.py"):
            if cand in tree.files and cand not in seen:
                found = provider_file(tree, orig, cand, seen + (path,))
                if found:
                    return found
    return None


def set_choices(tree, function, file):
    """Names that a `type=` function takes: the texts of its set literal and the members of the enum that it indexes."""
    node = next((n for n in tree.tree(file).body if isinstance(n, ast.FunctionDef) and n.name == function), None)
    if node is None:
        return None
    out = []
    for n in ast.walk(node):
        if isinstance(n, ast.Subscript) and isinstance(n.value, ast.Name):
            out += OptionReader(tree).enum_members(n.value.id, file) or []
        elif isinstance(n, ast.Set):
            out += [e.value for e in n.elts if isinstance(e, ast.Constant)]
    return out or None


def field_value(value):
    """(default, argparse metadata, whether it is an argument of the constructor) of a dataclass field's right-hand side."""
    if not (isinstance(value, ast.Call) and ast.unparse(value.func).split(".")[-1] == "field"):
        return literal(value, {}), {}, True
    default, meta, init = None, {}, True
    for given in value.keywords:
        if given.arg == "default":
            default = literal(given.value, {})
        elif given.arg == "default_factory":
            default = made_by(given.value)
        elif given.arg == "init" and isinstance(given.value, ast.Constant) and given.value.value is False:
            init = False
        elif given.arg == "metadata" and isinstance(given.value, ast.Dict):
            for key, entries in zip(given.value.keys, given.value.values):
                if isinstance(key, ast.Constant) and key.value == "argparse_meta" and isinstance(entries, ast.Dict):
                    meta |= {name.value: entry for name, entry in zip(entries.keys, entries.values)}
    return default, meta, init


def made_by(factory):
    """What a default_factory makes, as far as it is literal."""
    source = ast.unparse(factory)
    if source == "list":
        return []
    if source == "dict":
        return {}
    return literal(factory.body, {}) if isinstance(factory, ast.Lambda) else {"expr": source + "()"}


class OptionReader:
    """The options of functions in the order in which they are added (`options`), and what could not be read (`notes`)."""

    def __init__(self, tree):
        self.t = tree
        self.options = []
        self.notes = []

    def enum_members(self, name, path):
        """The names of an enum's members; None for what is no enum."""
        got = self.t.find_class(name, path)
        if not got:
            return None
        p, cls = got
        bases = {ast.unparse(b).split(".")[-1] for b in cls.bases}
        if not bases & {"Enum", "IntEnum", "StrEnum"}:
            return None
        return [tgt.id for n in cls.body if isinstance(n, ast.Assign)
                for tgt in n.targets if isinstance(tgt, ast.Name) and not tgt.id.startswith("_")]

    def fields(self, name, path):
        """The fields of a dataclass, those of its bases first."""
        got = self.t.find_class(name, path)
        if not got:
            raise SystemExit(f"dataclass {name} not found from {path}")
        p, cls = got
        merged = {}
        for base in cls.bases:
            b = ast.unparse(base).split(".")[-1]
            if b in dir(builtins) or b in ("ABC", "Protocol", "Generic"):
                continue
            if self.t.find_class(b, p):
                merged.update(self.fields(b, p))
        body = cls.body
        for i, n in enumerate(body):
            if not (isinstance(n, ast.AnnAssign) and isinstance(n.target, ast.Name)):
                continue
            if "ClassVar" in ast.unparse(n.annotation):
                continue
            doc = ""
            if i + 1 < len(body) and isinstance(body[i + 1], ast.Expr) and isinstance(body[i + 1].value, ast.Constant):
                doc = str(body[i + 1].value.value)
            old = merged.get(n.target.id)
            rec = dict(cls=name, path=p, line=n.lineno, ann=n.annotation, value=n.value, doc=doc,
                       root=(old or {}).get("root", name))
            merged[n.target.id] = rec     # dict keeps the base position
        return merged

    def infer(self, ann, path):
        """(kwargs, error) following ArgumentGroupFactory._extract_type."""
        if isinstance(ann, ast.Constant) and isinstance(ann.value, str):
            ann = ast.parse(ann.value, mode="eval").body
        if isinstance(ann, ast.BinOp) and isinstance(ann.op, ast.BitOr):
            right = ann.right
            if isinstance(right, ast.Constant) and right.value is None:
                return self.infer(ann.left, path)
            return None, "union"
        if isinstance(ann, ast.Subscript):
            head = ast.unparse(ann.value).split(".")[-1]
            args = list(ann.slice.elts) if isinstance(ann.slice, ast.Tuple) else [ann.slice]
            if head == "Optional":
                return self.infer(args[0], path)
            if head == "Union":
                if len(args) == 2 and isinstance(args[1], ast.Constant) and args[1].value is None:
                    return self.infer(args[0], path)
                return None, "union"
            if head in ("list", "List"):
                kw, err = self.infer(args[0], path)
                if err:
                    return None, err
                return dict(kw, nargs="+"), None
            if head == "Literal":
                choices = [ast.literal_eval(a) for a in args]
                return {"type": type(choices[0]).__name__, "choices": choices}, None
            return None, f"unsupported {head}"
        name = ast.unparse(ann).split(".")[-1]
        members = self.enum_members(name, path) if name[:1].isupper() else None
        if members:
            return {"type": f"enum:{name}", "choices": members}, None
        return {"type": name}, None

    def from_dataclass(self, cls_name, path, exclude):
        """The options that ArgumentGroupFactory makes of a dataclass's fields."""
        for name, field in self.fields(cls_name, path).items():
            if name in exclude:
                continue
            default, meta, init = field_value(field["value"])
            if init:
                self.options.append(self.from_field(cls_name, name, field, default, meta))

    def from_field(self, cls_name, name, field, default, meta):
        """One field as an option; its metadata["argparse_meta"] overrides what its type and default tell."""
        spelled = name.replace("_", "-")
        out = {"flags": ["--" + spelled], "dest": name, "type": None, "nargs": None, "choices": None, "action": "store"}
        inferred, error = self.infer(field["ann"], field["path"])
        if inferred:
            out |= inferred
            if out["type"] == "bool":
                out["type"] = None
                out["action"] = "store_true" if default is False else "store_false"
                if default is not False:
                    out["flags"] = [f"--no-{spelled}", f"--disable-{spelled}"]
        elif not meta:
            self.notes.append(f"{cls_name}.{name}: type not inferable ({error}) and no metadata")
        for key, value in meta.items():
            if key == "arg_names":
                out["flags"] = ast.literal_eval(value)
            elif key == "dest":
                out["dest"] = ast.literal_eval(value)
            elif key == "type":
                out["type"] = ast.unparse(value)
            elif key == "choices":
                out["choices"] = self.choices(value, field["path"])
            elif key == "default":
                default = literal(value, {})
            elif key in ("nargs", "action"):
                out[key] = literal(value, {})
        if isinstance(default, dict) and "expr" in default and str(out["type"]).startswith("enum:"):
            default = default["expr"].split(".")[-1]
        return out | {"default": default, "required": False, "deprecated": bool(DEPRECATED.search(field["doc"])),
                      "file": field["path"], "line": field["line"]}

    def choices(self, value, path):
        """Choices as they are given: a list, or the names of an enum's members."""
        found = literal(value, {})
        match = re.match(r"\[(\w+)\.name for \1 in (\w+)\]", found["expr"]) if isinstance(found, dict) and "expr" in found else None
        return (self.enum_members(match.group(2), path) if match else None) or found

    def from_call(self, call, file, consts):
        """The option of a literal parser.add_argument(...)."""
        flags = [ast.literal_eval(a) for a in call.args if isinstance(a, ast.Constant)]
        flags = [f for f in flags if isinstance(f, str)]
        if not flags or not flags[0].startswith("-"):
            return
        kws = {k.arg: k.value for k in call.keywords if k.arg}
        action = ast.unparse(kws["action"]) if "action" in kws else "'store'"
        action = action.strip("'\"").replace("argparse.", "")
        hlp = kws.get("help")
        help_src = ast.unparse(hlp) if hlp is not None else ""
        dest = literal(kws.get("dest"), consts) if "dest" in kws else None
        if dest is None:
            longs = [f for f in flags if f.startswith("--")] or flags
            dest = longs[0].lstrip("-").replace("-", "_")
        if action == "BooleanOptionalAction":
            flags = flags + ["--no-" + f[2:] for f in flags if f.startswith("--")]
        default = literal(kws.get("default"), consts)
        if "default" not in kws:
            default = {"store_true": False, "store_false": True}.get(action)
        choices = literal(kws.get("choices"), consts)
        self.options.append(dict(
            flags=flags, dest=dest, type=type_name(kws.get("type")), default=default, choices=choices,
            nargs=literal(kws.get("nargs"), consts), action=action,
            required=bool(literal(kws.get("required"), consts)),
            deprecated=bool(DEPRECATED.search(help_src)) or "SUPPRESS" in help_src or "deprecated" in str(dest),
            file=file, line=call.lineno))

    def function(self, fn_name, file, seen=()):
        """All options that a function of the form f(parser) adds, in order."""
        fn = next((n for n in self.t.tree(file).body if isinstance(n, ast.FunctionDef) and n.name == fn_name), None)
        if fn is None:
            self.notes.append(f"{file}: no function {fn_name}")
            return
        factories, consts = {}, {}
        statements = sorted((n for n in ast.walk(fn) if isinstance(n, (ast.Assign, ast.Expr, ast.Return))),
                            key=lambda n: (n.lineno, n.col_offset))
        for st in statements:
            value = st.value
            target = st.targets[0].id if isinstance(st, ast.Assign) and isinstance(st.targets[0], ast.Name) else None
            if target and isinstance(value, (ast.List, ast.Tuple, ast.Dict, ast.Constant)):
                consts[target] = value
                continue
            if not isinstance(value, ast.Call):
                continue
            short = ast.unparse(value.func).split(".")[-1]
            chained = value.func.value if isinstance(value.func, ast.Attribute) else None
            if short == "ArgumentGroupFactory" and target:
                factories[target] = value
            elif short == "build_group":
                factory = factories.get(ast.unparse(chained)) if isinstance(chained, ast.Name) else chained
                if not isinstance(factory, ast.Call):
                    self.notes.append(f"{file}:{st.lineno}: unresolved factory")
                    continue
                exclude = next((k.value for k in factory.keywords if k.arg == "exclude"), None)
                self.from_dataclass(ast.unparse(factory.args[0]), file, set(literal(exclude, consts) or []))
            elif short == "add_argument":
                self.from_call(value, file, consts)
            elif isinstance(value.func, ast.Name) and value.args and (value.func.id, file) not in seen:
                if ast.unparse(value.args[0]) == "parser":
                    where = provider_file(self.t, value.func.id, file)
                    if where:
                        self.function(value.func.id, where, seen + ((fn_name, file),))
