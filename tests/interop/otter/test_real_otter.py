"""Assignments of the real otter-grader, imported: our grader gives the scores that otter gives.

Masters are made into an autograder.zip and a student notebook by `otter assign`, submissions are
that notebook filled in, and `otter run` grades them.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.interop.otter.homeworks import HOMEWORKS, Homework
from tests.support.graded_here import Scores, graded_here
from tests.support.in_process import Lent, done
from tests.support.real_programs import OTTER, run_otter

pytestmark = [pytest.mark.slow, OTTER.required()]

ROUNDING = 0.0011  # points here are thousandths: a third is 0.333 or 0.334
SOURCES = ("doctests/hw.ipynb", "functions/hw.zip")


@dataclass(frozen=True)
class RealOtter:
    """Homework that otter has graded: NAME/hw.zip, NAME/in/STUDENT.ipynb, and the scores."""

    folder: Path
    scores: Mapping[str, Scores]


@pytest.fixture(scope="module", autouse=True)
def _lent(lent_box: Lent) -> None:
    """Nothing here is about boxes."""


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> RealOtter:
    """Every homework, assigned and graded by otter itself."""
    root = tmp_path_factory.mktemp("otter")
    submissions = assigned(root)
    folders = {
        (name, student): handed_in(root / name, student, notebook)
        for name, students in submissions.items()
        for student, notebook in students.items()
    }
    commands = [
        [folder, "run", "-a", root / name / "hw.zip", "-o", folder, "hw.ipynb"]
        for (name, _), folder in folders.items()
    ]
    assert run_otter(commands, folder=root) == [""] * len(commands)
    scores: dict[str, dict[str, Mapping[str, float]]] = {name: {} for name in submissions}
    for (name, student), folder in folders.items():
        scores[name][student] = scores_of(folder / "results.json")
    return RealOtter(root, scores)


def assigned(root: Path) -> Mapping[str, Mapping[str, bytes]]:
    """Have the masters made into hw.zip; the submissions of every homework by student."""
    for homework in HOMEWORKS:
        (root / homework.name).mkdir()
        (root / homework.name / "hw.ipynb").write_bytes(homework.master())
        for name, text in homework.files.items():
            (root / homework.name / name).write_text(text)
    commands = [
        [root / homework.name, "assign", "--no-run-tests", "hw.ipynb", "dist"]
        for homework in HOMEWORKS
    ]
    assert run_otter(commands, folder=root) == [""] * len(HOMEWORKS)
    return {homework.name: filled_in(root, homework) for homework in HOMEWORKS}


def filled_in(root: Path, homework: Homework) -> Mapping[str, bytes]:
    """The student notebook that otter made, as every student handed it in."""
    folder = root / homework.name
    (archive,) = (folder / "dist/autograder").glob("*.zip")
    shutil.copy(archive, folder / "hw.zip")
    student_notebook = (folder / "dist/student/hw.ipynb").read_bytes()
    return {
        student: homework.submission(student_notebook, answers)
        for student, answers in homework.submissions.items()
    }


def handed_in(folder: Path, student: str, notebook: bytes) -> Path:
    """Write a submission for both graders; the folder of otter's, where it keeps its name."""
    place = folder / "otter" / student
    place.mkdir(parents=True)
    (place / "hw.ipynb").write_bytes(notebook)
    (folder / "in").mkdir(exist_ok=True)
    (folder / "in" / f"{student}.ipynb").write_bytes(notebook)
    return place


def scores_of(results: Path) -> Mapping[str, float]:
    """Each question's score."""
    tests = json.loads(results.read_text())["tests"]
    return {test["name"]: test["score"] for test in tests if "score" in test}


@pytest.mark.parametrize("source", SOURCES)
def test_an_imported_assignment_gives_otters_scores(
    real: RealOtter, tmp_path: Path, source: str
) -> None:
    homework = source.partition("/")[0]
    done("import", "otter", real.folder / source, "--into", tmp_path, "--id", "hw")
    folder = real.folder / homework / "in"
    here = graded_here(tmp_path / "assignments/hw", folder, tmp_path / "out")
    otter = real.scores[homework]
    assert here.keys() == otter.keys()
    for student, scores in otter.items():
        assert here[student] == pytest.approx(scores, abs=ROUNDING), student
    assert len({sum(scores.values()) for scores in otter.values()}) >= 3, "no two are alike"
    assert len({len(scores) for scores in otter.values()}) == 1, "every question was graded"
