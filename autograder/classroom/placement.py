"""Where a class's jobs run: in boxes on this machine, or on the workers of a cluster."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from msgspec.structs import replace

from autograder.assignment.model import Assignment
from autograder.classroom.boxes import box_at, devices_for
from autograder.errors import UsageError
from autograder.evidence.store import versions
from autograder.execution.dask.site import Site
from autograder.execution.engines.local import HERE, Local
from autograder.grading.context import Runner
from autograder.grading.device_runs import NO_DEVICES, Devices, chosen, wanted_devices

_CONNECT = "autograder.execution.dask.connect"  # imported only when needed: Dask is an extra
_KINDS = ("cuda", "mps")  # accelerators that a worker may offer as a resource, in MB of memory


@dataclass(frozen=True, slots=True)
class Placement:
    """What runs jobs, the engine that keeps enough of them under way, and real accelerators."""

    runner: Runner
    engine: Local
    devices: Devices


@contextmanager
def place_for(
    engine: str, assignment: Assignment, site: Site, *, devices: str, workers: int
) -> Iterator[Placement]:
    """Boxes for an assignment, on this machine or on a cluster.

    ``engine``: "local", or a value for ``connected``. ``devices``: "auto", "none", or the name of
    an accelerator. Raises ``UsageError``, ``SandboxError``.
    """
    if engine == HERE:
        with devices_for(assignment, site, devices) as there, box_at(site) as box:
            yield Placement(box, Local(workers), there)
        return
    try:
        connect = importlib.import_module(_CONNECT)
    except ModuleNotFoundError as lacking:
        raise UsageError(
            f"--engine {engine} needs Dask ({lacking.name} is missing): "
            "pip install 'boxgrader[dask]'"
        ) from None
    site = replace(site, versions=tuple(sorted(versions().items())))
    with connect.connected(engine, site, workers=workers) as (runner, ahead):
        asked = devices != "none" and (devices != "auto" or wanted_devices(assignment))
        there = devices_there(runner, runner.offer(), assignment, devices) if asked else NO_DEVICES
        yield Placement(runner, Local(ahead), there)


def devices_there(
    runner: Runner, offer: Mapping[str, float], assignment: Assignment, wish: str
) -> Devices:
    """The accelerators that a cluster's workers declare; the scheduler shares out their memory.
    Raises ``UsageError`` for one that no worker has."""
    kinds = tuple(kind for kind in _KINDS if offer.get(f"{kind}_mb"))
    names = chosen(wish, kinds, "no worker was started with a resource such as cuda_mb=80000")
    if wish == "auto":
        names = tuple(name for name in names if name in wanted_devices(assignment))
    if not names:
        return Devices(note="no worker offers an accelerator that a check asks for")
    return Devices(names[:1], runner, f"also tested on {names[0]}, on the workers that have one")
