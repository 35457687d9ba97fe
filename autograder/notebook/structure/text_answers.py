"""Finds written answers in text cells, wherever they were moved and however they were split.

An answer is what its cell holds beside the template's text, and what other text cells of the
student's hold from there, or from the text or the code above it, to the next cell of the template.
A cell is recognised by its tag, its id, lines of the template in it, or names that it defines.

Covered: cells that were moved, split, copied, joined with the question or the next one, or turned
into code or raw cells; lost tags; answers in a new cell, and below the question. Not covered:
images, which are not kept; answers in a place that nothing of the template marks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from autograder.assignment.model import Assignment
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.regions import YOUR_TEXT
from autograder.notebook.submission import NotebookCell, Submission

MAX_TEXT = 100_000  # characters of one cell
TELLING = 12  # characters of a line of the template that shows which cell it is from
_ID = "-text"  # after the exercise: the id of its text cell in the template


@dataclass(slots=True)
class TextAnswer:
    """The text of one answer, and the numbers of its cells."""

    parts: dict[str, int] = field(default_factory=dict)  # each once: copies of a cell are common
    cells: list[int] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(self.parts)


def text_cell_id(exercise: str) -> str:
    """The id of the text cell in which an exercise is answered."""
    return f"{exercise[: 64 - len(_ID)]}{_ID}"


def text_answers(
    assignment: Assignment, submission: Submission, outline: Outline
) -> dict[str, TextAnswer]:
    """The answer of each exercise that is answered in Markdown; without those whose place was not
    found."""
    if not any(exercise.in_markdown for exercise in assignment.exercise):
        return {}
    return _Search(assignment, outline).answers(submission.cells)


class _Search:
    """Reads the cells of one notebook in order. ``open`` is the exercise that text belongs to."""

    def __init__(self, assignment: Assignment, outline: Outline) -> None:
        self._in_code = {e.id: e.in_code for e in assignment.exercise if e.in_markdown}
        self._owner = {name: e.id for e in assignment.exercise for name in e.defines}
        self._outline = outline
        self._asked = {_flat(text): exercise for text, exercise in outline.texts()}
        lines = [(line, e) for text, e in outline.texts() for line in set(_lines(text))]
        count = Counter(line for line, _ in lines)
        self._lines = {line: e for line, e in lines if count[line] == 1 and len(line) >= TELLING}
        self._own = {line for text, e in outline.texts() if e for line in _lines(text)}
        self._ids = {text_cell_id(exercise): exercise for exercise in self._in_code}
        self._open = ""
        self._found: dict[str, TextAnswer] = {}

    def answers(self, cells: tuple[NotebookCell, ...]) -> dict[str, TextAnswer]:
        for cell in cells:
            if cell.kind == "code" and self._in_code.get(cell.exercise, True):
                self._pass(cell)
            else:
                self._read(cell)
        return self._found

    def _pass(self, cell: NotebookCell) -> None:
        """Go past a code cell: below an exercise's own, its text may follow."""
        found = read_names(cell.source)
        names = sorted((found.defined | found.left) & self._owner.keys())
        exercise = cell.exercise or (self._owner[names[0]] if names else "")
        if exercise or cell.locked or self._outline.given(cell.source) >= 0:
            self._open = exercise if exercise in self._in_code else ""

    def _read(self, cell: NotebookCell) -> None:
        tag = cell.exercise if cell.exercise in self._in_code else self._ids.get(cell.id, "")
        asked = self._asked.get(_flat(cell.source))
        if tag or asked is not None:
            self._open = tag or asked or ""
            self._note(self._open)
        if asked is not None:  # as in the template
            return
        parts: dict[str, list[str]] = {}
        for line in cell.source[:MAX_TEXT].split("\n"):
            exercise = self._lines.get(_flat(line))
            if exercise is not None and not tag:
                self._open = exercise
                self._note(exercise)
            elif exercise is None and self._open:
                parts.setdefault(self._open, []).append(line)
        for exercise, lines in parts.items():
            text = "\n".join(lines).replace(YOUR_TEXT, "").strip()
            if any(line not in self._own for line in _lines(text) if line):
                answer = self._note(exercise)
                answer.parts.setdefault(text, cell.number)
                answer.cells.append(cell.number)

    def _note(self, exercise: str) -> TextAnswer:
        return self._found.setdefault(exercise, TextAnswer()) if exercise else TextAnswer()


def _lines(text: str) -> Iterator[str]:
    yield from (_flat(line) for line in text.split("\n"))


def _flat(text: str) -> str:
    return " ".join(text[:MAX_TEXT].split())
