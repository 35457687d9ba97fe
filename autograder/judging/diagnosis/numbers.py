"""Whether numbers are equal within bounds; fast if they clearly are not."""

from __future__ import annotations

import numpy as np

from autograder.judging.checks.arrays import Bounds, Plain, measure

GLANCED = 64  # numbers of an array that are compared before all of them


def equal(actual: Plain, wanted: Plain, bounds: Bounds) -> bool:
    """Equal within bounds, place by place; both have the same number of elements."""
    one, other = actual.reshape(-1), wanted.reshape(-1)
    step = max(1, one.size // GLANCED) | 1  # odd, so that it reaches every column
    if apart(one[::step], other[::step], bounds):
        return False
    return measure(one, other, bounds) is None


def apart(wanted: Plain, other: Plain, bounds: Bounds) -> int:
    """How many numbers differ clearly, by more than twice the bounds, in the order of memory."""
    with np.errstate(all="ignore"):
        one, two = wide(wanted).reshape(-1), wide(other).reshape(-1)
        return int((np.abs(one - two) > 2 * (bounds.atol + bounds.rtol * np.abs(two))).sum())


def wide(array: Plain) -> Plain:
    """The numbers converted to float64, or to complex128."""
    with np.errstate(all="ignore"):  # a signalling NaN
        return array.astype(np.complex128 if array.dtype.kind == "c" else np.float64)
