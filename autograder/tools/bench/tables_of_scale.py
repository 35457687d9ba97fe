"""The output of `autograder bench --scale` and `--minutes`, as tables."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from autograder.tools.bench.endurance import COUNTED, Endurance
from autograder.tools.bench.scale import Scale

SHOWN = 16  # laps in the table


def scale_table(found: Scale) -> RenderableType:
    """Both ways side by side, then what the cluster costs by itself."""
    table = Table(
        title=f"{found.count} submissions per round, {len(found.rounds)} rounds, "
        f"{found.workers} workers each way",
        title_justify="left",
    )
    table.add_column("")
    table.add_column("local", justify="right")
    table.add_column(found.engine, justify="right")
    for name, here, there in (
        ("until the first job is done, s", found.start_here_s, found.start_there_s),
        ("submissions per minute", found.per_minute("here"), found.per_minute("there")),
        ("processor of the grader for each, ms", found.cpu_ms("here"), found.cpu_ms("there")),
    ):
        table.add_row(name, f"{here:.1f}", f"{there:.1f}")
    ratios = sorted(one.here_s / one.there_s for one in found.rounds)
    return Group(
        table,
        Text(
            f"Throughput on {found.engine} over local: {found.ratio:.2f} "
            f"({ratios[0]:.2f} to {ratios[-1]:.2f})"
        ),
        Text(
            f"An empty task with the bytes of a submission ({found.job_kb:.0f} KiB there, "
            f"{found.run_kb:.0f} KiB back): {found.echo_ms:.1f} ms alone, "
            f"{1000 / found.echoes_per_s:.1f} ms each with all under way"
            if found.echoes_per_s
            else "There is no cluster to ask for empty tasks"
        ),
    )


def endurance_table(found: Endurance) -> RenderableType:
    """Some of the laps, and whether anything grew."""
    table = Table(
        title=f"Class after class on {found.engine} with {found.workers} workers",
        title_justify="left",
    )
    for column in ("min", "graded", "a minute", "yardstick s", *COUNTED, "grader MB", "below MB"):
        table.add_column(column, justify="right")
    step = max(1, len(found.laps) // SHOWN)
    total = 0
    for number, lap in enumerate(found.laps, start=1):
        total += lap.graded
        if number % step == 0 or number == len(found.laps):
            counts = [str(getattr(lap, name)) for name in COUNTED]
            table.add_row(
                f"{lap.at_s / 60:.1f}",
                str(total),
                f"{lap.per_minute:.1f}",
                f"{lap.yardstick_s:.2f}",
                *counts,
                f"{lap.grader_mb:.0f}",
                f"{lap.children_mb:.0f}",
            )
    grown = ", ".join(f"{name} by {amount:g}" for name, amount in found.grown().items())
    return Group(
        table,
        Text(
            f"Throughput in the last sixth of the time over the first: {found.ratio():.3f} in the "
            f"time that the yardstick took then, {found.clocked_ratio():.3f} by the clock"
        ),
        Text(f"Grown since it was warm: {grown or 'nothing'}"),
    )
