"""Scores as LTI 1.3 Assignment and Grade Services takes them: one message per student.

Students who submitted nothing or are excused get no message. A student whose work is waiting to be
graded by hand is `PendingManual`, one who could not be graded `Failed`, both without a score. Times
are given by the caller.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Literal, Self
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from autograder.assignment.document import checked
from autograder.errors import UsageError
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import number
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import visible
from autograder.interop.exports.keys import known_people
from autograder.interop.exports.model import (
    Exported,
    Mention,
    Options,
    final_score,
    in_order,
    why_blank,
)

MEDIA_TYPE = "application/vnd.ims.lis.v1.score+json"
SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope/score"
_PROGRESS: Mapping[str, str] = MappingProxyType(
    {
        "final": "FullyGraded",
        "open": "PendingManual",
        "ungraded": "Failed",
        "rejected": "Failed",
    }
)


class _Message(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False, strict=True)


class SubmissionTime(_Message):
    """When the work was submitted."""

    submittedAt: str


class Score(_Message):
    """One score message, with the names of the specification."""

    userId: str = Field(min_length=1)
    timestamp: str
    activityProgress: Literal["Initialized", "Started", "InProgress", "Submitted", "Completed"]
    gradingProgress: Literal["FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"]
    scoreGiven: int | float | None = Field(default=None, ge=0)
    scoreMaximum: int | float | None = Field(default=None, gt=0)
    comment: str | None = None
    submission: SubmissionTime | None = None

    @field_validator("timestamp")
    @classmethod
    def _has_a_zone(cls, text: str) -> str:
        with suppress(ValueError):
            if datetime.fromisoformat(text).tzinfo is not None and "." in text:
                return text
        raise ValueError("write a time with a zone and fractions of a second")

    @model_validator(mode="after")
    def _given_with_its_maximum(self) -> Self:
        if self.scoreGiven is not None and self.scoreMaximum is None:
            raise ValueError("scoreGiven needs scoreMaximum; add it")
        return self


@dataclass(frozen=True, slots=True)
class Payload:
    """One student's message."""

    student: str
    score: Score

    @property
    def body(self) -> bytes:
        """The message as JSON, without empty fields."""
        return self.score.model_dump_json(exclude_none=True).encode()


@dataclass(frozen=True, slots=True)
class Payloads:
    """Messages sorted by student, and who gets none."""

    payloads: tuple[Payload, ...]
    left_blank: tuple[Mention, ...]
    unmatched: tuple[Mention, ...]


def ags_payloads(
    standings: Sequence[Standing], roster: Roster, *, timestamp: datetime, comments: bool = False
) -> Payloads:
    """The messages. ``timestamp`` must be later than that of any message sent before.

    Raises ``UsageError`` for a time without a zone.
    """
    if timestamp.tzinfo is None:
        raise UsageError("ags: the timestamp needs a time zone")
    ordered = in_order(standings)
    known = known_people(ordered, roster, _sub, missing="the roster has no `lti_user_id`")
    made: list[Payload] = []
    blank: list[Mention] = []
    for standing in (s for s in ordered if s.student in known.people):
        user = known.people[standing.student].keys["lti_user_id"]
        unscored = standing.state == "final" and standing.score is None
        if standing.state not in _PROGRESS or unscored:
            blank.append(why_blank(standing))
            continue
        score, problems = checked(Score, _score(standing, user, timestamp, comments))
        if score is None:
            blank.append(Mention(standing.student, f"no message can be made: {problems[0]}"))
        else:
            made.append(Payload(standing.student, score))
    return Payloads(tuple(made), tuple(blank), known.unmatched)


def ags(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The messages as a JSON list of ``{"student", "score"}``, to look at or to send."""
    if options.timestamp is None:
        raise UsageError("ags: give the timestamp of the messages")
    made = ags_payloads(standings, roster, timestamp=options.timestamp, comments=options.comments)
    shown = [{"student": p.student, "score": json.loads(p.body)} for p in made.payloads]
    text = json.dumps(shown, indent=2, ensure_ascii=False) + "\n"
    return Exported(
        text.encode("utf-8", "backslashreplace"),
        tuple(p.student for p in made.payloads if p.score.scoreGiven is not None),
        tuple(
            sorted(
                (*made.left_blank, *_without_score(made.payloads)), key=lambda said: said.student
            )
        ),
        made.unmatched,
    )


def scores_url(line_item: str) -> str:
    """The URL to which scores of this line item are posted: ``/scores`` appended to its path.

    Raises ``UsageError`` unless it is an https URL, or an http URL of this machine.
    """
    try:
        parts = urlsplit(line_item.strip())
        host, _ = parts.hostname, parts.port
    except ValueError as bad:
        raise UsageError(f"{line_item!r}: not the URL of a line item ({bad})") from None
    local = host in ("localhost", "127.0.0.1", "::1")
    if not host or parts.scheme not in ("https", "http") or "@" in parts.netloc:
        raise UsageError(f"{line_item!r}: not the https URL of a line item")
    if parts.scheme == "http" and not local:
        raise UsageError(f"{line_item!r}: the token would be sent unencrypted; use https")
    if any(sign <= " " or sign > "~" for sign in parts.path + parts.query + parts.netloc):
        raise UsageError(f"{line_item!r}: a URL contains no spaces and only ASCII characters")
    path = parts.path.rstrip("/") + "/scores"
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def _sub(person: Person) -> tuple[str]:
    return (person.keys.get("lti_user_id", ""),)


def _score(standing: Standing, user: str, timestamp: datetime, comments: bool) -> dict[str, object]:
    score = final_score(standing)
    told = visible("\n".join(standing.comments)) if comments and score is not None else ""
    when = standing.submitted_at
    return {
        "userId": user,
        "timestamp": _time(timestamp),
        "activityProgress": "Submitted" if score is None else "Completed",
        "gradingProgress": _PROGRESS[standing.state],
        "scoreGiven": None if score is None else number(score),
        "scoreMaximum": None if score is None else number(standing.max_score),
        "comment": told or None,
        "submission": {"submittedAt": _time(when)} if when else None,
    }


def _without_score(payloads: Sequence[Payload]) -> list[Mention]:
    return [
        Mention(p.student, f"sent as {p.score.gradingProgress}, without a score")
        for p in payloads
        if p.score.scoreGiven is None
    ]


def _time(when: datetime) -> str:
    """The time in UTC with milliseconds; times without a zone are UTC."""
    aware = when if when.tzinfo else when.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
