"""How a class did, as summary.json: counts, mean and median, pass rates, mistakes.

For instructors: it names hidden checks. A pure function of the grades, without times. Grades are
counted one by one; only an integer is kept for each, to compute the median.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from statistics import median
from typing import Any

import msgspec

from autograder.gradebook.devices import DeviceTally, TriedCount
from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade, as_points
from autograder.gradebook.mistake_counts import MadeCount, MistakeCount, is_unexplained
from autograder.judging.verdict import Status

FORMAT = "autograder-summary/1"
COMMONEST = 20


class Summary:
    """Counts a class, grade by grade in the order of students.

    A rate covers the grades in which that exercise or check was judged automatically. Checks
    graded by hand, or that the sandbox could not offer, are in no rate. A rate or score without
    any grades is null.
    """

    def __init__(self) -> None:
        self.assignment = ""
        self.students = 0
        self.status: Counter[str] = Counter()
        self._scores = array("q")
        self._max_score = 0
        self._exercises: dict[str, _ExerciseCount] = {}
        self._diagnoses: Counter[tuple[str, str]] = Counter()
        self._unexplained: Counter[str] = Counter()
        self._made, self._tried = MadeCount(), TriedCount()

    def add(self, grade: Grade) -> None:
        """One more grade."""
        if not self.students:
            self.assignment = grade.assignment
        self.students += 1
        self.status[grade.status] += 1
        self._max_score = max(self._max_score, grade.max_score)
        if grade.score is not None:
            self._scores.append(grade.score)
        for exercise in grade.exercises:
            self._exercises.setdefault(exercise.id, _ExerciseCount(exercise)).add(exercise)
            told = {check.diagnosis for check in exercise.checks if check.diagnosis}
            self._diagnoses.update((exercise.id, text) for text in told)
            self._unexplained.update([exercise.id] if is_unexplained(exercise) else [])
        self._made.add(grade)
        self._tried.add(grade)

    @property
    def exercises(self) -> tuple[str, ...]:
        """The ids of all exercises, in the order in which they first appeared."""
        return tuple(self._exercises)

    def made(self) -> list[MistakeCount]:
        """The mistakes that were made, the most common first."""
        return self._made.made()

    def tried(self) -> tuple[DeviceTally, ...]:
        """Where devices were tried."""
        return self._tried.tried()

    def spread(self) -> dict[str, int | float | None]:
        """Mean, median, lowest and highest score in points; None over nothing."""
        if not self._scores:
            return dict.fromkeys(("mean", "median", "lowest", "highest"))
        return {
            "mean": as_points(round(sum(self._scores) / len(self._scores))),
            "median": as_points(round(median(self._scores))),
            "lowest": as_points(min(self._scores)),
            "highest": as_points(max(self._scores)),
        }

    def json(self) -> bytes:
        """All of it as deterministic JSON."""
        shown = {
            "format": FORMAT,
            "assignment": self.assignment,
            "students": self.students,
            "status": {word: self.status[word] for word in ("graded", "rejected", "ungraded")},
            "score": self.spread(),
            "max_score": as_points(self._max_score),
            "exercises": [exercise.shown() for exercise in self._exercises.values()],
            "diagnoses": self._commonest(),
            "mistakes": [msgspec.to_builtins(one) for one in self.made()],
            "devices": [msgspec.to_builtins(one) for one in self.tried()],
            "unexplained": [
                {"exercise": id_, "students": n} for id_, n in sorted(self._unexplained.items())
            ],
        }
        text = json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
        return text.encode("utf-8", "backslashreplace")

    def _commonest(self) -> list[dict[str, Any]]:
        """The most common message; equal failures of several checks of one student count once."""
        ordered = sorted(self._diagnoses.items(), key=lambda item: (-item[1], item[0]))
        return [
            {"exercise": id_, "diagnosis": text, "students": n}
            for (id_, text), n in ordered[:COMMONEST]
        ]


class _ExerciseCount:
    """One exercise over the class."""

    def __init__(self, first: ExerciseGrade) -> None:
        self._first = (first.id, first.title, first.stretch)
        self._judged = self._passed = self._scored = self._sum = 0
        self._max_score = first.max_score
        self._checks: dict[str, _CheckCount] = {}

    def add(self, exercise: ExerciseGrade) -> None:
        self._max_score = max(self._max_score, exercise.max_score)
        if exercise.left_out:
            return
        for check in exercise.checks:
            self._checks.setdefault(check.id, _CheckCount(check)).add(check)
        if not _is_judged(exercise):
            return
        self._judged += 1
        self._passed += exercise.status is Status.PASSED
        if exercise.score is not None:
            self._scored += 1
            self._sum += exercise.score

    def shown(self) -> dict[str, Any]:
        id_, title, stretch = self._first
        mean = as_points(round(self._sum / self._scored)) if self._scored else None
        return {
            "id": id_,
            "title": title,
            "stretch": stretch,
            "judged": self._judged,
            "passed": self._passed,
            "pass_rate": _rate(self._passed, self._judged),
            "mean_score": mean,
            "max_score": as_points(self._max_score),
            "checks": [check.shown() for check in self._checks.values()],
        }


class _CheckCount:
    """One check over the class, where it was offered."""

    def __init__(self, first: CheckGrade) -> None:
        self._first = (first.id, first.title, first.public)
        self._statuses: Counter[str] = Counter()
        self._judged = 0

    def add(self, check: CheckGrade) -> None:
        self._statuses[check.status.value] += 1
        self._judged += not check.by_hand and check.status is not Status.UNGRADED

    def shown(self) -> dict[str, Any]:
        id_, title, public = self._first
        passed = self._statuses["passed"]
        return {
            "id": id_,
            "title": title,
            "public": public,
            "judged": self._judged,
            "passed": passed,
            "pass_rate": _rate(passed, self._judged),
            "statuses": dict(sorted(self._statuses.items())),
        }


def _is_judged(exercise: ExerciseGrade) -> bool:
    automatic = any(not check.by_hand for check in exercise.checks)
    return automatic and exercise.status is not Status.UNGRADED


def _rate(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
