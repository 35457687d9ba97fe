"""The tenth of the golden outcomes that every run of the tests compares."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from autograder.assignment.load import load
from autograder.assignment.read import find
from autograder.sandbox.lazy import LazyBox
from tests.golden.outcomes import (
    WHOLE,
    Blocks,
    GoldenGrader,
    digest,
    read_blocks,
    same,
    submissions,
)
from tests.support.in_process import lending

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
PYTHON = (3, 11)  # with which the files are written
ONE_IN, AT_MOST = 10, 8


def assert_unchanged(assignment: str, box: LazyBox) -> None:
    """Grade the tenth of an assignment's submissions and compare their lines."""
    loaded, golden = load(find(assignment, ROOT)), read_blocks(HERE / f"{assignment}.txt")
    every, names = submissions(loaded), tenth(golden)
    if sys.version_info[:2] == PYTHON:
        assert every.keys() == golden.keys(), "make golden WRITE=1"
    else:  # its messages and its syntax trees are others
        names = [name for name in names if name in every and "Error" not in golden[name]]
    grader = GoldenGrader(loaded, ROOT / "build" / "golden")
    with lending(box.box()):
        now = dict(grader.alone({name: every[name] for name in names}))
    differ = {name: block for name, block in now.items() if not same(golden[name], block)}
    # compared as texts, so that pytest shows the lines
    assert "".join(differ.values()) == "".join(golden[name] for name in differ)


def tenth(golden: Blocks) -> list[str]:
    """One in ten submissions and at most eight, by digests: of the samples and of the answers.
    Only those whose explanation needs no other run than their own and that of their own known
    mistake."""
    alone = sorted((n for n, block in golden.items() if _stands_alone(n, block)), key=digest)
    samples = [name for name in alone if name.startswith("sample/")]
    answers = [name for name in alone if name.split("/")[1] != WHOLE]
    few = sum(name.startswith("sample/") for name in golden) // ONE_IN
    return sorted(samples[:few] + answers[: min(len(golden) // ONE_IN, AT_MOST) - few])


def _stands_alone(name: str, block: str) -> bool:
    """Whether no other known mistake and no mutant had a part in the explanations."""
    labels = re.findall(r"^  \S+  \w+  \S+  \[(.*?)\]", block, re.MULTILINE)
    own = f"named: {name.rpartition('/')[2]}"
    return all(
        label in (own, "nothing") or label.startswith(("named: the right", "nothing: wrong where"))
        for label in labels
    )
