"""What an imported assignment shows about itself: its solution and its blank release, graded.

Covered: points that the solution does not earn, with the reason of each test; packages and files
that are not there; tests that a student passes without any work. Not covered: mutants, because the
tests of another tool say nothing of the functions they ask for.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.base import Engine
from autograder.files import scratch_folder
from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade
from autograder.gradebook.rounding import written
from autograder.grading.context import Arrange, FoundSubmission, GradedSubmission
from autograder.judging.verdict import Status
from autograder.notebook.formats.find import FoundFile
from autograder.notebook.formats.text import first_of
from autograder.pipeline import grade_submission
from autograder.sandbox.box import Level

MOST = 5  # tests that are named
_PACKAGE = re.compile(r"No module named '([\w.]+)'")
_FILE = re.compile(r"No such file or directory: ['\"]([^'\"]+)['\"]")


@dataclass(frozen=True)
class ImportProof:
    """The grades of the solution and of the release as students get it; None where the import has
    no such notebook. ``packages`` and ``files``: what their cells ask for and do not find."""

    id: str
    solution: Grade | None
    blank: Grade | None
    packages: tuple[str, ...]
    files: tuple[str, ...]

    @property
    def is_right(self) -> bool:
        """Whether the solution has all points, or there is none."""
        return self.solution is None or not any(_lost(self.solution))

    @property
    def sentences(self) -> Iterator[str]:
        """What was found, for the author."""
        if self.solution is None:
            yield "There is no solution in what was imported: nothing could be tried."
        else:
            yield from _of_solution(self.solution)
        for package in self.packages:
            yield f"The package {package} is not installed here: install it in the grader's Python."
        for file in self.files:
            yield f"The file {file!r} is not there: put it into assignments/{self.id}/files/."
        if self.blank is not None:
            yield from _of_blank(self.blank)


def prove_import(where: Path, engine: Engine, arrange: Arrange, *, require: Level) -> ImportProof:
    """Grade the solution and the blank release of an imported assignment, in the sandbox.

    Raises ``SpecError`` for an assignment that is not well formed, and ``SandboxError``.
    """
    loaded = load(where)
    offer = prepare(loaded)
    with scratch_folder() as kept, box_for(loaded, offer, require=require) as box:
        context = make_context(
            loaded, offer, box, seed=1, draw=False, evidence=kept, arrange=arrange
        )
        prepared = prepare_reference(context, engine, lambda what, total: None)
        paths = {"solution": loaded.solution, "blank": loaded.template}
        graded = {
            name: grade_submission(prepared, _source(name, path), time.monotonic())
            for name, path in paths.items()
            if path.is_file()
        }
    said = "\n".join(_said(graded.get("solution")))
    return ImportProof(
        loaded.spec.id,
        graded["solution"].grade if "solution" in graded else None,
        graded["blank"].grade if "blank" in graded else None,
        tuple(dict.fromkeys(_PACKAGE.findall(said))),
        tuple(dict.fromkeys(_FILE.findall(said))),
    )


def _source(student: str, path: Path) -> FoundSubmission:
    return FoundSubmission(FoundFile(student, path.name, path))


def _said(graded: GradedSubmission | None) -> Iterator[str]:
    """What cells and tests raised."""
    if graded is None or graded.run is None:
        return
    for cell in graded.run.cells:
        if cell.claim is not None and cell.claim.error is not None:
            yield cell.claim.error.text
    yield from (check.message for e in graded.grade.exercises for check in e.checks)


def _lost(grade: Grade) -> Iterator[tuple[ExerciseGrade, CheckGrade]]:
    """Tests that do not earn all of their points."""
    for exercise in grade.exercises:
        for check in exercise.checks:
            if check.kind not in BY_HAND and check.status not in (Status.PASSED, Status.MANUAL):
                yield exercise, check


def _of_solution(grade: Grade) -> Iterator[str]:
    if grade.status != "graded":
        yield f"The solution has no grade: {grade.reason}"
        return
    yield f"The solution earns {written(grade.score)} of {written(grade.max_score)} points."
    lost = [*_lost(grade)]
    for exercise, check in lost[:MOST]:
        yield f"{exercise.id}: {check.title}: {check.message or check.status}"
    if more := len(lost[MOST:]):
        yield f"{more} more {'test does' if more == 1 else 'tests do'} not pass with the solution."


def _of_blank(grade: Grade) -> Iterator[str]:
    free = [
        f"{exercise.id} ({check.title})"
        for exercise in grade.exercises
        for check in exercise.checks
        if check.status is Status.PASSED and check.max_score
    ]
    if free:
        pass_ = "test passes" if len(free) == 1 else "tests pass"
        yield f"{len(free)} {pass_} on the release without any work: {first_of(free, MOST)}."
