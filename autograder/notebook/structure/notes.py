"""What is told of a notebook that is not as its template was, in sentences for student and
instructor. None of it costs points by itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from autograder.notebook.structure.depends import EarlyUse
from autograder.notebook.submission import TemplateStamp

NAMED = 3  # cells or exercises that a note names


def stands_again(stands: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """For exercises by title: the cell that counts, and a later one with the same names."""
    for title, (keep, later) in list(stands.items())[:NAMED]:
        yield (
            f"'{title}' stands in cell {keep} and again in cell {later}, after another exercise: "
            "the one before the next exercise counts."
        )
    if len(stands) > NAMED:
        yield f"So it is with {len(stands) - NAMED} more."


def taken_for(cells: Mapping[int, tuple[str, str]]) -> Iterator[str]:
    """For cells that an exercise was found by likeness in: its title, and what speaks for it."""
    for number, (title, why) in list(cells.items())[:NAMED]:
        yield f"Cell {number} was taken for '{title}': {why}."
    if len(cells) > NAMED:
        yield f"So were {len(cells) - NAMED} more cells for other exercises."


def told_blank(numbers: Iterable[int]) -> Iterator[str]:
    """That empty copies of cells were not run."""
    found = sorted(numbers)
    if found:
        named = ", ".join(map(str, found[:NAMED])) + (", ..." if len(found) > NAMED else "")
        yield (
            f"{'Cell' if len(found) == 1 else 'Cells'} {named}: nothing is filled in, and another "
            "cell answers the exercise; not run."
        )


def used_early(found: Sequence[EarlyUse]) -> Iterator[str]:
    """That names are used above their definition, with the first of them."""
    cells = list(dict.fromkeys(one.cell for one in found))
    if cells:
        first = found[0]
        named = ", ".join(map(str, cells[:NAMED])) + (", ..." if len(cells) > NAMED else "")
        yield (
            f"{'Cell' if len(cells) == 1 else 'Cells'} {named}: a name is used that only a cell "
            f"below defines (`{first.name}`, which cell {first.definer} defines)."
        )


def made_from(
    stamp: TemplateStamp | None, *, assignment: str, released: TemplateStamp | None
) -> Iterator[str]:
    """That a notebook's stamp is of another assignment, or of another version of its template."""
    if stamp is None:
        return
    if stamp.assignment != assignment:
        yield (
            f"The notebook says that it was made for the assignment '{stamp.assignment}'; it was "
            f"graded as '{assignment}'. If the wrong file was handed in, hand in the right one."
        )
    elif released is not None and stamp.version != released.version:
        yield (
            f"The notebook was made from version {stamp.version} of the template; the present one "
            f"is {released.version}."
        )
