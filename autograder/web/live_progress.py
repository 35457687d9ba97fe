"""What is known of an attempt while it is graded: cells run, exercises judged, public checks.

The worker writes it beside the job, and the student's page reads it there.
"""

from __future__ import annotations

import msgspec

from autograder.gradebook.grade import Grade
from autograder.reports.feedback.feedback import ExerciseFeedback
from autograder.wire.types import resolved


class LiveProgress(msgspec.Struct, frozen=True):
    """How far an attempt is. ``public``: exercises with the public checks that are judged."""

    cells: int
    all_cells: int
    judged: int
    exercises: int
    public: tuple[ExerciseFeedback, ...] = ()

    def written(self) -> str:
        """As it is stored."""
        return msgspec.json.encode(self).decode()


def read_progress(text: str) -> LiveProgress | None:
    """What a worker has stored; None if that is nothing yet, or of another version."""
    try:
        return msgspec.json.decode(text, type=resolved(LiveProgress)) if text else None
    except msgspec.MsgspecError:
        return None


def public_part(grade: Grade) -> Grade:
    """What public checks alone give: before a release, nothing is told that a hidden one found."""
    exercises = []
    for one in grade.exercises:
        # What hidden checks found is not told before the release.
        checks = tuple(check for check in one.checks if check.public)
        exercises.append(msgspec.structs.replace(one, checks=checks, repair=None))
    return msgspec.structs.replace(grade, exercises=tuple(exercises))
