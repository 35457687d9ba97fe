"""A small course with public and hidden checks, a person's, and one that our own code spoils."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

ID = "small-course"
TOML = """format = 1
id = "small-course"
title = "A small course: \u00fcber alles \u201e\u00dcbung\u201c"

[limits]
cell_cpu_s = 2

[[exercise]]
id = "sums"
title = "Add up"
defines = ["total"]

[[exercise.check]]
id = "total"
kind = "value"
title = "`total` is the \\"sum\\" \u2013 \u00fc"
points = 2
public = true
name = "total"
hint = "Add all of 'them'."
tolerance = { rtol = 1e-6, atol = 1e-6, why = "spread of two orders of adding" }

[[exercise]]
id = "doubles"
title = "Double a number"
defines = ["double"]

[[exercise.check]]
id = "given"
kind = "function"
title = "`double` doubles small numbers"
points = 0.125
public = true
call = "double"
inputs = "small"
hint = "Two times the number."

[[exercise.check]]
id = "kept-back"
kind = "function"
title = "a title that nobody shall see"
points = 2.5
call = "double"
inputs = "large"
hint = "Try larger numbers."

[[exercise.check]]
id = "later"
kind = "function"
title = "negative numbers"
points = 0.375
needs = ["given"]
call = "double"
inputs = "negative"

[[exercise.check]]
id = "cost"
kind = "speed"
title = "no loop over all numbers"
points = 1
needs = ["given"]
call = "double"
inputs = "costly"
at_most = 20
hint = "One multiplication."

[[exercise]]
id = "judged"
title = "A relation"
defines = ["answer"]

[[exercise.check]]
id = "holds"
kind = "relation"
title = "`answer` is even"
points = 1
public = true
relation = "even"
reads = ["answer"]

[[exercise]]
id = "opinion"
title = "In words"
defines = ["opinion"]

[[exercise.check]]
id = "answer"
kind = "written"
title = "What do you think?"
points = 3
name = "opinion"
rubric = "Anything with a secret reason."
"""
INPUTS = """import torch


def small(rng):
    return [(2,), (0,)]


def large(rng):
    return [(int(n),) for n in rng.integers(10**6, 10**9, 3)]


def negative(rng):
    return [(-3,)]


def costly(rng):
    return [(torch.arange(300_000, dtype=torch.float32),)]
"""
RELATIONS = """def even(seen):
    answer = seen.value("answer")
    if answer == 13:
        raise RuntimeError("the grader's own fault")
    if answer % 2:
        yield f"{answer} is odd."
"""
SOLUTION = """# %% [markdown]
# # A small course

# %%
from fractions import Fraction

# %% exercise="sums"
# BEGIN SOLUTION
total = float(Fraction(3, 10))
# END SOLUTION

# %% exercise="doubles"
def double(n):
    # BEGIN SOLUTION
    return 2 * n
    # END SOLUTION

# %% exercise="judged"
# BEGIN SOLUTION
answer = 42
# END SOLUTION

# %% [markdown]
# In words.

# %% exercise="opinion"
# BEGIN SOLUTION
opinion = "a sentence of the solution that stays here"
# END SOLUTION
"""
MISTAKE = """# doubles: squares the number
# You multiply the number by itself. Two times two is four by accident.
def double(n):
    return n * n
"""
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
    files = {
        "assignment.toml": TOML,
        "inputs.py": INPUTS,
        "checks.py": RELATIONS,
        "solution.py": SOLUTION,
        "mistakes/squares.py": MISTAKE,
    }
    for name, text in files.items():
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
    return {
        "cell_type": "code",
        "id": id_,
        "metadata": metadata,
        "outputs": [],
        "execution_count": None,
        "source": source,
    }
