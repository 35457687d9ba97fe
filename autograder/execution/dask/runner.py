"""Runs jobs on a Dask cluster instead of a local sandbox, and waits for the cluster's answers.

Covered: if a worker dies, its job is run again elsewhere; if a scheduler dies, the runner waits for
it and sends again what was lost. Both are faults on our side and cost no student anything. Running
a job twice is harmless: evidence is kept under the job's own digest.
Not covered: a job that ends its worker every time is given up as ungraded, after many workers.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import suppress

import msgspec
from distributed import Client, Future
from distributed.scheduler import KilledWorker

from autograder.errors import EngineError, SandboxError, UsageError
from autograder.evidence.records import Run
from autograder.execution.dask.site import Site
from autograder.execution.dask.worker import NAME, Boxes, Unfit, run_job
from autograder.sandbox.accelerators import PROCESS_MB
from autograder.sandbox.box import LEVELS
from autograder.wire.messages import Job
from autograder.wire.types import resolved

RETRIES = 2  # after a fault that a worker reports; more while there are other workers
TRIES = 12
UNFIT_S = 60.0  # how long other workers are preferred to one that could not run a job
ROUNDS = 6  # each ends when the job has lost as many workers as allowed-failures permits
LOOK_S = 2.0  # how often a waiting job checks that there still is a cluster
CLOSE_S = 2.0
AGAIN_S = 0.5  # between two tries to reach a scheduler
OVERHEAD_MB = 512  # a worker's memory beyond a job's limit: its warm process
ANSWER_S = 120.0  # to transfer one finished answer over the network
_BROKEN = (OSError, RuntimeError, TimeoutError, CancelledError)  # what a lost client raises

Offer = Mapping[str, float]  # the most of each resource that one worker has
Mend = Callable[[], object]
Needs = frozenset[tuple[str, float]]


def nothing_to_mend() -> None:
    """For clusters that restart lost workers by themselves."""


class _Lost(Exception):
    """This client has lost its scheduler, or the scheduler forgot the job."""


class DaskRunner:
    """Runs jobs from any thread; each call blocks until its run is done."""

    def __init__(
        self,
        connect: Callable[[], Client],
        site: Site,
        *,
        where: str,
        patience_s: float,
        mend: Mend = nothing_to_mend,
    ) -> None:
        """``connect`` reaches the scheduler, and raises ``OSError`` or ``TimeoutError`` if it does
        not answer. ``patience_s``: how long to wait for a missing scheduler or worker. ``mend``
        restarts lost workers; it is called now and then, and returns at once."""
        self._connect, self._where, self._patience_s = connect, where, patience_s
        self._mend = mend
        self._require = site.require
        self._site = msgspec.msgpack.encode(site)
        self._lock = threading.Lock()
        self._client: Client | None = None
        self._offer: Offer = {}
        self._gone = ""  # why there is no cluster anymore
        self._closed = threading.Event()
        self._seen: dict[Needs, float] = {}  # when a worker last fitted such a job
        self._looked: dict[Needs, float] = {}  # when a thread last looked for one
        self._unfit: dict[
            Needs, dict[str, float]
        ] = {}  # workers that could not run such a job, and when

    def run(self, job: Job, *, watch: Callable[[Run], None] | None = None) -> Run:
        """The job's run. Raises ``SandboxError`` when this job is lost, ``EngineError`` when the
        cluster is, ``UsageError`` when its workers offer less than is required."""
        begun, body = time.monotonic(), msgspec.msgpack.encode(job)
        data = self._sent(run_job, (NAME, self._site, body), lambda: self._needs(job))
        try:
            return _timed(msgspec.msgpack.decode(data, type=resolved(Run)), begun)
        except msgspec.MsgspecError as bad:
            raise SandboxError(f"a worker's answer cannot be read: {bad}") from None

    def accepts(self, level: str) -> bool:
        """Whether evidence gathered at this level is good enough."""
        return level in LEVELS and LEVELS.index(level) >= LEVELS.index(self._require)

    def offer(self) -> Offer:
        """The most of each resource that one worker has; waits for a first worker."""
        self._ready()
        return self._offer

    def close(self) -> None:
        """Disconnect from the scheduler; waiting jobs end. Workers that stay close their boxes
        after a while."""
        self._closed.set()  # first: the holder of the lock may be waiting for a scheduler
        with self._lock:
            client, self._client = self._client, None
        _close(client)

    def _sent(
        self,
        function: Callable[..., bytes],
        args: tuple[object, ...],
        needs: Callable[[], dict[str, float]],
    ) -> bytes:
        """A worker's answer, however many workers and schedulers are lost on the way."""
        killed = failed = 0
        while True:
            client = self._ready()
            wanted = needs()
            others = self._others(client, wanted)
            try:
                return self._answer(client, function, args, wanted, others)
            except KilledWorker as lost:
                killed += 1
                if killed == ROUNDS:
                    raise SandboxError(f"every worker with this job was lost: {lost}") from None
            except Unfit as bad:
                failed += 1
                self._unfit.setdefault(frozenset(wanted.items()), {})[bad.worker] = time.monotonic()
                if failed > RETRIES and (failed == TRIES or not self._others(client, wanted)):
                    raise UsageError(str(bad)) if bad.weak else bad from None
            except _Lost:  # a scheduler that is lost is waited for
                self._forget(client)

    def _others(self, client: Client, needs: dict[str, float]) -> list[str]:
        """The workers that have what a job needs, except some that recently could not run one;
        empty if there were none of these."""
        now, wanted = time.monotonic(), frozenset(needs.items())
        unfit = {w for w, at in self._unfit.get(wanted, {}).copy().items() if now - at < UNFIT_S}
        if not unfit:
            return []
        try:
            there = _resources(client)
        except Exception:  # noqa: BLE001  sending the job shows why
            return []
        return [name for name, own in there.items() if name not in unfit and _fits(own, needs)]

    def _answer(
        self,
        client: Client,
        function: Callable[..., bytes],
        args: tuple[object, ...],
        needs: dict[str, float],
        others: Sequence[str],
    ) -> bytes:
        """``others``: the workers to use, unless none of them is left."""
        try:
            future = client.submit(
                function,
                *args,
                pure=False,
                resources=needs,
                workers=list(others) or None,
                allow_other_workers=bool(others),
            )
        except Exception as broken:
            if client.status == "running":
                raise
            raise _Lost from broken
        self._seen[frozenset(needs.items())] = time.monotonic()  # the wait starts again
        try:
            while True:
                data = self._data(future)
                if data is not None:
                    return data
                self._look(client, needs)
        finally:
            with suppress(*_BROKEN):
                future.release()  # type: ignore[no-untyped-call]

    @staticmethod
    def _data(future: Future[bytes]) -> bytes | None:
        """A job's answer; None when it is not there within ``LOOK_S`` seconds. Raises what the
        worker raised, and ``_Lost``."""
        try:
            failed = future.exception(timeout=LOOK_S)  # type: ignore[no-untyped-call]
        except TimeoutError:
            return None
        except Exception as broken:  # of the client: what the worker raised is returned
            raise _Lost from broken
        if future.status == "error":
            assert failed is not None, "a failed future has an exception"
            raise failed
        if future.status != "finished":
            raise _Lost
        try:
            data: bytes = future.result(timeout=ANSWER_S)
        except TimeoutError:
            return None  # its worker is lost, and the job runs again
        except _BROKEN as broken:
            raise _Lost from broken
        return data

    def _needs(self, job: Job) -> dict[str, float]:
        """What a worker must have free for a job; memory only if workers declare theirs."""
        needs = {"box": 1.0}
        if "memory_mb" in self._offer:
            needs["memory_mb"] = job.limits.memory_mb + OVERHEAD_MB
        if job.device:
            needs[f"{job.device}_mb"] = job.limits.device_mb + PROCESS_MB
        for name, amount in needs.items():
            # A job takes no more than a worker has.
            if self._offer.get(name, 0.0) < amount:
                raise UsageError(
                    f"no worker of {self._where} has {name}={amount:g}, which a job needs; start "
                    f'one with `dask worker ... --resources "box=1 {name}={amount:g}"`'
                )
        return needs

    def _ready(self) -> Client:
        """A client whose workers have their boxes; raises ``EngineError``."""
        with self._lock:
            if self._gone:
                raise EngineError(self._gone)
            if self._client is None:
                self._client = self._reached()
            return self._client

    def _reached(self) -> Client:
        """A client whose workers have their boxes, once there is a first worker."""
        until, client = time.monotonic() + self._patience_s, None
        while not self._closed.is_set():  # nobody waits for one that is closed
            try:
                if client is None:
                    client = self._connect()
                    client.register_plugin(Boxes(self._site))
                self._mend()
                there = _offered(client)
                if there.get("box"):
                    self._offer = {
                        # Who comes first does not say what there is.
                        n: max(there.get(n, 0.0), self._offer.get(n, 0.0))
                        for n in {*there, *self._offer}
                    }  # a lost worker may come back
                    self._seen.clear()
                    return client
                why = (
                    f"no worker with the resource box has connected to {self._where} within "
                    f"{self._patience_s:g} seconds; start some: `dask worker {self._where} "
                    "--nthreads 1 --resources box=1`"
                )
            except Exception as bad:  # noqa: BLE001  reported when the time is up
                _close(client)
                why, client = f"no scheduler answers at {self._where} ({bad})", None
            if time.monotonic() > until:
                _close(client)
                raise self._end(why)
            self._closed.wait(AGAIN_S)
        _close(client)
        raise self._end("the connection to the cluster was closed")

    def _look(self, client: Client, needs: Mapping[str, float]) -> None:
        """Check, for a waiting job, that there still is a scheduler and that a worker recently had
        what the job needs. One thread checks for all jobs with the same needs."""
        wanted = frozenset(needs.items())
        with self._lock:
            if self._gone:
                raise EngineError(self._gone)
            if client is not self._client:
                raise _Lost
            now = time.monotonic()
            if now - self._looked.get(wanted, -LOOK_S) < LOOK_S:
                return
            self._looked[wanted] = now
            seen = self._seen.setdefault(wanted, now)
        self._mend()
        try:
            there = _resources(client).values()
        except Exception as broken:
            raise _Lost from broken
        # Only a worker that fits is waited for.
        if any(_fits(own, needs) for own in there):
            self._seen[wanted] = now
        elif now - seen > self._patience_s:
            lacking = " ".join(f"{name}={amount:g}" for name, amount in sorted(needs.items()))
            raise self._end(
                f"no worker of {self._where} has {lacking}, and none has connected within "
                f"{self._patience_s:g} seconds"
            )

    def _forget(self, client: Client) -> None:
        """Drop a client that lost its scheduler: the next job makes a new one."""
        with self._lock:
            mine = self._client is client
            if mine:
                self._client = None
        if mine:
            _close(client)

    def _end(self, why: str) -> EngineError:
        """The cluster is lost: every waiting job fails with this error, and the batch ends."""
        self._gone = f"{why}; graded submissions are saved; run the same command again to continue"
        return EngineError(self._gone)  # a scheduler that is gone ends the class


def _resources(client: Client) -> dict[str, Mapping[str, float]]:
    """The resources of each connected worker, by address."""
    workers = client.scheduler_info(n_workers=-1)["workers"]
    return {address: worker["resources"] for address, worker in workers.items()}


def _fits(resources: Mapping[str, float], needs: Mapping[str, float]) -> bool:
    """Whether one worker's resources are enough for a job."""
    return all(resources.get(name, 0.0) >= amount for name, amount in needs.items())


def _offered(client: Client) -> Offer:
    found: dict[str, float] = {}
    for own in _resources(client).values():
        for name, amount in own.items():
            found[name] = max(found.get(name, 0.0), float(amount))
    return found


def _close(client: Client | None) -> None:
    if client is not None:
        with suppress(*_BROKEN):
            client.close(timeout=CLOSE_S)  # type: ignore[no-untyped-call]


def _timed(run: Run, begun: float) -> Run:
    """The run with the time that the cluster added, in seconds by this machine's clock."""
    added = max(0.0, time.monotonic() - begun - run.measured.wall_s)
    measured = msgspec.structs.replace(run.measured, transit_s=round(added, 6))
    return msgspec.structs.replace(run, measured=measured)
