"""Results that are right but for a factor or a sum that is fitted to them.

A number is reported only if it reveals nothing about hidden inputs, else the rule, else neither.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain
from autograder.judging.diagnosis.numbers import apart, equal, wide
from autograder.judging.diagnosis.transforms.change import ComparedPair, Transform

TELLING = 3  # numbers that a change must visibly move
SEEN = 4096  # numbers that are enough to decide
CLOSE = 1e-3  # relative, between two constants
WHOLE = 1e-5  # relative, between a factor and a whole number
EPS = 1.5e-3  # what is added to avoid a division by zero is smaller
_TOLD = {2.0: "2", 0.5: "1/2"}  # these reveal nothing about hidden inputs
_PLAIN = {
    3.0: "3",
    4.0: "4",
    10.0: "10",
    100.0: "100",
    1000.0: "1000",
    1 / 3: "1/3",
    0.25: "1/4",
    0.1: "1/10",
    0.01: "1/100",
    0.001: "1/1000",
}
_NEGATED = Transform("negated", "with the opposite sign")
_SOME = Transform("scaled", "multiplied by a constant", clear=False)
_MULTIPLIED = Transform(
    "multiplied by counts",
    "multiplied by a whole number that differs from call to call",
)
_DIVIDED = Transform(
    "divided by counts",
    "divided by a whole number that differs from call to call",
)
_ONCE = Transform(
    "counted once", "with some rows counted only once: they should be 2, 3 or more times as large"
)
_OFTEN = Transform("counted too often", "with some rows too large by a factor of 2, 3 or more")
Lengths = tuple[int, ...]
_WIDTH = "its width, the length of its last axis"
_OF_LENGTHS: tuple[tuple[str, Callable[[Lengths], float]], ...] = (
    (f"multiplied by the square root of {_WIDTH}", lambda shape: math.sqrt(shape[-1])),
    (f"divided by the square root of {_WIDTH}", lambda shape: 1 / math.sqrt(shape[-1])),
    (f"multiplied by {_WIDTH}", lambda shape: shape[-1]),
    (f"divided by {_WIDTH}", lambda shape: 1 / shape[-1]),
    ("multiplied by the number of its rows", lambda shape: shape[-2]),
    ("divided by the number of its rows", lambda shape: 1 / shape[-2]),
    ("multiplied by the number of its elements", lambda shape: math.prod(shape)),
    ("divided by the number of its elements", lambda shape: 1 / math.prod(shape)),
)


def fitted(pairs: Sequence[ComparedPair]) -> list[Transform]:
    """The factors and sums that turn every right result into the one that it is compared with."""
    if any(pair.actual.shape != pair.expected.shape for pair in pairs) or not _vary(pairs):
        return []
    found = (_factor_of(pairs), _sum_of(pairs), _counts_of(pairs))
    return [transform for transform in found if transform is not None]


def _factor_of(pairs: Sequence[ComparedPair]) -> Transform | None:
    factors: list[tuple[float, ComparedPair]] = []
    for pair in pairs:
        actual, expected, bounds = pair
        factor = _factor(actual, expected)
        looser = Bounds(bounds.rtol, bounds.atol * max(1.0, abs(factor)))
        if not 1e-4 <= abs(factor) <= 1e4 or not equal(actual, wide(expected) * factor, looser):
            return None
        if np.abs(expected).max(initial=0) > bounds.atol:
            factors.append((factor, pair))
    if all(_near(factor, -1.0) for factor, _ in factors):
        return _NEGATED
    return None if all(_near(factor, 1.0) for factor, _ in factors) else _by(factors)


def _by(factors: Sequence[tuple[float, ComparedPair]]) -> Transform | None:
    """The words for these factors."""
    first = factors[0][0]
    same = all(_near(factor, first) for factor, _ in factors)
    if same:
        told = _TOLD if len(factors) == 1 else {**_TOLD, **_PLAIN}
        number = next((text for value, text in told.items() if _near(abs(first), value)), "")
        if number:
            return Transform("scaled", f"multiplied by {'-' if first < 0 else ''}{number}")
    shapes = [(factor, pair.expected.shape) for factor, pair in factors]
    for words, rule in _OF_LENGTHS:
        if all(_is(factor, shape, rule) for factor, shape in shapes) and (
            _WIDTH in words or len({rule(shape) for _, shape in shapes}) > 1
        ):
            return Transform("scaled", words)
    return _SOME if same else _by_count(factors)


def _is(factor: float, shape: Lengths, rule: Callable[[Lengths], float]) -> bool:
    """Whether the factor follows from the lengths of a result of two or more axes, or its width."""
    return bool(shape) and shape[-1] > 1 and _near(factor, rule((1, *shape)))


def _by_count(factors: Sequence[tuple[float, ComparedPair]]) -> Transform | None:
    """Whole numbers, for calls that differ in how much is summed."""
    if any((wide(pair.expected) == np.round(wide(pair.expected))).all() for _, pair in factors):
        return None
    if all(_whole(factor) for factor, _ in factors):
        return _MULTIPLIED
    return _DIVIDED if all(_whole(1 / factor) for factor, _ in factors) else None


def _sum_of(pairs: Sequence[ComparedPair]) -> Transform | None:
    """One number that is added to each number of every result."""
    added: float | None = None
    moved = 0
    for actual, expected, bounds in pairs:
        if not expected.size:
            continue
        if added is None:
            mean = (wide(actual) - wide(expected)).mean()
            if not np.isfinite(mean) or abs(mean.imag) > bounds.atol:
                return None
            added = float(mean.real)
        if not equal(actual, wide(expected) + added, bounds):
            return None
        moved += apart(actual, expected, bounds)
    if added is None or moved < TELLING:
        return None
    if _near(abs(added), 1.0):
        done = "added to" if added > 0 else "subtracted from"
        return Transform("1 added" if added > 0 else "1 subtracted", f"with 1 {done} each number")
    if 0 < added < EPS:
        return Transform("eps added", "with a small constant, such as an eps, added to each number")
    return Transform("sum", "with the same constant added to each number", clear=False)


def _counts_of(pairs: Sequence[ComparedPair]) -> Transform | None:
    """Rows that are right but for whole numbers, 1 for some and more for others: how often a row
    is used, counted on one side only."""
    for transform, turned in ((_ONCE, False), (_OFTEN, True)):
        counts: list[Plain] = []
        for actual, expected, bounds in pairs:
            many, once = (actual, expected) if turned else (expected, actual)
            found = _counts(many, once, bounds)
            if found is None:
                break
            counts.append(found)
        else:
            mixed = [found for found in counts if (found == 1).any() and (found > 1).any()]
            if sum(int((found > 1).sum()) for found in mixed) >= 2:
                return transform
    return None


def _counts(many: Plain, once: Plain, bounds: Bounds) -> Plain | None:
    """How many times each row that is not zero is in ``many``, of what it is in ``once``; None if
    not a whole number of times. Rows of one number show nothing."""
    if once.ndim < 2 or once.shape[-1] < 2 or once.dtype.kind in "biu":
        return None
    one, other = (wide(table).reshape(-1, once.shape[-1]) for table in (once, many))
    below = (np.abs(one) ** 2).sum(-1)
    along = (one.conj() * other).sum(-1).real
    found = np.where(below > 0, along / np.where(below > 0, below, 1), 1)
    counts = np.round(found)
    if not (np.abs(found - counts) <= CLOSE * counts).all() or not (counts >= 1).all():
        return None
    looser = Bounds(bounds.rtol, bounds.atol * float(counts.max(initial=1)))
    return counts[below > 0] if equal(other, one * counts[:, None], looser) else None


def _whole(factor: float) -> bool:
    return factor > 1.5 and abs(factor - round(factor)) <= WHOLE * factor


def _near(one: float, other: float) -> bool:
    return abs(one - other) <= CLOSE * abs(other)


def _factor(actual: Plain, expected: Plain) -> float:
    """The factor that fits best; 1 for zeros, which any factor fits."""
    one, other = wide(actual).reshape(-1), wide(expected).reshape(-1)
    below = float(np.vdot(other, other).real)
    found = float(np.vdot(other, one).real) / below if below > 0 else 1.0
    return found if math.isfinite(found) else 0.0


def _vary(pairs: Sequence[ComparedPair]) -> bool:
    """Whether at least three numbers are not zero and not all of one size, so that a factor
    shows."""
    flat = [pair.expected.reshape(-1) for pair in pairs]
    every = np.concatenate([np.abs(wide(numbers[:SEEN])) for numbers in flat])
    every = every[np.isfinite(every) & (every > max(pair.bounds.atol for pair in pairs))]
    return every.size >= TELLING and float(every.max()) > 1.01 * float(every.min())
