"""The command `package`, and results folders for a course of nbgrader's."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.load import Loaded, load
from autograder.commands.console import (
    CORES,
    AssignmentArg,
    DrawnSeedOption,
    RequiredLevel,
    err,
    out,
    say,
)
from autograder.errors import UsageError
from autograder.execution.engines.local import Local
from autograder.files import write_atomic
from autograder.gradebook.rounding import written
from autograder.interop.gradescope.export import SEED_BITS, PackageOptions, made_package
from autograder.interop.gradescope.settings import HIDDEN
from autograder.interop.nbgrader.export import course_export, course_trees
from autograder.interop.otter.export.export import otter_assignment
from autograder.reports.terminal.progress import progress


class Tool(StrEnum):
    """Tools that can grade our assignments."""

    gradescope = "gradescope"
    nbgrader = "nbgrader"
    otter = "otter"


def package(
    tool: Annotated[Tool, typer.Argument(metavar="TOOL", help="gradescope, nbgrader or otter.")],
    assignment: AssignmentArg,
    target: Annotated[Path, typer.Option("--out", help="The file, or folder, to write.")],
    seed: DrawnSeedOption = None,
    hidden: Annotated[
        str, typer.Option(help=f"What Gradescope shows of hidden checks: {', '.join(HIDDEN)}.")
    ] = HIDDEN[0],
    limit: Annotated[float, typer.Option(help="Gradescope's time limit, in seconds.")] = 600,
    memory_mb: Annotated[
        int,
        typer.Option(
            min=0, help="Memory limit of a submission on Gradescope; 0: as in the assignment."
        ),
    ] = 0,
    late: Annotated[
        bool, typer.Option("--late", help="Apply the assignment's late policy on Gradescope.")
    ] = False,
    notebook: Annotated[str, typer.Option(help="Name of the notebook on Gradescope.")] = "",
    install: Annotated[
        list[str] | None,
        typer.Option(
            "--install", help="An additional package for students on Gradescope; repeatable."
        ),
    ] = None,
    require: Annotated[
        RequiredLevel,
        typer.Option(help="On Gradescope, refuse to run with less isolation than this."),
    ] = RequiredLevel.medium,
) -> None:
    """Package an assignment for another tool: Gradescope, nbgrader or otter-grader."""
    loaded = load(assignment)
    if tool is Tool.gradescope:
        options = PackageOptions(
            hidden=hidden,  # type: ignore[arg-type]
            seed=seed,
            limit_s=limit,
            memory_mb=memory_mb,
            late=late,
            notebook=notebook,
            packages=install or (),
            require=require.value,
        )
        _for_gradescope(loaded, target, options)
    elif tool is Tool.nbgrader:
        exported = course_export(loaded)
        files = {str(path): data for path, data in exported.files.items()}
        _write(target, files, exported.notes)
    else:
        seed = seed if seed is not None else secrets.randbits(SEED_BITS)
        with progress(err) as bar:
            otter = otter_assignment(loaded, Local(CORES), bar.report, seed=seed)
        _write(target, otter.files, otter.notes)


def write_trees(folders: Sequence[Path], target: Path, url: str, *, zeros: bool) -> None:
    """Write the files that nbgrader's own grading would produce for these results; ``zeros``:
    grades.csv counts missing submissions as 0. Raises ``UsageError``."""
    trees = course_trees(folders, url, zeros=zeros)
    _write(target, {str(path): data for path, data in trees.files.items()}, trees.notes)


def _for_gradescope(loaded: Loaded, target: Path, options: PackageOptions) -> None:
    built = made_package(loaded, options)
    write_atomic(target, built.data)
    say(out, f"wrote {target}: {written(built.possible)} points are graded automatically")
    if built.by_hand:
        say(err, f"{written(built.by_hand)} points are graded by hand: enter them in Gradescope")


def _write(target: Path, files: Mapping[str, bytes], notes: Sequence[str]) -> None:
    """Write files below a folder. Raises ``UsageError`` where that is a file."""
    if target.is_file():
        raise UsageError(f"{target} is a file; --out must be a folder")
    for path, data in files.items():
        write_atomic(target / path, data)
    say(out, f"wrote {len(files)} files below {target}")
    for note in notes:
        say(err, note)
