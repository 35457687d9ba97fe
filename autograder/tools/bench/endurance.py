"""Whether grading can go on forever: class after class for some minutes, and what grows meanwhile.

Between two classes, when nothing runs, everything that could grow is counted: descriptors,
threads, processes, mounts, files in the temporary folder, memory. The speed of a shared machine
varies; so new processes do a fixed piece of work between two classes, and throughput is measured
in submissions per time that this work takes.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import site_of
from autograder.classroom.known_mistakes import Report
from autograder.classroom.placement import place_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.notebook.formats.read import read
from autograder.sandbox.leftovers import descendants, resident_mb
from autograder.tools.bench.measure import BenchOptions, bench_submission, class_time

WINDOW = 1 / 6  # of the time, at its beginning and at its end, in which throughput is compared
WARM = WINDOW  # what is allocated until then is not growth
MEMORY_SLACK = 0.02  # of all memory, and a little for Python's own arenas
MEMORY_SLACK_MB = 16.0
# objects, text, blocks of memory, and children that get pages of their own: as in grading
YARDSTICK = """
import hashlib, json, os, time, zlib
begun = time.perf_counter()
block = bytearray(bytes(range(256)) * 131072)
for turn in range(6):
    rows = [{"name": str(i), "value": [i * turn, i / 3]} for i in range(20000)]
    json.loads(json.dumps(rows))
    hashlib.sha256(block[:2**21]).digest()
    zlib.crc32(bytearray(block))
    child = os.fork()
    if not child:
        for page in range(0, len(block), 4096):
            block[page] = turn
        os._exit(0)
    os.waitpid(child, 0)
print(time.perf_counter() - begun)
"""


@dataclass(frozen=True, slots=True)
class Lap:
    """One class: when it ended, in seconds from the start, how many submissions, how many seconds
    they took, and the counts afterwards. ``yardstick_s``: seconds that the fixed work took just
    before and after it. ``children_mb``: resident memory of the processes below the grader, pages
    that they share counted in each."""

    at_s: float
    graded: int
    seconds: float
    yardstick_s: float
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
    """All laps, with the ratios and the growth that follow from them."""

    engine: str
    workers: int
    laps: tuple[Lap, ...]

    def plain(self) -> dict[str, Any]:
        """The laps and the values derived from them, for JSON."""
        ratios = {"ratio": self.ratio(), "clocked_ratio": self.clocked_ratio()}
        return {**asdict(self), **ratios, "grown": self.grown()}

    def ratio(self) -> float:
        """Throughput in the last sixth of the time over that in the first, each in the time that
        the fixed work took then."""
        first, last = self._ends()
        # A soak knows that the machine has become slower.
        return self.clocked_ratio() * _pace(last) / _pace(first)

    def clocked_ratio(self) -> float:
        """The ratio of throughputs by the clock alone."""
        first, last = self._ends()
        return _rate(last) / _rate(first)

    def _ends(self) -> tuple[list[Lap], list[Lap]]:
        end = self.laps[-1].at_s
        first = [lap for lap in self.laps if lap.at_s <= end * WINDOW] or [self.laps[0]]
        return first, [lap for lap in self.laps if lap.at_s > end * (1 - WINDOW)]

    def grown(self) -> dict[str, float]:
        """How much higher each count is at the end than when all was warm; memory in MB, if more
        than noise."""
        warm = next(lap for lap in self.laps if lap.at_s >= WARM * self.laps[-1].at_s)
        last = self.laps[-1]
        # A soak sees what is left open.
        found = {name: getattr(last, name) - getattr(warm, name) for name in COUNTED}
        for name in ("grader_mb", "children_mb"):
            before, after = getattr(warm, name), getattr(last, name)
            slack = max(MEMORY_SLACK_MB, MEMORY_SLACK * before)
            found[name] = round(after - before, 1) if after - before > slack else 0
        return {name: amount for name, amount in found.items() if amount > 0}


def endure(loaded: Loaded, options: BenchOptions, minutes: float, report: Report) -> Endurance:
    """Grade class after class of new submissions for ``minutes``. Raises ``UsageError``,
    ``SandboxError``."""
    count, workers = options.count, options.workers
    offer = prepare(loaded)
    site = site_of(loaded, offer, require="weak")
    laps: list[Lap] = []
    with (
        scratch_folder() as folder,
        place_for(options.engine, loaded.spec, site, devices="none", workers=workers) as place,
    ):
        context = make_context(loaded, offer, place.runner, seed=1, draw=False, evidence=folder)
        prepared = prepare_reference(context, Local(workers), report)
        submission = bench_submission(read(loaded.solution), prepared, figures=0)
        report(f"Grading for {minutes:g} minutes", round(minutes))
        started, before = time.monotonic(), yardstick_seconds(workers)
        while not laps or laps[-1].at_s < 60 * minutes:
            took = class_time(prepared, submission, count, place.engine, first=len(laps) * count)
            after = yardstick_seconds(workers)
            laps.append(_lap(time.monotonic() - started, count, took.wall_s, (before + after) / 2))
            before = after
    return Endurance(options.engine, workers, tuple(laps))


def yardstick_seconds(workers: int) -> float:
    """Seconds that the fixed work takes now, in ``workers`` new processes at once."""
    command = [sys.executable, "-I", "-S", "-c", YARDSTICK]
    running = [
        subprocess.Popen(command, stdout=subprocess.PIPE)  # noqa: S603  our own interpreter
        for _ in range(workers)
    ]
    return sum(float(one.communicate()[0]) for one in running) / workers


def _lap(at_s: float, graded: int, seconds: float, yardstick_s: float) -> Lap:
    below = descendants(os.getpid())
    return Lap(
        round(at_s, 1),
        graded,
        round(seconds, 2),
        round(yardstick_s, 3),
        descriptors=_entries("/proc/self/fd"),
        threads=_entries("/proc/self/task"),
        processes=len(below),
        mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
        files=_entries(tempfile.gettempdir()),
        grader_mb=round(resident_mb(), 1),
        children_mb=round(sum(resident_mb(pid) for pid, _ in below), 1),
    )


def _entries(folder: str) -> int:
    return sum(1 for _ in Path(folder).iterdir())


def _pace(laps: Sequence[Lap]) -> float:
    return sum(lap.yardstick_s for lap in laps) / len(laps)


def _rate(laps: Sequence[Lap]) -> float:
    return sum(lap.graded for lap in laps) / sum(lap.seconds for lap in laps)
