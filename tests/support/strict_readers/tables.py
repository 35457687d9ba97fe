"""The CSV files of nbgrader and otter, sections 3.6 and 2.9 of the format page."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from tests.support.strict_readers.text import Rejected, number, once, rows

NBGRADER = (
    "assignment duedate timestamp student_id last_name first_name email raw_score "
    "late_submission_penalty score max_score".split()
)
OTTER_END = ["total_points_earned", "percent_correct", "grading_status"]


def nbgrader(data: bytes) -> Mapping[str, Decimal | None]:
    """Student to score; None for a blank."""
    table = rows(data)
    if table[0] != NBGRADER:
        raise Rejected(f"{table[0]!r}: not the columns of nbgrader")
    once([row[3] for row in table[1:]])
    scores: dict[str, Decimal | None] = {}
    for row in table[1:]:
        raw, penalty, score = row[7:10]
        if score:
            if number(score) != max(Decimal(0), number(raw) - number(penalty)):
                raise Rejected(f"{score} is not {raw} less {penalty}")
        elif raw or penalty:
            raise Rejected("a raw score without a score")
        number(row[10])
        scores[row[3]] = number(score) if score else None
    return scores


def otter(data: bytes) -> tuple[Mapping[str, Decimal | None], Mapping[str, Mapping[str, str]]]:
    """File to total, and file to the points of each question."""
    table = rows(data)
    header = table[0]
    if header[0] != "file" or header[-3:] != OTTER_END or header[1:-3] != sorted(header[1:-3]):
        raise Rejected(f"{header!r}: not the columns of otter")
    first = table[1] if len(table) > 1 else []
    if first[:1] != ["points-per-question"] or first[-2:] != ["1", "--"]:
        raise Rejected("the first row is not points-per-question")
    possible = number(first[-3])
    files = [row[0] for row in table[2:]]
    once(files)
    if files != sorted(files):
        raise Rejected("not sorted by file")
    totals: dict[str, Decimal | None] = {}
    for row in table[2:]:
        for cell in row[1:-3]:
            if cell:
                number(cell)
        totals[row[0]] = _total(row, possible)
    questions = {row[0]: dict(zip(header[1:-3], row[1:-3], strict=True)) for row in table[2:]}
    return totals, questions


def _total(row: list[str], possible: Decimal) -> Decimal | None:
    total, percent, status = row[-3:]
    if bool(total) != (status == "Completed") or bool(total) != bool(percent):
        raise Rejected(f"{row!r}: completed and without a total, or the other way round")
    if not total:
        return None
    ratio = number(percent, decimals=4)
    near = (number(total) / possible).quantize(Decimal("0.0001"), ROUND_HALF_UP)
    if abs(ratio - near) > Decimal("0.001"):
        raise Rejected(f"{percent} is not {total} of {possible}")
    return number(total)
