"""Scores in the columns of `nbgrader export`, quoted according to RFC 4180.

nbgrader gives 0 for a missing submission; here a missing score is blank. The student's id is
unchanged; names and addresses get the formula guard.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import DECIMALS, rounded, written
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    final_score,
    in_order,
)
from autograder.interop.exports.sheets import new_sheet

HEADER = tuple(
    """
    assignment duedate timestamp student_id last_name first_name email raw_score
    late_submission_penalty score max_score
    """.split()
)


def nbgrader(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """One row per student, whatever the state; UTF-8, commas.

    ``raw_score`` is the score before the late penalty. Times are UTC.
    """
    ordered = in_order(standings)
    rows: list[tuple[str, ...]] = [HEADER]
    for standing in ordered:
        person = roster.person(standing.student)
        named = person.last_name or person.first_name
        last, first = (person.last_name, person.first_name) if named else (person.full_name, "")
        rows.append(
            (
                standing.assignment,
                _time(options.due),
                _time(standing.submitted_at),
                standing.student,
                cell_text(last),
                cell_text(first),
                cell_text(person.email),
                *_scores(standing),
                written(standing.max_score),
            )
        )
    return Exported(new_sheet(rows), all_with_score(ordered), all_without_score(ordered))


def _scores(standing: Standing) -> tuple[str, str, str]:
    """Raw score, penalty, score: the first is the sum of the others, even when rounded."""
    score = final_score(standing)
    if score is None:
        return ("", "", "")
    unit = 10 ** (3 - DECIMALS)
    raw = (rounded(score) + rounded(standing.penalty)) * unit
    return (written(raw), written(standing.penalty), written(score))


def _time(when: datetime | None) -> str:
    if when is None:
        return ""
    return str(when.astimezone(UTC).replace(tzinfo=None) if when.tzinfo else when)
