"""What grading a class takes, as counters and histograms for Prometheus: no submission is
remembered.

Covered: names of students and files, and whatever is in a submission: no label holds any of it.
Not covered: submissions that ended without a grade because of a fault of the grader; their runs are
not counted.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from autograder.errors import UsageError
from autograder.evidence.records import Measured
from autograder.grading.timing import NOTHING, Timing

if TYPE_CHECKING:  # it would bring torch along, and tables of timings need none
    from autograder.grading.context import GradedSubmission

QUEUE, FORK, CELLS, CALLS, TRANSIT, JUDGE, STORE = PHASES = (
    "queue",
    "fork",
    "cells",
    "calls",
    "transit",
    "judge",
    "store",
)
STATUSES = ("graded", "rejected", "ungraded")
BOX, STORED = SOURCES = ("box", "store")

SHARED = "PROMETHEUS_MULTIPROC_DIR"

PHASE_SECONDS = "autograder_phase_seconds"
HAND_INS = "autograder_hand_ins"  # _total
RUNS = "autograder_runs"  # _total
PEAK_MEMORY = "autograder_run_peak_memory_bytes"
QUEUE_LENGTH = "autograder_queue_length"
LAST_FINISHED = "autograder_last_finished_timestamp_seconds"

SECONDS = (
    0.001,
    0.002,
    0.005,
    0.01,
    0.02,
    0.05,
    0.1,
    0.2,
    0.5,
    1,
    2,
    5,
    10,
    20,
    30,
    60,
    120,
    300,
    900,
    3600,
    14400,
)  # the last ones for the queue of a large class
MIB = 1024**2
PEAKS_MIB = (
    128,
    192,
    256,
    320,
    384,
    448,
    512,
    640,
    768,
    1024,
    1536,
    2048,
    3072,
    4096,
    8192,
    16384,
    32768,
)
BYTES = tuple(peak * MIB for peak in PEAKS_MIB)


class Recorder:
    """Takes every outcome of one assignment as it is done. Its size does not grow with them."""

    def __init__(self, assignment: str) -> None:
        """Raises ``UsageError`` where the library would mix in what other processes count."""
        if SHARED in os.environ:
            raise UsageError(
                f"{SHARED} is set: unset it, because it mixes in the numbers of other processes"
            )
        registry = CollectorRegistry()
        own = ("assignment",)
        phases = Histogram(
            PHASE_SECONDS,
            "Wall-clock seconds of grading a submission, by phase.",
            (*own, "phase"),
            buckets=SECONDS,
            registry=registry,
        )
        hand_ins = Counter(HAND_INS, "Submissions finished.", (*own, "status"), registry=registry)
        runs = Counter(
            RUNS,
            "Runs of submissions: made in the sandbox now, or taken from the evidence store.",
            (*own, "from"),
            registry=registry,
        )
        memory = Histogram(
            PEAK_MEMORY,
            "Peak memory of a run made now.",
            own,
            buckets=BYTES,
            registry=registry,
        )
        queue = Gauge(QUEUE_LENGTH, "Submissions not yet finished.", own, registry=registry)
        self._last = Gauge(
            LAST_FINISHED, "When the last submission was finished.", own, registry=registry
        )
        self._assignment, self._registry = assignment, registry
        self._phases = {phase: phases.labels(assignment, phase) for phase in PHASES}
        self._hand_ins = {status: hand_ins.labels(assignment, status) for status in STATUSES}
        self._runs = {source: runs.labels(assignment, source) for source in SOURCES}
        self._memory, self._queue = memory.labels(assignment), queue.labels(assignment)
        self._storing: dict[str, float] = {}  # seconds, of those under way
        self._lock = threading.Lock()  # what is written is of one moment

    def expect(self, count: int) -> None:
        """So many submissions are to be done now."""
        with self._lock:
            self._queue.set(count)

    @contextmanager
    def storing(self, student: str) -> Iterator[None]:
        """Something of a submission's outcome is written; from any thread."""
        begun = time.monotonic()
        try:
            yield
        finally:
            self.stored(student, time.monotonic() - begun)

    def stored(self, student: str, seconds: float) -> None:
        """Writing something of a submission's outcome took so long."""
        self._storing[student] = self._storing.get(student, 0.0) + seconds

    def record(self, graded: GradedSubmission) -> None:
        """A submission is done, and written."""
        outcomes = graded.attempts or (graded,)
        took = sum((tried.took for outcome in outcomes for tried in outcome.tries), NOTHING)
        # What is under way is forgotten when it is done.
        stored_s = self._storing.pop(graded.grade.student, 0.0)
        queued = [outcome.grade.timing.queued for outcome in outcomes if outcome.tries]
        with self._lock:
            self._phases[STORE].observe(stored_s + took.store_s)
            if queued:
                self._phases[QUEUE].observe(queued[0])
                self._phases[JUDGE].observe(took.judge_s)
            self._count_runs(took)
            self._hand_ins[graded.grade.status].inc()
            self._queue.dec()
            self._last.labels(self._assignment).set_to_current_time()

    def _count_runs(self, took: Timing) -> None:
        """Stored runs were measured when they were made, so only their number counts."""
        self._runs[BOX].inc(len(took.made))
        self._runs[STORED].inc(len(took.stored))
        for run in took.made:  # the memory of a stored run is not counted again
            self._memory.observe(run.peak_mb * MIB)
        for phase, seconds in _parts(took.made):  # a stored run is no run of now
            self._phases[phase].observe(seconds)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        with self._lock:
            return generate_latest(_Current(self._registry))


def _parts(made: tuple[Measured, ...]) -> Iterator[tuple[str, float]]:
    """The phases of a submission's runs, with the seconds of all runs together."""
    if not made:
        return
    yield FORK, sum(run.fork_s for run in made)
    yield CELLS, sum(run.cells_s for run in made)
    yield CALLS, sum(run.calls_s for run in made)
    transit = sum(run.transit_s for run in made)
    if transit:  # only where there is a cluster
        yield TRANSIT, transit


class _Current(Collector):
    """What a registry holds, without the times at which each series began."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._registry = registry

    def collect(self) -> Iterable[Metric]:
        for metric in self._registry.collect():
            metric.samples = [s for s in metric.samples if not s.name.endswith("_created")]
            yield metric
