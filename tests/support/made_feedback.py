"""Grades with wrong results of every kind, made by hand, and their notebook."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import nbformat
import numpy as np
from nbformat.v4 import new_notebook

from autograder.gradebook.grade import Grade, SubmittedFile
from autograder.gradebook.points import points
from autograder.judging.verdict import Mismatch, Numbers, Picture, Status, Verdict
from autograder.wire.values import Array
from tests.support.cases import read_spec

CANARY = "canary7531"
CAUSE = "Your sine and cosine columns are the other way round."
SPEC = read_spec("courses/feedback.toml")
ARRAY = Array("float32", (3, 4), np.arange(12, dtype=np.float32).tobytes())
OTHER = Array(ARRAY.dtype, ARRAY.shape, ARRAY.data[:-4] + bytes(4))
NUMBERS = Numbers(7531, 8000, 0, 7531.5, 7531.25, (75, 31))


def check(id_: str, points_: str = "1", **keys: Any) -> dict[str, Any]:
    """The entry of a check in a specification."""
    base = {"id": id_, "title": f"title of {id_}", "points": Decimal(points_), "kind": "value"}
    return {**base, "name": "x", **keys}


def mismatch(text: str) -> Mismatch:
    return Mismatch(text, "value", text, text, (text,), NUMBERS)


def verdict(check_id: str, status: Status, earned: int, possible: int, **keys: Any) -> Verdict:
    exercise, public = keys.pop("exercise", "encoding"), keys.pop("public", False)
    return Verdict(exercise, check_id, "value", public, status, earned, possible, **keys)


def secret(check_id: str, status: Status, possible: int) -> Verdict:
    """A hidden check's verdict that carries the canary wherever it can."""
    return verdict(
        check_id,
        status,
        possible if status is Status.PASSED else 0,
        possible,
        message=f"KeyError: {CANARY}",
        mismatches=(mismatch(CANARY),),
        diagnosis="" if status is Status.RAISED else CAUSE,
        picture=Picture(CANARY, ARRAY, OTHER),
    )


def grade(
    *,
    public: Verdict | None = None,
    hidden: Sequence[Status] = (Status.FAILED, Status.RAISED, Status.PASSED),
    choice: Status = Status.PASSED,
) -> Grade:
    shape = public or verdict("shape", Status.PASSED, 1000, 1000, public=True)
    names = (("one", 1000), ("two", 500), ("three", 500))
    secrets = [
        secret(f"{CANARY}-{name}", status, worth)
        for (name, worth), status in zip(names, hidden, strict=True)
    ]
    earned = 1000 if choice is Status.PASSED else 0
    last = verdict("c", choice, earned, 1000, exercise="choice", message=CANARY)
    file = SubmittedFile("student-01.ipynb", "0" * 64)
    return points(SPEC, file, [shape, *secrets, last], None, student="student-01")


def wrong_shape(**keys: Any) -> Verdict:
    return verdict("shape", Status.FAILED, 0, 1000, public=True, **keys)


def notebook(*cells_: nbformat.NotebookNode) -> nbformat.NotebookNode:
    for number, cell in enumerate(cells_, 1):
        cell.metadata["ag_number"] = number
    return new_notebook(cells=list(cells_))
