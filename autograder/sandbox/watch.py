"""Observes a child from outside while it works: memory, threads, scratch files.

What the kernel bounds in the child itself (address space, tmpfs) needs no watching; this is the
second line of defence, and the only one for threads where an ordinary user has no namespaces and
for the sum of scratch files on a real disk. It checks a few times a second, so a child can exceed a
bound for that long.
"""

from __future__ import annotations

import errno
import math
import os
import time
from pathlib import Path

from autograder.evidence import stops
from autograder.evidence.records import Stop
from autograder.sandbox.isolation.confine import SLACK_MB
from autograder.wire.messages import Limits

EVERY_S = 0.1
IN_USE = ("RssAnon", "VmPTE", "VmSwap")  # fields of /proc/PID/status, in kB
UNNAMED = "/dev/zero (deleted)"  # how shared memory without a file is listed
MOST_GIVEN = 1_000_000  # entries of an assignment's own files, which are bounded elsewhere
_MEBI = 1024**2
_PAGE = os.sysconf("SC_PAGE_SIZE")


class Watch:
    """One child. ``scratch`` is given only where it is on a real disk.

    ``resident``: its address space is neither bounded nor meaningful, because the driver of an
    accelerator reserves it by the hundred GB. Then memory in use is watched and bounded.
    """

    def __init__(
        self, pid: int, limits: Limits, scratch: Path | None, *, resident: bool = False
    ) -> None:
        self._folder = Path(f"/proc/{pid}")
        self._limits = limits
        self._scratch = scratch
        # Files of the assignment are not the student's.
        self._given = taken(scratch, MOST_GIVEN) if scratch is not None else (0, 0)
        self._resident = resident
        self._looked = time.monotonic()
        self._start_mb = self._size_mb()

    def excess(self) -> Stop | None:
        """Why the child has to be stopped now; checks at most once in ``EVERY_S``."""
        now = time.monotonic()
        if now - self._looked < EVERY_S:
            return None
        stop = self._look()
        self._looked = time.monotonic()
        return stop

    def restart(self) -> None:
        """Count memory from now on: what a device's context takes is not the student's."""
        self._start_mb = self._size_mb()

    def held_mb(self) -> float:
        """By how much the child's memory has grown: its address space, or what is in use."""
        return self._size_mb() - self._start_mb

    def _look(self) -> Stop | None:
        if self._threads() > self._limits.processes:
            return stops.too_many_threads(self._limits)
        # Memory in use that cannot be seen is too much.
        if self._resident and not self.held_mb() <= self._limits.memory_mb + SLACK_MB:
            return stops.too_much_memory(self._limits)
        if self._scratch is None:
            return None
        given, given_size = self._given
        files, size = taken(self._scratch, self._limits.files + given)
        files, size = files - given, size - given_size
        if files > self._limits.files:
            return stops.too_many_files(self._limits)
        return stops.too_much_disk(self._limits) if size > self._limits.disk_mb * _MEBI else None

    def _threads(self) -> int:
        try:
            return len(os.listdir(self._folder / "task"))  # noqa: PTH208
        except OSError:
            return 0

    def _size_mb(self) -> float:
        if self._resident:
            return resident_mb(self._folder)
        try:
            return int((self._folder / "statm").read_text().split()[0]) * _PAGE / _MEBI
        except (OSError, IndexError):
            return 0.0


def resident_mb(process: Path) -> float:
    """MB that a process has in use; NaN where they cannot be read. ``process``: its /proc/PID.

    Private memory, swap and page tables; and all of its shared memory without a file, whose pages
    remain allocated although the process releases them and no longer counts them as its own.
    """
    try:
        lines = (process / "status").read_text().splitlines()
        shared = sum(_span_kb(line) for line in (process / "maps").read_text().splitlines())
    except OSError:
        return math.nan
    found = {name: int(value.split()[0]) for name, value in map(_field, lines) if name in IN_USE}
    return (sum(found.values()) + shared) / 1024 if len(found) == len(IN_USE) else math.nan


def _field(line: str) -> tuple[str, str]:
    name, _, value = line.partition(":")
    return name, value


def _span_kb(line: str) -> int:
    """The size of a line of /proc/PID/maps that is shared memory without a file; else 0."""
    if not line.endswith(UNNAMED) or line.split()[1][3] != "s":
        return 0
    start, end = line.split()[0].split("-")
    return (int(end, 16) - int(start, 16)) // 1024


def taken(folder: Path, most: int) -> tuple[int, int]:
    """How many entries are below a folder and how many bytes they take, up to ``most`` entries.

    A folder that we cannot open, or that is too deep for a path, counts as too many.
    """
    count, size, waiting = 0, 0, [str(folder)]
    while waiting and count <= most:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    if count > most:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
        except OSError as odd:
            if odd.errno in (errno.EACCES, errno.EPERM, errno.ENAMETOOLONG):
                return most + 1, size
            continue  # it changes while we look
    return count, size
