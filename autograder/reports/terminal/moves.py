"""Whose score changes, and by how much, when a class is judged again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from autograder.gradebook.grade import Current, Grade, as_points
from autograder.gradebook.visible import one_line


def moves_table(before: Mapping[str, Current], after: Sequence[Grade]) -> RenderableType:
    """Students whose score or status changed; one line when nobody's did."""
    table = Table(title="Changed by this regrade", title_justify="left")
    for column in ("student", "before", "after", "change"):
        table.add_column(column, justify="left" if column == "student" else "right")
    for grade in moved_grades(before, after):
        was = before[grade.student]
        moved = "" if None in (was.score, grade.score) else _signed(grade.score, was.score)
        table.add_row(Text(one_line(grade.student)), _said(was), _said(grade), moved)
    return table if table.row_count else Text("Nobody's score has changed.")


def moved_grades(before: Mapping[str, Current], after: Iterable[Grade]) -> tuple[Grade, ...]:
    """The grades whose score or status is not what it was before."""
    return tuple(
        grade
        for grade in after
        if (was := before.get(grade.student)) is not None
        and (was.score, was.status) != (grade.score, grade.status)
    )


def _said(grade: Grade | Current) -> str:
    return grade.status if grade.score is None else f"{as_points(grade.score):g}"


def _signed(after: int | None, before: int | None) -> str:
    return f"{as_points((after or 0) - (before or 0)):+g}"
