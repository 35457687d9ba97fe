"""An engine of forked processes: what the caller holds is there in each of them at no cost, and
what comes back is bytes.

For work of the trusted side alone, where threads would wait for each other. Items are dealt out
in turn, so that a worker's share is known beforehand.
Covered: a worker that dies (told by its signal; what the others did is lost with it, so nothing
may count before the last result is there); an exception in a worker, raised again here.
Not covered: a caller that holds locks in other threads, or has used torch with several threads.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import struct
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")

_HEAD = struct.Struct("<QQ")  # index of the item, length of what follows
_FAILED = 2**64 - 1  # stands for the index: an exception ended the worker
_CHUNK = 1 << 20


class WorkerLost(Exception):
    """A worker ended without a word: killed, or out of memory."""


@dataclass(slots=True)
class _Worker:
    """A process, the pipe it answers through, what of that is read, how many items are left."""

    pid: int
    pipe: int
    read: bytearray
    left: int


class Forked:
    """``workers`` processes; with one, the work is done in this process."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(
        self, function: Callable[[T], bytes], items: Sequence[T],
        *, failed: Callable[[Exception], bytes], again: Callable[[bytes], Exception],
    ) -> Iterator[tuple[int, bytes]]:  # fmt: skip
        """Yield ``(index, result)`` as results arrive.

        An exception of the function ends its worker; ``failed`` says it in bytes, ``again``
        makes of them what is raised here. Raises ``WorkerLost``.
        """
        number = min(self.workers, len(items))
        if number < 2:
            yield from ((index, function(item)) for index, item in enumerate(items))
            return
        workers: list[_Worker] = []
        try:
            gc.freeze()  # what is here now is shared, and no worker's to look through
            for first in range(number):
                workers.append(_start(function, items, first, number, failed))
            gc.unfreeze()
            yield from _gather(workers, again)
        finally:
            for worker in workers:
                _end(worker)


def _start(
    function: Callable[[T], bytes], items: Sequence[T], first: int, step: int,
    failed: Callable[[Exception], bytes],
) -> _Worker:  # fmt: skip
    ours, theirs = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # other threads: see above
        pid = os.fork()
    if pid:
        os.close(theirs)
        return _Worker(pid, ours, bytearray(), len(range(first, len(items), step)))
    try:
        for number in (signal.SIGINT, signal.SIGTERM):  # they are for the caller, who ends us
            signal.signal(number, signal.SIG_IGN)
        os.close(ours)
        with os.fdopen(theirs, "wb", buffering=_CHUNK) as pipe:
            try:
                for index in range(first, len(items), step):
                    _send(pipe.write, index, function(items[index]))
            except Exception as bad:  # noqa: BLE001  it is raised again on the other side
                _send(pipe.write, _FAILED, failed(bad))
    finally:
        os._exit(0)  # nothing of the caller's is closed or written a second time


def _send(write: Callable[[bytes], object], index: int, result: bytes) -> None:
    write(_HEAD.pack(index, len(result)))
    write(result)


def _gather(
    workers: Sequence[_Worker], again: Callable[[bytes], Exception]
) -> Iterator[tuple[int, bytes]]:
    with selectors.DefaultSelector() as ready:
        for worker in workers:
            ready.register(worker.pipe, selectors.EVENT_READ, worker)
        while ready.get_map():
            for key, _ in ready.select():
                one: _Worker = key.data
                chunk = os.read(one.pipe, _CHUNK)
                one.read += chunk
                for index, result in _frames(one.read):
                    if index == _FAILED:
                        raise again(result)
                    one.left -= 1
                    yield index, result
                if not chunk:
                    ready.unregister(one.pipe)
                    if one.left:
                        raise WorkerLost(f"process {one.pid} ended in the middle of its work")


def _frames(read: bytearray) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + _HEAD.size <= len(read):
        index, length = _HEAD.unpack_from(read, at)
        end = at + _HEAD.size + length
        if end > len(read):
            break
        yield index, bytes(read[at + _HEAD.size : end])
        at = end
    del read[:at]


def _end(worker: _Worker) -> None:
    os.close(worker.pipe)
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.pid, signal.SIGKILL)  # it has ended, or nobody reads what it finds
    with contextlib.suppress(ChildProcessError):
        os.waitpid(worker.pid, 0)
