"""The real nbgrader and our grader: equal scores for its assignments and for ours.

nbgrader makes the release, the students' notebooks are made from that, and nbgrader grades them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.interop.nbgrader.courses import (
    DIFFERENCES,
    FILES,
    GAPS,
    NOTEBOOKS,
    PATIENT,
    SUBMISSIONS,
    Changes,
    released,
    submission,
)
from tests.support import nbgrader_cells as nb
from tests.support.graded_here import graded, results
from tests.support.in_process import Lent, done
from tests.support.real_programs import NBGRADER

pytestmark = [pytest.mark.slow, NBGRADER.required()]

CellScores = Mapping[str, float | None]  # None: a person gives the points
SCORES = Path(__file__).resolve().parents[2] / "support/nbgrader_scores.py"
ROUNDING = 0.0006  # points here are thousandths


@dataclass(frozen=True)
class RealCourse:
    """A course that nbgrader has graded. ``scores``: by student and notebook, then by cell."""

    folder: Path
    scores: Mapping[tuple[str, str], CellScores]


@pytest.fixture(scope="module", autouse=True)
def _lent(lent_box: Lent) -> None:
    """Nothing here is about boxes."""


def run_nbgrader(folder: Path, *arguments: str, fails: bool = False) -> None:
    ran = NBGRADER.run("-m", "nbgrader", *arguments, folder=folder)
    assert bool(ran.returncode) is fails, ran.stderr


def graded_course(
    folder: Path,
    notebooks: Mapping[str, tuple[nb.Cell, ...]],
    submissions: Mapping[str, Mapping[str, Changes]],
    *,
    fails: bool = False,
) -> RealCourse:
    """Have a course's assignment ps1 released and autograded by nbgrader."""
    for name, cells in notebooks.items():
        nb.written(folder / "source/ps1" / f"{name}.ipynb", *cells)
    for name, text in FILES.items():
        (folder / "source/ps1" / name).write_text(text)
    run_nbgrader(folder, "generate_assignment", "ps1")
    for student, changed in submissions.items():
        place = folder / "submitted" / student / "ps1"
        place.mkdir(parents=True)
        for name, changes in changed.items():
            release = json.loads((folder / "release/ps1" / f"{name}.ipynb").read_text())
            (place / f"{name}.ipynb").write_text(submission(release, changes))
    run_nbgrader(folder, "autograde", PATIENT, "ps1", fails=fails)
    found = NBGRADER.run(SCORES, "gradebook", "ps1", folder=folder)
    every = json.loads(found.stdout)
    scores = {tuple(key.split("/")): cells for key, cells in every.items()}
    return RealCourse(folder, scores)


def graded_here(course: RealCourse, name: str, out: Path) -> Mapping[str, CellScores]:
    """Import the assignment, grade its notebook NAME; the scores of every student's cells."""
    done("import", "nbgrader", course.folder / "source/ps1", "--into", out, "--replace")
    (folder,) = (out / "assignments").glob(f"*{name}")
    graded(folder, course.folder / "submitted", out / name)
    return {student: cell_scores(result) for student, result in results(out / name).items()}


def cell_scores(result: Mapping[str, Any]) -> CellScores:
    """The score of each exercise, which is a cell of nbgrader's; None: a person gives it."""
    assert result["status"] == "graded", result["reason"]
    return {
        exercise["id"]: None
        if exercise["checks"][0]["status"] == "manual"
        else exercise["checks"][0]["score"]
        for exercise in result["exercises"]
    }


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> RealCourse:
    return graded_course(tmp_path_factory.mktemp("course"), NOTEBOOKS, SUBMISSIONS)


@pytest.fixture(scope="module")
def here(course: RealCourse) -> Mapping[str, Mapping[str, CellScores]]:
    """The scores that every notebook of it has when it is imported, by student; graded in here/."""
    return {name: graded_here(course, name, course.folder / "here") for name in NOTEBOOKS}


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_an_imported_assignment_gives_nbgraders_scores(
    course: RealCourse, here: Mapping[str, Mapping[str, CellScores]], name: str
) -> None:
    assert here[name].keys() == SUBMISSIONS.keys()
    for student, scores in here[name].items():
        assert scores == pytest.approx(course.scores[student, name], abs=ROUNDING), student
    assert len({sum(filter(None, scores.values())) for scores in here[name].values()}) >= 3


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_the_release_is_nbgraders(course: RealCourse, name: str) -> None:
    ours = course.folder / "here/student_templates" / f"ps1-{name}.ipynb"
    assert released(ours) == released(course.folder / "release/ps1" / f"{name}.ipynb")


@pytest.mark.usefixtures("here")
def test_what_is_taken_back_has_the_scores_for_nbgrader_too(
    course: RealCourse, tmp_path: Path
) -> None:
    """nbgrader reads the outputs in the notebooks that we write, as those it has run itself."""
    folders = [course.folder / "here" / name for name in NOTEBOOKS]
    done("export", "nbgrader-course", *folders, "--out", tmp_path / "back")
    notebooks = {
        (student, name): tmp_path / "back/autograded" / student / "ps1" / f"{name}.ipynb"
        for student, name in course.scores
    }
    ran = NBGRADER.run(SCORES, "cells", *notebooks.values(), folder=tmp_path)
    read = json.loads(ran.stdout)
    for key, path in notebooks.items():
        scores = {cell: course.scores[key][cell] for cell in read[str(path)]}
        assert read[str(path)] == pytest.approx(scores, abs=ROUNDING), key
    assert sum(map(len, read.values())) == 14 * len(SUBMISSIONS), "all cells but the tasks"


def test_known_differences_are_as_documented(tmp_path: Path) -> None:
    submissions = {student: {"gaps": changes} for student, (changes, _) in DIFFERENCES.items()}
    course = graded_course(tmp_path, {"gaps": GAPS}, submissions, fails=True)
    here = graded_here(course, "gaps", tmp_path / "here")
    for student, (_, expected) in DIFFERENCES.items():
        theirs = course.scores[student, "gaps"]
        differing = {
            cell: (theirs[cell], score)
            for cell, score in here[student].items()
            if theirs[cell] != pytest.approx(score, abs=ROUNDING)
        }
        assert differing == expected, student
