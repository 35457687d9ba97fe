"""Compares the dtypes of a result with the reference's, and names usual causes of a difference.

Covered: tensors and NumPy arrays in lists, tuples and dictionaries; a result that is no longer a
tensor. Not covered: integers and booleans, which are judged by value, not by dtype.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from autograder.judging.checks.explain import describe
from autograder.judging.checks.finding import Finding
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.values import ITEMSIZE, Array, Complex, Items, Mapping, Value

HALF = {"float16": 2048, "bfloat16": 256}  # up to which all integers are exact
_CLASH = (
    "same dtype",
    "expected scalar type",
    "dtypes match",
)  # in torch's errors about mixed dtypes
_LACKS = ("only supported for", "Half, Float or Double", "not supported")
_WIDENED = (
    "Combining {0} with a float32 table gives a float32 result. Usual causes: a table that stays "
    "in float32 (a plain attribute does; a buffer follows `.to()`), `torch.arange(...).float()`, "
    "or a `.float()` that is not undone. Convert with `.to(x.dtype)`."
)
_NARROWED = "Look for `.float()` or `dtype=torch.float32`, which turn float64 into float32."
_NO_TENSOR = "`.item()`, `.tolist()`, `float(...)` and `.numpy()` lose the dtype: use tensors only."
_TOO_LARGE = (
    "The largest float16 number is 65504; anything larger becomes infinite. Do that step in "
    "float32 and convert the result back."
)
_COUNTED = (
    "In {0}, integers are exact only up to {1}: compute positions, angles and long sums in "
    "float32 and convert the result."
)
_CAST = (
    "Under autocast, matrix products are computed in {0}, where integers are exact only up to "
    "{1}: use `positions[:, None] * frequencies` instead of `@` for positions and frequencies."
)
_FOREIGN = (
    "torch does not support this operation in {0}: apply it to `x.float()` and convert back with "
    "`.to(x.dtype)`."
)
_MIXED = "Tensors with different dtypes are combined: convert them with `.to(x.dtype)`."


class OtherDtype(NamedTuple):
    """A tensor of a result whose dtype differs from the reference's; ``path`` leads to it."""

    path: tuple[str | int, ...]
    expected: str
    actual: str


def dtypes(
    actual: Value, expected: Value, path: tuple[str | int, ...] = ()
) -> Iterator[OtherDtype]:
    """Every floating or complex tensor whose dtype in the result is not the reference's."""
    if isinstance(expected, Array):
        if "float" in expected.dtype or "complex" in expected.dtype:
            found = actual.dtype if isinstance(actual, Array) else _plain(actual)
            if found != expected.dtype:
                yield OtherDtype(path, expected.dtype, found)
    elif isinstance(expected, Items) and isinstance(actual, Items):
        pairs = zip(actual.items, expected.items, strict=False)
        for index, (one, other) in enumerate(pairs):
            yield from dtypes(one, other, (*path, index))
    elif isinstance(expected, Mapping) and isinstance(actual, Mapping):
        for key, other in expected.items:
            step = key if type(key) in (str, int) else describe(key)
            for same, one in actual.items:
                if same == key:
                    yield from dtypes(one, other, (*path, step))  # type: ignore[arg-type]
                    break


def cause_of(found: Finding, dtype: str, *, autocast: bool) -> str:
    """The usual causes of a wrong call in this dtype, for a student; "" where none is known."""
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
