"""The timings of a class for a terminal, as a rich renderable. Nothing is printed here."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from autograder.classroom.metrics.recorder import CALLS, CELLS, FORK, JUDGE, QUEUE, STORE, TRANSIT
from autograder.classroom.metrics.timings import Timings

TIGHT, NARROW = 58, 100  # columns of a terminal: below the first, not all numbers find room
MEANING = {
    QUEUE: "waiting in the queue",
    FORK: "starting the processes",
    CELLS: "the notebook's cells",
    CALLS: "reads, calls, figures and tests",
    TRANSIT: "cluster scheduling and network",
    JUDGE: "judging and diagnosis",
    STORE: "evidence, result, page, gradebook",
}
ESTIMATED = (
    "Per submission. The median and the 95th percentile are estimated from histogram buckets, as "
    "histogram_quantile does. Shares are of the total without the queue, where submissions wait "
    "in parallel."
)
OF_THEN = "Stored runs were made earlier: their fork, cells and calls are not counted."
_UNITS = ((1.0, 1000.0, "ms"), (120.0, 1.0, "s"), (7200.0, 1 / 60, "min"))


class TimingTable:
    """One row for each phase, and below it what was counted; the columns follow the width of the
    terminal, and on a wide one each phase is explained."""

    def __init__(self, timings: Timings) -> None:
        self._timings = timings

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not any(self._timings.hand_ins.values()):
            yield Text("No submission is finished yet.")
            return
        yield self._table(options.max_width)
        yield Text()
        for line in self._said():
            yield Text(line)
        yield Text(ESTIMATED, style="dim")
        if self._timings.runs.get("store"):
            yield Text(OF_THEN, style="dim")

    def _table(self, width: int) -> Table:
        full, wide = width >= TIGHT, width >= NARROW
        table = Table(box=None, pad_edge=False, header_style="bold", expand=False)
        table.add_column("phase", no_wrap=True)
        names = ("total", "median", "95 %", "share")
        for name in ("count", "total", "mean", "median", "95 %", "share") if full else names:
            table.add_column(name, justify="right", no_wrap=True)
        if wide:
            table.add_column("what", style="dim", no_wrap=True)
        for phase in self._timings.phases:
            total, mean, median, high = map(
                duration, (phase.total_s, phase.mean_s, phase.median_s, phase.p95_s)
            )
            share = "–" if phase.share is None else f"{phase.share:.0%}"
            sums = (str(phase.count), total, mean) if full else (total,)
            what = (MEANING[phase.phase],) if wide else ()
            table.add_row(phase.phase, *sums, median, high, share, *what)
        return table

    def _said(self) -> Iterator[str]:
        found = self._timings
        done = ", ".join(f"{count} {status}" for status, count in found.hand_ins.items() if count)
        yield f"{sum(found.hand_ins.values())} submissions: {done}" + (
            f"; {found.waiting} not yet finished" if found.waiting else ""
        )
        yield f"runs: {found.runs.get('box', 0)} made, {found.runs.get('store', 0)} stored"
        memory = found.peak_memory_mb
        if memory is not None:
            yield (
                f"peak memory: mean {memory.mean:.0f} MiB, "
                f"median {memory.median:.0f}, 95 % {memory.p95:.0f}"
            )


def duration(seconds: float) -> str:
    """A time in the unit that suits it: milliseconds, seconds, minutes or hours."""
    for below, factor, unit in _UNITS:
        if seconds < below:
            return f"{_short(seconds * factor)} {unit}"
    return f"{_short(seconds / 3600)} h"


def _short(number: float) -> str:
    return f"{number:.1f}" if number < 10 else f"{number:.0f}"
