"""What a run could leave behind on the machine: processes, mounts, control groups, files.

Covered: descendants of this process, its mounts, groups named after it, folders of its boxes,
its own priority and processors. Not covered: what other users' processes do meanwhile.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path

from autograder.sandbox.isolation.cgroup import NAME, find_parents
from autograder.sandbox.isolation.premises import PREFIX

PATIENCE_S = 3.0


def traces() -> frozenset[str]:
    """Everything of that kind that exists now."""
    pid = os.getpid()
    found = {f"process {number} ({name})" for number, name in descendants(pid)}
    found |= {f"mount {line.split()[4]}" for line in _lines(Path("/proc/self/mountinfo"))}
    folders = Path(tempfile.gettempdir()).glob(f"{PREFIX}{pid}-*")
    for folder in folders:
        found.add(f"folder {folder}")
        found |= {f"folder {scratch}" for scratch in folder.glob("scratch-*")}
    found |= {f"control group {path}" for path in _groups(pid)}
    found.add(f"nice value {os.getpriority(os.PRIO_PROCESS, 0)}")
    found.add(f"processors {sorted(os.sched_getaffinity(0))}")
    return frozenset(found)


def left_since(before: frozenset[str], patience_s: float = PATIENCE_S) -> tuple[str, ...]:
    """What is new; since ends take a moment, it checks repeatedly for a while."""
    deadline = time.monotonic() + patience_s
    while (new := traces() - before) and time.monotonic() < deadline:
        time.sleep(0.05)
    return tuple(sorted(new))


def resident_mb(pid: int | None = None) -> float:
    """Memory in use by a process, or by this one, in MB; 0 when it has ended."""
    fields = "".join(_lines(Path(f"/proc/{pid or 'self'}/statm"))).split()
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1024**2 if len(fields) > 1 else 0.0


def descendants(pid: int) -> list[tuple[int, str]]:
    """Number and name of every process below this one that has not ended."""
    parents: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            text = "".join(_lines(folder / "stat"))
            name, _, rest = text.partition("(")[2].rpartition(")")
            fields = rest.split()
            if fields and fields[0] != "Z":
                parents[int(folder.name)] = (int(fields[1]), name)
    found, family = [], {pid}
    for number in sorted(parents):  # a child has a higher number, unless numbering has started over
        if parents[number][0] in family:
            family.add(number)
            found.append((number, parents[number][1]))
    return found


def _groups(pid: int) -> list[Path]:
    """Control groups of ours with a process in them; empty ones are removed with the box."""
    try:
        places = set(find_parents().values())
    except OSError:
        return []
    groups = [path for place in places for path in place.glob(f"{NAME}{pid}-*")]
    return [path for path in groups if _lines(path / "cgroup.procs")]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(errors="replace").splitlines()
    except OSError:
        return []
