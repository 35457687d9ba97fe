"""Feedback pages as they are today: what was written when a submission was graded, with what
graders have decided since."""

from __future__ import annotations

import msgspec

from autograder.assignment.model import Assignment
from autograder.classroom.gradebook_of_class import ClassGradebook
from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import StoreError
from autograder.gradebook.grade import Grade
from autograder.gradebook.standing import Standing
from autograder.reports.feedback.feedback import feedback
from autograder.reports.feedback.page import restated


def page_today(
    workspace: ResultsFolder,
    assignment: Assignment,
    grade: Grade,
    standing: Standing,
    *,
    nameless: bool = False,
) -> str:
    """A student's page with the current standing; "" if there is none. Raises ``StoreError``.

    ``nameless``: without the student's id, the file's name and what was noted about the file, which
    may have it. What the student wrote is unchanged.
    """
    path = workspace.feedback(grade.student)
    if not path.is_file():
        return ""
    try:
        page = path.read_bytes().decode("utf-8", "replace")
    except OSError as bad:
        raise StoreError(f"{path}: cannot be read ({bad.strerror})") from None
    shown = feedback(grade, assignment)
    if nameless:
        shown = msgspec.structs.replace(shown, student="A student", file="submission", repairs=())
    # What counts today stands on a page that goes back.
    return restated(page, shown, standing)


def pages_today(book: ClassGradebook) -> dict[str, bytes]:
    """Every student's page that there is, by student."""
    count, pages = book.count(), {}
    for grade in book.grades():
        standing = count(grade.student, grade)
        if page := page_today(book.workspace, book.assignment, grade, standing):
            pages[grade.student] = page.encode("utf-8", "replace")
    return pages
