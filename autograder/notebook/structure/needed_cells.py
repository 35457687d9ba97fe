"""The part of a job that some of its exercises need."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

import msgspec

from autograder.notebook.structure.locate import Located
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.uses import read_uses
from autograder.wire.messages import Cell, Job, Probe

_WORD = re.compile(r"\w+")
_ANY_NAME = re.compile(r"\b(?:exec|globals)\b|import \*")


def narrowed(job: Job, located: Located, probes: tuple[Probe, ...]) -> Job:
    """The job with other questions, and only the cells that their exercises need."""
    exercises = {probe.exercise for probe in probes}
    return msgspec.structs.replace(
        job,
        cells=needed_cells(job.cells, located, exercises, probes),
        keep_after=tuple(kept for kept in job.keep_after if kept[0] in exercises),
        probes=probes,
        draw=False,
    )


def needed_cells(
    cells: tuple[Cell, ...],
    located: Located,
    exercises: Collection[str],
    probes: Iterable[Probe] = (),
) -> tuple[Cell, ...]:
    """The cells of these exercises, the student's own that belong to no exercise, and of the others
    those that bind or change a name that a needed one uses, if only in a function, or that is asked
    for: a given function may call a student's."""
    needed = {cell.number for cell in cells if not cell.exercise}
    needed |= {number for e in exercises for number in located.owners.get(e, ())}
    needed |= {number for e, number in located.keep_after if e in exercises}
    used = {cell.number: read_uses(cell.source).wanted for cell in cells}
    made = {cell.number: _may_make(cell.source) for cell in cells}
    # A given function that is called is there.
    asked = {probe.target.partition(".")[0] for probe in probes}
    while True:
        wanted = asked.union(*(used.get(number, ()) for number in needed))
        more = {number for number, names in made.items() if names & wanted} - needed
        if not more:
            break
        needed |= more
    return tuple(cell for cell in cells if cell.number in needed)


def _may_make(source: str) -> frozenset[str]:
    """The names that a cell may bind or change."""
    if _ANY_NAME.search(source):
        return frozenset(_WORD.findall(source))
    names = read_names(source)
    return names.defined | names.changed | names.left
