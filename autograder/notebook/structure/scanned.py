"""What the text of a submission's code cells shows: names, tag, place in the template."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
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


def left_blank(
    scanned: Sequence[ScannedCell], wanted: Mapping[str, frozenset[str]], outline: Outline
) -> Iterator[int]:
    """The numbers of cells left blank, of exercises that another cell answers: they are not run,
    because they would undo the answer. ``wanted``: the exercises and their names.

    Covered: copies of the template's empty cell, also with other comments; cells that only leave
    names of exercises empty. Not covered: a copy with other code in it.
    """
    own = [one for one in scanned if one.compared and not one.given]
    copies = {one.number: outline.blank(one.cell.source) for one in own}
    filled = [one for one in scanned if not one.given and not copies.get(one.number)]
    answered = _answered(filled, wanted, outline)
    for one in own:
        left = one.names.left if not one.names.defined else frozenset()
        empty = {exercise for exercise, names in wanted.items() if names & left}
        empty |= {copies[one.number]} - {""}
        if empty and empty <= answered:  # a blank cell that nothing else answers is run
            yield one.number


def _answered(
    filled: Sequence[ScannedCell], wanted: Mapping[str, frozenset[str]], outline: Outline
) -> set[str]:
    """The exercises whose names other cells define. If another exercise asks for the same name, a
    cell must have the tag of the exercise, or look like its cell in the template."""
    asked = Counter(name for names in wanted.values() for name in names)
    defined = frozenset[str]().union(*(one.names.defined for one in filled))

    def answers(one: ScannedCell, exercise: str) -> bool:
        known = one.tag == exercise or (one.compared and outline.is_of(exercise, one.cell.source))
        return known and bool(one.names.defined & wanted[exercise])

    return {
        exercise
        for exercise, names in wanted.items()
        if names
        and names <= defined
        and (
            all(asked[name] == 1 for name in names) or any(answers(one, exercise) for one in filled)
        )
    }
