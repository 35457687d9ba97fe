"""A tiny assignment with two exercises, and notebooks for it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TOML = """format = 1
id = "tiny"
title = "A tiny assignment"

[limits]
cell_cpu_s = 5

[[exercise]]
id = "sums"
title = "Add up"
defines = ["total"]

[[exercise.check]]
id = "total"
kind = "value"
title = "`total` is the sum"
points = 2
public = true
name = "total"
hint = "Add all of them."
tolerance = { rtol = 1e-6, atol = 1e-6, why = "spread of two orders of adding" }

[[exercise]]
id = "doubles"
title = "Double a number"
defines = ["double"]

[[exercise.check]]
id = "given"
kind = "function"
title = "`double` doubles small numbers"
points = 1
public = true
call = "double"
inputs = "small"

[[exercise.check]]
id = "kept-back"
kind = "function"
title = "a title that nobody shall see"
points = 3
call = "double"
inputs = "large"
hint = "Try larger numbers."
"""


INPUTS = """def small(rng):
    return [(2,), (0,)]


def large(rng):
    return [(int(n),) for n in rng.integers(10**6, 10**9, 3)]
"""


SUMS = "total = 0.1 + 0.2\nprint('summed')"


DOUBLES = "def double(n):\n    return 2 * n"


SQUARES = "def double(n):\n    return n * n"


SOLUTION = """# %% [markdown]
# # A tiny assignment

# %% exercise="sums"
# BEGIN SOLUTION
total = 0.1 + 0.2
# END SOLUTION

# %% exercise="doubles"
def double(n):
    # BEGIN SOLUTION
    return 2 * n
    # END SOLUTION
"""


MISTAKE = """# doubles: squares the number
# You multiply the number by itself. Two times two is four by accident.
def double(n):
    return n * n
"""


def notebook(*sources: str, **changes: Any) -> str:
    """Two cells, tagged for the two exercises."""
    cells: list[dict[str, Any]] = [
        {
            "cell_type": "code",
            "id": f"c{n}",
            "metadata": {"exercise": exercise},
            "outputs": [],
            "execution_count": None,
            "source": source,
        }
        for n, (source, exercise) in enumerate(zip(sources, ("sums", "doubles"), strict=False))
    ]
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": {"name": "python3", "language": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole | changes)


def write_assignment(root: Path) -> Path:
    folder = root / "assignments" / "tiny"
    (folder / "mistakes").mkdir(parents=True)
    files = {
        "assignment.toml": TOML,
        "inputs.py": INPUTS,
        "solution.py": SOLUTION,
        "mistakes/squares.py": MISTAKE,
    }
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def write_class(folder: Path, hand_ins: Mapping[str, str]) -> Path:
    for name, text in hand_ins.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def scores(out: Path) -> dict[str, float | str]:
    """Student -> score in gradebook.csv; "" where there is none."""
    rows = csv.DictReader(io.StringIO((out / "gradebook.csv").read_text()))
    return {row["student"]: float(row["score"]) if row["score"] else "" for row in rows}
