"""A tiny assignment with two exercises, and notebooks for it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.support.cases import read_files, write_files
from tests.support.notebooks import code, written

FILES = read_files("courses/tiny.txt")
TOML, INPUTS, SOLUTION, MISTAKE = FILES.values()
SUMS = "total = 0.1 + 0.2\nprint('summed')"
DOUBLES = "def double(n):\n    return 2 * n"
SQUARES = "def double(n):\n    return n * n"


def notebook(*sources: str, **changes: Any) -> str:
    """Two cells, tagged for the two exercises."""
    pairs = zip(sources, ("sums", "doubles"), strict=False)
    cells = [code(source, exercise, id=f"c{n}") for n, (source, exercise) in enumerate(pairs)]
    return json.dumps(json.loads(written(cells)) | changes)


def write_assignment(root: Path) -> Path:
    return write_files(root / "assignments" / "tiny", FILES)


def write_class(folder: Path, hand_ins: Mapping[str, str]) -> Path:
    return write_files(folder, hand_ins)


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def scores(out: Path) -> dict[str, float | str]:
    """Student -> score in gradebook.csv; "" where there is none."""
    rows = csv.DictReader(io.StringIO((out / "gradebook.csv").read_text()))
    return {row["student"]: float(row["score"]) if row["score"] else "" for row in rows}
