"""Files with each student's own values, to be handed out one by one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.load import Loaded
from autograder.classroom.personal_values import give
from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.notebook.students import safe_name
from autograder.student.personal_file import SUFFIX, personal_bytes


@dataclass(frozen=True, slots=True)
class GivenFiles:
    """How many files were written, and how many students had other values before."""

    written: int
    changed: int


def write_personal_files(loaded: Loaded, students: Iterable[str], folder: Path) -> GivenFiles:
    """Write ``folder``/STUDENT/ID.personal.agw for each student, and record what was given out.

    Raises ``UsageError`` for an assignment without personal exercises, ``SpecError``,
    ``StoreError``.
    """
    spec = loaded.spec
    if not spec.personal:
        raise UsageError(
            f"no exercise of {spec.id} has values of a student's own; add personal = "
            '"GENERATOR" to one, or leave --personal out'
        )
    values, changed = give(loaded, students)
    for student, own in values.items():
        path = folder / safe_name(student) / f"{spec.id}{SUFFIX}"
        write_atomic(path, personal_bytes(spec.id, student, own), soon=True)
    return GivenFiles(len(values), changed)
