"""nbgrader notebooks for tests, written cell by cell."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

STUB = "# YOUR CODE HERE\nraise NotImplementedError()"
Cell = dict[str, Any]


def cell(source: str, kind: str = "code", **noted: Any) -> Cell:
    """A cell; ``noted`` is nbgrader's metadata as it is to be, nothing for an ordinary cell."""
    made: Cell = {"cell_type": kind, "metadata": {}, "source": source}
    if noted:
        made["metadata"]["nbgrader"] = noted
    return made if kind != "code" else made | {"outputs": [], "execution_count": None}


def marked(source: str, grade_id: str, kind: str = "code", **noted: Any) -> Cell:
    """A cell with the metadata of schema 3."""
    whole = {"schema_version": 3, "grade": False, "solution": False, "locked": False, **noted}
    return cell(source, kind, grade_id=grade_id, **whole)


def answer(source: str, grade_id: str = "area") -> Cell:
    return marked(source, grade_id, solution=True)


def tests(source: str, grade_id: str = "area-tests", points: Any = 1) -> Cell:
    return marked(source, grade_id, grade=True, locked=True, points=points)


def manual(source: str, grade_id: str = "why", points: Any = 2, kind: str = "markdown") -> Cell:
    return marked(source, grade_id, kind, grade=True, solution=True, points=points)


def task(source: str, grade_id: str = "essay", points: Any = 4) -> Cell:
    return marked(source, grade_id, "markdown", locked=True, task=True, points=points)


def readonly(source: str, grade_id: str = "given", kind: str = "code") -> Cell:
    return marked(source, grade_id, kind, locked=True)


def notebook(*cells: Cell, minor: int = 4, **metadata: Any) -> str:
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    about = {"nbformat": 4, "nbformat_minor": minor, "metadata": {"kernelspec": kernel, **metadata}}
    return json.dumps({**about, "cells": list(cells)})


def written(path: Path, *cells: Cell) -> Path:
    """A notebook file of these cells, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(*cells), encoding="utf-8")
    return path


SOLUTION = "def area(r):\n    ### BEGIN SOLUTION\n    return r * r\n    ### END SOLUTION"
TESTS = "assert area(2) == 4\n### BEGIN HIDDEN TESTS\nassert area(3) == 9\n### END HIDDEN TESTS"
TASK = "Write.\n### BEGIN MARK SCHEME\n4 for rhyme\n### END MARK SCHEME"


def every_kind() -> tuple[Cell, ...]:
    """One cell of each kind that nbgrader has."""
    return (
        cell("# Shapes", "markdown"),
        readonly("import math"),
        answer(SOLUTION),
        tests(TESTS, points=1.5),
        tests("assert area(1) == 1", "seen", 0.5),
        manual("Because squares.", "why"),
        manual(
            "def g():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION",
            "own",
            kind="code",
        ),
        task(TASK),
        cell("print(1)"),
    )
