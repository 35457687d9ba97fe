"""Verdicts added up to a grade: the only place that does arithmetic on points.

How an exercise's status follows from its checks, by the first rule that applies:

1. the sandbox lacks what the exercise requires: skipped, and not in anyone's maximum;
2. any check is ungraded: ungraded, and there is no score;
3. all checks are graded by hand: manual;
4. all other checks passed: passed;
5. otherwise the first of stopped, raised, broken, missing, failed, blank, skipped that any check
   has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

import msgspec

from autograder.assignment.kinds import BY_HAND, Check
from autograder.assignment.model import Assignment, Exercise, thousandths
from autograder.evidence.records import Run
from autograder.gradebook.grade import (
    NO_TIME,
    CheckGrade,
    ExerciseGrade,
    Grade,
    Isolation,
    SubmittedFile,
)
from autograder.judging.verdict import Status, Verdict

WORST_FIRST = (
    Status.STOPPED,
    Status.RAISED,
    Status.BROKEN,
    Status.MISSING,
    Status.FAILED,
    Status.BLANK,
    Status.SKIPPED,
)


def points(
    assignment: Assignment,
    submission: SubmittedFile,
    verdicts: Sequence[Verdict],
    run: Run | None,
    *,
    student: str,
) -> Grade:
    """Add verdicts up.

    A check without exactly one credible verdict is ungraded; one ungraded check makes
    the whole grade ungraded, without a score.
    """
    known = {(e.id, c.id) for e in assignment.exercise for c in e.check}
    strays = [f"{v.exercise}/{v.check}" for v in verdicts if (v.exercise, v.check) not in known]
    by_check: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        by_check.setdefault((verdict.exercise, verdict.check), []).append(verdict)
    exercises = tuple(_exercise(exercise, by_check) for exercise in assignment.exercise)
    reason = _trouble(exercises, strays)
    if reason and run is not None:
        reason = "; ".join((reason, *run.lost))  # why a hand-in has no record of a device
    return Grade(
        assignment.id,
        student,
        submission,
        "ungraded" if reason else "graded",
        reason,
        *_sums(exercises, counted=not reason),
        exercises,
        Isolation(run.measured.level, run.measured.layers) if run else Isolation(),
        NO_TIME,
        {},
    )


def unscored(
    assignment: Assignment,
    submission: SubmittedFile,
    *,
    student: str,
    status: Literal["rejected", "ungraded"],
    reason: str,
) -> Grade:
    """A result without verdicts: the file cannot be read (rejected), or the grader failed
    (ungraded). Neither has a score: only an instructor may turn a rejection into a zero."""
    sums = _sums([_blank(exercise) for exercise in assignment.exercise], counted=False)
    return Grade(
        assignment.id, student, submission, status, reason, *sums, (), Isolation(), NO_TIME, {}
    )


def _sums(
    exercises: Sequence[ExerciseGrade], *, counted: bool
) -> tuple[int | None, int, int | None, int, int]:
    """A grade's score, maximum, bonus, largest bonus, and maximum of manual grading; no score and
    no bonus unless they are ``counted``."""
    stretch = [exercise for exercise in exercises if exercise.stretch]
    return (
        sum(e.score or 0 for e in exercises) if counted else None,
        sum(e.max_score for e in exercises if not e.stretch),
        sum(e.score or 0 for e in stretch) if counted else None,
        sum(e.max_score for e in stretch),
        sum(e.manual_max for e in exercises),
    )


def _exercise(
    exercise: Exercise, verdicts: Mapping[tuple[str, str], Sequence[Verdict]]
) -> ExerciseGrade:
    found = [verdicts.get((exercise.id, check.id), ()) for check in exercise.check]
    checks = tuple(map(_check, exercise.check, found))
    if _is_left_out(exercise, checks):
        none = tuple(msgspec.structs.replace(check, score=0, max_score=0) for check in checks)
        return ExerciseGrade(
            exercise.id, exercise.title, Status.SKIPPED, 0, 0, exercise.stretch, 0, True, none
        )
    status = _status([check.status for check in checks])
    automatic = [check for check in checks if not check.by_hand]
    return ExerciseGrade(
        id=exercise.id,
        title=exercise.title,
        status=status,
        score=None if status is Status.UNGRADED else sum(c.score or 0 for c in automatic),
        max_score=sum(check.max_score for check in automatic),
        stretch=exercise.stretch,
        manual_max=sum(c.max_score for c in checks if c.status is Status.MANUAL),
        checks=checks,
        repair=next((v.repair for several in found for v in several if v.repair), None),
    )


def _blank(exercise: Exercise) -> ExerciseGrade:
    """What an exercise is worth before anything was judged."""
    manual = sum(thousandths(c.points) for c in exercise.check if c.kind in BY_HAND)
    return ExerciseGrade(
        id=exercise.id,
        title=exercise.title,
        status=Status.UNGRADED,
        score=None,
        max_score=exercise.max_score - manual,
        stretch=exercise.stretch,
        manual_max=manual,
    )


def _check(check: Check, found: Sequence[Verdict]) -> CheckGrade:
    """A check's one verdict as its grade. Ungraded if there is no verdict, or two, or impossible
    points."""
    worth = thousandths(check.points)
    fault = _fault(found, worth)
    verdict = found[0] if len(found) == 1 else None
    status = Status.UNGRADED if fault or verdict is None else verdict.status
    numbers = [m.numbers for m in verdict.mismatches if m.numbers] if verdict else []
    scored = verdict is not None and status not in (Status.UNGRADED, Status.MANUAL)
    return CheckGrade(
        id=check.id,
        title=check.title,
        kind=check.kind,
        public=check.public,
        status=status,
        score=verdict.earned if verdict and scored else None,
        max_score=worth,
        message=fault or (verdict.message if verdict else ""),
        hint=check.hint,
        diagnosis=verdict.diagnosis if verdict else "",
        cause=verdict.cause if verdict else None,
        numbers=numbers[0] if numbers else None,
        mismatches=verdict.mismatches if verdict else (),
        picture=verdict.picture if verdict and check.public else None,
        blame=verdict.blame if verdict else (),
        devices=verdict.devices if verdict else (),
        smallest=verdict.smallest if verdict else None,
    )


def _fault(found: Sequence[Verdict], worth: int) -> str:
    """Why these verdicts cannot count; empty if they can."""
    if len(found) != 1:
        return f"{len(found)} verdicts for one check"
    verdict = found[0]
    if verdict.possible != worth:
        return f"judged for {verdict.possible} thousandths, worth {worth}"
    if verdict.status is Status.PASSED:
        credible = verdict.earned == worth
    elif verdict.status is Status.FAILED:
        credible = 0 <= verdict.earned < max(worth, 1)
    else:
        credible = verdict.earned == 0
    if credible:
        return ""
    return f"{verdict.status.value} with {verdict.earned} of {worth} thousandths earned"


def _is_left_out(exercise: Exercise, checks: Sequence[CheckGrade]) -> bool:
    """Whether all checks that need no other check were skipped: only the box does that."""
    first = [
        grade.status
        for check, grade in zip(exercise.check, checks, strict=True)
        if not check.needs and not grade.by_hand
    ]
    return bool(exercise.requires and first) and set(first) == {Status.SKIPPED}


def _status(statuses: Sequence[Status]) -> Status:
    if Status.UNGRADED in statuses:
        return Status.UNGRADED
    automatic = {status for status in statuses if status is not Status.MANUAL}
    if not automatic:
        return Status.MANUAL
    return next((worst for worst in WORST_FIRST if worst in automatic), Status.PASSED)


def _trouble(exercises: Sequence[ExerciseGrade], strays: Sequence[str]) -> str:
    """What a grader must look at, in one sentence each; empty if there is nothing."""
    open_ = [
        f"{exercise.id}/{check.id}: {check.message or 'no evidence'}"
        for exercise in exercises
        for check in exercise.checks
        if check.status is Status.UNGRADED
    ]
    parts = [f"could not be judged: {'; '.join(open_)}"] if open_ else []
    if strays:
        parts.append(f"verdicts for checks that do not exist: {', '.join(strays)}")
    return ". ".join(parts)
