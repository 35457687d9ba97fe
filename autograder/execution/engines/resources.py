"""How many processors there are, and a resource that several workers share."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of control groups 2: "quota period" or "max period"
QUOTA_1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
PERIOD_1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")


class Shares:
    """``total`` units, served in the order of asking, so that a large part is never kept waiting by
    small ones; a part beyond the total is the whole."""

    def __init__(self, total: int) -> None:
        if total < 1:
            raise ValueError(f"a resource of {total} units cannot be shared")
        self.total = total
        self._free = total
        self._waiting: deque[object] = deque()
        self._changed = threading.Condition()

    @contextmanager
    def take(self, amount: int) -> Iterator[None]:
        """Wait for ``amount`` units, hold them, give them back however the block ends."""
        part = min(max(amount, 0), self.total)
        ticket = object()
        with self._changed:
            self._waiting.append(ticket)
            try:
                # A shared resource is served in order.
                self._changed.wait_for(lambda: self._waiting[0] is ticket and self._free >= part)
                self._free -= part
            finally:  # also if an interrupt ends the wait, so that nobody waits behind it
                self._waiting.remove(ticket)
                self._changed.notify_all()
        try:
            yield
        finally:
            with self._changed:
                self._free += part
                self._changed.notify_all()


def processors() -> int:
    """How many this process may use, by the machine, its affinity, and its container: at least 1; a
    quota of one and a half counts as 2."""
    own = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    quota = _quota()
    return max(1, own if quota is None else min(own, -int(-quota // 1)))


def _quota() -> float | None:
    """Processors that a control group allows; None if there is no limit."""
    try:
        if QUOTA.is_file():
            allowed, period = QUOTA.read_text().split()
        else:
            allowed, period = QUOTA_1.read_text().strip(), PERIOD_1.read_text().strip()
        return float(allowed) / float(period) if float(allowed) > 0 else None
    except (OSError, ValueError, ZeroDivisionError):
        return None
