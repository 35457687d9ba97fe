"""Written answers of a class, as graders see them one by one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from threading import Lock

from autograder.assignment.model import Assignment
from autograder.classroom.results_folder import read_kept
from autograder.classroom.written_answers import written_answers
from autograder.gradebook.decisions import Decision
from autograder.gradebook.grade import Grade
from autograder.gradebook.store import GradeStore
from autograder.interop.marksheet.answers import mark_rows
from autograder.interop.marksheet.model import AnswerRow
from autograder.web.course import Course


@dataclass
class WrittenAnswers:
    """The answers that wait for a grader, or have points. Grades are read again when they change:
    a page after each answer would otherwise read the whole class."""

    course: Course
    store: GradeStore
    _grades: dict[str, tuple[object, tuple[Grade, ...]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def rows(self, assignment: Assignment, decisions: tuple[Decision, ...]) -> dict[str, AnswerRow]:
        """Every answer of an assignment by its key, in the order of keys: the same for every
        grader, and another one for each task than that of names."""
        found = mark_rows(assignment, self._current(assignment), decisions, self.store.roster())
        return dict(sorted((key_of(assignment.id, row), row) for row in found))

    def text(self, assignment: Assignment, row: AnswerRow) -> str:
        """What the student wrote; "" if it cannot be found."""
        path = self.course.results(assignment.id).submission(row.student)
        if not path.is_file():
            return ""
        return written_answers([read_kept(path)], assignment).get(row.key, "")

    def _current(self, assignment: Assignment) -> tuple[Grade, ...]:
        with self._lock:
            now = dict(self.store.current(assignment.id))
            known = self._grades.get(assignment.id)
            if known is None or known[0] != now:
                known = self._grades[assignment.id] = now, self.store.latest(assignment.id)
            return known[1]


def key_of(assignment: str, row: AnswerRow) -> str:
    """The key of an answer in addresses, which shows no name."""
    text = "\0".join((assignment, *row.key))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
