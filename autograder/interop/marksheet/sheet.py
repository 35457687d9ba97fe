"""A sheet on which graders enter points for written answers.

One row a student; for each written answer the text, a link to it on the feedback page, the rubric,
and columns for points and a comment. The same sheet is a CSV file or a workbook, whose second sheet
offers the comments used before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from autograder.gradebook.export import cell_text
from autograder.gradebook.rounding import written
from autograder.gradebook.visible import visible
from autograder.interop.exports.sheets import new_sheet
from autograder.interop.marksheet.model import ILLEGAL, AnswerRow, SheetColumn, Task, guarded
from autograder.notebook.students import safe_name

MAX_ANSWER = 30_000  # characters; a cell of a workbook holds 32,767
PER_TASK = ("answer", "page", "rubric", "items", "points", "comment")


@dataclass(frozen=True, slots=True)
class Marksheet:
    """What is written: the answers, the comments used before by task, and where the feedback
    pages are, seen from the sheet."""

    rows: Sequence[AnswerRow]
    comments: Mapping[Task, Sequence[str]] = field(default_factory=dict)
    pages: str = "feedback"


def marksheet_csv(sheet: Marksheet) -> bytes:
    """The sheet as CSV with a byte order mark, by which spreadsheets know its encoding."""
    columns = _columns(sheet.rows)
    lines = [[guarded(text) for text in line] for line in _lines(sheet, columns)]
    header = [column.title for column in columns]
    return new_sheet([header, *lines], bom=b"\xef\xbb\xbf")


def marksheet_xlsx(sheet: Marksheet) -> bytes:
    """The sheet as a workbook in which every cell but the points is text."""
    from autograder.interop.marksheet.workbook import workbook_bytes  # noqa: PLC0415  openpyxl

    columns = _columns(sheet.rows)
    lines = [
        [
            _paragraphs(text) if column.field in ("answer", "rubric") else guarded(text)
            for column, text in zip(columns, line, strict=True)
        ]
        for line in _lines(sheet, columns)
    ]
    offered = {
        "/".join(task): [guarded(comment) for comment in comments]
        for task, comments in sheet.comments.items()
    }
    return workbook_bytes(columns, lines, offered)


def _columns(rows: Sequence[AnswerRow]) -> list[SheetColumn]:
    """The columns of the sheet: who, then what belongs to each task."""
    worth = {(row.exercise, row.task): row.max_points for row in rows}
    items = {(row.exercise, row.task): len(row.items) for row in rows}
    columns = [SheetColumn("student", "student"), SheetColumn("name", "name")]
    for (exercise, task), most in worth.items():
        name = f"{exercise}/{task}"
        for what in PER_TASK:
            if what == "items" and not items[exercise, task]:
                continue
            more = {
                "items": f" (digits 1 to {items[exercise, task]}, 0 for none)",
                "points": f" (0 to {written(most, decimals=3)})",
            }.get(what, "")
            columns.append(SheetColumn(f"{name} {what}{more}", what, name))
    return columns


def _lines(sheet: Marksheet, columns: Sequence[SheetColumn]) -> Iterator[list[str]]:
    """The plain text of each student's row."""
    students: dict[str, dict[str, AnswerRow]] = {}
    for row in sheet.rows:
        students.setdefault(row.student, {})[f"{row.exercise}/{row.task}"] = row
    for student, own in sorted(students.items()):
        name = next(row.name for row in own.values())
        fixed = {"student": student, "name": name}
        yield [fixed.get(c.field) or _cell(own.get(c.task), c.field, sheet.pages) for c in columns]


def _cell(row: AnswerRow | None, what: str, pages: str) -> str:
    """What stands in one column about an answer; "" for a student without one."""
    if row is None:
        return "nothing to grade" if what == "answer" else ""
    match what:
        case "answer":
            cut = len(row.answer) > MAX_ANSWER
            return row.answer[:MAX_ANSWER] + ("\n[cut; read on on the page]" if cut else "")
        case "page":
            return f"{quote(pages)}/{quote(safe_name(row.student))}.html#exercise-{row.exercise}"
        case "rubric":
            items = (
                f"{n}. {written(item.points, decimals=3)}: {item.text}"
                for n, item in enumerate(row.items, 1)
            )
            return "\n".join(filter(None, (row.rubric, *items)))
        case "items":
            return row.digits
        case "points":
            return written(row.points, decimals=3)
        case _:
            return row.comment if what == "comment" else ""


def _paragraphs(text: str) -> str:
    """Text on several lines for a cell of a workbook, which cannot be a formula there."""
    plain = visible(ILLEGAL.sub("?", text)).strip()
    return f"'{plain}" if cell_text(plain[:1]).startswith("'") else plain
