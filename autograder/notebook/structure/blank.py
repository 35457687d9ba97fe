"""Cells left blank, of exercises that another cell answers: they are not run, because they would
undo the answer.

Covered: copies of the template's empty cell, also with other comments; cells that only leave names
of exercises empty. Not covered: a copy with other code in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.scanned import ScannedCell


def left_blank(
    scanned: Sequence[ScannedCell], wanted: Mapping[str, frozenset[str]], outline: Outline
) -> Iterator[int]:
    """The numbers of these cells. ``wanted``: the exercises and their names."""
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
