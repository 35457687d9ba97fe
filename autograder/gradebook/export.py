"""A class's grades as gradebook.csv, for spreadsheets and learning platforms.

A pure function of the grades that tells no times, so that a run that was broken off and
taken up again gives the same bytes as one that was not.

Covered: text that a spreadsheet would run as a formula gets an apostrophe in front, also
after a semicolon, at which some countries' spreadsheets split; control characters, line breaks
and odd file names are written out.
Not covered: programs that run a cell's text in spite of the apostrophe.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence

from autograder.gradebook.grade import ExerciseGrade, Grade, as_points, exercise_ids
from autograder.gradebook.visible import one_line

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_SPACE = ("\t", "\r", "\n")
_SPLIT = re.compile(rf"(;[\s\"]*)(?=[{''.join(map(re.escape, _FORMULA))}])")


def gradebook_csv(grades: Iterable[Grade]) -> bytes:
    """One row per student, sorted: student, file, status, score, max_score, then the
    score of each exercise, then a note. UTF-8, commas, a newline after each row.

    A score that does not exist is an empty cell, never 0.
    """
    ordered = sorted(grades, key=lambda grade: grade.student)
    return b"".join(gradebook_rows(ordered, exercise_ids(ordered)))


def gradebook_rows(grades: Iterable[Grade], exercises: Sequence[str]) -> Iterator[bytes]:
    """The same row by row: the head, then each of ``grades``, which are sorted by student;
    ``exercises`` are all their exercises, in the order in which they first appear."""
    yield _row(["student", "file", "status", "score", "max_score", *exercises, "note"])
    for grade in grades:
        scores = {e.id: None if by_hand(e) else e.score for e in grade.exercises}
        yield _row(
            [
                cell_text(grade.student),
                cell_text(grade.submission.file),
                grade.status,
                _number(grade.score),
                _number(grade.max_score),
                *(_number(scores.get(id_)) for id_ in exercises),
                cell_text(grade.reason),
            ]
        )


def by_hand(exercise: ExerciseGrade) -> bool:
    """Whether only a person gives points for this exercise: there is no score as yet."""
    return exercise.max_score == 0 and exercise.manual_max > 0


def cell_text(text: str) -> str:
    """Text for a cell: on one line, nothing hidden, and never taken for a formula."""
    plain = _SPLIT.sub(r"\1'", one_line(text))
    risky = text.startswith(_SPACE) or plain.lstrip(' "').startswith(_FORMULA)
    return f"'{plain}" if risky else plain


def _row(cells: Sequence[str]) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode("utf-8")


def _number(amount: int | None) -> str:
    return "" if amount is None else str(as_points(amount))
