"""Puts two changed versions of one cell together, if their changes stand side by side.

Versions are compared definition by definition (functions, methods of a class, other statements),
without comments, docstrings and annotations; within a definition that both change, line by line.
Not covered: whether the cell that results makes sense.
"""

from __future__ import annotations

import ast
import difflib
import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from autograder.notebook.structure.names import parse

MOST_KEPT = 500  # versions, each of which is compared with many others
Part = tuple[str, str, int]  # a class, "" outside; a name; how many had it before in the cell


def merged(base: str, one: str, other: str) -> str | None:
    """The base with the changes of both; None if they touch the same lines."""
    old, new, also = map(_parts, (base, one, other))
    both: dict[Part, str] = {}
    for part in _in_order([*new], [*also]):
        before, here, there = (found.get(part, "") for found in (old, new, also))
        if before in (here, there):
            chosen: str | None = there if before == here else here
        elif here == there:
            chosen = here
        else:
            chosen = _merged_lines(before, here, there)
        if chosen is None:
            return None
        if chosen:
            both[part] = chosen
    return "\n\n".join(both.values())


def apart(base: str, one: str, other: str, names: Collection[str]) -> bool:
    """Whether they change different methods, or others of these top-level ``names``."""
    old, *new = map(_parts, (base, one, other))
    first, second = ({p for p in {*old, *v} if old.get(p) != v.get(p)} for v in new)
    return first.isdisjoint(second) and all(
        owner or name in names for owner, name, _ in first | second
    )


@lru_cache(maxsize=MOST_KEPT)
def _parts(source: str) -> Mapping[Part, str]:
    """The code of each definition and each other statement; of a class its head, then what is in
    it."""
    tree = _Bare().visit(parse(source) or ast.Module([], []))
    found: dict[Part, str] = {}

    def add(owner: str, node: ast.stmt) -> None:
        name = getattr(node, "name", "") or _target(node)
        number = next(n for n in itertools.count() if (owner, name, n) not in found)
        indent = "    " if owner else ""
        lines = ast.unparse(node).split("\n")
        found[owner, name, number] = "\n".join(indent + line for line in lines)

    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            inside, node.body = node.body, []
            add("", node)
            for inner in inside:
                add(node.name, inner)
        else:
            add("", node)
    return found


def _target(node: ast.stmt) -> str:
    """What an assignment sets; of other statements all that they say."""
    match node:
        case ast.Assign(targets=[target]) | ast.AnnAssign(target=target):
            return ast.unparse(target)
    return ast.unparse(node)


class _Bare(ast.NodeTransformer):
    """Removes docstrings and annotations."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
        return node


def _in_order(one: Sequence[Part], other: Sequence[Part]) -> list[Part]:
    """All parts of both, those of the second alone behind their neighbours there."""
    found = list(one)
    for number, part in enumerate(other):
        if part not in found:
            found.insert(found.index(other[number - 1]) + 1 if number else 0, part)
    return found


def _merged_lines(base: str, one: str, other: str) -> str | None:
    """The lines of ``base`` with the changes of both; None if they touch the same lines."""
    lines = base.split("\n")
    changes = [*_changes(lines, one.split("\n")), *_changes(lines, other.split("\n"))]
    changes.sort(key=lambda change: change[:2])
    for (_, end, _), (start, _, _) in itertools.pairwise(changes):
        if start <= end:
            return None
    for start, end, new in reversed(changes):
        lines[start:end] = new
    return "\n".join(lines)


def _changes(base: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int, int, list[str]]]:
    matcher = difflib.SequenceMatcher(None, base, new, autojunk=False)
    for tag, start, end, first, last in matcher.get_opcodes():
        if tag != "equal":
            yield start, end, list(new[first:last])
