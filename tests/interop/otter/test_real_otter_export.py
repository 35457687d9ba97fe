"""A small course of ours, exported: the real otter-grader gives the scores that we give.

Otter runs with our packages behind its own, as where requirements.txt of the export was installed.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.authoring.release import made_release
from autograder.execution.engines.local import Local
from tests.interop.otter.export_comparison import compare, count
from tests.support.in_process import Lent
from tests.support.real_programs import OTTER
from tests.support.small_course import (
    EVEN,
    LOOPS,
    ODD,
    RIGHT,
    SQUARES,
    SUMS,
    WORDS,
    notebook,
    write_small_course,
)

pytestmark = [pytest.mark.slow, OTTER.required()]

STUDENTS = {
    "right": RIGHT,
    "wrong": (SUMS, SQUARES, ODD, WORDS),
    "slow": ("total = 0.31", LOOPS, EVEN),
    "endless": (SUMS, "while True:\n    pass", EVEN),
    "crashes": ("1 / 0", "def double(n)\n    return n", EVEN),
    "missing": (SUMS,),
    "blank": ("",),
    "empty": (),  # no notebook: neither gives a score
}


def test_the_small_course_earns_there_what_it_earns_here(tmp_path: Path, lent_box: Lent) -> None:
    course = write_small_course(tmp_path)
    release = made_release(load(course), Local(1), lambda what, total: None)
    for path, content in release.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (tmp_path / "in").mkdir()
    for student, sources in STUDENTS.items():
        (tmp_path / "in" / f"{student}.ipynb").write_text(notebook(*sources))
    assert count(compare(course, tmp_path / "in", tmp_path)) == 21
