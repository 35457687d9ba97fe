"""What runs on a Dask worker: jobs as bytes in, runs as bytes out, in one warm box per worker.

What comes back was made in a box by a process that ran student code; it is decoded by type on the
grader's side, as if it came from a box there. A student's crash is a run like any other; only a
fault of ours is raised.
Not covered: a worker whose machine somebody else controls. Workers are trusted as the grader is.
"""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import msgspec
from distributed import Worker, WorkerPlugin, get_worker

from autograder.cluster.site import Site
from autograder.errors import SandboxError
from autograder.evidence import versions
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Job

NAME = "autograder-boxes"


class Boxes(WorkerPlugin):
    """The warm boxes of one worker process, one for each site that it has been sent."""

    name = NAME

    def __init__(self) -> None:
        self._boxes: dict[bytes, LazyBox] = {}

    def setup(self, worker: Worker) -> None:
        """On the worker, before any task."""
        self._lock = threading.Lock()

    def teardown(self, worker: Worker) -> None:
        """On the worker, when it leaves in good order."""
        with self._lock:
            for box in self._boxes.values():
                box.__exit__(None, None, None)
            self._boxes.clear()

    def box(self, site: bytes) -> LazyBox:
        """The box for this site, made when it is first wanted."""
        with self._lock:
            if site not in self._boxes:
                self._boxes[site] = _box_for(msgspec.msgpack.decode(site, type=Site))
            return self._boxes[site]

    def __getstate__(self) -> dict[str, Any]:
        return {"_boxes": {}}  # sent before it is set up: no box, no lock


def run_job(site: bytes, job: bytes) -> bytes:
    """Run one job in this worker's box. Raises ``SandboxError`` and ``UsageError``."""
    boxes = get_worker().plugins[NAME]
    assert isinstance(boxes, Boxes), "sent under this name before the first job"
    run = boxes.box(site).run(msgspec.msgpack.decode(job, type=Job))
    return msgspec.msgpack.encode(run)


def _box_for(site: Site) -> LazyBox:
    own = tuple(sorted(versions().items()))
    if own != site.versions:
        other = [f"{n} {v}" for n, v in own if (n, v) not in site.versions]
        raise SandboxError(
            f"this worker has {', '.join(other)}, not what the grader has: install the same "
            "versions everywhere, or evidence would depend on where it was gathered"
        )

    def make() -> Box:
        hidden = [Path(path) for path in site.hidden]
        return Box(hidden=hidden, packages=site.packages, models=site.models_folder)

    return LazyBox(make, require=site.require)
