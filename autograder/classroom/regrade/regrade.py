"""Judges a graded class again from stored evidence: first all grades, then, if wanted, the files.

A grade is kept while everything that it depends on is unchanged; the other submissions are judged
as when they were graded. The result equals judging everything again, byte for byte except for the
times.
"""

from __future__ import annotations

import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

import msgspec

from autograder.classroom.grade_class import ClassGrades, basis_of_class, source_of
from autograder.classroom.known_mistakes import WorkProgress, bank_of, mistakes_of
from autograder.classroom.mutant_bank import MutantBank
from autograder.classroom.personal import with_personal
from autograder.classroom.reference import only_stored, prepare_reference
from autograder.classroom.regrade.basis import Basis, digest
from autograder.classroom.regrade.judging import JudgingMemory
from autograder.classroom.regrade.stored_grade import (
    StoredGrade,
    is_written,
    keep_grade,
    read_stored_grade,
    remember_row,
    remembered_row,
    still_holds,
    stored_grade_of,
    with_files,
)
from autograder.classroom.regrade.table import DigestTable
from autograder.classroom.results_folder import ResultsFolder, read_kept
from autograder.classroom.write_results import write_class, write_student
from autograder.errors import AutograderError, StoreError
from autograder.evidence.store import EvidenceStore, versions
from autograder.evidence.stored_run import Damaged
from autograder.execution.engines.base import Engine
from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import Current, Grade
from autograder.gradebook.standings import counter_of, listed_in
from autograder.gradebook.store import GradeStore
from autograder.grading.context import GradedSubmission, GradingContext, PreparedClass, failed_on
from autograder.judging.diagnosis.known import KnownMistake
from autograder.pipeline import grade_student


@dataclass(frozen=True, slots=True)
class RegradedClass:
    """A class judged again, of which nothing is written yet.

    ``grades``: one for each submission, in the order of ``kept``. ``changed``: the indices of those
    whose grade, result file or page differs from the last one written. ``unbooked``: of those whose
    grade differs from the one in the gradebook ``where``. ``before``: the grades in it.
    """

    prepared: PreparedClass
    basis: Basis
    kept: tuple[Path, ...]
    grades: tuple[Grade, ...]
    changed: frozenset[int]
    unbooked: frozenset[int]
    before: Mapping[str, Current]
    workspace: ResultsFolder
    where: Path | str


def judged_again(
    context: GradingContext,
    workspace: ResultsFolder,
    engine: Engine,
    progress: WorkProgress,
    *,
    where: Path | str = "",
) -> RegradedClass:
    """All grades as they are now; writes no grade and no page, and runs no submission.

    The solution and the known mistakes may be new: they are run if needed. Raises ``UsageError`` if
    evidence is missing, and whatever ``prepare_reference`` raises.
    """
    kept = tuple(workspace.kept_files())
    prepared = with_personal(prepare_reference(context, engine, progress.begin, mistakes=False))
    where = where or workspace.database
    with GradeStore(where) as store:
        before = store.current(context.loaded.spec.id)
    known = [(mistake.exercise, mistake) for mistake in mistakes_of(context)]
    basis = basis_of_class(prepared, known)
    progress.begin("Judging again", len(kept))
    found: dict[int, _Found] = {}
    with _remembered(prepared, basis, workspace) as class_:
        for index, path in enumerate(kept):
            if (old := class_.standing(path)) is not None:
                found[index] = old
                progress.done(index)
        left = [index for index in range(len(kept)) if index not in found]
        started = time.monotonic()

        def judge(index: int) -> _Found:  # what another one just remembered may confirm it
            return class_.standing(kept[index]) or class_.judged(kept[index], started)

        for at, new in engine.map(judge, left):
            found[left[at]] = new
            progress.done(at)
        changed = [n for n, one in found.items() if not class_.is_written(one.standing)]
        unbooked = [n for n, one in found.items() if not class_.is_booked(one, before)]
    grades = tuple(found[index].grade for index in range(len(kept)))
    return RegradedClass(
        prepared,
        basis,
        kept,
        grades,
        frozenset(changed),
        frozenset(unbooked),
        before,
        workspace,
        where,
    )


def write(
    judged: RegradedClass, engine: Engine, progress: WorkProgress, *, command: Sequence[str]
) -> ClassGrades:
    """Write what has changed: results and pages first, then the gradebook, then the tables of the
    class. Raises ``StoreError``; the same command again then writes what is missing."""
    workspace, context = judged.workspace, judged.prepared.context
    spec, kept = context.loaded.spec, judged.kept
    changed, grades = sorted(judged.changed), list(judged.grades)
    progress.begin("Writing", len(changed))
    with _remembered(judged.prepared, judged.basis, workspace) as class_:
        for at, grade in engine.map(
            lambda index: class_.write(kept[index], judged.grades[index]), changed
        ):
            grades[changed[at]] = grade
            progress.done(at)
        with GradeStore(judged.where) as store:
            run_id = store.begin_run(
                assignment=spec.id,
                seed=context.seed,
                command=shlex.join(command),
                versions=versions(),
                started_at=datetime.now(UTC),
            )
            failed = {index for index in changed if grades[index] is not judged.grades[index]}
            store.record_all(run_id, [grades[n] for n in sorted(judged.unbooked | failed)])
            rows = store.current(spec.id)
            everybody = counter_of(store, spec), listed_in(store, spec)
            ours = {grade.student for grade in grades}
            if rows.keys() - ours:
                grades += [grade for grade in store.latest(spec.id) if grade.student not in ours]
            left = store.names_before(spec.id)
        grades = sorted((g for g in grades if g.student not in left), key=lambda g: g.student)
        overview = write_class(workspace, grades, *everybody)
        for index in judged.unbooked - failed:
            remember_row(
                class_.memory.table, kept[index].stem, rows[judged.grades[index].student].digest
            )
    return ClassGrades(overview, workspace)


@dataclass(frozen=True, slots=True)
class _Found:
    """A current grade, and what it depends on, if that is remembered."""

    grade: Grade
    standing: StoredGrade | None


@dataclass(frozen=True, slots=True)
class _Class:
    """What is needed to judge submissions again. ``context`` reads evidence on demand, ``whole``
    all of it; ``prepared`` may run the solution."""

    context: GradingContext
    whole: GradingContext
    memory: JudgingMemory
    prepared: PreparedClass
    workspace: ResultsFolder

    def standing(self, path: Path) -> _Found | None:
        """The grade of a stored submission if it still holds."""
        old = read_stored_grade(self.memory.table, path.stem)
        if old is None or not still_holds(
            self.context, self.memory, self.prepared.expected, old, _digest(path)
        ):
            return None
        return _Found(old.grade, old)

    def judged(self, path: Path, started: float) -> _Found:
        """Judge a submission again, and remember what the grade depends on."""
        graded, table = self._graded(path, started, self.context), self.memory.table
        old = read_stored_grade(table, path.stem)
        new = stored_grade_of(self.whole, self.memory, _digest(path), graded)
        if new is not None and old is not None and new.digest == old.digest:
            new = msgspec.structs.replace(new, page=old.page, files=old.files)
        keep_grade(table, path.stem, new)
        return _Found(graded.grade if new is None else new.grade, new)

    def write(self, path: Path, grade: Grade) -> Grade:
        """Write one student's files; if that fails, the grade changes."""
        graded, spec = GradedSubmission(grade), self.context.loaded.spec
        try:
            if grade.exercises:
                graded = replace(self._graded(path, time.monotonic(), self.whole), grade=grade)
            write_student(self.workspace, graded, spec)
        except AutograderError:
            raise
        except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
            graded = failed_on(self.context, read_kept(path), bad)
            write_student(self.workspace, graded, spec)
        standing = read_stored_grade(self.memory.table, path.stem)
        if standing is not None and graded.grade is grade:
            standing = with_files(self.workspace, self.memory.basis.page, standing)
            keep_grade(self.memory.table, path.stem, standing)
        return graded.grade

    def is_written(self, standing: StoredGrade | None) -> bool:
        page = self.memory.basis.page
        return standing is not None and is_written(self.workspace, page, standing)

    def is_booked(self, judged: _Found, before: Mapping[str, Current]) -> bool:
        row = before.get(judged.grade.student)
        known = (
            "" if judged.standing is None else remembered_row(self.memory.table, judged.standing)
        )
        return row is not None and row.digest == known

    def _graded(self, path: Path, started: float, context: GradingContext) -> GradedSubmission:
        kept = read_kept(path)
        try:
            own = self.prepared
            prepared = PreparedClass(context, own.expected, personal=own.personal)
            return grade_student(prepared, source_of(kept), started)
        except Damaged:  # a missing file counts as changed
            return self._graded(path, started, self.whole)
        except AutograderError:
            raise
        except Exception as bad:  # noqa: BLE001  a fault of ours ends no batch and costs nobody
            return failed_on(self.context, kept, bad)


class _AsAskedFor:
    """A store whose runs are read on demand."""

    def __init__(self, store: EvidenceStore) -> None:
        self.save, self.stamp = store.save, store.stamp
        self.load = self.open = store.open


@contextmanager
def _remembered(
    prepared: PreparedClass, basis: Basis, workspace: ResultsFolder
) -> Iterator[_Class]:
    with DigestTable(workspace.remembered) as table:
        memory = JudgingMemory(table, basis, _Mistakes(prepared), MutantBank(prepared))
        whole = replace(only_stored(prepared).context, memory=memory)
        part = replace(whole, store=_AsAskedFor(whole.store))
        yield _Class(part, whole, memory, prepared, workspace)


class _Mistakes:
    """The known mistakes of an exercise, run or read when first needed."""

    def __init__(self, prepared: PreparedClass) -> None:
        self._prepared, self._lock = prepared, Lock()
        self._known: dict[str, tuple[KnownMistake, ...]] = {}

    def __call__(self, exercise: str) -> Sequence[KnownMistake]:
        """Raises ``SpecError``, ``SandboxError``, ``StoreError``."""
        with self._lock:
            if exercise not in self._known:
                self._known[exercise] = bank_of(
                    self._prepared, (exercise,), Inline(), lambda what, n: None
                )
            return self._known[exercise]


def _digest(path: Path) -> bytes:
    """The digest of a stored submission. Raises ``StoreError``."""
    try:
        return digest(path.read_bytes())
    except OSError as bad:
        raise StoreError(f"{path}: cannot be read ({bad}); grade this submission again") from None
