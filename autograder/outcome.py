"""Writes what comes of a graded class: results, feedback pages, gradebook, summary."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.files import write_atomic
from autograder.gradebook.export import gradebook_csv
from autograder.gradebook.grade import Grade
from autograder.gradebook.result import result_json
from autograder.gradebook.summary import summary_json
from autograder.notebook.executed import executed_notebook
from autograder.report.feedback import feedback
from autograder.report.page import feedback_page
from autograder.setting import Graded
from autograder.spec.model import Assignment
from autograder.workspace import Workspace


def write_student(workspace: Workspace, graded: Graded, assignment: Assignment) -> None:
    """The instructor's result file and the student's page. Raises ``StoreError``."""
    grade = graded.grade
    write_atomic(workspace.result(grade.student), result_json(grade))
    executed, after = None, {}
    if graded.submission is not None and graded.run is not None and graded.located is not None:
        executed = executed_notebook(graded.submission, graded.run)
        after = dict(graded.located.keep_after)
    page = feedback_page(feedback(grade, assignment), executed, after)
    write_atomic(workspace.feedback(grade.student), page.encode("utf-8", "replace"))


def write_class(workspace: Workspace, grades: Iterable[Grade]) -> None:
    """gradebook.csv and summary.json: equal bytes for equal grades."""
    ordered = sorted(grades, key=lambda grade: grade.student)
    write_atomic(workspace.gradebook, gradebook_csv(ordered))
    write_atomic(workspace.summary, summary_json(ordered))
