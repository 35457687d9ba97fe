"""Grades made by hand."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from autograder.gradebook.export import gradebook_rows
from autograder.gradebook.grade import (
    CheckGrade,
    ExerciseGrade,
    Grade,
    GradeTiming,
    Isolation,
    SubmittedFile,
    exercise_ids,
)
from autograder.gradebook.summary import Summary
from autograder.judging.verdict import Status

START = datetime(2025, 3, 1, 12, 0, tzinfo=UTC)
NOON: dict[str, Any] = {"assignment": "a1", "seed": 7, "command": "grade a1"}
NOON["versions"] = {"torch": "2"}


def gradebook_csv(grades: Iterable[Grade]) -> bytes:
    """gradebook.csv of a class without decisions."""
    ordered = sorted(grades, key=lambda grade: grade.student)
    return b"".join(gradebook_rows(ordered, exercise_ids(ordered)))


def summary_json(grades: Iterable[Grade]) -> bytes:
    """summary.json of a class."""
    summary = Summary()
    for grade in sorted(grades, key=lambda grade: grade.student):
        summary.add(grade)
    return summary.json()


def check(id_: str, status: Status, score: int | None, **keys: Any) -> CheckGrade:
    fields = {"title": f"title of {id_}", "kind": "value", "public": False, "max_score": 1000}
    return CheckGrade(id=id_, status=status, score=score, **{**fields, **keys})


def exercise(id_: str, *checks: CheckGrade, **keys: Any) -> ExerciseGrade:
    score = sum(c.score or 0 for c in checks)
    worst = next((c.status for c in checks if c.status is not Status.PASSED), Status.PASSED)
    fields = {"status": worst, "score": score, "max_score": 1000 * len(checks), "checks": checks}
    return ExerciseGrade(id=id_, **{"title": f"About {id_}", **fields, **keys})


def grade(student: str, *exercises: ExerciseGrade, **keys: Any) -> Grade:
    fields: dict[str, Any] = {"assignment": "a1", "status": "graded", "reason": ""}
    fields |= {"max_score": 2000, "bonus": 0, "bonus_max": 0, "manual_max": 0}
    fields |= {"score": sum(e.score or 0 for e in exercises), "versions": {"torch": "2"}}
    fields |= {"isolation": Isolation("strong", ("network",)), "timing": GradeTiming()}
    fields["submission"] = SubmittedFile(f"{student}.ipynb", "ab" * 32)
    return Grade(student=student, **{**fields, "exercises": exercises, **keys})


def right(student: str) -> Grade:
    return grade(
        student,
        exercise("e", check("c", Status.PASSED, 1000)),
        exercise("f", check("c", Status.PASSED, 1000)),
    )


def half(student: str, diagnosis: str = "sine and cosine swapped") -> Grade:
    return grade(
        student,
        exercise("e", check("c", Status.PASSED, 1000)),
        exercise("f", check("c", Status.FAILED, 500, diagnosis=diagnosis)),
    )


def unscored(student: str, status: str, reason: str) -> Grade:
    return grade(student, status=status, reason=reason, score=None, bonus=None)
