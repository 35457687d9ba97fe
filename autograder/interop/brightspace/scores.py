"""A Brightspace grade item: a small sheet to import, or a downloaded one filled in.

Rows are identified by `OrgDefinedId` or `Username`, the item by its exact name; the last column
marks the end of each line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.errors import StoreError, UsageError
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import written
from autograder.gradebook.standing import Standing
from autograder.interop.exports.fill import Target, fill, number_in
from autograder.interop.exports.keys import known_people, stand_ins
from autograder.interop.exports.match import MatchRule, match_rows, own_key, people_of
from autograder.interop.exports.model import (
    Exported,
    Options,
    final_score,
    highest,
    in_order,
    why_blank,
)
from autograder.interop.exports.sheets import Sheet, new_sheet, read_sheet

KEYS = ("OrgDefinedId", "Username")
POINTS = " Points Grade"
END = "End-of-Line Indicator"
_DECORATION = re.compile(r"\s*<[^<>]*>\s*$")
_MAXIMUM = re.compile(r"MaxPoints:\s*([\d.,]+)")
_REMEDY = "Add `org_defined_id` or `username` to the roster."


def brightspace(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """Comma-separated text in UTF-8; a downloaded sheet keeps its own form, including ``#``.

    Raises ``UsageError`` if the item is not given or not found, ``StoreError`` for a file that is
    not such a sheet.
    """
    ordered = in_order(standings)
    if options.sheet is not None:
        return _filled(ordered, roster, options, options.sheet)
    if not options.title:
        raise UsageError("brightspace: give as --title the exact name of the grade item")
    known = known_people(ordered, roster, _keys, missing=f"no key in the roster. {_REMEDY}")
    listed = [s for s in ordered if s.student in known.people]
    rows: list[list[str]] = [[*KEYS, f"{options.title}{POINTS}", END]]
    for standing in listed:
        value = written(final_score(standing))
        if value:
            rows.append([*_keys(known.people[standing.student]), value, "#"])
    return Exported(
        new_sheet(rows),
        tuple(s.student for s in listed if final_score(s) is not None),
        tuple(why_blank(s) for s in listed if final_score(s) is None),
        known.unmatched,
        _above(ordered, written(highest(ordered)))
        + stand_ins(known, ("org_defined_id", "username"), "OrgDefinedId"),
    )


def _keys(person: Person) -> tuple[str, str]:
    """OrgDefinedId and user name; a student with neither has the roster's id."""
    organisation, username = (person.keys.get(k, "") for k in ("org_defined_id", "username"))
    return (organisation, username) if organisation or username else (person.id, "")


def _filled(ordered: Sequence[Standing], roster: Roster, options: Options, data: bytes) -> Exported:
    sheet = read_sheet(data, name=options.sheet_name, encoding=options.encoding)
    header = [cell.strip() for cell in sheet.row(0)]
    keys = [key for key in KEYS if key in header]
    if not keys or not header[-1].startswith(END):
        raise StoreError(
            f"{sheet.name}: row 1: not a Brightspace grade sheet, which begins with "
            f"{' or '.join(KEYS)} and ends with {END}. Download it from Grades, Export Grades."
        )
    column = _column(sheet, header, options)
    rows = [row for row in range(1, len(sheet.rows)) if not sheet.is_blank(row)]
    others = {
        "OrgDefinedId": own_key("org_defined_id"),
        "Username": own_key("username"),
    }
    rules = [
        MatchRule(
            key,
            {row: sheet.value(row, header.index(key)).strip().removeprefix("#") for row in rows},
            others[key],
            lambda person: (person.id,),
        )
        for key in keys
    ]
    found = _MAXIMUM.search(header[column])
    maximum = found[1] if found else written(highest(ordered))
    target = Target(
        sheet,
        column,
        rows,
        match_rows(people_of(ordered, roster), rules),
        _REMEDY,
        notes=_above(ordered, maximum),
    )
    return fill(target, ordered)


def _column(sheet: Sheet, header: Sequence[str], options: Options) -> int:
    """The item's points column, found by its name without what an export adds to it."""
    items = {
        n: bare.removesuffix(POINTS)
        for n, cell in enumerate(header)
        if (bare := _DECORATION.sub("", cell)).endswith(POINTS)
    }
    columns = [n for n, title in items.items() if title == options.title.strip()]
    if not options.title:
        columns = list(items)
    if len(columns) == 1:
        return columns[0]
    held = ", ".join(map(repr, items.values())) or "none"
    raise UsageError(
        f"{sheet.name}: row 1: {len(columns)} grade items match. Give as --title the exact "
        f"name of one of these: {held}."
    )


def _above(ordered: Sequence[Standing], maximum: str) -> tuple[str, ...]:
    """A note on who has more than the maximum, to which Brightspace reduces scores by default."""
    most = number_in(maximum)
    scores = {s.student: number_in(written(final_score(s))) for s in ordered}
    above = [student for student, score in scores.items() if score and most and score > most]
    if not above:
        return ()
    return (
        f"Above the maximum {maximum}, and reduced to it by Brightspace unless the item's Can "
        f"Exceed option is on: {', '.join(above)}.",
    )
