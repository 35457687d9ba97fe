"""Grades a class into a results folder, or judges it again from stored evidence."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace as replace_fields

from autograder.assignment.load import Loaded, make_cases
from autograder.assignment.pretrained import Offer
from autograder.classroom.known_mistakes import NONE_READY, Ready, bank_of, read_solution
from autograder.classroom.metrics.recorder import Recorder
from autograder.classroom.regrade.basis import Basis, basis_of, digest
from autograder.classroom.regrade.judging import JudgingMemory
from autograder.classroom.regrade.standing import book, keep_standing, standing_of, written
from autograder.classroom.regrade.table import DigestTable
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.classroom.seed_pool import seeds_folder
from autograder.classroom.write_results import write_class, write_student
from autograder.errors import NotStoredError, SandboxError, SpecError, StoppedError, SubmissionError
from autograder.evidence.object_store import store_at
from autograder.evidence.records import Measured, Run
from autograder.evidence.store import versions
from autograder.execution.engines.base import Engine
from autograder.execution.interrupts import Stoppable, StopRequest
from autograder.gradebook.commits import Commits
from autograder.gradebook.overview import Overview
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.standings import counter_of
from autograder.gradebook.store import ArrivalRecord, GradeStore
from autograder.grading.context import (
    Arrange,
    AttemptSet,
    GradedSubmission,
    GradingContext,
    PreparedClass,
    Runner,
    SubmissionSource,
)
from autograder.grading.device_runs import NO_DEVICES, Devices, chosen, used, wanted_devices
from autograder.grading.job import evidence, make_job, run_solution
from autograder.judging.checks.plan import JudgingPlan
from autograder.judging.diagnosis.known import MistakeText
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.structure.outline import Outline, outline_of
from autograder.notebook.students import safe_name
from autograder.notebook.submission import TemplateStamp
from autograder.pipeline import grade_class
from autograder.sandbox.accelerators import Accelerator, find_accelerators
from autograder.sandbox.box import Box, Level
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Job

NO_REFERENCE = Run((), (), Measured(0.0, 0.0, 0.0, 0, "none", ()))
TIMED_RUNS, TIMED_CALLS = 2, 4  # of the reference, for checks of cost: processes, calls in each
AT_ONCE = 200  # students of one question to the gradebook
Report = Callable[[str, int], None]  # what is going on now, and out of how many


class NothingRuns:
    """Stands where the box would be while judging again: all must be stored already."""

    def run(self, job: Job) -> Run:
        raise NotStoredError(
            "the stored evidence does not fit any more (the assignment's inputs, names or "
            "limits, or the grader's own version have changed, or a training that was settled "
            "is open by the new rule); run `autograder grade` again with the same --out"
        )

    def accepts(self, level: str) -> bool:
        return True


def hidden_from_all(loaded: Loaded) -> tuple[Path, ...]:
    """The folders of an assignment, and the seeds of classes to come: no box shows them to
    student code."""
    # guard: no box shows seeds drawn ahead
    return loaded.folder, loaded.solutions, loaded.template.parent, seeds_folder()


@contextmanager
def box_for(
    loaded: Loaded,
    offer: Offer,
    *,
    require: Level,
    hide: Sequence[Path] = (),
    without: Collection[str] = (),
    device: Accelerator | None = None,
    libraries: Mapping[str, str] | None = None,
) -> Iterator[LazyBox]:
    """A box for an assignment, in which neither its folders nor ``hide`` can be seen.

    ``without`` names layers to leave off, ``device`` one to let in; they and ``libraries`` are as
    for ``Box``.
    """
    hidden = [*hidden_from_all(loaded), *hide]

    def make() -> Box:
        packages = warm_packages(offer)
        return Box(
            hidden=hidden,
            packages=packages,
            models=offer.folder,
            without=without,
            device=device,
            libraries=libraries,
        )

    with LazyBox(make, require=require) as box:
        yield box


@contextmanager
def devices_for(
    loaded: Loaded, offer: Offer, wish: str, *, require: Level, hide: Sequence[Path] = ()
) -> Iterator[Devices]:
    """The real accelerators to test on as well, with a box of their own.

    ``wish`` is "auto" (what is there and some check asks for), "none", or a name. Raises
    ``UsageError`` for a device that is not there.
    """
    wanted = wanted_devices(loaded.spec)
    if wish == "none" or (wish == "auto" and not wanted):
        yield NO_DEVICES
        return
    found = find_accelerators()
    names = chosen(wish, found.kinds, found.reason)
    device = found.first(names[0]) if names else None
    if device is None or (wish == "auto" and device.kind not in wanted):
        yield Devices(note=f"no real accelerator: {found.reason or 'none that a check asks for'}")
        return
    with box_for(loaded, offer, require=require, hide=hide, device=device) as box:
        yield used(device, box)


@contextmanager
def stored_devices(
    loaded: Loaded, offer: Offer, wish: str, before: Sequence[str], *, hide: Sequence[Path]
) -> Iterator[Devices]:
    """The devices that a class was graded on, to judge it again: what they yielded is stored.

    Where one is still there, a new solution can be run on it. Raises ``UsageError`` for a device
    on which it was not graded.
    """
    names = chosen(wish, before, "the class was graded without; `autograder grade` it again")
    device = find_accelerators().first(names[0]) if names else None
    if device is None:
        yield Devices(names)
        return
    with box_for(loaded, offer, require="weak", hide=hide, device=device) as box:
        yield used(device, box)


def warm_packages(offer: Offer) -> tuple[str, ...]:
    """What the zygote imports beyond its own needs."""
    if "transformers" not in offer.packages or offer.folder is None:
        return offer.packages
    parts = (
        "gpt2.modeling_gpt2",
        "gpt2.tokenization_gpt2",
        "auto.modeling_auto",
        "auto.tokenization_auto",
    )
    return (*offer.packages, *(f"transformers.models.{part}" for part in parts))


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
    """Everything that one run of a class shares; ``evidence``: a folder, or the URL of a store.
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

    Raises ``SpecError`` when the solution fails, ``SandboxError`` when it cannot be run, be it on
    one device alone: its hand-ins could then be tested there no more than it.
    """
    loaded = context.loaded
    if loaded.spec.brought is not None:
        return PreparedClass(context, NO_REFERENCE, ())
    report("Running the solution", 1)
    solution = read_solution(loaded)
    expected = run_solution(context, solution)
    if expected.lost:  # guard: a solution that is lost on a device
        raise SandboxError(f"the solution: {'; '.join(expected.lost)}; --devices none goes without")
    expected = steady(context, make_job(context, solution)[0], expected)
    verdicts = judge(loaded.spec, expected, context.reference(expected))
    fine = (Status.PASSED, Status.MANUAL, Status.SKIPPED)
    problems = [
        f"{loaded.solution}: the solution does not pass {v.exercise}/{v.check}: {v.message}"
        for v in verdicts
        if v.status not in fine
    ]
    if problems:  # guard: validate: the solution passes
        raise SpecError(problems)
    ids = {exercise.id for exercise in loaded.spec.exercise}
    bank = bank_of(context, expected, ids, engine, report, ready) if mistakes else ()
    return PreparedClass(context, expected, bank)


def steady(context: GradingContext, job: Job, expected: Run) -> Run:
    """The evidence of the reference's job with the least cost of several calls for what is timed.

    Noise only ever adds, and so does what a first call loads and allocates; a slow moment of the
    reference would let slow code pass.
    """
    timed = tuple(p for p in job.probes if isinstance(p.request, Call) and p.request.discard)
    # guard: the reference is timed after a first call
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
    """The stamp of the template that lies in student_templates/, if there is one."""
    try:
        return read(loaded.template).stamp if loaded.template.is_file() else None
    except SubmissionError:
        return None


def basis_of_class(prepared: PreparedClass, mistakes: Sequence[tuple[str, MistakeText]]) -> Basis:
    """What verdicts are functions of, beside the evidence; ``mistakes``: those that are known,
    with their exercises."""
    context = prepared.context
    return basis_of(context, read_solution(context.loaded), prepared.expected, mistakes)


def only_stored(prepared: PreparedClass) -> PreparedClass:
    """The same for hand-ins as they are kept: none can be run any more, all must be stored."""
    # guard: judging again uses no device
    stored = replace(prepared.context, runner=NothingRuns(), device_runner=None, mends=False)
    return replace(prepared, context=stored)


def kept(student: str, graded: GradedSubmission) -> KeptSubmission:
    """What a later regrade needs of a hand-in, with all attempts where the best counts."""
    file, attempts = graded.grade.submission.file, graded.attempts
    others = tuple(kept(student, attempt) for attempt in attempts)
    return KeptSubmission(student, file, graded.submission, graded.grade.reason, others)


def again(kept: KeptSubmission) -> SubmissionSource:
    """A kept hand-in as it is graded again."""
    return AttemptSet(kept.student, kept.attempts) if kept.attempts else kept


@dataclass(frozen=True, slots=True)
class ClassGrades:
    """What grading a class came to. ``fresh`` counts hand-ins whose code was run now; ``lost``:
    what came in and was not accounted for, in sentences."""

    overview: Overview
    fresh: int
    workspace: ResultsFolder
    lost: tuple[str, ...] = ()


def grade_into(
    prepared: PreparedClass,
    hand_ins: Sequence[SubmissionSource],
    workspace: ResultsFolder,
    engine: Engine,
    *,
    command: Sequence[str],
    report: Report,
    done: Callable[[GradedSubmission], None],
    where: Path | str = "",
    arrivals: Sequence[ArrivalRecord] = (),
    roster: Roster = NO_ROSTER,
    recorder: Recorder | None = None,
    stop: StopRequest | None = None,
) -> ClassGrades:
    """Grade every hand-in and write all files. Raises ``StoreError`` when it cannot write,
    ``StoppedError`` when ``stop`` left some out: then the class's own files are not written.

    ``where`` is the database, the workspace's own if empty; ``recorder`` takes what it took.
    """
    context = prepared.context
    spec = context.loaded.spec
    recorder, stop = recorder or Recorder(spec.id), stop or StopRequest()
    recorder.expect(len(hand_ins))
    report("Grading", len(hand_ins))

    said = [(known.exercise, known.said) for known in prepared.bank]
    basis = basis_of_class(prepared, said)

    def finish(handed: SubmissionSource, graded: GradedSubmission) -> None:
        stop.refuse()
        with recorder.storing(handed.student):
            whole = kept(handed.student, graded)
            if graded.submission is not None or graded.grade.status == "rejected":
                workspace.keep(whole)
            write_student(workspace, graded, spec)
            standing = standing_of(context, memory, digest(whole.encoded()), graded)
            if standing is not None:
                standing = written(workspace, basis.page, standing)
            keep_standing(memory.table, safe_name(handed.student), standing)

    def counts(graded: GradedSubmission, seconds: float) -> None:
        recorder.stored(graded.grade.student, seconds)
        recorder.record(graded)
        done(graded)

    fresh = 0
    with (
        DigestTable(workspace.remembered) as table,
        GradeStore(where or workspace.database) as store,
    ):
        memory = JudgingMemory(table, basis)
        context = replace(context, memory=memory)
        now = datetime.now(UTC)
        run_id = store.begin_run(
            assignment=spec.id,
            seed=context.seed,
            command=shlex.join(command),
            versions=versions(),
            started_at=now,
        )
        store.arrive(run_id, arrivals)
        if len(roster):
            store.enroll(roster, at=now)
        outcomes = grade_class(
            PreparedClass(context, prepared.expected, prepared.bank),
            hand_ins,
            Stoppable(engine, stop),
            finish,
        )
        count = 0
        with Commits(store, run_id, counts) as commits:
            for count, graded in enumerate(outcomes, start=1):  # noqa: B007  it is told below
                commits.give(graded)
                fresh += graded.fresh
        if count < len(hand_ins):
            raise StoppedError(f"{count} of {len(hand_ins)} were graded before the stop")
        overview = write_class(workspace, store.in_order(spec.id), counter_of(store, spec))
        for at in range(0, len(hand_ins), AT_ONCE):
            students = [handed.student for handed in hand_ins[at : at + AT_ONCE]]
            for student, row in store.digests(spec.id, students).items():
                book(table, safe_name(student), row)
    return ClassGrades(overview, fresh, workspace)
