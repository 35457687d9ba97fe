"""Commands for authors of assignments: release, check, validate, schema."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.load import load
from autograder.assignment.model import Assignment
from autograder.assignment.read import read
from autograder.assignment.schema import json_schema
from autograder.authoring.personal_files import write_personal_files
from autograder.authoring.release import ReleaseOptions, existing, made_release
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.validate import ValidationOptions, validation_of
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.personal_values import secret_path
from autograder.commands.bringing import tell_import
from autograder.commands.console import (
    CORES,
    AssignmentArg,
    DevicesOption,
    JsonFlag,
    RequiredLevel,
    SeedOption,
    Workers,
    err,
    out,
    say,
)
from autograder.errors import SpecError, UsageError
from autograder.execution.engines.local import Local
from autograder.execution.interrupts import saying
from autograder.files import write_atomic
from autograder.interop.intake import roster_in
from autograder.reports.feedback.words import plural
from autograder.reports.terminal.progress import progress
from autograder.reports.validation.kept import DATA, PAGE, kept_in, last_validation
from autograder.reports.validation.page import validation_page
from autograder.reports.validation.terminal import validation_json, validation_view
from autograder.student.shell import check as check_notebook

TRYING = "Trying right and wrong answers; this may take minutes"
_LINK = re.compile(r"\[([^]]*)\]\(\S*?\)")  # in texts that are written for docs/reference.md


def release(
    assignment: AssignmentArg,
    check: Annotated[
        bool, typer.Option("--check", help="Compare with the existing files; write nothing.")
    ] = False,
    colab: Annotated[
        bool, typer.Option("--colab", help="Also write a notebook for Colab.")
    ] = False,
    light: Annotated[
        bool, typer.Option("--light", help="Also write a .py file in jupytext's light format.")
    ] = False,
    package: Annotated[
        Path | None,
        typer.Option("--package", help="Also write the package for students into this folder."),
    ] = None,
    package_url: Annotated[
        str, typer.Option(help="URL at which the notebook for Colab finds that package.")
    ] = "",
    roster: Annotated[Path | None, typer.Option(help="Roster as CSV, for --personal.")] = None,
    personal: Annotated[
        Path | None,
        typer.Option(help="Also write each student's own values into a folder in this folder."),
    ] = None,
) -> None:
    """Generate the student notebook and the public evidence from the solution."""
    if (roster is None) != (personal is None):
        raise UsageError("--roster and --personal belong together; give both")
    if check and personal is not None:
        raise UsageError("--check writes nothing; leave --personal out")
    if package_url and not colab:
        raise UsageError("--package-url is written into the notebook for Colab; add --colab")
    loaded = load(assignment)
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
    kept = kept_in(loaded.spec.id)
    last = last_validation(kept, (loaded.folder, loaded.solutions))
    if last is not None and last.problems and not last.stale:
        seen = f"{kept / PAGE} lists {plural(last.problems, 'problem')}"
        say(err, f"note: {loaded.spec.id} is not valid: {seen}")
    if personal is not None:
        people = [person.id for person in roster_in(roster)]
        given = write_personal_files(loaded, people, personal)
        say(out, f"wrote the values of {plural(given.written, 'student')} into {personal}")
        say(out, f"their secret is in {secret_path(loaded)}: keep it, and show it to no student")
        if given.changed:
            say(err, f"{plural(given.changed, 'student')} had other values before: send new files")


def check(
    notebook: Annotated[Path, typer.Argument(help="A student's notebook.")],
    assignment: Annotated[
        str, typer.Option(help="The assignment's id, if the notebook has no stamp.")
    ] = "",
    public: Annotated[
        Path | None, typer.Option(help="The public evidence (ID.agw), or the folder that holds it.")
    ] = None,
) -> None:
    """Show what a student sees when checking a notebook. The notebook runs outside the sandbox.

    Exit status 1 unless every public check passes."""
    raise typer.Exit(check_notebook(notebook, assignment=assignment, public=public))


def validate(
    assignment: AssignmentArg,
    folder: Annotated[
        Path | None, typer.Option("--out", help="Folder for the page; default: out/validate/ID.")
    ] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Run only what has changed since last time.")
    ] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Store measured tolerances in measured.toml.")
    ] = False,
    quick: Annotated[
        bool,
        typer.Option(
            "--quick",
            help="Skip mutants, try few equivalents, and run each only in its own exercise.",
        ),
    ] = False,
    workers: Workers = CORES,
    seed: SeedOption = 1,
    require: Annotated[
        RequiredLevel, typer.Option(help="Refuse to run with less isolation than this.")
    ] = RequiredLevel.medium,
    devices: DevicesOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Test an assignment with right, wrong and mutated answers. Exit status 1 if not ready."""
    wish = ValidationOptions(
        require.value,
        seed,
        begun=_begun(),
        changed=changed,
        measure=measure,
        quick=quick,
        devices=devices,
    )
    spec = read(assignment).spec
    if spec is not None and spec.brought is not None:
        if not tell_import(assignment, require=require.value):
            raise typer.Exit(1)
        return
    with saying(lambda: "stopped: no page was written"), progress(err, TRYING) as bar:
        trials = TrialEngine(Local(workers), WorkProgress(bar.report, bar.done))
        found = validation_of(assignment, trials, wish)
    target = folder or kept_in(found.assignment)
    write_atomic(target / PAGE, validation_page(found).encode())
    write_atomic(target / DATA, validation_json(found).encode())
    out.out(validation_json(found)) if as_json else out.print(validation_view(found))
    say(err if as_json else out, f"Page  {target / PAGE}")
    if not found.valid:
        raise typer.Exit(1)


def _begun() -> float:
    """When this process began, by the monotonic clock: Python and imports take seconds."""
    stat = Path("/proc/self/stat")
    if not stat.is_file():  # not Linux
        return time.monotonic()
    ticks = int(stat.read_text("utf-8").rpartition(")")[2].split()[19])
    age = time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / os.sysconf("SC_CLK_TCK")
    return time.monotonic() - age


def schema() -> None:
    """Print the JSON Schema of assignment.toml."""
    out.out(_LINK.sub(r"\1", json.dumps(json_schema(Assignment), indent=2)))
