"""Arranges a notebook as nbgrader runs it: locked cells as the instructor wrote them, and each
test cell in its place.

Cells are matched to the instructor's by id; of several cells with one id, the last counts. A
missing locked or test cell is restored after the nearest preceding instructor's cell that is still
there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.assignment.kinds import AnswerCellCheck
from autograder.assignment.model import Assignment
from autograder.errors import SpecError
from autograder.notebook.arranged import ArrangedNotebook
from autograder.notebook.structure.locate import GIVEN, Located
from autograder.notebook.submission import NotebookCell, Submission
from autograder.wire.messages import Cell

SOURCE = "source.ipynb"

_MARK = "nbgrader:"
_ENVIRONMENT = "import os\nos.environ['NBGRADER_EXECUTION'] = 'autograde'\ndel os\n"


@dataclass(frozen=True, slots=True)
class InstructorCell:
    """One of the instructor's cells that has an id. ``locked``: students' changes are undone."""

    id: str
    kind: str
    source: str
    locked: bool


def arranged(assignment: Assignment, submission: Submission, folder: Path) -> ArrangedNotebook:
    """The submission's cells merged with the instructor's. Raises ``SpecError`` when the source is
    invalid."""
    by_hand = {e.name or e.id: e.id for e in assignment.exercise if _by_hand(e.check)}
    tests = {e.name or e.id: e.id for e in assignment.exercise if not _by_hand(e.check)}
    source = {cell.id: cell for cell in source_cells(folder / SOURCE)}
    last = {_id(cell): cell for cell in submission.cells if _id(cell) in source}
    spare = max((cell.number for cell in submission.cells), default=0) + 1
    cells = [Cell(spare, _ENVIRONMENT, GIVEN)]
    kept, owners, pending = dict[str, int](), dict[str, tuple[int, ...]](), list[int]()
    tested: tuple[int, ...] = ()
    for number, own, text in _in_place(source, submission.cells, last, tests, spare + 1):
        if own in tests:
            cells.append(Cell(number, ""))
            kept[tests[own]] = number
            tested, pending = tuple(pending) or tested, []  # several tests of one answer share it
            owners[tests[own]] = tested
        else:
            given = own in source and source[own].locked
            cells.append(Cell(number, text, GIVEN if given else ""))
            pending += [] if given else [number]
    keep_after = tuple((e.id, kept.get(e.id, 0)) for e in assignment.exercise)
    written = {id_: (last[own].number,) for own, id_ in by_hand.items() if own in last}
    owned = {e.id: written.get(e.id, owners.get(e.id, ())) for e in assignment.exercise}
    texts = {id_: last[own].source if own in last else None for own, id_ in by_hand.items()}
    code = ((own, cell) for own, cell in last.items() if cell.kind == "code")
    fixed = frozenset(cell.number for own, cell in code if source[own].locked or own in tests)
    return ArrangedNotebook(tuple(cells), Located(keep_after, owned, fixed), texts)


def _by_hand(checks: Sequence[object]) -> bool:
    return all(isinstance(check, AnswerCellCheck) for check in checks)


def _in_place(
    source: Mapping[str, InstructorCell],
    cells: Sequence[NotebookCell],
    last: Mapping[str, NotebookCell],
    tests: Mapping[str, str],
    spare: int,
) -> Iterator[tuple[int, str, str]]:
    """The cells to run, in order: number, id (or ""), source."""
    lost = _lost(source, last, tests)

    def put_back(anchor: str) -> Iterator[tuple[int, str, str]]:
        nonlocal spare
        for one in lost.get(anchor, ()):
            yield spare, one.id, one.source
            spare += 1

    yield from put_back("")
    for cell in cells:
        own = _id(cell)
        known = source.get(own) if last.get(own) is cell else None
        if known is None:
            if cell.kind == "code":
                yield cell.number, "", cell.source
            continue
        if known.kind == "code":
            # Locked cells of another tool are the instructor's.
            yield cell.number, own, known.source if known.locked else cell.source
        yield from put_back(own)  # a deleted locked cell is put back


def _lost(
    source: Mapping[str, InstructorCell], last: Mapping[str, NotebookCell], tests: Mapping[str, str]
) -> dict[str, list[InstructorCell]]:
    """Missing locked and test cells, by the id of the cell after which they belong."""
    lost: dict[str, list[InstructorCell]] = {}
    anchor = ""
    for own, cell in source.items():
        if own in last:
            anchor = own
        elif cell.kind == "code" and (cell.locked or own in tests):
            lost.setdefault(anchor, []).append(cell)
    return lost


def _id(cell: NotebookCell) -> str:
    found = (mark.removeprefix(_MARK) for mark in cell.marks if mark.startswith(_MARK))
    return next(found, "")


def source_cells(path: Path) -> tuple[InstructorCell, ...]:
    """The instructor's cells with an id; raises ``SpecError``."""
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        return tuple(one for cell in notebook["cells"] if (one := _source_cell(cell)) is not None)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as bad:
        why = f"{type(bad).__name__}: {bad}"
        raise SpecError([f"{path}: cannot be read ({why}); import the assignment again"]) from None


def _source_cell(cell: Mapping[str, Any]) -> InstructorCell | None:
    noted = cell.get("metadata", {}).get("nbgrader", {})
    own = noted.get("grade_id")
    if not own:
        return None
    source = cell["source"]
    text = source if isinstance(source, str) else "".join(source)
    solution = bool(noted.get("solution"))
    locked = not solution and bool(noted.get("grade") or noted.get("locked"))
    return InstructorCell(str(own), str(cell["cell_type"]), text, locked)
