"""The gradebook of an assignment as the pages read it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock

from autograder.assignment.model import Assignment
from autograder.classroom.gradebook_of_class import ClassGradebook
from autograder.gradebook.grade import Grade
from autograder.gradebook.standing import Standing
from autograder.gradebook.standings import standings
from autograder.gradebook.store import GradeStore


@dataclass
class CurrentGrades:
    """Everybody's current grade and standing, computed again when something changes: a page after
    each answer would otherwise read the whole class."""

    store: GradeStore
    _grades: dict[str, tuple[object, tuple[Grade, ...]]] = field(default_factory=dict)
    _standings: dict[str, tuple[object, tuple[Standing, ...]]] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def of(self, assignment: Assignment) -> tuple[Grade, ...]:
        """The grades of an assignment, sorted by student."""
        with self._lock:
            now = dict(self.store.current(assignment.id))
            known = self._grades.get(assignment.id)
            if known is None or known[0] != now:
                known = self._grades[assignment.id] = now, self.store.latest(assignment.id)
            return known[1]

    def standings(self, assignment: Assignment, grades: tuple[Grade, ...]) -> tuple[Standing, ...]:
        """Everybody's standing, sorted by student."""
        name = assignment.id
        decisions, arrivals = self.store.decisions(name), self.store.arrivals(name)
        roster = self.store.roster()
        now = (assignment, grades, decisions, arrivals, roster)
        with self._lock:
            known = self._standings.get(name)
            if known is None or known[0] != now:
                found = standings(assignment, grades, decisions, arrivals=arrivals, roster=roster)
                known = self._standings[name] = now, found
            return known[1]


@dataclass(frozen=True)
class ServedGradebook(ClassGradebook):
    """A gradebook whose grades and standings are kept between requests."""

    kept: CurrentGrades

    @cached_property
    def _grades(self) -> tuple[Grade, ...]:
        return self.kept.of(self.assignment)

    def standings(self) -> tuple[Standing, ...]:
        return self.kept.standings(self.assignment, self.grades())
