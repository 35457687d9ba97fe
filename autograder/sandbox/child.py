"""One confined process as the trusted side sees it: ask, wait, bound, end.

Covered: limits measured from outside (processor time, clock, threads, files), one reply per request
with the request's nonce, also where several requests were sent together; size bounds before
anything is decoded. Time for which a process was ready but had no processor does not count. Not
covered: whether a reply is true.
"""

from __future__ import annotations

import contextlib
import math
import secrets
import select
import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from autograder.errors import SandboxError
from autograder.evidence import stops
from autograder.evidence.records import Stop, TimeSpent
from autograder.sandbox.handle import Handle, Number, PidFd
from autograder.sandbox.isolation.cgroup import Group
from autograder.sandbox.isolation.kernel import reason
from autograder.sandbox.line import receive
from autograder.sandbox.watch import EVERY_S, Watch
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

START_S = 300.0  # of the clock: a start takes seconds of a processor, and a machine may be busy
PATIENCE = 10  # multiples of a clock limit after which the machine counts as too busy
GRACE_S = 1.0  # between the soft interrupt and the kill
FIRST = 1 << 16  # bytes set aside for an answer before its size is known


@dataclass(frozen=True, slots=True)
class Exit:
    """How a child ended, as the zygote and the kernel saw it."""

    signal: int
    code: int
    cpu_s: float
    peak_mb: float
    out_of_memory: bool


LOST = Exit(0, 0, 0.0, 0.0, out_of_memory=False)  # nobody is left who could have seen it


@dataclass(frozen=True, slots=True)
class ChildAnswer:
    """One request's result: an answer, or the reason for a stop, or both after an interrupt.

    ``weight`` is roughly the memory of the answer in bytes; ``waited_s`` the seconds for which no
    processor was free.
    """

    answer: Answer | None
    stop: Stop | None
    spent: TimeSpent
    alive: bool
    weight: int = 0
    waited_s: float = 0.0


class Starved(SandboxError):
    """The machine gave a child so little time that its limits cannot be judged."""


class _Wait:
    """How long a request has taken, and for how much of that time no processor was free. The latter
    is not measured for requests answered at once, since it requires reading two files."""

    def __init__(self, handle: Handle) -> None:
        self._handle = handle
        self._started = time.monotonic()
        self._before: float | None = None
        self.wall_s = 0.0
        self.waited_s = 0.0

    def look(self) -> None:
        """Update both."""
        self.wall_s = time.monotonic() - self._started
        if self._before is not None:
            # Time without a processor does not count.
            ready = self._handle.waited_s() - self._before
            self.waited_s = max(self.waited_s, min(ready, self.wall_s))
        elif self.wall_s > EVERY_S / 2:
            self._before = self._handle.waited_s()

    @property
    def own_s(self) -> float:
        """Seconds that count."""
        return self.wall_s - self.waited_s


class _Turn(NamedTuple):
    """One request while it is being answered; ``followed``: others were sent after it, and their
    answers may follow its own."""

    nonce: int
    request: Request | None
    cpu_s: float
    wall_s: float
    followed: bool = False


class _Incoming:
    """One frame on its way in: bounded before anything is allocated for it.

    ``begun``: what arrived after the frame before it, at most ``FIRST`` bytes.
    """

    def __init__(self, limit: int, begun: bytes = b"") -> None:
        self._limit = limit
        self._data = bytearray(FIRST)
        self._data[: len(begun)] = begun
        self._have = len(begun)
        self._size = -1  # of the body; unknown until the header has arrived
        self._measure()

    def take(self, channel: socket.socket) -> bool:
        """Take what has arrived; False when the other end has closed."""
        try:
            while not self.complete and not self.too_large:
                count = channel.recv_into(memoryview(self._data)[self._have :])
                if count == 0:
                    return False
                self._have += count
                self._measure()
        except BlockingIOError:
            return True
        except OSError:
            return False
        return True

    def _measure(self) -> None:
        """Read the frame's size once its header has arrived, and make room for it."""
        if self._size < 0 and self._have >= HEADER:
            self._size = int.from_bytes(self._data[:HEADER], "big")
            room = HEADER + min(self._size, self._limit) + 1 - len(self._data)
            self._data.extend(bytes(max(room, 0)))

    @property
    def too_large(self) -> bool:
        return self._size > self._limit

    @property
    def complete(self) -> bool:
        return 0 <= self._size <= self._have - HEADER

    @property
    def surplus(self) -> bytes:
        """What has arrived after the frame."""
        return bytes(self._data[HEADER + self._size : self._have])

    @property
    def body(self) -> memoryview:
        return memoryview(self._data)[HEADER : HEADER + self._size]


@dataclass(frozen=True, slots=True)
class Enclosure:
    """What a box puts one child into. ``layers``: those that the child must be under; ``scratch``:
    its folder, where that is on a real disk.

    ``enter`` puts a pid into its control group, ``release`` is called once it is gone.
    ``resident``: memory in use is bounded from outside, because address space is not.
    """

    layers: Sequence[str]
    scratch: Path | None
    enter: Callable[[int], Group | None]
    release: Callable[[], None]
    resident: bool = False


class Child:
    """One confined process. Ask it things; then ``end`` it, which kills whatever is left.

    Raises ``SandboxError`` if the child is not under every layer of its enclosure.
    """

    def __init__(
        self, channel: socket.socket, line: socket.socket, limits: Limits, enclosure: Enclosure
    ) -> None:
        self._channel, self._line, self._limits = channel, line, limits
        self._enclosure = enclosure
        self._group: Group | None = None
        self._watch: Watch | None = None
        self._exit: Exit | None = None
        self._handle: Handle | None = None
        try:
            self._meet()
        except BaseException:
            self.end()
            raise

    def _meet(self) -> None:
        enclosure = self._enclosure
        self._line.settimeout(START_S)
        message, descriptors = receive(self._line, 1)
        if not message:
            raise SandboxError("the zygote could not fork")
        self._handle = PidFd(descriptors[0]) if descriptors else Number(message["pid"])
        self.pid = self._handle.pid
        self._channel.setblocking(False)
        self._poller = select.poll()
        self._poller.register(self._channel, select.POLLIN)
        self._unsent, self._begun = memoryview(b""), b""
        try:  # while the child confines itself: the kernel takes milliseconds for this
            self._group = enclosure.enter(self.pid)
        except OSError as failed:
            raise SandboxError(
                f"a child could not enter a promised layer: cgroup: {reason(failed)}"
            ) from None
        hello = self._receive(_Turn(0, None, START_S, START_S))
        ready = hello.answer
        if not isinstance(ready, Ready):
            raise SandboxError("a child ended before it was ready")
        # A child that lacks a promised layer.
        if ready.failed or set(ready.layers) != set(enclosure.layers):
            raise SandboxError(f"a child could not enter a promised layer: {ready.failed}")
        self._watch = Watch(self.pid, self._limits, enclosure.scratch, resident=enclosure.resident)
        if self._group is None and math.isnan(self._watch.held_mb()):
            raise SandboxError(
                "nothing limits the memory of a process that uses an accelerator: there is no "
                "control group, and its memory use cannot be read from outside"
            )

    def started(self) -> None:
        """Start counting: what it has used before any student code does not count."""
        if self._watch is not None:
            self._watch.restart()

    def held_mb(self) -> float:
        """MB by which the child's memory has grown since it was ready, measured from outside."""
        return self._watch.held_mb() if self._watch is not None else 0.0

    def ask(self, request: Request, *, cpu_s: float, wall_s: float) -> ChildAnswer:
        """Send one request and wait for its answer within these limits."""
        return next(self.ask_each((request,), cpu_s=cpu_s, wall_s=lambda: wall_s))

    def ask_each(
        self, requests: Sequence[Request], *, cpu_s: float, wall_s: Callable[[], float]
    ) -> Iterator[ChildAnswer]:
        """Send requests together; yields the answer of each in turn, within its own limits.

        ``wall_s`` is called as each begins. Ends after an answer that ended the child; a caller
        that stops before the last one must end the child.
        """
        if self._readable():
            said = Stop("protocol", "it answered without being asked")
            yield self._stopped(said, 0.0, 0.0)
            return
        asked = [Ask(secrets.randbits(63), request) for request in requests]
        self._unsent = memoryview(b"".join(frame(encode(ask)) for ask in asked))
        for number, ask in enumerate(asked, 1):
            followed = number < len(asked)
            answered = self._receive(_Turn(ask.nonce, ask.request, cpu_s, wall_s(), followed))
            yield answered
            if not answered.alive:
                return

    def _send(self) -> None:
        """Send as much of the unsent bytes as the channel takes now. A closed other end is noticed
        when reading from it."""
        try:
            while self._unsent:
                self._unsent = self._unsent[self._channel.send(self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = memoryview(b"")
        wanted = select.POLLIN | (select.POLLOUT if self._unsent else 0)
        self._poller.modify(self._channel, wanted)

    def _receive(self, turn: _Turn) -> ChildAnswer:
        assert self._handle is not None
        wait = _Wait(self._handle)
        answered = self._await(self._handle, wait, turn)
        return replace(answered, waited_s=wait.waited_s)

    def _await(self, handle: Handle, wait: _Wait, turn: _Turn) -> ChildAnswer:
        cpu_started = handle.cpu_s()
        frame_ = _Incoming(self._limits.reply_mb * 1024**2, self._begun)
        stop: Stop | None = None
        grace = last = 0.0
        while True:
            if self._unsent:
                self._send()
            if not frame_.complete:
                self._poller.poll(EVERY_S * 1000)
            ended = not frame_.take(self._channel)
            wait.look()
            cpu, wall = handle.cpu_s() - cpu_started, wait.wall_s
            if frame_.too_large:
                return self._stopped(stops.too_large(self._limits), cpu, wall)
            if frame_.complete:
                return self._open(frame_, turn, stop, TimeSpent(cpu, wall))
            if ended:
                return self._died(cpu, wall, stop)
            if stop is None and (cpu > turn.cpu_s or wait.own_s > turn.wall_s):
                stop = stops.too_long(turn.request, cpu, turn.cpu_s, turn.wall_s)
                grace, last = wait.own_s + GRACE_S, wall + PATIENCE * GRACE_S
                handle.signal(signal.SIGINT)
            elif stop is not None and (wait.own_s > grace or wall > last):
                return self._stopped(stop, cpu, wall)
            # A machine without time is our fault.
            elif stop is None and wall > PATIENCE * max(turn.wall_s, 1.0):
                self.end()
                raise Starved(
                    f"the machine was too busy to run it: no result in {wall:.0f} seconds"
                )
            excess = self._watch.excess() if self._watch is not None else None
            if excess is not None:
                return self._stopped(excess, cpu, wall)

    def _open(
        self, frame_: _Incoming, turn: _Turn, stop: Stop | None, spent: TimeSpent
    ) -> ChildAnswer:
        limit = self._limits.reply_mb * 1024**2
        weight = weigh(frame_.body, limit)
        if weight > limit:
            return self._stopped(stops.too_large(self._limits), spent.cpu_s, spent.wall_s)
        self._begun = frame_.surplus
        try:
            if self._begun and not turn.followed:
                raise WireError("it sent more answers than it was asked for")
            reply = decode(frame_.body, Reply)
            if reply.nonce != turn.nonce:
                raise WireError("it answered another question")
        except WireError as bad:
            return self._stopped(Stop("protocol", str(bad)[:200]), spent.cpu_s, spent.wall_s)
        return ChildAnswer(reply.answer, stop, spent, alive=True, weight=weight)

    def _stopped(self, stop: Stop, cpu: float, wall: float) -> ChildAnswer:
        self.end()
        return ChildAnswer(None, stop, TimeSpent(cpu, wall), alive=False)

    def _died(self, cpu: float, wall: float, stop: Stop | None = None) -> ChildAnswer:
        exit_ = self.end(kill=False)
        if exit_ is LOST:
            raise SandboxError("the zygote is gone, and its children with it")
        why = stop or stops.how_it_died(
            exit_.code, exit_.signal, self._limits, memory=exit_.out_of_memory
        )
        return ChildAnswer(None, why, TimeSpent(cpu, wall), alive=False)

    def _readable(self) -> bool:
        return bool(self._poller.poll(0))

    def end(self, *, kill: bool = True) -> Exit:
        """Kill the child if it lives, wait until it is gone, and free its slot."""
        if self._exit is not None:
            return self._exit
        if self._handle is not None and (kill or not self._gone_within(GRACE_S)):
            self._handle.signal(signal.SIGKILL)
        self._channel.close()
        self._exit = self._last_words()
        self._line.close()
        if self._handle is not None:
            self._handle.close()
        if self._group is not None:
            self._group.close()
        self._enclosure.release()
        return self._exit

    def _gone_within(self, seconds: float) -> bool:
        """Whether the zygote reports within this time that the child is gone."""
        poller = select.poll()
        poller.register(self._line, select.POLLIN)
        return bool(poller.poll(seconds * 1000))

    def _last_words(self) -> Exit:
        self._line.settimeout(30.0)
        said: Mapping[str, Any] = {}
        with contextlib.suppress(OSError):
            said, _ = receive(self._line)
        if not said:
            return LOST
        status = said.get("code", 0)
        return Exit(
            status & 0x7F,
            status >> 8,
            said.get("cpu", 0.0),
            said.get("peak_kb", 0) / 1024,
            self._group is not None and self._group.ran_out_of_memory(),
        )
