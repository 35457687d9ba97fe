"""Remembers a class while it is graded, so that it is soon judged again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice

import msgspec

from autograder.gradebook.current import Current
from autograder.gradebook.grade import NO_TIME, Grade
from autograder.recall.again import remembered
from autograder.recall.basis import Basis, as_stored, digest
from autograder.recall.memory import (
    Written,
    forget,
    keep_memory,
    keep_students,
    read_written,
)
from autograder.recall.spool import Spool
from autograder.setting import Graded, Setting
from autograder.shelf import FileMark, file_mark
from autograder.workspace import Kept, Workspace

Files = tuple[FileMark, FileMark]  # of the result and of the page
Digests = Callable[[Iterable[str]], Mapping[str, str]]  # by student
AT_ONCE = 200  # students of one question to the gradebook


class _Mark(msgspec.Struct, frozen=True, array_like=True):
    """What ``Written`` has of a student, before the gradebook has the grade."""

    student: str
    grade: bytes
    result: FileMark
    feedback: FileMark


class Keeper:
    """Takes every outcome as its files are written, from any thread; then, once, the class. What
    it takes lies in a temporary file meanwhile."""

    def __init__(self, setting: Setting, basis: Basis, workspace: Workspace) -> None:
        self._setting, self._basis, self._workspace = setting, basis, workspace
        self._written = Spool(_Mark)

    def keep(self, kept: Kept, graded: Graded) -> None:
        """Remember one hand-in whose files are written."""
        memory = remembered(self._setting, self._basis, kept, graded)
        if memory is not None:
            keep_memory(self._workspace, memory)
        elif graded.submission is not None:
            forget(self._workspace, kept.student)
        files = files_of(self._workspace, kept.student)
        if files is not None:
            self._written.add(_Mark(kept.student, untimed(as_stored(graded.grade)), *files))

    def finish(self, digests: Digests) -> None:
        """Remember how the class was written; ``digests`` are those that the gradebook has now of
        some students' grades."""
        basis, before = self._basis, read_written(self._workspace)
        old = before.students if before.page == basis.page else {}
        students = chain(old.items(), self._marks(digests))
        count = len(old) + len(self._written)
        keep_students(self._workspace, basis.page, basis.exercises, students, count=count)
        self._written.close()

    def _marks(self, digests: Digests) -> Iterator[tuple[str, Written]]:
        for some in in_batches(self._written, AT_ONCE):
            rows = digests([one.student for one in some])
            for one in some:
                row = rows.get(one.student, "")
                yield one.student, Written(one.grade, one.result, one.feedback, row)


def marks(
    written: Mapping[str, tuple[bytes, Files | None]], rows: Mapping[str, Current]
) -> dict[str, Written]:
    """By student: digest of the grade and the files as written, with the gradebook's row."""
    return {
        student: Written(grade, *files, rows[student].digest)
        for student, (grade, files) in written.items()
        if files is not None and student in rows
    }


def in_batches(marks: Iterable[_Mark], size: int) -> Iterator[list[_Mark]]:
    """All of them in order, so many at a time."""
    left = iter(marks)
    while some := list(islice(left, size)):
        yield some


def files_of(workspace: Workspace, student: str) -> Files | None:
    """A student's files as they are now; None when one cannot be read."""
    result = file_mark(workspace.result(student))
    feedback = file_mark(workspace.feedback(student))
    return None if result is None or feedback is None else (result, feedback)


def untimed(grade: Grade) -> bytes:
    """The digest of a grade without the times that it took."""
    return digest(msgspec.structs.replace(grade, timing=NO_TIME))
