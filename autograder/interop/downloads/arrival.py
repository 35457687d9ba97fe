"""One submission as a platform's download gives it: whose, when, which attempt, which file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from autograder.notebook.formats.find import FoundFile


@dataclass(frozen=True, slots=True)
class PassedOverFile:
    """A file that is no submission, by its name for people, and why it was passed over."""

    file: str
    why: str


Platform = Literal[
    "canvas", "moodle", "gradescope", "blackboard", "brightspace", "nbgrader", "otter", "plain"
]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One attempt of one student.

    ``student`` is the roster's id where a roster knows this student, else what the download
    says. ``submitted_at`` is UTC, None where the download tells no time. ``late`` is what the
    platform says, None where it says nothing. ``place`` is the file or folder in the download
    that a returned feedback file must be named after. ``attempt`` counts from 1, the earliest.
    """

    student: str
    found: FoundFile
    place: str
    submitted_at: datetime | None = None
    late: bool | None = None
    attempt: int = 1
