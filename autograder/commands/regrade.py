"""The command `regrade`."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_at, site_of, stored_devices
from autograder.classroom.gradebook_of_class import where_is
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.reference import make_context
from autograder.classroom.regrade.regrade import judged_again
from autograder.classroom.regrade.regrade import write as write_again
from autograder.classroom.results_folder import ResultsFolder
from autograder.commands.conclusion import as_recorded, conclude
from autograder.commands.console import (
    CORES,
    DevicesOption,
    EvidenceOption,
    JsonFlag,
    ResultsArg,
    UrlOption,
    Workers,
    confirmed,
    err,
    out,
    say_now,
)
from autograder.evidence.object_store import tried_out
from autograder.execution.engines.local import Local
from autograder.execution.interrupts import Interrupts, saying
from autograder.interop.arrange import arrange
from autograder.reports.terminal.moves import moved_grades, moves_table
from autograder.reports.terminal.progress import progress

WRITING = "stopping: the grades are being written; press Ctrl-C again to stop immediately"
HALF_WRITTEN = "stopped while writing; run the same command again to write the rest"


def regrade(
    folder: ResultsArg,
    workers: Workers = CORES,
    devices: DevicesOption = "auto",
    url: UrlOption = "",
    evidence: EvidenceOption = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before writing.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Judge a graded class again from stored evidence, without running student code."""
    workspace = ResultsFolder(folder)
    run = workspace.open_run()
    loaded = load(workspace.assignment_folder())
    where = where_is(workspace, url)
    engine, offer = Local(workers), prepare(loaded)
    kept_at = workspace.evidence_at(evidence)
    site = site_of(loaded, offer, require="weak", hide=[folder, *tried_out(kept_at)])
    with (
        Interrupts(partial(say_now, err)) as asked,
        saying(lambda: "stopped: nothing was written", asked),
        workspace.held(),
        stored_devices(site, devices, run.devices) as there,
        box_at(site) as box,
        asked.then_closing(),
    ):
        context = make_context(
            loaded,
            offer,
            box,
            seed=run.seed,
            draw=run.draw,
            evidence=kept_at,
            devices=there,
            arrange=arrange,
        )  # only the solution and known mistakes may be run; submissions may not
        with progress(err) as bar:
            steps = WorkProgress(bar.report, bar.done)
            judged = judged_again(context, workspace, engine, steps, where=where)
        (err if as_json else out).print(moves_table(judged.before, judged.grades))
        moved = len(moved_grades(judged.before, judged.grades))
        if moved and not confirmed(f"{moved} change. Write these grades?", yes=yes):
            raise typer.Exit(1)
        asked.finish(lambda _: WRITING)
        with saying(lambda: HALF_WRITTEN, asked), progress(err) as bar:
            steps = WorkProgress(bar.report, bar.done)
            graded = write_again(judged, engine, steps, command=as_recorded(evidence, url))
        conclude(graded, as_json=as_json)
        asked.end_if_asked("stopped: everything is written")
