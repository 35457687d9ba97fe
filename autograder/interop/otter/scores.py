"""Scores in the columns of `otter grade`'s final_grades.csv, with student ids in the file column.

Otter leaves out questions that are not in every submission; here each has its column, and a
missing score is blank. The status is free text and gets the formula guard.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.gradebook.export import cell_text
from autograder.gradebook.people import Roster
from autograder.gradebook.rounding import ratio, written
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import (
    WHY,
    Exported,
    Options,
    all_with_score,
    all_without_score,
    differing_maxima,
    final_score,
    highest,
    in_order,
)
from autograder.interop.exports.sheets import new_sheet

POSSIBLE = "points-per-question"
COMPLETED = "Completed"
TOTALS = ("total_points_earned", "percent_correct", "grading_status")


def otter(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The row of possible points, then one row per student; UTF-8, commas.

    ``percent_correct`` is a ratio, 1 for all points, with at most four decimals.
    """
    ordered = in_order(standings)
    possible = {e.id: e.max_score for s in reversed(ordered) for e in s.exercises}
    questions = sorted(possible)
    rows = [
        ["file", *map(_title, questions), *TOTALS],
        [
            POSSIBLE,
            *(written(possible[question]) for question in questions),
            written(highest(ordered)),
            "1",
            "--",
        ],
    ]
    for standing in ordered:
        earned = {e.id: e.score for e in standing.exercises}
        score = final_score(standing)
        status = COMPLETED if score is not None else WHY.get(standing.state, "no score")
        rows.append(
            [
                standing.student,
                *(written(earned.get(question)) for question in questions),
                written(score),
                ratio(score, standing.max_score),
                cell_text(status),
            ]
        )
    return Exported(
        new_sheet(rows),
        all_with_score(ordered),
        all_without_score(ordered),
        notes=differing_maxima(ordered),
    )


def _title(question: str) -> str:
    """The column of an exercise, distinct from the sheet's own columns."""
    return f"{question} (exercise)" if question in ("file", *TOTALS) else question
