"""A small course with public and hidden checks, a person's, and one that our own code spoils."""

from __future__ import annotations

from pathlib import Path

from tests.support.cases import read_files, write_files
from tests.support.notebooks import code, written

ID = "small-course"
FILES = read_files("courses/small-course.txt")
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
    return write_files(root / "assignments" / ID, FILES)


def notebook(*sources: str, stamp: str = ID, first: str = "") -> str:
    """A hand-in: a cell for each exercise, after one for the imports if ``first``."""
    cells = [code(first)] if first else []
    cells += [code(source, exercise) for exercise, source in zip(EXERCISES, sources, strict=False)]
    return written(cells, autograder={"assignment": stamp, "format": 1, "version": "0123456789ab"})
