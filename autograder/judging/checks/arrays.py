"""Measures how far one array of numbers is from another, in float64 or exactly.

Covered: NaN, infinities, integers beyond 2**53, dtypes that NumPy lacks, false sizes.
Not covered: shapes that differ; the caller compares shapes first, and nothing broadcasts.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from autograder.assignment.kinds import Tolerance
from autograder.judging.verdict import Numbers
from autograder.wire.values import ITEMSIZE, Array, Complex, Items, Value

Plain = NDArray[Any]
LARGEST = float(np.finfo(np.float64).max)
TIE = 1e-5  # relative amount by which differences may vary with the processor


class Bounds(NamedTuple):
    """Accept when ``|actual - expected| <= atol + rtol * |expected|``."""

    rtol: float
    atol: float


EXACT = Bounds(0.0, 0.0)
TRAINED = Bounds(rtol=2e-3, atol=2e-3)  # training amplifies rounding
# The defaults of torch.testing.assert_close; a dtype that is not listed is compared exactly.
_DEFAULTS = {
    "float16": Bounds(1e-3, 1e-5),
    "bfloat16": Bounds(1.6e-2, 1e-5),
    "float32": Bounds(1.3e-6, 1e-5),
    "float64": Bounds(1e-7, 1e-7),
    "complex64": Bounds(1.3e-6, 1e-5),
    "complex128": Bounds(1e-7, 1e-7),
}
_HALF = ("float16", "bfloat16")


def default_bounds(actual: str, expected: str) -> Bounds:
    """The usual tolerance for two dtypes: the larger rtol and the larger atol if they differ.

    Half precision in the result alone is no excuse: it counts as float32.
    """
    # Half precision that the reference has not.
    if actual in _HALF and expected not in _HALF:
        actual = "float32"
    one, other = _DEFAULTS.get(actual, EXACT), _DEFAULTS.get(expected, EXACT)
    return Bounds(max(one.rtol, other.rtol), max(one.atol, other.atol))


def stated_bounds(tolerance: Tolerance, shape: tuple[int, ...]) -> Bounds:
    """A stated tolerance for a result of this shape, which may grow with its rows.

    Rows are the next-to-last axis, or the only axis of a vector; a single number has none.
    """
    rows = shape[-2:][0] if shape else 0
    return Bounds(tolerance.rtol, tolerance.atol + rows * tolerance.atol_per_row)


class Numeric(NamedTuple):
    """Numbers of any container. ``numbers`` is in a dtype of NumPy that holds them exactly."""

    dtype: str
    shape: tuple[int, ...]
    numbers: Plain


def numeric(value: Value) -> Numeric | None:
    """The numbers of an array, a number, or equally long nested lists; else None.

    Booleans are kept as dtype "bool"; a list that mixes them with numbers is neither.
    """
    if isinstance(value, Array):
        return _array(value)
    if isinstance(value, bool):
        return _numeric(np.asarray(value))
    if isinstance(value, int | float | Complex):
        found = _listed([value])
        return found._replace(shape=(), numbers=found.numbers.reshape(())) if found else None
    if isinstance(value, Items) and value.kind != "set":
        return _items(value)
    return None


def measure(actual: Plain, expected: Plain, bounds: Bounds) -> Numbers | None:
    """Differences between two arrays of one shape; None when all elements are within bounds.

    Integers are compared as integers, all else in float64 or complex128. NaN equals only NaN, an
    infinity only the same infinity. ``at`` is the largest finite difference among the wrong
    elements (the first of several that differ only by rounding), or the first wrong element if none
    is finite.
    """
    with np.errstate(all="ignore"):
        error, ok = _apart(actual, expected, bounds)
        return None if ok.all() else _numbers(error, ok, expected)


def agree(actual: Plain, expected: Plain, bounds: Bounds) -> Plain:
    """Which elements of two arrays of one shape are equal, as ``measure`` has it."""
    with np.errstate(all="ignore"):
        return _apart(actual, expected, bounds)[1]


def _apart(actual: Plain, expected: Plain, bounds: Bounds) -> tuple[Plain, Plain]:
    whole = actual.dtype.kind in "biu" and expected.dtype.kind in "biu"
    return _exact(actual, expected, bounds) if whole else _close(actual, expected, bounds)


def stored(array: Array) -> Plain:
    """The numbers of an array whose size is right, as they are stored: bfloat16 as 16 bits."""
    kind = "<u2" if array.dtype == "bfloat16" else np.dtype(array.dtype).newbyteorder("<")
    return np.frombuffer(array.data, kind).reshape(array.shape)


def _array(array: Array) -> Numeric | None:
    if math.prod(array.shape) * ITEMSIZE.get(array.dtype, -1) != len(array.data):
        return None
    try:
        numbers = stored(array)
        if array.dtype == "bfloat16":  # the upper half of a float32
            numbers = (numbers.astype("<u4") << 16).view("<f4")
        return Numeric(array.dtype, array.shape, numbers)
    except ValueError:  # no elements, but axes too long for NumPy
        return None


def _items(items: Items) -> Numeric | None:
    if all(type(item) in (int, float) for item in items.items):
        return _listed(list(items.items))
    if len({item.shape for item in items.items if isinstance(item, Array)}) > 1:
        return None  # before any of them is decoded
    parts = [numeric(item) for item in items.items]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts) or len({part.shape for part in known}) != 1:
        return None
    if len({part.dtype == "bool" for part in known}) != 1:
        return None
    stacked = np.stack([part.numbers for part in known])
    dtypes = {part.dtype for part in known}
    return _numeric(stacked)._replace(dtype=dtypes.pop()) if len(dtypes) == 1 else _numeric(stacked)


def _listed(values: list[Any]) -> Numeric | None:
    """Plain numbers as one array of them; None when an integer is beyond 64 bits."""
    try:
        if all(type(value) is int for value in values):
            return _numeric(np.array(values, dtype=np.int64))
        if any(isinstance(value, Complex) for value in values):
            values = [complex(v.real, v.imag) if isinstance(v, Complex) else v for v in values]
            return _numeric(np.array(values, dtype=np.complex128))
        return _numeric(np.array(values, dtype=np.float64))
    except OverflowError:
        return None


def _numeric(array: Plain) -> Numeric:
    return Numeric(array.dtype.name, tuple(array.shape), array)


def _exact(actual: Plain, expected: Plain, bounds: Bounds) -> tuple[Plain, Plain]:
    ok = np.asarray(actual.astype(np.int64) == expected.astype(np.int64))
    error = np.abs(actual.astype(np.float64) - expected.astype(np.float64))
    if bounds != EXACT:
        ok |= error <= bounds.atol + bounds.rtol * np.abs(expected.astype(np.float64))
    return error, ok


def _close(actual: Plain, expected: Plain, bounds: Bounds) -> tuple[Plain, Plain]:
    both = "c" in (actual.dtype.kind, expected.dtype.kind)
    wide = np.complex128 if both else np.float64
    a, e = actual.astype(wide), expected.astype(wide)
    error = np.asarray(np.abs(a - e))
    allowed = np.abs(e)
    allowed *= bounds.rtol
    allowed += bounds.atol
    ok = np.asarray(error <= allowed)
    ok &= np.isfinite(error)  # an infinite reference allows no finite value
    if not ok.all():
        ok |= _same(a.real, e.real) & _same(a.imag, e.imag) if both else _same(a, e)
    return error, ok


def _same(actual: Plain, expected: Plain) -> Plain:
    """Equal, including infinities of one sign, or NaN in both."""
    return np.asarray((actual == expected) | (np.isnan(actual) & np.isnan(expected)))


def _numbers(error: Plain, ok: Plain, expected: Plain) -> Numbers:
    finite = ~ok & np.isfinite(error)
    size = np.abs(expected.astype(np.complex128))
    relative = np.where(finite & (size > 0), error / np.where(size > 0, size, 1.0), 0.0)
    errors = np.where(finite, error, -1.0)
    # The same place is quoted on every processor.
    largest = errors >= (1 - TIE) * errors.max() if finite.any() else ~ok
    worst = int(largest.argmax())
    wrong = int((~ok).sum())
    return Numbers(
        wrong=wrong,
        total=int(ok.size),
        non_finite=wrong - int(finite.sum()),
        max_abs=float(np.where(finite, error, 0.0).max()),
        max_rel=min(float(relative.max()), LARGEST),
        at=tuple(int(i) for i in np.unravel_index(worst, ok.shape)),
    )


def usual_bounds(
    stated: Tolerance | None, actual: str, expected: str, shape: tuple[int, ...]
) -> Bounds:
    """The differences that a check with this tolerance, if it states one, accepts between two
    dtypes, in a result of this shape.

    Two narrow dtypes may differ by their own rounding even if the check, made for the right dtype,
    allows less.
    """
    usual = default_bounds(actual, expected)
    if stated is None:
        return EXACT if "float" not in expected and "complex" not in expected else usual
    grown = stated_bounds(stated, shape)
    if actual == expected and actual in ("float16", "bfloat16"):
        return Bounds(max(grown.rtol, usual.rtol), max(grown.atol, usual.atol))
    return grown
