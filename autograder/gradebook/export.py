"""A class's grades as gradebook.csv, for spreadsheets and learning platforms.

A pure function of the grades, without times, so that an interrupted and resumed run gives the same
bytes as an uninterrupted one.

Covered: text that a spreadsheet would run as a formula is prefixed with an apostrophe, also after
a semicolon, which is the separator in some locales; control characters, line breaks and odd file
names are escaped. Not covered: programs that run a cell's text in spite of the apostrophe.
"""

from __future__ import annotations

import csv
import heapq
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from autograder.gradebook.grade import ExerciseGrade, Grade, as_points
from autograder.gradebook.late import duration
from autograder.gradebook.rounding import written, written_points
from autograder.gradebook.standing import Standing
from autograder.gradebook.visible import one_line

_FORMULA = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
_SPACE = ("\t", "\r", "\n")
Count = Callable[[str, Grade | None], Standing]
_SPLIT = re.compile(rf"(;[\s\"]*)(?=[{''.join(map(re.escape, _FORMULA))}])")


def gradebook_rows(
    grades: Iterable[Grade],
    exercises: Sequence[str],
    count: Count | None = None,
    listed: Iterable[str] = (),
) -> Iterator[bytes]:
    """The rows of gradebook.csv as bytes: the header, then one for each of ``grades`` and for each
    student in ``listed`` who has no grade. Student, file, status, score, max_score, then the score
    of each exercise, then a note; UTF-8, commas, a newline after each row. A score that does not
    exist is an empty cell, never 0.

    Both are sorted by student; ``exercises`` are all their exercises, in order of first appearance.
    ``count`` gives a student's standing, including decisions; without it the automatic points are
    written, and nobody without a grade.
    """
    yield _row(["student", "file", "status", "score", "max_score", *exercises, "note"])
    for student, grade in _everybody(grades, listed if count is not None else ()):
        standing = count(student, grade) if count is not None else None
        score, whole, note, scores = _counted(grade, standing)
        yield _row(
            [
                cell_text(student),
                cell_text(grade.submission.file) if grade is not None else "",
                grade.status if grade is not None else "absent",
                score,
                whole,
                *(scores.get(id_, "") for id_ in exercises),
                cell_text(note),
            ]
        )


def _everybody(
    grades: Iterable[Grade], listed: Iterable[str]
) -> Iterator[tuple[str, Grade | None]]:
    """All students in order, each once, with the grade if there is one."""
    with_grade = ((grade.student, 0, grade) for grade in grades)
    without = ((student, 1, None) for student in listed)
    before: str | None = None
    for student, _, grade in heapq.merge(with_grade, without, key=lambda one: one[:2]):
        if grade is not None or student != before:
            yield student, grade
        before = student


def _counted(
    grade: Grade | None, standing: Standing | None
) -> tuple[str, str, str, Mapping[str, str]]:
    """Score, maximum, note, and the score of each exercise."""
    if standing is None:
        assert grade is not None, "nobody else is listed without standings"
        own = {e.id: _number(None if by_hand(e) else e.score) for e in grade.exercises}
        return _number(grade.score), _number(grade.max_score), grade.reason, own
    said = [standing.note] if standing.note else []
    if standing.late_s:
        taken = f", {written_points(standing.penalty)} deducted" if standing.penalty else ""
        said.append(f"late by {duration(standing.late_s)}{taken}")
    if standing.state == "excused":
        said.append("excused")
    if standing.manual_open:
        so_far = f"{written(standing.so_far)} so far, " if standing.so_far is not None else ""
        said.append(f"{so_far}{written_points(standing.manual_open)} pending manual grading")
    own = {e.id: written(e.score) for e in standing.exercises}
    return written(standing.score), written(standing.max_score), "; ".join(said), own


def by_hand(exercise: ExerciseGrade) -> bool:
    """Whether this exercise is graded only by hand, so it has no automatic score."""
    return exercise.max_score == 0 and exercise.manual_max > 0


def cell_text(text: str) -> str:
    """Text for a cell: on one line, without hidden characters, never a formula."""
    plain = _SPLIT.sub(r"\1'", one_line(text))
    risky = text.startswith(_SPACE) or plain.lstrip(' "').startswith(_FORMULA)
    return f"'{plain}" if risky else plain


def _row(cells: Sequence[str]) -> bytes:
    line = io.StringIO(newline="")
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode("utf-8")


def _number(amount: int | None) -> str:
    return "" if amount is None else str(as_points(amount))
