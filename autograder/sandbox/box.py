"""The trusted side of the sandbox: starts the zygote, learns what it can enforce, makes children.

Covered: every layer is tried before student code runs, a child that lacks a promised one is not
used, and a layer that failed is reported with its step and errno. Not covered: what a child says
(child.py), what the layers are (confine.py, cgroup.py).
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from autograder.errors import SandboxError
from autograder.files import cache_folder, digest_of
from autograder.sandbox.accelerators import Accelerator, access_to
from autograder.sandbox.child import START_S, Child, Enclosure
from autograder.sandbox.isolation.cgroup import Group, Groups
from autograder.sandbox.isolation.confine import LAYERS, SLACK_MB
from autograder.sandbox.isolation.kernel import reason
from autograder.sandbox.isolation.premises import (
    PACKAGE,
    PREFIX,
    clean_environment,
    copy_inside,
    erase,
    lay_out,
    models_within_reach,
    sweep,
)
from autograder.sandbox.line import pair, receive, send
from autograder.sandbox.processor import passed_on
from autograder.wire.messages import Limits

Level = Literal["none", "weak", "medium", "strong"]
LEVELS: tuple[Level, ...] = ("none", "weak", "medium", "strong")
ALL_LAYERS = (*LAYERS, "cgroup")
SLOTS = 5000  # user ids from confine.FIRST_UID on
SCRATCH_PARTS = 1.5  # home, /tmp and /dev/shm together, in units of disk_mb
CONTEXT_MB = 2048  # of the machine's memory, for a device's libraries and its context
SWITCHED_OFF = "switched off"
ONLY_LINUX = "only Linux has it; run the grader in a Linux container or virtual machine"
PRIVATE_ROOT = "private root"  # how a zygote reports that it is in namespaces but has no root
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[2]); "
    "from autograder.sandbox.zygote import main; main(int(sys.argv[1]))"
)


@dataclass(frozen=True, slots=True)
class BoxIsolation:
    """What the probe found: the level word, the layers entered, and why others were not."""

    level: Level
    layers: tuple[str, ...]
    missing: tuple[str, ...]


def level_of(layers: Sequence[str]) -> Level:
    """The isolation level of a set of layers."""
    have = set(layers)
    if {"limits", "namespaces", "uid", "landlock", "seccomp"} <= have:
        return "strong"
    if {"limits", "landlock", "seccomp"} <= have:
        return "medium"
    return "weak" if "limits" in have else "none"


@dataclass(frozen=True, slots=True)
class BoxContents:
    """What student code finds in a box. Nothing in ``hidden`` can be seen there; ``packages`` are
    imported beforehand, and nothing else that is large; ``models`` is the folder of pretrained
    models; ``files`` are beside the notebook, by relative path."""

    hidden: Sequence[Path] = ()
    packages: Sequence[str] = ()
    models: Path | None = None
    files: Mapping[str, bytes] = field(default_factory=dict)


OF_NO_ASSIGNMENT = BoxContents(packages=("torch",))  # where it is installed


class Box:
    """A warm zygote and everything it needs; a context manager that may be used from any thread.

    ``without`` names layers to leave out: for tests and
    comparisons. ``portable`` uses nothing that only Linux has: then there is no isolation, only
    limits and a separate process. ``device``: an accelerator that children can use; then memory in
    use is bounded instead of address space. ``libraries``: variables that limit numeric libraries
    to a processor's capability, from ``processor.held_to``; by default those of this process.
    ``capability`` is torch's name for what it then uses. ``files`` is the digest of those beside
    the notebook. Raises ``SandboxError`` if no box can be made.
    """

    def __init__(
        self,
        contents: BoxContents = OF_NO_ASSIGNMENT,
        *,
        without: Collection[str] = (),
        portable: bool = sys.platform != "linux",
        device: Accelerator | None = None,
        libraries: Mapping[str, str] | None = None,
    ) -> None:
        self._libraries = passed_on() if libraries is None else libraries
        self.capability = ""
        self._access = access_to(device)
        self._in_use = device is not None and not portable  # memory in use is bounded, not space
        self._portable = portable
        self._hidden = [str(p.resolve()) for p in (*contents.hidden, PACKAGE)]
        self._packages = list(contents.packages)
        self._models = ""
        self._files = contents.files
        self.files = digest_of(contents.files)
        self._lock = threading.Lock()
        self._slots: set[int] = set()
        self._groups: Groups | None = None
        sweep()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._process: subprocess.Popen[bytes] | None = None
        try:
            if contents.models is not None:
                models = contents.models.resolve()
                self._models = str(models_within_reach(models, self._folder))
            self._start(without)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and every child with it."""
        self._end_zygote()
        if self._groups is not None:
            self._groups.close()
        erase(self._folder)

    def _end_zygote(self) -> None:
        if self._process is None:
            return
        with contextlib.suppress(OSError):
            self._control.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def _start(self, without: Collection[str]) -> None:
        """The best available box: without a private root where it cannot be built."""
        copy_inside(self._folder / "library" / "autograder")
        (self._folder / "root").mkdir()
        self._folder.chmod(0o755)
        off = [layer for layer in ALL_LAYERS if layer != "limits"] if self._portable else []
        off = list(dict.fromkeys([*off, *without]))
        reasons = [f"{layer}: {ONLY_LINUX if self._portable else SWITCHED_OFF}" for layer in off]
        hello = self._start_zygote(off)
        if str(hello.get("fatal", "")).startswith(PRIVATE_ROOT) and "namespaces" not in off:
            reasons.append(f"namespaces: {hello['fatal'].splitlines()[0]}")
            hello = self._start_zygote([*off, "namespaces"])
        if "fatal" in hello:
            raise SandboxError(f"the sandbox could not start: {hello['fatal']}")
        entered = tuple(hello["entered"])
        named = {said.split(":")[0] for said in reasons}
        reasons += [said for said in hello["failed"] if said.split(":")[0] not in named]
        self._probed = entered
        self.capability = str(hello["capability"])
        self.isolation = BoxIsolation(level_of(entered), entered, tuple(reasons))
        if "cgroup" not in off:
            self.isolation = self._with_groups(self.isolation)

    def _start_zygote(self, without: Sequence[str]) -> dict[str, Any]:
        """Start one; returns what it reports about itself, with ``fatal`` as the reason if it
        ended."""
        ours, theirs = pair()
        config = {
            "packages": self._packages,
            "cache": str(cache_folder("matplotlib")),
            "without": list(without),
            "portable": self._portable,
            "nodes": self._access.nodes,
            "readable": self._access.readable,
            "groups": self._access.groups,
            "environment": dict(self._access.child),
            "address_space": not self._in_use,
        }
        places = {
            "root": str(self._folder / "root"),
            "library": str(self._folder / "library"),
            "models": self._models,
            "files": str(lay_out(self._files, self._folder / "files")) if self._files else "",
            "hidden": self._hidden,
        }
        self._control, self._log = ours, (self._folder / "zygote.log").open("w+b")
        command = [sys.executable, "-I", "-B", "-c", _BOOT]
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter and code
            [*command, str(theirs.fileno()), str(PACKAGE.parent)],
            env={**clean_environment(), **self._libraries, **self._access.warm},
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            cwd="/",
        )
        theirs.close()
        with contextlib.suppress(OSError):  # it has already ended: the greeting will show that
            send(self._control, config)
            send(self._control, places)
        return self._greet()

    def _greet(self) -> dict[str, Any]:
        self._control.settimeout(START_S)
        hello: dict[str, Any] = {}
        with contextlib.suppress(OSError):
            hello, _ = receive(self._control)
        self._control.settimeout(None)
        hello = hello or {"fatal": "the zygote ended while it started"}
        if "fatal" in hello:
            self._log.seek(0)
            tail = self._log.read()[-2000:].decode(errors="replace")
            self._end_zygote()
            hello["fatal"] = f"{hello['fatal']}\n{tail}".rstrip()
        return hello

    def _with_groups(self, found: BoxIsolation) -> BoxIsolation:
        """Add control groups to the isolation found, if a child can be put into one."""
        try:
            self._groups = Groups()
            self.spawn(Limits()).end()
        except (OSError, SandboxError) as failed:
            self._groups = None
            why = reason(failed) if isinstance(failed, OSError) else str(failed)
            why = f"cgroup: {why.rpartition('cgroup: ')[2]}"
            return BoxIsolation(found.level, found.layers, (*found.missing, why))
        return BoxIsolation(found.level, (*found.layers, "cgroup"), found.missing)

    def spawn(self, limits: Limits) -> Child:
        """A fresh child without student code in it; raises ``SandboxError``."""
        ours, channel = socket.socketpair()
        line, status = pair()
        slot = self._take_slot()
        if self._groups is not None:
            self._groups.expect()
        wish: dict[str, Any] = {
            "slot": slot,
            "memory_mb": limits.memory_mb,
            "disk_mb": limits.disk_mb,
            "files": limits.files,
            "open_files": limits.open_files,
            "processes": limits.processes,
            "cpu_s": int(limits.submission_wall_s * 2) + 1,
            # only a control group counts these; drivers from 570 on are said to ask for them
            "memfd": self._in_use and self._groups is not None,
        }
        scratch = None
        if "namespaces" not in self.isolation.layers:
            scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=self._folder))
            lay_out(self._files, scratch).chmod(0o777)
            wish["scratch"] = str(scratch)

        def enter(pid: int) -> Group | None:
            if self._groups is None:
                return None
            memory_mb = limits.memory_mb + SLACK_MB + int(SCRATCH_PARTS * limits.disk_mb)
            memory_mb += CONTEXT_MB if self._in_use else 0
            return self._groups.enter(pid, memory_mb=memory_mb, processes=limits.processes)

        def release() -> None:
            with self._lock:
                self._slots.discard(slot)
            if scratch is not None:
                erase(scratch)

        try:
            with self._lock:
                send(self._control, wish, [channel.fileno(), status.fileno()])
            channel.close()
            status.close()
            enclosure = Enclosure(
                self._probed,
                scratch,
                enter,
                release,
                # A child beside a device is watched for memory in use.
                resident=self._in_use,
            )
            return Child(ours, line, limits, enclosure)
        except OSError as lost:
            release()
            raise SandboxError(f"the zygote is gone: {lost}") from None

    def _take_slot(self) -> int:
        """A number that no running child has, and that children of another grader are unlikely to
        have."""
        first = os.getpid() * 64
        with self._lock:
            slot = next(s for i in range(SLOTS) if (s := (first + i) % SLOTS) not in self._slots)
            self._slots.add(slot)
        return slot

    def zygote_pid(self) -> int:
        """The zygote's pid as this process sees it."""
        assert self._process is not None, "set before the box exists"
        pid = self._process.pid
        if "namespaces" in self.isolation.layers:  # the launcher waits; the zygote is its child
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        return pid
