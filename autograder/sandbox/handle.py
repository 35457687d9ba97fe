"""A handle of another process: signal it, read its processor time, and wait for its end."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path
from typing import Protocol

from autograder.errors import SandboxError


class Handle(Protocol):
    """A handle of a process. ``pid`` is as this process sees it."""

    @property
    def pid(self) -> int: ...
    def signal(self, which: int) -> None:
        """Send a signal; does nothing when the process is gone."""

    def cpu_s(self) -> float:
        """Processor seconds used so far; 0 where only the clock can be read."""

    def waited_s(self) -> float:
        """Seconds for which its threads were ready to run but no processor was free; 0 where this
        is not counted."""

    def close(self) -> None:
        """Release the handle."""


class PidFd:
    """Linux: a descriptor that always means this process, and the kernel's clock of it."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.pid = _pid_of(descriptor)
        self._clock = (~self.pid << 3) | 2  # the kernel's id of that process's CPU clock

    def signal(self, which: int) -> None:
        if self._descriptor >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._descriptor, which)

    def cpu_s(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return 0.0

    def waited_s(self) -> float:
        """The second field of each thread's schedstat (Documentation/scheduler/sched-stats)."""
        total_ns = 0
        with contextlib.suppress(OSError):  # it has ended
            for thread in os.listdir(f"/proc/{self.pid}/task"):  # noqa: PTH208
                total_ns += _waited_ns(Path(f"/proc/{self.pid}/task/{thread}/schedstat"))
        return total_ns / 1e9

    def close(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


class Number:
    """Other systems: the process's number. Whoever reaps it reports that first, so it is not
    reused."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._held = True

    def signal(self, which: int) -> None:
        if self._held:
            with contextlib.suppress(OSError):
                os.kill(self.pid, which)

    def cpu_s(self) -> float:
        return 0.0

    def waited_s(self) -> float:
        return 0.0

    def close(self) -> None:
        self._held = False


def _waited_ns(schedstat: Path) -> int:
    try:
        return int(schedstat.read_text().split()[1])
    except (OSError, ValueError, IndexError):  # the thread has ended, or this is not counted
        return 0


def _pid_of(pidfd: int) -> int:
    """The pid behind a pidfd as this process sees it; raises ``SandboxError``."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise SandboxError("no pid behind a pidfd")
