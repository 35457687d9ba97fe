"""The command line: parses, prints, exits. Nothing else in the package prints but ``commands``.

Exit status 0: every submission has a grade or a stated rejection; 1: something is
ungraded through our fault; 2: the command or an assignment is wrong; 130 and 143: somebody
stopped it, by Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial

import typer

from autograder.commands.authoring import check, release, schema, validate
from autograder.commands.bench import bench
from autograder.commands.bringing import app as bringing
from autograder.commands.console import err, say, say_now
from autograder.commands.grade import grade
from autograder.commands.gradebook import app as gradebook
from autograder.commands.grading import regrade, report, show
from autograder.commands.lms import export, return_, send_scores
from autograder.commands.machine import doctor, redteam
from autograder.errors import AutograderError, EngineError, SandboxError, SpecError, StoreError
from autograder.interrupts import Interrupted, Interrupts

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Grade notebooks of machine-learning courses: isolated, fair, and with reasons.",
)
for command in (
    grade, regrade, show, report, export, release, check, doctor, bench, redteam, validate, schema,
):  # fmt: skip
    app.command()(command)
app.command("return")(return_)
app.command("send-scores")(send_scores)
app.add_typer(gradebook, name="gradebook")
app.add_typer(bringing, name="import")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; our own errors are printed without a traceback."""
    try:
        with Interrupts(partial(say_now, err)):
            app(args=list(arguments) if arguments is not None else None, standalone_mode=True)
    except Interrupted as stopped:
        say(err, str(stopped) or "stopped")
        sys.exit(stopped.status)
    except (EngineError, SandboxError, StoreError) as bad:
        say(err, f"error: {bad}")
        sys.exit(1)
    except SpecError as bad:
        for problem in bad.problems:
            say(err, problem)
        err.print(f"{len(bad.problems)} problem(s); nothing was run", style="bold")
        sys.exit(2)
    except AutograderError as bad:
        say(err, f"error: {bad}")
        sys.exit(2)
