"""Turns the value of --engine into a cluster that jobs can be sent to.

"local" means no cluster. "dask" starts worker processes on this machine; "dask://host:port" and
"tls://host:port" use a running scheduler; a .toml file starts one through Slurm (dask-jobqueue) or
Kubernetes (dask-kubernetes).
"""

from __future__ import annotations

import importlib
import logging
import os
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask
from distributed import Client, LocalCluster, Status

from autograder.errors import SandboxError, UsageError
from autograder.execution.dask.runner import DaskRunner, Mend, nothing_to_mend
from autograder.execution.dask.site import Site
from autograder.sandbox.isolation.premises import PREFIX, sweep

CONNECT_S = 20.0
AHEAD = 2  # jobs sent to each worker: one runs, the next one waits there
HERE_S, THERE_S = 120.0, 300.0  # how long to wait for workers here, and elsewhere
SLOW_S = 120  # how long a worker may take to restart on a busy machine
QUEUED_S = 24 * 3600.0  # for workers that wait in the queue of a batch system
_MADE_BY = {
    "slurm": ("dask_jobqueue", "SLURMCluster"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster"),
}
_FRUGAL = {  # Dask's debug logs would hold whole jobs: 0.5 GB here, 0.1 GB per worker
    # Dask keeps no log of what was sent.
    "distributed.admin.low-level-log-length": 10,
    # Dask remembers little of how busy it was.
    "distributed.admin.system-monitor.log-length": 10,
    # Dask takes no profile of a worker.
    "distributed.worker.profile.enabled": False,
}
_LOUD = (
    "distributed",
    "distributed.client",
    "distributed.core",
    "distributed.batched",
    "distributed.comm",
    "distributed.nanny",
    "distributed.scheduler",
    "tornado.application",
    "asyncio",
)


@dataclass(frozen=True, slots=True)
class ClusterFile:
    """A .toml file: the kind of cluster, how many jobs to start, options of its class, and how many
    seconds to wait for a worker."""

    kind: str
    jobs: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    patience_s: float = QUEUED_S


@dataclass(frozen=True, slots=True)
class _Cluster:
    """A cluster to connect to. ``target``: Dask's object, or an address; ``where``: in messages.

    ``patience_s``: how long to wait for its workers; ``mend`` restarts them. ``direct``: answers
    come from the workers and do not pass the scheduler.
    """

    target: Any
    where: str
    patience_s: float
    mend: Mend = nothing_to_mend
    direct: bool | None = None


@contextmanager
def connected(engine: str, site: Site, *, workers: int) -> Iterator[tuple[DaskRunner, int]]:
    """A runner, and how many jobs should be under way at once. Raises ``UsageError`` for
    an invalid value, ``SandboxError`` when nothing answers."""
    settings = {**_FRUGAL, "distributed.deploy.lost-worker-timeout": f"{SLOW_S}s"}
    with _quiet(), dask.config.set(settings):
        if engine.endswith(".toml"):
            file = cluster_file(Path(engine))
            with _made(file, engine) as cluster, _runner(cluster, site) as runner:
                yield runner, AHEAD * max(len(cluster.target.plan), file.jobs, workers)
        elif engine == "dask":
            with _here(workers) as cluster, _runner(cluster, site) as runner:
                yield runner, AHEAD * workers
            sweep()  # after workers that were killed
        elif "://" in engine:
            address = engine.replace("dask://", "tcp://", 1)
            there = _threads(engine, address)
            with _runner(_Cluster(address, address, THERE_S), site) as runner:
                yield runner, AHEAD * max(there, workers)
        else:
            raise UsageError(
                f"--engine {engine}: use local, dask, dask://host:port, or a .toml file for Slurm "
                "or Kubernetes (docs/scaling.md)"
            )


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's own messages: the runner reports lost connections and workers."""
    before = {name: logging.getLogger(name).level for name in _LOUD}
    try:
        for name in _LOUD:
            logging.getLogger(name).setLevel(logging.CRITICAL)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def _runner(cluster: _Cluster, site: Site) -> Iterator[DaskRunner]:
    def connect() -> Client:
        return Client(  # type: ignore[no-untyped-call]
            cluster.target,
            timeout=CONNECT_S,
            direct_to_workers=cluster.direct,
            set_as_default=False,
        )

    runner = DaskRunner(
        connect, site, where=cluster.where, patience_s=cluster.patience_s, mend=cluster.mend
    )
    try:
        yield runner
    finally:
        runner.close()


def _threads(engine: str, address: str) -> int:
    """How many jobs the workers of a scheduler take at once; raises ``SandboxError``."""
    try:
        with Client(address, timeout=CONNECT_S, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            workers = client.scheduler_info(n_workers=-1)["workers"].values()
            return int(sum(worker["nthreads"] for worker in workers))
    except (OSError, TimeoutError, ValueError) as bad:
        raise SandboxError(
            f"--engine {engine}: no scheduler answers there ({bad}); start one with "
            "`dask scheduler` and give its address"
        ) from None


@contextmanager
def _here(workers: int) -> Iterator[_Cluster]:
    """Worker processes on this machine. They are started after the scheduler, so that one that is
    killed while it starts does not end the run."""
    with (
        TemporaryDirectory(prefix=f"{PREFIX}{os.getpid()}-") as scratch,
        dask.config.set({"temporary-directory": scratch}),
        LocalCluster(
            n_workers=0,
            threads_per_worker=1,
            processes=True,
            dashboard_address="127.0.0.1:0",
            # Local workers take code from their grader alone.
            security=True,
            protocol="tls://",  # otherwise any user of this machine could send code
            resources={"box": 1},
            silence_logs=logging.CRITICAL,
            local_directory=scratch,
        ) as cluster,  # type: ignore[no-untyped-call]
    ):
        mend = _mend(cluster, lambda: cluster.scale(workers))
        mend()
        yield _Cluster(cluster, "this machine", HERE_S, mend, direct=True)


def _mend(cluster: Any, scale: Callable[[], None]) -> Mend:
    """Return a function that restarts workers that ended and that their nannies could not
    restart."""

    def replace() -> None:
        for name, nanny in list(cluster.workers.items()):
            # A nanny that gave up is replaced.
            if nanny.status in (Status.failed, Status.closed):
                del cluster.workers[name]
        scale()

    return lambda: cluster.loop.add_callback(replace)


@contextmanager
def _made(file: ClusterFile, where: str) -> Iterator[_Cluster]:
    package, name = _MADE_BY[file.kind]
    try:
        make = getattr(importlib.import_module(package), name)
    except ImportError:
        raise UsageError(
            f"{where}: {file.kind} needs the package {package.split('.')[0]}; install it"
        ) from None
    secure = {"security": True} if file.kind == "slurm" else {}  # with keys made for this run
    try:
        cluster = make(**{**secure, **file.options})
    except (TypeError, ValueError, OSError, RuntimeError) as bad:
        raise UsageError(f"{where}: {name} did not start with these options: {bad}") from None
    with cluster:
        if file.kind == "slurm":
            mend = _mend(cluster, lambda: cluster.scale(jobs=file.jobs))
            cluster.scale(jobs=file.jobs)
        else:
            mend = nothing_to_mend  # the operator restarts its pods
            cluster.scale(file.jobs)
        yield _Cluster(cluster, where, file.patience_s, mend)


def cluster_file(path: Path) -> ClusterFile:
    """Read a cluster's .toml file; raises ``UsageError`` with every problem."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as bad:
        raise UsageError(f"{path}: cannot be read ({bad})") from None
    kinds = " or ".join(f'"{kind}"' for kind in _MADE_BY)
    is_right: dict[str, tuple[Callable[[object], bool], str]] = {
        "kind": (lambda kind: isinstance(kind, str) and kind in _MADE_BY, kinds),
        "jobs": (lambda jobs: _is_number(jobs, whole=True), "how many to start, from 1 on"),
        "options": (lambda found: isinstance(found, dict), "a table [options] for that cluster"),
        "patience_s": (
            lambda seconds: _is_number(seconds, whole=False),
            "how many seconds to wait for a worker, above 0",
        ),
    }
    problems = [
        f"{path}: {key}: write {what}, not {data.get(key, 'nothing')!r}"
        for key, (test, what) in is_right.items()
        if (key in data or key == "kind") and not test(data.get(key))
    ]
    known = ", ".join(is_right)
    problems += [
        f"{path}: {key}: unknown key; remove it, or write one of {known}"
        for key in sorted(data.keys() - is_right.keys())
    ]
    if problems:
        raise UsageError("\n".join(problems))
    return ClusterFile(**data)


def _is_number(value: object, *, whole: bool) -> bool:
    kinds = (int,) if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and value > 0
