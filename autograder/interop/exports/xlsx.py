"""A class's scores as a workbook: all grades, a sheet per exercise, and what the cells mean.

Covered: no cell is ever a formula, whatever a name begins with; ids are text and keep their
zeros; sheet names that Excel would refuse; equal results give equal bytes.
Not covered: text that somebody turns into a formula afterwards.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence

from openpyxl import Workbook
from openpyxl.cell.cell import Cell
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import DECIMALS, number
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.gradebook.visible import visible
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
    in_order,
)

LONGEST = 32_767  # characters in one cell
LONGEST_NAME = 31  # UTF-16 units in the name of a sheet
_BANNED = re.compile(r"[\[\]:*?/\\\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_RESERVED = ("grades", "about", "history")
_SAME_TIME = (1980, 1, 1, 0, 0, 0)
_STAMP = re.compile(rb"(<dcterms:(created|modified)[^>]*>)[^<]*(</)")
_NO_TIME = rb"\g<1>1980-01-01T00:00:00Z\g<3>"
_WIDEST = 60

Value = str | int | float | None


def xlsx(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The workbook: `Grades`, a sheet per exercise, `About`."""
    ordered = in_order(standings)
    book = Workbook()
    grades = book.active
    assert isinstance(grades, Worksheet)
    grades.title = "Grades"
    exercises = {e.id: e for s in reversed(ordered) for e in s.exercises}
    ids = sorted(exercises)
    _fill(
        grades,
        ("Student", "Name", "Section", "State", "Score", "Maximum", *ids, "Late penalty"),
        (_grade_row(standing, roster, ids) for standing in ordered),
    )
    names = sheet_names(ids)
    for id_, name in zip(ids, names, strict=True):
        sheet = book.create_sheet(name)
        _fill(sheet, ("Student", "Score", "Maximum", "Status"), _exercise_rows(ordered, id_))
    _fill(book.create_sheet("About"), ("About", "Meaning"), _about(ordered, exercises.values()))
    page = io.BytesIO()
    book.save(page)
    return Exported(_timeless(page.getvalue()), all_with_score(ordered), all_without_score(ordered))


def sheet_names(titles: Sequence[str]) -> tuple[str, ...]:
    """A name for each that Excel accepts: short, plain, and unique ignoring case."""
    used, names = set(_RESERVED), []
    for title in titles:
        plain = _BANNED.sub("_", title).strip("' ") or "sheet"
        name, count = _cut(plain, LONGEST_NAME), 1
        while name.casefold() in used:  # names of sheets are unlike without case
            count += 1
            tail = f" ({count})"
            name = _cut(plain, LONGEST_NAME - len(tail)) + tail
        used.add(name.casefold())
        names.append(name)
    return tuple(names)


def _cut(text: str, units: int) -> str:
    while len(text.encode("utf-16-le")) > 2 * units:
        text = text[:-1]
    return text.strip("' ") or "sheet"


def _grade_row(standing: Standing, roster: Roster, ids: Sequence[str]) -> tuple[Value, ...]:
    person = roster.person(standing.student)
    scores = {e.id: e.score for e in standing.exercises}
    return (
        _kept(standing.student),
        cell_text(person.full_name),
        cell_text(person.section),
        standing.state,
        _points(final_score(standing)),
        _points(standing.max_score),
        *(_points(scores.get(id_)) for id_ in ids),
        _points(standing.penalty or None),
    )


def _exercise_rows(ordered: Sequence[Standing], id_: str) -> Iterable[tuple[Value, ...]]:
    for standing in ordered:
        found = next((e for e in standing.exercises if e.id == id_), None)
        if found is None:
            yield _kept(standing.student), None, None, standing.state
        else:
            status = cell_text(found.status) or standing.state
            row = (_points(found.score), _points(found.max_score), status)
            yield _kept(standing.student), *row


def _about(
    ordered: Sequence[Standing], exercises: Iterable[ExerciseStanding]
) -> Iterable[tuple[Value, ...]]:
    yield "Assignment", cell_text(ordered[0].assignment) if ordered else ""
    yield "Students", len(ordered)
    yield (
        "Rounding",
        f"Scores are rounded half up to at most {DECIMALS} decimals, once, in this file.",
    )
    yield "Empty cell", "There is no score; this is not 0. The column State says why."
    yield (
        "Score",
        "Includes late penalties, extra points and overrides, so it may differ from the sum.",
    )
    for exercise in sorted(exercises, key=lambda exercise: exercise.id):
        told = " (bonus: not in the maximum)" if exercise.stretch else ""
        yield _kept(exercise.id), cell_text(exercise.title) + told


def _points(amount: int | None) -> int | float | None:
    return None if amount is None else number(amount)


def _kept(id_: str) -> str:
    """The id, with characters that no workbook can hold escaped."""
    return "".join(
        visible(sign) if _BANNED.match(sign) and sign not in "[]:*?/\\" else sign for sign in id_
    )


def _fill(sheet: Worksheet, header: Sequence[str], rows: Iterable[Sequence[Value]]) -> None:
    widths = [len(title) for title in header]
    for place, values in enumerate([header, *rows], 1):
        for column, value in enumerate(values, 1):
            if value is None or value == "":
                continue
            cell = sheet.cell(place, column)
            assert isinstance(cell, Cell)
            _write(cell, value, bold=place == 1)
            widths[column - 1] = max(widths[column - 1], len(str(value)))
    for column, width in enumerate(widths, 1):
        sheet.column_dimensions[get_column_letter(column)].width = min(width, _WIDEST) + 2
    sheet.freeze_panes = "A2"
    sheet.auto_filter.ref = sheet.dimensions


def _write(cell: Cell, value: str | int | float, *, bold: bool) -> None:
    if isinstance(value, str):
        cell.value = value[:LONGEST]
        # No cell of a workbook is a formula.
        cell.data_type = "s"  # openpyxl takes a text that begins with = for a formula
        cell.number_format = "@"
        cell.quotePrefix = True
    else:
        cell.value = value
    if bold:
        cell.font = Font(bold=True)


def _timeless(data: bytes) -> bytes:
    """The workbook with one fixed time as every timestamp."""
    page = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(page, "w") as new:
        for name in sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name)):
            body = old.read(name)
            if name == "docProps/core.xml":
                body = _STAMP.sub(_NO_TIME, body)
            entry = zipfile.ZipInfo(name, _SAME_TIME)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0
            new.writestr(entry, body)
    return page.getvalue()
