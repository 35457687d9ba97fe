"""``make test`` leaves no part untried: what it leaves out has a stand-in, and is counted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from autograder.classroom.reference import NO_REFERENCE
from autograder.evidence.records import CellRun, Stop, TimeSpent
from tests.support.kept_evidence import KeptEvidence
from tests.support.selection import STAND_INS, TRIED, place

FOLDER = Path(__file__).resolve().parent
SUITE = """
import pytest

def test_one(): pass
@pytest.mark.slow
def test_two(): pass
@pytest.mark.nightly
@pytest.mark.parametrize("n", range(3))
def test_three(n): pass
@pytest.mark.skip(reason="the moon is down")
def test_four(): pass
"""


def test_every_file_has_a_part_in_make_test_or_a_stand_in(pytestconfig: pytest.Config) -> None:
    tried = pytestconfig.stash[TRIED]
    left_out = {name for name, by_default in tried.items() if not by_default}
    assert left_out <= STAND_INS.keys()
    assert all(tried.get(name, True) for name in STAND_INS.values())


def test_stand_ins_are_for_files_that_exist() -> None:
    files = {place(path) for path in FOLDER.rglob("test_*.py")}
    assert files >= STAND_INS.keys() | set(STAND_INS.values())


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_what_is_left_out_is_counted_by_reason(tmp_path: Path, workers: str) -> None:
    (tmp_path / "test_some.py").write_text(SUITE)
    settings = ("-c", FOLDER.parent / "pyproject.toml", "--rootdir", tmp_path)
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-n",
            workers,
            "-p",
            "tests.conftest",
            *settings,
            "-p",
            "no:cacheprovider",
            "-m",
            "not slow and not nightly",
            tmp_path,
        ],
        cwd=FOLDER.parent,
        capture_output=True,
        text=True,
    )
    assert [line.strip() for line in done.stdout.splitlines()[-4:]] == [
        "3 deselected: nightly",
        "1 deselected: slow",
        "1 skipped: the moon is down",
        "5 not run in all",
    ]


def test_what_was_stopped_is_not_kept(tmp_path: Path) -> None:
    store = KeptEvidence(tmp_path)
    slow = CellRun(1, None, Stop("wall", "it took long"), TimeSpent(0.0, 0.0))
    store.save("a0", NO_REFERENCE)
    store.save("b0", msgspec.structs.replace(NO_REFERENCE, cells=(slow,)))
    assert store.load("a0") == NO_REFERENCE and store.load("b0") is None
