"""What grading one submission took: the measurements of its runs, and the time spent around
them."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.evidence.records import Measured
from autograder.gradebook.grade import GradeTiming


@dataclass(frozen=True, slots=True)
class Timing:
    """``made``: measurements of each run that was made just now; ``stored``: of each that was
    stored already, with its original seconds. ``judge_s`` and ``store_s`` are wall-clock seconds:
    judging with diagnosis, and looking up and saving evidence."""

    made: tuple[Measured, ...] = ()
    stored: tuple[Measured, ...] = ()
    judge_s: float = 0.0
    store_s: float = 0.0

    def __add__(self, other: Timing) -> Timing:
        return Timing(
            self.made + other.made,
            self.stored + other.stored,
            self.judge_s + other.judge_s,
            self.store_s + other.store_s,
        )


NOTHING = Timing()


def timing_of(took: Timing, *, queued_s: float, peak_mb: float) -> GradeTiming:
    """The timing as written in a result, where a stored run counts with its original seconds."""
    runs = took.made + took.stored
    return GradeTiming(
        queued=round(queued_s, 3),
        run=round(sum(run.wall_s for run in runs), 3),
        judged=round(took.judge_s, 3),
        peak_mb=round(peak_mb, 1),
        fork=round(sum(run.fork_s for run in runs), 3),
        cells=round(sum(run.cells_s for run in runs), 3),
        calls=round(sum(run.calls_s for run in runs), 3),
        transit=round(sum(run.transit_s for run in runs), 3),
        store=round(took.store_s, 3),
    )
