"""The part that runs on a Dask worker: jobs as bytes in, runs as bytes out, in warm sandboxes that
it keeps.

What comes back was made in a box by a process that ran student code; it is decoded by type on the
grader's side, as if it came from a box there. A student's crash is a run like any other; only a
fault of ours is raised.
Covered: several classes on one cluster, each with boxes of its own; unused ones are closed.
Not covered: a worker whose machine somebody else controls. Workers are trusted as the grader is.
"""

from __future__ import annotations

import multiprocessing
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import msgspec
from distributed import Worker, WorkerPlugin, get_worker

from autograder.errors import AutograderError, SandboxError, UsageError
from autograder.evidence.store import versions
from autograder.execution.dask.site import Site
from autograder.sandbox.accelerators import find_accelerators
from autograder.sandbox.box import Box
from autograder.sandbox.child import Starved
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Job
from autograder.wire.types import resolved

NAME = f"autograder-boxes-{versions()['box']}"  # one plugin for each version
KEPT = 6  # warm boxes on one worker: a class needs one, and one for each device
IDLE_S = 300.0  # a box without a job for this long is closed
LOOK_S = 15.0
SET_UP_S = 60.0  # how long a busy worker may take to set up its plugins


@dataclass(slots=True)
class _Warm:
    """A box, how many jobs are in it, and when the last one came."""

    box: LazyBox
    jobs: int = 0
    last: float = 0.0


class Boxes(WorkerPlugin):
    """The warm boxes of one worker process, by site and device. The first site's is started at
    once, so that no job waits for it."""

    idempotent = True  # a second grader on this cluster must not close the boxes of the first

    def __init__(self, first: bytes) -> None:
        self.name = NAME
        self._first = first
        self._boxes: dict[tuple[bytes, str], _Warm] = {}

    def setup(self, worker: Worker) -> None:
        """On the worker, before any task. A worker started by a nanny leaves Ctrl-C to its
        owner."""
        own = multiprocessing.parent_process() is not None
        if own and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, signal.SIG_IGN)
        self._lock, self._left = threading.Lock(), threading.Event()
        threading.Thread(target=self._keep, daemon=True).start()

    def teardown(self, worker: Worker) -> None:
        """On the worker, when it shuts down normally. A job in a box is run again elsewhere."""
        self._left.set()
        with self._lock:
            boxes = [warm.box for warm in self._boxes.values()]
            self._boxes.clear()
        for box in boxes:
            box.__exit__(None, None, None)

    @contextmanager
    def box(self, site: bytes, device: str) -> Iterator[LazyBox]:
        """The box for this site and device, made when first needed. Raises ``SandboxError``."""
        with self._lock:
            warm = self._boxes.get((site, device))
            if warm is None:
                warm = _Warm(_box_for(msgspec.msgpack.decode(site, type=resolved(Site)), device))
                self._boxes[site, device] = warm
            warm.jobs += 1
        self.close_idle()
        try:
            yield warm.box
        finally:
            with self._lock:
                warm.jobs -= 1
                warm.last = time.monotonic()

    def close_idle(self) -> None:
        """Close boxes without a job: if there are too many, the one idle for longest, and each that
        has been idle for too long."""
        now = time.monotonic()
        with self._lock:
            # A box with a job in it stays.
            free = sorted((w.last, key) for key, w in self._boxes.items() if w.jobs == 0)
            over = max(0, len(self._boxes) - KEPT)
            gone = [k for n, (last, k) in enumerate(free) if n < over or now - last > IDLE_S]
            boxes = [self._boxes.pop(key).box for key in gone]
        for box in boxes:
            box.__exit__(None, None, None)

    def _keep(self) -> None:
        with suppress(AutograderError), self.box(self._first, "") as box:  # the next job reports it
            box.box()
        while not self._left.wait(LOOK_S):
            self.close_idle()

    def __getstate__(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "_first": self._first,
            "_boxes": {},
        }  # it is sent before it is set up


class Unfit(SandboxError):
    """A worker could not run a job; another one may. ``weak``: it isolates too little."""

    def __init__(self, text: str, worker: str = "", weak: bool = False) -> None:
        super().__init__(text, worker, weak)  # all arguments, so that it can be pickled
        self.worker, self.weak = worker, weak

    def __str__(self) -> str:
        return str(self.args[0])


def run_job(boxes: str, site: bytes, job: bytes) -> bytes:
    """Run one job in a box of this worker's plugin of that name. Raises ``Unfit``; ``Starved`` if
    the worker is too busy."""
    plugin = _plugin(boxes)
    asked = msgspec.msgpack.decode(job, type=resolved(Job))
    try:
        with plugin.box(site, asked.device) as box:
            return msgspec.msgpack.encode(box.run(asked))
    except Starved:
        raise
    except Exception as bad:  # noqa: BLE001  a fault of this worker, whatever it is
        text, weak = str(bad) or type(bad).__name__, isinstance(bad, UsageError)
        raise Unfit(text, get_worker().address, weak) from None


def _plugin(name: str) -> Boxes:
    """This worker's boxes. A new worker may be sent a job before its plugins are set up. Raises
    ``Unfit`` if they are not set up in time."""
    worker, until = get_worker(), time.monotonic() + SET_UP_S
    while True:
        plugin = worker.plugins.get(name)
        if isinstance(plugin, Boxes):
            return plugin
        # A job waits for the boxes of a worker that has just come.
        if time.monotonic() > until:
            raise Unfit(f"{worker.address} has not been set up for this class", worker.address)
        time.sleep(0.05)


def _box_for(site: Site, device: str) -> LazyBox:
    own = tuple(sorted(versions().items()))
    if own != site.versions:
        other = [f"{n} {v}" for n, v in own if (n, v) not in site.versions]
        raise SandboxError(
            f"this worker has {', '.join(other)}, which differs from the grader: install the same "
            "versions everywhere, or evidence would depend on where it was gathered"
        )

    def make() -> Box:
        found = find_accelerators() if device else None
        accelerator = found.first(device) if found else None
        if found and accelerator is None:  # a worker without the device says so
            raise SandboxError(
                f"this worker was started with the resource {device}_mb and has no {device}: "
                f"{found.reason or 'no such device'}"
            )
        return Box(site.contents, device=accelerator)

    return LazyBox(make, require=site.require)
