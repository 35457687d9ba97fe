"""The command `grade`: a class from what came in to results, feedback and a gradebook."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.book import where_is
from autograder.classroom import (
    ClassGrades,
    devices_for,
    grade_into,
    make_setting,
    prepare_reference,
)
from autograder.commands.conclusion import conclude, show_class
from autograder.commands.console import (
    CORES,
    MAX_SEED,
    AssignmentArg,
    DevicesOption,
    JsonFlag,
    Require,
    UrlOption,
    Workers,
    err,
    say,
)
from autograder.elsewhere import HERE, runner_for
from autograder.errors import UsageError
from autograder.intake import Intake, roster_in, take_in
from autograder.report.progress import progress
from autograder.spec.load import find, load
from autograder.spec.pretrained import prepare
from autograder.watching import changes_under, looks_of
from autograder.workspace import Workspace

WATCHED_EVERY_S = 2.0
NAMES_SHOWN = 20
NOTES_SHOWN = 30


class PlatformName(StrEnum):
    """Whose download it is."""

    auto = "auto"
    canvas = "canvas"
    moodle = "moodle"
    gradescope = "gradescope"
    blackboard = "blackboard"
    brightspace = "brightspace"
    nbgrader = "nbgrader"
    otter = "otter"
    plain = "plain"


class RuleName(StrEnum):
    """Which of several attempts counts."""

    last = "last"
    first = "first"
    best = "best"


def grade(
    assignment: AssignmentArg,
    paths: Annotated[
        list[Path], typer.Argument(help="A platform's download, or notebooks, folders, .zip.")
    ],
    folder: Annotated[Path, typer.Option("--out", help="Where results go; a run is resumed.")],
    roster: Annotated[
        Path | None, typer.Option(help="A CSV list of the students; tells who is missing.")
    ] = None,
    platform: Annotated[PlatformName, typer.Option(help="Whose download it is.")] = (
        PlatformName.auto
    ),
    attempts: Annotated[RuleName, typer.Option(help="Which of several attempts counts.")] = (
        RuleName.last
    ),
    timezone: Annotated[
        str, typer.Option(help="Of times that do not tell theirs, as Europe/Berlin.")
    ] = "",
    url: UrlOption = "",
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on, and grade what comes in; Ctrl-C ends.")
    ] = False,
    workers: Workers = CORES,
    where: Annotated[
        str,
        typer.Option("--engine", help="local, dask, dask://host:port, or a .toml of a cluster."),
    ] = HERE,
    seed: Annotated[
        int | None, typer.Option(min=0, max=MAX_SEED, help="Of the hidden inputs; drawn if absent.")
    ] = None,
    require: Annotated[
        Require, typer.Option(help="Refuse to run with less isolation than this.")
    ] = Require.medium,
    figures: Annotated[
        bool, typer.Option("--figures/--no-figures", help="Draw figures for the feedback.")
    ] = True,
    devices: DevicesOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Grade a class: results, feedback, a gradebook and a table."""
    loaded = load(find(assignment, Path.cwd()))
    people = roster_in(roster)

    def taken() -> Intake:
        chosen = None if platform is PlatformName.auto else platform.value
        return take_in(
            paths, loaded.spec, roster=people, platform=chosen, attempts=attempts.value,  # type: ignore[arg-type]
            timezone=timezone,
        )  # fmt: skip

    looked = looks_of(paths)
    intake = taken()
    if not intake.hand_ins and not watch:
        raise UsageError("there is no .ipynb or .py file under the given paths")
    workspace = Workspace(folder)
    offer = prepare(loaded)
    hide = [folder, *(p if p.is_dir() else p.parent for p in paths)]
    with (
        devices_for(loaded, offer, devices, require=require.value, hide=hide) as there,
        runner_for(
            where, loaded, offer, require=require.value, workers=workers, hide=hide
        ) as (box, engine),
    ):
        run = workspace.begin(
            loaded.spec.id, loaded.folder, seed=seed, draw=figures, devices=there.names,
            gradebook=url,
        )  # fmt: skip
        if there.note:
            say(err, there.note)
        setting = make_setting(
            loaded, offer, box, seed=run.seed, draw=run.draw, evidence=workspace.evidence,
            devices=there,
        )  # fmt: skip
        with progress(err) as bar:
            prepared = prepare_reference(setting, engine, bar.report)

        def graded_now(intake: Intake) -> ClassGrades:
            with progress(err) as bar:
                return grade_into(
                    prepared, intake.hand_ins, workspace, engine,
                    command=sys.argv[1:], report=bar.report, done=bar.done,
                    where=where_is(workspace, url), arrivals=intake.arrivals,
                    roster=intake.roster,
                )  # fmt: skip

        graded = graded_now(intake)
        _tell(intake)
        if watch:
            show_class(graded, as_json=as_json)
            with suppress(KeyboardInterrupt):
                for _ in changes_under(paths, every_s=WATCHED_EVERY_S, since=looked):
                    intake = taken()
                    graded = graded_now(intake)
                    _tell(intake)
                    show_class(graded, as_json=as_json)
            return
    conclude(graded, as_json=as_json)


def _tell(intake: Intake) -> None:
    """What an instructor must know about how the class came in."""
    for note in intake.notes[:NOTES_SHOWN]:
        say(err, f"note: {note}")
    if len(intake.notes) > NOTES_SHOWN:
        say(err, f"note: and {len(intake.notes) - NOTES_SHOWN} more")
    if intake.missing:
        names = ", ".join(intake.missing[:NAMES_SHOWN])
        more = ", ..." if len(intake.missing) > NAMES_SHOWN else ""
        say(err, f"{len(intake.missing)} did not hand in: {names}{more}")
