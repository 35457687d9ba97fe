"""Commands about the machine: doctor, bench, redteam."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from autograder.bench.endurance import Endurance, endure
from autograder.bench.queue import queue_bench
from autograder.bench.regrade import regrade_bench
from autograder.bench.run import run_bench
from autograder.bench.scale import Scale, scale_bench
from autograder.bench.soak import soak as run_soak
from autograder.bench.table import queue_table, regrade_table, soak_table
from autograder.bench.table import table as bench_table
from autograder.bench.tables_of_scale import endurance_table, scale_table
from autograder.classroom import box_for, make_setting, prepare_reference
from autograder.commands.console import CORES, JsonFlag, Workers, err, out
from autograder.engines.local import Local
from autograder.redteam.attack import choose, find_attacks, read_attacks
from autograder.redteam.findings import findings
from autograder.redteam.run import temporary_run
from autograder.report.attacks import attacks_view
from autograder.report.health import health_view
from autograder.report.progress import progress
from autograder.sandbox.doctor import examine_machine
from autograder.spec.load import find, load
from autograder.spec.pretrained import prepare


class Reach(StrEnum):
    """Levels of isolation that are attacked."""

    strong = "strong"
    medium = "medium"
    all = "all"


def doctor(as_json: JsonFlag = False) -> None:
    """Say how well student code can be isolated here, and what is missing."""
    health = examine_machine()
    if as_json:
        out.out(json.dumps(health, indent=2))
    else:
        out.print(health_view(health))
    if health["level"] not in ("strong", "medium"):
        raise typer.Exit(1)


def bench(
    assignment: Annotated[str, typer.Argument(help="Whose solution is run.")] = (
        "embeddings-and-position"
    ),
    rounds: Annotated[int, typer.Option(min=1, help="Interleaved rounds.")] = 7,
    figures: Annotated[int, typer.Option(min=0, help="Figures that the notebook draws.")] = 2,
    count: Annotated[int, typer.Option(min=2, help="Hand-ins for one worker against two.")] = 12,
    soak: Annotated[
        int, typer.Option(min=0, help="Grade so many instead, and watch the grader's memory.")
    ] = 0,
    regrade: Annotated[
        int,
        typer.Option(min=0, help="Store so many hand-ins instead, and time `regrade` over them."),
    ] = 0,
    queue: Annotated[
        int, typer.Option(min=0, help="Grade a queue of so many tiny hand-ins instead.")
    ] = 0,
    distinct: Annotated[int, typer.Option(min=1, help="Different contents in the queue.")] = 200,
    scale: Annotated[
        bool, typer.Option("--scale", help="Compare --engine with this machine instead.")
    ] = False,
    minutes: Annotated[
        float, typer.Option(min=0, help="Grade class after class for so long, and see what grows.")
    ] = 0,
    where: Annotated[
        str, typer.Option("--engine", help="For --scale and --minutes: as for grade.")
    ] = "dask",
    workers: Workers = CORES,
    as_json: JsonFlag = False,
) -> None:
    """Measure the grader against plain execution and nbconvert, in one interleaved run."""
    if scale or minutes:
        loaded = load(find(assignment, Path.cwd()))
        with progress(err) as bar:
            compared: Scale | Endurance = (
                scale_bench(
                    loaded, engine=where, workers=workers, count=count, rounds=rounds,
                    report=bar.report,
                )
                if scale
                else endure(
                    loaded, engine=where, workers=workers, minutes=minutes, lap=count,
                    report=bar.report,
                )
            )  # fmt: skip
        if as_json:
            out.out(json.dumps(compared.plain(), indent=2))
        elif isinstance(compared, Scale):
            out.print(scale_table(compared))
        else:
            out.print(endurance_table(compared))
        if isinstance(compared, Endurance) and compared.grown():
            raise typer.Exit(1)
        return
    if queue:
        with tempfile.TemporaryDirectory() as folder, progress(err) as bar:
            queued = queue_bench(
                Path(folder), count=queue, distinct=distinct, workers=CORES,
                report=bar.report, done=bar.done,
            )  # fmt: skip
        out.out(json.dumps(queued.plain(), indent=2)) if as_json else out.print(queue_table(queued))
        if not (queued.accounted and queued.flat):
            raise typer.Exit(1)
        return
    loaded = load(find(assignment, Path.cwd()))
    if regrade:
        with tempfile.TemporaryDirectory() as folder, progress(err) as bar:
            times = regrade_bench(
                loaded, Path(folder), Local(CORES), count=regrade, workers=CORES, report=bar.report
            )
        plain = [asdict(one) for one in times]
        out.out(json.dumps(plain, indent=2)) if as_json else out.print(regrade_table(times))
        return
    offer = prepare(loaded)
    with (
        tempfile.TemporaryDirectory() as folder,
        progress(err) as bar,
        box_for(loaded, offer, require="weak") as box,
    ):
        setting = make_setting(loaded, offer, box, seed=1, draw=False, evidence=Path(folder))
        prepared = prepare_reference(setting, Local(CORES), bar.report)
        if soak:
            samples = run_soak(prepared, box.box(), count=soak, workers=CORES, report=bar.report)
            plain = [asdict(sample) for sample in samples]
            out.out(json.dumps(plain, indent=2)) if as_json else out.print(soak_table(samples))
            return
        found = run_bench(
            prepared, box.box(), rounds=rounds, figures=figures, count=count, report=bar.report
        )
    out.out(json.dumps(found, indent=2)) if as_json else out.print(bench_table(found))


def redteam(
    assignment: Annotated[str, typer.Argument(help="On whose notebooks the attacks stand.")] = (
        "embeddings-and-position"
    ),
    attacks: Annotated[
        Path | None, typer.Option(help="A folder of attacks; tests/attacks if absent.")
    ] = None,
    level: Annotated[Reach, typer.Option(help="All that this machine reaches.")] = Reach.all,
    only: Annotated[str, typer.Option(help="One class of attacks, or one attack.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Attack the grader on this machine, with planted secrets; status 1 if one gets through."""
    chosen = choose(read_attacks(find_attacks(attacks, Path.cwd())), only)
    loaded = load(find(assignment, Path.cwd()))
    with progress(err) as bar:
        rounds = temporary_run(
            loaded, prepare(loaded), chosen, level.value, report=bar.report, done=bar.done
        )
    found = findings(rounds)
    out.out(json.dumps(found, indent=2)) if as_json else out.print(attacks_view(found))
    if not found["held"]:
        raise typer.Exit(1)
