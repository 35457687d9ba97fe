"""Covering arrays: every two levels that may meet do, and those that may not never do."""

from __future__ import annotations

import itertools
import random

import pytest

from autograder.authoring.validation.covering import Pair, covering_rows


def pairs(levels: list[int], *, first: int = 0) -> set[Pair]:
    return {
        ((a, i), (b, j))
        for a, b in itertools.combinations(range(len(levels)), 2)
        for i in range(first, levels[a])
        for j in range(first, levels[b])
    }


@pytest.mark.parametrize("seed", range(12))
def test_every_pair_that_may_meet_does(seed: int) -> None:
    draw = random.Random(seed)
    levels = [draw.randint(1, 5) for _ in range(draw.randint(2, 5))]
    apart = sorted(pairs(levels, first=1))  # level 0 goes with everything, as the solution does
    never = set(draw.sample(apart, draw.randint(0, len(apart))))
    rows = covering_rows(levels, seed=seed, never=never)
    met = {pair for row in rows for pair in itertools.combinations(enumerate(row), 2)}
    assert met >= pairs(levels) - never and not met & never
    assert rows == covering_rows(levels, seed=seed, never=never)


def test_there_are_not_many_more_rows_than_there_must_be() -> None:
    assert len(covering_rows([13, 5, 12, 14, 13, 9, 3, 14, 3, 4], seed=1)) < 1.3 * 14 * 14
