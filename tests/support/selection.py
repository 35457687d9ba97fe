"""Which tests have a part in ``make test``."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

NOT_BY_DEFAULT = ("slow", "nightly")
_TESTS = Path(__file__).resolve().parents[1]


@cache
def place(file: Path) -> str:
    """Where a file of tests is, below the folder of all of ours."""
    return file.relative_to(_TESTS).as_posix() if file.is_relative_to(_TESTS) else file.name


def rarely(rows: Iterable[Any], *, keep: int) -> list[Any]:
    """The rows of a table of tests, of which only so many, evenly chosen, are not ``slow``."""
    every = list(rows)
    kept = {round(n * (len(every) - 1) / max(keep - 1, 1)) for n in range(keep)}
    return [
        row
        if number in kept
        else pytest.param(*(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.slow)
        for number, row in enumerate(every)
    ]
