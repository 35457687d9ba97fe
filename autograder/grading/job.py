"""The jobs of one submission: its cells, every question of the assignment once, and further
questions if the answers leave a check undecided."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import msgspec

from autograder.assignment.kinds import Check
from autograder.errors import BusyError
from autograder.evidence.records import Run
from autograder.grading.context import GradingContext, notebook_seed
from autograder.grading.device_runs import EvidenceResult, joined, obtained, real_device
from autograder.judging.checks.registry import further, probes
from autograder.judging.diagnosis.small_calls import tried_probes
from autograder.notebook.arranged import with_given
from autograder.notebook.structure.accelerators import asks_for_one
from autograder.notebook.structure.locate import Located, locate, owned_cells
from autograder.notebook.submission import Submission
from autograder.sandbox.account import is_simulated
from autograder.wire.messages import GivenText, Job, Limits, Probe, Test


def plan(context: GradingContext) -> tuple[Probe, ...]:
    """The first questions, each once."""
    return _each_once(
        (check, probe)
        for exercise in context.loaded.spec.exercise
        if exercise.id not in context.unavailable
        for check in exercise.check
        for probe in probes(check, exercise.id, context.cases)
    )


def asked_names(context: GradingContext) -> frozenset[str]:
    """The names that the first questions call or read."""
    return frozenset(probe.target.partition(".")[0] for probe in plan(context)) - {""}


def _each_once(asked: Iterable[tuple[Check, Probe]]) -> tuple[Probe, ...]:
    """Public questions first, because what a student's code says after it has met a hidden input
    must not be quoted to the student. Tests of other tools keep their order: the hidden ones have a
    process of their own."""
    ordered = sorted(asked, key=lambda e: not (e[0].public or isinstance(e[1].request, Test)))
    chosen: dict[str, Probe] = {}
    for check, probe in ordered:
        named = f"{probe.exercise}/{check.id}"
        chosen.setdefault(probe.id, msgspec.structs.replace(probe, check=named))
    return tuple(chosen.values())


def make_job(context: GradingContext, submission: Submission) -> tuple[Job, Located]:
    """Cells, questions, seed and limits. It contains no answer."""
    if context.loaded.spec.brought is not None:
        return _brought_job(context, submission)
    located = locate(context.loaded.spec, submission, context.outline)
    limits = Limits(**context.loaded.spec.limits.model_dump())
    cells = owned_cells(submission, located)
    asked = tuple(p for p in plan(context) if real_device(p) in ("", *context.devices))
    texts = {exercise: answer.text for exercise, answer in located.texts.items()}
    asked = tuple(_told(probe, texts) for probe in asked)
    simulated = any(is_simulated(probe) for probe in asked)
    job = Job(
        cells,
        located.keep_after,
        asked,
        notebook_seed(context.seed),
        limits,
        context.draw,
        models=context.models,
        files=context.loaded.files.digest,  # an assignment's files are in the evidence's key
        beside=submission.beside,
        # Cells that ask for an accelerator run beside one.
        pretend=simulated and asks_for_one(cell.source for cell in cells),
        data=context.data,
    )
    return job, located


def answered(context: GradingContext, job: Job) -> EvidenceResult:
    """A job's run, joined with that of a further job if its training runs leave a check open.
    Raises ``SandboxError``, ``StoreError``."""
    first = obtained(context, job)
    rest = further_job(context, job, first.run)
    if rest is None:
        return first
    more = obtained(context, rest)
    return first.followed_by(more, joined(first.run, [more.run], first.run.lost))


def further_job(context: GradingContext, job: Job, run: Run) -> Job | None:
    """A job of the same cells with the questions that ``run`` leaves open; None if there are
    none."""
    asked = {probe.id for probe in job.probes}
    rest = _each_once(
        (check, probe)
        for exercise in context.loaded.spec.exercise
        for check in exercise.check
        for probe in further(check, exercise.id, run, context.cases, context.loaded.relations)
        if probe.id not in asked
    )
    return msgspec.structs.replace(job, probes=rest, draw=False, pretend=False) if rest else None


def _brought_job(context: GradingContext, submission: Submission) -> tuple[Job, Located]:
    """The job of a notebook of another tool, which contains its own tests."""
    spec = context.loaded.spec
    assert context.arrange is not None, "only for an assignment of another tool"
    found = context.arrange(spec, submission, context.loaded.folder)
    asked = tuple(_told(probe, found.texts) for probe in plan(context))
    apart = any(isinstance(p.request, Test) and p.request.hidden for p in asked)
    job = Job(
        found.cells,
        found.located.keep_after,
        asked,
        notebook_seed(context.seed),
        Limits(**spec.limits.model_dump()),
        context.draw,
        models=context.models,
        apart=apart,
        files=context.loaded.files.digest,
        beside=submission.beside,
    )
    return job, with_given(found.located, submission, context.given)


def _told(probe: Probe, texts: Mapping[str, str | None]) -> Probe:
    """The question with the cell's text, if its answer is the text of a cell."""
    if not isinstance(probe.request, GivenText):
        return probe
    return msgspec.structs.replace(probe, request=GivenText(texts.get(probe.exercise)))


def answered_in_time(context: GradingContext, job: Job) -> EvidenceResult:
    """A job's run with the instructor's code. One that lacked time is made once more. Raises
    ``SandboxError``, ``StoreError``."""
    try:
        return answered(replace(context, alone=False), job)
    except BusyError:
        return answered(replace(context, alone=True), job)


def evidence(context: GradingContext, job: Job) -> tuple[Run, bool]:
    """The run of an instructor's code, stored or made just now (then True), on available
    accelerators as well. Raises ``SandboxError``, ``StoreError``."""
    found = answered_in_time(context, job)
    return found.run, found.fresh


def run_solution(context: GradingContext, solution: Submission) -> Run:
    """The solution's evidence: it is run exactly as a submission is, and answers all small calls
    that a wrong one may be asked."""
    job, _ = make_job(context, solution)
    exercises = [e for e in context.loaded.spec.exercise if e.id not in context.unavailable]
    more = [probe for e in exercises for probe in tried_probes(e, context.cases)]
    return evidence(context, with_probes(job, more))[0]


def with_probes(job: Job, more: Iterable[Probe]) -> Job:
    """The job with further questions after its own, each once."""
    probes = {probe.id: probe for probe in (*job.probes, *more)}
    return msgspec.structs.replace(job, probes=tuple(probes.values()))
