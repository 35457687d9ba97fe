"""Remembers a class while it is graded, so that it is soon judged again."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from autograder.gradebook.current import Current
from autograder.gradebook.grade import NO_TIME, Grade
from autograder.recall.again import remembered
from autograder.recall.basis import Basis, as_stored, digest
from autograder.recall.memory import (
    WRITTEN,
    ClassWritten,
    Written,
    forget,
    keep_memory,
    keep_written,
    read_written,
)
from autograder.setting import Graded, Setting
from autograder.shelf import FileMark, file_mark
from autograder.workspace import Kept, Workspace

Files = tuple[FileMark, FileMark]  # of the result and of the page


class Keeper:
    """Takes every outcome as its files are written, from any thread; then, once, the class."""

    def __init__(self, setting: Setting, basis: Basis, workspace: Workspace) -> None:
        self._setting, self._basis, self._workspace = setting, basis, workspace
        self._written: dict[str, tuple[bytes, Files | None]] = {}

    def keep(self, kept: Kept, graded: Graded) -> None:
        """Remember one hand-in whose files are written."""
        memory = remembered(self._setting, self._basis, kept, graded)
        if memory is not None:
            keep_memory(self._workspace, memory)
        elif graded.submission is not None:
            forget(self._workspace, kept.student)
        grade = untimed(as_stored(graded.grade))
        self._written[kept.student] = (grade, files_of(self._workspace, kept.student))

    def finish(self, rows: Mapping[str, Current]) -> None:
        """Remember how the class was written; ``rows`` are what the gradebook has now."""
        basis, before = self._basis, read_written(self._workspace)
        old = before.students if before.page == basis.page else {}
        now = marks(self._written, rows)
        keep_written(
            self._workspace, ClassWritten(WRITTEN, basis.page, basis.exercises, {**old, **now})
        )


def marks(
    written: Mapping[str, tuple[bytes, Files | None]], rows: Mapping[str, Current]
) -> dict[str, Written]:
    """By student: digest of the grade and the files as written, with the gradebook's row."""
    return {
        student: Written(grade, *files, rows[student].digest)
        for student, (grade, files) in written.items()
        if files is not None and student in rows
    }


def files_of(workspace: Workspace, student: str) -> Files | None:
    """A student's files as they are now; None when one cannot be read."""
    result = file_mark(workspace.result(student))
    feedback = file_mark(workspace.feedback(student))
    return None if result is None or feedback is None else (result, feedback)


def untimed(grade: Grade) -> bytes:
    """The digest of a grade without the times that it took."""
    return digest(msgspec.structs.replace(grade, timing=NO_TIME))
