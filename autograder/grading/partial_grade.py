"""Judges a submission that is still running, as far as there is evidence.

A check is reached once its exercise's cells have run and there is a record for everything it asks,
and for everything that the checks it needs ask. A check that is not reached has no points yet and
says so.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from autograder.assignment.load import Cases
from autograder.assignment.model import Assignment, thousandths
from autograder.evidence.records import Run
from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade, SubmittedFile
from autograder.gradebook.points import points
from autograder.grading.context import GradingContext
from autograder.judging.checks.finding import Relations
from autograder.judging.checks.registry import further, probes
from autograder.judging.judge import judge
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.structure.locate import Located
from autograder.wire.messages import Job

NOT_REACHED = "Not reached: the grader did not finish."
Names = frozenset[tuple[str, str]]  # (exercise, check)


def reached(
    assignment: Assignment, cases: Cases, relations: Relations, job: Job, run: Run
) -> Names:
    """The checks for which everything to be asked has its record."""
    asked = {probe.id for probe in job.probes}
    known = {probe.id for probe in run.probes}
    cells, last = {cell.number for cell in run.cells}, dict(job.keep_after)
    found: set[tuple[str, str]] = set()
    for exercise in assignment.exercise:
        if last.get(exercise.id, 0) not in cells | {0}:
            continue
        for check in exercise.check:
            own = {probe.id for probe in probes(check, exercise.id, cases)} & asked
            own |= {p.id for p in further(check, exercise.id, run, cases, relations)}
            needed = all((exercise.id, other) in found for other in check.needs)
            if needed and own <= known:  # a check without all its records is not judged yet
                found.add((exercise.id, check.id))
    return frozenset(found)


def verdicts_so_far(
    context: GradingContext, job: Job, located: Located, run: Run, expected: Run
) -> tuple[Verdict, ...]:
    """One verdict for each check; checks that are not reached are stopped, with no points."""
    spec = context.loaded.spec
    there = reached(spec, context.cases, context.loaded.relations, job, run)
    judged = judge(spec, run, context.reference(expected), located)
    return tuple(
        one
        if (one.exercise, one.check) in there or one.exercise in context.unavailable
        else _not_reached(one)
        for one in judged
    )


def nothing_reached(assignment: Assignment) -> tuple[Verdict, ...]:
    """The verdicts before anything has run."""
    return tuple(
        Verdict(
            exercise.id,
            check.id,
            check.kind,
            check.public,
            Status.STOPPED,
            0,
            thousandths(check.points),
            NOT_REACHED,
        )
        for exercise in assignment.exercise
        for check in exercise.check
    )


def grade_so_far(
    assignment: Assignment, hand_in: SubmittedFile, verdicts: Sequence[Verdict], run: Run | None
) -> Grade:
    """The grade of what is reached; the rest gets no hint, because nothing looked at it."""
    grade = points(assignment, hand_in, verdicts, run, student="")
    return msgspec.structs.replace(grade, exercises=tuple(map(_without_hints, grade.exercises)))


def _not_reached(verdict: Verdict) -> Verdict:
    return msgspec.structs.replace(
        verdict,
        status=Status.STOPPED,
        earned=0,
        message=NOT_REACHED,
        mismatches=(),
        picture=None,
        blame=(),
        cause=None,
        devices=(),
        diagnosis="",
    )


def _without_hints(exercise: ExerciseGrade) -> ExerciseGrade:
    return msgspec.structs.replace(exercise, checks=tuple(map(_without_hint, exercise.checks)))


def _without_hint(check: CheckGrade) -> CheckGrade:
    missed = check.message == NOT_REACHED and check.status is Status.STOPPED
    return msgspec.structs.replace(check, hint="") if missed else check
