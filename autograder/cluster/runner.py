"""Runs jobs on a Dask cluster: stands where a box would be, and waits for the cluster's answer.

Covered: a worker that dies is replaced and its job is run again, a few times; that is told as a
fault of ours, never as the student's. Running a job twice is harmless: evidence is kept under the
job's own digest. Not covered: a job that ends its worker each time is given up as ungraded.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import msgspec
from distributed import Client
from distributed.client import FutureCancelledError
from distributed.scheduler import KilledWorker

from autograder.cluster.site import Site
from autograder.cluster.worker import Boxes, run_job
from autograder.errors import SandboxError, UsageError
from autograder.sandbox.box import LEVELS
from autograder.sandbox.run import Run
from autograder.wire.messages import Job

RETRIES = 2  # after a fault of ours; lost workers are counted by the scheduler
NOBODY_S = 60.0  # how long to wait for a first worker


class DaskRunner:
    """Runs jobs from any thread; a thread waits until its run is there."""

    def __init__(self, client: Client, site: Site, *, where: str) -> None:
        self._client, self._where = client, where
        self._require = site.require
        self._site = msgspec.msgpack.encode(site)
        self._lock = threading.Lock()
        self._ready = False

    def run(self, job: Job, *, watch: Callable[[Run], None] | None = None) -> Run:
        """The job's run. Raises ``SandboxError`` when the cluster fails, ``UsageError`` when its
        workers offer less isolation than is required."""
        self._prepare()
        body = msgspec.msgpack.encode(job)
        future = self._client.submit(
            run_job, self._site, body, pure=False, retries=RETRIES, resources={"box": 1}
        )
        try:
            data: bytes = future.result()
            return msgspec.msgpack.decode(data, type=Run)
        except (SandboxError, UsageError):
            raise
        except KilledWorker as lost:
            raise SandboxError(f"every worker that took this job was lost: {lost}") from None
        except (FutureCancelledError, OSError, TimeoutError) as lost:
            raise SandboxError(f"the cluster was lost: {lost}") from None
        except msgspec.MsgspecError as bad:
            raise SandboxError(f"a worker's answer cannot be read: {bad}") from None
        finally:
            future.release()  # type: ignore[no-untyped-call]

    def accepts(self, level: str) -> bool:
        """Whether evidence gathered at this level is good enough."""
        return level in LEVELS and LEVELS.index(level) >= LEVELS.index(self._require)

    def _prepare(self) -> None:
        """Send the plugin, once, when the first worker is there."""
        with self._lock:
            if self._ready:
                return
            self._client.register_plugin(Boxes())
            try:
                self._client.wait_for_workers(1, timeout=NOBODY_S)
            except TimeoutError:
                where = self._where
                raise SandboxError(
                    f"no worker has come to {where} within {NOBODY_S:g} seconds; start some: "
                    f"`dask worker {where} --nthreads 1 --resources box=1`"
                ) from None
            self._ready = True
