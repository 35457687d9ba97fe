"""Reads who is in a course: a platform's own gradebook or list, or a sheet made by hand.

Covered: what ``table`` and ``columns`` read; ids stay text, leading zeros included. Rows that
belong to no student are left out: points possible, the test student, staff.
Refused, naming file, row and fix: no column for ids, an empty or a duplicate id, an id with control
or unreadable characters, rows longer or shorter than the header.
Not covered: two people with the same name. It is allowed, but then identifies neither of them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from autograder.errors import UsageError
from autograder.gradebook.people import KEYS, Person, Roster
from autograder.interop.downloads.columns import Columns, find_columns
from autograder.interop.downloads.table import TableRow, TextTable, read_table

MAX_ID = 200  # characters

_PARTICIPANT = re.compile(r"\D*(\d+)")
_STAFF = ("instructor", "ta", "reader")
_HEADERS = "id, student_id, Student, SID, SIS User ID, Username, OrgDefinedId or Identifier"


def read_roster(path: Path) -> Roster:
    """The roster in a sheet, in the order of its rows; raises UsageError."""
    table = read_table(path)
    columns = find_columns(table.header, [row.cells[0] for row in table.rows])
    if not columns.ids:
        raise UsageError(
            f"{table.name}, row 1: no column contains the students' ids "
            f"({_titles(table.header)}); name one {_HEADERS}"
        )
    people: dict[str, tuple[Person, int]] = {}
    for row in table.rows:
        cells = _full(row, table)
        if _nobody(cells, columns):
            continue
        person = _person(cells, columns, f"{table.name}, row {row.number}")
        if person.id in people:
            raise UsageError(
                f"{table.name}, row {row.number}: the id {person.id!r} is also in row "
                f"{people[person.id][1]}; give every student one row and a unique id"
            )
        people[person.id] = (person, row.number)
    if not people:
        raise UsageError(f"{table.name}: there are no students in the sheet; add a row for each")
    return Roster(tuple(person for person, _ in people.values()))


def _titles(header: Iterable[str]) -> str:
    return "its columns: " + ", ".join(repr(title.strip()[:40]) for title in list(header)[:12])


def _full(row: TableRow, table: TextTable) -> tuple[str, ...]:
    """The row's cells, as many as the header has; surplus empty ones are dropped."""
    width = len(table.header)
    if len(row.cells) < width or any(cell.strip() for cell in row.cells[width:]):
        raise UsageError(
            f"{table.name}, row {row.number}: {len(row.cells)} cells, but the header has {width}; "
            "put text that contains a separator or a line break in double quotes"
        )
    return row.cells[:width]


def _nobody(cells: tuple[str, ...], columns: Columns) -> bool:
    """Whether the row is not a student's."""
    if columns.origin == "gradescope":
        return columns.cell(cells, "role").casefold() in _STAFF
    if columns.origin != "canvas":
        return False
    name, first, last = (columns.cell(cells, n) for n in ("name", "first_name", "last_name"))
    if "Points Possible" in (name, last) or (last, first) == ("Student", "Test"):
        return True
    if name == "Student, Test":
        return True
    unknown = not any(columns.cell(cells, key) for key in columns.ids)
    # Canvas indents the row of points, whose words are in the user's language
    return unknown and (not (name or first or last) or cells[0].startswith("    "))


def _person(cells: tuple[str, ...], columns: Columns, place: str) -> Person:
    fields = {name: columns.cell(cells, name) for name in columns.places}
    for name in ("org_defined_id", "username") if columns.origin == "brightspace" else ():
        fields[name] = fields.get(name, "").removeprefix("#")
    if "moodle_id" in fields and (number := _PARTICIPANT.fullmatch(fields["moodle_id"])):
        fields["moodle_id"] = number[1]
    student = next((fields[name] for name in columns.ids if fields[name]), "")
    check_id(student, place)
    return Person(
        id=student,
        name=" ".join(fields.get("name", "").split()),
        first_name=" ".join(fields.get("first_name", "").split()),
        last_name=" ".join(fields.get("last_name", "").split()),
        email=fields.get("email", ""),
        section=fields.get("section", ""),
        keys={key: fields[key] for key in KEYS if fields.get(key)},
    )


def check_id(student: str, place: str) -> None:
    """Refuse an id that cannot be one; raises UsageError with the place."""
    if not student:
        raise UsageError(f"{place}: the student's id is empty; fill it in or remove the row")
    if len(student) > MAX_ID:
        raise UsageError(f"{place}: the id has more than {MAX_ID} characters; is a quote missing?")
    if "\ufffd" in student or any(unicodedata.category(c) in ("Cc", "Cs") for c in student):
        raise UsageError(
            f"{place}: the id {student!r} contains characters that are not allowed in an id; "
            'save the sheet as "CSV UTF-8" and correct the id'
        )
