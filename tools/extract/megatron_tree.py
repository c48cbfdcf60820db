"""A checkout of Megatron-LM as syntax trees: files, imports, classes, literals. Used by megatron-lm.py."""
import ast
import os
import subprocess

MAIN = "megatron/training/arguments.py"


class Tree:
    def __init__(self, root, rev):
        self.root, self.rev = root, rev
        self.bare = not os.path.isfile(os.path.join(root, MAIN))
        if self.bare:
            out = subprocess.run(["git", "-C", root, "ls-tree", "-r", "--name-only", rev],
                                 check=True, capture_output=True, text=True).stdout
            self.files = {p for p in out.splitlines() if p.endswith(".py")}
        else:
            self.files = set()
            for d, dirs, names in os.walk(root):
                dirs[:] = [x for x in dirs if x not in (".git", "tests", "node_modules")]
                rel = os.path.relpath(d, root)
                self.files |= {os.path.normpath(f"{rel}/{n}") for n in names if n.endswith(".py")}
        self._src, self._ast, self._classes = {}, {}, None

    def commit(self):
        try:
            return subprocess.run(["git", "-C", self.root, "rev-parse", self.rev], check=True,
                                  capture_output=True, text=True).stdout.strip()
        except (subprocess.CalledProcessError, OSError):
            return None

    def source(self, path):
        if path not in self._src:
            if self.bare:
                raw = subprocess.run(["git", "-C", self.root, "show", f"{self.rev}:{path}"],
                                     check=True, capture_output=True).stdout
                self._src[path] = raw.decode("utf-8", "replace")
            else:
                with open(os.path.join(self.root, path), encoding="utf-8", errors="replace") as fh:
                    self._src[path] = fh.read()
        return self._src[path]

    def tree(self, path):
        if path not in self._ast:
            self._ast[path] = ast.parse(self.source(path))
        return self._ast[path]

    def imports(self, path):
        """name -> list of candidate file paths, for ImportFrom anywhere in the file."""
        out = {}
        for n in ast.walk(self.tree(path)):
            if isinstance(n, ast.ImportFrom):
                if n.level:
                    base = "/".join(path.split("/")[: -n.level])
                    mod = base + ("/" + n.module.replace(".", "/") if n.module else "")
                else:
                    mod = (n.module or "").replace(".", "/")
                for a in n.names:
                    out.setdefault(a.asname or a.name, []).append((mod, a.name))
        return out

    def find_class(self, name, path, seen=None):
        """(path, ClassDef) for a class name used in `path`, following re-exports."""
        seen = seen if seen is not None else set()
        if (name, path) in seen or path not in self.files:
            return None
        seen.add((name, path))
        for n in self.tree(path).body:
            if isinstance(n, ast.ClassDef) and n.name == name:
                return path, n
        for mod, orig in self.imports(path).get(name, []):
            for cand in (mod + ".py", mod + "/__init__.py"):
                got = self.find_class(orig, cand, seen)
                if got:
                    return got
        return None


def literal(node, consts):
    """Python value of an expression, or {'expr': source} if it is not constant."""
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        pass
    if isinstance(node, ast.Name) and node.id in consts:
        return literal(consts[node.id], consts)
    if isinstance(node, ast.BinOp):
        left, right = literal(node.left, consts), literal(node.right, consts)
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            if isinstance(node.op, ast.Pow):
                return left ** right
            if isinstance(node.op, ast.Mult):
                return left * right
            if isinstance(node.op, ast.Add):
                return left + right
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float" and len(node.args) == 1:
        return {"expr": ast.unparse(node)}
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id[:1].isupper():
        return {"expr": ast.unparse(node)}
    return {"expr": ast.unparse(node)}


def type_name(node):
    if node is None:
        return None
    if isinstance(node, ast.Constant):
        return str(node.value)
    return ast.unparse(node)
