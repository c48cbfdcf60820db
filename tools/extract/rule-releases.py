#!/usr/bin/env python3
"""Lists since which release of Megatron-LM or Megatron-Bridge it does what a rule speaks of, from a git directory with the release branches.

    rule-releases.py GIT dist/knowledge/FRAMEWORK.json schemas/FRAMEWORK/rule-releases.json

Branches are called core_r0.N.0 and r0.N.0. A rule names the statements of the known commit that refuse or change something (`upstream:
file.py:12 raises ValueError`). Each is known again in a release by its message, or by its condition when that says enough; files may
have moved. `since` names the first release from which on all have all of a rule's statements: where one of several does, the rule
says so itself. What was worded otherwise before counts as younger than it is: nothing is said then that may not hold.
Of a rule of Bridge that also stands on a statement of Megatron-core, which has releases of its own, nothing is told. Same repository, same output.
"""
import ast
import json
import re
import subprocess
import sys
import warnings
from typing import NamedTuple

warnings.simplefilter("ignore", SyntaxWarning)
PLACE = re.compile(r"^([\w./-]+\.py):(\d+) (?:asserts|raises|warns|switches|replaces|overwrites|drops|sets|prints|exits)\b")


class Sources(NamedTuple):
    """Where the checks of a framework stand."""

    branch: str
    folders: tuple
    oldest: int


SOURCES = {
    "megatron-lm": Sources("core_r0", ("megatron",), 5),
    "megatron-bridge": Sources("r0", ("src/megatron", "scripts"), 1),
}


def git(repository, *arguments):
    done = subprocess.run(["git", "-C", repository, *arguments], capture_output=True)
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None


def plain(text):
    return re.sub(r"\W+", " ", text).strip().lower()


def texts_of(node):
    """The constant text of a message, without what is put into it."""
    parts = [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return plain(" ".join(parts))


def condition(node):
    """A condition without the names of the objects that hold the settings."""
    return re.sub(r"\b(?:args|self|config|cfg)\.", "", ast.unparse(node))


def marks_of(statement, around):
    """
    By what a statement is known again: messages and conditions that say enough. A condition is told with the one around it, since alone it
    may be asked of other things, too: `context_parallel_size == 1`.
    """
    out = set()
    conditions = [condition(each.test) for each in around]
    if isinstance(statement, ast.Assert):
        out.add(("condition", " -> ".join([*conditions[-1:], condition(statement.test)])))
        if statement.msg is not None:
            out.add(("message", texts_of(statement.msg)))
    elif not isinstance(statement, (ast.If, ast.FunctionDef, ast.ClassDef, ast.For, ast.While, ast.With, ast.Try)):
        out.add(("statement", condition(statement)))
        if isinstance(statement, (ast.Raise, ast.Expr)):
            out.add(("message", texts_of(statement)))
        if conditions:
            out.add(("condition", " -> ".join(conditions)))
    return {(kind, text) for kind, text in out if len(text) >= 24}


def statements(tree):
    """Every statement with the `if` that it stands in directly, and the `if` around that one before it."""
    todo = [(tree, ())]
    while todo:
        node, around = todo.pop()
        for child in ast.iter_child_nodes(node):
            inside = (*around[-1:], node) if isinstance(node, ast.If) and child in node.body else ()
            if isinstance(child, ast.stmt):
                yield child, inside
            todo.append((child, inside))


def marks_at(repository, revision, folders):
    """All marks of a release."""
    out = set()
    names = git(repository, "ls-tree", "-r", "--name-only", revision, *folders).splitlines()
    for name in names:
        if not name.endswith(".py"):
            continue
        try:
            tree = ast.parse(git(repository, "show", f"{revision}:{name}") or "")
        except SyntaxError:
            continue
        for statement, around in statements(tree):
            out |= marks_of(statement, around)
    return out


def cited(repository, commit, folders, upstream):
    """The marks of each statement that a rule names; none where one of them is of a Megatron-core with releases of its own."""
    out = []
    for text in upstream:
        found = PLACE.match(text)
        if found is None:
            continue
        if not found[1].startswith(tuple(f"{folder}/" for folder in folders)):
            if found[1].startswith("megatron/core/"):
                return []
            continue
        line = int(found[2])
        tree = ast.parse(git(repository, "show", f"{commit}:{found[1]}") or "")
        holding = [(s, a) for s, a in statements(tree) if s.lineno <= line <= s.end_lineno]
        marks = holding and marks_of(*min(holding, key=lambda pair: pair[0].end_lineno - pair[0].lineno))
        if marks:
            out.append(marks)
    return out


def rows_of(known):
    """The rules of a file of the build, with the texts that stand apart from them (server/src/frameworks/storedKnowledge.ts)."""
    columns = known["constraintColumns"]
    for index, entry in enumerate(known["constraints"]):
        yield entry | {name: column[index] for name, column in columns.items() if column[index] is not None}


def first_of(entry):
    """A rule, or the first of those that the build wrote once (server/src/expression/repeated.ts): they cite the same."""
    if "repeated" not in entry:
        return entry
    text = entry["repeated"]
    for index, word in enumerate(entry["words"][0]):
        text = text.replace(chr(0xE000 + index), word)
    return json.loads(text)


def first_with(mine, marks, newest):
    """The first release from which on all have a statement, which has the marks `mine`."""
    first = newest
    for number in sorted(marks, reverse=True):
        if not mine & marks[number]:
            break
        first = number
    return first


def main():
    repository, knowledge, path = sys.argv[1:4]
    with open(knowledge, encoding="utf-8") as fh:
        # The texts of the rules follow on lines of their own.
        known = json.loads(fh.readline())
    branch, folders, oldest = SOURCES[known["framework"]]
    named = re.findall(rf"^\W*((?:remotes/\w+/)?{branch}\.(\d+)\.0)$", git(repository, "branch", "-a"), re.M)
    branches = {int(number): name for name, number in named if int(number) >= oldest}
    numbers = sorted(branches)
    marks = {number: marks_at(repository, branches[number], folders) for number in numbers}
    newest = int(known["release"].split(".")[1])
    since = {}
    for rule in map(first_of, rows_of(known)):
        mine = cited(repository, known["commit"], folders, rule["upstream"])
        if mine:
            since[rule["id"]] = f"0.{max(first_with(each, marks, newest) for each in mine)}"
    with open(path, "w", encoding="utf-8") as fh:
        json.dump(dict(sorted(since.items())), fh, indent=1)
        fh.write("\n")


main()
