"""Commands over a class: grade, regrade, show."""

from __future__ import annotations

import sys
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.book import open_book, where_is
from autograder.class_page import class_page
from autograder.classroom import (
    ClassGrades,
    box_for,
    devices_for,
    grade_into,
    make_setting,
    prepare_reference,
    stored_devices,
)
from autograder.commands.console import (
    CORES,
    MAX_SEED,
    AssignmentArg,
    DevicesOption,
    JsonFlag,
    Require,
    ResultsArg,
    UrlOption,
    Workers,
    confirmed,
    err,
    out,
    say,
)
from autograder.elsewhere import HERE, runner_for
from autograder.engines.local import Local
from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.gradebook.store import GradeStore
from autograder.intake import Intake, roster_in, take_in
from autograder.regrade import judged_again
from autograder.regrade import write as write_again
from autograder.report.moves import moved_grades, moves_table
from autograder.report.progress import progress
from autograder.report.terminal import class_table, student_view
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
            _show(graded, as_json=as_json)
            with suppress(KeyboardInterrupt):
                for _ in changes_under(paths, every_s=WATCHED_EVERY_S, since=looked):
                    intake = taken()
                    graded = graded_now(intake)
                    _tell(intake)
                    _show(graded, as_json=as_json)
            return
    _conclude(graded, as_json=as_json)


def regrade(
    folder: ResultsArg,
    workers: Workers = CORES,
    devices: DevicesOption = "auto",
    url: UrlOption = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before writing.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Judge a graded class again from stored evidence; runs no student code."""
    workspace = Workspace(folder)
    run = workspace.open_run()
    loaded = load(find(run.folder, Path.cwd()))
    where = where_is(workspace, url)
    engine, offer = Local(workers), prepare(loaded)
    with (
        stored_devices(loaded, offer, devices, run.devices, hide=[folder]) as there,
        box_for(loaded, offer, require="weak", hide=[folder]) as box,
    ):
        setting = make_setting(
            loaded, offer, box, seed=run.seed, draw=run.draw, evidence=workspace.evidence,
            devices=there,
        )  # fmt: skip  # the solution and known mistakes may be new; hand-ins may not
        with progress(err) as bar:
            judged = judged_again(
                setting, workspace, engine, workers=workers, report=bar.report, done=bar.done,
                where=where,
            )  # fmt: skip
        (err if as_json else out).print(moves_table(judged.before, judged.grades))
        moved = len(moved_grades(judged.before, judged.grades))
        if moved and not confirmed(f"{moved} change. Write these grades?", yes=yes):
            raise typer.Exit(1)
        with progress(err) as bar:
            graded = write_again(
                judged, workers=workers, command=sys.argv[1:], report=bar.report, done=bar.done
            )
    _conclude(graded, as_json=as_json)


def show(
    folder: ResultsArg,
    student: Annotated[str, typer.Argument(help="Show this student's checks.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show the class, or one student's checks."""
    workspace = Workspace(folder)
    run = workspace.open_run()
    with GradeStore(where_is(workspace)) as store:
        grades = store.latest(run.assignment)
    if not student:
        text = workspace.summary.read_text() if as_json else ""
        out.out(text, end="") if as_json else out.print(class_table(grades))
        return
    chosen = [g for g in grades if g.student == student]
    if not chosen:
        known = ", ".join(g.student for g in grades[:20])
        raise UsageError(f"{folder} has no student {student!r}; there are: {known}")
    if as_json:
        out.out(workspace.result(student).read_text(), end="")
    else:
        out.print(student_view(chosen[0]))


def report(
    folder: ResultsArg,
    url: UrlOption = "",
) -> None:
    """Write DIR/class.html: what the class got wrong, how hard checks are, who is much alike."""
    with open_book(folder, url) as book:
        loaded = load(find(book.workspace.open_run().folder, Path.cwd()))
        page = class_page(book, loaded, ())
        target = book.workspace.folder / "class.html"
    write_atomic(target, page.encode("utf-8", "replace"))
    say(out, f"wrote {target}")


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


def _show(graded: ClassGrades, *, as_json: bool) -> None:
    if as_json:
        out.out(graded.workspace.summary.read_text(), end="")
    else:
        out.print(class_table(graded.grades))


def _conclude(graded: ClassGrades, *, as_json: bool) -> None:
    workspace = graded.workspace
    _show(graded, as_json=as_json)
    if not as_json:
        say(out, f"Gradebook  {workspace.gradebook}")
        say(out, f"Feedback   {workspace.folder / 'feedback'}")
        say(out, f"Results    {workspace.folder / 'results'}")
    weaker = {g.isolation.level for g in graded.grades} & {"medium", "weak", "none"}
    if weaker:
        say(
            err,
            f"note: isolation was only {', '.join(sorted(weaker))!r}; `autograder doctor` says "
            "what is missing, --require strong refuses to run without it",
        )
    ungraded = [g for g in graded.grades if g.status == "ungraded"]
    if ungraded:
        names = ", ".join(g.student for g in ungraded[:10])
        say(err, f"{len(ungraded)} ungraded, a person must look: {names}")
        raise typer.Exit(1)
