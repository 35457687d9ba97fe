"""From what an operator wrote after --engine to a cluster that jobs can be sent to.

"local" is no cluster. "dask" starts worker processes on this machine; "dask://host:port" and
"tls://host:port" find a scheduler that runs already; a .toml file starts one through Slurm
(dask-jobqueue) or Kubernetes (dask-kubernetes).
"""

from __future__ import annotations

import importlib
import logging
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from distributed import Client, LocalCluster

from autograder.cluster.runner import DaskRunner
from autograder.cluster.site import Site
from autograder.errors import SandboxError, UsageError

CONNECT_S = 20.0
AHEAD = 2  # jobs under way for each worker: one runs, the next one is there already
_MADE_BY = {
    "slurm": ("dask_jobqueue", "SLURMCluster"),
    "kubernetes": ("dask_kubernetes.operator", "KubeCluster"),
}
_KEYS = {"kind", "jobs", "options"}


@contextmanager
def connected(engine: str, site: Site, *, workers: int) -> Iterator[tuple[DaskRunner, int]]:
    """A runner, and how many jobs should be under way at once. Raises ``UsageError`` for what
    cannot be understood, ``SandboxError`` when nobody answers."""
    if engine.endswith(".toml"):
        with _made(Path(engine)) as cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
            yield DaskRunner(client, site, where=engine), AHEAD * _expected(cluster, workers)
    elif engine == "dask":
        with _here(workers) as cluster, Client(cluster) as client:  # type: ignore[no-untyped-call]
            yield DaskRunner(client, site, where="this machine"), AHEAD * workers
    elif "://" in engine:
        address = engine.replace("dask://", "tcp://", 1)
        try:
            client = Client(address, timeout=CONNECT_S)  # type: ignore[no-untyped-call]
        except (OSError, TimeoutError, ValueError) as bad:
            raise SandboxError(
                f"--engine {engine}: no scheduler answers there ({bad}); start one with "
                "`dask scheduler` and give its address"
            ) from None
        with client:
            there = sum(
                one["nthreads"] for one in client.scheduler_info(n_workers=-1)["workers"].values()
            )
            yield DaskRunner(client, site, where=address), AHEAD * max(there, workers)
    else:
        raise UsageError(
            f"--engine {engine}: give local, dask, dask://host:port, or a .toml file for Slurm or "
            "Kubernetes (docs/scaling.md)"
        )


def _here(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None,
        resources={"box": 1}, silence_logs=logging.ERROR,
    )  # type: ignore[no-untyped-call]  # fmt: skip


@contextmanager
def _made(path: Path) -> Iterator[Any]:
    kind, jobs, options = _settings(path)
    package, name = _MADE_BY[kind]
    try:
        make = getattr(importlib.import_module(package), name)
    except ImportError:
        raise UsageError(
            f"{path}: {kind} needs the package {package.split('.')[0]}; install it"
        ) from None
    with make(**options) as cluster:
        cluster.scale(jobs=jobs) if kind == "slurm" else cluster.scale(jobs)
        yield cluster


def _settings(path: Path) -> tuple[str, int, Mapping[str, Any]]:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as bad:
        raise UsageError(f"{path}: cannot be read ({bad})") from None
    strange = sorted(data.keys() - _KEYS)
    kind, jobs, options = data.get("kind"), data.get("jobs", 1), data.get("options", {})
    if (
        strange
        or kind not in _MADE_BY
        or not isinstance(jobs, int)
        or jobs < 1
        or not isinstance(options, dict)
    ):
        raise UsageError(
            f'{path}: it must hold kind = "slurm" or "kubernetes", jobs = how many, and a '
            f"table [options] for that cluster; found {', '.join(strange) or repr(kind)}"
        )
    return kind, jobs, options


def _expected(cluster: Any, workers: int) -> int:
    return max(len(getattr(cluster, "worker_spec", ())), workers)
