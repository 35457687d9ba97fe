"""The timings of a class, read back from its metrics file.

Quantiles are estimated from a histogram's buckets as Prometheus' ``histogram_quantile`` does:
linear within a bucket, whose lower bound is that of the one before (0 for the first); beyond the
last bucket, its bound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from autograder.classroom.metrics.recorder import (
    HAND_INS,
    LAST_FINISHED,
    MIB,
    PEAK_MEMORY,
    PHASE_SECONDS,
    PHASES,
    QUEUE,
    QUEUE_LENGTH,
    RUNS,
    SOURCES,
    STATUSES,
)
from autograder.errors import StoreError, UsageError

MEDIAN, HIGH = 0.5, 0.95


class Phase(msgspec.Struct, frozen=True):
    """Seconds of one phase over ``count`` submissions. ``share``: of the total of all phases but
    the queue, in which submissions wait at the same time; None for the queue."""

    phase: str
    count: int
    total_s: float
    mean_s: float
    median_s: float
    p95_s: float
    share: float | None


class PeakMemory(msgspec.Struct, frozen=True):
    """The most memory that runs held, in MiB."""

    count: int
    mean: float
    median: float
    p95: float


class Timings(msgspec.Struct, frozen=True, kw_only=True):
    """What one command took. ``finished``: when its last submission was done, seconds since
    1970."""

    format: Literal["autograder-timings/1"] = "autograder-timings/1"
    assignment: str
    phases: tuple[Phase, ...]
    hand_ins: dict[str, int]
    runs: dict[str, int]
    waiting: int
    finished: float | None
    peak_memory_mb: PeakMemory | None


@dataclass(frozen=True, slots=True)
class Buckets:
    """A histogram: ascending upper bounds, the last one infinite, each with how many values do
    not exceed it; and the sum of all values."""

    bounds: tuple[float, ...]
    counts: tuple[float, ...]
    total: float

    @property
    def count(self) -> int:
        return int(self.counts[-1]) if self.counts else 0

    def quantile(self, share: float) -> float:
        """The estimate of the value that this share of them does not exceed; NaN of none."""
        if not self.count:
            return float("nan")
        rank = share * self.counts[-1]
        at = next(i for i, count in enumerate(self.counts) if count >= rank)
        if at == len(self.bounds) - 1:
            return self.bounds[at - 1] if at else float("nan")
        low, before = (self.bounds[at - 1], self.counts[at - 1]) if at else (0.0, 0.0)
        inside = self.counts[at] - before
        part = (rank - before) / inside if inside else 0.0
        return low + (self.bounds[at] - low) * part


def read_timings(path: Path, assignment: str) -> Timings:
    """What a metrics file says of an assignment. Raises ``UsageError`` where there is none,
    ``StoreError`` when it cannot be read."""
    try:
        text = path.read_text("utf-8")
        samples = (s for family in text_string_to_metric_families(text) for s in family.samples)
        own = [s for s in samples if s.labels.get("assignment") == assignment]
        if not any(s.name == f"{HAND_INS}_total" for s in own):
            raise ValueError(f"it contains no timings of {assignment}")
        return _timings(own, assignment)
    except FileNotFoundError:
        raise UsageError(
            f"{path} does not exist: this class was graded without timings; `autograder grade` "
            "writes them"
        ) from None
    # guard: a damaged metrics file is told of
    except (OSError, ValueError, LookupError, ArithmeticError) as bad:
        raise StoreError(
            f"{path}: cannot be read ({bad}); `autograder grade` writes it again"
        ) from None


def _timings(samples: Iterable[Sample], assignment: str) -> Timings:
    by_name: dict[str, list[Sample]] = {}
    for sample in samples:
        by_name.setdefault(sample.name, []).append(sample)
    found = {phase: _buckets(by_name, PHASE_SECONDS, {"phase": phase}) for phase in PHASES}
    work = sum(one.total for phase, one in found.items() if phase != QUEUE)
    memory = _buckets(by_name, PEAK_MEMORY, {})
    waiting, finished = (by_name.get(name, []) for name in (QUEUE_LENGTH, LAST_FINISHED))
    return Timings(
        assignment=assignment,
        phases=tuple(_phase(phase, one, work) for phase, one in found.items() if one.count),
        hand_ins=_counts(by_name, HAND_INS, "status", STATUSES),
        runs=_counts(by_name, RUNS, "from", SOURCES),
        waiting=int(waiting[0].value) if waiting else 0,
        finished=finished[0].value if finished else None,
        peak_memory_mb=_memory(memory) if memory.count else None,
    )


def _phase(phase: str, found: Buckets, work: float) -> Phase:
    share = None if phase == QUEUE else found.total / work if work else 0.0
    return Phase(
        phase,
        found.count,
        round(found.total, 6),
        round(found.total / found.count, 6),
        round(found.quantile(MEDIAN), 6),
        round(found.quantile(HIGH), 6),
        share if share is None else round(share, 4),
    )


def _memory(found: Buckets) -> PeakMemory:
    values = (found.total / found.count, found.quantile(MEDIAN), found.quantile(HIGH))
    return PeakMemory(found.count, *(round(value / MIB, 1) for value in values))


def _counts(
    by_name: Mapping[str, list[Sample]], name: str, label: str, known: Sequence[str]
) -> dict[str, int]:
    found = {s.labels[label]: int(s.value) for s in by_name.get(f"{name}_total", [])}
    return {one: found.get(one, 0) for one in known}


def _buckets(by_name: Mapping[str, list[Sample]], name: str, labels: Mapping[str, str]) -> Buckets:
    def of(suffix: str) -> list[Sample]:
        found = by_name.get(f"{name}_{suffix}", [])
        return [s for s in found if labels.items() <= s.labels.items()]

    pairs = sorted((float(s.labels["le"]), s.value) for s in of("bucket"))
    bounds, counts = tuple(bound for bound, _ in pairs), tuple(count for _, count in pairs)
    return Buckets(bounds, counts, sum(s.value for s in of("sum")))


def timings_json(timings: Timings) -> str:
    """The timings as JSON, one line for each entry."""
    return msgspec.json.format(msgspec.json.encode(timings), indent=2).decode() + "\n"
