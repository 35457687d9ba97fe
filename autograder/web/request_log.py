"""What is known about requests: counts and times for metrics, and a line of JSON for each one.

A request is named by its route, never by its path, which has the ids of students.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

BOUNDS_S = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)

_Key = tuple[str, str, int]


@dataclass
class RequestLog:
    """Counts requests; ``write`` gets a line for each, if there is one."""

    write: Callable[[str], object] | None = None
    _buckets: dict[_Key, list[int]] = field(
        default_factory=lambda: defaultdict(lambda: [0] * (len(BOUNDS_S) + 1))
    )
    _seconds: dict[_Key, float] = field(default_factory=lambda: defaultdict(float))
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        """One request that was answered."""
        key = method, route, status
        with self._lock:
            self._buckets[key][bisect_left(BOUNDS_S, seconds)] += 1
            self._seconds[key] += seconds
        if self.write is not None:
            line = {
                "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
                "method": method,
                "route": route,
                "status": status,
                "ms": round(1000 * seconds, 1),
            }
            self.write(json.dumps(line))

    def lines(self) -> list[str]:
        """A histogram in Prometheus' text format."""
        name = "autograder_request_seconds"
        lines = [f"# TYPE {name} histogram"]
        with self._lock:
            found = sorted((key, tuple(counts)) for key, counts in self._buckets.items())
            spent = dict(self._seconds)
        for key, counts in found:
            labels = 'method="{}",route="{}",status="{}"'.format(*key)
            total = 0
            for bound, count in zip((*map(str, BOUNDS_S), "+Inf"), counts, strict=True):
                total += count
                lines.append(f'{name}_bucket{{{labels},le="{bound}"}} {total}')
            lines += [
                f"{name}_sum{{{labels}}} {spent[key]:.6f}",
                f"{name}_count{{{labels}}} {total}",
            ]
        return lines
