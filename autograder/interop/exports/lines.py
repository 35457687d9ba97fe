"""What a student may see of a grade, as lines of a test list, before any format is written.

Each public check is a line; the hidden checks of an exercise share one line. Points are
thousandths. The student's feedback is the only source.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.gradebook.rounding import spread, written
from autograder.judging.verdict import Status
from autograder.reports.feedback.feedback import ExerciseFeedback, Feedback, PublicCheck
from autograder.reports.feedback.words import AT_FAULT, student_words


@dataclass(frozen=True, slots=True)
class TestLine:
    """One test. ``max_score`` None: for information only. ``hidden``: it is about hidden checks."""

    name: str
    output: str
    status: Status | None = None
    score: int | None = None
    max_score: int | None = None
    hidden: bool = False


def lines_of(feedback: Feedback) -> tuple[TestLine, ...]:
    """The lines of all exercises, in their order."""
    return tuple(line for exercise in feedback.exercises for line in exercise_lines(exercise))


def outcome(line: TestLine) -> bool | None:
    """Whether a line passed; None if it neither passed nor failed."""
    if line.status is Status.PASSED:
        return True
    return False if line.status in AT_FAULT or line.status is Status.SKIPPED else None


def amounts(lines: Sequence[TestLine]) -> tuple[tuple[int | None, int | None], ...]:
    """The score and the maximum of each line, rounded once so that the maxima add up."""
    worth = iter(spread([line.max_score for line in lines if line.max_score is not None]))
    return tuple(
        (None, None) if line.max_score is None else _rounded(line, next(worth)) for line in lines
    )


def _rounded(line: TestLine, maximum: int) -> tuple[int | None, int]:
    if line.score is None:
        return None, maximum
    return maximum if line.score == line.max_score else min(line.score, maximum), maximum


def exercise_lines(exercise: ExerciseFeedback) -> list[TestLine]:
    """The lines of one exercise."""
    lines = [_public(exercise, check) for check in exercise.public]
    hidden = exercise.hidden
    if hidden is not None:
        told = [f"{hidden.passed} of {hidden.total} passed.", *hidden.problems, *hidden.hints]
        passed = hidden.passed == hidden.total
        status = None if hidden.score is None else Status.PASSED if passed else Status.FAILED
        name = f"{exercise.title}: further checks"
        lines.append(TestLine(name, "\n".join(told), status, hidden.score, hidden.max_score, True))
    if exercise.told and lines:
        said = "\n".join((lines[-1].output, *exercise.told))
        lines[-1] = replace(lines[-1], output=said)
    if exercise.stretch or exercise.left_out:
        return [_informed(line, exercise) for line in lines]
    return lines


def _public(exercise: ExerciseFeedback, check: PublicCheck) -> TestLine:
    words = student_words(
        check.status, check.score, left_out=exercise.left_out, predicted=check.predicted
    )
    told = (words, check.message, *check.differences, check.hint, check.devices)
    status = None if check.status in (Status.UNGRADED, Status.MANUAL) else check.status
    return TestLine(
        f"{exercise.title}: {check.title}",
        "\n".join(part for part in told if part),
        status,
        check.score,
        check.max_score,
    )


def _informed(line: TestLine, exercise: ExerciseFeedback) -> TestLine:
    """A line whose points are not in any maximum: shown as text, and counted only in the total."""
    if exercise.left_out:
        return replace(line, score=None, max_score=None)
    points = f"Bonus: {written(line.score) or 'no score yet'} of {written(line.max_score)} points."
    return replace(line, output=f"{points}\n{line.output}", score=None, max_score=None)
