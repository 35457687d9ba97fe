"""What the last validation of an assignment left in its folder."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from autograder.wire.types import resolved

PAGE, DATA = "validation.html", "validation.json"
RELEASED = ".agw"  # made from the assignment: a newer one changes nothing about it


def kept_in(assignment: str) -> Path:
    """The usual folder of an assignment's validation, below that of its course."""
    return Path("out", "validate", assignment)


class _Data(msgspec.Struct):
    valid: bool
    problems: list[msgspec.Raw]


@dataclass(frozen=True, slots=True)
class LastValidation:
    """The last validation. ``stale``: whether a file of the assignment has changed since."""

    valid: bool
    problems: int
    at: datetime
    stale: bool


def last_validation(kept: Path, sources: Iterable[Path]) -> LastValidation | None:
    """What `autograder validate` kept in a folder; None if there is nothing. ``sources``: the
    folders of the assignment and of its solution."""
    path = kept / DATA
    try:
        found = msgspec.json.decode(path.read_bytes(), type=resolved(_Data))
        at = path.stat().st_mtime
    except (OSError, msgspec.MsgspecError):
        return None
    files = (one for top in sources for one in top.rglob("*.*") if one.suffix != RELEASED)
    stale = any(one.is_file() and one.stat().st_mtime > at for one in files)
    return LastValidation(found.valid, len(found.problems), datetime.fromtimestamp(at, UTC), stale)
