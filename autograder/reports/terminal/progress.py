"""The progress of a command: a bar on a terminal; anywhere else a plain line for each step, and an
occasional one within a long step.

The rate is that of the last few minutes. Stored results take no time; they count as done, but
neither towards the rate nor the time left. When a batch is resumed, stored submissions come in
any order, so the time left is shown once some have been run, and is then an upper bound.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Column

RECENT_S = 180.0  # the window of the rate
FEW = 3  # there is no rate below this many submissions that were run
EVERY_S, EVERY_SHARE = 10.0, 0.05  # between two plain lines: whichever is later
BAD = ("ungraded", "rejected")
WIDE = 100  # columns that have room for elapsed time and a long bar too


@runtime_checkable
class _Outcome(Protocol):
    """What is known of a submission that is done."""

    @property
    def fresh(self) -> bool: ...
    @property
    def grade(self) -> _Status: ...


class _Status(Protocol):
    @property
    def status(self) -> str: ...


@dataclass(slots=True)
class Pace:
    """Counts what is done, and how fast. ``clock`` gives seconds."""

    total: int
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    bad: Counter[str] = field(default_factory=Counter)
    _begun: float = field(init=False)
    _runs: deque[float] = field(default_factory=deque)  # when those that were run were done

    def __post_init__(self) -> None:
        self._begun = self.clock()

    def count(self, part: object) -> None:
        """One more is done."""
        self.done += 1
        fresh = True
        if isinstance(part, _Outcome):
            fresh = part.fresh
            if part.grade.status in BAD:
                self.bad[part.grade.status] += 1
        if fresh:  # what was stored is in no rate
            self._runs.append(self.clock())

    def per_minute(self) -> float | None:
        """Submissions run per minute in the recent past; None while there are too few."""
        now = self.clock()
        since = max(self._begun, now - RECENT_S)
        while self._runs and self._runs[0] < since:
            self._runs.popleft()
        if len(self._runs) < FEW or now <= since:
            return None
        return 60 * len(self._runs) / (now - since)

    def left_s(self) -> float | None:
        """Seconds until all is done, if nothing more is stored; None without a rate."""
        rate = self.per_minute()
        return None if not rate else 60 * max(self.total - self.done, 0) / rate

    def said(self) -> str:
        """Rate, time left and failures, as far as they are known."""
        rate, left = self.per_minute(), self.left_s()
        parts = [
            f"{rate:.0f}/min" if rate and rate >= 10 else f"{rate:.1f}/min" if rate else "",
            f"about {_span(left)} left" if left and self.done < self.total else "",
            *(f"{self.bad[name]} {name}" for name in BAD if self.bad[name]),
        ]
        return ", ".join(part for part in parts if part)


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if seconds < 60:
        return f"{max(5, round(seconds / 5) * 5)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes // 60} h {minutes % 60:02} min"


class Bar:
    """The current step and how much of it is done."""

    def __init__(
        self,
        shown: Progress,
        console: Console,
        doing: str = "Starting",
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shown, self._console, self._clock = shown, console, clock
        self._task = shown.add_task(doing, total=None, said="")
        self.pace = Pace(0, clock)
        self._what = ""
        self._told = (clock(), 0)

    def report(self, what: str, total: int) -> None:
        """Start the next step, ``what``, with ``total`` parts."""
        self.pace, self._what = Pace(total, self._clock), what
        self._told = (self._clock(), 0)
        self._shown.reset(self._task, description=what, total=total, said="")
        if total and not self._console.is_terminal:
            self._print(f"{what} ({total:,}) ..." if total > 1 else f"{what} ...")

    def done(self, part: object) -> None:
        """One part is done."""
        self.pace.count(part)
        said = self.pace.said()
        self._shown.update(self._task, advance=1, said=said)
        if not self._console.is_terminal:
            self._line(said)

    def _line(self, said: str) -> None:
        at, before = self._told
        pace = self.pace
        due = self._clock() - at >= EVERY_S and pace.done - before >= EVERY_SHARE * pace.total
        if due and pace.done < pace.total:
            self._told = (self._clock(), pace.done)
            verb = "graded" if self._what == "Grading" else f"{self._what.lower()}:"
            self._print(f"{verb} {pace.done} of {pace.total}" + (f", {said}" if said else ""))

    def _print(self, text: str) -> None:
        self._console.print(text, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def progress(
    console: Console, doing: str = "", clock: Callable[[], float] = time.monotonic
) -> Iterator[Bar]:
    """A one-line bar that disappears at the end; without a terminal, plain lines: first ``doing``,
    if given, then one for each step."""
    if doing and not console.is_terminal:
        console.print(f"{doing} ...", markup=False, highlight=False, soft_wrap=True)
    wide = console.width >= WIDE
    columns = (
        TextColumn("{task.description}", table_column=Column(no_wrap=True)),
        BarColumn(bar_width=40 if wide else 10),
        MofNCompleteColumn(),
        *((TimeElapsedColumn(),) if wide else ()),
        TextColumn(
            "{task.fields[said]}",
            markup=False,
            table_column=Column(no_wrap=True, overflow="ellipsis"),
        ),
    )
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as shown:
        yield Bar(shown, console, doing or "Starting", clock)
