"""What all commands share: the two consoles, common options, and how lines are printed."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.errors import UsageError
from autograder.evidence.url import GRADEBOOK
from autograder.execution.engines.resources import processors
from autograder.gradebook.visible import one_line

CORES = processors()
MAX_SEED = 2**63 - 1
NAMES_SHOWN = 20
TREES = "nbgrader-course"  # what `export` makes of results folders
out = Console()
err = Console(stderr=True)


def _in_range(seed: int | None) -> int | None:
    """Refuse a seed that no generator takes."""
    if seed is not None and not 0 <= seed <= MAX_SEED:
        raise typer.BadParameter("write a whole number from 0 to 2^63 - 1")
    return seed


class RequiredLevel(StrEnum):
    """Levels of isolation that may be demanded."""

    strong = "strong"
    medium = "medium"
    weak = "weak"


def _folder_of(name: str) -> Path:
    """An assignment's folder, looked for before a command loads anything that takes seconds."""
    from autograder.assignment.read import find  # noqa: PLC0415  not every command needs it

    return find(name, Path.cwd())


def _existing(path: str) -> Path:
    """A path that exists; raises ``UsageError``."""
    if not Path(path).exists():
        raise UsageError(f"{path}: no such file or folder")
    return Path(path)


AssignmentArg = Annotated[
    Path,
    typer.Argument(
        parser=_folder_of,
        help="The assignment: an id below assignments/, or a folder.",
    ),
]
SubmissionsArg = Annotated[
    list[Path],
    typer.Argument(
        parser=_existing,
        help="Submissions: a platform's download, notebooks, folders or .zip files.",
    ),
]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
DevicesOption = Annotated[
    str,
    typer.Option(
        "--devices",
        help="Real accelerators to test on as well: auto (what is available), none, or cuda.",
    ),
]
Workers = Annotated[
    int, typer.Option(min=1, max=512, help="Number of submissions graded in parallel.")
]
SeedOption = Annotated[int, typer.Option(callback=_in_range, help="Seed of the hidden inputs.")]
DrawnSeedOption = Annotated[
    int | None,
    typer.Option(callback=_in_range, help="Seed of the hidden inputs; default: random."),
]
UrlOption = Annotated[
    str,
    typer.Option(
        "--gradebook",
        envvar=GRADEBOOK,
        help="URL of the gradebook database; default: in the results folder.",
    ),
]
EvidenceOption = Annotated[
    str,
    typer.Option(
        "--evidence",
        help="Folder or URL (s3://BUCKET/PREFIX) for evidence; default: the results folder.",
    ),
]
Who = Annotated[
    str,
    typer.Option("--who", envvar="AUTOGRADER_WHO", help="Who decides; default: your login name."),
]
ResultsArg = Annotated[Path, typer.Argument(help="The results folder that `grade` wrote.")]


def reword(bad: typer.BadParameter) -> None:
    """State what is wrong with an option's value as we state it of a file, in place of the words of
    the library that reads options."""
    from autograder.assignment.document import of_value  # noqa: PLC0415  it is of use only here

    bad.message = of_value(bad.__cause__) or bad.message


def say(console: Console, text: str) -> None:
    """Print one line unchanged: names and paths are not parsed as markup, and paths are not cut."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def say_now(console: Console, text: str) -> None:
    """Print one line from within a signal handler, past every buffer and lock; a progress bar
    is drawn again below it."""
    try:
        place = console.file.fileno()
    except (OSError, ValueError):
        say(console, text)
        return
    start = "\r\x1b[2K" if console.is_terminal else ""
    with suppress(OSError):
        os.write(place, f"{start}{text}\n".encode("utf-8", "replace"))


def names(students: Sequence[str]) -> str:
    """The students' ids, or the first of many and how many more there are."""
    more = len(students) - NAMES_SHOWN
    return ", ".join(map(one_line, students[:NAMES_SHOWN])) + (
        f" and {more} more" if more > 0 else ""
    )


def confirmed(question: str, *, yes: bool) -> bool:
    """Whether to go on: asks on a terminal; elsewhere ``--yes`` is required."""
    if yes:
        return True
    if not sys.stdin.isatty():
        say(err, "nothing was written: add --yes to write without confirmation")
        return False
    return typer.confirm(question)


def contents(path: Path) -> bytes:
    """A file's bytes; raises ``UsageError``."""
    try:
        return path.read_bytes()
    except OSError as bad:
        raise UsageError(f"{path}: cannot be read ({bad.strerror})") from None
