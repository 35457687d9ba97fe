"""A course for the real nbgrader, as data: source notebooks, and what students hand in.

A submission is the release that nbgrader makes, but for the cells that it names by their id: they
have its source, and are missing where that is None.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support import nbgrader_cells as nb
from tests.support.cases import read_files
from tests.support.cell_text import read_cells

Changes = Mapping[str, str | None]
AFTER = "after:"  # a cell of the student's own behind the one of this id
PATIENT = "--Execute.timeout=600"  # of a cell, on a busy machine
FILES = {"sizes.csv": "1\n2\n3\n"}


_PARTS = read_files(Path(__file__).with_suffix(".txt"))


def _of(kind: str) -> dict[str, str]:
    """The parts of this kind by name."""
    return {
        title.removeprefix(f"{kind} "): text
        for title, text in _PARTS.items()
        if title.startswith(f"{kind} ")
    }


def _cells(text: str) -> tuple[nb.Cell, ...]:
    made = []
    for title, source in read_cells(text):
        kind, *words = title.split()
        about: dict[str, Any] = dict(word.split("=") for word in words)
        if "points" in about:
            about["points"] = json.loads(about["points"])
        made.append(getattr(nb, kind)(source, **about))
    return tuple(made)


def _changes(text: str) -> Changes:
    return {
        title.removeprefix("no "): None if title.startswith("no ") else source
        for title, source in read_cells(text)
    }


NOTEBOOKS = {name: _cells(text) for name, text in _of("notebook").items()}
GAPS = NOTEBOOKS.pop("gaps")
SUBMISSIONS: dict[str, dict[str, Changes]] = {}
for _place, _text in _of("submission").items():
    _student, _, _name = _place.partition("/")
    SUBMISSIONS.setdefault(_student, {})[_name] = _changes(_text)


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


def released(path: Path) -> list[tuple[str, str, Any]]:
    """Kind, source and nbgrader's metadata of every cell, where "task" may be left out."""
    cells = json.loads(path.read_text())["cells"]
    marks = [cell["metadata"].get("nbgrader") for cell in cells]
    return [
        (cell["cell_type"], "".join(cell["source"]), mark and {"task": False, **mark})
        for cell, mark in zip(cells, marks, strict=True)
    ]
