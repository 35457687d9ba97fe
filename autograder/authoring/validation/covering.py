"""Rows in which every two levels of different factors meet at least once (a covering array of
strength two), so that levels that only fail together are found without trying every combination."""

from __future__ import annotations

import itertools
import random
from collections.abc import Collection, Mapping, Sequence

Level = tuple[int, int]  # (factor, level)
Pair = tuple[Level, Level]  # the lower factor first
CANDIDATES = 8  # random rows for each row that is taken


def covering_rows(
    levels: Sequence[int], *, seed: int, never: Collection[Pair] = ()
) -> list[tuple[int, ...]]:
    """One level for each factor in each row; no row holds a pair of ``never``.

    Greedy: of some random rows, the one with the most missing pairs is taken. A pair that fits
    into no row without a pair of ``never`` is left out.
    """
    order, apart = random.Random(seed), frozenset(never)  # noqa: S311  nothing secret
    factors = range(len(levels))
    missing = {
        ((a, i), (b, j)): None
        for a, b in itertools.combinations(factors, 2)
        for i in range(levels[a])
        for j in range(levels[b])
        if ((a, i), (b, j)) not in apart
    }
    rows: list[tuple[int, ...]] = []
    while missing:
        first = next(iter(missing))
        made = [_row(levels, first, missing, apart, order) for _ in range(CANDIDATES)]
        whole = [row for row in made if row is not None]
        if not whole:
            del missing[first]
            continue
        best = max(whole, key=lambda row: sum(pair in missing for pair in _pairs(row)))
        rows.append(best)
        for pair in _pairs(best):
            missing.pop(pair, None)
    return rows


def _pairs(row: Sequence[int]) -> Sequence[Pair]:
    return list(itertools.combinations(enumerate(row), 2))


def _row(
    levels: Sequence[int],
    first: Pair,
    missing: Mapping[Pair, None],
    apart: frozenset[Pair],
    order: random.Random,
) -> tuple[int, ...] | None:
    """A row with this pair; None where the levels that were drawn leave nothing for a factor."""
    chosen = dict(first)
    rest = [factor for factor in range(len(levels)) if factor not in chosen]
    for factor in order.sample(rest, len(rest)):
        free = [
            level
            for level in order.sample(range(levels[factor]), levels[factor])
            if not any(_pair((factor, level), held) in apart for held in chosen.items())
        ]
        if not free:
            return None
        chosen[factor] = max(
            free,
            key=lambda level: sum(
                _pair((factor, level), held) in missing for held in chosen.items()
            ),
        )
    return tuple(chosen[factor] for factor in range(len(levels)))


def _pair(one: Level, other: Level) -> Pair:
    return (one, other) if one < other else (other, one)
