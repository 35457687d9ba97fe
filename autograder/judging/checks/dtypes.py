"""Holds the dtypes of a result against the reference's, and says what usually makes them differ.

Covered: tensors and NumPy arrays in lists, tuples and dictionaries; a result that is no tensor
any more. Not covered: integers and truth values, of which numbers decide, not dtypes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from autograder.judging.checks.explain import describe
from autograder.judging.checks.finding import Finding
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.values import ITEMSIZE, Array, Complex, Items, Mapping, Value

HALF = {"float16": 2048, "bfloat16": 256}  # up to which all whole numbers are exact
_CLASH = ("same dtype", "expected scalar type", "dtypes match")  # what torch says of mixed dtypes
_LACKS = ("only supported for", "Half, Float or Double", "not supported")
_WIDENED = (
    "Where {0} meets a float32 table, the result becomes float32. Usual causes: a table that "
    "stays in float32 (a plain attribute; a buffer follows `.to()`), `torch.arange(...).float()`, "
    "or a `.float()` that is not taken back. Convert with `.to(x.dtype)`."
)
_NARROWED = "Look for `.float()` or `dtype=torch.float32`: they narrow float64."
_NO_TENSOR = "`.item()`, `.tolist()`, `float(...)` and `.numpy()` lose the dtype: keep to tensors."
_TOO_LARGE = (
    "float16 ends at 65504: what is larger becomes infinite. Do that step in float32 and convert "
    "the result back."
)
_COUNTED = (
    "Whole numbers are exact only up to {1} in {0}: make positions and angles, and add up long "
    "sums, in float32, and convert the result."
)
_CAST = (
    "Under autocast a matrix product is computed in {0}, where whole numbers are exact only up to "
    "{1}: multiply positions and frequencies (`positions[:, None] * frequencies`) without `@`."
)
_FOREIGN = "torch has no such step in {0}: do it on `x.float()`, then go back with `.to(x.dtype)`."
_MIXED = "Something stays in another dtype than what it meets: convert it with `.to(x.dtype)`."


class OtherDtype(NamedTuple):
    """One tensor of a result in another dtype than the reference's; ``path`` leads to it."""

    path: tuple[str | int, ...]
    expected: str
    actual: str


def dtypes(
    actual: Value, expected: Value, path: tuple[str | int, ...] = ()
) -> Iterator[OtherDtype]:
    """Every floating or complex tensor of the reference that is another dtype in the result."""
    if isinstance(expected, Array):
        if "float" in expected.dtype or "complex" in expected.dtype:
            found = actual.dtype if isinstance(actual, Array) else _plain(actual)
            if found != expected.dtype:
                yield OtherDtype(path, expected.dtype, found)
    elif isinstance(expected, Items) and isinstance(actual, Items):
        pairs = zip(actual.items, expected.items, strict=False)
        for index, (one, other) in enumerate(pairs):
            # guard: precision: dtypes inside of lists
            yield from dtypes(one, other, (*path, index))
    elif isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for key, other in expected.items:
            step = key if type(key) in (str, int) else describe(key)
            for same, one in actual.items:
                if same == key:  # guard: precision: dtypes inside of dictionaries
                    yield from dtypes(one, other, (*path, step))  # type: ignore[arg-type]
                    break


def cause_of(found: Finding, dtype: str, *, autocast: bool) -> str:
    """The usual causes of a wrong call in this dtype, for a student; "" where none is usual."""
    if found.status is Status.RAISED:
        if any(words in found.message for words in _LACKS):
            return _FOREIGN.format(dtype)
        return _MIXED if any(words in found.message for words in _CLASH) else ""
    if found.status is not Status.FAILED or not found.mismatches:
        return ""
    first = found.mismatches[0]
    if first.kind == "dtype":
        return _of_dtype(first, dtype)
    if first.numbers is None or dtype not in HALF:
        return ""
    if first.numbers.non_finite and dtype == "float16":
        return _TOO_LARGE
    return (_CAST if autocast else _COUNTED).format(dtype, HALF[dtype])


def _of_dtype(mismatch: Mismatch, dtype: str) -> str:
    if mismatch.actual not in ITEMSIZE:
        return _NO_TENSOR
    if dtype in HALF and mismatch.actual in ("float32", "float64"):
        return _WIDENED.format(dtype)
    return _NARROWED if dtype == "float64" and mismatch.actual == "float32" else ""


def _plain(value: Value) -> str:
    return "a plain number" if isinstance(value, int | float | Complex) else describe(value)
