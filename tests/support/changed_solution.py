"""The solution with some texts replaced, graded, and what then did not pass."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
import pytest

from autograder.classroom.results_folder import KeptSubmission
from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import CheckGrade, Grade
from autograder.grading.context import PreparedClass
from autograder.grading.device_runs import EvidenceResult
from autograder.grading.repair_run import RepairRuns
from autograder.judging.diagnosis.by_mutants import NO_MUTANTS
from autograder.judging.verdict import Verdict
from autograder.notebook.formats.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.pipeline import grade_class
from autograder.sandbox.lazy import LazyBox
from tests.support.courses import prepare_course, write_course

Row = TypeVar("Row")


def prepared_course(
    files: Mapping[str, str], box: LazyBox, folder: Path, **changes: tuple[str, str]
) -> PreparedClass:
    """A small assignment without mutants: they would all be run for the first mistake that nobody
    knows."""
    course = write_course(folder / "course", files, **changes)
    return replace(prepare_course(course, box, folder / "evidence"), mutants=NO_MUTANTS)


def without_repairs(
    runs: RepairRuns, verdicts: Sequence[Verdict], evidence: EvidenceResult
) -> tuple[tuple[Verdict, ...], EvidenceResult]:
    """In place of the search for repairs, which takes longer than all the rest."""
    return tuple(verdicts), evidence


def graded(ready: PreparedClass, *changes: tuple[str, str]) -> Grade:
    """The solution with some texts replaced, graded; no repair is looked for."""
    solution = read(ready.context.loaded.solution)
    cells = list(solution.cells)
    for old, new in changes:
        assert any(old in cell.source for cell in cells), old
        cells = [replace_source(cell, old, new) for cell in cells]
    name = "/".join(new for _, new in changes)
    changed = Submission(file="x.py", sha256=str(hash(name)), cells=tuple(cells))
    source = KeptSubmission("student-01", "student-01.ipynb", changed)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(RepairRuns, "repaired", without_repairs)
        (one,) = grade_class(ready, [source], Inline(), lambda handed, outcome: None)
    return one.grade


def replace_source(cell: NotebookCell, old: str, new: str) -> NotebookCell:
    return msgspec.structs.replace(cell, source=cell.source.replace(old, new))


def lost(grade: Grade) -> dict[str, str]:
    """exercise/check -> message of what did not pass."""
    return {
        f"{e.id}/{c.id}": c.message
        for e in grade.exercises
        for c in e.checks
        if c.status.value != "passed"
    }


def device_check(grade: Grade, exercise: str) -> CheckGrade:
    """The check of an exercise on devices, in the course of devices."""
    (found,) = (e for e in grade.exercises if e.id == exercise)
    return next(c for c in found.checks if c.id == "devices")


class Mistake(NamedTuple):
    """Texts of one answer that are replaced, what is lost (exercise/check -> words of its message),
    and how all of that is explained, unless it does not matter."""

    changes: tuple[tuple[str, str], ...]
    lost: Mapping[str, str]
    diagnosis: str | None = None


def submissions(answers: Mapping[str, Mapping[str, Row]]) -> dict[str, list[Row]]:
    """Submissions that each have one of the mistakes in every answer, by the mistakes' names."""
    columns = (list(mistakes.items()) for mistakes in answers.values())
    rows = ([entry for entry in row if entry] for row in zip_longest(*columns))
    return {", ".join(name for name, _ in row): [mistake for _, mistake in row] for row in rows}


def assert_loses(ready: PreparedClass, mistakes: list[Mistake]) -> None:
    """A submission with these mistakes loses what each of them loses, and nothing more."""
    grade = graded(ready, *(change for mistake in mistakes for change in mistake.changes))
    messages = lost(grade)
    expected = {check: words for mistake in mistakes for check, words in mistake.lost.items()}
    assert messages.keys() == expected.keys()
    for check, words in expected.items():
        assert words in messages[check], check
    diagnoses = {f"{e.id}/{c.id}": c.diagnosis for e in grade.exercises for c in e.checks}
    for mistake in mistakes:
        if mistake.diagnosis is not None:
            assert {diagnoses[check] for check in mistake.lost} == {mistake.diagnosis}
