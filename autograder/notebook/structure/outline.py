"""The template's cells in order: how a submission's cells are recognised when tags are lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

import msgspec

from autograder.assignment.model import Assignment
from autograder.notebook.structure.check_cells import GRADER, ask, set_up
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.regions import (
    TODO,
    YOUR_CODE,
    MarkError,
    strip_regions,
    strip_text,
)
from autograder.notebook.submission import Kind, NotebookCell, Submission

LIKE = 0.5  # share of a template cell's own lines that must be found to recognise a cell
SAME = 0.8  # of a given cell's lines
MAX_COMPARED = 20_000  # characters of one cell that are compared

PACKAGE = "autograder.student"  # what the set-up cell imports, in each of its forms

_OURS = frozenset({GRADER, "Grader", "autograder", "glob"})
_BOILERPLATE = frozenset({YOUR_CODE, TODO, "pass", "..."})


class TemplateCell(msgspec.Struct, frozen=True):
    """A cell as students get it. ``exercise`` is empty for text and for given cells."""

    kind: Kind
    exercise: str
    source: str


def outline_of(solution: Submission, assignment: Assignment) -> tuple[TemplateCell, ...]:
    """The outline of a solution's template; a cell whose marks are wrong counts as empty."""
    asked = {exercise.id: ask(exercise) for exercise in assignment.exercise}
    texts = {exercise.id for exercise in assignment.exercise if exercise.in_markdown}
    first = next((cell.number for cell in solution.cells if cell.kind == "code"), 0)
    outline = []
    for cell in solution.cells:
        if cell.number == first:
            outline.append(TemplateCell("code", "", set_up(assignment.id)))
        own = cell.exercise if cell.kind == "code" or cell.exercise in texts else ""
        outline.append(TemplateCell(cell.kind, own, _stripped(cell)))
        if cell.kind == "code" and (question := asked.get(own)):
            outline.append(TemplateCell("code", "", question))
    return tuple(outline)


def _stripped(cell: NotebookCell) -> str:
    if not cell.exercise:
        return cell.source
    try:
        return strip_regions(cell.source) if cell.kind == "code" else strip_text(cell.source)
    except MarkError:
        return ""


class Outline:
    """Finds a template's cells among those of a submission. Positions are indices from 0."""

    def __init__(self, cells: Sequence[TemplateCell]) -> None:
        self._cells = tuple(cells)
        lines = [_lines(cell.source) for cell in cells]
        count = Counter(line for own in lines for line in own)
        code = [at for at, cell in enumerate(cells) if cell.kind == "code"]
        self._all = {at: lines[at] for at in code}
        self._own = {at: frozenset(line for line in lines[at] if count[line] == 1) for at in code}
        self._exact = {_flat(cells[at].source): at for at in reversed(code)}
        self._texts = frozenset(_flat(cell.source) for cell in cells if cell.kind != "code")
        empty = {_uncommented(cells[at].source): cells[at].exercise for at in reversed(code)}
        self._blank = {text: exercise for text, exercise in empty.items() if text}
        self._set_up = next((at for at in code if PACKAGE in cells[at].source), -1)
        self._exercise = {cells[at].exercise: at for at in reversed(code) if cells[at].exercise}
        self._statement = {
            cells[at].exercise: _flat(cells[at - 1].source)
            for at in reversed(code)
            if cells[at].exercise and at and cells[at - 1].kind != "code"
        }

    def place_of(self, exercise: str) -> int:
        """The position of an exercise's cell in the template; -1 if it has none."""
        return self._exercise.get(exercise, -1)

    def cell(self, exercise: str) -> str:
        """An exercise's cell as in the template; "" if it has none."""
        at = self.place_of(exercise)
        return self._cells[at].source if at >= 0 else ""

    def given_cells(self) -> Iterator[tuple[int, str]]:
        """The given code cells with their positions, in order."""
        for at, cell in enumerate(self._cells):
            if cell.kind == "code" and not cell.exercise:
                yield at, cell.source

    def given(self, source: str) -> int:
        """Which given cell of the template this is, copied or slightly changed; -1 for none."""
        exact = self._exact.get(_flat(source), -1)
        if exact >= 0:
            return exact if not self._cells[exact].exercise else -1
        # A set-up cell with an answer in it is no given cell.
        if PACKAGE in source and read_names(source).defined <= _OURS:
            return self._set_up
        lines = _lines(source)
        best, most = -1, 0.0
        for at, wanted in self._all.items():
            if wanted and not self._cells[at].exercise:
                share = len(wanted & lines) / max(len(wanted), len(lines))
                if share >= SAME and share > most:
                    best, most = at, share
        return best

    def has_text(self, source: str) -> bool:
        """Whether this is a text cell of the template."""
        return _flat(source) in self._texts

    def texts(self) -> Iterator[tuple[str, str]]:
        """The text cells, each with the exercise that is answered in it or in the text cell below
        it; "" for none."""
        for at, cell in enumerate(self._cells):
            if cell.kind != "code":
                below = self._cells[at + 1] if at + 1 < len(self._cells) else None
                asked = below.exercise if below is not None and below.kind != "code" else ""
                yield cell.source, cell.exercise or asked

    def blank(self, source: str) -> str:
        """The exercise whose cell in the template this is, ignoring comments; "" for none."""
        return self._blank.get(_uncommented(source), "")

    def is_blank(self, exercise: str, source: str) -> bool:
        """Whether nothing is filled in: it is the exercise's own empty cell, or only comments."""
        text = _uncommented(source)
        return not text or self._blank.get(text) == exercise

    def alike(self, exercise: str, source: str) -> float:
        """The share of an exercise's own template lines that a cell still has; 0 for none."""
        own = self._own.get(self.place_of(exercise), frozenset())
        return len(own & _lines(source)) / len(own) if own else 0.0

    def is_of(self, exercise: str, source: str) -> bool:
        """Whether a cell has enough of an exercise's own lines to be recognised as its cell."""
        return self.alike(exercise, source) >= LIKE

    def follows(self, exercise: str, statement: str) -> bool:
        """Whether this is the text directly before the exercise's cell."""
        wanted = self._statement.get(exercise, "")
        return bool(wanted) and wanted == _flat(statement)


NO_OUTLINE = Outline(())


def likeliest(
    outline: Outline,
    exercise: str,
    cells: Sequence[NotebookCell],
    before: Mapping[int, str] | None,
) -> tuple[int, str]:
    """The number of the cell that looks most like an exercise's, and the reason; 0 for none.

    ``before`` has for a cell's number the text directly before it; None if a cell's position and id
    must not be used as a reason.
    """
    best, share, why = 0, 0.0, ""
    for cell in cells:
        found = outline.alike(exercise, cell.source)
        if found >= LIKE and found > share:
            best, share, why = cell.number, found, "it still contains lines of the template's cell"
    if best:
        return best, why
    for cell in cells if before is not None else ():  # weak reasons do not own a figure
        if before and outline.follows(exercise, before.get(cell.number, "")):
            return cell.number, "it follows the exercise's text"
        if cell.id == exercise:
            return cell.number, "it has the id of the template's cell"
    return 0, ""


def _flat(source: str) -> str:
    return " ".join(source[:MAX_COMPARED].split())


def _uncommented(source: str) -> str:
    """A cell's text without the lines that are only comments."""
    lines = (
        line for line in source[:MAX_COMPARED].split("\n") if not line.lstrip().startswith("#")
    )
    return " ".join(" ".join(lines).split())


@lru_cache(maxsize=1_024)  # a cell is compared with each exercise
def _lines(source: str) -> frozenset[str]:
    """The meaningful lines: neither blank nor part of every template cell."""
    flat = (" ".join(line.split()) for line in source[:MAX_COMPARED].split("\n"))
    return frozenset(
        line for line in flat if line and line not in _BOILERPLATE and YOUR_CODE not in line
    )
