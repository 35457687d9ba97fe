"""Compares sparse matrices by what is not zero, with each other and with dense ones.

Nothing is ever made dense that was not sent dense. Not covered: whether a zero is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from autograder.assignment.kinds import Tolerance
from autograder.judging.checks.arrays import (
    EXACT,
    Plain,
    default_bounds,
    measure,
    numeric,
    stated_bounds,
)
from autograder.judging.checks.explain import describe, numbers_text, shape_text
from autograder.judging.checks.frame_values import plain
from autograder.judging.verdict import Kind, Numbers
from autograder.wire.values import Sparse, Value


class _Filled(NamedTuple):
    """What is not zero: row times width plus column of each, sorted, and its number."""

    dtype: str
    shape: tuple[int, ...]
    at: Plain
    numbers: Plain


def sparse_differences(
    actual: Value, expected: Value, tolerance: Tolerance | None, *, whole: bool = False
) -> Iterator[tuple[Kind, str, str, Numbers | None]]:
    """The kind, both texts and the numbers of each difference. ``whole``: integers exactly."""
    have, want = _filled(actual), _filled(expected)
    if have is None or want is None:
        yield "type", describe(expected), describe(actual), None
        return
    if have.shape != want.shape:
        yield "shape", shape_text(want.shape), shape_text(have.shape), None
        return
    if (have.dtype == "bool") != (want.dtype == "bool"):
        yield "type", f"a matrix of {_words(want)}", f"a matrix of {_words(have)}", None
        return
    either = np.union1d(have.at, want.at)
    one, other = _spread(have, either), _spread(want, either)
    bounds = (
        default_bounds(have.dtype, want.dtype)
        if tolerance is None
        else stated_bounds(tolerance, want.shape)
    )
    if whole and np.dtype(want.dtype).kind in "biu":
        bounds = EXACT
    found = measure(one, other, bounds)
    if found is None:
        return
    first = found.at[0]
    texts = numbers_text(other[first].item(), one[first].item())
    place = tuple(int(n) for n in divmod(int(either[first]), max(want.shape[1], 1)))
    yield (
        "value",
        *texts,
        Numbers(found.wrong, found.total, found.non_finite, found.max_abs, found.max_rel, place),
    )


def _filled(value: Value) -> _Filled | None:
    """The places and numbers that are not zero; None for what is no matrix of numbers."""
    if isinstance(value, Sparse):
        rows, columns = plain(value.rows), plain(value.columns)
        return _sorted(
            value.numbers.dtype, value.shape, rows * value.shape[1] + columns, plain(value.numbers)
        )
    found = numeric(value)
    if found is None or len(found.shape) != 2:
        return None
    at = np.flatnonzero(found.numbers)
    return _Filled(found.dtype, found.shape, at, found.numbers.reshape(-1)[at])


def _words(filled: _Filled) -> str:
    return "booleans" if filled.dtype == "bool" else "numbers"


def _sorted(dtype: str, shape: tuple[int, ...], at: Plain, numbers: Plain) -> _Filled:
    """A place that a claim names twice holds the sum."""
    places, inverse = np.unique(at, return_inverse=True)
    total = np.zeros(len(places), np.result_type(numbers.dtype, np.float64))
    if numbers.dtype.kind in "biu":
        total = np.zeros(len(places), np.int64)
    with np.errstate(all="ignore"):
        np.add.at(total, inverse, numbers)
    return _Filled(dtype, shape, places, total)


def _spread(filled: _Filled, either: Plain) -> Plain:
    found = np.zeros(len(either), filled.numbers.dtype)
    found[np.searchsorted(either, filled.at)] = filled.numbers
    return found
