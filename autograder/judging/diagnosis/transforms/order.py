"""Rows or columns in another order, and by which rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.diagnosis.numbers import wide
from autograder.judging.diagnosis.transforms.change import (
    ROWS,
    Axis,
    ComparedPair,
    Equation,
    Rest,
    Rule,
    untouched,
)

CHANCE = 5  # so many rows are hardly in order by chance
Order = Callable[[int], Plain]  # for so many entries: which of the right ones is in each place


def permuted(axis: Axis) -> Rule:
    """Entries in any order. Equal sets of entries, sorted by a sum with uneven weights over their
    numbers, are in one order."""

    def rule(pair: ComparedPair) -> Equation | None:
        places = _places(pair, axis)
        if places is None:
            return untouched(pair)
        parts = _taken(pair, axis, places)
        changed = places.size < 3 or bool((places != np.arange(places.size)).any())
        return parts if changed or np.ptp(wide(pair.expected)) == 0 else None

    return rule


def ordered(axis: Axis, order: Order, short: int = 0) -> Rule:
    """Entries in an order that depends on their number only. So ``short`` a result shows nothing,
    because the order is another one's, too."""

    def rule(pair: ComparedPair) -> Equation | None:
        if pair.expected.ndim < axis.least:
            return untouched(pair)
        length = axis.length(pair.expected)
        parts = _taken(pair, axis, order(length))
        return parts if length > short else parts._replace(other=parts.wanted)

    return rule


def sorted_rows(*, descending: bool) -> Rule:
    """Rows in the order of their first numbers, or of the next ones where these are equal. A few
    rows may be in order by chance, and show nothing."""

    def rule(pair: ComparedPair) -> Equation | None:
        expected = pair.expected
        if not 1 <= expected.ndim <= 2 or expected.size == 0:
            return untouched(pair)
        keys = [expected] if expected.ndim == 1 else list(expected.T[:8][::-1])
        places = np.lexsort(keys)
        parts = _taken(pair, ROWS, places[::-1] if descending else places)
        return parts if places.size >= CHANCE else parts._replace(other=parts.wanted)

    return rule


def same_order(axis: Axis) -> Rest:
    """Adds that equally many entries always have one order, if that was seen."""

    def rest(pairs: Sequence[ComparedPair]) -> str:
        orders: dict[int, list[bytes]] = {}
        for pair in pairs:
            places = _places(pair, axis)
            if places is not None and places.size > 2:
                orders.setdefault(places.size, []).append(places.tobytes())
        seen = any(len(found) > 1 for found in orders.values())
        same = all(len(set(found)) == 1 for found in orders.values())
        return ", the same in every call" if seen and same else ""

    return rest


def reverse(length: int) -> Plain:
    return np.arange(length)[::-1]


def rolled(by: int) -> Order:
    """Entry p holds what belongs in entry p + by; what falls out at one end enters at the other."""
    return lambda length: np.roll(np.arange(length), -by)


def evens_first(length: int) -> Plain:
    """0, 2, 4, ..., 1, 3, 5, ..."""
    every = np.arange(length)
    return np.concatenate([every[::2], every[1::2]])


def halves_interleaved(length: int) -> Plain:
    """0, n/2, 1, n/2 + 1, ..."""
    return np.argsort(evens_first(length), kind="stable")


def neighbours_exchanged(length: int) -> Plain:
    """1, 0, 3, 2, ...; the last of an odd number remains."""
    every = np.arange(length)
    return np.minimum(every ^ 1, length - 1) if length else every


def halves_exchanged(length: int) -> Plain:
    """n/2, n/2 + 1, ..., 0, 1, ...; an odd number has no halves."""
    return np.roll(np.arange(length), 0 if length % 2 else length // 2)


def _taken(pair: ComparedPair, axis: Axis, places: Plain) -> Equation:
    expected = pair.expected
    return Equation(pair.actual, np.take(expected, places, axis=axis.of(expected)), expected)


def _places(pair: ComparedPair, axis: Axis) -> Plain | None:
    """Which right entry is in each place, if it is any; None if there is too little to see."""
    actual, expected = pair.actual, pair.expected
    if expected.ndim < axis.least or actual.shape != expected.shape or not expected.size:
        return None
    length = axis.length(expected)
    if length < 2 or (axis is not ROWS and expected.size < 2 * length):
        return None
    orders = [
        np.argsort(_weighed(table, axis.of(expected)), kind="stable")
        for table in (actual, expected)
    ]
    places = np.empty(length, dtype=np.intp)
    places[orders[0]] = orders[1]
    return places


def _weighed(array: Plain, axis: int) -> Plain:
    entries = np.moveaxis(wide(array), axis, -1)
    entries = entries.reshape(-1, entries.shape[-1])
    sums = np.cos(np.arange(len(entries)) + 0.5) @ entries
    return np.asarray(sums.real + 0.618 * sums.imag)
