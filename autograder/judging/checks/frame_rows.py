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
VISIT = 100  # values that could be compared in the time that one row takes in any case


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
    search = _Search(columns, partner)
    several = np.unique(group[actual[~good]])
    sides = (_of_groups(side, several) for side in (group[: rows[0]], group[rows[0] :]))
    for ours, theirs in zip(*sides, strict=True):
        search.improve(ours, theirs)
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


def _of_groups(group: Plain, several: Plain) -> Iterator[Plain]:
    """The rows of each of these groups."""
    order = np.argsort(group, kind="stable")
    begins, ends = (np.searchsorted(group[order], several, side) for side in ("left", "right"))
    return (order[begin:end] for begin, end in zip(begins, ends, strict=True))


class _Search:
    """Finds partners for rows where several fit one, by Kuhn's algorithm: along paths on which
    expected rows that have an actual one take another."""

    def __init__(self, columns: Sequence[Compared], partner: Plain) -> None:
        self.columns = columns
        self.partner = partner  # of each expected row the actual one, or -1
        self.effort = EFFORT

    def improve(self, ours: Plain, theirs: Plain) -> None:
        """Gives as many of ``theirs`` as possible one of ``ours``."""
        owner = {int(self.partner[row]): row for row in theirs.tolist()}
        useless: set[int] = set()  # from these no path leads to a free one
        for start in theirs[self.partner[theirs] < 0].tolist():
            path, tried = [start], dict[int, int]()
            while path and self.effort > 0:
                row = path.pop()
                fits = ours[self._fits(ours, row)].tolist()
                found = [one for one in fits if one not in tried and one not in useless]
                tried.update(dict.fromkeys(found, row))
                free = next((one for one in found if one not in owner), None)
                if free is not None:
                    self._change(free, start, tried, owner)
                    break
                path += [owner[one] for one in found]
            else:
                useless.update(tried)

    def _fits(self, ours: Plain, row: int) -> Plain:
        self.effort -= VISIT + len(ours) * len(self.columns)
        alone, fits = np.full(len(ours), row), np.ones(len(ours), bool)
        for actual, expected, bounds in self.columns:
            fits &= equal(actual.taken(ours), expected.taken(alone), bounds)
        return fits

    def _change(self, free: int, start: int, tried: dict[int, int], owner: dict[int, int]) -> None:
        """Each expected row on the path to ``free`` takes the actual one found for it."""
        row = -1
        while row != start:
            row = tried[free]
            before = int(self.partner[row])
            owner[free], self.partner[row] = row, free
            free = before
