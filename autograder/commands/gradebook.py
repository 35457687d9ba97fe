"""Standings, and graders' decisions: overrides, points, extensions, comments."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.course import load_course
from autograder.classroom.gradebook_of_class import open_book
from autograder.commands import decisions, marksheet
from autograder.commands.console import JsonFlag, ResultsArg, UrlOption, err, names, out, say
from autograder.commands.recording import now
from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.gradebook.course import course_totals
from autograder.gradebook.decisions import Decision, in_force
from autograder.interop.downloads.roster import read_roster
from autograder.interop.exports.plain_json import plain_json
from autograder.interop.score_formats import NO_OPTIONS
from autograder.reports.terminal.standings import (
    course_csv,
    course_table,
    log_table,
    standings_table,
    student_standing,
)


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
            out.print(standings_table(found, book.roster()))


def log(
    folder: ResultsArg,
    student: Annotated[str, typer.Argument(help="Only this student.")] = "",
    url: UrlOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Show the log of all grades and decisions: who, when, why."""
    with open_book(folder, url) as book:
        made = book.store.decisions(book.assignment.id)
        names = [book.student(student)] if student else sorted({d.student for d in made})
        chosen = [d for d in made if d.student in names]
        past = book.store.history(student, assignment=book.assignment.id) if student else ()
    if as_json:
        out.out(json.dumps([_plain(one) for one in chosen], indent=2, ensure_ascii=False))
    else:
        out.print(log_table(past, chosen, held={d.id for d in in_force(made)}))


def roster(
    folder: ResultsArg,
    people: Annotated[Path, typer.Argument(help="The roster as CSV.")],
    url: UrlOption = "",
) -> None:
    """Import a roster, to report who did not submit and to match platform ids."""
    found = read_roster(people)
    with open_book(folder, url) as book:
        book.store.enroll(found, at=now())
        absent = sum(standing.state == "absent" for standing in book.standings())
        strangers = sorted({grade.student for grade in book.grades()} - {one.id for one in found})
    say(out, f"{len(found)} students; {absent} have not submitted anything")
    if strangers:
        say(err, f"not on this roster ({len(strangers)}): {names(strangers)}")


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


def _plain(one: Decision) -> dict[str, object]:
    fields = {key: getattr(one, key) for key in one.__struct_fields__}
    return {k: v.isoformat() if isinstance(v, datetime) else v for k, v in fields.items()}


app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)
_COMMANDS: Mapping[str, Callable[..., None]] = {
    "show": show,
    "override": decisions.override,
    "points": decisions.points,
    "extra": decisions.extra,
    "excuse": decisions.excuse,
    "extend": decisions.extend,
    "comment": decisions.comment,
    "undo": decisions.undo,
    "log": log,
    "export-sheet": marksheet.export_sheet,
    "import-sheet": marksheet.import_sheet,
    "roster": roster,
    "course": course,
}
for name, command in _COMMANDS.items():
    app.command(name)(command)
