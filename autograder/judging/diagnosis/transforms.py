"""Recognises results that are right ones changed in a simple way: transposed, negated, times a
constant, moved by one row, rows reversed, columns permuted.

Covered: a change that would hold for any such array anyway (constants, single numbers, symmetric
tables, fewer than three significant numbers) is not named; neither are two changes that both hold.
No number of the result is revealed, and a constant only if it gives nothing away.
Not covered: two changes at once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain
from autograder.judging.diagnosis.numbers import apart, equal, wide

MAX_NUMBERS = 4_000_000
MAX_COLUMNS = 4096
SEEN = 4096  # numbers that are enough to decide
TELLING = 3  # numbers that the change must visibly move
CLOSE = 1e-3  # relative, between two constants
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
_NEGATED, _SOME = "with the opposite sign", "multiplied by a constant"
_WIDTH = "its width, the length of its last axis"
_OF_WIDTH: tuple[tuple[str, Callable[[int], float]], ...] = (
    (f"multiplied by the square root of {_WIDTH}", math.sqrt),
    (f"divided by the square root of {_WIDTH}", lambda n: 1 / math.sqrt(n)),
    (f"multiplied by {_WIDTH}", float),
    (f"divided by {_WIDTH}", lambda n: 1 / n),
)


class ComparedPair(NamedTuple):
    """A result and what it is compared with, in the same dtype's tolerance."""

    actual: Plain
    expected: Plain
    bounds: Bounds


class Transform(NamedTuple):
    """``name`` for the data, ``words`` for the student.

    Not ``clear``: an arbitrary factor, which proves less than one that has a name.
    """

    name: str
    words: str
    clear: bool = True


Parts = tuple[Plain, Plain, Plain]  # of the result, what it should equal, and what it should not
Change = Callable[[Plain, Plain], Parts]


def recognise(pairs: Sequence[ComparedPair]) -> Transform | None:
    """The one change that holds throughout; None if there is none, or two."""
    if not pairs or sum(pair.actual.size + pair.expected.size for pair in pairs) > MAX_NUMBERS:
        return None
    ordered = sorted(pairs, key=lambda pair: pair.expected.size)  # small ones decide quickly
    with np.errstate(all="ignore"):
        found = [change for change in _CHANGES if _throughout(ordered, change.change)]
        factor = _scaled(ordered) if _vary(ordered) else ""
    said = [Transform(change.name, change.words) for change in found]
    if factor:
        name = "negated" if factor == _NEGATED else "scaled"
        said.append(Transform(name, factor, factor != _SOME))
    return said[0] if len({transform.name for transform in said}) == 1 else None


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


def _throughout(pairs: Sequence[ComparedPair], change: Change) -> bool:
    """Whether all results are changed like this, and enough numbers move for it to be visible."""
    moved = 0
    for pair in pairs:
        actual, wanted, other = change(pair.actual, pair.expected)
        if actual.shape != wanted.shape or not equal(actual, wanted, pair.bounds):
            return False
        moved += apart(wanted, other, pair.bounds)
    return moved >= TELLING


def _transposed(actual: Plain, expected: Plain) -> Parts:
    if expected.ndim < 2:
        return actual, expected, expected
    return actual, np.swapaxes(expected, -1, -2), expected


def _reversed(actual: Plain, expected: Plain) -> Parts:
    if expected.ndim < 1:
        return actual, expected, expected
    return actual, np.flip(expected, _rows(expected)), expected


def _shifted(by: int) -> Change:
    """Row p holds what belongs in row p + by; the row at the end may hold anything."""

    def change(actual: Plain, expected: Plain) -> Parts:
        axis = _rows(expected)
        if expected.ndim < 1 or actual.shape != expected.shape:
            return actual, expected, expected
        first, last = _cut(expected, axis, 0, -1), _cut(expected, axis, 1, None)
        mine = _cut(actual, axis, 0, -1) if by > 0 else _cut(actual, axis, 1, None)
        return (mine, last, first) if by > 0 else (mine, first, last)

    return change


def _permuted(actual: Plain, expected: Plain) -> Parts:
    """The columns sorted by a sum over their rows with uneven weights; equal sets of columns
    are then in one order."""
    width = expected.shape[-1] if expected.ndim >= 2 else 0
    if not 2 <= width <= MAX_COLUMNS or actual.shape != expected.shape or expected.size < 2 * width:
        return actual, expected, expected
    weights = np.cos(np.arange(expected.size // width, dtype=np.float64) + 0.5)
    orders = [
        np.argsort(weights @ wide(table).reshape(-1, width).real, kind="stable")
        for table in (actual, expected)
    ]
    places = np.empty(width, dtype=np.intp)
    places[orders[0]] = orders[1]
    return actual, expected[..., places], expected


def _rows(array: Plain) -> int:
    return -2 if array.ndim >= 2 else -1


def _cut(array: Plain, axis: int, start: int, stop: int | None) -> Plain:
    return array[(..., slice(start, stop), slice(None)) if axis == -2 else slice(start, stop)]


class _Change(NamedTuple):
    name: str
    change: Change
    words: str


_CHANGES = (
    _Change("transposed", _transposed, "transposed: rows and columns are swapped"),
    _Change("reversed", _reversed, "with its rows in reverse order"),
    _Change("shifted", _shifted(1), "shifted by one row: it starts with the second row"),
    _Change("shifted", _shifted(-1), "shifted by one row: it starts one row too late"),
    _Change("permuted", _permuted, "with its columns in a different order"),
)


def _scaled(pairs: Sequence[ComparedPair]) -> str:
    """The factor of the results, in words; empty if there is none."""
    factors: list[tuple[float, int]] = []
    for actual, expected, bounds in pairs:
        if actual.shape != expected.shape:
            return ""
        factor = _factor(actual, expected)
        size = max(1.0, abs(factor))
        looser = Bounds(bounds.rtol, bounds.atol * size)
        if not 1e-4 <= abs(factor) <= 1e4 or not equal(actual, wide(expected) * factor, looser):
            return ""
        if np.abs(expected).max(initial=0) > bounds.atol:
            factors.append((factor, expected.shape[-1] if expected.ndim else 0))
    if all(_near(factor, -1.0) for factor, _ in factors):
        return _NEGATED
    return "" if all(_near(factor, 1.0) for factor, _ in factors) else _by(factors)


def _by(factors: Sequence[tuple[float, int]]) -> str:
    """The words for factors of results of these widths. A number is named only if it reveals
    nothing about a hidden input, else the rule, else neither."""
    first = factors[0][0]
    if all(_near(factor, first) for factor, _ in factors):
        told = _TOLD if len(factors) == 1 else {**_TOLD, **_PLAIN}
        number = next((text for value, text in told.items() if _near(abs(first), value)), "")
        if number:
            return f"multiplied by {'-' if first < 0 else ''}{number}"
    for words, rule in _OF_WIDTH:
        if all(width > 1 and _near(factor, rule(width)) for factor, width in factors):
            return words
    return _SOME if all(_near(f, first) for f, _ in factors) else ""


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
    every = np.concatenate([np.abs(wide(one[:SEEN])) for one in flat])
    every = every[np.isfinite(every) & (every > max(pair.bounds.atol for pair in pairs))]
    return every.size >= TELLING and float(every.max()) > 1.01 * float(every.min())
