"""Axes exchanged, one too many or too few, summed away or kept."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.diagnosis.numbers import wide
from autograder.judging.diagnosis.transforms.change import ComparedPair, Equation, Rule, untouched

Reduction = Callable[[Plain, int], Plain]  # along this axis


def exchanged(one: int, other: int) -> Rule:
    """Two axes, counted from the end, in each other's place."""

    def rule(pair: ComparedPair) -> Equation | None:
        if pair.expected.ndim < -min(one, other):
            return untouched(pair)
        return Equation(pair.actual, np.swapaxes(pair.expected, one, other), pair.expected)

    return rule


def moved(source: int, to: int) -> Rule:
    """One axis moved past two or more; past a single one, it is exchanged with that."""

    def rule(pair: ComparedPair) -> Equation | None:
        if pair.expected.ndim < 3:
            return untouched(pair)
        return Equation(pair.actual, np.moveaxis(pair.expected, source, to), pair.expected)

    return rule


def reshaped_for(one: int, other: int) -> Rule:
    """The right shape, but the numbers in the order that they have with two axes exchanged."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < -min(one, other):
            return untouched(pair)
        turned = np.swapaxes(expected, one, other)
        if actual.shape != expected.shape or turned.shape == expected.shape:
            return None
        return Equation(actual.reshape(turned.shape), turned, expected)

    return rule


def reshaped(pair: ComparedPair) -> Equation | None:
    """The right numbers in the right order, in another shape."""
    actual, expected = pair.actual, pair.expected
    if actual.shape == expected.shape or actual.size != expected.size:
        return None
    return Equation(actual.reshape(-1), expected.reshape(-1), None)


def one_more(pair: ComparedPair) -> Equation | None:
    """An axis of length 1 between two others."""
    return _between(pair, pair.actual.shape, pair.expected.shape)


def one_more_in_front(pair: ComparedPair) -> Equation | None:
    return reshaped(pair) if pair.actual.shape == (1, *pair.expected.shape) else None


def one_more_at_the_end(pair: ComparedPair) -> Equation | None:
    return reshaped(pair) if pair.actual.shape == (*pair.expected.shape, 1) else None


def one_less(pair: ComparedPair) -> Equation | None:
    """An axis of length 1 between two others is missing."""
    return _between(pair, pair.expected.shape, pair.actual.shape)


def first_missing(pair: ComparedPair) -> Equation | None:
    return reshaped(pair) if pair.expected.shape == (1, *pair.actual.shape) else None


def last_missing(pair: ComparedPair) -> Equation | None:
    return reshaped(pair) if pair.expected.shape == (*pair.actual.shape, 1) else None


def _between(
    pair: ComparedPair, longer: tuple[int, ...], shorter: tuple[int, ...]
) -> Equation | None:
    ends = ((1, *shorter), (*shorter, 1))
    places = [i for i, length in enumerate(longer) if length == 1]
    fits = any(longer[:i] + longer[i + 1 :] == shorter for i in places)
    return reshaped(pair) if fits and longer not in ends else None


def reduced(reduce: Reduction, axis: int) -> Rule:
    """An axis of the right result summed or averaged away, or left with length 1."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < -axis:
            return untouched(pair)
        if actual.shape not in _without(expected.shape, axis) or not expected.size:
            return None
        wanted, length = reduce(wide(expected), axis).reshape(actual.shape), expected.shape[axis]
        return Equation(actual, wanted, wanted if length == 1 else None, length)

    return rule


def kept(reduce: Reduction, axis: int) -> Rule:
    """An axis more than the right result, which is the sum or the mean along it, and visibly not
    what is at every place of that axis."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if actual.ndim < -axis or actual.shape[axis] < 2:
            return None
        if expected.shape not in _without(actual.shape, axis):
            return None
        found = reduce(wide(actual), axis).reshape(expected.shape)
        first = np.take(actual, 0, axis).reshape(expected.shape)
        return Equation(found, expected, first, actual.shape[axis])

    return rule


def repeated(axis: int) -> Rule:
    """The right result at every place of an axis more."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if actual.ndim < -axis or actual.shape[axis] < 2:
            return None
        if actual.ndim != expected.ndim + 1 or _without(actual.shape, axis)[0] != expected.shape:
            return None
        again = np.broadcast_to(np.expand_dims(expected, axis), actual.shape)
        return Equation(actual, again, None)

    return rule


def _without(shape: tuple[int, ...], axis: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    place = len(shape) + axis
    return shape[:place] + shape[place + 1 :], (*shape[:place], 1, *shape[place + 1 :])
