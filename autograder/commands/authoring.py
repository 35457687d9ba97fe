"""Commands for who writes an assignment: release, check, validate, schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.load import load
from autograder.assignment.model import Assignment
from autograder.assignment.read import find
from autograder.authoring.release import ReleaseOptions, existing, made_release
from autograder.authoring.validation.processors import compare_processors
from autograder.authoring.validation.run import Step
from autograder.authoring.validation.seeds import try_seeds
from autograder.authoring.validation.validate import validation_of
from autograder.commands.console import (
    CORES,
    MAX_SEED,
    AssignmentArg,
    DevicesOption,
    JsonFlag,
    RequiredLevel,
    Workers,
    err,
    out,
    say,
)
from autograder.errors import SpecError, UsageError
from autograder.execution.engines.base import Engine
from autograder.execution.engines.local import Local
from autograder.execution.interrupts import saying
from autograder.files import write_atomic
from autograder.reports.terminal.progress import progress
from autograder.reports.validation.page import validation_page
from autograder.reports.validation.processors import ProcessorTable, processor_view, table_json
from autograder.reports.validation.seeds import SeedTable, seeds_view
from autograder.reports.validation.terminal import validation_json, validation_view
from autograder.student.shell import check as check_notebook

Compare = Callable[[Path, Engine, Step], ProcessorTable | SeedTable]


def release(
    assignment: AssignmentArg,
    check: Annotated[bool, typer.Option("--check", help="Only compare; write nothing.")] = False,
    colab: Annotated[
        bool, typer.Option("--colab", help="Also a notebook for Colab, beside the other one.")
    ] = False,
    light: Annotated[
        bool, typer.Option("--light", help="Also a .py file in jupytext's light format.")
    ] = False,
    package: Annotated[
        Path | None,
        typer.Option("--package", help="A folder; also write the package for students there."),
    ] = None,
    package_url: Annotated[
        str, typer.Option(help="Where the notebook for Colab finds that package.")
    ] = "",
) -> None:
    """Make the student notebook and the public evidence from the solution."""
    if package_url and not colab:
        raise UsageError("--package-url is written into the notebook for Colab; add --colab")
    loaded = load(find(assignment, Path.cwd()))
    there = existing(loaded) if check else ReleaseOptions()
    wish = ReleaseOptions(
        colab=colab or there.colab,
        light=light or there.light,
        package=package,
        package_url=package_url or there.package_url,
    )
    with progress(err) as bar:
        made = made_release(loaded, Local(CORES), bar.report, wish)
    if check:
        remedy = f"run `autograder release {loaded.spec.id}`"
        stale = [f"{path}: {why}; {remedy}" for path, why in made.stale()]
        if stale:
            raise SpecError(stale)
    for path, content in made.files.items():
        current = check or (path.is_file() and path.read_bytes() == content)
        if not current:
            write_atomic(path, content)
        say(out, f"{path} is up to date" if current else f"wrote {path}")


def check(
    notebook: Annotated[Path, typer.Argument(help="A student's notebook.")],
    assignment: Annotated[str, typer.Option(help="Its id, where the notebook has no stamp.")] = "",
    public: Annotated[
        Path | None, typer.Option(help="The public evidence ID.agw, or its folder.")
    ] = None,
) -> None:
    """Show a student how a notebook stands; runs it here, in no box. Status 1: not all right."""
    raise typer.Exit(check_notebook(notebook, assignment=assignment, public=public))


def validate(
    assignment: AssignmentArg,
    folder: Annotated[
        Path | None, typer.Option("--out", help="For the page; out/validate/ID if absent.")
    ] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Run only what a change since last time can affect.")
    ] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Store measured tolerances in measured.toml.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick", help="No mutants, few equivalents; each in its own exercise alone."
        ),
    ] = False,
    processors: Annotated[
        bool,
        typer.Option("--processors", help="Compare verdicts between processors instead."),
    ] = False,
    seeds: Annotated[
        int,
        typer.Option(min=0, help="Try each known mistake under so many seeds instead."),
    ] = 0,
    workers: Workers = CORES,
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Of the hidden inputs.")] = 1,
    require: Annotated[
        RequiredLevel, typer.Option(help="Refuse to run with less isolation than this.")
    ] = RequiredLevel.medium,
    devices: DevicesOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Try an assignment with right, wrong and mutated answers; status 1 if it is not ready."""
    if processors and seeds:
        raise UsageError(
            "--processors and --seeds are comparisons of their own; choose one of them"
        )
    if processors or seeds:
        compare: Compare = (
            partial(try_seeds, require=require.value, seed=seed, seeds=seeds)
            if seeds
            else partial(compare_processors, require=require.value, seed=seed, quick=quick)
        )
        _compare(assignment, compare, Local(workers), as_json=as_json)
        return
    with saying(lambda: "stopped: no page was written"), progress(err) as bar:
        found = validation_of(
            find(assignment, Path.cwd()),
            Local(workers),
            Step(bar.report, bar.done),
            require=require.value,
            seed=seed,
            changed=changed,
            measure=measure,
            quick=quick,
            devices=devices,
        )
    target = folder or Path("out", "validate", found.assignment)
    write_atomic(target / "validation.html", validation_page(found).encode())
    write_atomic(target / "validation.json", validation_json(found).encode())
    out.out(validation_json(found)) if as_json else out.print(validation_view(found))
    say(err if as_json else out, f"Page  {target / 'validation.html'}")
    if not found.valid:
        raise typer.Exit(1)


def _compare(assignment: str, compare: Compare, engine: Engine, *, as_json: bool) -> None:
    """What is done in place of a validation, and shown as one table."""
    with saying(lambda: "stopped: nothing was compared"), progress(err) as bar:
        table = compare(find(assignment, Path.cwd()), engine, Step(bar.report, bar.done))
    if as_json:
        out.out(table_json(table))
    elif isinstance(table, ProcessorTable):
        out.print(processor_view(table))
    else:
        out.print(seeds_view(table))
    if not table.valid:
        raise typer.Exit(1)


def schema() -> None:
    """Print the JSON Schema of assignment.toml."""
    out.out(json.dumps(Assignment.model_json_schema(), indent=2))
