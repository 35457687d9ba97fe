"""What a sheet of points is made of: answers, columns, and what a filled-in sheet changes."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from autograder.gradebook.export import cell_text

ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")  # in a workbook

AnswerKey = tuple[str, str, str]  # student, exercise, task
Task = tuple[str, str]  # exercise, task


Chosen = tuple[tuple[str, int], ...]  # rubric items with their points when they were chosen


@dataclass(frozen=True, slots=True)
class ItemPoints:
    """A rubric item with its points in thousandths."""

    id: str
    points: int
    text: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer graded by hand. Points are thousandths, None if not given yet. ``hidden`` names
    the decision that replaces its points, ``hidden_by`` is its number; "" and 0 if they count.
    ``items`` are those of the rubric today, ``chosen`` those that the answer was given."""

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
    items: tuple[ItemPoints, ...] = ()
    chosen: Chosen = ()

    @property
    def key(self) -> AnswerKey:
        return (self.student, self.exercise, self.task)

    def sum_of(self, chosen: Chosen) -> int:
        """The points of chosen items, from 0 to the maximum."""
        return max(0, min(self.max_points, sum(points for _, points in chosen)))

    @property
    def adjustment(self) -> int:
        """What was given beside the items."""
        return (self.points or 0) - self.sum_of(self.chosen)

    @property
    def digits(self) -> str:
        """The numbers of the chosen items one after the other; "0" if points were given without."""
        ids = {one for one, _ in self.chosen}
        numbers = [str(n) for n, item in enumerate(self.items, 1) if item.id in ids]
        return "".join(numbers) or ("" if self.points is None else "0")

    def with_items(self, ids: Collection[str]) -> Chosen:
        """These items as chosen today; an item that is gone has none."""
        return tuple((item.id, item.points) for item in self.items if item.id in ids)


@dataclass(frozen=True, slots=True)
class PointsChange:
    """What a filled-in sheet would change about one answer."""

    before: AnswerRow
    points: int | None
    comment: str
    chosen: Chosen = ()


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """Its title, what it holds, and the task ("exercise/check") that it is about, if any."""

    title: str
    field: str
    task: str = ""


def guarded(text: str) -> str:
    """Text that no program that opens the sheet runs, or refuses to show."""
    return cell_text(ILLEGAL.sub("?", text))
