"""A class on a cluster's workers against the same class on this machine, interleaved in one run.

Every round grades the same number of new submissions both ways, in turn; ratios are taken within a
round. Both are warm before the first round, and both have the same number of workers.
Covered: whole submissions, from cells to written pages; what the cluster costs when nothing is run.
Not covered: a network between machines, unless ``engine`` names a scheduler elsewhere.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import site_of
from autograder.classroom.known_mistakes import Report
from autograder.classroom.placement import Placement, place_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import HERE, Local
from autograder.files import scratch_folder
from autograder.grading.context import PreparedClass
from autograder.grading.job import make_job
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.tools.bench.measure import BenchOptions, ClassTime, bench_submission, class_time
from autograder.wire.messages import Job

Echo = Callable[[bytes, int], bytes]
ECHOES = 200


@dataclass(frozen=True, slots=True)
class ScaleRound:
    """Seconds for the class each way, and the processor seconds of the grader's own process."""

    here_s: float
    there_s: float
    here_cpu_s: float
    there_cpu_s: float


@dataclass(frozen=True, slots=True)
class Scale:
    """The measurements: ``count`` submissions per round with ``workers`` workers. ``start_*``:
    seconds until the first job was done. ``echo_ms``: an empty task of a job's and a run's size,
    one at a time; ``echoes_per_s``: with as many at once as while grading."""

    engine: str
    workers: int
    count: int
    job_kb: float
    run_kb: float
    start_here_s: float
    start_there_s: float
    echo_ms: float
    echoes_per_s: float
    rounds: tuple[ScaleRound, ...]

    def plain(self) -> dict[str, Any]:
        """The measurements and the values derived from them, for JSON."""
        ways = ("here", "there")
        return {
            **asdict(self),
            "ratio": self.ratio,
            "per_minute": {way: self.per_minute(way) for way in ways},
            "grader_cpu_ms": {way: self.cpu_ms(way) for way in ways},
        }

    @property
    def ratio(self) -> float:
        """Throughput there over throughput here, the median of the rounds."""
        return statistics.median(r.here_s / r.there_s for r in self.rounds)

    def per_minute(self, which: str) -> float:
        """Submissions per minute, "here" or "there"."""
        times: list[float] = [getattr(r, f"{which}_s") for r in self.rounds]
        return 60 * self.count / statistics.median(times)

    def cpu_ms(self, which: str) -> float:
        """Processor time of the grader's own process for one submission, in milliseconds."""
        spent: list[float] = [getattr(r, f"{which}_cpu_s") for r in self.rounds]
        return 1000 * statistics.median(spent) / self.count


def scale_bench(loaded: Loaded, options: BenchOptions, report: Report) -> Scale:
    """Measure the engine against this machine. Raises ``UsageError``, ``SandboxError``."""
    engine, workers, count = options.engine, options.workers, options.count
    offer = prepare(loaded)
    site = site_of(loaded, offer, require="weak")
    with (
        scratch_folder() as folder,
        place_for(HERE, loaded.spec, site, devices="none", workers=workers) as here,
        place_for(engine, loaded.spec, site, devices="none", workers=workers) as there,
    ):
        context = make_context(loaded, offer, here.runner, seed=1, draw=True, evidence=folder)
        submission = read(loaded.solution)
        job, _ = make_job(context, submission)
        report("Starting both", 2)
        start_here, start_there = _seconds(here, job), _seconds(there, job)
        prepared = prepare_reference(context, Local(workers), report)
        small = bench_submission(submission, prepared, figures=2)
        report("Grading both ways", options.rounds)
        ways = (("here", here), ("there", there))
        measured = tuple(
            _round(prepared, small, ways[::-1] if number % 2 else ways, count)
            for number in range(options.rounds)
        )
        body, size = msgspec.msgpack.encode(job), len(msgspec.msgpack.encode(here.runner.run(job)))
        one, many = _echoes(there, body, size)
    return Scale(
        engine,
        workers,
        count,
        len(body) / 1024,
        size / 1024,
        start_here,
        start_there,
        one,
        many,
        measured,
    )


def _seconds(place: Placement, job: Job) -> float:
    started = time.monotonic()
    place.runner.run(job)
    return time.monotonic() - started


def _round(
    prepared: PreparedClass,
    submission: Submission,
    ways: Iterable[tuple[str, Placement]],
    count: int,
) -> ScaleRound:
    took: dict[str, ClassTime] = {}
    for name, place in ways:
        ours = replace(prepared, context=replace(prepared.context, runner=place.runner))
        took[name] = class_time(ours, submission, count, place.engine)
    here, there = took["here"], took["there"]
    return ScaleRound(here.wall_s, there.wall_s, here.cpu_s, there.cpu_s)


def _echoes(place: Placement, body: bytes, size: int) -> tuple[float, float]:
    """Milliseconds for an empty task alone, and tasks per second with as many at once as usual."""
    echo: Echo | None = getattr(place.runner, "echo", None)
    if echo is None:
        return 0.0, 0.0
    times = []
    for _ in range(ECHOES // 4):
        started = time.monotonic()
        echo(body, size)
        times.append(time.monotonic() - started)
    started = time.monotonic()
    with ThreadPoolExecutor(place.engine.workers) as pool:
        for future in [pool.submit(echo, body, size) for _ in range(ECHOES)]:
            future.result()
    return 1000 * statistics.median(times), ECHOES / (time.monotonic() - started)
