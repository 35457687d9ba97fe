"""A Canvas gradebook: the smallest sheet that it imports, or a downloaded one filled in.

A fresh sheet leaves out students without a score: whether a blank cell clears Canvas' score is not
known. In a downloaded sheet such rows are unchanged; an old score is imported again. Canvas reads
names back, so they get no formula guard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.errors import StoreError, UsageError
from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import written
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line
from autograder.interop.exports.fill import Target, fill, number_in
from autograder.interop.exports.keys import known_people, stand_ins
from autograder.interop.exports.match import (
    MatchRule,
    match_rows,
    names_of,
    own_key,
    people_of,
    plain_name,
)
from autograder.interop.exports.model import (
    Exported,
    Options,
    differing_maxima,
    final_score,
    highest,
    in_order,
    why_blank,
)
from autograder.interop.exports.sheets import Sheet, new_sheet, read_sheet

EXCUSED = "EX"
POINTS_ROW = "    Points Possible"  # Canvas writes four blanks in front
HEADER = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
KEYS = ("canvas_id", "sis_user_id", "sis_login_id")
READ_ONLY = "(read only)"
_REMEDY = "Add `canvas_id`, `sis_user_id` or `sis_login_id` to the roster."
_ID = re.compile(r"^(?P<title>.*) \((?P<id>\d+)\)$", re.DOTALL)


def canvas(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The gradebook as CSV; from ``options.sheet`` if there is one.

    Raises ``UsageError`` if the assignment's column is not given or not found, ``StoreError``
    for a file that is not a Canvas gradebook.
    """
    ordered = in_order(standings)
    if options.sheet is not None:
        return _filled(ordered, roster, options, options.sheet)
    if not options.title or not options.item_id.isascii() or not options.item_id.isdigit():
        raise UsageError(
            "canvas: give the assignment's --title, and as --item-id its number in Canvas (at the "
            "end of its address); without the number Canvas would create a new assignment"
        )
    return _fresh(ordered, roster, options)


def _fresh(ordered: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    known = known_people(ordered, roster, _keys, missing=f"no Canvas key in the roster. {_REMEDY}")
    listed = [s for s in ordered if s.student in known.people]
    rows = [
        [*HEADER, f"{one_line(options.title)} ({options.item_id})"],
        [POINTS_ROW, "", "", "", "", written(highest(ordered))],
    ]
    for standing in listed:
        value = _cell(standing)
        if value:
            person = known.people[standing.student]
            name = one_line(person.sortable_name)
            rows.append([name, *_keys(person), cell_text(person.section), value])
    return Exported(
        new_sheet(rows),
        tuple(s.student for s in listed if _cell(s)),
        tuple(why_blank(s) for s in listed if not _cell(s)),
        known.unmatched,
        differing_maxima(ordered) + stand_ins(known, KEYS, "SIS User ID"),
    )


def _keys(person: Person) -> tuple[str, str, str]:
    """Canvas id, SIS user id, SIS login id. A student without any has the roster's id."""
    canvas_id, user, login = (person.keys.get(key, "") for key in KEYS)
    if not (canvas_id.isascii() and canvas_id.isdigit()):
        canvas_id = ""
    return (canvas_id, user, login) if canvas_id or user or login else ("", person.id, "")


def _cell(standing: Standing) -> str:
    return EXCUSED if standing.state == "excused" else written(final_score(standing))


def _filled(ordered: Sequence[Standing], roster: Roster, options: Options, data: bytes) -> Exported:
    sheet = read_sheet(data, name=options.sheet_name, encoding=options.encoding)
    header = [cell.strip() for cell in sheet.row(0)]
    named = "Student" in header[0] or header[0] == "LastName"
    if not named or not any("ID" in cell for cell in header[1:3]):
        raise StoreError(
            f"{sheet.name}: row 1: not a Canvas gradebook, which begins with the columns Student "
            "and ID. Download it from Grades, Export."
        )
    points = _points_row(sheet)
    column = _column(sheet, header, options)
    if READ_ONLY in sheet.value(points, column).lower():
        raise UsageError(
            f"{sheet.name}: column {header[column]!r} is read-only in Canvas. Choose the "
            "assignment's own column."
        )
    rows = [row for row in range(points + 1, len(sheet.rows)) if not sheet.is_blank(row)]
    matches = match_rows(people_of(ordered, roster), _rules(sheet, header, rows))
    return fill(
        Target(
            sheet,
            column,
            rows,
            matches,
            _REMEDY,
            excused=EXCUSED,
            notes=_maximum_note(sheet, points, column, ordered),
        ),
        ordered,
    )


def _column(sheet: Sheet, header: Sequence[str], options: Options) -> int:
    """The assignment's column: by its number, else by exact title."""
    parts = {n: found for n, cell in enumerate(header) if (found := _ID.match(cell))}
    if options.item_id:
        columns = [n for n, found in parts.items() if found["id"] == options.item_id]
        wanted = f"number {options.item_id}"
    elif options.title:
        titles = {n: parts[n]["title"] if n in parts else cell for n, cell in enumerate(header)}
        columns = [n for n, title in titles.items() if title == options.title.strip()]
        wanted = f"title {options.title!r}"
    else:
        raise UsageError("canvas: give the assignment's number as --item-id, or its exact --title")
    if len(columns) == 1:
        return columns[0]
    held = ", ".join(repr(found[0]) for found in parts.values()) or "none"
    raise UsageError(
        f"{sheet.name}: row 1: {len(columns)} assignments have the {wanted}. "
        f"Give the number of one of these as --item-id: {held}."
    )


def _points_row(sheet: Sheet) -> int:
    for row in range(1, min(len(sheet.rows), 5)):
        if "Points Possible" in sheet.value(row, 0):
            return row
    raise StoreError(
        f"{sheet.name}: rows 2 to 5: there is no row {POINTS_ROW.strip()!r}. "
        "Download the gradebook again and leave its first rows as they are."
    )


def _maximum_note(
    sheet: Sheet, points: int, column: int, ordered: Sequence[Standing]
) -> tuple[str, ...]:
    ours, theirs = written(highest(ordered)), number_in(sheet.value(points, column))
    if not ours or theirs is None or theirs == number_in(ours):
        return ()
    return (f"In Canvas this assignment is worth {theirs} points, here {ours}.",)


def _rules(sheet: Sheet, header: Sequence[str], rows: Sequence[int]) -> list[MatchRule]:
    def cells(title: str) -> dict[int, str]:
        column = header.index(title) if title in header else -1
        return {row: sheet.value(row, column) for row in rows}

    names = {row: plain_name(_name(sheet, header, row)) for row in rows}
    return [
        MatchRule("ID", cells("ID"), own_key("canvas_id")),
        MatchRule(
            "SIS User ID", cells("SIS User ID"), own_key("sis_user_id"), lambda person: (person.id,)
        ),
        MatchRule(
            "SIS Login ID",
            cells("SIS Login ID"),
            own_key("sis_login_id"),
            lambda person: (person.id, person.keys.get("username", ""), person.email),
        ),
        MatchRule("name", names, lambda person: "", names_of),
    ]


def _name(sheet: Sheet, header: Sequence[str], row: int) -> str:
    if header[0] == "LastName":
        return f"{sheet.value(row, 0)}, {sheet.value(row, header.index('FirstName'))}"
    return sheet.value(row, 0)
