"""Standings, decisions and changes for a terminal, as rich renderables. Nothing is printed here."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Protocol

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.assignment.course import CourseSpec
from autograder.gradebook.course import CourseTotal
from autograder.gradebook.decisions import Decision, in_words
from autograder.gradebook.export import cell_text
from autograder.gradebook.grade import automatic_in_words
from autograder.gradebook.late import duration
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.rounding import written, written_points
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.gradebook.store import PastGrade
from autograder.gradebook.visible import one_line

_STATES = {
    "open": "yellow",
    "absent": "dim",
    "excused": "dim",
    "rejected": "red",
    "ungraded": "bold red",
}


class MarkedAnswer(Protocol):
    """An answer that is graded by hand."""

    @property
    def student(self) -> str: ...
    @property
    def exercise(self) -> str: ...
    @property
    def task(self) -> str: ...
    @property
    def points(self) -> int | None: ...
    @property
    def comment(self) -> str: ...
    @property
    def hidden(self) -> str: ...


class AnswerChange(Protocol):
    """What a filled-in sheet changes about it."""

    @property
    def before(self) -> MarkedAnswer: ...
    @property
    def points(self) -> int | None: ...
    @property
    def comment(self) -> str: ...


def standings_table(standings: Sequence[Standing], roster: Roster = NO_ROSTER) -> RenderableType:
    """One row per student, with names if the roster has some, and a line that counts them."""
    people = {person.id: person.full_name for person in roster}
    named = ["name"] if any(people.values()) else []
    table = _table("student", *named, "score", "state", "late", "penalty", "note")
    for standing in standings:
        table.add_row(
            Text(one_line(standing.student)),
            *(Text(one_line(people.get(standing.student, ""))) for _ in named),
            score_text(standing),
            Text(_state(standing), style=_STATES.get(standing.state, "")),
            duration(standing.late_s),
            written(standing.penalty) if standing.penalty else "",
            Text(one_line(standing.note)),
        )
    states = [standing.state for standing in standings]
    count = ", ".join(f"{states.count(s)} {s}" for s in dict.fromkeys(states))
    return Group(table, Text(f"{len(standings)} students: {count}" if standings else "no students"))


def student_standing(one: Standing) -> RenderableType:
    """How one student's score is computed."""
    table = _table("exercise", "points", "of", "")
    for exercise in one.exercises:
        table.add_row(
            exercise.id,
            written(exercise.score) or _unscored(exercise),
            written(exercise.max_score),
            ", ".join(_beside(exercise)),
        )
    said = [
        f"late by {duration(one.late_s)}" if one.late_s else "",
        f"late penalty -{written(one.penalty)}" if one.penalty else "",
        f"extra points {written(one.extra)}" if one.extra else "",
        f"{written_points(one.manual_open)} pending manual grading" if one.manual_open else "",
        one.note,
        *(f"comment: {text}" for text in one.comments),
    ]
    head = Text.assemble((one_line(one.student), "bold"), "  ", score_text(one), "  ", _state(one))
    return Group(head, table, *(Text(one_line(line)) for line in said if line))


def _beside(exercise: ExerciseStanding) -> Iterator[str]:
    if exercise.stretch:
        yield "bonus"
    if exercise.overridden:
        yield "set by hand"


def _unscored(exercise: ExerciseStanding) -> str:
    return "open" if exercise.waiting else "–" if exercise.status else ""


def changes_table(found: Iterable[AnswerChange]) -> RenderableType:
    """What would change, before it does."""
    table = _table("student", "answer", "points", "comment", "note")
    for change in found:
        row = change.before
        points = written(row.points, decimals=3) or "none"
        if change.points != row.points:
            points = f"{points} -> {written(change.points, decimals=3)}"
        comment = change.comment if change.comment != row.comment else ""
        table.add_row(
            Text(one_line(row.student)),
            f"{row.exercise}/{row.task}",
            points,
            Text(one_line(comment)),
            Text(one_line(row.hidden), style="yellow"),
        )
    return table


def log_table(
    past: Sequence[PastGrade], decisions: Sequence[Decision], *, held: Collection[int]
) -> RenderableType:
    """Grades and decisions in chronological order; those no longer in force are dimmed."""
    table = _table("when (UTC)", "no.", "who", "what", "why")
    rows: list[tuple[str, tuple[str, str, str, str], str]] = [
        (
            f"{one.run.started_at:%Y-%m-%d %H:%M:%S}",
            ("", "autograder", automatic_in_words(one.grade), one.run.command),
            "",
        )
        for one in past
    ]
    for decision in decisions:
        style = "" if decision.id in held or decision.kind == "undo" else "dim"
        cells = (
            str(decision.id),
            decision.who,
            f"{decision.student}: {in_words(decision)}",
            decision.why,
        )
        rows.append((f"{decision.at:%Y-%m-%d %H:%M:%S}", cells, style))
    for when, cells, style in sorted(rows, key=lambda row: row[0]):
        table.add_row(when, *(Text(one_line(cell), style=style) for cell in cells))
    return table if rows else Text("No decisions yet.")


def course_table(course: CourseSpec, totals: Sequence[CourseTotal]) -> RenderableType:
    """Every student's points in each assignment and total in percent; dropped assignments are in
    brackets."""
    table = _table("student", *(one.id for one in course.assignment), "total %", "open")
    for total in totals:
        points = []
        for counted, standing in zip(course.assignment, total.standings, strict=True):
            text = _points_of(standing)
            points.append(f"({text})" if counted.id in total.dropped else text)
        table.add_row(
            Text(one_line(total.student)), *points, _percent(total.total), ", ".join(total.open)
        )
    return table


def course_csv(course: CourseSpec, totals: Sequence[CourseTotal]) -> bytes:
    """Course totals as CSV (UTF-8): points, the total in percent, dropped and open assignments."""
    page = io.StringIO(newline="")
    writer = csv.writer(page, lineterminator="\n")
    ids = [one.id for one in course.assignment]
    writer.writerow(["student", *ids, "total_percent", "dropped", "open"])
    for total in totals:
        points = [_points_of(standing) for standing in total.standings]
        writer.writerow(
            [
                cell_text(total.student),
                *points,
                _percent(total.total),
                " ".join(total.dropped),
                " ".join(total.open),
            ]
        )
    return page.getvalue().encode()


def _points_of(standing: Standing | None) -> str:
    if standing is None:
        return "absent"
    return written(standing.score) if standing.score is not None else standing.state


def _percent(total: int | None) -> str:
    return "" if total is None else written(total * 10)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
    for column in columns:
        right = column in ("score", "points", "of", "penalty", "no.")
        table.add_column(column, justify="right" if right else "left", overflow="fold")
    return table


def score_text(one: Standing) -> Text:
    """The score and its maximum; the points so far, with a plus, while manual grading is open."""
    if one.score is not None:
        return Text(f"{written(one.score)} of {written(one.max_score)}")
    so_far = f"{written(one.so_far)}+" if one.state == "open" else "–"
    return Text(f"{so_far} of {written(one.max_score)}")


def _state(one: Standing) -> str:
    return f"{one.state}, overridden" if one.overridden else one.state
