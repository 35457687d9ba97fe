"""Rows, columns or entries of a batch that are shifted, missing, repeated or zero."""

from __future__ import annotations

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.diagnosis.numbers import far
from autograder.judging.diagnosis.transforms.change import (
    Axis,
    ComparedPair,
    Equation,
    Rule,
    untouched,
)


def shifted(axis: Axis, by: int) -> Rule:
    """Entry p holds what belongs in entry p + by; those at the end may hold anything. One so short
    that most of its entries are at the end shows nothing."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        if actual.shape != expected.shape:
            return None
        size = abs(by)
        late, early = axis.cut(expected, size, None), axis.cut(expected, None, -size)
        if by > 0:
            mine, wanted, other = axis.cut(actual, None, -size), late, early
        else:
            mine, wanted, other = axis.cut(actual, size, None), early, late
        return Equation(mine, wanted, other if axis.length(expected) > 2 * size else wanted)

    return rule


def shifted_with_zeros(axis: Axis, by: int) -> Rule:
    """Entry p holds what belongs in entry p + by, and those at the end are zero."""

    def rule(pair: ComparedPair) -> Equation | None:
        expected = pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        size = abs(by)
        gap = np.zeros_like(axis.cut(expected, None, size))
        left = axis.cut(expected, size, None) if by > 0 else axis.cut(expected, None, -size)
        both = (left, gap) if by > 0 else (gap, left)
        return Equation(pair.actual, np.concatenate(both, axis.of(expected)), expected)

    return rule


def cut_short(axis: Axis, *, at_end: bool, by: int | None = None) -> Rule:
    """The last or the first entries missing: so many, or some, and two or more are left."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        if actual.ndim != expected.ndim:
            return None
        left, length = axis.length(actual), axis.length(expected)
        if not 2 <= left < length or (by is not None and left != length - by):
            return None
        wanted = axis.cut(expected, None, left) if at_end else axis.cut(expected, -left, None)
        return Equation(actual, wanted, None)

    return rule


def too_many(axis: Axis, *, at_end: bool) -> Rule:
    """The right entries and more of them behind or in front."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        if actual.ndim != expected.ndim:
            return None
        length = axis.length(expected)
        if not 2 <= length < axis.length(actual):
            return None
        mine = axis.cut(actual, None, length) if at_end else axis.cut(actual, -length, None)
        return Equation(mine, expected, None)

    return rule


def one_doubled(axis: Axis, *, at_end: bool) -> Rule:
    """The last or the first entry twice."""

    def rule(pair: ComparedPair) -> Equation | None:
        expected = pair.expected
        if expected.ndim < axis.least or not axis.length(expected):
            return untouched(pair)
        if at_end:
            both = (expected, axis.cut(expected, -1, None))
        else:
            both = (axis.cut(expected, None, 1), expected)
        return Equation(pair.actual, np.concatenate(both, axis.of(expected)), None)

    return rule


def twice(axis: Axis, *, together: bool) -> Rule:
    """Each entry twice in a row, or all of them once more."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least or not axis.length(expected):
            return untouched(pair)
        length = axis.length(expected)
        if actual.ndim != expected.ndim or axis.length(actual) != 2 * length:
            return None
        places = np.arange(2 * length) // 2 if together else np.arange(2 * length) % length
        return Equation(actual, np.take(expected, places, axis.of(expected)), None)

    return rule


def only(axis: Axis, place: int) -> Rule:
    """One entry (0 or -1) alone, with its axis or without."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        entry = axis.cut(expected, place, None if place else 1)
        if not entry.size:
            return untouched(pair)
        if actual.shape not in (entry.shape, np.squeeze(entry, axis.of(expected)).shape):
            return None
        alone = axis.length(expected) == 1
        return Equation(actual.reshape(entry.shape), entry, entry if alone else None)

    return rule


def everywhere(axis: Axis, place: int) -> Rule:
    """One entry (0 or -1) in the place of all."""

    def rule(pair: ComparedPair) -> Equation | None:
        expected = pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        entry = axis.cut(expected, place, None if place else 1)
        if not entry.size:
            return untouched(pair)
        return Equation(pair.actual, np.broadcast_to(entry, expected.shape), expected)

    return rule


def repeated_after(axis: Axis, *, from_start: bool) -> Rule:
    """Right in the first entries, two or more; then these once more, or the last of them."""

    def rule(pair: ComparedPair) -> Equation | None:
        expected = pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        if pair.actual.shape != expected.shape:
            return None
        wrong = _any_in_entry(far(pair.actual, expected, pair.bounds), axis)
        if not wrong.any():
            return untouched(pair)
        right = int(wrong.argmax())
        if right < 2:
            return None
        every = np.arange(wrong.size)
        places = every % right if from_start else np.minimum(every, right - 1)
        return Equation(pair.actual, np.take(expected, places, axis.of(expected)), expected)

    return rule


def zero(axis: Axis, *, after_first: bool = False) -> Rule:
    """Some entries are zero, or all from one on, and the others right."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        if actual.shape != expected.shape:
            return None
        empty = ~_any_in_entry(actual != 0, axis)
        if after_first:
            left = int(np.flatnonzero(~empty).max(initial=-1)) + 1
            empty = np.arange(empty.size) >= left
        mask = _along(empty, axis, expected)
        single = expected.ndim == 1  # there, negative numbers may be what is missing
        other = np.maximum(expected, np.zeros_like(expected)) if single else expected
        return Equation(actual, np.where(mask, np.zeros_like(expected), expected), other)

    return rule


def not_zero(axis: Axis) -> Rule:
    """Entries that should be zero are not; the others are right, and show that."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if expected.ndim < axis.least:
            return untouched(pair)
        if actual.shape != expected.shape:
            return None
        empty = ~_any_in_entry(expected != 0, axis)
        if 2 * int(empty.sum()) > empty.size:
            return None
        mask = _along(empty, axis, expected)
        return Equation(actual, np.where(mask, actual, expected), expected)

    return rule


def _any_in_entry(mask: Plain, axis: Axis) -> Plain:
    """For each entry along the axis, whether any of its numbers is marked."""
    own = axis.of(mask) % mask.ndim
    return np.asarray(mask.any(axis=tuple(other for other in range(mask.ndim) if other != own)))


def _along(entries: Plain, axis: Axis, like: Plain) -> Plain:
    """Marks of entries in a shape that broadcasts over a result."""
    return entries.reshape(-1, *(1,) * (-axis.of(like) - 1))
