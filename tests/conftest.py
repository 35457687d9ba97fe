"""What many tests share: the flagship assignment and warm boxes for the whole session."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")  # as in a box
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, not by every worker and command

from autograder.classroom import Prepared, box_for, make_setting, prepare_reference
from autograder.engines.local import Local
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from autograder.setting import Setting
from autograder.spec.load import Loaded, load
from autograder.spec.pretrained import Offer, prepare
from autograder.spec.read import find
from tests.in_process import Lent, lending

ROOT = Path(__file__).resolve().parent.parent
SEED = 20_170_612
LONG = (  # files that are begun first, so that no worker ends alone with one of them
    "test_course_embed", "test_course_rot", "test_killed", "test_attacks", "test_student_verdicts",
    "test_cluster", "test_gradescope_package", "test_student_place", "test_conformance",
    "test_levels", "test_container", "test_corruption", "test_student_shell", "test_neighbours",
    "test_real_otter", "test_real_nbgrader",
)  # fmt: skip

NUMERIC = (  # files whose results come from numeric kernels, tried with others in `make numeric`
    "test_agreement", "test_checks", "test_compare", "test_course", "test_diagnosis",
    "test_evidence", "test_figures", "test_flagship", "test_judge", "test_likeness",
    "test_pipeline", "test_precision", "test_prediction", "test_student_verdicts",
    "test_template", "test_transforms", "test_trivial", "test_validate", "test_verbs",
)  # fmt: skip
VERSIONS = (  # files about what differs between versions of Python, and builds of torch
    "test_architecture", "test_attacks", "test_box", "test_corruption", "test_device_checks",
    "test_device_legs", "test_driver", "test_editions", "test_excerpt", "test_fuzz", "test_large",
    "test_limits", "test_notebook", "test_orders", "test_pipeline", "test_public", "test_release",
    "test_sandbox_guards", "test_seccomp", "test_simulated", "test_spec", "test_student_kernel",
    "test_student_session", "test_template", "test_verbs", "test_wire",
)  # fmt: skip
SKIPPED = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    """Workers take the files in the order in which they are collected."""
    sys.dont_write_bytecode = False
    if hasattr(config.option, "loadscopereorder"):  # else: those with the most tests first
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.path.name.startswith(LONG))
    for item in items:
        for mark, names in (("numeric", NUMERIC), ("versions", VERSIONS)):
            if item.path.name.startswith(names):
                item.add_marker(mark)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ") if isinstance(report.longrepr, tuple) else ""
        for report in terminalreporter.stats.get("skipped", ())
    )
    terminalreporter.config.stash[SKIPPED] = [f"{n} {why}" for why, n in reasons.most_common()]


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last line of all says what this machine could not try."""
    if SKIPPED in config.stash:
        print(f"skipped: {'; '.join(config.stash[SKIPPED]) or 'nothing'}")


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
def plain_box() -> Iterator[Box]:
    """Another for the whole session, of no assignment: a start takes seconds of a processor."""
    with Box() as box:
        yield box


@pytest.fixture(scope="module")
def lent_box(plain_box: Box) -> Iterator[Lent]:
    """The commands of one module run in that box; what is hidden from a box is not their point."""
    with lending(plain_box) as lent:
        yield lent


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
