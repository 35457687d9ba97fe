"""A runner that is observed while it works: the evidence so far is judged and passed on.

Covered: the result of a finished cell or call is reported within about a second, even while the
next one loops; looking takes a bounded share of the time; a run never exceeds the time left, if
that is bounded; a fault in judging part of a run ends the looks at it, and nothing else.
"""

from __future__ import annotations

import contextlib
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import msgspec

from autograder.evidence.records import Run
from autograder.evidence.stops import TOO_MUCH
from autograder.grading.context import GradingContext
from autograder.grading.partial_grade import verdicts_so_far
from autograder.judging.verdict import Verdict
from autograder.notebook.structure.locate import Located
from autograder.sandbox.account import SHARE as SIMULATED_SHARE
from autograder.wire.messages import Job

EVERY_S = 0.5
SHARE = 4  # seconds of work for each second of looking

NOWHERE = Located((), {})

Tell = Callable[[Sequence[Verdict], Run], None]
HARDLY = 0.5  # share of the time on the clock


class WatchableRunner(Protocol):
    """A runner that passes on the evidence so far while a job runs."""

    def run(self, job: Job, *, watch: Callable[[Run], None] | None = None) -> Run: ...
    def accepts(self, level: str) -> bool: ...


def _unbounded() -> float:
    return math.inf


@dataclass(slots=True)
class WatchedBox:
    """Runs jobs in ``box`` for at most ``left()`` seconds; ``tell``, if given, receives the
    verdicts so far of the first job. Further jobs concern only some checks, and draw nothing.
    ``share``: seconds of work for each second of looking."""

    box: WatchableRunner
    context: GradingContext
    expected: Run
    left: Callable[[], float] = _unbounded
    located: Located = NOWHERE  # of the submission that is run
    tell: Tell | None = None
    share: float = SHARE

    def run(self, job: Job) -> Run:
        """Run a job; raises ``SandboxError``. Nothing is reported after it has returned."""
        wall_s = max(self.left(), EVERY_S)
        # A run on Gradescope ends before the limit.
        if wall_s < job.limits.submission_wall_s:
            limits = msgspec.structs.replace(job.limits, submission_wall_s=round(wall_s, 1))
            job = msgspec.structs.replace(job, limits=limits)
        # A further job is not looked at while it runs.
        tell, self.tell = self.tell, None
        # A further job is not taken for the first one, which was stored.
        if tell is None or job.draw != self.context.draw:
            return self.box.run(job)
        with _looks(partial(self._look, job, tell), self.share) as newest:
            # What there is so far is told while a run goes on.
            return self.box.run(job, watch=newest)

    def accepts(self, level: str) -> bool:
        return self.box.accepts(level)

    def _look(self, job: Job, tell: Tell, run: Run) -> None:
        if not self.context.alone and lacked_time(run):
            return  # it is made again
        tell(verdicts_so_far(self.context, job, self.located, run, self.expected), run)


@contextlib.contextmanager
def _looks(look: Callable[[Run], None], share: float) -> Iterator[Callable[[Run], None]]:
    """A function that takes the newest run; ``look`` gets it soon after, in another thread."""
    newest: deque[Run] = deque(maxlen=1)
    over = threading.Event()

    def work() -> None:
        pause = EVERY_S
        while not over.wait(pause):
            begun = time.monotonic()
            try:
                if newest:
                    look(newest.pop())
            except Exception:  # noqa: BLE001  it is judged again when it is complete
                return
            pause = max(EVERY_S, share * (time.monotonic() - begun))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    try:
        yield newest.append
    finally:
        over.set()
        thread.join()


def lacked_time(run: Run) -> bool:
    """Whether the clock stopped something that had used hardly any processor time until then: on a
    busy machine that is a fault of the machine, and a run without company shows which it was.

    Covered: cells and calls, the whole notebook, the share of calls with a simulated accelerator.
    Not covered: who sleeps looks the same, and is stopped again in the second run. Where processor
    time cannot be read (outside Linux), every stop by the clock looks the same.
    """
    limits = run.measured.limits
    ended = [(cell.stop, cell.spent, limits.cell_wall_s) for cell in run.cells]
    ended += [(probe.stop, probe.spent, limits.call_wall_s) for probe in run.probes]
    return _whole_run_lacked_time(run) or any(
        stop is not None
        and stop.cause == "wall"
        # What has other limits, or was stopped by the end of the run, took less.
        and spent.cpu_s < HARDLY * min(limit_s, spent.wall_s)
        for stop, spent, limit_s in ended
    )


def _whole_run_lacked_time(run: Run) -> bool:
    """Whether all of the notebook's time was up, or that of its simulated calls."""
    whole_s, measured = run.measured.limits.submission_wall_s, run.measured
    limits_s = [
        whole_s * SIMULATED_SHARE if stop == TOO_MUCH else whole_s
        for stop in run.stops
        if stop.cause in ("wall", "budget")
    ]
    # A run whose answers are too large stops earlier.
    return any(
        measured.wall_s >= limit_s and measured.cpu_s < HARDLY * limit_s for limit_s in limits_s
    )
