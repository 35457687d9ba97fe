"""The gradebook of a graded class: its assignment, its database, and everybody's standing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from autograder.assignment.model import Assignment
from autograder.assignment.read import read_assignment
from autograder.classroom.results_folder import ResultsFolder
from autograder.errors import UsageError, did_you_mean
from autograder.evidence.url import GRADEBOOK
from autograder.files import write_parts
from autograder.gradebook.export import gradebook_rows
from autograder.gradebook.grade import Grade
from autograder.gradebook.people import Roster
from autograder.gradebook.standing import Standing
from autograder.gradebook.standings import counter_of, listed_in, standings
from autograder.gradebook.store import GradeStore


def where_is(workspace: ResultsFolder, url: str = "") -> Path | str:
    """The database of a results folder: ``url``, the environment's, the one that the class was
    graded into, or its own file."""
    recorded = workspace.open_run().gradebook if (workspace.folder / "run.json").is_file() else ""
    return url or os.environ.get(GRADEBOOK, "") or recorded or workspace.database


@dataclass(frozen=True)
class ClassGradebook:
    """An open gradebook and the assignment that it is about. Its grades are read once."""

    workspace: ResultsFolder
    assignment: Assignment
    store: GradeStore

    @cached_property
    def _grades(self) -> tuple[Grade, ...]:
        return self.store.latest(self.assignment.id)

    def grades(self) -> tuple[Grade, ...]:
        """Everybody's current grade."""
        return self._grades

    def roster(self) -> Roster:
        """The current roster."""
        return self.store.roster()

    def count(self) -> Callable[[str, Grade | None], Standing]:
        """The function that gives a student's standing from the grade."""
        return counter_of(self.store, self.assignment)

    def standings(self) -> tuple[Standing, ...]:
        """Everybody's standing, sorted by student."""
        return standings(
            self.assignment,
            self.grades(),
            self.store.decisions(self.assignment.id),
            arrivals=self.store.arrivals(self.assignment.id),
            roster=self.roster(),
        )

    def student(self, name: str) -> str:
        """The student with this id; raises ``UsageError`` if there is none."""
        known = {grade.student for grade in self.grades()}
        known.update(listed_in(self.store, self.assignment))
        if name not in known:
            some = ", ".join(sorted(known)[:20])
            meant = did_you_mean(name, known)
            raise UsageError(f"there is no student {name!r}{meant}; available: {some or 'none'}")
        return name


@contextmanager
def open_book(folder: Path, url: str = "") -> Iterator[ClassGradebook]:
    """The gradebook of a results folder. Raises ``UsageError``, ``SpecError``, ``StoreError``."""
    workspace = ResultsFolder(folder)
    assignment = read_assignment(workspace.assignment_folder())
    with GradeStore(where_is(workspace, url)) as store:
        yield ClassGradebook(workspace, assignment, store)


def rewrite(book: ClassGradebook) -> None:
    """Rewrite gradebook.csv with the current decisions, if there is one. Raises ``StoreError``."""
    path = book.workspace.gradebook
    if not path.is_file():
        return
    grades = book.store.in_order(book.assignment.id)
    exercises = [exercise.id for exercise in book.assignment.exercise]
    listed = listed_in(book.store, book.assignment)
    write_parts(path, gradebook_rows(grades, exercises, book.count(), listed))
