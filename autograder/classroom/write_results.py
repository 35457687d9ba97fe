"""Writes the files of a graded class: results, feedback pages, gradebook, summary."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from autograder.assignment.model import Assignment
from autograder.classroom.results_folder import ResultsFolder
from autograder.files import settle, write_atomic, write_other, write_parts
from autograder.gradebook.export import Count, gradebook_rows
from autograder.gradebook.grade import Grade
from autograder.gradebook.overview import Overview, overview
from autograder.gradebook.result import result_json
from autograder.grading.context import GradedSubmission
from autograder.notebook.executed import executed_notebook
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import feedback_page


def write_student(
    workspace: ResultsFolder, graded: GradedSubmission, assignment: Assignment
) -> None:
    """Write the instructor's result file and the student's page; on disk after ``settle``, since
    they can be made again from what is stored. Raises ``StoreError``."""
    grade = graded.grade
    write_other(workspace.result(grade.student), result_json(grade))
    executed, after, given = None, {}, frozenset[int]()
    if graded.submission is not None and graded.run is not None and graded.located is not None:
        executed = executed_notebook(graded.submission, graded.run)
        after, given = graded.located.answers, graded.located.untouched
    page = feedback_page(feedback(grade, assignment), executed, after, given=given)
    write_other(workspace.feedback(grade.student), page.encode("utf-8", "replace"))


def write_class(
    workspace: ResultsFolder,
    grades: Collection[Grade],
    count: Count | None = None,
    listed: Sequence[str] = (),
) -> Overview:
    """Write gradebook.csv and summary.json: equal bytes for equal grades, which are sorted by
    student.

    ``count`` gives a student's standing; ``listed``: everybody who is in the gradebook. The grades
    are read twice; only those in the overview are kept. After this all other files of the class are
    on disk too. Raises ``StoreError``.
    """
    found = overview(grades)
    settle(workspace.folder)  # the students' files
    write_parts(workspace.gradebook, gradebook_rows(grades, found.summary.exercises, count, listed))
    write_atomic(workspace.summary, found.summary.json())
    return found if count is None else found.counted(count)
