"""The solution's own run and the known mistakes, with which a class is compared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from msgspec.structs import replace as replace_fields

from autograder.assignment.load import Loaded, make_cases, own_values
from autograder.assignment.pretrained import Offer
from autograder.classroom.known_mistakes import (
    NONE_READY,
    Ready,
    Report,
    bank_of,
    read_solution,
)
from autograder.classroom.mutant_bank import MutantBank
from autograder.classroom.solution_problems import SolutionFile, SolutionRun
from autograder.errors import NotStoredError, SandboxError, SpecError, SubmissionError
from autograder.evidence.object_store import store_at
from autograder.evidence.records import Measured, Run
from autograder.execution.engines.base import Engine
from autograder.grading.context import (
    Arrange,
    GradingContext,
    PreparedClass,
    Runner,
)
from autograder.grading.device_runs import NO_DEVICES, Devices
from autograder.grading.job import evidence, make_job, run_solution
from autograder.judging.checks.plan import JudgingPlan
from autograder.judging.judge import judge
from autograder.notebook.arranged import texts_of
from autograder.notebook.formats.read import read
from autograder.notebook.structure.outline import Outline, outline_of
from autograder.notebook.submission import TemplateStamp
from autograder.wire.messages import Call, Job

NO_REFERENCE = Run((), (), Measured(0.0, 0.0, 0.0, 0, "none", ()))
TIMED_RUNS, TIMED_CALLS = 2, 4  # for the reference in checks of cost: processes, calls in each


class NothingRuns:
    """Replaces the sandbox while regrading, when every run must be stored already."""

    def run(self, job: Job) -> Run:
        raise NotStoredError(
            "the stored evidence no longer fits (the assignment's inputs, names or limits, or "
            "the grader's version have changed, or a training check needs more runs under its "
            "new rule); run `autograder grade` again with the same --out"
        )

    def accepts(self, level: str) -> bool:
        return True


def make_context(
    loaded: Loaded,
    offer: Offer,
    runner: Runner,
    *,
    seed: int,
    draw: bool,
    evidence: Path | str,
    devices: Devices = NO_DEVICES,
    arrange: Arrange | None = None,
) -> GradingContext:
    """Everything that the runs of a class share; ``evidence``: a folder, or the URL of a store.
    ``arrange`` is needed for an assignment of another tool. Raises ``SpecError``,
    ``UsageError``."""
    cases = JudgingPlan(make_cases(loaded, seed))
    store = store_at(evidence)
    return GradingContext(
        loaded,
        cases,
        seed,
        draw,
        runner,
        store,
        offer.digest,
        offer.unavailable,
        devices.names,
        devices.runner,
        released_stamp(loaded),
        Outline(outline_of(read_solution(loaded), loaded.spec)),
        arrange=arrange,
        given=frozenset() if loaded.spec.brought is None else texts_of(loaded.template),
        data=own_values(loaded, cases),
    )


def prepare_reference(
    context: GradingContext,
    engine: Engine,
    report: Report,
    *,
    mistakes: bool = True,
    ready: Ready = NONE_READY,
) -> PreparedClass:
    """Run the solution and, if wanted, the known mistakes that are not ``ready``.

    Raises ``SpecError`` if the solution fails, ``SandboxError`` if it cannot be run, even on one
    device only: then submissions could not be tested there either.
    """
    loaded = context.loaded
    if loaded.spec.brought is not None:
        return PreparedClass(context, NO_REFERENCE, ())
    report("Running the solution", 1)
    solution = read_solution(loaded)
    expected = run_solution(context, solution)
    if expected.lost:  # a solution that is lost on a device
        raise SandboxError(
            f"the solution: {'; '.join(expected.lost)}; use --devices none to grade without it"
        )
    expected = steady(context, make_job(context, solution)[0], expected)
    verdicts = judge(loaded.spec, expected, context.reference(expected))
    file = SolutionFile(loaded.solution, solution)
    problems = SolutionRun(file, loaded.spec, expected, context.cases).problems(verdicts)
    if problems:
        raise SpecError(problems)
    prepared = PreparedClass(context, expected)
    if not mistakes:
        return prepared
    ids = {exercise.id for exercise in loaded.spec.exercise}
    bank = bank_of(prepared, ids, engine, report, ready)
    return replace(prepared, bank=bank, mutants=MutantBank(prepared))


def steady(context: GradingContext, job: Job, expected: Run) -> Run:
    """The evidence of the reference's job with, for timed calls, the least cost of several calls.

    Noise and what a first call loads only ever add cost; a slow moment of the reference would let
    slow code pass.
    """
    timed = tuple(p for p in job.probes if isinstance(p.request, Call) and p.request.discard)
    # The reference is timed after a first call.
    repeated = {f"{p.id}, call {n}": p for n in range(TIMED_CALLS) for p in timed}
    probes = tuple(replace_fields(p, id=name) for name, p in repeated.items())
    names = {name: p.id for name, p in repeated.items()} | {p.id: p.id for p in timed}
    runs = [expected]
    for number in range(TIMED_RUNS) if timed else ():
        again = replace_fields(job, probes=probes, seed=job.seed + number, draw=False)
        runs.append(evidence(context, again)[0])
    found = [p for run in runs for p in run.probes if p.id in names and p.claim is not None]
    least = {names[p.id]: p.spent for p in sorted(found, key=lambda p: -p.spent.cpu_s)}
    return replace_fields(
        expected,
        probes=tuple(replace_fields(p, spent=least.get(p.id, p.spent)) for p in expected.probes),
    )


def released_stamp(loaded: Loaded) -> TemplateStamp | None:
    """The stamp of the template in student_templates/, if there is one."""
    try:
        return read(loaded.template).stamp if loaded.template.is_file() else None
    except SubmissionError:
        return None


def only_stored(prepared: PreparedClass) -> PreparedClass:
    """The context for regrading stored submissions: nothing can be run, all evidence must be
    stored."""
    stored = replace(prepared.context, runner=NothingRuns(), device_runner=None, mends=False)
    return replace(prepared, context=stored)
