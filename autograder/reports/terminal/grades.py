"""Grades for a terminal, as rich renderables. Nothing is printed here.

Covered: control characters in names and messages are written out, and no text is read as
rich's markup. Below 80 columns a class table keeps what fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade, as_points
from autograder.gradebook.mistake_counts import MistakeCount
from autograder.gradebook.overview import Overview, overview
from autograder.gradebook.standing import ExerciseStanding, Standing
from autograder.gradebook.visible import one_line, visible
from autograder.judging.checks.explain import sentence
from autograder.judging.verdict import Cause, Status
from autograder.reports.feedback.standing_panel import more_points, overridden_words
from autograder.reports.feedback.words import (
    AT_FAULT,
    amount,
    student_words,
    tone,
    where_class_tried,
    where_tried,
)
from autograder.reports.terminal.standings import score_text

NARROW = 80
MISTAKES_SHOWN = 20
_COLOURS = {"good": "green", "part": "yellow", "bad": "red", "calm": "dim"}
_MARKS = {"good": "✓", "part": "◐", "bad": "✗", "calm": "–"}
_STATUS = {"graded": "", "rejected": "red", "ungraded": "bold red"}


class ClassTable:
    """A class's grades, sorted by student, then the mistakes that were made and on which devices
    checks were tried; the columns depend on the width of the terminal. For a large class,
    a summary and the students to look at first."""

    def __init__(self, overview: Overview) -> None:
        self._overview = overview

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self._overview.is_whole:
            yield self._table(wide=options.max_width >= NARROW)
        else:
            yield from _in_short(self._overview)
            yield Text()
            yield self._table(wide=options.max_width >= NARROW)
        made = self._overview.summary.made()
        if made:
            yield Text()
            yield _mistakes(made[:MISTAKES_SHOWN])
        tried = where_class_tried(self._overview.summary.tried())
        if tried:
            yield Text()
            yield Text(tried, style="dim")

    def _table(self, *, wide: bool) -> Table:
        table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
        table.add_column("student", overflow="fold", min_width=10)
        table.add_column("score", justify="right", no_wrap=True)
        if wide:
            table.add_column("exercises", no_wrap=True, overflow="ellipsis")
        table.add_column("status", no_wrap=not wide, overflow="fold")
        for grade in self._overview.shown:
            marks = [_marks(grade.exercises)] if wide else []
            standing = self._overview.standings.get(grade.student)
            table.add_row(
                Text(one_line(grade.student)),
                _score(grade, standing),
                *marks,
                _status(grade, standing, wide=wide),
            )
        return table


def _mistakes(made: Sequence[MistakeCount]) -> Table:
    """Students in brackets may have made this mistake or another one that looks the same."""
    table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
    table.add_column("students", justify="right", no_wrap=True)
    table.add_column("mistake", overflow="fold")
    table.add_column("name", overflow="fold")
    for one in made:
        count = f"{one.students} (+{one.perhaps})" if one.perhaps else str(one.students)
        title = Text(one_line(one.title))
        name = Text(one_line(one.name) if one.name != one.title else "", style="dim")
        table.add_row(count, Text.assemble((one_line(one.exercise), "dim"), "  ", title), name)
    return table


def class_table(grades: Iterable[Grade], standings: Iterable[Standing] = ()) -> RenderableType:
    """All grades, one line each: student, score, a mark per exercise, and what went wrong; a large
    class is summarized. Scores are taken from ``standings`` for students who have one."""
    found = overview(sorted(grades, key=lambda grade: grade.student))
    return ClassTable(
        replace(found, standings={standing.student: standing for standing in standings})
    )


def _in_short(found: Overview) -> Iterator[Text]:
    """The summary of a class that is too large to show everyone."""
    status = found.summary.status
    counts = [f"{status[word]:,} {word}" for word in ("graded", "rejected", "ungraded")]
    yield Text(f"{found.summary.students:,} students: {', '.join(counts)}.")
    spread = found.summary.spread()
    if spread["mean"] is not None:
        said = ", ".join(f"{word} {value:g}" for word, value in spread.items() if value is not None)
        yield Text(f"Automatic points: {said}.")
    yield Text(
        f"The {len(found.shown)} to look at first: ungraded, then rejected, then the lowest "
        "scores. All students are in gradebook.csv."
    )


def student_view(grade: Grade, standing: Standing | None = None) -> RenderableType:
    """One grade in full, including hidden checks, for instructors. ``standing`` is the current
    result, including manual grades and other decisions."""
    parts: list[RenderableType] = [_heading(grade, standing)]
    if grade.reason and standing is None:  # else it is in the standing's note
        parts.append(Text(one_line(grade.reason), style=_STATUS[grade.status]))
    parts += [Text(f"note: {one_line(repair)}", style="dim") for repair in grade.submission.repairs]
    counted = {one.id: one for one in standing.exercises} if standing is not None else {}
    parts += [_exercise(exercise, counted.get(exercise.id)) for exercise in grade.exercises]
    return Group(*parts)


def _heading(grade: Grade, standing: Standing | None) -> RenderableType:
    lines = [Text(one_line(grade.student), style="bold")]
    lines.append(Text.assemble(grade.status, ", ", _score(grade, standing), " points"))
    if grade.bonus_max and grade.bonus is not None:
        of_checks = ", in the score" if standing is None else " from checks"
        lines.append(Text(f"{amount(grade.bonus, grade.bonus_max)} bonus points{of_checks}"))
    if waiting := grade.manual_max if standing is None else standing.manual_open:
        lines.append(Text(f"up to {more_points(waiting)} pending manual grading"))
    if standing is not None:
        given = "" if grade.score is None else f"; {as_points(grade.score)} from checks"
        by_hand = f", {as_points(standing.manual)} by hand" if standing.manual else ""
        lines.append(Text(f"{standing.state}{given}{by_hand}"))
        lines += [Text(one_line(said)) for said in overridden_words(standing)]
        if standing.note:
            lines.append(Text(one_line(standing.note), style=_STATUS[grade.status]))
    lines.append(Text(one_line(grade.submission.file), style="dim"))
    lines.append(Text(f"isolation: {grade.isolation.level}", style="dim"))
    return Panel(
        Group(*lines), title=Text(one_line(grade.assignment)), title_align="left", expand=False
    )


def _exercise(exercise: ExerciseGrade, counted: ExerciseStanding | None) -> RenderableType:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True, width=1)
    table.add_column(no_wrap=True, justify="right", min_width=10)
    table.add_column(overflow="fold")
    look = tone(exercise.status, exercise.score)
    words = student_words(
        exercise.status,
        exercise.score,
        left_out=exercise.left_out,
        predicted=exercise.predicted,
    )
    worth = _worth(exercise)
    if counted is not None and counted.overridden:
        words = f"{words}; {worth} from checks, set by hand"
        worth = amount(counted.score, counted.max_score)
    table.add_row(
        Text(_MARKS[look], style=_COLOURS[look]),
        Text(worth, style="bold"),
        Text.assemble((exercise.id, "bold"), f"  {words}", style=_COLOURS[look]),
    )
    if exercise.repair is not None:
        repair = exercise.repair
        table.add_row("", "", Text(f"  One edit away from a right answer, in {repair.place}"))
        lines = [f"- {line}" for line in repair.before.splitlines()]
        lines += [f"+ {line}" for line in repair.after.splitlines()]
        for line in lines:
            table.add_row("", "", _indented(visible(line), columns=4))
    for check in exercise.checks:
        look = tone(check.status, check.score)
        kept = "" if check.public else " (hidden)"
        table.add_row(
            Text(""),
            Text(amount(check.score, check.max_score)),
            Text.assemble(
                (f"{_MARKS[look]} {check.status.value}", _COLOURS[look]), f"  {check.id}{kept}"
            ),
        )
        if check.status in AT_FAULT or check.status is Status.UNGRADED:
            for text in _reasons(check):
                line = visible(" ".join(text.splitlines()))  # spaces matter where it quotes texts
                table.add_row("", "", _indented(line, "dim"))
            for text in check.smallest.lines if check.smallest else ():
                table.add_row("", "", _indented(visible(text), columns=4))
        if check.devices:
            table.add_row("", "", _indented(where_tried(check.devices), "dim"))
        for way in check.blame:
            mark, colour = ("✓", "green") if way.right else ("✗", "red")
            table.add_row("", "", Text.assemble("  ", (mark, colour), (f" {way.way}", "dim")))
    return table


def _indented(text: str, style: str = "", columns: int = 2) -> Padding:
    """Text whose every line is indented, also where it is wrapped."""
    return Padding(Text(text, style=style), (0, 0, 0, columns))


def _worth(exercise: ExerciseGrade) -> str:
    if exercise.max_score or not exercise.manual_max:
        return amount(exercise.score, exercise.max_score)
    return f"by hand {as_points(exercise.manual_max)}"


def _reasons(check: CheckGrade) -> list[str]:
    """What is known about a check that did not pass: its message, else its differences."""
    said = [check.message] if check.message else [sentence(m) for m in check.mismatches]
    return [*said, *([check.diagnosis] if check.diagnosis else []), *_cause(check.cause)]


def _cause(cause: Cause | None) -> list[str]:
    """The names of the known mistakes, for the instructor."""
    if cause is None:
        return []
    if cause.sure == "nothing":
        return [] if cause.property else ["Matches no known mistake."]
    if cause.mutant:
        return []  # its words for the student say it all
    names = ", ".join(f"{mistake.name} ({mistake.title})" for mistake in cause.mistakes)
    parts = [part for part in (names, cause.transform) if part]
    return [f"{'Possibly' if cause.sure == 'ambiguous' else 'Known mistake'}: {'; '.join(parts)}"]


def _score(grade: Grade, standing: Standing | None) -> Text:
    return Text(amount(grade.score, grade.max_score)) if standing is None else score_text(standing)


def _status(grade: Grade, standing: Standing | None, *, wide: bool) -> Text:
    by_hand = ", overridden" if standing is not None and any(overridden_words(standing)) else ""
    note = f": {one_line(grade.reason)}" if wide and grade.reason else ""
    return Text(f"{grade.status}{by_hand}{note}", style=_STATUS[grade.status])


def _marks(exercises: Sequence[ExerciseGrade]) -> Text:
    """One mark per exercise, in the assignment's order."""
    looks = [tone(exercise.status, exercise.score) for exercise in exercises]
    return Text.assemble(*((_MARKS[look], _COLOURS[look]) for look in looks))
