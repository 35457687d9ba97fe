"""What a sheet of points is made of: answers, columns, and what a filled-in sheet changes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from autograder.gradebook.export import cell_text

ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # in a workbook

AnswerKey = tuple[str, str, str]  # student, exercise, task
Task = tuple[str, str]  # exercise, task


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer graded by hand. Points are thousandths, None if not given yet. ``hidden`` names
    the decision that replaces its points, ``hidden_by`` is its number; "" and 0 if they count."""

    student: str
    name: str
    exercise: str
    task: str
    max_points: int
    points: int | None
    comment: str
    rubric: str
    hidden: str = ""
    hidden_by: int = 0
    answer: str = ""

    @property
    def key(self) -> AnswerKey:
        return (self.student, self.exercise, self.task)


@dataclass(frozen=True, slots=True)
class PointsChange:
    """What a filled-in sheet would change about one answer."""

    before: AnswerRow
    points: int | None
    comment: str


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """Its title, what it holds, and the task ("exercise/check") that it is about, if any."""

    title: str
    field: str
    task: str = ""


def guarded(text: str) -> str:
    """Text that no program that opens the sheet runs, or refuses to show."""
    return cell_text(ILLEGAL.sub("?", text))  # guard: cells of a sheet are guarded
