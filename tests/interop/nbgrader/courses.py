"""A course for the real nbgrader, as data: source notebooks, and what students hand in.

A submission is the release that nbgrader makes, but for the cells that it names by their id: they
have its source, and are missing where that is None.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from tests.support import nbgrader_cells as nb

Changes = Mapping[str, str | None]
AFTER = "after:"  # a cell of the student's own behind the one of this id
FILES = {"sizes.csv": "1\n2\n3\n"}


def solved(body: str, head: str = "") -> str:
    """A solution cell: its first line, and the region that students do not get."""
    begin, end = "### BEGIN SOLUTION", "### END SOLUTION"
    if not head:
        return f"{begin}\n{body}\n{end}"
    indented = "\n".join(f"    {line}" for line in [begin, *body.split("\n"), end])
    return f"{head}\n{indented}"


def hidden(public: str, kept_back: str) -> str:
    return f"{public}\n### BEGIN HIDDEN TESTS\n{kept_back}\n### END HIDDEN TESTS"


SHAPES = (
    nb.cell("# Shapes", "markdown"),
    nb.readonly("import math\nSIZES = [int(line) for line in open('sizes.csv')]"),
    nb.answer(solved("return r * r", "def area(r):")),
    nb.tests(hidden("assert area(2) == 4", "assert area(3) == 9"), points=1.5),
    nb.tests("assert [area(size) for size in SIZES] == [1, 4, 9]", "of-sizes", 0.5),
    nb.answer(solved("total = sum(area(size) for size in SIZES)"), "total"),
    nb.tests(
        "good = [total == 14, isinstance(total, int), total > 0]\n0.5 * sum(good)",
        "total-tests",
        1.5,
    ),
    nb.tests("import warnings\nif total != 14:\n    warnings.warn('not 14')", "total-warning"),
    nb.tests("print(total)\nassert total", "total-shown", 0.25),
    nb.tests("math.sqrt(area(2))", "root", 2),
    nb.manual("Because squares.", "why"),
    nb.manual(solved("return 1", "def own():"), "own", kind="code"),
    nb.task("Draw.\n### BEGIN MARK SCHEME\n4 for a circle\n### END MARK SCHEME", "drawing"),
    nb.cell("print(1)"),
)
WORDS = (
    nb.answer(solved("words = ['a', 'b']"), "words"),
    nb.tests("assert words[0] == 'a'", "words-first", 2),
    nb.answer(solved("words.append('c')"), "more"),
    nb.tests(hidden("assert len(words) == 3", "assert words == ['a', 'b', 'c']"), "words-all", 3),
    nb.tests("assert True", "gift", 0),
    nb.tests("len(words) / 4", "share", 1),
    nb.tests("'no number'", "text", 1),
    nb.manual("_Say it._", "say", 0.5),
)
NOTEBOOKS = {"shapes": SHAPES, "words": WORDS}

SUBMISSIONS: Mapping[str, Mapping[str, Changes]] = yaml.safe_load(
    Path(__file__).with_name("submissions.yaml").read_text("utf-8")
)


def submission(release: Mapping[str, Any], changes: Changes) -> str:
    """The release with these changes."""
    made = []
    for cell in release["cells"]:
        name = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        source = changes.get(name, "".join(cell["source"]))
        made += [] if source is None else [cell | {"source": source}]
        if f"{AFTER}{name}" in changes:
            made.append(nb.cell(changes[f"{AFTER}{name}"] or ""))
    for cell in made:
        cell.pop("id", None)  # format 4.4 has none
    return json.dumps({**release, "nbformat_minor": 4, "cells": made})


# Known differences (docs/nbgrader.md): a change, and by cell what nbgrader gives without a person
# and what we give.
GAPS = (
    nb.readonly("def ask():\n    return 3", "given"),
    nb.answer(solved("asked = ask()"), "asked"),
    nb.tests("assert asked == 3", "tests", 2),
    nb.tests("2 / 3", "thirds", 1),
    nb.manual("Because.", "why", 1),
)
GOOD: Changes = {"asked": "asked = ask()"}
Differing = Mapping[str, tuple[float | None, float | None]]
DIFFERENCES: Mapping[str, tuple[Changes, Differing]] = {
    "none": (GOOD, {}),
    "test-cell-lost": ({**GOOD, "tests": None}, {"tests": (None, 2)}),
    "locked-cell-lost": ({**GOOD, "given": None}, {"tests": (0, 2)}),
    "manual-cell-lost": ({**GOOD, "why": None}, {"why": (None, 0)}),
    "only-blanks": ({**GOOD, "why": "YOUR ANSWER HERE  "}, {"why": (None, 0)}),
    "kernel-killed": (
        {**GOOD, f"{AFTER}tests": "import os\nos._exit(1)"},
        {"tests": (None, 2), "thirds": (None, 0.667), "why": (None, 0)},
    ),
}
