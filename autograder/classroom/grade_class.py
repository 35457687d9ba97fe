"""Grades a class into a results folder."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from autograder.classroom.known_mistakes import Report, read_solution
from autograder.classroom.metrics.recorder import Recorder
from autograder.classroom.regrade.basis import Basis, basis_of, digest
from autograder.classroom.regrade.judging import JudgingMemory
from autograder.classroom.regrade.stored_grade import (
    keep_grade,
    remember_row,
    stored_grade_of,
    with_files,
)
from autograder.classroom.regrade.table import DigestTable
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.classroom.write_results import write_class, write_student
from autograder.errors import StoppedError
from autograder.evidence.store import versions
from autograder.execution.engines.base import Engine
from autograder.execution.interrupts import Stoppable, StopRequest
from autograder.gradebook.commits import Commits
from autograder.gradebook.overview import Overview
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.standings import counter_of
from autograder.gradebook.store import ArrivalRecord, GradeStore
from autograder.grading.context import (
    AttemptSet,
    GradedSubmission,
    PreparedClass,
    SubmissionSource,
)
from autograder.judging.diagnosis.known import MistakeText
from autograder.notebook.students import safe_name
from autograder.pipeline import grade_class

AT_ONCE = 200  # students per query of the gradebook


def basis_of_class(prepared: PreparedClass, mistakes: Sequence[tuple[str, MistakeText]]) -> Basis:
    """Digests of everything but the evidence that verdicts depend on; ``mistakes``: the known ones,
    with their exercises."""
    context = prepared.context
    return basis_of(context, read_solution(context.loaded), prepared.expected, mistakes)


def to_keep(student: str, graded: GradedSubmission) -> KeptSubmission:
    """What a later regrade needs of a submission, with all attempts if the best of them counts."""
    file, attempts = graded.grade.submission.file, graded.attempts
    others = tuple(to_keep(student, attempt) for attempt in attempts)
    return KeptSubmission(student, file, graded.submission, graded.grade.reason, others)


def source_of(kept: KeptSubmission) -> SubmissionSource:
    """A stored submission as a source for grading again."""
    return AttemptSet(kept.student, kept.attempts) if kept.attempts else kept


@dataclass(frozen=True, slots=True)
class ClassGrades:
    """The outcome of grading a class. ``fresh`` counts submissions whose code was run now;
    ``lost``: submissions that came in and are not accounted for, in sentences."""

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
    """Grade every submission and write all files. Raises ``StoreError`` if it cannot write,
    ``StoppedError`` if ``stop`` left some out: then the class's own files are not written.

    ``where`` is the database, the workspace's own if empty; ``recorder`` collects timings and
    counts.
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
            whole = to_keep(handed.student, graded)
            if graded.submission is not None or graded.grade.status == "rejected":
                workspace.keep(whole)
            write_student(workspace, graded, spec)
            standing = stored_grade_of(context, memory, digest(whole.encoded()), graded)
            if standing is not None:
                standing = with_files(workspace, basis.page, standing)
            keep_grade(memory.table, safe_name(handed.student), standing)

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
            replace(prepared, context=context),
            hand_ins,
            Stoppable(engine, stop),
            finish,
        )
        count = 0
        with Commits(store, run_id, counts) as commits:
            for count, graded in enumerate(outcomes, start=1):  # noqa: B007  it is reported below
                commits.give(graded)
                fresh += graded.fresh
        if count < len(hand_ins):
            raise StoppedError(f"{count} of {len(hand_ins)} were graded before it was stopped")
        overview = write_class(workspace, store.in_order(spec.id), counter_of(store, spec))
        # lets a later regrade see which grades the gradebook already holds
        for at in range(0, len(hand_ins), AT_ONCE):
            students = [handed.student for handed in hand_ins[at : at + AT_ONCE]]
            for student, row in store.digests(spec.id, students).items():
                remember_row(table, safe_name(student), row)
    return ClassGrades(overview, fresh, workspace)
