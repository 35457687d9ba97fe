"""Import an assignment from another tool."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.data_files import FOLDER
from autograder.authoring.imported import prove_import
from autograder.commands.console import err, out, say
from autograder.errors import SandboxError, UsageError
from autograder.execution.engines.local import Local
from autograder.files import write_atomic
from autograder.gradebook.visible import one_line
from autograder.interop.arrange import arrange
from autograder.interop.nbgrader.arrange import SOURCE
from autograder.interop.nbgrader.source import read_course
from autograder.interop.nbgrader.write import bring
from autograder.interop.otter.source.notes import summary
from autograder.interop.otter.source.read import read_otter
from autograder.interop.otter.source.write import files, id_of
from autograder.sandbox.box import Level

app = typer.Typer(no_args_is_help=True, add_completion=False, help=__doc__)

IdOption = Annotated[
    str, typer.Option("--id", help="Id of the assignment here; default: its own name.")
]
IntoOption = Annotated[
    Path, typer.Option("--into", help="The course folder, which holds assignments/ and solutions/.")
]
ReplaceFlag = Annotated[bool, typer.Option("--replace", help="Replace an existing assignment.")]


@app.command("nbgrader")
def import_nbgrader(
    source: Annotated[
        Path, typer.Argument(help="source/ASSIGNMENT/ of an nbgrader course, or a notebook.")
    ],
    own_id: IdOption = "",
    into: IntoOption = Path(),
    replace: ReplaceFlag = False,
    forgive_stderr: Annotated[
        bool,
        typer.Option(
            "--forgive-stderr", help="Unlike nbgrader, do not fail a cell that writes to stderr."
        ),
    ] = False,
) -> None:
    """Import an nbgrader assignment; each notebook becomes an assignment."""
    for one in bring(read_course(source), own_id=own_id, stderr_fails=not forgive_stderr):
        there = write_brought(into, one.id, one.files, replace=replace)
        for note in one.notes:
            say(err, f"{one.id}: {note}")
        _try(there)


@app.command("otter")
def import_otter(
    source: Annotated[
        Path, typer.Argument(help="A master notebook, or the autograder.zip generated from it.")
    ],
    own_id: IdOption = "",
    into: IntoOption = Path(),
    replace: ReplaceFlag = False,
    course: Annotated[
        Path | None,
        typer.Option(
            "--course", help="The course's folder, where a config_file that is shared may be."
        ),
    ] = None,
) -> None:
    """Import an otter-grader assignment. Its tests are read as data; its solution is tried."""
    brought = read_otter(source, course)
    own = id_of(brought, own_id)
    there = write_brought(into, own, files(brought, own, Path()), replace=replace)
    for line in summary(brought):
        say(out, line)
    for note in brought.told:
        say(err, f"{own}: {note}")
    _try(there)


def write_brought(into: Path, own_id: str, files: Mapping[Path, bytes], *, replace: bool) -> Path:
    """Write an assignment's files, all below ``into``; returns its folder.

    Raises ``UsageError`` if one with the same id exists, unless it is to be replaced.
    """
    there = into / "assignments" / own_id
    if there.exists() and not replace:
        raise UsageError(
            f"{there} already exists: use --id to give the new one another name, or --replace to "
            "overwrite it"
        )
    if there.is_dir():  # other files of the earlier assignment do not belong to this one
        (there / SOURCE).unlink(missing_ok=True)
        shutil.rmtree(there / FOLDER, ignore_errors=True)
    for path, data in files.items():
        write_atomic(into / path, data)
    more = f" and {len(files) - 1} more" if len(files) > 1 else ""
    say(out, f"wrote {there / 'assignment.toml'}{more}")
    say(out, f"next: autograder grade {own_id} DOWNLOAD --out DIR")
    return there


def _try(there: Path) -> None:
    try:
        tell_import(there, require="weak")
    except SandboxError as bad:
        say(err, f"{there.name}: the solution was not tried: {bad}")


def tell_import(where: Path, *, require: Level) -> bool:
    """Grade an imported assignment's solution and blank release, and say what is wrong; returns
    whether the solution has all of its points."""
    proof = prove_import(where, Local(1), arrange, require=require)
    for sentence in proof.sentences:
        say(out, f"{proof.id}: {one_line(sentence)}")
    return proof.is_right
