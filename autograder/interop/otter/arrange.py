"""Arranges a notebook as otter runs it: its cells unchanged, seeds before each, tests where
``grader.check("...")`` is called, and the other tests at the end.

Not covered: a check in the middle of a cell runs at the cell's end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from autograder.assignment.model import Assignment, BroughtSpec
from autograder.notebook.arranged import ArrangedNotebook
from autograder.notebook.structure.locate import GIVEN, Located
from autograder.notebook.structure.names import parse
from autograder.notebook.submission import NotebookCell, Submission
from autograder.wire.messages import Cell

_CHECK = re.compile(r"^[^#\n]*\b\w+\.check\(\s*(['\"])(?P<name>[^'\"\n]+)\1", re.MULTILINE)
_ALONE = re.compile(r"\s*\w+\.check\(\s*(['\"])[^'\"\n]+\1\s*\);?\s*")  # a cell of otter's own
_MARK = "otter:tests:"


def arranged(assignment: Assignment, submission: Submission) -> ArrangedNotebook:
    """The code cells with their seeds; the last check of a question counts."""
    brought = assignment.brought or BroughtSpec(tool="otter")
    by_name = {exercise.name or exercise.id: exercise.id for exercise in assignment.exercise}
    code = [c for c in submission.cells if c.kind == "code" and "otter:ignore" not in c.marks]
    spare = max((cell.number for cell in submission.cells), default=0) + 1
    cells: list[Cell] = []
    kept, owners, pending = dict[str, int](), dict[str, tuple[int, ...]](), list[int]()
    for cell in code:
        seeding = _seed(brought, cell)
        if seeding:
            spare += 1
            cells.append(Cell(spare, seeding, GIVEN))
        cells.append(Cell(cell.number, cell.source))
        pending.append(cell.number)
        checked = [by_name[name] for name in _checked(cell, by_name)]
        for exercise in checked:
            kept[exercise] = cell.number
            owners.setdefault(exercise, tuple(pending))
        pending = [] if checked else pending
    last = cells[-1].number if cells else 0
    keep_after = tuple((e.id, kept.get(e.id, last)) for e in assignment.exercise)
    owned = {e.id: owners.get(e.id, ()) for e in assignment.exercise}
    given = frozenset(
        cell.number
        for cell in submission.cells
        if "otter:ignore" in cell.marks or _ALONE.fullmatch(cell.source)
    )
    return ArrangedNotebook(tuple(cells), Located(keep_after, owned, given))


def _seed(brought: BroughtSpec, cell: NotebookCell) -> str:
    if brought.seed is None or cell.source.startswith("%%"):
        return ""
    if brought.seed_variable:
        return f"{brought.seed_variable} = {brought.seed}\n"
    return (
        "def _seed():\n    import random, numpy\n"
        f"    numpy.random.seed({brought.seed})\n    random.seed({brought.seed})\n"
        "_seed()\ndel _seed\n"
    )


def _checked(cell: NotebookCell, known: Collection[str]) -> Iterator[str]:
    """The questions that a cell checks, in order, then those that its metadata names."""
    yield from (name for name in _called(cell.source) if name in known)
    marked = (mark.removeprefix(_MARK) for mark in cell.marks if mark.startswith(_MARK))
    yield from (name for name in marked if name in known)


def _called(source: str) -> list[str]:
    tree = parse(source)
    if tree is None:
        return [found["name"] for found in _CHECK.finditer(source)]
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls.sort(key=lambda node: (node.lineno, node.col_offset))
    return [
        str(call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and call.func.attr == "check"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    ]
