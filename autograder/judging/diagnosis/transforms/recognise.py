"""Recognises results that are right ones changed in one simple way.

Covered: a change that would hold for any such array anyway (constants, single numbers, symmetric
tables, fewer than three significant numbers) is not named; neither are two changes that both hold,
unless one is a special case of the other or proves less.
No number of the result is revealed, and a constant only if it gives nothing away.
Not covered: two changes at once.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain
from autograder.judging.diagnosis.numbers import GLANCED, apart, equal, wide
from autograder.judging.diagnosis.transforms.change import Change, ComparedPair, Equation, Transform
from autograder.judging.diagnosis.transforms.constants import SEEN, TELLING, fitted
from autograder.judging.diagnosis.transforms.table import CHANGES

MAX_NUMBERS = 4_000_000
FEW = 12  # numbers that many changes fit


def recognise(pairs: Sequence[ComparedPair], *, clear: bool = False) -> Transform | None:
    """The one change that holds throughout; None if there is none, or two. ``clear``: no other."""
    if sum(pair.actual.size + pair.expected.size for pair in pairs) > MAX_NUMBERS:
        return None
    # small ones decide quickly, if they are not so small that many changes fit
    by_size = sorted(pairs, key=lambda pair: (pair.expected.size < FEW, pair.expected.size))
    right = [_right(pair) for pair in by_size]
    if all(right):
        return None
    every = list(zip(right, by_size, strict=True))
    ordered = [pair for fine, pair in every if not fine] + [pair for fine, pair in every if fine]
    changes = [change for change in CHANGES if change.clear or not clear]
    with np.errstate(all="ignore"):
        found = [_narrowest(ordered, change) for change in changes if _holds(ordered, change)]
        transforms = [change.transform(ordered) for change in found] + fitted(ordered)
    proved = [transform for transform in transforms if transform.clear]
    told = dict.fromkeys(proved if proved or clear else transforms)
    # Two changes that both hold are not told apart.
    return next(iter(told)) if len(told) == 1 else None


def mostly_apart(pairs: Sequence[ComparedPair]) -> bool:
    """Whether more than half of all numbers differ by over 1 %. Other shapes differ in all."""
    differ = total = 0
    with np.errstate(all="ignore"):
        for actual, expected, bounds in pairs:
            step = max(1, actual.size // SEEN) | 1
            one, other = actual.reshape(-1)[::step], expected.reshape(-1)[::step]
            loose = Bounds(max(bounds.rtol, 0.01), bounds.atol)
            same = actual.shape == expected.shape
            differ += step * (apart(one, other, loose) if same else one.size)
            total += step * one.size
    return 2 * differ > total


def _right(pair: ComparedPair) -> bool:
    same = pair.actual.shape == pair.expected.shape
    return same and equal(pair.actual, pair.expected, pair.bounds)


def _narrowest(pairs: Sequence[ComparedPair], change: Change) -> Change:
    """The one special case that holds; the change itself if there is none, or more of them."""
    found = [special for special in change.narrower if _holds(pairs, special)]
    return found[0]._replace(clear=change.clear) if len(found) == 1 else change


def _holds(pairs: Sequence[ComparedPair], change: Change) -> bool:
    """Whether all results are changed like this, and enough numbers show it."""
    found: list[tuple[Equation, Bounds]] = []
    for pair in pairs:
        few = _some_rows(pair) if change.by_row else pair
        if few is not pair and not _fits(change.rule(few), pair.bounds):
            return False
        parts = change.rule(pair)
        if parts is None or not _fits(parts, pair.bounds):
            return False
        found.append((parts, pair.bounds))
    return _visible(found)


def _visible(found: Sequence[tuple[Equation, Bounds]]) -> bool:
    """Whether the change moves enough numbers, and leaves enough that are not zero. Numbers that
    are computed must vary, too: one number alone is the result of many computations."""
    moved = 0
    sizes: list[Plain] = []
    for parts, bounds in found:
        wanted, other = parts.wanted, parts.other
        moved += wanted.size if other is None else apart(wanted, other, _looser(parts, bounds))
        size = np.abs(wide(wanted)).reshape(-1)
        sizes.append(size[size > bounds.atol])
    every = np.concatenate(sizes)
    computed = any(parts.slack > 1 for parts, _ in found)
    varied = not computed or every.max(initial=0) > 1.01 * every.min(initial=np.inf)
    # A change that cannot be seen is none.
    return bool(min(moved, every.size) >= TELLING and varied)


def _fits(parts: Equation | None, bounds: Bounds) -> bool:
    if parts is None or parts.actual.shape != parts.wanted.shape:
        return False
    return equal(parts.actual, parts.wanted, _looser(parts, bounds))


def _looser(parts: Equation, bounds: Bounds) -> Bounds:
    return Bounds(bounds.rtol * parts.slack, bounds.atol * parts.slack)


def _some_rows(pair: ComparedPair) -> ComparedPair:
    """A few rows of a large result, with as many axes as two."""
    if (
        pair.expected.ndim < 2
        or pair.expected.size < SEEN
        or pair.actual.shape != pair.expected.shape
    ):
        return pair
    return pair._replace(actual=_rows(pair.actual), expected=_rows(pair.expected))


def _rows(array: Plain) -> Plain:
    rows = array.reshape(-1, array.shape[-1])
    return rows[:: max(1, len(rows) // GLANCED) | 1]
