"""What is known of an assignment itself: files to download, and what a regrade changes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from autograder.reports.validation.kept import PAGE, kept_in
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


def kept_files(course: Course, assignment: str) -> Mapping[str, Path]:
    """The files that there are to download, by their name in an address."""
    found = {
        "notebook": course.folder / "student_templates" / f"{assignment}.ipynb",
        "public": course.assignment_folder(assignment) / "public.agw",
        "validation": course.folder / kept_in(assignment) / PAGE,
    }
    return {name: path for name, path in found.items() if path.is_file()}
