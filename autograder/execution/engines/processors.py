"""How many processors this process may use: by the machine, its affinity, and its container."""

from __future__ import annotations

import os
from pathlib import Path

QUOTA = Path("/sys/fs/cgroup/cpu.max")  # of control groups 2: "quota period" or "max period"
QUOTA_1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
PERIOD_1 = Path("/sys/fs/cgroup/cpu/cpu.cfs_period_us")


def processors() -> int:
    """At least 1; a quota of one and a half counts as 2."""
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
