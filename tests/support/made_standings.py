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
        by_hand = kind == "written"
        one = CheckGrade(
            {"e": "x", "w": "y", "s": "z"}[id_],
            "t",
            kind,
            public=False,
            status=status,
            score=score,
            max_score=most,
        )
        return ExerciseGrade(
            id_,
            "t",
            status,
            0 if by_hand else score,
            0 if by_hand else most,
            stretch=id_ == "s",
            manual_max=most if status is Status.MANUAL else 0,
            checks=(one,),
        )

    exercises = (
        exercise("e", "value", Status.PASSED if machine == 6000 else Status.FAILED, machine, 6000),
        exercise("w", "written", words, None if words is Status.MANUAL else 0, 4000),
        exercise("s", "value", Status.PASSED if top else Status.FAILED, top, 2000),
    )
    fields: dict[str, Any] = {
        "status": "graded",
        "reason": "",
        "score": machine + top,
        "exercises": exercises,
        **keys,
    }
    return Grade(
        assignment="a1",
        student=student,
        submission=SubmittedFile(f"{student}.ipynb", ""),
        max_score=6000,
        bonus=top,
        bonus_max=2000,
        manual_max=4000,
        isolation=Isolation(),
        timing=GradeTiming(),
        versions={},
        **fields,
    )
