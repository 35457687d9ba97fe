"""What a student sees of an exercise while working on it: public checks, and what comes later."""

from __future__ import annotations

import msgspec

from autograder.gradebook.grade import as_points
from autograder.judging.verdict import Status
from autograder.reports.feedback.feedback import ExerciseFeedback
from autograder.reports.feedback.words import plural


class Checked(msgspec.Struct, frozen=True):
    """One exercise now. Points are thousandths.

    ``feedback`` covers its public checks and is None without any. ``hidden`` checks are run, and
    written ``answers`` graded, after submission; ``notes`` are sentences about this check run.
    """

    id: str
    title: str
    stretch: bool = False
    feedback: ExerciseFeedback | None = None
    hidden: int = 0
    hidden_points: int = 0
    answers: int = 0
    answer_points: int = 0
    notes: tuple[str, ...] = ()

    @property
    def status(self) -> Status:
        """The status of the public checks; "skipped" without any."""
        return self.feedback.status if self.feedback is not None else Status.SKIPPED

    @property
    def score(self) -> int:
        """What the public checks earn now."""
        return (self.feedback.score or 0) if self.feedback is not None else 0

    @property
    def max_score(self) -> int:
        """What the public checks can earn."""
        return self.feedback.max_score if self.feedback is not None else 0

    @property
    def left(self) -> tuple[str, ...]:
        """What is checked or graded after submission, in sentences."""
        more = "more " if self.feedback is not None else ""
        said = []
        if self.hidden:
            checks, verb = (
                plural(self.hidden, f"{more}check"),
                "runs" if self.hidden == 1 else "run",
            )
            said.append(f"{checks} ({_points(self.hidden_points)}) {verb} after you submit.")
        if self.answers:
            answers, verb = plural(self.answers, "answer"), "is" if self.answers == 1 else "are"
            worth = f"up to {_points(self.answer_points)}"
            said.append(f"{answers} ({worth}) {verb} graded by hand after you submit.")
        return tuple(said)


class PointsStanding(msgspec.Struct, frozen=True):
    """Points of all exercises but the stretch ones: earned by public checks, not earned yet, and
    given after submission. ``bonus``: earned in stretch exercises. Thousandths."""

    earned: int
    missing: int
    hidden: int
    by_hand: int
    bonus: int

    @property
    def total(self) -> int:
        """All points except bonus points."""
        return self.earned + self.missing + self.hidden + self.by_hand


def standing(exercises: tuple[Checked, ...]) -> PointsStanding:
    """The points of a student so far."""
    usual = [exercise for exercise in exercises if not exercise.stretch]
    earned = sum(one.score for one in usual)
    return PointsStanding(
        earned=earned,
        missing=sum(one.max_score for one in usual) - earned,
        hidden=sum(one.hidden_points for one in usual),
        by_hand=sum(one.answer_points for one in usual),
        bonus=sum(exercise.score for exercise in exercises if exercise.stretch),
    )


def said_of(found: PointsStanding) -> tuple[str, ...]:
    """The points so far in sentences."""
    said = [
        f"You have earned {as_points(found.earned)} of "
        f"{_points(found.earned + found.missing)} from public checks so far."
    ]
    if found.bonus:
        said.append(f"Bonus exercises add {_points(found.bonus)}.")
    if found.hidden:
        said.append(f"Checks worth {_points(found.hidden)} run after you submit.")
    if found.by_hand:
        said.append(f"Answers worth up to {_points(found.by_hand)} are graded by hand.")
    return tuple(said)


def _points(amount: int) -> str:
    number = as_points(amount)
    return f"{number} point" if number == 1 else f"{number} points"
