"""What the real otter-grader and nbgrader give submissions that are made from an assignment."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Mapping
from pathlib import Path

from docs.tools.course_variants import Notebook, read, source_of, submissions
from tests.support.real_programs import NBGRADER, run_otter

Scores = Mapping[str, Mapping[str, float | None]]  # by student, then by question or cell
SCORES = Path(__file__).resolve().parents[2] / "tests/support/nbgrader_scores.py"


class NotCompared(Exception):
    """Why there are no scores to compare."""


def graded_by_otter(path: Path, folder: Path, python: Path) -> Scores:
    """What `otter run` gives the submissions, which are written to in/."""
    blank = read(path)
    zips, possible = False, None
    if "tests" in blank["metadata"].get("otter", {}):
        archive = folder / "hw.zip"
        _archive_of(blank, path.parent, archive)
        answers: Mapping[int, str] = {
            index: source_of(cell)
            for index, cell in enumerate(blank["cells"])
            if cell["cell_type"] == "code" and "..." in source_of(cell)
        }
    else:
        arguments = [
            path.parent,
            "assign",
            "--no-run-tests",
            "--no-pdfs",
            path.name,
            folder / "dist",
        ]
        (end,) = run_otter([arguments], folder=folder, python=python)
        if end:
            raise NotCompared(f"otter assign: {end.splitlines()[0]}")
        (archive,) = (folder / "dist/autograder").glob("*.zip")
        blank = read(folder / "dist/student" / path.name)
        answers = _differing(blank, read(folder / "dist/autograder" / path.name))
        settings = json.loads((folder / "dist/autograder/otter_config.json").read_text())
        zips, possible = settings.get("zips", False), settings.get("points_possible")
        if name := settings.get("assignment_name"):  # old masters do not name the notebook
            blank["metadata"].setdefault("otter", {})["assignment_name"] = name
    made = submissions(blank, answers)
    (folder / "in").mkdir()
    commands = []
    for student, notebook in made.items():
        place = folder / "otter" / student
        place.mkdir(parents=True)
        (place / path.name).write_text(json.dumps(notebook))
        (folder / "in" / f"{student}.ipynb").write_text(json.dumps(notebook))
        if zips:  # `otter run` unpacks a zip and then wants one inside
            zipped(place / path.name, place / "notebook.zip")
            zipped(place / "notebook.zip", place / "submission.zip")
        given = "submission.zip" if zips else path.name
        commands.append([place, "run", "-a", archive, "-o", place, given])
    ends = run_otter(commands, folder=folder, python=python)
    scores = {}
    for student, end in zip(made, ends, strict=True):
        if end:
            raise NotCompared(f"otter run: {end.splitlines()[0]}")
        result = json.loads((folder / "otter" / student / "results.json").read_text())
        tests = [test for test in result["tests"] if "score" in test]
        total = sum(test["max_score"] for test in tests)
        factor = possible / total if possible else 1  # otter scales the sum, we every question
        scores[student] = {test["name"]: test["score"] * factor for test in tests}
    return scores


def zipped(path: Path, archive: Path) -> None:
    with zipfile.ZipFile(archive, "w") as made:
        made.write(path, path.name)


def _archive_of(notebook: Notebook, files: Path, archive: Path) -> None:
    """The autograder.zip of a notebook that has its tests in its metadata."""
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("otter_config.json", "{}")
        for name, test in notebook["metadata"]["otter"]["tests"].items():
            text = test if isinstance(test, str) else f"OK_FORMAT = True\n\ntest = {test!r}\n"
            made.writestr(f"tests/{name}.py", text)
        for file in files.rglob("*"):
            if file.is_file() and file.suffix != ".ipynb":
                made.write(file, f"files/{file.relative_to(files)}")


def _differing(blank: Notebook, solved: Notebook) -> Mapping[int, str]:
    """The cells that otter emptied, by their number in the student notebook."""
    cells = [cell for cell in solved["cells"] if cell["cell_type"] == "code"]
    places = [i for i, cell in enumerate(blank["cells"]) if cell["cell_type"] == "code"]
    if len(cells) != len(places):
        raise NotCompared("the solution has other cells")
    pairs = zip(places, cells, strict=True)
    return {
        index: source_of(cell)
        for index, cell in pairs
        if source_of(cell) != source_of(blank["cells"][index])
    }


def graded_by_nbgrader(path: Path, folder: Path, python: Path) -> Scores:
    """What `nbgrader autograde` gives the submissions, which are written to submitted/."""
    source = folder / "source/ps1"
    shutil.copytree(path.parent, source, ignore=shutil.ignore_patterns("*.ipynb"))
    (source / path.name).write_text(json.dumps(read(path)))
    _nbgrader("update", "source", folder=folder, python=python)
    _nbgrader("generate_assignment", "ps1", folder=folder, python=python)
    blank = read(folder / "release/ps1" / path.name)
    solved = {
        cell["metadata"]["nbgrader"]["grade_id"]: source_of(cell)
        for cell in read(source / path.name)["cells"]
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    answers = {
        index: solved[cell["metadata"]["nbgrader"]["grade_id"]]
        for index, cell in enumerate(blank["cells"])
        if cell["metadata"].get("nbgrader", {}).get("solution")
    }
    for student, notebook in submissions(blank, answers).items():
        place = folder / "submitted" / student / "ps1"
        place.mkdir(parents=True)
        (place / path.name).write_text(json.dumps(notebook))
    _nbgrader("autograde", "--Execute.timeout=600", "ps1", folder=folder, python=python)
    found = NBGRADER.run(SCORES, "gradebook", "ps1", folder=folder, python=python)
    every = json.loads(found.stdout)
    return {key.partition("/")[0]: cells for key, cells in every.items()}


def _nbgrader(*arguments: str, folder: Path, python: Path) -> None:
    ran = NBGRADER.run("-m", "nbgrader", *arguments, folder=folder, python=python)
    (folder / f"{arguments[0]}.txt").write_text(ran.stdout + ran.stderr)
    if ran.returncode:
        raise NotCompared(f"nbgrader {arguments[0]}: {ran.stderr.strip().splitlines()[-1]}")
