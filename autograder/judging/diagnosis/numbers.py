"""Whether numbers are equal within bounds; fast if they clearly are not."""

from __future__ import annotations

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain, measure

GLANCED = 64  # numbers of an array that are compared before all of them


def equal(actual: Plain, wanted: Plain, bounds: Bounds) -> bool:
    """Equal within bounds, place by place; both have the same number of elements."""
    step = max(1, actual.size // GLANCED) | 1  # odd, so that it reaches every column
    if apart(actual.flat[::step], wanted.flat[::step], bounds):  # of a view, without a copy
        return False
    return measure(actual.reshape(-1), wanted.reshape(-1), bounds) is None


def apart(wanted: Plain, other: Plain, bounds: Bounds) -> int:
    """How many numbers differ clearly, in the order of memory."""
    return int(far(wanted.reshape(-1), other.reshape(-1), bounds).sum())


def far(wanted: Plain, other: Plain, bounds: Bounds) -> Plain:
    """Which numbers differ clearly, by more than twice the bounds."""
    with np.errstate(all="ignore"):
        one, two = _wide(wanted), _wide(other)
        return np.asarray(np.abs(one - two) > 2 * (bounds.atol + bounds.rtol * np.abs(two)))


def wide(array: Plain) -> Plain:
    """The numbers converted to float64, or to complex128."""
    with np.errstate(all="ignore"):  # a signalling NaN
        return _wide(array)


def _wide(array: Plain) -> Plain:
    return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64, copy=False)
