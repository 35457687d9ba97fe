"""What one forked child does to itself before any student code runs.

Each step has a name. A child that was promised a set of steps stops at the first that
fails and is not used (fail closed); the probe tries all of them and collects failures.
"""

from __future__ import annotations

import errno
import os
import resource
import signal
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.sandbox.isolation import kernel as k
from autograder.sandbox.isolation import landlock, seccomp, world

LAYERS = ("limits", "namespaces", "uid", "landlock", "seccomp")
FIRST_UID = 60_000
SLACK_MB = 64


@dataclass(frozen=True, slots=True)
class Confinement:
    """The confinement required of a child. ``inside``: the zygote has its own root."""

    slot: int
    inside: bool
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    covered: tuple[str, ...] = ()  # folders that private scratch space hides: put back
    closed: str = ""  # a folder on the way to the interpreter that another user cannot enter
    memory_mb: int = 2048
    disk_mb: int = 64
    files: int = 5000
    open_files: int = 256
    processes: int = 64
    cpu_s: int = 3600
    address_space: bool = True  # bounded; a driver reserves hundreds of GB that it never uses
    device: bool = False  # its driver reads what /proc shows of the machine, and needs a socket
    memfd: bool = False  # files in memory, which only a control group counts
    groups: tuple[int, ...] = ()  # groups that a device belongs to


@dataclass(slots=True)
class Progress:
    """Layers entered, and the steps that failed with their reasons."""

    entered: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)


def confine(wanted: Confinement, layers: Sequence[str], *, stop_at_failure: bool) -> Progress:
    """Enter these layers in order; returns what was entered and what failed."""
    progress = Progress()
    steps: dict[str, Callable[[Confinement], None]] = {
        "limits": _limit,
        "namespaces": _namespaces,
        "uid": _drop_user,
        "landlock": _landlock,
        "seccomp": _seccomp,
    }
    for name, step in steps.items():
        try:
            if name in layers:
                step(wanted)
                progress.entered.append(name)
        except (OSError, KeyError, ValueError) as problem:
            progress.failed.append(f"{name}: {k.reason(problem)}")
            if stop_at_failure:
                break
        if name == "uid" and sys.platform == "linux":  # a change of uid clears it
            k.prctl(k.PR_SET_PDEATHSIG, signal.SIGKILL)
    return progress


def _namespaces(wanted: Confinement) -> None:
    if not wanted.inside:
        raise OSError(1, "the zygote has no namespaces of its own")
    world.enter_child(
        disk_mb=wanted.disk_mb, files=wanted.files, covered=wanted.covered, masked=not wanted.device
    )


def _drop_user(wanted: Confinement) -> None:
    """A separate identity, whose threads are counted separately: for root another uid per slot, for
    an ordinary user a user namespace per child. No capabilities."""
    if os.geteuid() == 0:
        if wanted.closed:
            raise OSError(
                errno.EACCES,
                f"the Python interpreter is in {wanted.closed}, which other users cannot enter",
            )
        uid = FIRST_UID + wanted.slot
        k.drop_bounding_set()
        os.setgroups(wanted.groups)
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    elif wanted.inside:
        world.enter_user_namespace(k.CLONE_NEWUSER)
        k.drop_bounding_set()
    else:
        raise OSError(1, "an ordinary user cannot change to another uid")
    k.drop_capabilities()
    _lower(resource.RLIMIT_NPROC, wanted.processes)


def _limit(wanted: Confinement) -> None:
    """Bounds that every process can put on itself. Only Linux bounds the address space."""
    mebi = 1024**2
    if sys.platform == "linux" and wanted.address_space:
        most = _address_space() + (wanted.memory_mb + SLACK_MB) * mebi
        _lower(resource.RLIMIT_AS, most)
    _lower(resource.RLIMIT_CPU, wanted.cpu_s)
    _lower(resource.RLIMIT_FSIZE, wanted.disk_mb * mebi)
    _lower(resource.RLIMIT_NOFILE, wanted.open_files)
    _lower(resource.RLIMIT_CORE, 0)


def _address_space() -> int:
    """Bytes of address space in use now; raises ``OSError``."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmSize:"):
            return int(line.split()[1]) * 1024
    raise OSError(2, "no VmSize in /proc/self/status")


def _lower(kind: int, value: int) -> None:
    hard = resource.getrlimit(kind)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(kind, (value, value))


def _no_new_powers() -> None:
    """No program can grant privileges any more, and a process that had to remain root has none
    left."""
    if os.geteuid() == 0:
        k.drop_bounding_set()
        k.drop_capabilities()
    k.prctl(k.PR_SET_NO_NEW_PRIVS, 1)


def _landlock(wanted: Confinement) -> None:
    _no_new_powers()
    landlock.restrict(wanted.readable, wanted.writable)


def _seccomp(wanted: Confinement) -> None:
    _no_new_powers()
    # A socket only where the network is the child's own.
    listening = wanted.device and wanted.inside
    seccomp.install(exposed=not wanted.inside, memfd=wanted.memfd, listening=listening)
