"""submission_metadata.json, read leniently: who submitted, when, and when it was due.

Covered: a file that is missing, damaged, huge or of another shape: what cannot be read counts as
missing, and nothing is raised. Times without an offset are UTC.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

from autograder.gradebook.visible import one_line
from autograder.interop.downloads.clock import parse_iso

MAX_BYTES = 100_000_000  # it may contain all earlier submissions
MAX_TEXT = 200
MAX_USERS = 50


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known about a submission; None and "" mean that it is missing. ``total`` is what
    Gradescope says the assignment is worth, in points. ``earlier`` counts earlier submissions."""

    id: str = ""
    users: tuple[str, ...] = ()
    created_at: datetime | None = None
    due: datetime | None = None
    late_due: datetime | None = None
    total: Decimal | None = None
    earlier: int = 0


def read_metadata(path: Path) -> Metadata:
    """The file's content as far as it can be read."""
    try:
        with path.open("rb") as stream:
            found = json.loads(stream.read(MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return Metadata()
    return _read(found) if isinstance(found, dict) else Metadata()


def _read(found: dict[str, Any]) -> Metadata:
    assignment = found.get("assignment")
    of = assignment if isinstance(assignment, dict) else found
    users = found.get("users")
    earlier = found.get("previous_submissions")
    return Metadata(
        id=_text(found.get("id")),
        users=tuple(map(_user, users[:MAX_USERS])) if isinstance(users, list) else (),
        created_at=_time(found.get("created_at")),
        due=_time(of.get("due_date")),
        late_due=_time(of.get("late_due_date")),
        total=_number(of.get("total_points")),
        earlier=len(earlier) if isinstance(earlier, list) else 0,
    )


def _user(user: object) -> str:
    found = user if isinstance(user, dict) else {}
    return _text(found.get("email")) or _text(found.get("name")) or _text(found.get("id"))


def _text(value: object) -> str:
    plain = isinstance(value, str | int) and not isinstance(value, bool)
    return one_line(str(value)[:MAX_TEXT]) if plain else ""


def _time(value: object) -> datetime | None:
    return parse_iso(value, UTC) if isinstance(value, str) else None


def _number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    try:
        found = Decimal(str(value)[:MAX_TEXT])
    except InvalidOperation:
        return None
    return found if found.is_finite() else None
