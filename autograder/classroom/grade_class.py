"""Grades a class into a results folder."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from autograder.classroom.known_mistakes import WorkProgress, read_solution
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
from autograder.gradebook.standings import counter_of, listed_in
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
    answers = graded.located.texts if graded.located is not None else {}
    texts = {exercise: answer.text for exercise, answer in answers.items()}
    return KeptSubmission(student, file, graded.submission, graded.grade.reason, others, texts)


def source_of(kept: KeptSubmission) -> SubmissionSource:
    """A stored submission as a source for grading again."""
    return AttemptSet(kept.student, kept.attempts) if kept.attempts else kept


@dataclass(frozen=True, slots=True)
class ClassGrades:
    """The outcome of grading a class. ``run`` counts submissions whose code was run now, ``reused``
    those whose earlier run was in the results folder. ``lost``: submissions that came in and are
    not accounted for, in sentences."""

    overview: Overview
    workspace: ResultsFolder
    run: int = 0
    reused: int = 0
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReceivedClass:
    """The submissions of a class with what the gradebook records about them: when each file
    arrived, and the roster, where known."""

    hand_ins: Sequence[SubmissionSource]
    arrivals: Sequence[ArrivalRecord] = ()
    roster: Roster = NO_ROSTER


@dataclass(frozen=True, slots=True)
class ClassGrader:
    """Grades what is received of a class into a results folder, as often as something arrives.

    ``command`` is recorded in the gradebook. ``where`` is the database, the folder's own if empty.
    ``recorder`` collects timings and counts. After a request to ``stop`` no submission is begun.
    """

    prepared: PreparedClass
    workspace: ResultsFolder
    engine: Engine
    command: Sequence[str]
    where: Path | str = ""
    recorder: Recorder | None = None
    stop: StopRequest = field(default_factory=StopRequest)

    def grade(self, received: ReceivedClass, progress: WorkProgress) -> ClassGrades:
        """Grade every submission and write all files. Raises ``StoreError`` if it cannot write,
        ``StoppedError`` if ``stop`` left some out: then the class's own files are not written."""
        prepared, workspace, hand_ins = self.prepared, self.workspace, received.hand_ins
        spec = prepared.context.loaded.spec
        recorder = self.recorder or Recorder(spec.id)
        recorder.expect(len(hand_ins))
        progress.begin("Grading", len(hand_ins))
        said = [(known.exercise, known.said) for known in prepared.bank]
        basis = basis_of_class(prepared, said)

        def finish(handed: SubmissionSource, graded: GradedSubmission) -> None:
            self.stop.refuse()
            with recorder.storing(handed.student):
                self._write(handed.student, graded, memory)

        def counts(graded: GradedSubmission, seconds: float) -> None:
            recorder.stored(graded.grade.student, seconds)
            recorder.record(graded)
            progress.done(graded)

        count = run = reused = 0
        with (
            DigestTable(workspace.remembered) as table,
            GradeStore(self.where or workspace.database) as store,
        ):
            memory = JudgingMemory(table, basis, mutants=prepared.mutants)
            remembering = replace(prepared, context=replace(prepared.context, memory=memory))
            run_id = self._begin_run(store, received)
            outcomes = grade_class(remembering, hand_ins, Stoppable(self.engine, self.stop), finish)
            with Commits(store, run_id, counts) as commits:
                for count, graded in enumerate(outcomes, start=1):  # noqa: B007  reported below
                    commits.give(graded)
                    run += graded.fresh
                    reused += graded.run is not None and not graded.fresh
            if count < len(hand_ins):
                raise StoppedError(f"{count} of {len(hand_ins)} were graded before it was stopped")
            everybody = counter_of(store, spec), listed_in(store, spec)
            overview = write_class(workspace, store.in_order(spec.id), *everybody)
            # lets a later regrade see which grades the gradebook already holds
            for at in range(0, len(hand_ins), AT_ONCE):
                students = [handed.student for handed in hand_ins[at : at + AT_ONCE]]
                for student, row in store.digests(spec.id, students).items():
                    remember_row(table, safe_name(student), row)
        return ClassGrades(overview, workspace, run, reused)

    def _begin_run(self, store: GradeStore, received: ReceivedClass) -> int:
        """Record in the gradebook what was received with which command; returns the run's id."""
        context, now = self.prepared.context, datetime.now(UTC)
        run_id = store.begin_run(
            assignment=context.loaded.spec.id,
            seed=context.seed,
            command=shlex.join(self.command),
            versions=versions(),
            started_at=now,
        )
        store.arrive(run_id, received.arrivals)
        if len(received.roster):
            store.enroll(received.roster, at=now)
        return run_id

    def _write(self, student: str, graded: GradedSubmission, memory: JudgingMemory) -> None:
        """Write one student's files, and remember what the grade depends on."""
        context, whole = self.prepared.context, to_keep(student, graded)
        if graded.submission is not None or graded.grade.status == "rejected":
            self.workspace.keep(whole)
        write_student(self.workspace, graded, context.loaded.spec)
        standing = stored_grade_of(context, memory, digest(whole.encoded()), graded)
        if standing is not None:
            standing = with_files(self.workspace, memory.basis.page, standing)
        keep_grade(memory.table, safe_name(student), standing)
