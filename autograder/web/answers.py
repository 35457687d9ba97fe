"""Written answers of a class, as graders see them one by one."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assignment.model import Assignment
from autograder.classroom.results_folder import read_kept
from autograder.classroom.written_answers import written_answers
from autograder.errors import StoreError
from autograder.gradebook.decisions import Decision
from autograder.gradebook.store import GradeStore
from autograder.interop.marksheet.answers import mark_rows
from autograder.interop.marksheet.model import AnswerKey, AnswerRow
from autograder.web.course import Course, stamp_of
from autograder.web.gradebook import CurrentGrades


@dataclass(frozen=True)
class WrittenAnswers:
    """The answers that wait for a grader, or have points."""

    course: Course
    store: GradeStore
    grades: CurrentGrades
    _read: dict[Path, tuple[object, Mapping[AnswerKey, str]]] = field(default_factory=dict)

    def rows(self, assignment: Assignment, decisions: tuple[Decision, ...]) -> dict[str, AnswerRow]:
        """Every answer of an assignment by its key, in the order of keys: the same for every
        grader, and another one for each task than that of names."""
        found = mark_rows(assignment, self.grades.of(assignment), decisions, self.store.roster())
        return dict(sorted((key_of(assignment.id, row), row) for row in found))

    def texts(self, assignment: Assignment) -> Mapping[AnswerKey, str]:
        """What all students wrote; a file is read again when it changes."""
        found: dict[AnswerKey, str] = {}
        for path in self.course.results(assignment.id).kept_files():
            stamp, own = (assignment, stamp_of([path])), self._read.get(path)
            if own is None or own[0] != stamp:
                texts = {}
                with suppress(StoreError):  # of a damaged file there is no text
                    texts = written_answers([read_kept(path)], assignment)
                own = self._read[path] = stamp, texts
            found.update(own[1])
        return found


def normalized(answer: str) -> str:
    """An answer without the differences that no grader sees: blanks, case."""
    return " ".join(answer.casefold().split())


def key_of(assignment: str, row: AnswerRow) -> str:
    """The key of an answer in addresses, which shows no name."""
    text = "\0".join((assignment, *row.key))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:20]
