"""The command `grade`: a class from what came in to results, feedback and a gradebook."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from autograder.assignment.load import load
from autograder.assignment.pretrained import left_out, prepare
from autograder.classroom.boxes import site_of
from autograder.classroom.grade_class import ClassGrader, ClassGrades
from autograder.classroom.gradebook_of_class import where_is
from autograder.classroom.known_mistakes import NONE_READY, WorkProgress
from autograder.classroom.metrics.exposed import Exposed, wanted_file
from autograder.classroom.metrics.recorder import Recorder
from autograder.classroom.personal import with_personal
from autograder.classroom.personal_values import read_secret
from autograder.classroom.placement import place_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import ResultsFolder, RunFile
from autograder.classroom.seed_pool import pool_of
from autograder.commands.conclusion import as_recorded, conclude, show_class
from autograder.commands.console import (
    CORES,
    AssignmentArg,
    DevicesOption,
    DrawnSeedOption,
    EvidenceOption,
    JsonFlag,
    RequiredLevel,
    SubmissionsArg,
    UrlOption,
    Workers,
    err,
    names,
    say,
    say_now,
)
from autograder.commands.watch_files import changes_under, looks_of
from autograder.errors import UsageError
from autograder.evidence.object_store import store_at, tried_out
from autograder.evidence.url import written_down
from autograder.execution.engines.local import HERE
from autograder.execution.interrupts import Interrupted, Interrupts, saying
from autograder.gradebook.visible import one_line
from autograder.interop.arrange import arrange
from autograder.interop.downloads.accounts import OWN
from autograder.interop.downloads.unmatched import FILE, WhoseFiles, read_matches, write_unmatched
from autograder.interop.intake import Download, Intake, roster_in, take_in
from autograder.interop.received import check_nobody_lost
from autograder.reports.feedback.words import plural
from autograder.reports.terminal.progress import Bar, progress

WATCHED_EVERY_S = 2.0
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
    paths: SubmissionsArg,
    folder: Annotated[
        Path, typer.Option("--out", help="Results folder; an interrupted run continues there.")
    ],
    roster: Annotated[
        Path | None, typer.Option(help="Roster as CSV; shows who did not submit.")
    ] = None,
    match: Annotated[
        Path | None,
        typer.Option(help="The sheet unmatched.csv of an earlier run, with students filled in."),
    ] = None,
    platform: Annotated[PlatformName, typer.Option(help="Platform that the download is from.")] = (
        PlatformName.auto
    ),
    attempts: Annotated[RuleName, typer.Option(help="Which of several attempts counts.")] = (
        RuleName.last
    ),
    timezone: Annotated[
        str,
        typer.Option(help="Time zone for timestamps that do not state one, e.g. Europe/Berlin."),
    ] = "",
    url: UrlOption = "",
    watch: Annotated[
        bool,
        typer.Option(
            "--watch", help="Keep running and grade new files as they arrive; stop with Ctrl-C."
        ),
    ] = False,
    workers: Workers = CORES,
    where: Annotated[
        str,
        typer.Option("--engine", help="local, dask, dask://host:port, or a cluster's .toml file."),
    ] = HERE,
    seed: DrawnSeedOption = None,
    require: Annotated[
        RequiredLevel, typer.Option(help="Refuse to run with less isolation than this.")
    ] = RequiredLevel.medium,
    figures: Annotated[
        bool, typer.Option("--figures/--no-figures", help="Draw figures for the feedback.")
    ] = True,
    devices: DevicesOption = "auto",
    evidence: EvidenceOption = "",
    metrics: Annotated[
        Path | None,
        typer.Option(help="Also write timings to this *.prom file."),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Grade a class: results, feedback pages, a gradebook and a table."""
    asked = Interrupts(partial(say_now, err))
    loaded = load(assignment)
    people = roster_in(roster)
    whose: WhoseFiles = read_matches(match, people) if match is not None else {}
    also = [wanted_file(metrics)] if metrics is not None else []

    chosen = None if platform is PlatformName.auto else platform.value
    download = Download(paths, chosen, timezone)  # type: ignore[arg-type]

    def taken() -> Intake:
        return take_in(download, loaded.spec, roster=people, attempts=attempts.value, whose=whose)

    looked = looks_of(paths)
    intake = taken()
    if not intake.hand_ins and not watch:
        where = ", ".join(map(str, paths))
        nothing = f"no notebook (.ipynb, .py, .Rmd, .qmd or .md) in {where}"
        raise UsageError("\n".join((nothing, *map(one_line, intake.notes), *_counted(intake))))
    workspace = ResultsFolder(folder)
    if loaded.spec.personal:
        read_secret(loaded)  # an error is better now than after the known mistakes
    offer = prepare(loaded)
    for line in left_out(loaded, offer):
        say(err, line)
    _tell_of_evidence(workspace, evidence)
    kept_at = workspace.evidence_at(evidence)
    hide = [folder, *tried_out(kept_at), *(p if p.is_dir() else p.parent for p in paths)]
    site = site_of(loaded, offer, require=require.value, hide=hide)
    with (
        asked,
        saying(lambda: "stopped: nothing was graded", asked),
        workspace.held(),
        place_for(where, loaded.spec, site, devices=devices, workers=workers) as place,
        asked.then_closing(),  # a class that is graded cleans up whole
    ):
        there, ready = place.devices, NONE_READY
        if seed is None and not workspace.is_begun:
            drawn = pool_of(loaded, offer).take(store_at(kept_at))
            if drawn is not None:
                seed, ready = drawn.seed, drawn.mistakes
        run = workspace.begin(
            RunFile(
                "autograder-run/1",
                assignment=loaded.spec.id,
                folder=str(loaded.folder),
                seed=workspace.seed(seed),
                draw=figures,
                devices=there.names,
                gradebook=url,
                evidence=evidence,
            )
        )
        if there.note:
            say(err, there.note)
        context = make_context(
            loaded,
            offer,
            place.runner,
            seed=run.seed,
            draw=run.draw,
            evidence=kept_at,
            devices=there,
            arrange=arrange,
        )
        with progress(err) as bar:
            prepared = prepare_reference(context, place.engine, bar.report, ready=ready)
            prepared = with_personal(prepared)

        timings = Exposed(Recorder(loaded.spec.id), [workspace.metrics, *also], partial(say, err))
        grader = ClassGrader(
            prepared,
            workspace,
            place.engine,
            command=as_recorded(evidence, url),
            where=where_is(workspace, url),
            recorder=timings.recorder,
            stop=asked.stop,
        )

        def graded_now(intake: Intake) -> ClassGrades:
            total = len(intake.hand_ins)
            asked.finish(_finishing)
            with progress(err) as bar, saying(lambda: _kept(bar, total), asked), timings:
                graded = grader.grade(intake, WorkProgress(bar.report, bar.done))
            # What is lost is announced at the end of grade.
            lost = check_nobody_lost(intake, workspace)
            _tell(intake, workspace, lost)
            _ask_whose(intake, workspace.folder / FILE, whose)
            return replace(graded, lost=lost)

        graded = graded_now(intake)
        if watch:
            show_class(graded, as_json=as_json)
            try:
                asked.finish(None)
                asked.end_if_asked()
                for _ in changes_under(paths, every_s=WATCHED_EVERY_S, since=looked):
                    intake = taken()
                    graded = graded_now(intake)
                    show_class(graded, as_json=as_json)
                    asked.finish(None)
                    asked.end_if_asked()
            except Interrupted as stopped:
                if stopped.number != signal.SIGINT:
                    raise
                say(err, str(stopped) or "stopped watching")
            return
        conclude(graded, as_json=as_json)
        asked.end_if_asked(
            "stopped: all submissions are graded and saved, and the gradebook is written"
        )


def _ask_whose(intake: Intake, sheet: Path, whose: WhoseFiles) -> None:
    """Write the sheet of submissions that match nobody in the roster, and say what to do."""
    if not intake.unmatched:
        return
    unknown = sum(not one.students for one in intake.unmatched)
    again = f"run the same command with --match {shlex.quote(str(sheet))}"
    if not write_unmatched(sheet, intake.unmatched, intake.roster, whose):
        say(err, f"note: {sheet} was filled in and is left as it is; {again}")
    elif unknown:
        what = plural(unknown, "submission")
        say(err, f"note: {what} of nobody in the roster: fill in {sheet}, then {again}")


def _finishing(under_way: int) -> str:
    what = f"{under_way} in progress are" if under_way else "the class's files are"
    how = "finished" if under_way else "written"
    return f"stopping: {what} being {how}; press Ctrl-C again to stop immediately"


def _kept(bar: Bar, total: int) -> str:
    """The message about a class that was stopped: what is saved, and how to continue."""
    return (
        f"stopped: {bar.pace.done} of {total} are graded and saved; run the same command again to "
        "continue. gradebook.csv and summary.json were not written: they always cover the whole "
        "class"
    )


def _tell_of_evidence(workspace: ResultsFolder, wanted: str) -> None:
    """Print a note if the class's evidence so far is in another place than ``wanted``."""
    if not wanted or not workspace.is_begun:
        return
    before = written_down(str(workspace.evidence_at()))
    if (now := written_down(wanted)) != before:
        say(
            err,
            f"note: this class's evidence is in {before} and is not used with --evidence {now}: "
            "submissions whose evidence is not there as well are run again",
        )


def _counted(intake: Intake) -> Iterator[str]:
    """A note with the number of files that were skipped without being listed."""
    own = sum(one.why == OWN for one in intake.passed)
    counts = {"of operating systems and editors": intake.noise, "of the platform itself": own}
    if skipped := [f"{plural(count, 'file')} {whose}" for whose, count in counts.items() if count]:
        yield f"also skipped: {' and '.join(skipped)}."


def _tell(intake: Intake, workspace: ResultsFolder, lost: Sequence[str]) -> None:
    """Print what an instructor must know about the files that came in."""
    for note in (*intake.notes[:NOTES_SHOWN], *_counted(intake)):
        say(err, f"note: {one_line(note)}")
    if len(intake.notes) > NOTES_SHOWN:
        say(err, f"note: {len(intake.notes) - NOTES_SHOWN} more notes in {workspace.intake}")
    for what in lost[:NOTES_SHOWN]:
        say(err, f"NOT ACCOUNTED FOR: {one_line(what)}")
    if lost:
        say(err, f"{len(lost)} not accounted for, please check: {workspace.intake}")
    if intake.missing:
        say(err, f"{len(intake.missing)} did not submit: {names(intake.missing)}")
