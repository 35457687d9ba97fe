"""Notes for student and instructor on how a notebook differs from its template.
None of it costs points by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from autograder.notebook.structure.depends import EarlyUse
from autograder.notebook.submission import TemplateStamp

NAMED = 3  # cells or exercises that a note names


def stands_again(stands: Mapping[str, tuple[int, int]]) -> Iterator[str]:
    """Notes on exercises answered twice: for each title, the cell that counts and a later one with
    the same names."""
    for title, (keep, later) in list(stands.items())[:NAMED]:
        yield (
            f"'{title}' is answered in cell {keep} and again in cell {later}, after another "
            f"exercise: the one before the next exercise (cell {keep}) counts."
        )
    if len(stands) > NAMED:
        yield f"The same applies to {len(stands) - NAMED} more."


def taken_for(cells: Mapping[int, tuple[str, str]]) -> Iterator[str]:
    """Notes on cells matched to an exercise by similarity: its title, and the reason."""
    for number, (title, why) in list(cells.items())[:NAMED]:
        yield f"Cell {number} was taken as the answer to '{title}': {why}."
    if len(cells) > NAMED:
        yield f"{len(cells) - NAMED} more cells were matched to other exercises in the same way."


def told_blank(numbers: Iterable[int]) -> Iterator[str]:
    """Notes that blank copies of cells were not run."""
    found = sorted(numbers)
    if found:
        named = ", ".join(map(str, found[:NAMED])) + (", ..." if len(found) > NAMED else "")
        yield (
            f"{'Cell' if len(found) == 1 else 'Cells'} {named}: left blank and not run, because "
            "another cell answers the exercise."
        )


def used_early(found: Sequence[EarlyUse]) -> Iterator[str]:
    """Notes on names that are used before they are defined, with the first of them."""
    cells = list(dict.fromkeys(one.cell for one in found))
    if cells:
        first = found[0]
        named = ", ".join(map(str, cells[:NAMED])) + (", ..." if len(cells) > NAMED else "")
        yield (
            f"{'Cell' if len(cells) == 1 else 'Cells'} {named}: a name is used before it is "
            f"defined (`{first.name}`, which cell {first.definer} defines)."
        )


def empty_note(owners: Mapping[str, Collection[int]], assignment: str) -> str:
    """The note that a notebook has no cell of any exercise; empty if it has. ``owners``: each
    exercise's cells."""
    if any(owners.values()):
        return ""
    return (
        f"This notebook holds no cell of the assignment '{assignment}'; "
        "is it for another assignment?"
    )


def template_notes(
    stamp: TemplateStamp | None, *, assignment: str, released: TemplateStamp | None
) -> Iterator[str]:
    """Notes on a stamp of another assignment, or of another version of the template."""
    if stamp is None:
        return
    if stamp.assignment != assignment:
        yield (
            f"The notebook is stamped for the assignment '{stamp.assignment}'; it was graded as "
            f"'{assignment}'. If the wrong file was submitted, submit the right one."
        )
    elif released is not None and stamp.version != released.version:
        yield (
            f"The notebook was made from version {stamp.version} of the template; the current "
            f"version is {released.version}."
        )
