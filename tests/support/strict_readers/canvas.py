"""The Canvas gradebook import, section 4.1 of the format page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from tests.support.strict_readers.text import Rejected, number, once, rows

_OPTIONAL = ("SIS User ID", "SIS Login ID", "Integration ID", "Root Account")
_TOTALS = re.compile(r"(Current|Final) (Score|Points|Grade)")


@dataclass(frozen=True)
class Row:
    name: str
    id: str
    sis_user: str
    sis_login: str
    value: Decimal | str | None  # "EX" for excused, None for no score


@dataclass(frozen=True)
class Import:
    title: str
    points: Decimal
    students: tuple[Row, ...]


def read(data: bytes, *, assignment: str) -> Import:
    """What Canvas would take for the assignment with this id."""
    table = rows(data, encoding="utf-8-sig")
    header = table[0]
    if "Student" not in header[0] or "ID" not in header[1]:
        raise Rejected("the first cells are not Student and ID")
    place = 2
    for optional in _OPTIONAL:
        place += header[place : place + 1] == [optional]
    if header[place : place + 1] != ["Section"]:
        raise Rejected(f"column {place + 1} is not Section")
    found = [n for n, cell in enumerate(header) if cell.endswith(f" ({assignment})")]
    if len(found) != 1 or _TOTALS.search(header[found[0]]):
        raise Rejected("a new assignment would be made")
    column = found[0]
    body = table[1:]
    if body and not any("Points Possible" in row[0] for row in body[:1]):
        body = body[1:]  # the row of posting policies
    if not body or not body[0][0].startswith("    Points Possible"):
        raise Rejected("there is no row of points possible")
    if "(read only)" in body[0][column]:
        raise Rejected("a read-only column")
    students = [_row(header, row, column) for row in body[1:] if any(row)]
    for key in ("id", "sis_user", "sis_login"):
        once([value for row in students if (value := getattr(row, key))])
    return Import(
        header[column].removesuffix(f" ({assignment})"), Decimal(body[0][column]), tuple(students)
    )


def _row(header: list[str], row: list[str], column: int) -> Row:
    def cell(title: str) -> str:
        return row[header.index(title)] if title in header else ""

    text = row[column]
    value: Decimal | str | None
    if text.upper() == "EX":
        value = "EX"
    elif text in ("", "-", "N/A"):
        value = None
    else:
        value = number(text)
    found = Row(row[0], cell("ID"), cell("SIS User ID"), cell("SIS Login ID"), value)
    if found.id and not found.id.isdigit():
        raise Rejected(f"{found.id!r} is no Canvas id")
    if not (found.id or found.sis_user or found.sis_login):
        raise Rejected(f"{found.name!r}: Canvas would ask who this is")
    return found
