"""Reads Python dataclasses of a checkout with `ast`: names through imports, bases, fields, defaults. Nothing is imported."""

import ast
import pathlib

SEARCH = ("", "skyrl-gym", "skyrl-agent")


class Unknown:
    """A default that is computed when the program starts."""

    def __init__(self, text):
        self.text = text


class Instance:
    """A dataclass instance: the class and the fields given to it."""

    def __init__(self, definition, fields):
        self.definition, self.fields = definition, fields


class Definition:
    """A class, or a subclass of the root made by make_config(algorithm_cls=…, trainer_cls=…, generator_cls=…)."""

    def __init__(self, name, module, node, made=None):
        self.name, self.module, self.node, self.made = name, module, node, made

    def is_enum(self):
        return self.node is not None and any("Enum" in ast.unparse(base) for base in self.node.bases)

    def is_dataclass(self):
        if self.made is not None:
            return True
        return not self.is_enum() and any("dataclass" in ast.unparse(d) for d in self.node.decorator_list)

    def enum_values(self):
        return [s.value.value for s in self.node.body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Constant)]


class Module:
    """One file's top-level names."""

    def __init__(self, path, tree):
        self.path = path
        self.classes, self.constants, self.imports, self.tree = {}, {}, {}, tree
        package = path.parent.as_posix().split("/")
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                parts = node.module.split(".") if node.module else []
                if node.level:
                    parts = package[: len(package) - node.level + 1] + parts
                for alias in node.names:
                    self.imports[alias.asname or alias.name] = (parts, alias.name)
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                self.classes[node.name] = node
            elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                self.constants[node.targets[0].id] = node.value


class Checkout:
    """The files of a checkout and the classes in them."""

    def __init__(self, root, root_class):
        self.root = pathlib.Path(root)
        self.root_class = root_class
        self.modules = {}

    def module(self, path):
        path = pathlib.PurePosixPath(path)
        if path not in self.modules:
            file = self.root / path
            try:
                self.modules[path] = Module(path, ast.parse(file.read_text(encoding="utf-8")))
            except (OSError, SyntaxError):
                self.modules[path] = None
        return self.modules[path]

    def find(self, parts):
        for base in SEARCH:
            stem = "/".join(([base] if base else []) + parts)
            for candidate in (f"{stem}.py", f"{stem}/__init__.py"):
                if (self.root / candidate).is_file():
                    return self.module(candidate)
        return None

    def resolve(self, module, name, seen=()):
        """The definition or constant that a name stands for in a module, or None."""
        if module is None or (module.path, name) in seen:
            return None
        seen = (*seen, (module.path, name))
        if name in module.classes:
            return Definition(name, module, module.classes[name])
        if name in module.constants:
            value = module.constants[name]
            if isinstance(value, ast.Call) and ast.unparse(value.func) == "make_config":
                made = {k.arg: self.resolve(module, ast.unparse(k.value), seen) for k in value.keywords}
                return Definition(name, module, None, made)
            return (module, value)
        if name in module.imports:
            parts, original = module.imports[name]
            return self.resolve(self.find(parts), original, seen)
        return None

    def fields(self, definition):
        """Fields in order, bases first: (name, annotation, default, module, line); an annotation may be a Definition."""
        out = {}
        if definition.made is not None:
            root = self.resolve(*self.root_class)
            for field in self.fields(root):
                out[field[0]] = field
            trainer, algorithm = definition.made.get("trainer_cls"), definition.made.get("algorithm_cls")
            if trainer is None and algorithm is not None:
                base = self.resolve(root.module, "TrainerConfig")
                trainer = Definition("TrainerConfig", base.module, base.node)
                trainer.replaced = {"algorithm": algorithm}
            for name, child in (("trainer", trainer), ("generator", definition.made.get("generator_cls"))):
                if child is not None:
                    out[name] = (name, child, child, child.module, out[name][4])
            return list(out.values())
        for base in definition.node.bases:
            parent = self.resolve(definition.module, ast.unparse(base).split(".")[-1])
            if isinstance(parent, Definition):
                for field in self.fields(parent):
                    out[field[0]] = field
        for node in definition.node.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                if "ClassVar" not in ast.unparse(node.annotation):
                    out[node.target.id] = (node.target.id, node.annotation, node.value, definition.module, node.lineno)
        for name, child in getattr(definition, "replaced", {}).items():
            out[name] = (name, child, child, definition.module, out[name][4])
        return list(out.values())

    def class_in(self, module, annotation):
        """The dataclass that an annotation names and whether null may stand for it; (None, False) for plain types."""
        if isinstance(annotation, Definition):
            return annotation, False
        if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
            annotation = ast.parse(annotation.value, mode="eval").body
        if isinstance(annotation, ast.Name):
            found = self.resolve(module, annotation.id)
            return (found, False) if isinstance(found, Definition) and found.is_dataclass() else (None, False)
        if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value).split(".")[-1] in ("Optional", "Union"):
            arguments = annotation.slice.elts if isinstance(annotation.slice, ast.Tuple) else [annotation.slice]
            for argument in arguments:
                found, _ = self.class_in(module, argument)
                if found is not None:
                    return found, True
        return None, False

    def value(self, module, node):
        """The data that an expression stands for; Unknown when the program computes it."""
        if isinstance(node, Definition):
            return Instance(node, {})
        if node is None:
            return Unknown("required")
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -node.operand.value
        if isinstance(node, (ast.List, ast.Tuple)):
            return [self.value(module, item) for item in node.elts]
        if isinstance(node, ast.Dict):
            return {self.value(module, k): self.value(module, v) for k, v in zip(node.keys, node.values) if k}
        if isinstance(node, ast.Lambda):
            return self.value(module, node.body)
        if isinstance(node, ast.Name):
            found = self.resolve(module, node.id)
            return self.value(*found) if isinstance(found, tuple) else Unknown(node.id)
        if isinstance(node, ast.Attribute):
            found = self.resolve(module, ast.unparse(node.value))
            if isinstance(found, Definition) and found.is_enum():
                for statement in found.node.body:
                    if isinstance(statement, ast.Assign) and statement.targets[0].id == node.attr:
                        return self.value(found.module, statement.value)
            return Unknown(ast.unparse(node))
        if isinstance(node, ast.Call):
            return self.call(module, node)
        return Unknown("computed")

    def call(self, module, node):
        function = ast.unparse(node.func).split(".")[-1]
        keywords = {k.arg: k.value for k in node.keywords if k.arg}
        if function == "field" or function == "Field":
            if node.args:
                return Unknown("required") if ast.unparse(node.args[0]) == "..." else self.value(module, node.args[0])
            if "default" in keywords:
                return self.value(module, keywords["default"])
            factory = keywords.get("default_factory")
            if factory is None:
                return Unknown("required")
            if isinstance(factory, ast.Lambda):
                return self.value(module, factory.body)
            name = ast.unparse(factory)
            if name in ("dict", "list"):
                return {} if name == "dict" else []
            found = self.resolve(module, name)
            return Instance(found, {}) if isinstance(found, Definition) else Unknown(name)
        if function in ("deepcopy", "Path", "AnyPath", "expanduser") and node.args:
            return self.value(module, node.args[0])
        found = self.resolve(module, function)
        if isinstance(found, Definition) and found.is_dataclass():
            return Instance(found, {k: self.value(module, v) for k, v in keywords.items()})
        return Unknown("computed")
