"""Our assignments as courses of nbgrader: its autograder gives the points that public checks earn.

nbgrader runs with our packages behind its own, as where the package for students was installed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.load import load
from autograder.authoring.release import made_release
from autograder.execution.engines.local import Local
from tests.interop.nbgrader.courses import PATIENT, released
from tests.support.course_submissions import Answers, course_answers, fill
from tests.support.graded_here import graded, results
from tests.support.in_process import Lent, done
from tests.support.real_programs import NBGRADER
from tests.support.small_course import EXERCISES, ODD, RIGHT, SQUARES, write_small_course

pytestmark = [pytest.mark.slow, NBGRADER.required()]

ROOT = Path(__file__).resolve().parents[3]
SCORES = ROOT / "tests/support/nbgrader_scores.py"
COURSES = (
    "embedding-fundamentals embedding-layer embeddings-and-position rotary-and-unembedding"
).split()
BONUS = """
[[exercise]]
id = "bonus"
title = "More"
defines = ["more"]
stretch = true
check = [
  { id = "m", kind = "value", title = "`more` is 7", points = 2, public = true, name = "more" },
  { id = "n", kind = "value", title = "`most` is 8", points = 1, public = true, name = "most" },
]
"""
BONUS_ANSWER = """
# %% exercise="bonus"
# BEGIN SOLUTION
more, most = 7, 8
# END SOLUTION
"""
SMALL: Answers = {
    "right": dict(zip(EXERCISES, RIGHT, strict=True)) | {"bonus": "more, most = 7, 8"},
    "wrong": {"sums": "total = 0.31", "doubles": "def double(n):\n    return n", "judged": ODD},
    "partly": {"sums": "1 / 0", "doubles": SQUARES, "judged": "answer = 42.0", "bonus": "more = 7"},
}
SMALL_POINTS = {
    "right": {"sums": 2, "doubles": 0.125, "judged": 1, "bonus": 0},
    "wrong": {"sums": 0, "doubles": 0, "judged": 0, "bonus": 0},
    "partly": {"sums": 0, "doubles": 0.125, "judged": 1, "bonus": 0},
}
Points = Mapping[str, Mapping[str, float]]


def public_points(assignment: Path, submissions: Path, out: Path) -> Points:
    """What the public checks of every exercise earn with us, by student."""
    graded(assignment, submissions, out, "--devices", "none")
    return {
        student: {exercise["id"]: of_public(exercise) for exercise in result["exercises"]}
        for student, result in results(out).items()
    }


def of_public(exercise: Mapping[str, Any]) -> float:
    """Nothing for an extra exercise: nbgrader has no points beyond the maximum."""
    if exercise["stretch"]:
        return 0
    checks = [check for check in exercise["checks"] if check["public"]]
    return sum(check["score"] for check in checks if check["status"] != "manual")


def compare(assignment: Path, answers: Answers, tmp_path: Path) -> Points:
    """Grade the release with these answers here and there; the scores, which are equal."""
    name = load(assignment).spec.id
    course = tmp_path / "course"
    done("package", "nbgrader", assignment, "--out", course)
    release = course / "release" / name / f"{name}.ipynb"
    for student, sources in answers.items():
        place = course / "submitted" / student / name
        place.mkdir(parents=True)
        (place / f"{name}.ipynb").write_text(fill(release.read_text(), sources))
    ours = tmp_path / "ours.ipynb"
    shutil.copy(release, ours)
    python = NBGRADER.with_grader(tmp_path / "environment")
    for command in (["generate_assignment", "--force", name], ["autograde", PATIENT, name]):
        ran = NBGRADER.run("-m", "nbgrader", *command, folder=course, python=python)
        assert ran.returncode == 0, ran.stderr
    assert released(release) == released(ours)
    source = course / "source" / name / f"{name}.ipynb"
    checked = NBGRADER.run(
        "-m", "nbgrader", "validate", source, folder=source.parent, python=python
    )
    assert checked.stdout.startswith("Success!"), checked.stdout[-2000:]
    found = json.loads(NBGRADER.run(SCORES, "gradebook", name, folder=course).stdout)
    there = {student.partition("/")[0]: scores_of_tests(cells) for student, cells in found.items()}
    here = public_points(assignment, course / "submitted", tmp_path / "out")
    for student, scores in there.items():
        assert scores == {exercise: here[student][exercise] for exercise in scores}, student
    assert taken_back(assignment, tmp_path) == there
    return there


def taken_back(assignment: Path, tmp_path: Path) -> Points:
    """What nbgrader reads in the notebooks that we write of what we have graded."""
    name = load(assignment).spec.id
    done("export", "nbgrader-course", tmp_path / "out", "--out", tmp_path / "back")
    notebooks = {
        path.parent.parent.name: path
        for path in (tmp_path / "back/autograded").glob(f"*/{name}/{name}.ipynb")
    }
    ran = NBGRADER.run(SCORES, "cells", *notebooks.values(), folder=tmp_path)
    read = json.loads(ran.stdout)
    return {student: scores_of_tests(read[str(path)]) for student, path in notebooks.items()}


def scores_of_tests(cells: Mapping[str, float | None]) -> Mapping[str, float]:
    """The scores of the cells of tests, by exercise: the others wait for a person, or are blank."""
    return {
        name.removesuffix("-tests"): score
        for name, score in cells.items()
        if name.endswith("-tests") and score is not None
    }


def test_the_small_course_earns_there_what_it_earns_here(tmp_path: Path, lent_box: Lent) -> None:
    course = write_small_course(tmp_path)
    for name, text in (("assignment.toml", BONUS), ("solution.py", BONUS_ANSWER)):
        (course / name).write_text((course / name).read_text() + text)
    release = made_release(load(course), Local(1), lambda what, total: None)
    for path, content in release.files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert compare(course, SMALL, tmp_path) == SMALL_POINTS


@pytest.mark.nightly
@pytest.mark.parametrize("name", COURSES)
def test_every_assignment_earns_there_what_it_earns_here(tmp_path: Path, name: str) -> None:
    assignment = ROOT / "assignments" / name
    scores = compare(assignment, course_answers(load(assignment)), tmp_path)
    assert len(scores) == 4
    totals = {student: sum(points.values()) for student, points in scores.items()}
    assert totals["blank"] < totals["mistakes"] < totals["some-mistakes"] < totals["solution"]
