"""Whether grading can go on for ever: class after class for so many minutes, and what is left.

Between two classes, when nothing runs, everything is counted that could grow: descriptors,
threads, processes, mounts, files in the temporary folder, memory.
Not covered: a machine that does something else meanwhile, which the throughput shows.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.bench.measure import bench_submission, class_seconds
from autograder.classroom import Report, make_setting, prepare_reference
from autograder.elsewhere import place_for
from autograder.engines.local import Local
from autograder.files import scratch_folder
from autograder.notebook.read import read
from autograder.spec.load import Loaded
from autograder.spec.pretrained import prepare
from autograder.traces import descendants, resident_mb

WINDOW = 1 / 6  # of the time, at its beginning and at its end, in which throughput is compared
WARM = WINDOW  # what is taken and kept until then is no growth
MEMORY_SLACK = 0.02  # of all memory, and a little for Python's own arenas
MEMORY_SLACK_MB = 16.0


@dataclass(frozen=True, slots=True)
class Lap:
    """One class: when it ended, in seconds from the start, how many hand-ins, how many seconds
    they took, and what there was afterwards. ``children_mb``: resident memory of the processes
    below the grader, pages that they share counted in each."""

    at_s: float
    graded: int
    seconds: float
    descriptors: int
    threads: int
    processes: int
    mounts: int
    files: int
    grader_mb: float
    children_mb: float

    @property
    def per_minute(self) -> float:
        return 60 * self.graded / self.seconds


COUNTED = ("descriptors", "threads", "processes", "mounts", "files")


@dataclass(frozen=True, slots=True)
class Endurance:
    """All laps, and what follows from them."""

    engine: str
    workers: int
    laps: tuple[Lap, ...]

    def plain(self) -> dict[str, Any]:
        """All of it, and what follows from it, for JSON."""
        return {**asdict(self), "ratio": self.ratio(), "grown": self.grown()}

    def ratio(self) -> float:
        """Throughput in the last sixth of the time over that in the first."""
        end = self.laps[-1].at_s
        first = [lap for lap in self.laps if lap.at_s <= end * WINDOW] or [self.laps[0]]
        last = [lap for lap in self.laps if lap.at_s > end * (1 - WINDOW)]
        return _rate(last) / _rate(first)

    def grown(self) -> dict[str, float]:
        """By how much each count is higher at the end than when all was warm; memory in MB, where
        it is more than noise."""
        warm = next(lap for lap in self.laps if lap.at_s >= WARM * self.laps[-1].at_s)
        last = self.laps[-1]
        found = {name: getattr(last, name) - getattr(warm, name) for name in COUNTED}
        for name in ("grader_mb", "children_mb"):
            before, after = getattr(warm, name), getattr(last, name)
            slack = max(MEMORY_SLACK_MB, MEMORY_SLACK * before)
            found[name] = round(after - before, 1) if after - before > slack else 0
        return {name: amount for name, amount in found.items() if amount > 0}


def endure(
    loaded: Loaded, *, engine: str, workers: int, minutes: float, lap: int, report: Report
) -> Endurance:
    """Grade classes of ``lap`` new hand-ins for so long. Raises ``UsageError``,
    ``SandboxError``."""
    offer = prepare(loaded)
    laps: list[Lap] = []
    with (
        scratch_folder() as folder,
        place_for(engine, loaded, offer, devices="none", require="weak", workers=workers) as place,
    ):
        setting = make_setting(
            loaded, offer, place.runner, seed=1, draw=False, evidence=folder
        )
        prepared = prepare_reference(setting, Local(workers), report)
        submission = bench_submission(read(loaded.solution), prepared, figures=0)
        report(f"Grading for {minutes:g} minutes", round(minutes))
        started = time.monotonic()
        while not laps or laps[-1].at_s < 60 * minutes:
            with scratch_folder() as one:  # so no class finds another's evidence
                seconds = class_seconds(prepared, submission, one, lap, place.engine)
            laps.append(_lap(time.monotonic() - started, lap, seconds))
    return Endurance(engine, workers, tuple(laps))


def _lap(at_s: float, graded: int, seconds: float) -> Lap:
    below = descendants(os.getpid())
    return Lap(
        round(at_s, 1), graded, round(seconds, 2),
        descriptors=_entries("/proc/self/fd"), threads=_entries("/proc/self/task"),
        processes=len(below), mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
        files=_entries(tempfile.gettempdir()), grader_mb=round(resident_mb(), 1),
        children_mb=round(sum(resident_mb(pid) for pid, _ in below), 1),
    )  # fmt: skip


def _entries(folder: str) -> int:
    return sum(1 for _ in Path(folder).iterdir())


def _rate(laps: Sequence[Lap]) -> float:
    return sum(lap.graded for lap in laps) / sum(lap.seconds for lap in laps)
