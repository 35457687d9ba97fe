"""The sheet for grading by hand: written, and read back when it is filled in."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Annotated

import typer

from autograder.classroom.gradebook_of_class import open_book, rewrite
from autograder.classroom.written_answers import written_answers
from autograder.commands.console import ResultsArg, UrlOption, Who, confirmed, contents, out, say
from autograder.commands.recording import (
    decider,
    now,
    report_not_counted,
    undo_command,
)
from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.interop.marksheet.answers import comments_before, decisions_of, mark_rows
from autograder.interop.marksheet.filled import changes
from autograder.interop.marksheet.sheet import Marksheet, marksheet_csv, marksheet_xlsx
from autograder.reports.feedback.words import plural
from autograder.reports.terminal.standings import changes_table


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
    # A sheet without an answer is not written.
    if not counted:
        raise UsageError(f"there is no answer to grade by hand; {sheet} was not written")
    pages = os.path.relpath(folder / "feedback", sheet.parent)
    write_atomic(sheet, write(Marksheet(counted, comments_before(decisions), pages)))
    students = len({row.student for row in counted})
    say(out, f"wrote {sheet}: {plural(len(counted), 'answer')} of {plural(students, 'student')}")
    back = f"autograder gradebook import-sheet {shlex.quote(str(folder))} {shlex.quote(str(sheet))}"
    say(out, f"Fill in the columns of points and comments, then run: {back}")
    if left := len(rows) - len(counted):
        what = plural(left, "answer")
        say(out, f"left out: {what}, whose points an override or an excuse replaces")


def import_sheet(
    folder: ResultsArg,
    sheet: Annotated[Path, typer.Argument(help="The filled-in sheet.")],
    why: Annotated[str, typer.Option("--why", help="The reason, for the log.")] = "",
    who: Who = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
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
        count = plural(len(found), "change")
        if not confirmed(f"Record {count}?", yes=yes):
            return
        made = decisions_of(
            found,
            assignment=book.assignment.id,
            who=decider(who),
            why=why or f"from {sheet.name}",
            at=now(),
        )
        ids = book.store.decide(list(made))
        rewrite(book)
        which = "it" if len(ids) == 1 else "one"
        say(out, f"recorded {count}. To undo {which}: {undo_command(book, ids[0])}")
        hidden = [change.before for change in found if change.points != change.before.points]
        report_not_counted(book, hidden)


def _is_workbook(sheet: Path) -> bool:
    if sheet.suffix.lower() not in (".csv", ".xlsx"):
        raise UsageError(f"{sheet}: give a .csv or .xlsx file")
    return sheet.suffix.lower() == ".xlsx"
