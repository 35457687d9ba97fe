"""Whether a run was stopped by the clock although it had hardly computed: on a busy machine that is
a fault of the machine, and a run without company shows which it was.

Covered: cells and calls, the whole notebook, the share of calls with a simulated accelerator. Not
covered: who sleeps looks the same, and is stopped again in the second run. Where a process's
processor time cannot be read (outside Linux), every stop by the clock looks the same.
"""

from __future__ import annotations

from autograder.evidence.records import Run
from autograder.evidence.stops import TOO_MUCH
from autograder.sandbox.account import SHARE

HARDLY = 0.5  # share of the time on the clock


def lacked_time(run: Run) -> bool:
    """Whether the clock stopped something that had used hardly any processor time until then."""
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
        whole_s * SHARE if stop == TOO_MUCH else whole_s
        for stop in run.stops
        if stop.cause in ("wall", "budget")
    ]
    # A run whose answers are too large stops earlier.
    return any(
        measured.wall_s >= limit_s and measured.cpu_s < HARDLY * limit_s for limit_s in limits_s
    )
