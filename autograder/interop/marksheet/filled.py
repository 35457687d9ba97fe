"""Reads a sheet of points that graders have filled in.

Only rubric items, points and comments are read; an empty cell changes nothing.

Covered: any separator and encoding of CSV, workbooks, points with a comma, rows and columns in
another order or left out, ids that a spreadsheet turned into numbers; every wrong cell is reported,
and if there is one, nothing is changed.
Not covered: formulas; a workbook has the last value that a spreadsheet computed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from decimal import Decimal, InvalidOperation

from autograder.errors import UsageError
from autograder.gradebook.rounding import written
from autograder.interop.exports.sheets import read_sheet
from autograder.interop.marksheet.model import AnswerRow, Chosen, PointsChange, Task, guarded

MAX_COMMENT = 10_000  # characters
_COLUMN = re.compile(r"(?P<exercise>[^\s/]+)/(?P<task>[^\s/]+) (?P<field>items|points|comment)\b.*")


def changes(data: bytes, rows: Sequence[AnswerRow], *, name: str) -> tuple[PointsChange, ...]:
    """What a filled-in sheet changes, in its own order.

    Raises ``UsageError`` naming every wrong cell; ``StoreError`` for a file that is not a sheet.
    """
    known = {row.key: row for row in rows}
    names, students = {row.student for row in rows}, _students(rows)
    header, body = _table(data, name)
    at, tasks = _places(header, {(row.exercise, row.task) for row in rows}, name)
    problems, found, seen = [], [], dict[str, int]()
    for number, given in body:
        cells = [*given, *[""] * (len(header) + 1 - len(given))]
        student = students.get(cells[at].strip(), "")
        if student not in names or student in seen:
            why = f"there is no answer of student {cells[at].strip()!r} to grade; remove the row"
            if student in seen:
                why = f"row {seen[student]} is about the same student; keep one"
            problems.append(f"{name}, row {number}: {why}")
            continue
        seen[student] = number
        for task, columns in tasks.items():
            row = known.get((student, *task))
            change, problem = _change(row, *(cells[column] for column in columns))
            found += [change] if change else []
            problems += [f"{name}, row {number}, {'/'.join(task)}: {problem}"] if problem else []
    if problems:  # of a sheet with a wrong row nothing is taken
        raise UsageError("\n".join([*problems, "nothing was changed"]))
    return tuple(found)


def _places(
    header: Sequence[str], tasks: Collection[Task], name: str
) -> tuple[int, dict[Task, tuple[int, int, int]]]:
    """The column of the students; and for each task those of its items, points and comment, or the
    number of columns for one that is missing. Raises ``UsageError``."""
    titles = [" ".join(title.split()) for title in header]
    read = {n: m for n, title in enumerate(titles) if (m := _COLUMN.fullmatch(title))}
    again = "export the sheet again and keep its first row"
    if "student" not in titles or not any(m["field"] in ("items", "points") for m in read.values()):
        raise UsageError(f"{name}, row 1: no columns `student` and `... points`; {again}")
    places: dict[tuple[str, str, str], int] = {}
    for n, match in read.items():
        key = (match["exercise"], match["task"], match["field"])
        if key[:2] not in tasks:
            raise UsageError(f"{name}, row 1: {titles[n]!r} is no answer to grade here; {again}")
        if key in places:
            raise UsageError(f"{name}, row 1: two columns {titles[n]!r}; remove one of them")
        places[key] = n
    end = len(header)
    named = dict.fromkeys(key[:2] for key in places)
    items, points, comments = (
        {t: places.get((*t, field), end) for t in named} for field in ("items", "points", "comment")
    )
    return titles.index("student"), {t: (items[t], points[t], comments[t]) for t in named}


def _change(
    row: AnswerRow | None, items: str, points: str, comment: str
) -> tuple[PointsChange | None, str]:
    """What three cells change about an answer, and what is wrong with them."""
    if row is None:
        if items.strip() or points.strip() or comment.strip():
            return None, "this student has no answer to grade; empty these cells"
        return None, ""
    chosen, wrong = _items(items, row)
    amount, problem = _points(points, row)
    if chosen != row.chosen and amount in (None, row.points):
        amount = row.sum_of(chosen)  # points that are as before were not typed
    elif "0" in items and row.points is None and amount is None:
        amount = 0
    comment = comment.strip()[:MAX_COMMENT]
    same = ("", row.comment.strip(), guarded(row.comment).strip())
    comment = row.comment if comment in same else comment
    new = row.points if amount is None else amount
    same_points = (new, chosen) == (row.points, row.chosen)
    if wrong or problem or (same_points and comment == row.comment):
        return None, wrong or problem
    return PointsChange(row, new, comment, chosen), ""


def _items(text: str, row: AnswerRow) -> tuple[Chosen, str]:
    """The rubric items in a cell, or what is wrong with it."""
    digits = re.sub(r"[\s,;.+]", "", text)  # a spreadsheet may have made a number of them
    if digits in ("", row.digits):
        return row.chosen, ""
    known = {str(n): item.id for n, item in enumerate(row.items, 1)}
    if digits != "0" and (not {*digits} <= known.keys() or len({*digits}) < len(digits)):
        return (), f"items {text[:40]!r}: write the digits of items, or 0 for none"
    return row.with_items({known[digit] for digit in digits if digit != "0"}), ""


def _students(rows: Sequence[AnswerRow]) -> dict[str, str]:
    """Students by their id, also as a spreadsheet changes it: guarded, or without leading zeros if
    that is not another student."""
    every = dict.fromkeys(row.student for row in rows)
    known = {student.strip(): student for student in every}
    for changed in (guarded, lambda text: text.lstrip("0") if text.isdecimal() else text):
        other: dict[str, list[str]] = {}
        for student in every:
            other.setdefault(changed(student).strip(), []).append(student)
        # Zeros are given back only where that is sure.
        known |= {key: one[0] for key, one in other.items() if len(one) == 1 and key not in known}
    return known


def _points(text: str, row: AnswerRow) -> tuple[int | None, str]:
    """The points in a cell, or what is wrong with it."""
    plain = text.strip().replace(",", ".")
    if not plain:
        return None, ""
    most = written(row.max_points, decimals=3)
    try:
        number = Decimal(plain)
        amount = int(number * 1000) if number.is_finite() and abs(number) < 10**9 else -1
    except InvalidOperation:
        return None, f"points {text[:40]!r}: write a number from 0 to {most}, or nothing"
    if not 0 <= amount <= row.max_points or amount != number * 1000:
        return None, (
            f"points {text[:40]!r}: write a number from 0 to {most} with at most three decimals "
            "(`autograder gradebook extra` gives more than the maximum)"
        )
    return amount, ""


def _table(data: bytes, name: str) -> tuple[list[str], list[tuple[int, list[str]]]]:
    """The first row, and the other non-empty rows with their numbers."""
    if data.startswith(b"PK\x03\x04"):
        from autograder.interop.marksheet.workbook import workbook_rows  # noqa: PLC0415  openpyxl

        rows = workbook_rows(data, name)
    else:
        rows = _text(data, name)
    filled = [(n, cells) for n, cells in rows if any(cell.strip() for cell in cells)]
    if not filled or filled[0][0] != 1:
        raise UsageError(f"{name}: the first row is empty; it must contain the column names")
    return filled[0][1], filled[1:]


def _text(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    sheet = read_sheet(data, name=name)
    return [(at + 1, sheet.row(at)) for at in range(len(sheet.rows))]
