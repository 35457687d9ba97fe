"""A student's own values in their notebook and in a shell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograder.student import shell
from autograder.student.errors import GraderError
from autograder.student.grader import Grader
from autograder.student.personal_file import personal_bytes
from autograder.student.public_evidence import LaterChecks
from autograder.wire.tensors import to_wire
from tests.student.test_shell import notebook
from tests.support.small_public import ID, function, made, written

CHECKS: Any = {"double": [function("double", "numbers")], "spread": []}
RIGHT = "def double(x): return 2 * x"
VALUES = np.array([1.5, -2.0])


def course(folder: Path) -> Path:
    """A course's file for students, and the folder of a notebook below it."""
    evidence = made(CHECKS, RIGHT, cases={"numbers": [(2.0,)]}, later=LaterChecks(1, 2000, 0, 0))
    written(folder, evidence)
    below = folder / "week"
    below.mkdir()
    return below


def give(folder: Path, *values: Any, assignment: str = ID, exercise: str = "spread") -> Path:
    path = folder / f"{ID}.personal.agw"
    case = tuple(map(to_wire, values))
    path.write_bytes(personal_bytes(assignment, "s1", ((exercise, case),)))
    return path


def grader(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Grader:
    monkeypatch.chdir(folder)
    return Grader(ID, namespace={})


def test_data_gives_fresh_values_of_the_nearest_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = course(tmp_path)
    give(tmp_path, VALUES)
    there = grader(below, monkeypatch)
    first = there.data("spread")
    assert isinstance(first, np.ndarray) and first.tolist() == [1.5, -2.0]
    first[:] = 0
    assert there.data("spread").tolist() == [1.5, -2.0]
    give(below, 7, ["a", 2])
    assert there.data("spread") == (7, ["a", 2])
    assert personal_bytes(ID, "s1", ()) == personal_bytes(ID, "s1", ())


def test_a_file_that_is_missing_or_another_ones_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = course(tmp_path)
    there = grader(below, monkeypatch)
    with pytest.raises(GraderError, match="there is no exercise 'nothing'"):
        there.data("nothing")
    with pytest.raises(GraderError, match=r"no small\.personal\.agw in .*next to the notebook"):
        there.data("spread")
    give(below, VALUES, exercise="double")
    with pytest.raises(GraderError, match="no values for 'spread'; it has double"):
        there.data("spread")
    path = give(below, VALUES, assignment="other")
    with pytest.raises(GraderError, match="holds the values of 'other'"):
        there.data("spread")
    for broken in (b"", b"\x80", b"\x80\x04K\x01.", b"[" * 100_000):  # the third one is a pickle
        path.write_bytes(broken)
        with pytest.raises(GraderError, match="cannot be read"):
            there.data("spread")


@pytest.mark.slow
def test_a_shell_runs_the_notebook_on_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    below = course(tmp_path)
    give(below, VALUES)
    cells = (
        'from autograder.student import Grader\ngrader = Grader("small")\n'
        'assert grader.data("spread").tolist() == [1.5, -2.0]\nfactor = 2',
        ("double", "def double(x): return factor * x"),
    )
    assert shell.check(notebook(below, *cells)) == 0
    assert "1 of 1 point" in " ".join(capsys.readouterr().out.split())
