"""How the commands of the gradebook record decisions, and what they print about them."""

from __future__ import annotations

import getpass
import os
import shlex
from collections.abc import Sequence
from datetime import UTC, datetime

from autograder.classroom.gradebook_of_class import ClassGradebook, rewrite
from autograder.commands.console import err, out, say
from autograder.gradebook.decisions import Decision, new_ones
from autograder.interop.marksheet.model import AnswerRow
from autograder.reports.terminal.standings import student_standing


def record(book: ClassGradebook, made: Sequence[Decision], *, again: bool = False) -> None:
    """Record the decisions that change something, and show the student's current standing."""
    wanted = made if again else new_ones(made, book.store.decisions(book.assignment.id))
    ids = book.store.decide(wanted)
    rewrite(book)
    now = {standing.student: standing for standing in book.standings()}
    numbers = ", ".join(map(str, ids))
    if ids:
        what, which = ("decision", "it") if len(ids) == 1 else ("decisions", "one")
        say(out, f"recorded as {what} {numbers}. To undo {which}: {undo_command(book, ids[0])}")
    else:
        say(out, "this is already in effect; nothing was recorded")
    out.print(student_standing(now[made[0].student]))


def report_not_counted(book: ClassGradebook, rows: Sequence[AnswerRow]) -> None:
    """Print whose points were recorded but do not count while another decision is in effect."""
    for row in rows:
        if row.hidden:
            say(
                err,
                f"{row.student}, {row.exercise}/{row.task}: {row.hidden}; they are kept, and count "
                f"after: {undo_command(book, row.hidden_by)}",
            )


def undo_command(book: ClassGradebook, number: int) -> str:
    """The command that takes a decision back."""
    folder = shlex.quote(str(book.workspace.folder))
    return f'autograder gradebook undo {folder} {number} --why "..."'


def decider(given: str) -> str:
    if given:
        return given
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return f"user {os.getuid()}"


def now() -> datetime:
    return datetime.now(UTC)
