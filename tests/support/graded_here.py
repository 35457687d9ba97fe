"""What our own commands give a folder of submissions, as numbers to compare with another tool's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.in_process import done

SEED = 7
Scores = Mapping[str, Mapping[str, float]]  # points, by student and then by exercise


def graded(assignment: object, submissions: Path, out: Path, *options: object) -> None:
    """Grade them with `autograder grade`."""
    fixed = ("--no-figures", "--seed", SEED)
    done("grade", assignment, submissions, "--out", out, *fixed, *options)


def graded_here(assignment: object, submissions: Path, out: Path, *options: object) -> Scores:
    """The same; every exercise's score of every student."""
    graded(assignment, submissions, out, *options)
    return {student: scores_of(result) for student, result in results(out).items()}


def results(out: Path) -> Mapping[str, Any]:
    """The results by student, in the students' order."""
    found = [json.loads(path.read_text()) for path in sorted((out / "results").glob("*.json"))]
    return {result["student"]: result for result in found}


def scores_of(result: Mapping[str, Any]) -> Mapping[str, float]:
    """The exercises' scores of one result that was graded."""
    assert result["status"] == "graded", result["reason"]
    return {exercise["id"]: exercise["score"] for exercise in result["exercises"]}
