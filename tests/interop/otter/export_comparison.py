"""One of our assignments graded by us and, exported, by the real otter-grader."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from autograder.assignment.kinds import BY_HAND
from tests.support.graded_here import SEED, Scores, graded, results
from tests.support.in_process import done
from tests.support.real_programs import OTTER, run_otter


def compare(assignment: object, submissions: Path, tmp_path: Path) -> Scores:
    """Grade every submission here and there; the scores, which are equal."""
    there = tmp_path / "there"
    python = OTTER.with_grader(tmp_path / "environment")
    done("package", "otter", assignment, "--out", there, "--seed", SEED)
    graded(assignment, submissions, tmp_path / "out", "--devices", "none")
    here = {student: scores_here(result) for student, result in results(tmp_path / "out").items()}
    notebooks = {path.stem: path for path in sorted(submissions.glob("*.ipynb"))}
    folders = {student: tmp_path / "otter" / student for student in notebooks}
    for folder in folders.values():
        folder.mkdir(parents=True)
    commands = [
        [folder, "run", "-a", there / "autograder.zip", "-o", folder, notebooks[student]]
        for student, folder in folders.items()
    ]
    ends = run_otter(commands, folder=tmp_path, python=python)
    assert len(ends) == len(folders)
    scores = {
        student: scores_there(folder, end)
        for (student, folder), end in zip(folders.items(), ends, strict=True)
    }
    assert scores == here
    return scores


def scores_here(result: Mapping[str, Any]) -> Mapping[str, float]:
    """What automatic checks earned; nothing where there is no grade."""
    return {
        exercise["id"]: exercise["score"]
        for exercise in result["exercises"]
        if any(check["kind"] not in BY_HAND for check in exercise["checks"])
    }


def scores_there(folder: Path, end: str) -> Mapping[str, float]:
    """The score of every question; nothing where otter ended with an error."""
    path = folder / "results.json"
    assert path.exists() == (not end), end
    if end:
        return {}
    tests = json.loads(path.read_text())["tests"]
    return {test["name"]: test["score"] for test in tests if "score" in test}


def count(every: Scores) -> int:
    return sum(len(scores) for scores in every.values())
