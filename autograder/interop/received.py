"""Records what each `grade` received, next to the results, and checks that nobody was lost.

Covered: files that belong to no submission are listed with the reason; students without a result,
and students whose results would share a file, are reported. The class's results must be written
first.
Not covered: what a later command does to the results.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import StoreError
from autograder.files import write_atomic
from autograder.interop.downloads.arrival import PassedOverFile
from autograder.interop.intake import Intake


class IntakeRecord(msgspec.Struct, frozen=True):
    """One line of intake.jsonl. ``files`` counts the files given, without the ``noise`` that
    operating systems and editors leave behind. ``unaccounted``: files and students that were
    lost."""

    format: Literal["autograder-intake/1"]
    files: int
    noise: int
    students: int
    passed_over: tuple[PassedOverFile, ...]
    notes: tuple[str, ...]
    unaccounted: tuple[str, ...]


def check_nobody_lost(intake: Intake, workspace: ResultsFolder) -> tuple[str, ...]:
    """Sentences about received files and students that have no result after grading; empty if all
    is well. Records what was received in the folder's intake.jsonl; raises ``StoreError``."""
    students = [handed.student for handed in intake.hand_ins]
    files = tuple(f"the file {name} was received but belongs to no result" for name in intake.lost)
    lost = (*files, *without_result(students, workspace))
    record = IntakeRecord(
        "autograder-intake/1",
        intake.count,
        intake.noise,
        len(students),
        intake.passed,
        intake.notes,
        lost,
    )
    _add(msgspec.json.encode(record) + b"\n", workspace)
    return lost


def without_result(students: Iterable[str], workspace: ResultsFolder) -> tuple[str, ...]:
    """Sentences about students whose result is missing or is also another student's."""
    taken: dict[str, str] = {}
    lost = []
    for student in students:
        path = workspace.result(student)
        other = taken.setdefault(path.name.casefold(), student)
        if not path.is_file():
            lost.append(f"{student!r} submitted but has no result")
        elif other != student:  # everybody has a result of their own
            lost.append(f"{student!r} submitted but shares a result with {other!r}")
    return tuple(lost)


def _add(line: bytes, workspace: ResultsFolder) -> None:
    """Append a line, unless it is there already: the same command is often given again."""
    try:
        before = workspace.intake.read_bytes() if workspace.intake.is_file() else b""
    except OSError as bad:
        raise StoreError(f"{workspace.intake}: cannot be read ({bad})") from None
    if line not in before.splitlines(keepends=True):
        write_atomic(workspace.intake, before, line)
