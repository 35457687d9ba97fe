"""Which rows of one data frame are in another, whatever their order.

The time grows with rows times columns, apart from sorting. Not covered: among thousands of rows
whose numbers are all nearly equal in several columns, some that have a partner may be left over.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain
from autograder.judging.checks.frame_values import ColumnValues, equal, places

Compared = tuple[ColumnValues, ColumnValues, Bounds]
EFFORT = 5_000_000  # values that are compared to find partners among rows that are nearly equal


class RowMatch(NamedTuple):
    """Rows that are equal, in pairs, and what is left on each side, as numbers of rows."""

    actual: Plain
    expected: Plain
    actual_left: Plain
    expected_left: Plain


def match_rows(columns: Sequence[Compared], rows: tuple[int, int]) -> RowMatch:
    """Pairs equal rows of an actual and an expected frame of ``rows`` (actual, expected) rows.

    Rows that occur several times are paired as often as both frames have them. What is left on
    both sides is sorted by its values, so that rows that are nearly equal are in equal places.
    """
    total = sum(rows)
    group = np.zeros(total, np.int64)  # rows that may be equal have the same number
    ordered = []
    for column in columns:
        found = np.concatenate(places(*column))
        ordered.append(found)
        group = np.unique(group * (total + 1) + found, return_inverse=True)[1]
    actual, expected = _by_rank(columns, group, rows)
    good = np.ones(len(actual), bool)
    for one, other, bounds in columns:
        good &= equal(one.taken(actual), other.taken(expected), bounds)
    partner = np.full(rows[1], -1)  # of each expected row the actual one
    partner[expected[good]] = actual[good]
    for several in np.unique(group[actual[~good]]):
        ours, theirs = np.flatnonzero(group[: rows[0]] == several), group[rows[0] :] == several
        _find_partners(columns, ours, np.flatnonzero(theirs), partner)
    keys = ordered[::-1]  # the first column decides first

    def in_order(left: Plain, start: int) -> Plain:
        at = np.flatnonzero(left)
        return at[np.lexsort([key[at + start] for key in keys])] if len(at) and keys else at

    free = np.ones(rows[0], bool)
    free[partner[partner >= 0]] = False
    paired = np.flatnonzero(partner >= 0)
    return RowMatch(partner[paired], paired, in_order(free, 0), in_order(partner < 0, rows[0]))


def _by_rank(
    columns: Sequence[Compared], group: Plain, rows: tuple[int, int]
) -> tuple[Plain, Plain]:
    """The n-th row of each group in one frame with the n-th in the other, by size."""
    total = sum(rows)
    theirs = np.arange(total) >= rows[0]
    held, wanted = (np.bincount(group[side], minlength=total + 1) for side in (~theirs, theirs))
    order = np.lexsort((*_sizes(columns, group), theirs, group))
    begins = np.concatenate([[0], np.cumsum(held + wanted)[:-1]])
    nth = np.empty(total, np.int64)
    nth[order] = np.arange(total) - begins[group[order]]
    nth -= np.where(theirs, held[group], 0)
    paired = order[nth[order] < np.minimum(held, wanted)[group[order]]]
    return paired[~theirs[paired]], paired[theirs[paired]] - rows[0]


def _sizes(columns: Sequence[Compared], group: Plain) -> Iterator[Plain]:
    """Of each column, the last one first, the numbers in groups where they are not all equal."""
    by_group = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.diff(group[by_group], prepend=-1))
    for actual, expected, bounds in reversed(columns):
        numbers = np.concatenate([actual.numbers, expected.numbers])
        if numbers.dtype.kind == "c" or bounds == (0, 0) or not len(numbers):
            continue
        wide = numbers.astype(np.float64)
        low, high = (f.reduceat(wide[by_group], begins) for f in (np.minimum, np.maximum))
        size = np.maximum(np.abs(low), np.abs(high))
        with np.errstate(invalid="ignore", over="ignore"):
            apart = high - low > bounds.atol + bounds.rtol * size
        yield np.where(apart[group], wide, 0.0)


def _find_partners(columns: Sequence[Compared], ours: Plain, theirs: Plain, partner: Plain) -> None:
    """Gives as many expected rows as possible an actual one in ``partner``: along paths on which
    those that have one change it (Kuhn's algorithm)."""
    effort = EFFORT
    taken = {int(partner[row]): int(row) for row in theirs if partner[row] >= 0}
    seen: dict[int, int] = {}  # actual rows, and the expected ones for which they were tried
    for start in theirs[partner[theirs] < 0].tolist():
        path, tried = [start], {}
        while path:
            row = path.pop()
            effort -= len(ours) * len(columns)
            if effort < 0:
                return
            fits = np.ones(len(ours), bool)
            for one, other, bounds in columns:
                alone = other.taken(np.full(len(ours), row))
                fits &= equal(one.taken(ours), alone, bounds)
            found = [n for n in ours[fits].tolist() if n not in tried and n not in seen]
            tried.update(dict.fromkeys(found, row))
            free = next((n for n in found if n not in taken), None)
            if free is not None:
                _change(free, start, tried, taken, partner)
                break
            path += [taken[n] for n in found]
        else:
            seen.update(tried)  # from these no path leads to a free one


def _change(
    free: int, start: int, tried: dict[int, int], taken: dict[int, int], partner: Plain
) -> None:
    """Moves each expected row on the path to ``free`` on to the actual one found for it."""
    while True:
        row = tried[free]
        before = int(partner[row])
        taken[free], partner[row] = row, free
        if row == start:
            return
        free = before
