"""One column of a downloaded sheet filled in with final scores; every other cell is unchanged.

Rows of students without a final score also keep their old score, because not every platform
documents what a blank cell does to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from autograder.gradebook.rounding import written
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line
from autograder.interop.exports.match import Matches
from autograder.interop.exports.model import Exported, Mention, final_score, why_blank
from autograder.interop.exports.sheets import Sheet, sheet_bytes, with_cells


@dataclass(frozen=True, slots=True)
class Target:
    """The column to fill in. ``rows`` are the students' rows; ``excused`` is the platform's word.

    ``refusal`` returns why the platform would reject this score (in thousandths) in this row, "" if
    it would not. ``more`` returns further cells of a row that gets a score.
    """

    sheet: Sheet
    column: int
    rows: Sequence[int]
    matches: Matches
    remedy: str
    excused: str = ""
    refusal: Callable[[int, int], str] = lambda row, score: ""
    more: Callable[[int, Standing], Mapping[int, str]] = lambda row, standing: {}
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Filled:
    """The results collected while iterating over the standings."""

    changes: dict[tuple[int, int], str] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)
    blank: list[Mention] = field(default_factory=list)
    unmatched: list[Mention] = field(default_factory=list)


def fill(target: Target, standings: Sequence[Standing]) -> Exported:
    """The sheet with the column filled in, for standings in order."""
    filled = _Filled()
    for standing in standings:
        row = target.matches.rows.get(standing.student)
        if row is None:
            filled.unmatched.append(target.matches.mention(standing.student, target.remedy))
        else:
            _fill_row(target, row, standing, filled)
    sheet = with_cells(target.sheet, filled.changes)
    students = {standing.student for standing in standings}
    used = {row for student, row in target.matches.rows.items() if student in students}
    return Exported(
        sheet_bytes(sheet),
        tuple(filled.done),
        tuple(filled.blank),
        tuple(filled.unmatched),
        target.notes + sheet.notes + _strangers(target, used),
    )


def same_score(cell: str, text: str) -> bool:
    """Whether a cell already contains this number, in any notation."""
    try:
        return Decimal(cell.strip().replace(",", ".")) == Decimal(text)
    except InvalidOperation:
        return cell.strip().upper() == text.upper()


def number_in(cell: str) -> Decimal | None:
    """The finite number in a cell; None if there is none."""
    try:
        found = Decimal(cell.strip().replace(",", "."))
    except InvalidOperation:
        return None
    return found if found.is_finite() else None


def _fill_row(target: Target, row: int, standing: Standing, filled: _Filled) -> None:
    old = target.sheet.value(row, target.column)
    score = final_score(standing)
    text = written(score)
    if standing.state == "excused" and target.excused:
        text = target.excused
    refusal = target.refusal(row, score) if score is not None else ""
    if not text or refusal:
        reason = refusal or why_blank(standing).reason
        stays = f"; the sheet keeps {one_line(old)!r}" if old.strip() else ""
        filled.blank.append(Mention(standing.student, reason + stays))
        return
    filled.done.append(standing.student)
    if not same_score(old, text):  # an equal score keeps its spelling in a downloaded sheet
        filled.changes[row, target.column] = text
    if score is not None:
        more = target.more(row, standing).items()
        filled.changes |= {(row, column): value for column, value in more}


def _strangers(target: Target, used: set[int]) -> tuple[str, ...]:
    others = [row + 1 for row in target.rows if row not in used]
    if not others:
        return ()
    shown = ", ".join(map(str, others[:20])) + (" ..." if len(others) > 20 else "")
    return (
        f"{target.sheet.name}: rows without a student from the results are left unchanged "
        f"({len(others)} in total): {shown}.",
    )
