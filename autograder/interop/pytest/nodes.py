"""A submission as pytest shows it: a node for each exercise, an item for each check.

Covered: without ``hidden`` the hidden checks of an exercise are one item that shows no more than
feedback to students does. A failure shows what the check found, without internals of the grader.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.kinds import BY_HAND, Check
from autograder.assignment.model import Exercise, thousandths
from autograder.errors import AutograderError, SubmissionError
from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade, as_points
from autograder.interop.pytest.course import SessionAssignment
from autograder.interop.pytest.words import hidden_text, text_of
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.reports.feedback.feedback import ExerciseFeedback, feedback
from autograder.reports.feedback.words import AT_FAULT

HIDDEN = "(hidden)"  # no check can have such an id
NOT_GRADED = "not graded, through no fault of the student; --autograder-hidden shows why"
POINTS, MAX_POINTS, MANUAL_POINTS = "points", "max_points", "manual_points"
SEPARATOR = "::"


class SubmissionNode(pytest.Collector):
    """One file. ``courses``: the assignments that it may belong to; ``hidden``: each hidden check
    is shown by itself."""

    def __init__(
        self,
        *,
        selection: Selection,
        courses: Sequence[SessionAssignment],
        hidden: bool,
        **more: Any,
    ) -> None:
        super().__init__(**more)
        self._selection, self._courses, self._hidden = selection, courses, hidden

    def collect(self) -> Iterable[pytest.Item | pytest.Collector]:
        """The exercises. Raises ``CollectError`` for a file that cannot be read."""
        try:
            exercises = self.course.spec.exercise
        except SubmissionError as bad:
            raise self.CollectError(str(bad)) from None
        wanted = [exercise for exercise in exercises if self._selection.wants(exercise.id)]
        if not wanted:
            known = ", ".join(exercise.id for exercise in exercises)
            raise self.CollectError(f"{self.name}: no such exercise; choose one of: {known}")
        for exercise in wanted:
            yield ExerciseNode.from_parent(
                self,
                name=exercise.id,
                exercise=exercise,
                selection=self._selection,
                hidden=self._hidden,
            )

    # grading accepts any object with these three members

    @property
    def student(self) -> str:
        """The file's name, without its ending."""
        return self._selection.path.stem

    def read(self) -> Submission:
        """The cells; raises ``SubmissionError``."""
        return self._submission

    @cached_property
    def _submission(self) -> Submission:
        return read(self._selection.path)

    @cached_property
    def course(self) -> SessionAssignment:
        """The assignment: the only one, else the one that the notebook is stamped for."""
        stamp = self._submission.stamp
        if len(self._courses) == 1:
            return self._courses[0]
        named = stamp.assignment if stamp is not None else ""
        for course in self._courses:
            if course.spec.id == named:
                return course
        raise SubmissionError(
            f"{self.name}: it belongs to {named!r}, which is not one of the assignments; "
            "grade it alone, with one --autograder"
            if named
            else f"{self.name}: it does not say which assignment it belongs to; grade it "
            "alone, with one --autograder"
        )

    @cached_property
    def _outcome(self) -> tuple[Grade | None, str]:
        """The grade, or why there is none; computed once for all items."""
        try:
            return self.course.graded(self), ""
        except AutograderError as bad:
            return None, str(bad)

    def exercise_grade(self, exercise: str) -> tuple[ExerciseGrade, ExerciseFeedback]:
        """An exercise's grade and feedback; fails the test if nothing was graded."""
        grade, why = self._outcome
        if grade is None or not grade.exercises:
            pytest.fail(why or (grade.reason if grade is not None else ""), pytrace=False)
        shown = feedback(grade, self.course.spec)
        (found,) = (one for one in grade.exercises if one.id == exercise)
        (told,) = (one for one in shown.exercises if one.id == exercise)
        return found, told


class ExerciseNode(pytest.Collector):
    """One exercise of a submission."""

    parent: SubmissionNode

    def __init__(
        self, *, exercise: Exercise, selection: Selection, hidden: bool, **more: Any
    ) -> None:
        super().__init__(**more)
        self._exercise, self._selection, self.hidden = exercise, selection, hidden

    def collect(self) -> Iterator[pytest.Item]:
        """The checks in order; the hidden ones last if they are one item."""
        # Hidden checks are one test in pytest.
        alone = [c for c in self._exercise.check if c.public or c.kind in BY_HAND or self.hidden]
        for check in alone:
            if self._wants(check.id):
                yield CheckItem.from_parent(self, name=check.id, check=check)
        if len(alone) < len(self._exercise.check) and self._wants(HIDDEN):
            yield HiddenItem.from_parent(self, name=HIDDEN, title="hidden checks")

    def _wants(self, check: str) -> bool:
        return self._selection.wants(self._exercise.id, check)

    def found(self) -> tuple[ExerciseGrade, ExerciseFeedback]:
        """The exercise's grade and feedback."""
        return self.parent.exercise_grade(self._exercise.id)


class _Item(pytest.Item):
    """What both kinds of items have: a title and points."""

    parent: ExerciseNode

    def __init__(self, *, title: str, **more: Any) -> None:
        super().__init__(**more)
        self._title = title

    def reportinfo(self) -> tuple[Path, int | None, str]:
        return self.path, None, f"{self.parent.name}: {self._title}"

    def _earn(self, score: int | None, max_score: int) -> None:
        """Note points, in thousandths, for the reports."""
        if score is not None:
            self.user_properties.append((POINTS, as_points(score)))
        self.user_properties.append((MAX_POINTS, as_points(max_score)))


class CheckItem(_Item):
    """One check."""

    def __init__(self, *, check: Check, **more: Any) -> None:
        super().__init__(title=check.title, **more)
        self._check = check
        self.extra_keyword_matches.update((check.kind, "public" if check.public else "hidden"))

    def setup(self) -> None:
        """Grade the submission, if no other item has. Faults of the grader are errors here."""
        if self._check.kind in BY_HAND:
            self.user_properties.append((MANUAL_POINTS, as_points(thousandths(self._check.points))))
            return
        grade = self._found()
        self._earn(grade.score, grade.max_score)
        if grade.status is Status.UNGRADED:
            why = grade.message or "there is no evidence"
            # Why our side failed is the instructor's.
            pytest.fail(f"not graded: {why}" if self.parent.hidden else NOT_GRADED, pytrace=False)

    def runtest(self) -> None:
        """Fail if the check did; skip it if it has no result."""
        if self._check.kind in BY_HAND:
            worth = as_points(thousandths(self._check.points))
            pytest.skip(f"{self.name}: graded by hand, for up to {worth:g} points")
        found, told = self.parent.found()
        grade = self._found()
        if grade.status is Status.SKIPPED:
            pytest.skip(f"{self.name}: {grade.message}")
        if grade.status is not Status.PASSED:
            pytest.fail(text_of(grade, _shown(found, told).get(grade.id)), pytrace=False)

    def _found(self) -> CheckGrade:
        (grade,) = (check for check in self.parent.found()[0].checks if check.id == self.name)
        return grade


class HiddenItem(_Item):
    """All hidden checks of an exercise as one."""

    def setup(self) -> None:
        """Note the points; faults of the grader are errors here."""
        _, told = self.parent.found()
        if told.hidden is None:
            return
        self._earn(told.hidden.score, told.hidden.max_score)
        if told.hidden.score is None:
            pytest.fail(NOT_GRADED, pytrace=False)

    def runtest(self) -> None:
        """Fail if one of them did."""
        found, told = self.parent.found()
        if told.hidden is None or told.left_out:
            pytest.skip(f"{self.parent.name}: left out for everybody")
        hidden = [c for c in found.checks if not c.public and c.kind not in BY_HAND]
        if any(check.status in AT_FAULT for check in hidden):
            pytest.fail(hidden_text(told.hidden, hidden), pytrace=False)
        if told.hidden.passed < told.hidden.total:
            pytest.skip("; ".join(told.hidden.problems))


def _shown(found: ExerciseGrade, told: ExerciseFeedback) -> dict[str, Any]:
    """The feedback on the public checks, by id; feedback keeps their order."""
    public = [c.id for c in found.checks if c.public and not c.by_hand]
    return dict(zip(public, told.public, strict=True))


@dataclass(frozen=True, slots=True)
class Selection:
    """One submission. ``parts``: (exercise,) or (exercise, check); empty means all of it."""

    name: str
    parts: tuple[tuple[str, ...], ...] = ()

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.name)

    def wants(self, exercise: str, check: str = "") -> bool:
        """Whether a check is selected; without ``check``, whether any of the exercise's is."""
        place = (exercise, check) if check else (exercise,)
        return not self.parts or any(
            all(one == other for one, other in zip(part, place, strict=False))
            for part in self.parts
        )


def selections(asked: Sequence[str]) -> tuple[Selection, ...]:
    """FILE and FILE::EXERCISE::CHECK, each file once, in the order in which it is first named."""
    found: dict[str, list[tuple[str, ...]]] = {}
    for text in asked:
        name, *part = text.split(SEPARATOR)
        parts = found.setdefault(Path(name).as_posix(), [])
        if part:
            parts.append(tuple(part))
    return tuple(Selection(name, tuple(parts)) for name, parts in found.items())
