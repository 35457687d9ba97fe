"""Standings, and graders' decisions: overrides, points, extensions, comments."""

from __future__ import annotations

import getpass
import json
import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.course import load_course
from autograder.assignment.late import time_zone
from autograder.classroom.gradebook_of_class import ClassGradebook, open_book, write_gradebook
from autograder.classroom.written_answers import written_answers
from autograder.commands.console import (
    JsonFlag,
    ResultsArg,
    UrlOption,
    confirmed,
    contents,
    err,
    out,
    say,
)
from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.gradebook.course import course_totals
from autograder.gradebook.decisions import Decision, in_force, new_ones
from autograder.interop.downloads.roster import read_roster
from autograder.interop.exports.plain_json import plain_json
from autograder.interop.marksheet.answers import comments_before, decisions_of, mark_rows
from autograder.interop.marksheet.filled import changes
from autograder.interop.marksheet.model import AnswerRow
from autograder.interop.marksheet.sheet import Marksheet, marksheet_csv, marksheet_xlsx
from autograder.interop.score_formats import NO_OPTIONS
from autograder.reports.feedback.words import plural
from autograder.reports.terminal.standings import (
    changes_table,
    course_csv,
    course_table,
    log_table,
    standings_table,
    student_standing,
)

WHO = "AUTOGRADER_WHO"

app = typer.Typer(no_args_is_help=True, help=__doc__)

Student = Annotated[str, typer.Argument(help="The student's id.")]
Why = Annotated[str, typer.Option("--why", help="The reason, for the log.")]
Who = Annotated[
    str, typer.Option("--who", envvar=WHO, help="Who decides; default: your login name.")
]
ExerciseOption = Annotated[str, typer.Option("--exercise", help="For this exercise only.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask.")]


@app.command()
def show(
    folder: ResultsArg,
    student: Annotated[str, typer.Argument(help="Show only this student.")] = "",
    url: UrlOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show standings: points, lateness, and what is still open."""
    with open_book(folder, url) as book:
        found = book.standings()
        if student:
            student = book.student(student)
            found = tuple(one for one in found if one.student == student)
        if as_json:
            out.out(plain_json(found, book.roster(), NO_OPTIONS).data.decode(), end="")
        elif student:
            out.print(student_standing(found[0]))
        else:
            out.print(standings_table(found))


@app.command()
def override(
    folder: ResultsArg,
    student: Student,
    score: Annotated[str, typer.Argument(help="The new score, in points.")],
    why: Why,
    exercise: ExerciseOption = "",
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Replace a computed score."""
    with open_book(folder, url) as book:
        _known_exercise(book, exercise)
        made = Decision(
            book.assignment.id,
            book.student(student),
            "override",
            _who(who),
            why,
            _now(),
            exercise=exercise,
            amount=_points(score, least=0),
        )
        _record(book, [made])


@app.command()
def points(
    folder: ResultsArg,
    student: Student,
    task: Annotated[str, typer.Argument(help="The written answer, as EXERCISE/CHECK.")],
    given: Annotated[str, typer.Argument(metavar="POINTS", help="Points according to the rubric.")],
    why: Annotated[str, typer.Option("--why", help="The reason, for the log.")] = "",
    comment: Annotated[str, typer.Option("--comment", help="A comment for the student.")] = "",
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Give points for a written answer."""
    with open_book(folder, url) as book:
        student = book.student(student)
        decisions = book.store.decisions(book.assignment.id)
        rows = mark_rows(book.assignment, book.grades(), decisions, book.roster())
        row = next((r for r in rows if r.key == (student, *task.partition("/")[::2])), None)
        if row is None:
            waiting = ", ".join(f"{r.exercise}/{r.task}" for r in rows if r.student == student)
            raise UsageError(
                f"{student} has no written answer {task!r}; available: {waiting or 'none'}"
            )
        amount = _points(given, least=0, most=row.max_points)
        made = Decision(
            book.assignment.id,
            student,
            "points",
            _who(who),
            why,
            _now(),
            exercise=row.exercise,
            task=row.task,
            amount=amount,
        )
        said = Decision(
            book.assignment.id,
            student,
            "comment",
            _who(who),
            why,
            _now(),
            exercise=row.exercise,
            task=row.task,
            text=comment,
        )
        _record(book, [made, said] if comment else [made])
        _not_counted(book, [row])


@app.command()
def extra(
    folder: ResultsArg,
    student: Student,
    given: Annotated[
        str, typer.Argument(metavar="POINTS", help="Extra points; negative to deduct.")
    ],
    why: Why,
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Add extra points to the total, after the late penalty. Repeated entries add up."""
    with open_book(folder, url) as book:
        made = Decision(
            book.assignment.id,
            book.student(student),
            "extra",
            _who(who),
            why,
            _now(),
            amount=_points(given),
        )
        _record(book, [made], again=True)


@app.command()
def excuse(
    folder: ResultsArg, student: Student, why: Why, who: Who = "", url: UrlOption = ""
) -> None:
    """Excuse a student from the assignment."""
    with open_book(folder, url) as book:
        student = book.student(student)
        _record(book, [Decision(book.assignment.id, student, "excuse", _who(who), why, _now())])


@app.command()
def extend(
    folder: ResultsArg,
    student: Student,
    until: Annotated[str, typer.Argument(help="The new due time, e.g. 2026-11-03T23:59.")],
    why: Why,
    timezone: Annotated[str, typer.Option(help="Time zone; default: the assignment's.")] = "",
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Extend a student's deadline."""
    with open_book(folder, url) as book:
        late = book.assignment.late
        made = Decision(
            book.assignment.id,
            book.student(student),
            "extend",
            _who(who),
            why,
            _now(),
            until=_moment(until, timezone or (late.timezone if late else "")),
        )
        _record(book, [made])


@app.command()
def comment(
    folder: ResultsArg,
    student: Student,
    text: Annotated[str, typer.Argument(help="What the student reads.")],
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Write a comment for a student."""
    with open_book(folder, url) as book:
        made = Decision(
            book.assignment.id, book.student(student), "comment", _who(who), "", _now(), text=text
        )
        _record(book, [made])


@app.command()
def undo(
    folder: ResultsArg,
    number: Annotated[int, typer.Argument(help="The decision's number, as `log` shows it.")],
    why: Why,
    who: Who = "",
    url: UrlOption = "",
) -> None:
    """Undo a decision. It stays in the log; undoing the undo restores it."""
    with open_book(folder, url) as book:
        found = [d for d in book.store.decisions(book.assignment.id) if d.id == number]
        if not found:
            raise UsageError(
                f"there is no decision {number}; they are listed by: autograder gradebook log "
                f"{shlex.quote(str(folder))}"
            )
        made = Decision(
            book.assignment.id, found[0].student, "undo", _who(who), why, _now(), undoes=number
        )
        _record(book, [made])


@app.command()
def log(
    folder: ResultsArg,
    student: Annotated[str, typer.Argument(help="Only this student.")] = "",
    url: UrlOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show the log of all grades and decisions: who, when, why."""
    with open_book(folder, url) as book:
        decisions = book.store.decisions(book.assignment.id)
        names = [book.student(student)] if student else sorted({d.student for d in decisions})
        chosen = [d for d in decisions if d.student in names]
        past = book.store.history(student, assignment=book.assignment.id) if student else ()
    if as_json:
        out.out(json.dumps([_plain(one) for one in chosen], indent=2, ensure_ascii=False))
    else:
        out.print(log_table(past, chosen, held={d.id for d in in_force(decisions)}))


@app.command("export-sheet")
def export_sheet(
    folder: ResultsArg,
    sheet: Annotated[Path, typer.Argument(help="The .csv or .xlsx file to write.")],
    url: UrlOption = "",
) -> None:
    """Write a sheet for grading by hand: all written answers, with room for points and comments."""
    write = marksheet_xlsx if _is_workbook(sheet) else marksheet_csv
    with open_book(folder, url) as book:
        spec, decisions = book.assignment, book.store.decisions(book.assignment.id)
        answers = written_answers(book.workspace.kept(), spec)
        rows = mark_rows(spec, book.grades(), decisions, book.roster(), answers)
    counted = [row for row in rows if not row.hidden]
    pages = os.path.relpath(folder / "feedback", sheet.parent)
    write_atomic(sheet, write(Marksheet(counted, comments_before(decisions), pages)))
    students = len({row.student for row in counted})
    say(out, f"wrote {sheet}: {plural(len(counted), 'answer')} of {plural(students, 'student')}")
    back = f"autograder gradebook import-sheet {shlex.quote(str(folder))} {shlex.quote(str(sheet))}"
    say(out, f"Fill in the columns of points and comments, then run: {back}")
    if left := len(rows) - len(counted):
        what = plural(left, "answer")
        say(out, f"left out: {what}, whose points an override or an excuse replaces")


@app.command("import-sheet")
def import_sheet(
    folder: ResultsArg,
    sheet: Annotated[Path, typer.Argument(help="The filled-in sheet.")],
    why: Annotated[str, typer.Option("--why", help="The reason, for the log.")] = "",
    who: Who = "",
    yes: Yes = False,
    url: UrlOption = "",
) -> None:
    """Show what a filled-in sheet changes, ask for confirmation, and record it."""
    with open_book(folder, url) as book:
        rows = mark_rows(
            book.assignment, book.grades(), book.store.decisions(book.assignment.id), book.roster()
        )
        found = changes(contents(sheet), rows, name=sheet.name)
        if not found:
            say(out, f"{sheet.name} changes nothing")
            return
        out.print(changes_table(found))
        if not confirmed(f"Record {len(found)} changes?", yes=yes):
            return
        made = decisions_of(
            found,
            assignment=book.assignment.id,
            who=_who(who),
            why=why or f"from {sheet.name}",
            at=_now(),
        )
        ids = book.store.decide(list(made))
        _rewrite(book)
        say(out, f"recorded {len(found)} changes. To take one back: {_undo(book, ids[0])}")
        hidden = [change.before for change in found if change.points != change.before.points]
        _not_counted(book, hidden)


@app.command()
def roster(
    folder: ResultsArg,
    people: Annotated[Path, typer.Argument(help="The roster as CSV.")],
    url: UrlOption = "",
) -> None:
    """Import a roster, to report who did not submit and to match platform ids."""
    found = read_roster(people)
    with open_book(folder, url) as book:
        book.store.enroll(found, at=_now())
        absent = sum(standing.state == "absent" for standing in book.standings())
    say(out, f"{len(found)} students; {absent} have not submitted anything")


@app.command()
def course(
    plan: Annotated[
        Path, typer.Argument(help="The course.toml file: assignments, weights, drops.")
    ],
    file: Annotated[
        Path | None, typer.Option("--out", help="Also write the table to this CSV file.")
    ] = None,
) -> None:
    """Show each student's total over the assignments of a course."""
    spec = load_course(plan)
    found = {}
    for one in spec.assignment:
        with open_book(plan.parent / one.results) as book:
            if book.assignment.id != one.id:
                raise UsageError(
                    f"{plan}: {one.results} holds results of {book.assignment.id!r}, not {one.id!r}"
                )
            found[one.id] = book.standings()
    totals = course_totals(spec, found)
    out.print(course_table(spec, totals))
    if file is not None:
        write_atomic(file, course_csv(spec, totals))
        say(out, f"wrote {file}")


def _record(book: ClassGradebook, made: Sequence[Decision], *, again: bool = False) -> None:
    """Record the decisions that change something, and show the student's current standing."""
    wanted = made if again else new_ones(made, book.store.decisions(book.assignment.id))
    ids = book.store.decide(wanted)
    _rewrite(book)
    now = {standing.student: standing for standing in book.standings()}
    numbers = ", ".join(map(str, ids))
    if ids:
        what = "it" if len(ids) == 1 else "one"
        say(out, f"recorded as {numbers}. To take {what} back: {_undo(book, ids[0])}")
    else:
        say(out, "this is already in effect; nothing was recorded")
    out.print(student_standing(now[made[0].student]))


def _not_counted(book: ClassGradebook, rows: Sequence[AnswerRow]) -> None:
    """Print whose points were recorded but do not count while another decision is in effect."""
    for row in rows:
        if row.hidden:
            say(
                err,
                f"{row.student}, {row.exercise}/{row.task}: {row.hidden}; they are kept, and count "
                f"after: {_undo(book, row.hidden_by)}",
            )


def _undo(book: ClassGradebook, number: int) -> str:
    """The command that takes a decision back."""
    folder = shlex.quote(str(book.workspace.folder))
    return f'autograder gradebook undo {folder} {number} --why "..."'


def _rewrite(book: ClassGradebook) -> None:
    """Rewrite gradebook.csv with the current decisions."""
    grades = book.store.in_order(book.assignment.id)
    exercises = [exercise.id for exercise in book.assignment.exercise]
    write_gradebook(book.workspace, grades, exercises, book.count())


def _who(given: str) -> str:
    if given:
        return given
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"user {os.getuid()}"


def _now() -> datetime:
    return datetime.now(UTC)


def _points(text: str, *, least: int | None = None, most: int | None = None) -> int:
    """Points as thousandths."""
    try:
        number = Decimal(text.replace(",", "."))
        amount = int(number * 1000) if number.is_finite() and abs(number) < 10**6 else None
    except InvalidOperation:
        amount = None
    if amount is None or amount != number * 1000:
        raise UsageError(f"{text!r}: points must be a number with at most three decimals")
    if (least is not None and amount < least) or (most is not None and amount > most):
        upper = "" if most is None else f" to {most / 1000:g}"
        raise UsageError(f"{text!r}: points must be from {(least or 0) / 1000:g}{upper}")
    return amount


def _moment(text: str, zone: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None:
            if not zone:
                raise ValueError(
                    "no time zone; add an offset such as +01:00, or --timezone Europe/Berlin"
                )
            found = found.replace(tzinfo=time_zone(zone), fold=1)
    except ValueError as bad:
        raise UsageError(
            f"{text!r} is not a valid time; write it like 2026-11-03T23:59 ({bad})"
        ) from None
    return found.astimezone(UTC)


def _known_exercise(book: ClassGradebook, exercise: str) -> None:
    known = [one.id for one in book.assignment.exercise]
    if exercise and exercise not in known:
        raise UsageError(f"there is no exercise {exercise!r}; available: {', '.join(known)}")


def _is_workbook(sheet: Path) -> bool:
    if sheet.suffix.lower() not in (".csv", ".xlsx"):
        raise UsageError(f"{sheet}: give a .csv or .xlsx file")
    return sheet.suffix.lower() == ".xlsx"


def _plain(one: Decision) -> dict[str, object]:
    fields = {key: getattr(one, key) for key in one.__struct_fields__}
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in fields.items()}
