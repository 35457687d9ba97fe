"""An assignment of another tool proves itself: its solution and its blank release are graded."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from autograder.commands import authoring
from autograder.errors import UsageError
from tests.support import nbgrader_cells as nb
from tests.support.in_process import Ran, command
from tests.support.otter_sources import (
    archived,
    code,
    config,
    notebook,
    ok_test,
    one_case,
    question,
)
from tests.support.small_course import write_small_course

pytestmark = pytest.mark.usefixtures("lent_box")


def imported(tmp_path: Path, tool: str, source: Path) -> Ran:
    return command("import", tool, source, "--into", tmp_path / "course")


def master(tmp_path: Path, *cells: dict[str, object]) -> Path:
    path = tmp_path / "hw1.ipynb"
    path.write_bytes(notebook(config("name: hw1"), *cells))
    return path


def test_a_solution_with_all_points_is_said_and_nothing_else(tmp_path: Path) -> None:
    ran = imported(tmp_path, "otter", master(tmp_path, *question(code("x", "3"))))
    said = [line for line in ran.out.splitlines() if line.startswith("hw1: ")]
    assert (ran.code, said) == (0, ["hw1: The solution earns 1 of 1 points."])


def test_what_the_solution_does_not_earn_or_find_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cells = (code("import no_such_package"), *question(code("x", "4")), code("open('data.csv')"))
    ran = imported(tmp_path, "otter", master(tmp_path, *cells))
    assert ran.code == 0  # it is imported all the same
    for said in (
        r"hw1: The solution earns 0 of 1 points\.",
        r"hw1: q1: q1 - 1: .*",
        r"hw1: The package no_such_package is not installed here.*",
        r"hw1: The file 'data\.csv' is not there: put it into assignments/hw1/files/\.",
    ):
        assert re.search(f"^{said}$", ran.out, re.M), ran.out
    monkeypatch.chdir(tmp_path / "course")
    again = command("validate", "hw1")
    assert again.code == 1 and "The solution earns 0 of 1 points." in again.out


def test_tests_that_pass_without_any_work_are_named(tmp_path: Path) -> None:
    ran = imported(tmp_path, "otter", master(tmp_path, *question(code("1 + 1", "2"))))
    assert "1 test passes on the release without any work: q1 (q1 - 1)." in ran.out


def test_without_a_solution_nothing_could_be_tried_and_that_is_said(tmp_path: Path) -> None:
    ran = imported(tmp_path, "otter", archived(tmp_path, {"tests/q1.py": ok_test(one_case())}))
    assert ran.code == 0 and "There is no solution in what was imported" in ran.out


@pytest.mark.parametrize(("tests", "earned"), [(nb.TESTS, 2), ("assert area(2) == 5", 0)])
def test_an_assignment_of_nbgrader_proves_itself_too(
    tmp_path: Path, tests: str, earned: int
) -> None:
    cells = (nb.answer(nb.SOLUTION), nb.tests(tests, points=2))
    ran = imported(tmp_path, "nbgrader", nb.written(tmp_path / "ps/p.ipynb", *cells))
    assert f"The solution earns {earned} of 2 points." in ran.out


def test_an_assignment_that_was_not_measured_yet_is_measured_and_not_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it was imported is read without what `validate --measure` is to find out."""
    course = write_small_course(tmp_path)
    spec = course / "assignment.toml"
    text, given = spec.read_text(), "tolerance = { rtol = 1e-6"
    assert given in text
    line = next(line for line in text.splitlines() if line.startswith(given))
    spec.write_text(text.replace(line, 'tolerance = "measured"'))
    reached: list[Path] = []

    def stop(where: Path, *rest: object) -> None:
        reached.append(where)
        raise UsageError("that is enough")

    monkeypatch.setattr(authoring, "validation_of", stop)
    ran = command("validate", course, "--measure")
    assert (reached, ran.code) == ([course], 2) and "that is enough" in ran.err
