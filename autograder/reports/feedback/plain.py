"""What a student sees while working, as plain text for terminals and files.

Covered: control characters are written out, long lines are wrapped. Nothing is printed here.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from autograder.gradebook.visible import one_line, visible
from autograder.judging.verdict import TablePicture
from autograder.reports.feedback.checked import Checked, said_of, standing
from autograder.reports.feedback.feedback import PublicCheck
from autograder.reports.feedback.side_by_side import tables_text
from autograder.reports.feedback.words import amount, student_words, tone

WIDTH = 88
BAR = 40  # characters
MARKS = {"good": "✓", "part": "◐", "bad": "✗", "calm": "–"}
LATER = "After you submit"


def checked_text(checked: Checked) -> str:
    """One exercise with its checks."""
    return "\n".join(_lines(checked))


def table_text(exercises: Sequence[Checked]) -> str:
    """One line for each exercise: mark, title, result, points of its public checks."""
    titles = [one_line(exercise.title)[:48] for exercise in exercises]
    wide = max(map(len, titles), default=0)
    lines = []
    for one, title in zip(exercises, titles, strict=True):
        mark = MARKS[tone(one.status, one.score)]
        points = amount(one.score, one.max_score) if one.max_score else ""
        lines.append(f"{mark} {title:<{wide}}  {result_of(one):<18} {points}".rstrip())
    return "\n".join([*lines, "", *said_of(standing(tuple(exercises)))])


def progress_text(exercises: Sequence[Checked]) -> str:
    """A bar of points, and the same in words."""
    found = standing(tuple(exercises))
    parts = ((found.earned, "█"), (found.missing, "░"), (found.hidden + found.by_hand, "·"))
    total = max(found.total, 1)
    bar, done = "", 0
    for points, sign in parts:
        done += points
        bar += sign * (round(BAR * done / total) - len(bar))
    return "\n".join([f"[{bar}]", *said_of(found)])


def told_text(title: str, sentences: Sequence[str]) -> str:
    """A few sentences under a title."""
    lines = (line for sentence in sentences for line in _wrapped(sentence, "  "))
    return "\n".join([one_line(title), *lines])


def result_of(checked: Checked) -> str:
    """The result of the public checks in words."""
    if checked.feedback is None:
        return LATER
    predicted = checked.feedback.predicted
    return student_words(checked.status, checked.score, predicted=predicted)


def _lines(checked: Checked) -> Iterator[str]:
    points = ""
    if checked.max_score:
        points = f", public checks {amount(checked.score, checked.max_score)} points"
    mark = MARKS[tone(checked.status, checked.score)]
    yield f"{mark} {one_line(checked.title)}: {result_of(checked)}{points}"
    for text in checked.feedback.told if checked.feedback is not None else ():
        yield from _wrapped(text, "  ", "      ")
    for check in checked.feedback.public if checked.feedback is not None else ():
        yield from _check(check)
    for sentence in (*checked.notes, *checked.left):
        yield from _wrapped(sentence, "  ")


def _check(check: PublicCheck) -> Iterator[str]:
    mark = MARKS[tone(check.status, check.score)]
    result = student_words(check.status, check.score, predicted=check.predicted)
    points = f" ({amount(check.score, check.max_score)})" if check.max_score else ""
    first = f"{one_line(check.title)}{points}: {result}"
    yield from _wrapped(first, f"  {mark} ", "    ")
    said = [check.message, *check.differences, check.devices]
    if check.hint:
        said.append(f"Hint: {check.hint}")
    for text in filter(None, said):
        yield from _wrapped(text, "      ")
    if isinstance(check.picture, TablePicture):
        yield from (f"      {line}".rstrip() for line in tables_text(check.picture, WIDTH - 6))


def _wrapped(text: str, first: str, rest: str = "") -> Iterator[str]:
    form = textwrap.TextWrapper(
        WIDTH, initial_indent=first, subsequent_indent=rest or first, break_on_hyphens=False
    )
    for line in visible(text).split("\n"):
        yield from form.wrap(line) or [""]
