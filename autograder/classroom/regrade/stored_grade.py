"""A student's last grade, with everything that it was computed from: while that is unchanged, so is
the grade, and nothing is judged again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from autograder.classroom.regrade.basis import as_stored, digest
from autograder.classroom.regrade.judging import JudgingMemory
from autograder.classroom.regrade.table import DigestTable
from autograder.classroom.results_folder import ResultsFolder
from autograder.evidence.records import Run
from autograder.evidence.store import RecordStamp
from autograder.evidence.stored_run import Damaged
from autograder.gradebook.grade import NO_TIME, Grade
from autograder.grading.context import GradedSubmission, GradingContext
from autograder.grading.runs import Trace
from autograder.wire.types import resolved


class FileMark(msgspec.Struct, frozen=True, array_like=True):
    """Shows whether a file is unchanged since it was written."""

    size: int
    written_ns: int


Files = tuple[FileMark, FileMark]  # for the result and the page


class StoredGrade(msgspec.Struct, frozen=True, array_like=True):
    """A grade and what it depends on: the stored submission (a digest), the ``rest`` of its basis,
    one trace for each run, and stamps of the evidence.

    ``digest`` is that of the grade without its times. ``files`` marks the files written for it,
    with this ``page`` of the basis; None until they are written.
    """

    hand_in: bytes
    rest: bytes
    traces: tuple[Trace, ...]
    evidence: Mapping[str, RecordStamp]
    grade: Grade
    digest: bytes
    page: bytes = b""
    files: Files | None = None


def stored_grade_of(
    context: GradingContext, memory: JudgingMemory, hand_in: bytes, graded: GradedSubmission
) -> StoredGrade | None:
    """A grade that was given just now; None if what it depends on is not fully known. ``hand_in``:
    the digest of the stored submission. Raises ``StoreError``."""
    runs = [tried for attempt in (graded.attempts or (graded,)) for tried in attempt.tries]
    traces = [tried.trace for tried in runs if tried.trace is not None]
    if graded.grade.status == "ungraded" or len(traces) < len(runs):
        return None
    keys = dict.fromkeys(key for trace in traces for key in trace.keys)
    stamps = {key: context.store.stamp(key) for key in keys}
    evidence = {key: stamp for key, stamp in stamps.items() if stamp is not None}
    if len(evidence) < len(keys):
        return None
    try:
        grade = as_stored(graded.grade)
    except (ValueError, msgspec.MsgspecError):  # a text that UTF-8 cannot encode
        return None
    return StoredGrade(hand_in, memory.basis.rest, tuple(traces), evidence, grade, untimed(grade))


def still_holds(
    context: GradingContext, memory: JudgingMemory, expected: Run, old: StoredGrade, hand_in: bytes
) -> bool:
    """Whether the grade would be the same now. What a changed check finds is looked up or computed;
    explanations are only looked up. Raises ``StoreError``."""
    if (old.hand_in, old.rest) != (hand_in, memory.basis.rest):
        return False
    store = context.store
    for key, stamp in old.evidence.items():
        now = store.stamp(key, stamp)
        if now is None or now.sum != stamp.sum:
            return False
    try:
        return all(_found_again(context, memory, expected, trace) for trace in old.traces)
    except Damaged:
        return False


def _found_again(
    context: GradingContext, memory: JudgingMemory, expected: Run, trace: Trace
) -> bool:
    basis, opened = memory.basis, list[Run]()
    checks = {f"{e.id}/{c.id}": (c, e.id) for e in context.loaded.spec.exercise for c in e.check}
    for name, before, answers, found in trace.looked:
        if before == basis.checks[name]:
            continue
        stored = memory.finding(name, answers)
        now = None if stored is None else digest(stored)
        if now is None and len(trace.keys) == 1:
            opened = opened or [run for key in trace.keys if (run := context.store.open(key))]
            if not opened:
                return False
            _, now = memory.found(*checks[name], opened[0], context.reference(expected))
        if now != found:
            return False
    return all(
        before == basis.exercises[exercise]
        or ((stored := memory.told(exercise, key)) is not None and digest(stored) == told)
        for exercise, before, key, told in trace.told
    )


def read_stored_grade(table: DigestTable, name: str) -> StoredGrade | None:
    """What is remembered for the student with these file names."""
    data = table.get(_key(name))
    if data is None:
        return None
    try:
        return msgspec.msgpack.decode(data, type=resolved(StoredGrade))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None


def keep_grade(table: DigestTable, name: str, standing: StoredGrade | None) -> None:
    """Remember it from now on, replacing the earlier one."""
    table.put(_key(name), b"" if standing is None else msgspec.msgpack.encode(standing))
    table.commit()


def with_files(workspace: ResultsFolder, page: bytes, standing: StoredGrade) -> StoredGrade:
    """The grade, with its files written now by this page of the basis."""
    files = files_of(workspace, standing.grade.student)
    return msgspec.structs.replace(standing, page=page, files=files)


def remembered_row(table: DigestTable, standing: StoredGrade) -> str:
    """The digest that a gradebook has of this grade; empty if that is not known."""
    return (table.get(_row(standing)) or b"").decode()


def remember_row(table: DigestTable, name: str, row: str) -> None:
    """Remember the digest that the gradebook has of this student's grade."""
    standing = read_stored_grade(table, name)
    if standing is not None:
        table.put(_row(standing), row.encode())


def is_written(workspace: ResultsFolder, page: bytes, standing: StoredGrade) -> bool:
    """Whether the student's files are those of this grade."""
    return (
        standing.files is not None
        and standing.page == page
        and standing.files == files_of(workspace, standing.grade.student)
    )


def files_of(workspace: ResultsFolder, student: str) -> Files | None:
    """The marks of a student's files as they are now; None if one is missing."""
    try:
        return _mark(workspace.result(student)), _mark(workspace.feedback(student))
    except OSError:
        return None


def untimed(grade: Grade) -> bytes:
    """The digest of a grade without its times."""
    return digest(msgspec.structs.replace(grade, timing=NO_TIME))


def _mark(path: Path) -> FileMark:
    status = path.stat()
    return FileMark(status.st_size, status.st_mtime_ns)


def _key(name: str) -> bytes:
    return digest(b"standing", name)


def _row(standing: StoredGrade) -> bytes:
    return digest(b"row", standing.digest)
