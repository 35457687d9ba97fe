"""How long each phase of grading a class took, from the timing in each student's result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil
from statistics import fmean, median
from typing import Literal

import msgspec

from autograder.gradebook.grade import Grade

# what a phase is called, and the field of a result's timing that holds its seconds
PHASES = {
    "queue": "queued",
    "fork": "fork",
    "cells": "cells",
    "calls": "calls",
    "transit": "transit",
    "judge": "judged",
    "store": "store",
}


class Quantiles(msgspec.Struct, frozen=True):
    """Mean, median and 95th percentile (nearest rank) of ``count`` values."""

    count: int
    mean: float
    median: float
    p95: float


class Phase(msgspec.Struct, frozen=True):
    """Seconds of one phase. ``share``: of the total of all phases except the queue, in which
    submissions wait at the same time; None for the queue."""

    phase: str
    total_s: float
    seconds: Quantiles
    share: float | None


class Timings(msgspec.Struct, frozen=True):
    """``statuses``: how many submissions have each; ``peak_memory_mb``: of their runs, in MiB."""

    phases: tuple[Phase, ...]
    statuses: dict[str, int]
    peak_memory_mb: Quantiles | None
    format: Literal["autograder-timings/2"] = "autograder-timings/2"


def timings_of(grades: Sequence[Grade]) -> Timings:
    """The timings of a class. Submissions that were never run, such as unreadable ones, count in
    ``statuses`` alone."""
    ran = [grade.timing for grade in grades if grade.timing.run]
    seconds = {name: [getattr(timing, field) for timing in ran] for name, field in PHASES.items()}
    if not any(seconds["transit"]):  # there was no cluster
        del seconds["transit"]
    work = sum(sum(values) for name, values in seconds.items() if name != "queue")
    return Timings(
        tuple(_phase(name, values, work) for name, values in seconds.items() if ran),
        dict(sorted(Counter(grade.status for grade in grades).items())),
        _quantiles([timing.peak_mb for timing in ran]) if ran else None,
    )


def _phase(name: str, values: Sequence[float], work: float) -> Phase:
    share = None if name == "queue" else round(sum(values) / work, 4) if work else 0.0
    return Phase(name, round(sum(values), 3), _quantiles(values), share)


def _quantiles(values: Sequence[float]) -> Quantiles:
    high = sorted(values)[ceil(0.95 * len(values)) - 1]
    return Quantiles(len(values), round(fmean(values), 3), round(median(values), 3), high)


def timings_json(timings: Timings) -> str:
    """The timings as JSON, one line for each entry."""
    return msgspec.json.format(msgspec.json.encode(timings), indent=2).decode()
