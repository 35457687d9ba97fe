"""What many tests share: the flagship assignment and one warm box for the whole session."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")

from autograder.classroom import Prepared, box_for, make_setting, prepare_reference
from autograder.engines.local import Local
from autograder.sandbox.lazy import LazyBox
from autograder.setting import Setting
from autograder.spec.load import Loaded, find, load
from autograder.spec.pretrained import Offer, prepare

ROOT = Path(__file__).resolve().parent.parent
SEED = 20_170_612


@pytest.fixture(scope="session")
def flagship() -> Loaded:
    """The flagship assignment."""
    return load(find("embeddings-and-position", ROOT))


@pytest.fixture(scope="session")
def offer(flagship: Loaded) -> Offer:
    return prepare(flagship)


@pytest.fixture(scope="session")
def warm_box(flagship: Loaded, offer: Offer) -> Iterator[LazyBox]:
    """One zygote for the whole session."""
    with box_for(flagship, offer, require="weak") as box:
        yield box


@pytest.fixture(scope="session")
def setting(
    flagship: Loaded, offer: Offer, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> Setting:
    """The flagship at a fixed seed, without drawing."""
    if "PYTEST_XDIST_WORKER" in os.environ:  # evidence is the same for all of them
        folder = tmp_path_factory.getbasetemp().parent / "evidence"
    else:
        folder = tmp_path_factory.mktemp("evidence")
    return make_setting(flagship, offer, warm_box, seed=SEED, draw=False, evidence=folder)


@pytest.fixture(scope="session")
def prepared(setting: Setting) -> Prepared:
    """The reference's and the known mistakes' evidence."""
    return prepare_reference(setting, Local(2), lambda what, total: None)
