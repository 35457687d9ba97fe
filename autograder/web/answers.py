"""Written answers of a class, as graders see them one by one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from autograder.assignment.model import Assignment
from autograder.classroom.results_folder import read_kept
from autograder.classroom.written_answers import written_answers
from autograder.gradebook.decisions import Decision
from autograder.gradebook.store import GradeStore
from autograder.interop.marksheet.answers import mark_rows
from autograder.interop.marksheet.model import AnswerRow
from autograder.web.course import Course
from autograder.web.gradebook import CurrentGrades


@dataclass(frozen=True)
class WrittenAnswers:
    """The answers that wait for a grader, or have points."""

    course: Course
    store: GradeStore
    grades: CurrentGrades

    def rows(self, assignment: Assignment, decisions: tuple[Decision, ...]) -> dict[str, AnswerRow]:
        """Every answer of an assignment by its key, in the order of keys: the same for every
        grader, and another one for each task than that of names."""
        found = mark_rows(assignment, self.grades.of(assignment), decisions, self.store.roster())
        return dict(sorted((key_of(assignment.id, row), row) for row in found))

    def text(self, assignment: Assignment, row: AnswerRow) -> str:
        """What the student wrote; "" if it cannot be found."""
        path = self.course.results(assignment.id).submission(row.student)
        if not path.is_file():
            return ""
        return written_answers([read_kept(path)], assignment).get(row.key, "")


def key_of(assignment: str, row: AnswerRow) -> str:
    """The key of an answer in addresses, which shows no name."""
    text = "\0".join((assignment, *row.key))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
