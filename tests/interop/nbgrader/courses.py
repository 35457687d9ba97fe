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


_COURSE = yaml.safe_load(Path(__file__).with_name("course.yaml").read_text("utf-8"))


def _cells(entries: list[dict[str, Any]]) -> tuple[nb.Cell, ...]:
    made = []
    for entry in entries:
        (kind, source), *keys = entry.items()
        made.append(getattr(nb, kind)(source, **dict(keys)))
    return tuple(made)


NOTEBOOKS = {name: _cells(entries) for name, entries in _COURSE["notebooks"].items()}
SUBMISSIONS: Mapping[str, Mapping[str, Changes]] = _COURSE["submissions"]


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
GAPS = _cells(_COURSE["gaps"])
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
