"""What a command prints at the end about the class that it graded."""

from __future__ import annotations

import sys

import typer

from autograder.classroom.grade_class import ClassGrades
from autograder.commands.console import err, out, say
from autograder.evidence.url import written_down
from autograder.gradebook.database import without_password
from autograder.gradebook.visible import one_line
from autograder.reports.feedback.words import plural
from autograder.reports.terminal.grades import ClassTable


def show_class(graded: ClassGrades, *, as_json: bool) -> None:
    """The class as a table, or its summary as JSON."""
    if as_json:
        out.out(graded.workspace.summary.read_text(), end="")
    else:
        out.print(ClassTable(graded.overview))
        if graded.run or graded.reused:
            say(out, _counted(graded.run, graded.reused))


def conclude(graded: ClassGrades, *, as_json: bool) -> None:
    """Print the class, where its files are, and what needs attention; exit status 1 if somebody is
    ungraded."""
    workspace = graded.workspace
    show_class(graded, as_json=as_json)
    if not as_json:
        noted = graded.overview.noted
        about = f" (with notes about {plural(noted, 'file')})" if noted else ""
        say(out, f"Gradebook  {workspace.gradebook}{about}")
        say(out, f"Feedback   {workspace.folder / 'feedback'}")
        say(out, f"Results    {workspace.folder / 'results'}")
    weaker = graded.overview.levels & {"medium", "weak", "none"}
    if weaker:
        say(
            err,
            f"note: isolation was only {', '.join(sorted(weaker))!r}; `autograder doctor` reports "
            "what is missing, and --require strong refuses to run without it",
        )
    if graded.overview.doubtful:
        doubtful = ", ".join(map(one_line, graded.overview.doubtful))
        say(err, f"note: no cell of this assignment is in what these submitted: {doubtful}")
    ungraded = graded.overview.summary.status["ungraded"]
    if ungraded:
        names = ", ".join(map(one_line, graded.overview.ungraded))
        say(err, f"{ungraded} ungraded, please check: {names}")
    if ungraded or graded.lost:
        raise typer.Exit(1)


def _counted(run: int, reused: int) -> str:
    """How many submissions were run, and how many had been run before."""
    if not reused:
        return f"{run} graded, all run now"
    if not run:
        return f"{reused} graded, all from earlier runs"
    earlier = "an earlier run" if reused == 1 else "earlier runs"
    return f"{run + reused} graded, {reused} of them from {earlier} of the same code, {run} run now"


def as_recorded(evidence: str = "", gradebook: str = "") -> tuple[str, ...]:
    """The words of this command, with URLs without passwords, so that they can be stored."""
    shown: dict[str, str] = {}
    for option, given, clean in (
        ("--evidence", evidence, written_down(evidence)),
        ("--gradebook", gradebook, without_password(gradebook)),
    ):
        if given:
            shown |= {given: clean, f"{option}={given}": f"{option}={clean}"}
    return tuple(shown.get(word, word) for word in sys.argv[1:])
