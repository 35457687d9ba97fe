"""ID.personal.agw: the values of one student in exercises that give everybody their own.

Covered: it contains these values and nothing else, as public.agw contains its cases; decoding runs
nothing. Not covered: a student who uses another one's file; submissions are graded on the values of
their student, whatever the file was.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

from autograder.assignment.load import OwnValues
from autograder.student.evidence import read_given
from autograder.wire.types import resolved

FORMAT: Literal["autograder-personal/1"] = "autograder-personal/1"
SUFFIX = ".personal.agw"


class PersonalFile(msgspec.Struct, frozen=True):
    """What ``grader.data`` returns for this ``student``, by exercise."""

    format: Literal["autograder-personal/1"]
    assignment: str
    student: str
    values: OwnValues


def personal_bytes(assignment: str, student: str, values: OwnValues) -> bytes:
    """The file's bytes: equal values give equal bytes."""
    return msgspec.msgpack.encode(PersonalFile(FORMAT, assignment, student, values))


def find_personal(assignment: str, start: Path) -> PersonalFile | None:
    """The file of an assignment in ``start`` or its nearest parent that has one; None if none has.
    Raises ``GraderError`` for a file that cannot be read or belongs to another assignment."""
    places = (folder / f"{assignment}{SUFFIX}" for folder in (start, *start.parents))
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        return None
    return read_given(path, _decode, assignment, "the values")


def _decode(data: bytes) -> PersonalFile:
    return msgspec.msgpack.decode(data, type=resolved(PersonalFile))
