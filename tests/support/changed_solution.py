"""The solution with some texts replaced, graded, and what then did not pass."""

from __future__ import annotations

from autograder.classroom.results_folder import KeptSubmission
from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import Grade
from autograder.grading.context import PreparedClass
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.pipeline import grade_class


def graded(ready: PreparedClass, *changes: tuple[str, str]) -> Grade:
    """The solution with some texts replaced, graded."""
    solution = read(ready.context.loaded.solution)
    cells = list(solution.cells)
    for old, new in changes:
        assert any(old in cell.source for cell in cells), old
        cells = [replace_source(cell, old, new) for cell in cells]
    name = "/".join(new for _, new in changes)
    changed = Submission(file="x.py", sha256=str(hash(name)), cells=tuple(cells))
    source = KeptSubmission("student-01", "student-01.ipynb", changed)
    (one,) = grade_class(ready, [source], Inline(), lambda handed, outcome: None)
    return one.grade


def replace_source(cell, old: str, new: str):  # type: ignore[no-untyped-def]
    return type(cell)(
        cell.number, cell.kind, cell.source.replace(old, new), cell.exercise, cell.locked
    )


def lost(grade: Grade) -> dict[str, str]:
    """exercise/check -> message of what did not pass."""
    return {
        f"{e.id}/{c.id}": c.message
        for e in grade.exercises
        for c in e.checks
        if c.status.value != "passed"
    }
