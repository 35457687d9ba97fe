"""The known mistakes of an assignment, run or read from evidence."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.model import Exercise
from autograder.classroom.solution_problems import SolutionFile
from autograder.errors import SpecError, SubmissionError, UsageError
from autograder.evidence.records import Run
from autograder.execution.engines.base import Engine
from autograder.grading.context import GradingContext, PreparedClass
from autograder.grading.device_runs import EvidenceResult, joined
from autograder.grading.job import answered_in_time, make_job, with_probes
from autograder.judging.diagnosis.known import KnownMistake, carried, known_later, part_names
from autograder.judging.diagnosis.small_calls import small_probes
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import up_to
from autograder.notebook.structure.names import parse
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, apply_variant, read_variants
from autograder.wire.messages import Call

Ready = Mapping[str, Sequence[str]]  # keys of the stored evidence, by the name of the mistake
NONE_READY: Ready = {}
Report = Callable[[str, int], None]  # the current step, and its number of items


@dataclass(frozen=True, slots=True)
class WorkProgress:
    """Is notified of the progress of long work: when a step ``begin``s, with its number of items,
    and of each item that is ``done``, with its outcome."""

    begin: Report
    done: Callable[[Any], None]


def bank_of(
    prepared: PreparedClass,
    exercises: Collection[str],
    engine: Engine,
    report: Report,
    ready: Ready = NONE_READY,
) -> tuple[KnownMistake, ...]:
    """The known mistakes of these exercises with their evidence, run or read now; what is ``ready``
    is read when a submission is first compared with it. Raises ``SpecError``, ``SandboxError``,
    ``StoreError``.

    A mistake is also known in the exercises that build on its own, in what they give with it: an
    answer there may hold the same formula instead of calling the earlier part.
    """
    context, reference = prepared.context, prepared.reference
    # Prepared mistakes were run on no device.
    ready = NONE_READY if context.devices else ready
    places = [
        (variant, place)
        for variant in mistakes_of(context)
        for place in _places(context, variant)
        if place.id in exercises
    ]
    variants = list(dict.fromkeys(variant for variant, _ in places))
    waiting = [variant for variant in variants if variant.name not in ready]
    made = dict(zip(waiting, run_mistakes(prepared, waiting, engine, report), strict=True))

    def run_of(variant: Variant) -> Run:
        if variant in made:
            return made[variant].run
        return _as_stored(prepared, variant, ready[variant.name])

    return tuple(
        known_later(place, variant, partial(run_of, variant), reference)
        if place.id == variant.exercise
        else carried(place, variant, partial(run_of, variant), reference)
        for variant, place in places
    )


def _places(context: GradingContext, variant: Variant) -> list[Exercise]:
    """A mistake's own exercise, and the later ones with a check that names it as a part."""
    every = [e for e in context.loaded.spec.exercise if e.id not in context.unavailable]
    own = next(exercise for exercise in every if exercise.id == variant.exercise)
    names = {name.partition(".")[0] for name in own.defines}
    later = every[every.index(own) + 1 :]
    return [own, *(exercise for exercise in later if names & part_names(exercise))]


def run_mistakes(
    prepared: PreparedClass,
    variants: Sequence[Variant],
    engine: Engine,
    report: Report,
) -> tuple[EvidenceResult, ...]:
    """The runs of known mistakes, stored or made now: each only up to its own exercise or the last
    one that builds on it, and without timed calls. Raises ``SpecError``, ``SandboxError``,
    ``StoreError``."""
    report("Running the known mistakes", len(variants))
    solution = read_solution(prepared.context.loaded)
    ordered = dict(engine.map(partial(run_mistake, prepared, solution), variants))
    return tuple(ordered[i] for i in range(len(variants)))


def run_mistake(prepared: PreparedClass, solution: Submission, variant: Variant) -> EvidenceResult:
    """The run of one known mistake, as for ``run_mistakes``."""
    context = prepared.context
    job, located = make_job(context, apply_variant(solution, variant))
    places = _places(context, variant)
    cells = max((up_to(place.id, job.cells, located) for place in places), key=len)
    ids = {place.id for place in places}
    own = [p for p in job.probes if p.exercise in ids]
    own = [p for p in own if not (isinstance(p.request, Call) and p.request.discard)]
    small = [p for place in places for p in small_probes(place, prepared.reference)]
    short = msgspec.structs.replace(job, cells=cells, probes=tuple(own), draw=False)
    return answered_in_time(context, with_probes(short, small))


def _as_stored(prepared: PreparedClass, variant: Variant, keys: Sequence[str]) -> Run:
    """The run that was stored under these keys; made now if it is damaged."""
    context = prepared.context
    found = [run for run in map(context.store.load, keys) if run is not None]
    if len(found) == len(keys) and all(context.runner.accepts(r.measured.level) for r in found):
        return joined(found[0], found[1:]) if len(found) > 1 else found[0]
    return run_mistake(prepared, read_solution(context.loaded), variant).run


def mistakes_of(context: GradingContext) -> tuple[Variant, ...]:
    """The known mistakes of all exercises that the box can offer."""
    every = variants_in(context.loaded, "mistakes")
    return tuple(mistake for mistake in every if mistake.exercise not in context.unavailable)


def variants_in(loaded: Loaded, kind: str) -> tuple[Variant, ...]:
    """The files under mistakes/ or equivalents/; raises ``SpecError`` for one whose exercise does
    not exist."""
    folder = loaded.solutions / kind
    found = read_variants(folder)
    ids = {exercise.id for exercise in loaded.spec.exercise}
    problems = [
        f"{folder / v.name}.py, line 1: the assignment has no exercise {v.exercise!r}; use one "
        f"of {', '.join(sorted(ids))}"
        for v in found
        if v.exercise not in ids
    ]
    if problems:
        raise SpecError(problems)
    return found


def refuse_brought(loaded: Loaded, done: str) -> None:
    """Raise ``UsageError`` for an assignment of another tool: it has no reference of ours."""
    if loaded.spec.brought is not None:
        tool = loaded.spec.brought.tool
        raise UsageError(
            f"{loaded.spec.id} was imported from {tool} and cannot be {done} here; change it in "
            f"{tool} and run `autograder import {tool}` again. `autograder grade` grades it, its "
            "solution included"
        )


def read_solution(loaded: Loaded) -> Submission:
    """The solution's cells; none for an assignment of another tool, whose tests need no reference.
    Raises ``SpecError``, also for a cell that is not Python."""
    if loaded.spec.brought is not None:
        return Submission("", "", ())
    try:
        solution = read(loaded.solution)
    except SubmissionError as bad:
        raise SpecError([f"{loaded.solution}: {bad.to_author()}"]) from None
    code = (cell for cell in solution.cells if cell.kind == "code")
    file = SolutionFile(loaded.solution, solution)
    problems = [file.unparsed(cell) for cell in code if parse(cell.source) is None]
    if problems:  # the solution's syntax errors are named with their lines
        raise SpecError(problems)
    return solution
