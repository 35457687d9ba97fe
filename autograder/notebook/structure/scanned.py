"""What the text of a submission's code cells shows: names, tag, place in the template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from autograder.notebook.structure.names import CellNames, look_at, read_names
from autograder.notebook.structure.outline import Outline
from autograder.notebook.submission import NotebookCell, Submission

MAX_PARSED = 200_000  # characters of code in one notebook; cells beyond that are read line by line
MAX_LOOKED = 2_000_000  # characters that are read line by line


@dataclass(frozen=True, slots=True)
class ScannedCell:
    """A code cell, what it defines, its tag if the assignment knows it, its exercise.

    ``place``: which given cell of the template it is, -1 for none. ``compared``: it was small
    enough to be compared with the template.
    """

    cell: NotebookCell
    names: CellNames
    tag: str
    place: int
    compared: bool
    owner: str = ""

    @property
    def number(self) -> int:
        return self.cell.number

    @property
    def given(self) -> bool:
        return self.place >= 0 or (self.cell.locked and not self.tag)


def scan(
    submission: Submission, wanted: Mapping[str, frozenset[str]], outline: Outline
) -> tuple[ScannedCell, ...]:
    """The code cells in order. ``wanted``: the exercises and their names."""
    scanned, parsed, looked = [], 0, 0
    for cell in submission.cells:
        if cell.kind != "code":
            continue
        size = len(cell.source)
        small = parsed + size <= MAX_PARSED
        if small:
            parsed += size
            names, place = read_names(cell.source), outline.given(cell.source)
        else:
            looked += size
            names = look_at(cell.source) if looked <= MAX_LOOKED else CellNames(frozenset())
            place = -1
        tag = cell.exercise if cell.exercise in wanted and place < 0 else ""
        foreign = tag and small and not names.defined & wanted[tag]
        if foreign and outline.alike(tag, cell.source) == 0:
            tag = next((e for e in wanted if outline.is_of(e, cell.source)), tag)  # tags exchanged
        scanned.append(ScannedCell(cell, names, tag, place, small))
    return tuple(scanned)


def lost(
    scanned: Sequence[ScannedCell], wanted: Mapping[str, frozenset[str]]
) -> Mapping[str, frozenset[str]]:
    """The exercises for which no cell is tagged."""
    tagged = {one.tag for one in scanned}
    return {exercise: names for exercise, names in wanted.items() if exercise not in tagged}
