"""A platform's side of Assignment and Grade Services, section 4.8 of the format page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any

from tests.support.loopback import Request, Response, Server
from tests.support.strict_readers.text import Rejected

_ACTIVITY = ("Initialized", "Started", "InProgress", "Submitted", "Completed")
_GRADING = ("FullyGraded", "Pending", "PendingManual", "Failed", "NotReady")
_KEYS = set(
    "userId timestamp activityProgress gradingProgress scoreGiven scoreMaximum comment submission "
    "scoringUserId".split()
)


def check(score: Any) -> Decimal | None:
    """The score that a platform would store; None where the message has none."""
    if not isinstance(score, dict) or not set(score) <= _KEYS:
        raise Rejected(f"unknown keys: {sorted(set(score) - _KEYS)}")
    for key in ("userId", "timestamp", "activityProgress", "gradingProgress"):
        if not isinstance(score.get(key), str) or not score[key]:
            raise Rejected(f"{key} is {score.get(key)!r}")
    if score["activityProgress"] not in _ACTIVITY or score["gradingProgress"] not in _GRADING:
        raise Rejected("an unknown progress")
    for when in (score["timestamp"], *score.get("submission", {}).values()):
        if datetime.fromisoformat(when).tzinfo is None or "." not in when:
            raise Rejected(f"{when!r}: no zone or no fraction of a second")
    given, most = score.get("scoreGiven"), score.get("scoreMaximum")
    for amount in (given, most):
        plain = isinstance(amount, int | Decimal) and not isinstance(amount, bool)
        if amount is not None and not plain:
            raise Rejected(f"{amount!r} is no number")
    if given is None:
        return None
    if most is None or most <= 0:
        raise Rejected("scoreGiven without scoreMaximum above 0")
    if score["gradingProgress"] not in ("FullyGraded", "PendingManual"):
        raise Rejected("Canvas records no such score")
    return Decimal(given)


Answer = tuple[int, dict[str, str], bytes]


@dataclass
class Platform(Server):
    """A platform on this machine that answers as it is told; it keeps what it was sent."""

    answer: Callable[[Request, int], Answer]
    requests: list[Request] = field(default_factory=list)

    def respond(self, request: Request) -> Response:
        self.requests.append(request)
        return Response(*self.answer(request, len(self.requests)))

    @property
    def line_item(self) -> str:
        return f"{self.url}/courses/1/line_items/2?type=a&b=c"

    @property
    def scores(self) -> list[dict[str, Any]]:
        """The messages, checked as they came."""
        found = [json.loads(request.body, parse_float=Decimal) for request in self.requests]
        for score in found:
            check(score)
        return found
