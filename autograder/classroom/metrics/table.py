"""The timings of a class for a terminal, as a rich renderable. Nothing is printed here."""

from __future__ import annotations

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from autograder.classroom.metrics.timings import Timings

TIGHT, NARROW = 58, 100  # columns of a terminal: below the first, not all numbers find room
MEANING = {
    "queue": "waiting in the queue",
    "fork": "starting the processes",
    "cells": "the notebook's cells",
    "calls": "reads, calls, figures and tests",
    "transit": "cluster scheduling and network",
    "judge": "judging and diagnosis",
    "store": "looking for evidence and saving it",
}
NOTE = (
    "Per submission. Shares are of the total without the queue, where submissions wait in "
    "parallel. A stored run counts with the time it took when it was made."
)
_UNITS = ((1.0, 1000.0, "ms"), (120.0, 1.0, "s"), (7200.0, 1 / 60, "min"))


class TimingTable:
    """One row for each phase, and below it what was counted; the columns follow the width of the
    terminal, and on a wide one each phase is explained."""

    def __init__(self, timings: Timings) -> None:
        self._timings = timings

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        counts = self._timings.statuses
        if not counts:
            yield Text("No submission is finished yet.")
            return
        yield self._table(options.max_width)
        yield Text()
        statuses = ", ".join(f"{count} {status}" for status, count in counts.items())
        yield Text(f"{sum(counts.values())} submissions: {statuses}")
        memory = self._timings.peak_memory_mb
        if memory is not None:
            yield Text(
                f"peak memory: mean {memory.mean:.0f} MiB, "
                f"median {memory.median:.0f}, 95 % {memory.p95:.0f}"
            )
        yield Text(NOTE, style="dim")

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
            seconds = phase.seconds
            total, mean, median, high = map(
                duration, (phase.total_s, seconds.mean, seconds.median, seconds.p95)
            )
            share = "–" if phase.share is None else f"{phase.share:.0%}"
            sums = (str(seconds.count), total, mean) if full else (total,)
            what = (MEANING[phase.phase],) if wide else ()
            table.add_row(phase.phase, *sums, median, high, share, *what)
        return table


def duration(seconds: float) -> str:
    """A time in the unit that suits it: milliseconds, seconds, minutes or hours."""
    for below, factor, unit in _UNITS:
        if seconds < below:
            return f"{_short(seconds * factor)} {unit}"
    return f"{_short(seconds / 3600)} h"


def _short(number: float) -> str:
    return f"{number:.1f}" if number < 10 else f"{number:.0f}"
