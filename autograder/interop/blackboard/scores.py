"""A Blackboard column: a small sheet to upload, or a downloaded one filled in.

A row is identified by its `Username`, a column by the number after the bar in its header.
Blackboard does not read names back: they get the formula guard.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence

from autograder.errors import StoreError, UsageError
from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import written
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line
from autograder.interop.exports.fill import Target, fill
from autograder.interop.exports.keys import known_people, stand_ins
from autograder.interop.exports.match import MatchRule, match_rows, own_key, people_of
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

HEADER = ("Last Name", "First Name", "Username", "Student ID")
KEY = "Username"
FEEDBACK = "Feedback to Learner"
FEEDBACK_FORMAT = "Feedback Format"
_COLUMN = re.compile(r"^(?P<title>.*) \[[^\[\]]*\]\s*\|\s*(?P<id>\d+)\s*$", re.DOTALL)
_REMEDY = "Add `username`, the Blackboard user name, to the roster."


def blackboard(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """Tab-separated text in UTF-16, to be saved as .xls; a downloaded sheet keeps its own form.

    Raises ``UsageError`` if the column is not given or not found, ``StoreError`` for a file that is
    not such a sheet.
    """
    return _either(standings, roster, options, csv=False)


def blackboard_csv(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The column as quoted CSV in UTF-8 with a byte order mark; options and errors as for
    ``blackboard``."""
    return _either(standings, roster, options, csv=True)


def _either(
    standings: Sequence[Standing], roster: Roster, options: Options, *, csv: bool
) -> Exported:
    ordered = in_order(standings)
    if options.sheet is not None:
        return _filled(ordered, roster, options, options.sheet)
    if not options.title or not options.item_id.isascii() or not options.item_id.isdigit():
        raise UsageError(
            "blackboard: give the column's --title, and as --item-id its number (the one after the "
            "bar in a downloaded sheet); without the number Blackboard would create a new column"
        )
    return _fresh(ordered, roster, options, csv=csv)


def _fresh(ordered: Sequence[Standing], roster: Roster, options: Options, *, csv: bool) -> Exported:
    known = known_people(ordered, roster, lambda person: (_username(person),), missing=_REMEDY)
    listed = [s for s in ordered if s.student in known.people]
    total = written(highest(ordered)) or "0"
    column = f"{one_line(options.title)} [Total Pts: {total} Score] |{options.item_id}"
    rows = [[*HEADER, column]]
    for standing in listed:
        value = written(final_score(standing))
        if value:
            person = known.people[standing.student]
            last = person.last_name or person.full_name
            first = person.first_name if person.last_name else ""
            names = (cell_text(last), cell_text(first))
            rows.append([*names, _username(person), person.id, value])
    bom, encoding = (codecs.BOM_UTF8, "utf-8") if csv else (codecs.BOM_UTF16_LE, "utf-16-le")
    delimiter = "," if csv else "\t"
    return Exported(
        new_sheet(rows, delimiter=delimiter, quote_all=True, encoding=encoding, bom=bom),
        tuple(s.student for s in listed if final_score(s) is not None),
        tuple(why_blank(s) for s in listed if final_score(s) is None),
        known.unmatched,
        differing_maxima(ordered) + stand_ins(known, ("username",), KEY),
    )


def _username(person: Person) -> str:
    """The user name, or the roster's own id if the user name is not known."""
    return person.keys.get("username", "") or person.id


def _filled(ordered: Sequence[Standing], roster: Roster, options: Options, data: bytes) -> Exported:
    sheet = read_sheet(data, name=options.sheet_name, encoding=options.encoding)
    header = [cell.strip() for cell in sheet.row(0)]
    if KEY not in header:
        raise StoreError(
            f"{sheet.name}: row 1: there is no column {KEY}. Download the sheet from the Grade "
            "Center, Work Offline, Download."
        )
    column = _column(sheet, header, options)
    rows = [row for row in range(1, len(sheet.rows)) if not sheet.is_blank(row)]
    usernames = {row: sheet.value(row, header.index(KEY)) for row in rows}
    rules = [MatchRule(KEY, usernames, own_key("username"), lambda person: (person.id,))]
    if "Student ID" in header:
        numbers = {row: sheet.value(row, header.index("Student ID")) for row in rows}
        rules.append(
            MatchRule("Student ID", numbers, lambda person: "", lambda person: (person.id,))
        )
    matches = match_rows(people_of(ordered, roster), rules)

    def comments(row: int, standing: Standing) -> Mapping[int, str]:
        if not options.comments or not standing.comments:
            return {}
        text = "\n".join(standing.comments)
        told = {
            FEEDBACK: "\n".join(map(one_line, text.splitlines())),
            FEEDBACK_FORMAT: "SMART_TEXT",
        }
        return {header.index(name): value for name, value in told.items() if name in header}

    if options.comments and FEEDBACK not in header:
        raise UsageError(
            f"{sheet.name}: row 1: there is no column {FEEDBACK}. Download the sheet of this one "
            "column, with comments, or leave out --comments."
        )
    return fill(Target(sheet, column, rows, matches, _REMEDY, more=comments), ordered)


def _column(sheet: Sheet, header: Sequence[str], options: Options) -> int:
    parts = {n: found for n, cell in enumerate(header) if (found := _COLUMN.match(cell))}
    if options.item_id:
        columns = [n for n, found in parts.items() if found["id"] == options.item_id]
    elif options.title:
        columns = [n for n, found in parts.items() if found["title"] == options.title.strip()]
    else:
        columns = list(parts)
    if len(columns) == 1:
        return columns[0]
    held = ", ".join(repr(found[0]) for found in parts.values()) or "none"
    raise UsageError(
        f"{sheet.name}: row 1: {len(columns)} columns match. Give the number of one of these "
        f"as --item-id: {held}."
    )
