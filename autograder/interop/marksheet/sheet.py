"""A sheet on which graders enter points for written answers: exported, filled in, read again.

One row for each answer graded by hand. Only ``points`` and ``comment`` are read back; an empty cell
changes nothing. The same sheet is a CSV file or a workbook.

Covered: any separator and encoding of CSV, workbooks, points with a comma, rows in another order,
rows left out, ids that a spreadsheet turned into numbers; every wrong row is reported, and if there
is one, nothing is changed.
Not covered: formulas; a workbook has the last value that a spreadsheet computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal, InvalidOperation

import msgspec

from autograder.assignment.kinds import WrittenCheck
from autograder.assignment.model import Assignment, thousandths
from autograder.errors import UsageError
from autograder.gradebook.decisions import Decision, in_force
from autograder.gradebook.export import cell_text
from autograder.gradebook.grade import Grade
from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import written
from autograder.interop.exports.sheets import new_sheet, read_sheet
from autograder.judging.verdict import Status
from autograder.notebook.students import safe_name

COLUMNS = (
    "student",
    "name",
    "exercise",
    "task",
    "max_points",
    "points",
    "comment",
    "rubric",
    "answer_in",
)
MAX_COMMENT = 10_000  # characters
_ILLEGAL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """One answer graded by hand. Points are thousandths, None if not given yet. ``hidden`` names
    the decision that replaces its points; "" if they count."""

    student: str
    name: str
    exercise: str
    task: str
    max_points: int
    points: int | None
    comment: str
    rubric: str
    hidden: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return (self.student, self.exercise, self.task)


@dataclass(frozen=True, slots=True)
class PointsChange:
    """What a filled-in sheet would change about one answer."""

    before: AnswerRow
    points: int | None
    comment: str


def mark_rows(
    assignment: Assignment, grades: Iterable[Grade], decisions: Iterable[Decision], roster: Roster
) -> tuple[AnswerRow, ...]:
    """Every answer that waits for a grader or has a grader's points, by exercise and student."""
    held = in_force(decisions)
    points = {(d.student, d.exercise, d.task): d.amount for d in held if d.kind == "points"}
    comments = {(d.student, d.exercise, d.task): d.text for d in held if d.kind == "comment"}
    hidden = _hiding(held)
    names = {person.id: person.full_name for person in roster}
    statuses = {
        (grade.student, exercise.id, check.id): check.status
        for grade in grades
        for exercise in grade.exercises
        for check in exercise.checks
    }
    found = []
    for exercise in assignment.exercise:
        for check in exercise.check:
            if not isinstance(check, WrittenCheck):
                continue
            for key in sorted(k for k in statuses if k[1:] == (exercise.id, check.id)):
                if statuses[key] is Status.MANUAL or key in points:
                    found.append(
                        AnswerRow(
                            key[0],
                            names.get(key[0], ""),
                            exercise.id,
                            check.id,
                            thousandths(check.points),
                            points.get(key),
                            comments.get(key, ""),
                            check.rubric.strip(),
                            hidden.get((key[0], "")) or hidden.get((key[0], exercise.id), ""),
                        )
                    )
    return tuple(found)


def _hiding(held: Sequence[Decision]) -> dict[tuple[str, str], str]:
    """(student, exercise) -> the decision that replaces points, in words; the exercise is "" for
    the whole assignment."""
    found = {}
    for one in held:
        if one.kind == "excuse":
            found[one.student, ""] = f"points do not count: excused by decision {one.id}"
        if one.kind == "override":  # guard: the sheet says which points an override hides
            what = one.exercise or "the total"
            said = f"points do not count: override {one.id} set {what}"
            found[one.student, one.exercise] = said
    return found


def marksheet_csv(rows: Sequence[AnswerRow]) -> bytes:
    """The sheet as CSV with a byte order mark, by which spreadsheets know its encoding."""
    return new_sheet([COLUMNS, *(_cells(row) for row in rows)], bom=b"\xef\xbb\xbf")


def marksheet_xlsx(rows: Sequence[AnswerRow]) -> bytes:
    """The sheet as a workbook in which every cell but the points is text."""
    from autograder.interop.marksheet.workbook import workbook_bytes  # noqa: PLC0415  openpyxl

    return workbook_bytes(COLUMNS, [_cells(row) for row in rows])


def changes(data: bytes, rows: Sequence[AnswerRow], *, name: str) -> tuple[PointsChange, ...]:
    """What a filled-in sheet changes, in its own order.

    Raises ``UsageError`` naming every wrong row; ``StoreError`` for a file that is not a sheet.
    """
    known = _by_key(rows)
    header, body = _table(data, name)
    place = {column: header.index(column) for column in COLUMNS if column in header}
    if lacking := [c for c in ("student", "exercise", "task", "points") if c not in place]:
        raise UsageError(
            f"{name}, row 1: no column {', '.join(lacking)}; export the sheet again and keep its "
            "first row"
        )
    problems, found, seen = [], [], dict[tuple[str, str, str], int]()
    for number, cells in body:
        cell = {column: cells[at] if at < len(cells) else "" for column, at in place.items()}
        key = (cell["student"].strip(), cell["exercise"].strip(), cell["task"].strip())
        problem, points = "", None
        if key not in known:
            problem = f"there is no answer {'/'.join(key[1:])} of student {key[0]!r} to grade"
        elif known[key].key in seen:
            problem = f"row {seen[known[key].key]} is about the same answer; keep one"
        else:
            seen[known[key].key] = number
            points, problem = _points(cell["points"], known[key])
        if problem:
            problems.append(f"{name}, row {number}: {problem}")
            continue
        row = known[key]
        comment = cell.get("comment", "").strip()[:MAX_COMMENT]
        same = ("", row.comment.strip(), _guarded(row.comment).strip())
        comment = row.comment if comment in same else comment
        new = row.points if points is None else points
        if (new, comment) != (row.points, row.comment):
            found.append(PointsChange(row, new, comment))
    if problems:  # guard: of a sheet with a wrong row nothing is taken
        raise UsageError("\n".join([*problems, "nothing was changed"]))
    return tuple(found)


def decisions_of(
    found: Iterable[PointsChange], *, assignment: str, who: str, why: str, at: datetime
) -> Iterator[Decision]:
    """The changes as decisions that can be recorded."""
    for change in found:
        row = change.before
        made = Decision(
            assignment, row.student, "points", who, why, at, exercise=row.exercise, task=row.task
        )
        if change.points != row.points:
            yield msgspec.structs.replace(made, amount=change.points)
        if change.comment != row.comment:
            yield msgspec.structs.replace(made, kind="comment", text=change.comment)


def _cells(row: AnswerRow) -> list[str]:
    return [
        _guarded(row.student),
        _guarded(row.name),
        row.exercise,
        row.task,
        written(row.max_points, decimals=3),
        written(row.points, decimals=3),
        _guarded(row.comment),
        _guarded(row.rubric),
        f"feedback/{safe_name(row.student)}.html",
    ]


def _guarded(text: str) -> str:
    """Text that no program that opens the sheet runs, or refuses to show."""
    return cell_text(_ILLEGAL.sub("?", text))  # guard: cells of a sheet are guarded


def _by_key(rows: Sequence[AnswerRow]) -> dict[tuple[str, str, str], AnswerRow]:
    """Rows by student, exercise, task; the student also as a spreadsheet changes it: guarded, or
    without leading zeros if that is not another student."""
    known = {(row.student.strip(), row.exercise, row.task): row for row in rows}
    for changed in (_guarded, lambda text: text.lstrip("0") if text.isdecimal() else text):
        other: dict[tuple[str, str, str], list[AnswerRow]] = {}
        for row in rows:
            key = (changed(row.student).strip(), row.exercise, row.task)
            other.setdefault(key, []).append(row)
        # guard: zeros are given back only where that is sure
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
    # guard: points above the maximum of an answer
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
    return [cell.strip().casefold() for cell in filled[0][1]], filled[1:]


def _text(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    sheet = read_sheet(data, name=name)
    return [(at + 1, sheet.row(at)) for at in range(len(sheet.rows))]
