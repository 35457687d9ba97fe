"""Judges a graded class again from stored evidence: first all grades, then, if wanted, the files.

Of each hand-in only what a change can touch is judged; the rest is remembered. What comes of it
equals judging everything anew, byte for byte but for the times.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from autograder.bank import bank_of, mistakes_of
from autograder.classroom import (
    ClassGrades,
    Prepared,
    Report,
    again,
    basis_of_class,
    only_stored,
    prepare_reference,
)
from autograder.diagnosis.known import Known
from autograder.engines.base import Engine
from autograder.engines.forked import Forked, WorkerLost
from autograder.errors import AutograderError, SandboxError, SpecError
from autograder.evidence import versions
from autograder.gradebook.current import Current
from autograder.gradebook.grade import Grade
from autograder.gradebook.standings import counter_of
from autograder.gradebook.store import GradeStore
from autograder.object_store import at_rest
from autograder.outcome import write_class, write_student
from autograder.pipeline import grade_best
from autograder.recall.again import Class, NotRecalled, recalled, remembered
from autograder.recall.basis import digest
from autograder.recall.keep import Files, files_of, marks, untimed
from autograder.recall.memory import (
    WRITTEN,
    ClassWritten,
    keep_memory,
    keep_written,
    read_memory,
    read_written,
)
from autograder.setting import Graded, Setting, failed_on
from autograder.shelf import Damaged, ShelvedRun, is_as_it_was
from autograder.wire.types import resolved
from autograder.workspace import Kept, Workspace, read_kept


@dataclass(frozen=True, slots=True)
class JudgedAgain:
    """A class judged again, of which nothing is written yet.

    ``grades``: one for each hand-in, in the order of ``kept``. ``changed``: the indices of those
    whose grade, result file or page is not as it was written last. ``before``: what stands in
    the gradebook, which is ``where``.
    """

    one: Class
    kept: tuple[Path, ...]
    grades: tuple[Grade, ...]
    changed: frozenset[int]
    before: Mapping[str, Current]
    workspace: Workspace
    where: Path | str
    written: ClassWritten


class _Answer(msgspec.Struct, frozen=True):
    """What a worker says of one hand-in; no grade: nothing could be recalled."""

    grade: Grade | None
    changed: bool = True


class _Files(msgspec.Struct, frozen=True):
    """What a worker wrote for one hand-in; ``grade`` where it had to be another one."""

    grade: Grade | None
    files: Files | None


class _Failure(msgspec.Struct, frozen=True):
    """One of our errors on its way out of a worker."""

    name: str
    text: str
    problems: tuple[str, ...] = ()


def judged_again(
    setting: Setting, workspace: Workspace, engine: Engine, *, workers: int, report: Report,
    done: Callable[[object], None], where: Path | str = "",
) -> JudgedAgain:  # fmt: skip
    """All grades as they are now; writes no grade and no page, and runs no hand-in.

    The solution and the known mistakes may be new: they are run where that is needed. Raises
    ``UsageError`` where evidence is lacking, and what ``prepare_reference`` raises.
    """
    kept = tuple(workspace.kept_files())
    written = read_written(workspace)
    prepared = prepare_reference(setting, engine, report, mistakes=False)
    one = _class(prepared, written, engine, report)
    where = where or workspace.database
    with GradeStore(where) as store:
        before = store.current(setting.loaded.spec.id)
    started = time.monotonic()

    def recall(index: int) -> bytes:
        answer = _recalled(one, workspace, kept[index], written, started)
        return msgspec.msgpack.encode(answer)

    report("Judging again", len(kept))
    answers: dict[int, _Answer] = {}
    at_rest(setting.store)
    for index, said in _results(Forked(workers), recall, range(len(kept))):
        answers[index] = msgspec.msgpack.decode(said, type=resolved(_Answer))
        done(index)
    anew = [index for index, answer in sorted(answers.items()) if answer.grade is None]
    if anew:
        one = replace(one, bank=_bank(prepared, set(_available(setting)), engine, report))

        def judge_anew(at: int) -> bytes:
            answer = _judged_anew(one, workspace, kept[anew[at]], written, started)
            return msgspec.msgpack.encode(answer)

        report("Judging anew", len(anew))
        at_rest(setting.store)
        for at, said in _results(Forked(workers), judge_anew, range(len(anew))):
            answers[anew[at]] = msgspec.msgpack.decode(said, type=resolved(_Answer))
            done(at)
    grades = tuple(answer.grade for _, answer in sorted(answers.items()) if answer.grade)
    changed = frozenset(index for index, answer in answers.items() if answer.changed)
    return JudgedAgain(one, kept, grades, changed, before, workspace, where, written)


def write(
    judged: JudgedAgain, *, workers: int, command: Sequence[str], report: Report,
    done: Callable[[object], None],
) -> ClassGrades:  # fmt: skip
    """Write what is not as it was: results and pages first, then the gradebook, then the tables
    of the class. Raises ``StoreError``; the same command again writes what is then missing."""
    workspace, spec = judged.workspace, judged.one.setting.loaded.spec
    changed = sorted(judged.changed)

    def write_one(at: int) -> bytes:
        return msgspec.msgpack.encode(_written(judged, changed[at]))

    report("Writing", len(changed))
    grades = list(judged.grades)
    files: dict[int, _Files] = {}
    at_rest(judged.one.setting.store)
    for at, said in _results(Forked(workers), write_one, range(len(changed))):
        one = files[changed[at]] = msgspec.msgpack.decode(said, type=resolved(_Files))
        grades[changed[at]] = one.grade or grades[changed[at]]
        done(at)
    with GradeStore(judged.where) as store:
        run_id = store.begin_run(
            assignment=spec.id, seed=judged.one.setting.seed, command=shlex.join(command),
            versions=versions(), started_at=datetime.now(UTC),
        )  # fmt: skip
        store.record_all(
            run_id,
            [
                grade
                for index, grade in enumerate(grades)
                if index in judged.changed or not _stands(judged, grade.student)
            ],
        )
        rows = store.current(spec.id)
        count = counter_of(store, spec)
        if rows.keys() - {grade.student for grade in grades}:
            ours = {grade.student for grade in grades}
            grades += [one for one in store.latest(spec.id) if one.student not in ours]
    grades.sort(key=lambda grade: grade.student)
    overview = write_class(workspace, grades, count)
    _keep_marks(judged, files, rows)
    return ClassGrades(overview, 0, workspace)


def _class(prepared: Prepared, written: ClassWritten, engine: Engine, report: Report) -> Class:
    """What hand-ins are recalled with; the known mistakes only of exercises of which something
    has changed since the class was written."""
    known = [(one.exercise, one) for one in mistakes_of(prepared.setting)]
    basis = basis_of_class(prepared, known)
    setting = only_stored(prepared).setting
    old = written.exercises
    stale = {e for e in _available(setting) if old and old.get(e) != basis.exercises[e]}
    return Class(setting, basis, prepared.expected, _bank(prepared, stale, engine, report))


def _available(setting: Setting) -> tuple[str, ...]:
    return tuple(e.id for e in setting.loaded.spec.exercise if e.id not in setting.unavailable)


def _bank(
    prepared: Prepared, exercises: Collection[str], engine: Engine, report: Report
) -> dict[str, tuple[Known, ...]]:
    """The known mistakes of these exercises, run or read."""
    if not exercises:
        return {}
    bank = bank_of(prepared.setting, prepared.expected, exercises, engine, report)
    return {e: tuple(one for one in bank if one.exercise == e) for e in exercises}


def _recalled(
    one: Class, workspace: Workspace, path: Path, written: ClassWritten, started: float
) -> _Answer:
    kept, data = read_kept(path)
    memory = read_memory(workspace, kept.student)
    try:
        graded, now = recalled(one, kept, digest(data), memory, started)
    except AutograderError:
        raise
    except Exception:  # noqa: BLE001  whatever is wrong with what is remembered, it can be made anew
        return _Answer(None)
    if now is not None and now is not memory:
        keep_memory(workspace, now)
    return _Answer(graded.grade, _is_changed(one, workspace, graded.grade, written))


def _judged_anew(
    one: Class, workspace: Workspace, path: Path, written: ClassWritten, started: float
) -> _Answer:
    kept, _ = read_kept(path)
    graded = _graded(one, kept, started)
    memory = remembered(one.setting, one.basis, kept, graded)
    if memory is not None:
        keep_memory(workspace, memory)
    return _Answer(graded.grade, _is_changed(one, workspace, graded.grade, written))


def _graded(one: Class, kept: Kept, started: float) -> Graded:
    bank = [known for own in one.bank.values() for known in own]
    try:
        return grade_best(one.setting, again(kept), one.expected, bank, started)
    except AutograderError:
        raise
    except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
        return failed_on(one.setting, kept, bad)


def _is_changed(one: Class, workspace: Workspace, grade: Grade, written: ClassWritten) -> bool:
    """Whether a grade, or a file of it, is not what was written last."""
    mark = written.students.get(grade.student)
    return (
        mark is None
        or written.page != one.basis.page
        or mark.grade != untimed(grade)
        or not is_as_it_was(workspace.result(grade.student), mark.result)
        or not is_as_it_was(workspace.feedback(grade.student), mark.feedback)
    )


def _written(judged: JudgedAgain, index: int) -> _Files:
    """Write one student's files."""
    workspace, spec = judged.workspace, judged.one.setting.loaded.spec
    grade, other = judged.grades[index], None
    try:
        write_student(workspace, _again(judged, index), spec)
    except AutograderError:
        raise
    except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
        graded = failed_on(judged.one.setting, read_kept(judged.kept[index])[0], bad)
        other = graded.grade
        write_student(workspace, graded, spec)
    return _Files(other, files_of(workspace, grade.student))


def _again(judged: JudgedAgain, index: int) -> Graded:
    """The grade that was given, with the notebook that is shown beside it."""
    grade, one = judged.grades[index], judged.one
    if not grade.exercises:
        return Graded(grade)
    kept, data = read_kept(judged.kept[index])
    memory = read_memory(judged.workspace, kept.student)
    try:
        graded, _ = recalled(one, kept, digest(data), memory, 0.0)
        if isinstance(graded.run, ShelvedRun):
            graded = replace(graded, run=graded.run.with_outputs())
    except (NotRecalled, Damaged):
        graded = _graded(one, kept, 0.0)
    return replace(graded, grade=grade)


def _stands(judged: JudgedAgain, student: str) -> bool:
    """Whether the gradebook has what was written."""
    mark, row = judged.written.students.get(student), judged.before.get(student)
    return mark is not None and row is not None and mark.row == row.digest


def _keep_marks(
    judged: JudgedAgain, files: Mapping[int, _Files], rows: Mapping[str, Current]
) -> None:
    basis = judged.one.basis
    grades = {index: one.grade or judged.grades[index] for index, one in files.items()}
    news = {grade.student: (untimed(grade), files[index].files) for index, grade in grades.items()}
    old = {s: mark for s, mark in judged.written.students.items() if s not in news}
    students = {**old, **marks(news, rows)}
    keep_written(judged.workspace, ClassWritten(WRITTEN, basis.page, basis.exercises, students))


def _results(
    forked: Forked, function: Callable[[int], bytes], items: Sequence[int]
) -> Iterator[tuple[int, bytes]]:
    try:
        yield from forked.map(function, items, failed=_failure, again=_error)
    except WorkerLost as lost:
        raise SandboxError(
            f"{lost}; nothing of this step counts. Run the same command again, with "
            "--workers 1 if it happens again"
        ) from None


def _failure(bad: Exception) -> bytes:
    problems = bad.problems if isinstance(bad, SpecError) else ()
    return msgspec.msgpack.encode(_Failure(type(bad).__name__, str(bad), problems))


def _error(said: bytes) -> Exception:
    one = msgspec.msgpack.decode(said, type=resolved(_Failure))
    if one.name == SpecError.__name__:
        return SpecError(one.problems)
    kinds = {kind.__name__: kind for kind in AutograderError.__subclasses__()}
    kind = kinds.get(one.name)
    return kind(one.text) if kind is not None else RuntimeError(f"{one.name}: {one.text}")
