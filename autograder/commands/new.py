"""The command that makes courses and assignments: `autograder new`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.packages import TORCH, imports_torch, installing, missing
from autograder.authoring.starter.place import ASSIGNMENTS, NewPlace, Starter, place_of, write_files
from autograder.authoring.starter.samples import course_files, sample_files
from autograder.commands.console import RequiredLevel, err, out, say
from autograder.errors import UsageError
from autograder.reports.terminal.progress import progress


def new(
    name: Annotated[
        str,
        typer.Argument(
            metavar="COURSE[/ASSIGNMENT]",
            help="A course folder or the path of one, and the id of an assignment in it. "
            "In a course folder: the id.",
        ),
    ],
    like: Annotated[
        Starter | None,
        typer.Option("--like", help="The small assignment to start from; default: numpy."),
    ] = None,
    notebook: Annotated[
        Path | None,
        typer.Option(
            "--from", help="Instead, draft the assignment from a finished solution notebook."
        ),
    ] = None,
    require: Annotated[
        RequiredLevel,
        typer.Option(help="Refuse to run the notebook with less isolation than this."),
    ] = RequiredLevel.medium,
) -> None:
    """Create a course folder, or a small working assignment in one.

    With --from, each top-level function of the notebook becomes an exercise; guesses are listed.
    """
    place = place_of(name, Path.cwd(), with_assignment=bool(like or notebook))
    if like and notebook:
        raise UsageError("--like and --from cannot be combined; choose one of them")
    if (like or notebook) and not place.assignment:
        raise UsageError(
            f"{name} names a course alone; name the assignment too, as in {name}/first"
        )
    if notebook is not None:
        files, notes = _drafted(notebook, place, require)
    elif place.assignment:
        files, notes = sample_files(like or Starter.numpy, place.assignment), ()
    else:
        files, notes = {}, ()
    if place.is_new_course:
        write_files(place.course, course_files(place.course.resolve().name))
        (place.course / ASSIGNMENTS).mkdir(exist_ok=True)
        say(out, f"wrote {_shown(place.course)}, a course folder")
    write_files(place.folder, files)
    for line in (*(f"wrote {_shown(place.folder / file)}" for file in files), *notes):
        say(out, line)
    say(out, "Next:")
    for line in _next(place, notebook):
        say(out, f"  {line}")


def _drafted(
    notebook: Path, place: NewPlace, require: RequiredLevel
) -> tuple[Mapping[str, bytes], Sequence[str]]:
    """A draft's files, and lines on what was guessed."""
    if not notebook.is_file():
        raise UsageError(f"{notebook}: there is no such file.")
    if imports_torch(notebook) and missing([TORCH]):
        raise UsageError(
            f"{notebook}: it uses torch, not installed here; run `{installing([TORCH])}`"
        )
    from autograder.authoring.draft.draft import make_draft  # noqa: PLC0415  a second
    from autograder.classroom.boxes import box_of_no_assignment  # noqa: PLC0415  as above

    with (
        box_of_no_assignment(require.value, notebook) as box,
        progress(err, "Running the notebook"),
    ):
        draft = make_draft(notebook, place.assignment, box)
    sections = {
        "Guesses to check in assignment.toml and inputs.py:": [
            f"{name}: {'; '.join(clauses)}" for name, clauses in draft.guessed.items()
        ],
        "No exercises; students get them as they are:": [
            f"{given.name}: {given.why}" for given in draft.given
        ],
        "Cells that fail in the sandbox:": draft.failed,
    }
    notes = [[head, *(f"  {line}" for line in lines)] for head, lines in sections.items() if lines]
    return draft.files, [line for section in notes for line in section]


def _next(place: NewPlace, notebook: Path | None) -> Iterator[str]:
    """The commands to type next."""
    if not place.course.samefile(Path.cwd()):
        yield f"cd {shlex.quote(_shown(place.course))}"
    own = place.assignment
    if not own:
        yield "autograder new first --like numpy"
        return
    yield f"autograder validate {own}"
    yield f"autograder release {own}"
    submissions = f"assignments/{own}/examples"
    if notebook is not None:
        submissions = shlex.quote(os.path.relpath(notebook, place.course))
    yield f"autograder grade {own} {submissions} --out out/{own}"
    yield f"autograder show out/{own}" + (" student-02" if notebook is None else "")


def _shown(path: Path) -> str:
    """A path as seen from here."""
    return os.path.relpath(path)
