"""The trusted side of the box: starts the zygote, asks it for children, talks to them.

Covered: limits measured from outside (processor time, clock), whole-tree kill, one reply
per request with the request's nonce, size bounds before anything is decoded.
Not covered: whether a reply is true.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from autograder.errors import SandboxError
from autograder.files import cache_folder
from autograder.sandbox.run import Spent, Stop
from autograder.wire.messages import (
    HEADER,
    Answer,
    Ask,
    Limits,
    Ready,
    Reply,
    Request,
    WireError,
    decode,
    encode,
    frame,
)
from autograder.wire.weight import weigh

PACKAGE = Path(__file__).resolve().parent.parent
INSIDE = ("__init__.py", "wire", "runner")  # all of us that the box may see
LEVELS = ("none", "weak", "medium", "strong")
Level = Literal["none", "weak", "medium", "strong"]
START_S = 120.0
PREFIX = "autograder-box-"
GRACE_S = 1.0  # between the soft interrupt and the kill
POLL_S = 0.1
FIRST = 1 << 16  # bytes set aside for an answer before its size is known
_BOOT = (
    "import sys, json; sys.path.insert(0, sys.argv[3]); "
    "from autograder.sandbox.zygote import Config, main; "
    "main(int(sys.argv[1]), Config(**json.loads(sys.argv[2])))"
)


@dataclass(frozen=True, slots=True)
class Isolation:
    """What the probe found: the level word, the layers entered, and why others were not."""

    level: Level
    layers: tuple[str, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """How a child ended, as the zygote saw it."""

    signal: int
    code: int
    cpu_s: float
    peak_mb: float


@dataclass(frozen=True, slots=True)
class Answered:
    """One request's result: an answer, or the reason for a stop, or both after an interrupt.

    ``weight`` is about how many bytes of memory the answer takes.
    """

    answer: Answer | None
    stop: Stop | None
    spent: Spent
    alive: bool
    weight: int = 0


def level_of(layers: Sequence[str]) -> Level:
    """The level word for a set of layers."""
    have = set(layers)
    if {"limits", "namespaces", "uid", "landlock", "seccomp"} <= have:
        return "strong"
    if {"limits", "landlock", "seccomp"} <= have:
        return "medium"
    return "weak" if "limits" in have else "none"


class Box:
    """A warm zygote and everything it needs; use as a context manager, from any thread."""

    def __init__(
        self,
        *,
        hidden: Sequence[Path] = (),
        packages: Sequence[str] = (),
        models: Path | None = None,
        namespaces: bool = True,
    ) -> None:
        if sys.platform != "linux":
            raise SandboxError(
                "untrusted notebooks can only be isolated on Linux: run the grader in a Linux "
                "container or virtual machine"
            )
        self._hidden = [str(p.resolve()) for p in (*hidden, PACKAGE)]
        self._packages = list(packages)
        self._models = str(models.resolve()) if models is not None else ""
        self._namespaces = namespaces
        self._lock = threading.Lock()
        sweep()
        self._folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-"))
        self._slots: set[int] = set()
        try:
            self._start()
        except BaseException:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise

    def __enter__(self) -> Box:
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def close(self) -> None:
        """End the zygote and every child with it."""
        with contextlib.suppress(OSError):
            self._control.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self) -> None:
        library = self._folder / "library"
        copy_inside(library / "autograder")
        (self._folder / "root").mkdir()
        self._folder.chmod(0o755)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        config = {
            "root": str(self._folder / "root"),
            "library": str(library),
            "models": self._models,
            "hidden": self._hidden,
            "packages": self._packages,
            "cache": str(cache_folder("matplotlib")),
            "namespaces": self._namespaces,
        }
        self._log = (self._folder / "zygote.log").open("w+b")
        command = [sys.executable, "-I", "-B", "-c", _BOOT]
        self._process = subprocess.Popen(  # noqa: S603  our own interpreter and code
            [*command, str(theirs.fileno()), json.dumps(config), str(PACKAGE.parent)],
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
            cwd="/",
        )
        theirs.close()
        self._control = ours
        self.isolation = self._greet()

    def _greet(self) -> Isolation:
        self._control.settimeout(START_S)
        try:
            text = self._control.recv(1 << 16)
        except TimeoutError:
            text = b""
        finally:
            self._control.settimeout(None)
        hello = json.loads(text) if text else {"fatal": "the zygote ended while it started"}
        if "fatal" in hello:
            self._log.seek(0)
            tail = self._log.read()[-2000:].decode(errors="replace")
            self.close()
            raise SandboxError(f"the box could not start: {hello['fatal']}\n{tail}".rstrip())
        entered = tuple(hello["entered"])
        return Isolation(level_of(entered), entered, tuple(hello["failed"]))

    def spawn(self, limits: Limits) -> Child:
        """A fresh child with no student code in it yet; raises ``SandboxError``."""
        ours, channel = socket.socketpair()
        line, status = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with self._lock:
            slot = next(i for i in range(4096) if i not in self._slots)
            self._slots.add(slot)
        wish: dict[str, Any] = {
            "slot": slot,
            "memory_mb": limits.memory_mb,
            "disk_mb": limits.disk_mb,
            "cpu_s": int(limits.submission_wall_s * 2) + 1,
        }
        scratch = None
        if "namespaces" not in self.isolation.layers:
            scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=self._folder))
            scratch.chmod(0o777)
            wish["scratch"] = str(scratch)
        try:
            with self._lock:
                socket.send_fds(
                    self._control,
                    [json.dumps(wish).encode()],
                    [channel.fileno(), status.fileno()],
                )
            channel.close()
            status.close()
            return Child(self, slot, ours, line, limits, scratch)
        except OSError as lost:
            self.release(slot, scratch)
            raise SandboxError(f"the zygote is gone: {lost}") from None

    def zygote_cpu(self) -> float:
        """Processor seconds that the zygote has used so far, its children apart."""
        pid = self._process.pid
        if "namespaces" in self.isolation.layers:  # the launcher waits; the zygote is its child
            pid = int(Path(f"/proc/{pid}/task/{pid}/children").read_text().split()[0])
        return time.clock_gettime((~pid << 3) | 2)

    def release(self, slot: int, scratch: Path | None) -> None:
        """A child has ended; its slot and scratch folder are free again."""
        with self._lock:
            self._slots.discard(slot)
        if scratch is not None:
            shutil.rmtree(scratch, ignore_errors=True)


class _Incoming:
    """One frame on its way in: bounded before anything is allocated for it."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._data = bytearray(FIRST)
        self._have = 0
        self._size = -1  # of the body; unknown as long as the header is not there

    def take(self, channel: socket.socket) -> bool:
        """Take what has arrived; False when the other end has closed."""
        try:
            while not self.complete and not self.too_large:
                count = channel.recv_into(memoryview(self._data)[self._have :])
                if count == 0:
                    return False
                self._have += count
                if self._size < 0 and self._have >= HEADER:
                    self._size = int.from_bytes(self._data[:HEADER], "big")
                    room = HEADER + min(self._size, self._limit) + 1 - len(self._data)
                    self._data.extend(bytes(max(room, 0)))
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    @property
    def too_large(self) -> bool:
        return self._size > self._limit

    @property
    def complete(self) -> bool:
        return 0 <= self._size <= self._have - HEADER

    @property
    def surplus(self) -> bool:
        """Whether more than one frame has arrived."""
        return self._have > HEADER + self._size

    @property
    def body(self) -> memoryview:
        return memoryview(self._data)[HEADER : HEADER + self._size]


class Child:
    """One confined process. Ask it things; then ``end`` it, which kills whatever is left."""

    def __init__(
        self,
        box: Box,
        slot: int,
        channel: socket.socket,
        line: socket.socket,
        limits: Limits,
        scratch: Path | None,
    ) -> None:
        self._box, self._slot, self._scratch = box, slot, scratch
        self._channel, self._line, self._limits = channel, line, limits
        self._exit: Exit | None = None
        self._pidfd = -1
        try:
            self._meet(box.isolation.layers)
        except BaseException:
            self.end()
            raise

    def _meet(self, promised: Sequence[str]) -> None:
        self._line.settimeout(START_S)
        message, fds, _, _ = socket.recv_fds(self._line, 1 << 12, 1)
        if not message or not fds:
            raise SandboxError("the zygote could not fork")
        self._pidfd = fds[0]
        self.pid = pid_of(fds[0])
        self._clock = (~self.pid << 3) | 2  # the kernel's id of that process's CPU clock
        self._channel.setblocking(False)
        self._poller = select.poll()
        self._poller.register(self._channel, select.POLLIN)
        hello = self._receive(0, START_S, START_S)
        ready = hello.answer
        if not isinstance(ready, Ready):
            raise SandboxError("a child ended before it was ready")
        if ready.failed or set(ready.layers) != set(promised):
            raise SandboxError(f"a child could not enter a promised layer: {ready.failed}")

    def ask(self, request: Request, *, cpu_s: float, wall_s: float) -> Answered:
        """Send one request and wait for its answer within these limits."""
        if self._readable():
            return self._stopped(Stop("protocol", "it answered without being asked"), 0.0, 0.0)
        nonce = secrets.randbits(63)
        try:
            self._send(frame(encode(Ask(nonce, request))), wall_s)
        except OSError:
            return self._died(0.0, 0.0)
        return self._receive(nonce, cpu_s, wall_s)

    def _send(self, data: bytes, wall_s: float) -> None:
        rest, deadline = memoryview(data), time.monotonic() + wall_s
        while rest:
            try:
                rest = rest[self._channel.send(rest) :]
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise OSError(errno.ETIMEDOUT, "the child does not read") from None
                select.select([], [self._channel], [], POLL_S)

    def _receive(self, nonce: int, cpu_s: float, wall_s: float) -> Answered:
        started, cpu_started = time.monotonic(), self._cpu()
        frame_ = _Incoming(self._limits.reply_mb * 1024**2)
        stop: Stop | None = None
        grace = 0.0
        while True:
            self._poller.poll(POLL_S * 1000)
            ended = not frame_.take(self._channel)
            cpu, wall = self._cpu() - cpu_started, time.monotonic() - started
            if frame_.too_large:
                return self._stopped(self._too_large(), cpu, wall)
            if frame_.complete:
                return self._open(frame_, nonce, stop, Spent(cpu, wall))
            if ended:
                return self._died(cpu, wall, stop)
            if stop is None and (cpu > cpu_s or wall > wall_s):
                stop = too_long(cpu, cpu_s, wall_s)
                grace = wall + GRACE_S
                self._signal(signal.SIGINT)
            elif stop is not None and wall > grace:
                return self._stopped(stop, cpu, wall)

    def _too_large(self) -> Stop:
        return Stop("output", f"its answer is larger than {self._limits.reply_mb} MB")

    def _open(self, frame_: _Incoming, nonce: int, stop: Stop | None, spent: Spent) -> Answered:
        limit = self._limits.reply_mb * 1024**2
        weight = weigh(frame_.body, limit)
        if weight > limit:
            return self._stopped(self._too_large(), spent.cpu_s, spent.wall_s)
        try:
            if frame_.surplus:
                raise WireError("it said more than it was asked")
            reply = decode(frame_.body, Reply)
            if reply.nonce != nonce:
                raise WireError("it answered another question")
        except WireError as bad:
            return self._stopped(Stop("protocol", str(bad)[:200]), spent.cpu_s, spent.wall_s)
        return Answered(reply.answer, stop, spent, alive=True, weight=weight)

    def _stopped(self, stop: Stop, cpu: float, wall: float) -> Answered:
        self.end()
        return Answered(None, stop, Spent(cpu, wall), alive=False)

    def _died(self, cpu: float, wall: float, stop: Stop | None = None) -> Answered:
        exit_ = self.end(kill=False)
        return Answered(None, stop or how_it_died(exit_), Spent(cpu, wall), alive=False)

    def _readable(self) -> bool:
        return bool(self._poller.poll(0))

    def _cpu(self) -> float:
        try:
            return time.clock_gettime(self._clock)
        except OSError:
            return 0.0

    def _signal(self, which: int) -> None:
        if self._pidfd >= 0:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._pidfd, which)

    def end(self, *, kill: bool = True) -> Exit:
        """Kill the child if it lives, wait until it is gone, and free its slot."""
        if self._exit is not None:
            return self._exit
        if kill or not self._gone_within(GRACE_S):
            self._signal(signal.SIGKILL)
        self._channel.close()
        self._exit = self._last_words()
        self._line.close()
        if self._pidfd >= 0:
            os.close(self._pidfd)
        self._box.release(self._slot, self._scratch)
        return self._exit

    def _gone_within(self, seconds: float) -> bool:
        return self._pidfd >= 0 and bool(select.select([self._pidfd], [], [], seconds)[0])

    def _last_words(self) -> Exit:
        self._line.settimeout(30.0)
        try:
            text = self._line.recv(1 << 12)
        except OSError:
            text = b""
        said: Mapping[str, Any] = json.loads(text) if text else {}
        status = said.get("code", 0)
        return Exit(
            status & 0x7F, status >> 8, said.get("cpu", 0.0), said.get("peak_kb", 0) / 1024
        )


def too_long(cpu: float, cpu_s: float, wall_s: float) -> Stop:
    """The stop for a request that used up its time, in words."""
    if cpu > cpu_s:
        return Stop("cpu", f"it computed for more than {cpu_s:g} seconds without coming to an end")
    return Stop("wall", f"it waited for more than {wall_s:g} seconds without coming to an end")


def how_it_died(exit_: Exit) -> Stop:
    """The stop for a child that ended by itself, in words."""
    if exit_.signal == signal.SIGKILL:
        return Stop("died", "the process was killed (by itself, or for want of memory)")
    if exit_.signal == signal.SIGXCPU:
        return Stop("cpu", "the whole notebook used up its processor time")
    if exit_.signal:
        name = signal.Signals(exit_.signal).name if exit_.signal in set(signal.Signals) else "?"
        return Stop("died", f"the process crashed with signal {name}")
    return Stop("died", f"the process ended itself (exit code {exit_.code})")


def pid_of(pidfd: int) -> int:
    """The pid behind a pidfd as this process sees it; raises ``SandboxError``."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise SandboxError("no pid behind a pidfd")


def copy_inside(target: Path) -> None:
    """Put the packages that belong inside the box, and nothing else of ours, at ``target``."""
    for name in INSIDE:
        source = PACKAGE / name
        if source.is_dir():
            shutil.copytree(source, target / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            target.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target / name)


def sweep() -> None:
    """Remove the folders of graders that were killed: named by a pid that is gone."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        pid = folder.name.removeprefix(PREFIX).split("-")[0]
        with contextlib.suppress(OSError):
            ours = not folder.is_symlink() and folder.stat().st_uid == os.getuid()
            if pid.isdecimal() and ours and not Path(f"/proc/{pid}").exists():
                shutil.rmtree(folder, ignore_errors=True)


def clean_environment() -> dict[str, str]:
    """All of the environment that the box gets."""
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": "/home/student",
        "USER": "student",
        "LANG": "C.UTF-8",
        "TMPDIR": "/tmp",  # noqa: S108
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "TOKENIZERS_PARALLELISM": "false",
    }
