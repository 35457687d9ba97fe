"""The gradebook of an assignment as the pages read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from threading import Lock

from autograder.assignment.model import Assignment
from autograder.classroom.gradebook_of_class import ClassGradebook
from autograder.gradebook.grade import Grade
from autograder.gradebook.store import GradeStore


@dataclass
class CurrentGrades:
    """Everybody's current grade, read again when one changes: a page after each answer would
    otherwise read the whole class."""

    store: GradeStore
    _grades: dict[str, tuple[object, tuple[Grade, ...]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, assignment: Assignment) -> tuple[Grade, ...]:
        """The grades of an assignment, sorted by student."""
        with self._lock:
            now = dict(self.store.current(assignment.id))
            known = self._grades.get(assignment.id)
            if known is None or known[0] != now:
                known = self._grades[assignment.id] = now, self.store.latest(assignment.id)
            return known[1]


@dataclass(frozen=True)
class ServedGradebook(ClassGradebook):
    """A gradebook whose grades are kept between requests."""

    kept: CurrentGrades

    def grades(self) -> tuple[Grade, ...]:
        return self.kept.of(self.assignment)
