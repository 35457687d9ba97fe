"""What every exporter accepts and returns: options, the bytes, who is missing and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from autograder.errors import UsageError
from autograder.gradebook.standing import Standing
from autograder.reports.feedback.feedback import Feedback

WHY: Mapping[str, str] = MappingProxyType(
    {
        "open": "manual grading is pending",
        "absent": "nothing was submitted",
        "excused": "excused",
        "rejected": "the submitted file could not be read",
        "ungraded": "the grading failed, through no fault of the student",
    }
)


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a writer. Each uses some of these; ``score_formats.FORMATS`` lists which.

    ``sheet`` is a file downloaded from the platform, ``sheet_name`` its name for messages.
    ``column``, ``key`` and ``comment_column`` are headers of that file as it spells them.
    ``timestamp`` and ``due`` carry a time zone.
    """

    title: str = ""
    item_id: str = ""
    sheet: bytes | None = None
    sheet_name: str = "sheet"
    encoding: str = ""
    column: str = ""
    key: str = ""
    comments: bool = False
    comment_column: str = ""
    student: str = ""
    due: datetime | None = None
    timestamp: datetime | None = None
    feedback: Mapping[str, Feedback] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mention:
    """A student without a score in the file, and the reason."""

    student: str
    reason: str


@dataclass(frozen=True, slots=True)
class Exported:
    """One file. Each student is in exactly one of the first three lists, sorted.

    ``written``: with a score, or with the platform's word for excused. ``left_blank``: there is
    no score to write. ``unmatched``: the platform's key is unknown or not unique to one student.
    ``notes`` are for the user, one sentence each.
    """

    data: bytes
    written: tuple[str, ...] = ()
    left_blank: tuple[Mention, ...] = ()
    unmatched: tuple[Mention, ...] = ()
    notes: tuple[str, ...] = ()


def in_order(standings: Sequence[Standing]) -> tuple[Standing, ...]:
    """The standings sorted by student.

    Raises ``UsageError`` for more than one assignment and for a student with two standings.
    """
    assignments = sorted({standing.assignment for standing in standings})
    if len(assignments) > 1:
        raise UsageError(
            f"standings of {len(assignments)} assignments ({', '.join(map(repr, assignments))}): "
            "a file contains one. Export each assignment separately."
        )
    counts = Counter(standing.student for standing in standings)
    twice = sorted(student for student, count in counts.items() if count > 1)
    if twice:
        raise UsageError(
            f"{', '.join(map(repr, twice))}: more than one standing for one student. "
            "Keep the valid one and export again."
        )
    return tuple(sorted(standings, key=lambda standing: standing.student))


def final_score(standing: Standing) -> int | None:
    """The score in thousandths if it is final; None in every other state."""
    # A score is final only in the state final.
    return standing.score if standing.state == "final" else None


def why_blank(standing: Standing) -> Mention:
    """Why this student has no score."""
    return Mention(standing.student, WHY.get(standing.state, "there is no score"))


def all_without_score(standings: Sequence[Standing]) -> tuple[Mention, ...]:
    """Everybody without a final score, in the order given."""
    return tuple(why_blank(s) for s in standings if final_score(s) is None)


def all_with_score(standings: Sequence[Standing]) -> tuple[str, ...]:
    """Everybody with a final score, in the order given."""
    return tuple(s.student for s in standings if final_score(s) is not None)


def highest(standings: Sequence[Standing]) -> int | None:
    """The assignment's maximum in thousandths; None if nobody is listed."""
    return max((standing.max_score for standing in standings), default=None)


def differing_maxima(standings: Sequence[Standing]) -> tuple[str, ...]:
    """A note if the standings do not agree about the maximum."""
    if len({standing.max_score for standing in standings}) < 2:
        return ()
    return ("The students' maximum scores differ; the file contains the highest.",)
