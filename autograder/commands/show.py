"""The command `show`."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from autograder.classroom.gradebook_of_class import open_book
from autograder.classroom.metrics.table import TimingTable
from autograder.classroom.metrics.timings import timings_json, timings_of
from autograder.classroom.results_folder import ResultsFolder
from autograder.commands.console import JsonFlag, ResultsArg, out
from autograder.errors import UsageError, did_you_mean
from autograder.gradebook.people import NO_ROSTER
from autograder.interop.exports.plain_json import plain_json
from autograder.interop.score_formats import NO_OPTIONS
from autograder.reports.terminal.grades import class_table, student_view
from autograder.reports.terminal.standings import student_standing


def show(
    folder: ResultsArg,
    student: Annotated[str, typer.Argument(help="Only this student, check by check.")] = "",
    timings: Annotated[
        bool, typer.Option("--timings", help="Show how long each phase of grading took.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show a graded class, or one student's checks."""
    workspace = ResultsFolder(folder)
    workspace.open_run()
    if timings and student:
        raise UsageError("--timings covers the whole class: leave out the student")
    with open_book(folder) as book:
        grades, standings = book.grades(), book.standings()
    if not grades:
        raise UsageError(f"{folder} has no grades yet: run the command `grade` again to continue")
    if timings:
        spent = timings_of(grades)
        out.out(timings_json(spent)) if as_json else out.print(TimingTable(spent))
        return
    if not student:
        text = workspace.summary.read_text() if as_json else ""
        out.out(text, end="") if as_json else out.print(class_table(grades, standings))
        return
    counted = next((s for s in standings if s.student == student), None)
    if counted is None:
        known = ", ".join(s.student for s in standings[:20])
        meant = did_you_mean(student, (s.student for s in standings))
        raise UsageError(f"{folder} has no student {student!r}{meant}; available: {known}")
    grade = next((g for g in grades if g.student == student), None)
    if as_json:
        result = json.loads(workspace.result(student).read_bytes()) if grade is not None else {}
        shown = json.loads(plain_json((counted,), NO_ROSTER, NO_OPTIONS).data)
        result["standing"] = shown["standings"][0]
        out.out(json.dumps(result, indent=2, ensure_ascii=False))
    elif grade is not None:
        out.print(student_view(grade, counted))
    else:
        out.print(student_standing(counted))
