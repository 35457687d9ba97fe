"""Which test files have a part in ``make test``, and what stands in for those that have none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

NOT_BY_DEFAULT = ("slow", "nightly")
TRIED = pytest.StashKey[Mapping[str, bool]]()  # file -> whether ``make test`` runs a test of it
STAND_INS = {  # what `make test` runs in the place of a file that it leaves out
    "test_attacked_course.py": "test_pristine.py",
    "test_container.py": "test_levels.py",
    "test_killed.py": "test_durability.py",
    "test_neighbours.py": "test_attacks.py",
    "test_real_nbgrader.py": "test_nbgrader_import.py",
    "test_real_nbgrader_export.py": "test_nbgrader_export.py",
    "test_real_otter.py": "test_otter_import.py",
    "test_real_otter_courses.py": "test_otter_import.py",
    "test_real_otter_export.py": "test_otter_export.py",
}


def tried_by_default(items: Iterable[pytest.Item]) -> Mapping[str, bool]:
    """Each file of these tests, and whether some test of it has none of the marks."""
    found: dict[str, bool] = {}
    for item in items:
        by_default = not any(item.get_closest_marker(mark) for mark in NOT_BY_DEFAULT)
        found[item.path.name] = found.get(item.path.name, False) or by_default
    return found


def rarely(rows: Iterable[Any], *, keep: int) -> list[Any]:
    """The rows of a table of tests, of which only so many, evenly chosen, are not ``slow``."""
    every = list(rows)
    kept = {round(n * (len(every) - 1) / max(keep - 1, 1)) for n in range(keep)}
    return [
        row if number in kept else pytest.param(
            *(row if isinstance(row, tuple) else (row,)), marks=pytest.mark.slow
        )
        for number, row in enumerate(every)
    ]  # fmt: skip
