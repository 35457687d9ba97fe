"""A small course with public and hidden checks, a person's, and one that our own code spoils."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import yaml

ID = "small-course"
FILES: Mapping[str, str] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
SUMS = "total = 0.1 + 0.2"
DOUBLES = "def double(n):\n    return 2 * n"
SQUARES = "def double(n):\n    return n * n"
LOOPS = (
    "import torch\n\n\ndef double(n):\n"
    "    if not hasattr(n, 'shape'):\n        return 2 * n\n"
    "    return torch.stack([2 * one for one in n])"
)
EVEN, ODD, SPOILT = "answer = 42", "answer = 41", "answer = 13"
WORDS = 'opinion = "mine"'
EXERCISES = ("sums", "doubles", "judged", "opinion")
RIGHT = (SUMS, DOUBLES, EVEN, WORDS)


def write_small_course(root: Path) -> Path:
    """The assignment's folder under ``root``."""
    folder = root / "assignments" / ID
    (folder / "mistakes").mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def notebook(*sources: str, stamp: str = ID, first: str = "") -> str:
    """A hand-in: a cell for each exercise, after one for the imports if ``first``."""
    cells = [_cell("given", first, {})] if first else []
    for exercise, source in zip(EXERCISES, sources, strict=False):
        cells.append(_cell(exercise, source, {"exercise": exercise}))
    metadata = {
        "kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"},
        "autograder": {"assignment": stamp, "format": 1, "version": "0123456789ab"},
    }
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5})


def _cell(id_: str, source: str, metadata: Mapping[str, str]) -> dict[str, object]:
    cell = {"cell_type": "code", "id": id_, "metadata": metadata, "source": source}
    return {**cell, "outputs": [], "execution_count": None}
