"""A further run for what went wrong: its cells again, and small calls of the exercises that failed.

It only explains. If it cannot be made, nothing is explained by it, and no verdict depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from contextlib import suppress

import msgspec

from autograder.errors import NotStoredError, SandboxError
from autograder.grading.context import GradingContext
from autograder.grading.device_runs import EvidenceResult, joined, obtained
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_outcomes import WRONG
from autograder.judging.diagnosis.small_calls import asked_of
from autograder.judging.verdict import Verdict
from autograder.notebook.structure.locate import GIVEN, Located
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.uses import read_uses
from autograder.wire.messages import Call, Cell, Job, Probe

_WORD = re.compile(r"\w+")
_ANY_NAME = re.compile(r"\b(?:exec|globals)\b|import \*")


def with_small_calls(
    context: GradingContext, first: EvidenceResult, small: Job | None
) -> EvidenceResult:
    """The evidence of a submission, joined with its answers to small calls; without them where
    they cannot be had. Raises ``StoreError``."""
    if small is None:
        return first
    # guard: a small run that fails costs nothing
    with suppress(SandboxError, NotStoredError):
        more = obtained(context, small)
        return first.followed_by(more, joined(first.run, [more.run], first.run.lost))
    return first


def small_job(
    context: GradingContext,
    job: Job,
    located: Located,
    verdicts: Sequence[Verdict],
    reference: Reference,
) -> Job | None:
    """The job of the small calls for what is wrong; None if there are none."""
    probes: dict[str, Probe] = {}
    for exercise in context.loaded.spec.exercise:
        failed = [v.check for v in verdicts if v.exercise == exercise.id and v.status in WRONG]
        for trial in asked_of(exercise, failed, reference) if failed else ():
            probes |= {probe.id: probe for probe in trial.probes}
    asked = {probe.id for probe in job.probes}
    new = tuple(_traced(probe) for id_, probe in probes.items() if id_ not in asked)
    if not new:
        return None
    exercises = {probe.exercise for probe in new}
    return msgspec.structs.replace(
        job,
        cells=needed_cells(job.cells, located, exercises),
        keep_after=tuple(kept for kept in job.keep_after if kept[0] in exercises),
        probes=new,
        draw=False,
    )


def _traced(probe: Probe) -> Probe:
    assert isinstance(probe.request, Call), "nothing else is asked in a small trial"
    return msgspec.structs.replace(
        probe, request=msgspec.structs.replace(probe.request, trace=True)
    )


def needed_cells(
    cells: tuple[Cell, ...], located: Located, exercises: Collection[str]
) -> tuple[Cell, ...]:
    """The cells of these exercises, all that belong to no exercise, and of the others those that
    bind or change a name that a needed one uses, if only in a function."""
    needed = {cell.number for cell in cells if cell.exercise in ("", GIVEN)}
    needed |= {number for e in exercises for number in located.owners.get(e, ())}
    needed |= {number for e, number in located.keep_after if e in exercises}
    used = {cell.number: read_uses(cell.source).wanted for cell in cells}
    made = {cell.number: _may_make(cell.source) for cell in cells}
    while True:
        wanted = frozenset().union(*(used.get(number, ()) for number in needed))
        # guard: small calls: what a function uses is there
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
