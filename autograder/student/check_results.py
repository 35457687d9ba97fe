"""The result of each check separately, for tools that show tests instead of exercises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec

from autograder.assignment.model import Assignment
from autograder.gradebook.grade import CheckGrade, Grade
from autograder.judging.verdict import Status
from autograder.reports.feedback.feedback import ExerciseFeedback, PublicCheck, feedback
from autograder.reports.feedback.words import HIDDEN_WORDS

FORMAT: Literal["autograder-said/1"] = "autograder-said/1"


class CheckResult(msgspec.Struct, frozen=True):
    """One check's result. ``text``: why it did not pass, as its student may read it."""

    exercise: str
    check: str
    passed: bool
    text: str = ""


class CheckResults(msgspec.Struct, frozen=True):
    """A grading run's results, in the form in which tests find them."""

    format: Literal["autograder-said/1"]
    checks: tuple[CheckResult, ...]


def said_of(grade: Grade, assignment: Assignment) -> Iterator[CheckResult]:
    """Every check that is not graded by hand, in order; for a hidden one only fixed words."""
    shown = {exercise.id: exercise for exercise in feedback(grade, assignment).exercises}
    for exercise in grade.exercises:
        public = _in_full(exercise.checks, shown[exercise.id])
        for check in exercise.checks:
            if not check.by_hand:
                passed = check.status is Status.PASSED
                text = "" if passed else _text(check, public.get(check.id))
                yield CheckResult(exercise.id, check.id, passed, text)


def _in_full(checks: tuple[CheckGrade, ...], shown: ExerciseFeedback) -> dict[str, PublicCheck]:
    """The public checks by id: redacted ones have no id, but are in the same order."""
    public = [check.id for check in checks if check.public and not check.by_hand]
    return dict(zip(public, shown.public, strict=True))


def _text(check: CheckGrade, public: PublicCheck | None) -> str:
    if public is None:
        return f"A hidden check: {HIDDEN_WORDS.get(check.status, 'did not pass')}."
    return "\n".join((public.message, *public.differences)).strip()
