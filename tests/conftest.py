"""What many tests share: the flagship assignment and warm boxes for the whole session."""

# ruff: noqa: E402 - what the imports must find set comes first

from __future__ import annotations

import math
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_FP16")  # as in a box
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # compiled once, not by every worker and command
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # as in the command line

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import Offer, prepare
from autograder.assignment.read import find
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, PreparedClass
from autograder.sandbox.box import Box
from autograder.sandbox.lazy import LazyBox
from tests.support.in_process import Lent, lending
from tests.support.kept_evidence import KeptEvidence, kept_folder
from tests.support.progress import QUIET
from tests.support.selection import NOT_BY_DEFAULT, place

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parent
SEED = 20_170_612
# Below tests/, as far as is needed. Files that are begun first, so that no worker ends alone with
# one of them:
LONG = (
    "attacks/test_attacks",
    "classroom/test_killed",
    "course/test_corruption",
    "execution/test_dask",
    "golden/",
    "interop/gradescope/test_package",
    "interop/nbgrader/test_real",
    "interop/otter/test_real",
    "sandbox/test_conformance",
    "sandbox/test_levels",
    "sandbox/test_neighbours",
    "student/test_place",
    "student/test_shell",
    "student/test_verdicts",
    "test_container",
)
# Files whose results come from numeric kernels, tried with others in `make numeric`:
NUMERIC = (
    "course/test_facts",
    "course/test_gradients",
    "golden/",
    "judging/test_checks",
    "judging/test_compare",
    "judging/test_likeness",
    "judging/test_precision",
    "judging/test_prediction",
    "judging/test_transform",
    "runner/test_figures",
    "runner/test_verbs",
)
# Files about what differs between versions of Python, and builds of torch:
VERSIONS = (
    "assignment/",
    "attacks/test_attacks",
    "authoring/test_release",
    "judging/test_device",
    "notebook/",
    "runner/simulated_device/",
    "runner/test_verbs",
    "sandbox/test_box",
    "sandbox/test_driver",
    "sandbox/test_guards",
    "sandbox/test_limits",
    "sandbox/test_seccomp",
    "student/test_kernel",
    "student/test_public",
    "student/test_session",
    "wire/",
)
LEFT_OUT = pytest.StashKey[Counter[str]]()  # by reason, what this session does not run
STARTED = time.monotonic()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--seconds", type=float, default=math.inf, help="begin no test after this")


def pytest_configure(config: pytest.Config) -> None:
    """Workers take the files in the order in which they are collected."""
    config.stash[LEFT_OUT] = Counter()
    sys.dont_write_bytecode = False
    if hasattr(config.option, "loadscopereorder"):  # else: those with the most tests first
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not place(item.path).startswith(LONG))
    for item in items:
        for mark, names in (("numeric", NUMERIC), ("versions", VERSIONS)):
            if place(item.path).startswith(names):
                item.add_marker(mark)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if time.monotonic() - STARTED > item.config.getoption("seconds"):
        pytest.skip("the seconds of this run were used up")


def pytest_deselected(items: Sequence[pytest.Item]) -> None:
    for item in items:
        marks = [mark for mark in reversed(NOT_BY_DEFAULT) if item.get_closest_marker(mark)]
        item.config.stash[LEFT_OUT][f"deselected: {marks[0] if marks else 'others'}"] += 1


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Each worker has collected everything, so what one has left out says it all."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left_out"] = dict(session.config.stash[LEFT_OUT])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    node.config.stash[LEFT_OUT] |= Counter(getattr(node, "workeroutput", {}).get("left_out", {}))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = terminalreporter.config.stash[LEFT_OUT]
    for report in terminalreporter.stats.get("skipped", ()):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else ""
        left_out[why.replace("Skipped", "skipped", 1)] += 1


def pytest_unconfigure(config: pytest.Config) -> None:
    """The last lines of all count what was not run, by reason."""
    if not hasattr(config, "workeroutput") and LEFT_OUT in config.stash:
        for why, count in config.stash[LEFT_OUT].most_common():
            print(f"{count:6} {why}")
        print(f"{config.stash[LEFT_OUT].total():6} not run in all")


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
def kept_evidence(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> KeptEvidence:
    """For answers of the assignments' own: all workers and later runs find what was run."""
    return KeptEvidence(kept_folder(request.config) or tmp_path_factory.mktemp("evidence"))


@pytest.fixture(scope="session")
def context(
    flagship: Loaded, offer: Offer, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> GradingContext:
    """The flagship at a fixed seed, without drawing. It has a check of cost: not kept."""
    if "PYTEST_XDIST_WORKER" in os.environ:  # evidence is the same for all of them
        folder = tmp_path_factory.getbasetemp().parent / "evidence"
    else:
        folder = tmp_path_factory.mktemp("evidence")
    return make_context(flagship, offer, warm_box, seed=SEED, draw=False, evidence=folder)


@pytest.fixture(scope="session")
def prepared(context: GradingContext) -> PreparedClass:
    """The reference's evidence alone: known mistakes and mutants take a minute or two."""
    return prepare_reference(context, Local(2), QUIET.begin, mistakes=False)


@pytest.fixture(scope="session")
def prepared_to_explain(context: GradingContext) -> PreparedClass:
    """The reference's and the known mistakes' evidence."""
    return prepare_reference(context, Local(2), QUIET.begin)
