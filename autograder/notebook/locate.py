"""Finds, for each exercise, its cells and the cell after which its names are read.

The rule. A tag (cell metadata) starts a span that lasts until a cell tagged for another
exercise. An exercise without any tag (lost metadata) is marked instead by each untagged cell
that defines one of its names. The code cells of its spans belong to an exercise, except given
ones (locked and untagged). Its names are read after the last cell of its own that defines or
changes one of them; failing that, after the last cell anywhere that defines one (first among
cells neither given nor tagged for another exercise, then among all that are not given, then
among all); failing that, after its last tagged cell; failing that, never (0).

Not covered: an object changed by a function that it is only handed to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from autograder.notebook.names import Names, look_at, read_names
from autograder.notebook.submission import NotebookCell, Submission
from autograder.spec.model import Assignment
from autograder.wire import messages
from autograder.wire.messages import Cell

GIVEN = messages.GIVEN
MAX_PARSED = 500_000  # characters of code in one notebook; what follows is read line by line


@dataclass(frozen=True, slots=True)
class Located:
    """``keep_after``: (exercise id, cell number or 0), in the assignment's order.
    ``owners``: for each exercise the numbers of the code cells that belong to it."""

    keep_after: tuple[tuple[str, int], ...]
    owners: Mapping[str, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class _Scanned:
    """A code cell, what it defines, its tag if the assignment knows it, its exercise."""

    cell: NotebookCell
    names: Names
    tag: str
    owner: str = ""

    @property
    def given(self) -> bool:
        return self.cell.locked and not self.tag


def locate(assignment: Assignment, submission: Submission) -> Located:
    """Where each exercise of the assignment is in a notebook; see the rule above."""
    wanted = {
        exercise.id: frozenset(name.split(".")[0] for name in exercise.defines)
        for exercise in assignment.exercise
    }
    cells = tuple(_scan(submission, wanted))
    keep_after = []
    owners = {}
    for exercise, names in wanted.items():
        own = [scanned for scanned in cells if scanned.owner == exercise]
        keep = _keep_cell(exercise, names, cells, own)
        numbers = {scanned.cell.number for scanned in own} | ({keep} if keep else set())
        keep_after.append((exercise, keep))
        owners[exercise] = tuple(sorted(numbers))
    return Located(tuple(keep_after), owners)


def owned_cells(submission: Submission, located: Located) -> tuple[Cell, ...]:
    """The code cells as they are sent into the box, each with the exercise that owns it.

    A cell that two exercises read (answers written into one cell) keeps its own tag.
    """
    owner = {number: exercise for exercise, numbers in located.owners.items() for number in numbers}
    return tuple(
        Cell(
            number=cell.number,
            source=cell.source,
            exercise=(cell.exercise if cell.exercise in located.owners else "")
            or owner.get(cell.number, GIVEN if cell.locked else ""),
        )
        for cell in submission.cells
        if cell.kind == "code"
    )


def up_to(exercise: str, cells: tuple[Cell, ...], located: Located) -> tuple[Cell, ...]:
    """The cells that an exercise may need: all up to its last one, and the given ones that
    follow, which may finish what it defines."""
    end = max([dict(located.keep_after)[exercise], *located.owners[exercise]])
    for cell in cells:
        if cell.number > end and cell.exercise not in ("", GIVEN):
            return tuple(c for c in cells if c.number < cell.number)
    return cells


def _scan(submission: Submission, wanted: Mapping[str, frozenset[str]]) -> Iterator[_Scanned]:
    code = [cell for cell in submission.cells if cell.kind == "code"]
    tagged = {cell.exercise for cell in code}
    lost = {exercise: names for exercise, names in wanted.items() if exercise not in tagged}
    owner, parsed = "", 0
    for cell in code:
        tag = cell.exercise if cell.exercise in wanted else ""
        parsed += len(cell.source)
        names = read_names(cell.source) if parsed <= MAX_PARSED else look_at(cell.source)
        scanned = _Scanned(cell, names, tag)
        if not scanned.given:
            owner = tag or _marked(scanned.names, lost) or owner
        yield _Scanned(cell, scanned.names, tag, "" if scanned.given else owner)


def _marked(names: Names, lost: Mapping[str, frozenset[str]]) -> str:
    """The untagged exercise of whose names a cell defines most; the first of equals."""
    count = {exercise: len(names.defined & wanted) for exercise, wanted in lost.items()}
    best = max(count, key=lambda exercise: count[exercise], default="")
    return best if best and count[best] else ""


def _keep_cell(
    exercise: str, names: frozenset[str], cells: tuple[_Scanned, ...], own: list[_Scanned]
) -> int:
    """The number of the cell after which an exercise is kept, 0 for none."""
    if any(scanned.names.defined & names for scanned in own):
        touching = [
            scanned.cell.number
            for scanned in own
            if (scanned.names.defined | scanned.names.changed) & names
        ]
        return touching[-1]
    choices: tuple[Callable[[_Scanned], bool], ...] = (
        lambda scanned: not scanned.given and not scanned.tag,
        lambda scanned: not scanned.given,
        lambda scanned: True,
    )
    for allowed in choices:
        found = [s.cell.number for s in cells if allowed(s) and s.names.defined & names]
        if found:
            return found[-1]
    return max((s.cell.number for s in own if s.tag == exercise), default=0)
