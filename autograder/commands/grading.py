"""Commands over a graded class: regrade, show, report."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from autograder.book import open_book, where_is
from autograder.class_page import class_page
from autograder.classroom import box_for, make_setting, stored_devices
from autograder.commands.conclusion import conclude
from autograder.commands.console import (
    CORES,
    DevicesOption,
    EvidenceOption,
    JsonFlag,
    ResultsArg,
    UrlOption,
    Workers,
    as_recorded,
    confirmed,
    err,
    out,
    say,
    say_now,
)
from autograder.engines.local import Local
from autograder.errors import UsageError
from autograder.files import write_atomic
from autograder.interrupts import Interrupts, saying
from autograder.metrics.table import TimingTable
from autograder.metrics.timings import read_timings, timings_json
from autograder.object_store import tried_out
from autograder.regrade import judged_again
from autograder.regrade import write as write_again
from autograder.report.moves import moved_grades, moves_table
from autograder.report.progress import progress
from autograder.report.terminal import class_table, student_view
from autograder.spec.load import find, load
from autograder.spec.pretrained import prepare
from autograder.workspace import Workspace

WRITING = "stopping: the grades are being written; press Ctrl-C again to stop at once"
HALF_WRITTEN = "stopped in the middle of writing; the same command writes the rest"


def regrade(
    folder: ResultsArg,
    workers: Workers = CORES,
    devices: DevicesOption = "auto",
    url: UrlOption = "",
    evidence: EvidenceOption = "",
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before writing.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Judge a graded class again from stored evidence; runs no student code."""
    workspace = Workspace(folder)
    run = workspace.open_run()
    loaded = load(find(run.folder, Path.cwd()))
    where = where_is(workspace, url)
    engine, offer = Local(workers), prepare(loaded)
    kept_at = workspace.evidence_at(evidence)
    hide = [folder, *tried_out(kept_at)]
    with (
        Interrupts(partial(say_now, err)) as asked,
        saying(lambda: "stopped: nothing was written", asked),
        workspace.held(),
        stored_devices(loaded, offer, devices, run.devices, hide=hide) as there,
        box_for(loaded, offer, require="weak", hide=hide) as box,
        asked.then_closing(),
    ):
        setting = make_setting(
            loaded, offer, box, seed=run.seed, draw=run.draw,
            evidence=kept_at, devices=there,
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
        asked.finish(lambda _: WRITING)
        with saying(lambda: HALF_WRITTEN, asked), progress(err) as bar:
            graded = write_again(
                judged, workers=workers, command=as_recorded(evidence, url),
                report=bar.report, done=bar.done,
            )  # fmt: skip
        conclude(graded, as_json=as_json)
        asked.end_if_asked("stopped: all is written")


def show(
    folder: ResultsArg,
    student: Annotated[str, typer.Argument(help="Show this student's checks.")] = "",
    timings: Annotated[
        bool, typer.Option("--timings", help="Show what grading the class took, by phase.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Show the class, or one student's checks."""
    workspace = Workspace(folder)
    run = workspace.open_run()
    if timings:
        if student:
            raise UsageError("--timings are the whole class's: leave the student out")
        found = read_timings(workspace.metrics, run.assignment)
        out.out(timings_json(found), end="") if as_json else out.print(TimingTable(found))
        return
    with open_book(folder) as book:
        grades, standings = book.grades(), book.standings()
    if not student:
        text = workspace.summary.read_text() if as_json else ""
        out.out(text, end="") if as_json else out.print(class_table(grades, standings))
        return
    chosen = [g for g in grades if g.student == student]
    if not chosen:
        known = ", ".join(g.student for g in grades[:20])
        raise UsageError(f"{folder} has no student {student!r}; there are: {known}")
    if as_json:
        out.out(workspace.result(student).read_text(), end="")
    else:
        out.print(student_view(chosen[0], next(s for s in standings if s.student == student)))


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
