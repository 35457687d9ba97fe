"""Where a class's jobs run: in a box on this machine, or on the workers of a cluster."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from autograder.classroom import box_for, hidden_from_all, warm_packages
from autograder.cluster.site import Site
from autograder.engines.local import Local
from autograder.errors import UsageError
from autograder.evidence import versions
from autograder.sandbox.box import Level
from autograder.setting import Runner
from autograder.spec.load import Loaded
from autograder.spec.pretrained import Offer

HERE = "local"
_CONNECT = "autograder.cluster.connect"  # loaded when it is asked for: Dask is an extra


@contextmanager
def runner_for(
    engine: str, loaded: Loaded, offer: Offer, *, require: Level, workers: int,
    hide: Sequence[Path] = (),
) -> Iterator[tuple[Runner, Local]]:  # fmt: skip
    """What runs jobs, and the engine that keeps enough of them under way.

    ``engine``: "local", or what ``cluster.connect`` takes. Raises ``UsageError``,
    ``SandboxError``.
    """
    if engine == HERE:
        with box_for(loaded, offer, require=require, hide=hide) as box:
            yield box, Local(workers)
        return
    try:
        connect = importlib.import_module(_CONNECT)
    except ModuleNotFoundError as lacking:
        raise UsageError(
            f"--engine {engine} needs Dask ({lacking.name} is missing): "
            "pip install 'autograder[dask]'"
        ) from None
    site = Site(
        require=require,
        hidden=tuple(str(path.resolve()) for path in (*hidden_from_all(loaded), *hide)),
        packages=warm_packages(offer),
        models=str(offer.folder.resolve()) if offer.folder is not None else "",
        versions=tuple(sorted(versions().items())),
    )
    with connect.connected(engine, site, workers=workers) as (runner, ahead):
        yield runner, Local(ahead)
