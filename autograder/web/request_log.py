"""What is known about requests: counts and times for metrics, and a line of JSON for each one.

A request is named by its route, never by its path, which has the ids of students.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from prometheus_client import CollectorRegistry, Gauge, Histogram, generate_latest

BOUNDS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)


@dataclass
class RequestLog:
    """Counts requests; ``write`` gets a line for each, if there is one."""

    write: Callable[[str], object] | None = None
    _registry: CollectorRegistry = field(default_factory=CollectorRegistry)

    def __post_init__(self) -> None:
        self._seconds = Histogram(
            "autograder_request_seconds",
            "Requests that were answered, by route and status",
            ("method", "route", "status"),
            registry=self._registry,
            buckets=BOUNDS_S,
        )

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that was answered."""
        self._seconds.labels(method, route, str(status)).observe(seconds)
        if self.write is not None:
            line = {
                "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "method": method,
                "route": route,
                "status": status,
                "ms": round(1000 * seconds, 1),
            }
            self.write(json.dumps(line))

    def text(self, jobs: Mapping[tuple[str, str], int], waits_s: float) -> str:
        """Prometheus' text format, with the number of jobs by assignment and state, and for how
        long the oldest one has waited."""
        now = CollectorRegistry()
        counts = Gauge(
            "autograder_jobs", "Attempts by state", ("assignment", "state"), registry=now
        )
        for labels, count in jobs.items():
            counts.labels(*labels).set(count)
        oldest = Gauge(
            "autograder_oldest_wait_seconds", "The longest wait in the queue", registry=now
        )
        oldest.set(waits_s)
        return (generate_latest(self._registry) + generate_latest(now)).decode()
