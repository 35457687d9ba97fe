"""The command `bench`: what grading costs on this machine or on a cluster, and what grows."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.classroom.boxes import box_for
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.reference import make_context, prepare_reference
from autograder.commands.console import CORES, JsonFlag, UrlOption, Workers, err, out
from autograder.errors import AutograderError
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.reports.terminal.progress import Bar, progress
from autograder.tools.bench.endurance import endure
from autograder.tools.bench.measure import BenchOptions
from autograder.tools.bench.overview import GOALS, SpeedLine, overview, overview_table
from autograder.tools.bench.queue import queue_bench
from autograder.tools.bench.regrade import regrade_bench
from autograder.tools.bench.run import run_bench
from autograder.tools.bench.rush import rush as run_rush
from autograder.tools.bench.rush import rush_table
from autograder.tools.bench.scale import scale_bench
from autograder.tools.bench.soak import soak as run_soak
from autograder.tools.bench.table import findings, queue_table, regrade_table, soak_table
from autograder.tools.bench.table import table as bench_table
from autograder.tools.bench.tables_of_scale import endurance_table, scale_table

Found = tuple[Any, RenderableType, bool]  # as data, as a table, and whether all goals are met


def bench(
    assignment: Annotated[str, typer.Argument(help="The assignment whose solution is run.")] = (
        "embeddings-and-position"
    ),
    rounds: Annotated[int, typer.Option(min=1, help="Number of interleaved rounds.")] = 7,
    figures: Annotated[
        int, typer.Option(min=0, help="Number of figures that the notebook draws.")
    ] = 2,
    count: Annotated[int, typer.Option(min=2, help="Number of submissions in a class.")] = 12,
    soak: Annotated[
        int, typer.Option(min=0, help="Instead, grade this many and report the grader's memory.")
    ] = 0,
    regrade: Annotated[
        int,
        typer.Option(min=0, help="Instead, store this many submissions and time `regrade`."),
    ] = 0,
    queue: Annotated[
        int, typer.Option(min=0, help="Instead, grade a queue of this many tiny submissions.")
    ] = 0,
    distinct: Annotated[
        int, typer.Option(min=1, help="Number of distinct submissions in the queue.")
    ] = 200,
    rush: Annotated[
        int, typer.Option(min=0, help="Instead, let this many students hand in to `serve`.")
    ] = 0,
    kills: Annotated[
        int, typer.Option(min=0, help="Kills of the server or worker during --rush.")
    ] = 0,
    scale: Annotated[
        bool, typer.Option("--scale", help="Instead, compare --engine with this machine.")
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help="Instead, measure everything in docs/speed.md.")
    ] = False,
    minutes: Annotated[
        float,
        typer.Option(
            min=0,
            help="Instead, grade class after class for this many minutes and report what grows; "
            "with --rush, within how many minutes students hand in (5).",
        ),
    ] = 0,
    where: Annotated[
        str, typer.Option("--engine", help="Engine for --scale and --minutes, as for `grade`.")
    ] = "dask",
    workers: Workers = CORES,
    url: UrlOption = "",
    as_json: JsonFlag = False,
) -> None:
    """Compare the grader with plain execution and nbconvert, interleaved in one run.

    Options that begin with "Instead" select another measurement.
    """
    loaded = load(find(assignment, Path.cwd())) if not queue else None
    options = BenchOptions(where, workers, count, rounds, figures)
    with scratch_folder() as folder, progress(err) as bar:
        if every:
            found = _promised(bar, rounds=rounds, regraded=regrade or 2000, workers=workers)
        elif loaded is None:
            found = _queue(folder, bar, count=queue, distinct=distinct, workers=workers)
        elif scale:
            compared = scale_bench(loaded, options, bar.report)
            found = compared.plain(), scale_table(compared), True
        elif rush:
            rushed = run_rush(
                loaded,
                folder,
                students=rush,
                over_s=60 * (minutes or 5),
                kills=kills,
                url=url,
                progress=WorkProgress(bar.report, bar.done),
            )
            found = rushed.plain(), rush_table(rushed), rushed.well
        elif minutes:
            endured = endure(loaded, options, minutes, bar.report)
            found = endured.plain(), endurance_table(endured), not endured.grown()
        elif regrade:
            times = regrade_bench(loaded, folder, count=regrade, workers=workers, report=bar.report)
            found = [asdict(time) for time in times], regrade_table(times), True
        else:
            found = _in_one_box(loaded, folder, bar, options, soak=soak)
    plain, table, well = found
    out.out(json.dumps(plain, indent=2)) if as_json else out.print(table)
    if not well:
        raise typer.Exit(1)


def _promised(bar: Bar, *, rounds: int, regraded: int, workers: int) -> Found:
    courses = [load(find(name, Path.cwd())) for name in GOALS]
    lines: list[SpeedLine] = []
    measured = overview(
        courses, rounds=rounds, regraded=regraded, workers=workers, report=bar.report
    )
    try:
        lines.extend(measured)
    except AutograderError:
        out.print(overview_table(lines))  # what has been measured so far
        raise
    return [line.plain() for line in lines], overview_table(lines), True


def _queue(folder: Path, bar: Bar, *, count: int, distinct: int, workers: int) -> Found:
    steps = WorkProgress(bar.report, bar.done)
    queued = queue_bench(folder, count=count, distinct=distinct, workers=workers, progress=steps)
    return queued.plain(), queue_table(queued), queued.accounted and queued.flat


def _in_one_box(
    loaded: Loaded, folder: Path, bar: Bar, options: BenchOptions, *, soak: int
) -> Found:
    workers = options.workers
    offer = prepare(loaded)
    with box_for(loaded, offer, require="weak") as box:
        context = make_context(loaded, offer, box, seed=1, draw=False, evidence=folder)
        prepared = prepare_reference(context, Local(workers), bar.report)
        if soak:
            samples = run_soak(prepared, box.box(), count=soak, workers=workers, report=bar.report)
            return [asdict(sample) for sample in samples], soak_table(samples), True
        found = findings(run_bench(prepared, box.box(), options, bar.report))
        return found, bench_table(found), True
