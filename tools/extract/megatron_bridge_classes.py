"""Dataclasses of Megatron-Bridge and Megatron-LM, read with `ast`: classes by name, their fields with inheritance, defaults as data."""

import ast
import pathlib

UNKNOWN = object()


class Module:
    """One Python file: its classes, its imports, and the functions that it registers."""

    def __init__(self, path, name, tree):
        self.path, self.name, self.tree = path, name, tree
        self.classes = {node.name: node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        self.imports = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                origin = node.module or ""
                if node.level:
                    here = name.split(".") if path.endswith("__init__.py") else name.split(".")[:-1]
                    here = here[: len(here) - node.level + 1]
                    origin = ".".join([*here, *([origin] if origin else [])])
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (origin, alias.name)


class Sources:
    """The modules of several checkouts, by dotted name."""

    def __init__(self):
        self.modules = {}
        self.by_class = {}

    def add(self, root, folder, package):
        """Reads every file below root/folder; `package` is the dotted name of that folder."""
        for path in sorted((root / folder).rglob("*.py")):
            relative = path.relative_to(root / folder).with_suffix("")
            parts = [part for part in relative.parts if part != "__init__"]
            name = ".".join([package, *parts]) if parts else package
            try:
                tree = ast.parse(path.read_text(encoding="utf-8"))
            except SyntaxError:
                continue
            module = Module(str(path.relative_to(root)), name, tree)
            self.modules[name] = module
            for klass in module.classes:
                self.by_class.setdefault(klass, []).append(module)

    def resolve(self, module, name):
        """The module and class that `name` means in `module`, through re-exports; None when it is not ours."""
        for _ in range(8):
            if name in module.classes:
                return module, module.classes[name]
            if name not in module.imports:
                return None
            origin, name = module.imports[name]
            found = self.modules.get(origin)
            if found is None:
                candidates = self.by_class.get(name, [])
                return (candidates[0], candidates[0].classes[name]) if len(candidates) == 1 else None
            module = found
        return None

    def is_dataclass(self, klass):
        return any("dataclass" in ast.unparse(decorator) for decorator in klass.decorator_list)

    def fields(self, module, klass, seen=()):
        """Fields with inheritance, first declared first: name -> (annotation, default node, module, line)."""
        out = {}
        if (module.name, klass.name) in seen:
            return out
        for base in reversed(klass.bases):
            found = self.resolve(module, ast.unparse(base).split("[")[0])
            if found is not None:
                for name, value in self.fields(*found, (*seen, (module.name, klass.name))).items():
                    out[name] = value
        if not self.is_dataclass(klass):
            return out
        for node in klass.body:
            if not isinstance(node, ast.AnnAssign) or not isinstance(node.target, ast.Name):
                continue
            name, annotation = node.target.id, ast.unparse(node.annotation)
            if name.startswith("_") or "ClassVar" in annotation or "InitVar" in annotation:
                continue
            out[name] = (node.annotation, node.value, module, node.lineno)
        return out

    def derives(self, module, klass, wanted, seen=()):
        """Whether a class derives from one of the named classes."""
        if (module.name, klass.name) in seen:
            return False
        for base in klass.bases:
            name = ast.unparse(base).split("[")[0]
            found = self.resolve(module, name)
            if name in wanted or (found and (found[1].name in wanted or self.derives(*found, wanted, (*seen, (module.name, klass.name))))):
                return True
        return False


def default_of(node):
    """A default as JSON data, or UNKNOWN where the program computes it."""
    if node is None:
        return UNKNOWN
    if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "field":
        keywords = {keyword.arg: keyword.value for keyword in node.keywords}
        if "default" in keywords:
            return default_of(keywords["default"])
        factory = keywords.get("default_factory")
        if isinstance(factory, ast.Name):
            return {"list": [], "dict": {}}.get(factory.id, UNKNOWN)
        if isinstance(factory, ast.Lambda):
            return default_of(factory.body)
        return UNKNOWN
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError):
        text = ast.unparse(node)
        return text if text.startswith("torch.") and "(" not in text else UNKNOWN
    return plain(value)


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (str, int, float, bool)) or value is None:
        return UNKNOWN if value in (float("inf"), float("-inf")) else value
    return UNKNOWN


SCALARS = {"int": "int", "float": "float", "str": "str", "bool": "bool", "dict": "dict", "Dict": "dict", "list": "list", "List": "list", "tuple": "list", "Tuple": "list", "Path": "str"}


def type_of(node):
    """Type facts of an annotation, and the names of the classes that it mentions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        node = ast.parse(node.value, mode="eval").body
    if isinstance(node, ast.Constant) and node.value is None:
        return {"nullable": True}, []
    if isinstance(node, ast.BinOp):
        return union([node.left, node.right])
    if isinstance(node, ast.Subscript):
        head = ast.unparse(node.value).split(".")[-1]
        arguments = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if head == "Optional":
            return union([*arguments, ast.Constant(None)])
        if head == "Union":
            return union(arguments)
        if head == "Literal":
            values = [argument.value for argument in arguments if isinstance(argument, ast.Constant)]
            texts = [value for value in values if value is not None]
            kinds = {type(value).__name__ for value in texts}
            nullable = {"nullable": True} if None in values else {}
            if kinds <= {"str"} or kinds <= {"int"}:
                return {"type": kinds.pop() if kinds else "any", "choices": texts, **nullable}, []
            return {"type": "any", **nullable}, []
        if head in ("List", "list", "Tuple", "tuple", "Sequence"):
            items = type_of(arguments[0])[0].get("type", "any")
            return {"type": "list", **({} if items in ("any", "group") else {"items": items})}, []
        if head in ("Dict", "dict", "Mapping"):
            return {"type": "dict", "open": True}, []
        return {"type": "any"}, []
    name = ast.unparse(node)
    if name in SCALARS:
        return {"type": SCALARS[name], **({"open": True} if SCALARS[name] == "dict" else {})}, []
    return {"type": "any"}, [name] if isinstance(node, ast.Name) else []


def union(members):
    """Facts of a union: one scalar and None stay that scalar, everything else is any."""
    facts, classes, nullable = [], [], {}
    for member in members:
        fact, names = type_of(member)
        nullable = {"nullable": True} if fact.get("nullable") else nullable
        classes += names
        if "type" in fact:
            facts.append({key: value for key, value in fact.items() if key != "nullable"})
    kinds = {fact["type"] for fact in facts}
    if kinds == {"int", "float"}:
        return {"type": "float", **nullable}, classes
    single = facts[0] if len(facts) == 1 else {"type": kinds.pop()} if len(kinds) == 1 else {"type": "any"}
    return {**single, **nullable}, classes
