"""One submission as a platform's download gives it: whose, when, which attempt, which file."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from autograder.notebook.formats.find import FoundFile


@dataclass(frozen=True, slots=True)
class PassedOverFile:
    """A file that is not a submission: the name to show, and why it was passed over."""

    file: str
    why: str


Platform = Literal[
    "canvas", "moodle", "gradescope", "blackboard", "brightspace", "nbgrader", "otter", "plain"
]


@dataclass(frozen=True, slots=True)
class Arrival:
    """One attempt of one student.

    ``student`` is the roster's id if the roster knows this student, else the download's.
    ``submitted_at`` is UTC, None if the download has no time. ``late`` is what the platform says,
    None if it says nothing. ``place`` is the file or folder in the download that a returned
    feedback file must be named after. ``attempt`` counts from 1, the earliest.
    """

    student: str
    found: FoundFile
    place: str
    submitted_at: datetime | None = None
    late: bool | None = None
    attempt: int = 1
