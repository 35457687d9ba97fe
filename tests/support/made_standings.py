"""Grades of an assignment with a written and a stretch exercise, made by hand."""

from __future__ import annotations

from typing import Any

from autograder.gradebook.grade import (
    CheckGrade,
    ExerciseGrade,
    Grade,
    GradeTiming,
    Isolation,
    SubmittedFile,
)
from autograder.judging.verdict import Status


def graded(
    student: str = "1",
    machine: int = 6000,
    *,
    words: Status = Status.MANUAL,
    top: int = 0,
    **keys: Any,
) -> Grade:
    def exercise(id_: str, kind: str, status: Status, score: int | None, most: int) -> Any:
        names = (*{"e": "x", "w": "y", "s": "z"}[id_], "t", kind)
        check = CheckGrade(*names, public=False, status=status, score=score, max_score=most)
        auto = (0, 0) if kind == "written" else (score, most)
        manual = most if status is Status.MANUAL else 0
        about = {"stretch": id_ == "s", "manual_max": manual, "checks": (check,)}
        return ExerciseGrade(id_, "t", status, *auto, **about)

    exercises = (
        exercise("e", "value", Status.PASSED if machine == 6000 else Status.FAILED, machine, 6000),
        exercise("w", "written", words, None if words is Status.MANUAL else 0, 4000),
        exercise("s", "value", Status.PASSED if top else Status.FAILED, top, 2000),
    )
    fields: dict[str, Any] = {"status": "graded", "reason": "", "exercises": exercises}
    fields |= {"score": machine + top, "max_score": 6000, "bonus": top, "bonus_max": 2000}
    fields |= {"manual_max": 4000, "isolation": Isolation(), "timing": GradeTiming()}
    file = SubmittedFile(f"{student}.ipynb", "")
    return Grade(assignment="a1", student=student, submission=file, versions={}, **fields | keys)
