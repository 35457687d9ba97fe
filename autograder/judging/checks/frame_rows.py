"""Which rows of one data frame are in another, whatever their order.

The time grows with rows times columns, apart from sorting: rows are never compared in pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain
from autograder.judging.checks.frame_values import ColumnValues, places


class RowMatch(NamedTuple):
    """Rows that are equal, in pairs, and what is left on each side, as numbers of rows."""

    actual: Plain
    expected: Plain
    actual_left: Plain
    expected_left: Plain


def match_rows(
    columns: Sequence[tuple[ColumnValues, ColumnValues, Bounds]], rows: tuple[int, int]
) -> RowMatch:
    """Pairs equal rows of an actual and an expected frame of ``rows`` (actual, expected) rows.

    Rows that occur several times are paired as often as both frames have them. What is left on
    both sides is sorted by its values, so that rows that are nearly equal are in equal places.
    """
    total = sum(rows)
    whole = np.zeros(total, np.int64)  # the same number for equal rows
    ordered = []
    for actual, expected, bounds in columns:
        found = np.concatenate(places(actual, expected, bounds))
        ordered.append(found)
        whole = np.unique(whole * (total + 1) + found, return_inverse=True)[1]
    ours = np.arange(total) >= rows[0]
    held = np.bincount(whole[~ours], minlength=total + 1)
    wanted = np.bincount(whole[ours], minlength=total + 1)
    both = np.minimum(held, wanted)
    # equal rows together, the actual ones first, by size where a chain of near numbers is one group
    sizes = [np.concatenate([a.numbers, e.numbers]) for a, e, _ in reversed(columns)]
    order = np.lexsort((*sizes, ours, whole))
    begins = np.concatenate([[0], np.cumsum(held + wanted)[:-1]])
    rank = np.empty(total, np.int64)
    rank[order] = np.arange(total) - begins[whole[order]]
    nth = np.where(ours, rank - held[whole], rank)  # the how many-th of its kind on its side
    paired = nth < both[whole]
    keys = ordered[::-1]  # the first column decides first

    def rows_of(chosen: Plain, by: list[Plain]) -> Plain:
        at = np.flatnonzero(chosen)
        return at[np.lexsort([key[at] for key in by])] if len(at) and by else at

    sides = [
        (rows_of(side & paired, [nth, whole]), rows_of(side & ~paired, keys))
        for side in (~ours, ours)
    ]
    (actual_rows, actual_left), (expected_rows, expected_left) = sides
    return RowMatch(actual_rows, expected_rows - rows[0], actual_left, expected_left - rows[0])
