"""Restores given cells of the template that a submission has lost, where its code needs them.

Covered: imports and helper functions whose names the submission uses but does not define, or that
checks ask for; a given cell that a student has changed so that it fails (``insert_originals``).
Not covered: given cells that were changed and do not fail, as long as they define the same names;
answers, which are never restored.
"""

from __future__ import annotations

from collections.abc import Collection

import msgspec

from autograder.notebook.structure.depends import MAX_CODE
from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.uses import Uses, read_uses
from autograder.notebook.submission import NotebookCell, Submission

SHOWN = 60  # characters of a cell's first line
_BACK, _BEFORE = "put:back", "put:before"  # marks of cells that do not come from the submission


def restore_missing(
    submission: Submission, outline: Outline, asked: Collection[str] = ()
) -> Submission:
    """The submission with the given cells that it lacks, reported in its repairs. Their numbers
    follow those of the submission's own cells. ``asked``: names that checks ask for."""
    code = [cell for cell in submission.cells if cell.kind == "code"]
    if sum(len(cell.source) for cell in code) > MAX_CODE:
        return submission
    uses = {cell.number: read_uses(cell.source) for cell in code}
    there = frozenset[str]().union(*(use.bound for use in uses.values()))
    # A given function that checks call is put back.
    lacking = frozenset(asked).union(*(use.wanted for use in uses.values())) - there
    wanted = _wanted(outline, lacking, there)
    cells = list(submission.cells)
    last = max((cell.number for cell in cells), default=0)
    put = [
        NotebookCell(number, "code", wanted[at], locked=True, marks=(_BACK,))
        for number, at in enumerate(sorted(wanted), last + 1)
    ]
    uses |= {cell.number: read_uses(cell.source) for cell in put}
    for cell in reversed(put):  # the cells that it needs come before it
        cells.insert(_place(cells, uses, uses[cell.number], there), cell)
    repairs = (*submission.repairs, *(_note(cell.source) for cell in put))
    return msgspec.structs.replace(submission, cells=tuple(cells), repairs=repairs)


def insert_originals(
    submission: Submission, outline: Outline, failed: Collection[int]
) -> Submission | None:
    """The submission with the template's own given cell before a changed one that failed, if other
    cells use its names, reported in a repair. None if there is no such cell.

    ``failed``: numbers of the cells that did not end well.
    """
    code = [cell for cell in submission.cells if cell.kind == "code"]
    if not failed or sum(len(cell.source) for cell in code) > MAX_CODE:
        return None
    uses = {cell.number: read_uses(cell.source) for cell in code}
    there = {cell.source.strip() for cell in code}
    given = [(source, read_uses(source)) for _, source in outline.given_cells()]
    given = [(source, own) for source, own in given if source.strip() not in there]
    number = max((cell.number for cell in submission.cells), default=0)
    cells: list[NotebookCell] = []
    repairs = list(submission.repairs)
    for cell in submission.cells:
        # A given cell runs before its changed copy only where that failed.
        for source, own in given if cell.number in failed else ():
            bound = uses[cell.number].bound if cell.number in uses else frozenset()
            used = any(own.bound & uses[n].wanted for n in uses if n != cell.number)
            if used and 2 * len(own.bound & bound) >= len(own.bound) > 0:
                number += 1
                cells.append(NotebookCell(number, "code", source, locked=True, marks=(_BEFORE,)))
                repairs.append(
                    f"Cell {cell.number} is a given cell that was changed and fails; the "
                    "template's original cell was run before it."
                )
        cells.append(cell)
    if len(cells) == len(submission.cells):
        return None
    return msgspec.structs.replace(submission, cells=tuple(cells), repairs=tuple(repairs))


def with_less(submission: Submission) -> tuple[Submission, ...]:
    """The submission without what ``insert_originals`` inserted, and also without what
    ``restore_missing`` did; none if nothing was inserted."""
    kinds = {mark for cell in submission.cells for mark in cell.marks} & {_BACK, _BEFORE}
    several = ({_BEFORE}, {_BACK, _BEFORE}) if kinds == {_BACK, _BEFORE} else (kinds,)
    return tuple(
        msgspec.structs.replace(
            submission, cells=tuple(c for c in submission.cells if left_out.isdisjoint(c.marks))
        )
        for left_out in several
        if left_out
    )


def _wanted(outline: Outline, lacking: frozenset[str], there: frozenset[str]) -> dict[int, str]:
    """The given cells, by their place in the template, that define what is missing, and what they
    need in turn."""
    wanted: dict[int, str] = {}
    open_ = True
    while lacking and open_:
        open_ = False
        for at, source in outline.given_cells():
            own = read_uses(source)
            if at not in wanted and own.bound & lacking:
                wanted[at] = source
                there |= own.bound
                lacking = (lacking | own.wanted) - there
                open_ = True
    return wanted


def _place(
    cells: list[NotebookCell], uses: dict[int, Uses], own: Uses, there: frozenset[str]
) -> int:
    """The position of a given cell: before all code, so that later definitions by the student
    prevail; if it depends on the submission itself, before the first cell that uses its names."""
    builds = bool(own.now & there)
    for at, cell in enumerate(cells):
        if cell.kind == "code" and (not builds or own.bound & uses[cell.number].wanted):
            return at
    return 0


def _note(source: str) -> str:
    first = next((line.strip() for line in source.split("\n") if line.strip()), "")
    return f"A given cell of the template was missing and was restored: '{first[:SHOWN]}'."
