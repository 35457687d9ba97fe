"""What is known of an assignment itself: its last validation, files for students, a regrade."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from autograder.web.course import Course
from autograder.wire.types import resolved


class Move(msgspec.Struct, frozen=True):
    """A student whose score or status a regrade changes."""

    student: str
    before: str
    after: str


class Regrade(msgspec.Struct, frozen=True):
    """What a regrade changes, and whether it is written."""

    moves: list[Move]
    written: bool


def read_regrade(text: str) -> Regrade:
    """A regrade from JSON."""
    return msgspec.json.decode(text, type=resolved(Regrade))


class _Validation(msgspec.Struct):
    valid: bool
    problems: list[msgspec.Raw]


@dataclass(frozen=True, slots=True)
class LastValidation:
    """The last validation. ``stale``: whether a file of the assignment has changed since."""

    valid: bool
    problems: int
    at: datetime
    stale: bool


def last_validation(course: Course, assignment: str) -> LastValidation | None:
    """What `autograder validate` kept; None if there is nothing."""
    path = _validated(course, assignment) / "validation.json"
    try:
        found = msgspec.json.decode(path.read_bytes(), type=resolved(_Validation))
        at = path.stat().st_mtime
    except (OSError, msgspec.MsgspecError):
        return None
    own = course.assignment_folder(assignment), course.folder / "solutions" / assignment
    files = (one for top in own for one in top.rglob("*.*") if one.suffix != ".agw")
    stale = any(one.is_file() and one.stat().st_mtime > at for one in files)
    return LastValidation(found.valid, len(found.problems), datetime.fromtimestamp(at, UTC), stale)


def kept_files(course: Course, assignment: str) -> Mapping[str, Path]:
    """The files that there are to download, by their name in an address."""
    found = {
        "notebook": course.folder / "student_templates" / f"{assignment}.ipynb",
        "public": course.assignment_folder(assignment) / "public.agw",
        "validation": _validated(course, assignment) / "validation.html",
    }
    return {name: path for name, path in found.items() if path.is_file()}


def _validated(course: Course, assignment: str) -> Path:
    return course.folder / "out" / "validate" / assignment
