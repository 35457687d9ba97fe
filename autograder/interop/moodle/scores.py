"""Moodle's offline grading worksheet filled in.

Moodle compares headers with the words of its user's language, so the worksheet is always the
downloaded one. Only the grade column, and on request the comments, change; the times by which
Moodle notices later changes are kept. Moodle keeps comments as HTML: they are escaped.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from autograder.errors import UsageError
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.rounding import DECIMALS, rounded, written
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import visible
from autograder.interop.exports.fill import Target, fill, number_in
from autograder.interop.exports.match import (
    MatchRule,
    match_rows,
    names_of,
    own_key,
    people_of,
    plain_name,
)
from autograder.interop.exports.model import Exported, Options, highest, in_order
from autograder.interop.exports.sheets import Sheet, read_sheet

GRADE = ("grade",)
COMMENTS = ("feedback comments",)
MAXIMUM = ("maximum grade",)
_IDS = ("id number", "username", "email address")
_NUMBER = re.compile(r"(\d+)\s*$")
_REMEDY = (
    "Add `moodle_id`, the number in the sheet's first column, or the e-mail address to the roster."
)


def moodle(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The worksheet ``options.sheet`` with final scores, and comments if requested.

    ``options.column`` and ``options.comment_column`` name those columns if they are not in English;
    ``options.key`` the column that identifies students, by default the first. Raises ``UsageError``
    for a missing sheet or column, ``StoreError`` for an unreadable sheet.
    """
    ordered = in_order(standings)
    if options.sheet is None:
        raise UsageError(
            "moodle: give the downloaded worksheet as --sheet (assignment, Submissions, Download "
            "grading worksheet): Moodle accepts no other file"
        )
    sheet = read_sheet(options.sheet, name=options.sheet_name, encoding=options.encoding)
    header = sheet.row(0)
    lowered = [plain_name(cell) for cell in header]
    grade = _column(sheet, header, options.column, GRADE, "--column")
    if "scale" in lowered:
        raise UsageError(f"{sheet.name}: this assignment is graded with a scale, not with points")
    more: Callable[[int, Standing], Mapping[int, str]] = _nothing
    if options.comments:
        place = _column(sheet, header, options.comment_column, COMMENTS, "--comment-column")
        more = _comments(place)
    rows = [row for row in range(1, len(sheet.rows)) if not sheet.is_blank(row)]
    matches = match_rows(
        people_of(ordered, roster), _rules(sheet, lowered, grade, rows, options.key)
    )
    maxima = _maxima(sheet, lowered, rows)
    target = Target(
        sheet,
        grade,
        rows,
        matches,
        _REMEDY,
        refusal=_refusal(sheet, lowered, maxima),
        more=more,
        notes=_maximum_note(maxima, ordered),
    )
    return fill(target, ordered)


def _nothing(row: int, standing: Standing) -> Mapping[int, str]:
    return {}


def _comments(column: int) -> Callable[[int, Standing], Mapping[int, str]]:
    def cells(row: int, standing: Standing) -> Mapping[int, str]:
        return {column: comment_html(standing.comments)} if standing.comments else {}

    return cells


def comment_html(comments: Sequence[str]) -> str:
    """Comments as Moodle stores them: HTML, with their own text escaped."""
    lines = [line for comment in comments for line in visible(comment).splitlines()]
    return "<br>".join(html.escape(line, quote=False) for line in lines)


def _column(
    sheet: Sheet, header: Sequence[str], named: str, known: Sequence[str], option: str
) -> int:
    """The only column with the given header, or else with a known one."""
    wanted = (plain_name(named),) if named else known
    columns = [n for n, cell in enumerate(header) if plain_name(cell) in wanted]
    if len(columns) == 1:
        return columns[0]
    raise UsageError(
        f"{sheet.name}: row 1: {len(columns)} columns have the header {' or '.join(wanted)!r}. "
        f"Give {option} exactly as it is written in the sheet: "
        f"{', '.join(map(repr, header))}."
    )


def _rules(
    sheet: Sheet, lowered: Sequence[str], grade: int, rows: Sequence[int], key: str
) -> list[MatchRule]:
    """The identifier's number first, then what else identifies a person. In an unknown language,
    any column left of the grade may hold ids, addresses, names.
    """
    first = lowered.index("identifier") if "identifier" in lowered else 0
    numbers = {row: _number(sheet.value(row, first)) for row in rows}
    rules = [MatchRule(lowered[first], numbers, own_key("moodle_id"))]
    if key:
        columns = [_column(sheet, lowered, key, (), "the key")]
    else:
        columns = [column for column in range(grade) if column != first]
    free = bool(key) or "identifier" not in lowered
    for column in columns:
        name = lowered[column]
        cells = {row: sheet.value(row, column) for row in rows}
        if free or name in _IDS:
            rules.append(MatchRule(name, cells, _nobody, _ids))
        if free or name == "full name":
            names = {row: plain_name(cell) for row, cell in cells.items()}
            rules.append(MatchRule(name, names, _nobody, names_of))
    return sorted(rules, key=lambda rule: rule.others is names_of)


def _nobody(person: Person) -> str:
    """A column without a key of Moodle's own."""
    return ""


def _ids(person: Person) -> tuple[str, ...]:
    return (person.id, person.keys.get("username", ""), person.email)


def _number(cell: str) -> str:
    found = _NUMBER.search(cell)
    return found[1] if found else ""


def _maxima(
    sheet: Sheet, lowered: Sequence[str], rows: Sequence[int]
) -> Mapping[int, Decimal | None]:
    column = next((n for n, cell in enumerate(lowered) if cell in MAXIMUM), -1)
    return {row: number_in(sheet.value(row, column)) for row in rows}


def _refusal(
    sheet: Sheet, lowered: Sequence[str], maxima: Mapping[int, Decimal | None]
) -> Callable[[int, int], str]:
    """Why Moodle would silently skip the row."""
    free = lowered.index("grade can be changed") if "grade can be changed" in lowered else -1

    def refusal(row: int, score: int) -> str:
        maximum = maxima.get(row)
        points = Decimal(rounded(score)).scaleb(-DECIMALS)
        # What Moodle would skip without a word is said.
        if maximum is not None and points > maximum:
            return f"{written(score)} is above the maximum {maximum}: Moodle would skip the row"
        if points < 0:
            return f"{written(score)} is negative: Moodle would skip the row"
        if sheet.value(row, free).strip().casefold() == "no":
            return "the grade is locked in Moodle"
        return ""

    return refusal


def _maximum_note(
    maxima: Mapping[int, Decimal | None], ordered: Sequence[Standing]
) -> tuple[str, ...]:
    ours = written(highest(ordered))
    others = sorted({m for m in maxima.values() if m is not None and m != number_in(ours or "x")})
    if not ours or not others:
        return ()
    return (f"The maximum is {others[0]} in Moodle but {ours} here; points are not rescaled.",)
