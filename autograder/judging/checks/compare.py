"""Compares two wire values and returns every mismatch as data; raises for none of them.

Numbers decide, not containers: a tensor, a NumPy array, nested lists and a plain number are equal
if their numbers and shape are. Booleans equal only booleans.

Covered: NaN, infinities, shapes that would broadcast, dtypes, nesting, hostile claims.
Not covered: the contents of a value without a plain shape (``Opaque``); it equals nothing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
import numpy as np

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.arrays import (
    EXACT,
    LARGEST,
    Bounds,
    Numeric,
    default_bounds,
    measure,
    numeric,
    stated_bounds,
)
from autograder.judging.checks.explain import describe, numbers_text, shape_text, texts_apart
from autograder.judging.checks.frame_lists import is_missing, one_column, plain_value
from autograder.judging.checks.frame_values import counts_index
from autograder.judging.checks.frames import frame_differences
from autograder.judging.checks.sparse import sparse_differences
from autograder.judging.verdict import Kind, Mismatch, Numbers
from autograder.wire.values import (
    Array,
    Complex,
    ConstructedObject,
    DataFrame,
    Figure,
    Items,
    Mapping,
    Module,
    Opaque,
    Sparse,
    Value,
    Whole,
)

MAX_MISMATCHES = 20
MAX_KEY = 200  # characters of a key that are shown


class Rules(NamedTuple):
    """What counts as equal.

    ``tolerance``: None means the usual one of the dtypes. ``dtype``: "any" compares only numbers.
    ``number``: one number, of any type except bool and text. ``leading_ones``: leading axes of
    length 1 may be added or missing. ``whole``: the reference's integers are compared exactly,
    whatever the tolerance. ``frame``: of data frames.
    """

    tolerance: Tolerance | None = None
    dtype: str = "any"
    number: bool = False
    leading_ones: bool = False
    whole: bool = False
    frame: FrameRules = FrameRules()


USUAL = Rules()


class ValuePath(NamedTuple):
    """The place that is being compared: the value's name and the path into it."""

    where: str
    path: tuple[str | int, ...] = ()

    def into(self, part: str | int) -> ValuePath:
        return ValuePath(self.where, (*self.path, part))

    def mismatch(
        self, kind: Kind, expected: str, actual: str, numbers: Numbers | None = None
    ) -> Mismatch:
        return Mismatch(self.where, kind, expected, actual, self.path, numbers)


def compare(
    actual: Value, expected: Value, *, where: str, rules: Rules = USUAL
) -> tuple[Mismatch, ...]:
    """The differences of two values, at most ``MAX_MISMATCHES``; empty if they are equal."""
    walk = _one_number if rules.number else _walk
    return tuple(itertools.islice(walk(actual, expected, ValuePath(where), rules), MAX_MISMATCHES))


def comparable(value: Value) -> bool:
    """Whether a reference's value has a plain shape all the way down."""
    if isinstance(value, Items):
        return all(map(comparable, value.items))
    if isinstance(value, Mapping):
        return all(comparable(k) and comparable(v) for k, v in value.items)
    return not isinstance(value, Opaque | Module | Figure | ConstructedObject)


def as_number(value: Value) -> int | float | complex | None:
    """A number of any type, or an array of one number; None for booleans and text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, Whole):
        return int(value.text)
    if isinstance(value, Complex):
        return complex(value.real, value.imag)
    found = numeric(value) if isinstance(value, Array) else None
    if found is None or found.dtype == "bool" or found.numbers.size != 1:
        return None
    number: int | float | complex = found.numbers.reshape(()).item()
    return number


def same_shape(actual: tuple[int, ...], expected: tuple[int, ...], *, leading_ones: bool) -> bool:
    """Equal shapes, or equal but for leading axes of length 1. Nothing broadcasts."""
    if leading_ones:
        return _without_ones(actual) == _without_ones(expected)
    return actual == expected


def _walk(actual: Value, expected: Value, place: ValuePath, rules: Rules) -> Iterator[Mismatch]:
    if isinstance(actual, DataFrame | Sparse) or isinstance(expected, DataFrame | Sparse):
        yield from _tables(actual, expected, place, rules)
    elif isinstance(expected, Mapping):
        yield from _mappings(actual, expected, place, rules)
    elif isinstance(expected, Items) and expected.kind == "set":
        yield from _sets(actual, expected, place)
    elif isinstance(expected, Items) and isinstance(actual, Items) and actual.kind != "set":
        yield from _items(actual, expected, place, rules)
    elif isinstance(expected, bool | int | float | Whole | Complex | Array | Items):
        yield from _numeric(actual, expected, place, rules)
    elif type(actual) is not type(expected) or not comparable(expected):
        yield place.mismatch("type", describe(expected), describe(actual))
    elif isinstance(actual, str) and isinstance(expected, str) and actual != expected:
        first, second = texts_apart(expected, actual)
        yield place.mismatch("value", f"the text {first}", f"the text {second}")
    elif actual != expected:
        yield place.mismatch("value", describe(expected), describe(actual))


def _tables(actual: Value, expected: Value, place: ValuePath, rules: Rules) -> Iterator[Mismatch]:
    """Data frames and sparse matrices; or one of them and plain values, if these say it all."""
    if is_missing(actual) and is_missing(expected):
        return
    if isinstance(actual, DataFrame) and isinstance(expected, DataFrame):
        yield from _frames(actual, expected, place, rules.frame, rules.tolerance)
    elif isinstance(actual, Sparse) or isinstance(expected, Sparse):
        yield from _other_dtype(actual, expected, place, rules)
        for one in sparse_differences(actual, expected, rules.tolerance, whole=rules.whole):
            yield place.mismatch(*one)
    elif isinstance(expected, DataFrame):
        if expected.form == "frame" or counts_index(expected, rules.frame):
            yield place.mismatch("type", describe(expected), describe(actual))
        else:
            yield from _columns_or_numbers(actual, expected, place, rules, rules.frame)
    else:
        stated = numeric(expected) is not None and (
            rules.whole or (rules.dtype != "any" and isinstance(expected, Array))
        )
        of_plain = rules.frame.model_copy(update={"dtype": "any", "names": False})
        yield from _columns_or_numbers(actual, expected, place, rules, None if stated else of_plain)


def _columns_or_numbers(
    actual: Value, expected: Value, place: ValuePath, rules: Rules, frame: FrameRules | None
) -> Iterator[Mismatch]:
    """Both as one column each, by the rules ``frame`` if there are any; else as arrays."""
    one, other = (one_column(value) for value in (actual, expected))
    if frame is not None and one is not None and other is not None:
        yield from _frames(one, other, place, frame, rules.tolerance)
        return
    values = [plain_value(v) if isinstance(v, DataFrame) else v for v in (actual, expected)]
    if any(numeric(value) is None for value in values):
        yield place.mismatch("type", describe(expected), describe(actual))
    else:
        yield from _walk(values[0], values[1], place, rules)


def _frames(
    actual: DataFrame,
    expected: DataFrame,
    place: ValuePath,
    rules: FrameRules,
    tolerance: Tolerance | None,
) -> Iterator[Mismatch]:
    for one in frame_differences(actual, expected, rules, tolerance):
        inner = place.into(one.where) if one.where else place
        yield inner.mismatch(one.kind, one.expected, one.actual)


def _mappings(
    actual: Value, expected: Mapping, place: ValuePath, rules: Rules
) -> Iterator[Mismatch]:
    if not isinstance(actual, Mapping):
        yield place.mismatch("type", describe(expected), describe(actual))
        return
    have = {_unchosen(key): (key, value) for key, value in actual.items}
    want = {_unchosen(key): (key, value) for key, value in expected.items}
    for same, (key, value) in want.items():
        if same in have:
            yield from _walk(have[same][1], value, place.into(_key(key)), rules)
        else:
            yield place.into(_key(key)).mismatch("missing", describe(value), "nothing")
    for same, (key, value) in have.items():
        if same not in want:
            yield place.into(_key(key)).mismatch("unexpected", "nothing", describe(value))


def _sets(actual: Value, expected: Items, place: ValuePath) -> Iterator[Mismatch]:
    if not isinstance(actual, Items) or actual.kind != "set":
        yield place.mismatch("type", describe(expected), describe(actual))
        return
    have, want = set(map(_unchosen, actual.items)), set(map(_unchosen, expected.items))
    for value in expected.items:
        if _unchosen(value) not in have:
            yield place.mismatch("missing", describe(value), "nothing")
    for value in actual.items:
        if _unchosen(value) not in want:
            yield place.mismatch("unexpected", "nothing", describe(value))


def _items(actual: Items, expected: Items, place: ValuePath, rules: Rules) -> Iterator[Mismatch]:
    """Lists of plain numbers count as arrays, so that their difference is measured as one."""
    if not _holds_arrays(expected):
        have, want = numeric(actual), numeric(expected)
        if have is not None and want is not None:
            yield from _arrays(have, want, place, rules)
            return
    if len(actual.items) != len(expected.items):
        yield place.mismatch("shape", f"[{len(expected.items)}]", f"[{len(actual.items)}]")
        return
    for index, (one, other) in enumerate(zip(actual.items, expected.items, strict=True)):
        yield from _walk(one, other, place.into(index), rules)


def _other_dtype(
    actual: Value, expected: Value, place: ValuePath, rules: Rules
) -> Iterator[Mismatch]:
    if isinstance(expected, Array) and rules.dtype != "any":
        held = actual.numbers if isinstance(actual, Sparse) else actual
        found = held.dtype if isinstance(held, Array) else describe(held)
        if found != rules.dtype:
            yield place.mismatch("dtype", rules.dtype, found)


def _numeric(actual: Value, expected: Value, place: ValuePath, rules: Rules) -> Iterator[Mismatch]:
    yield from _other_dtype(actual, expected, place, rules)
    if _same_bytes(actual, expected):
        return
    have, want = numeric(actual), numeric(expected)
    if have is None or want is None:
        yield from _one_number(actual, expected, place, rules)  # beyond 64 bits, or none at all
    else:
        yield from _arrays(have, want, place, rules)


def _same_bytes(actual: Value, expected: Value) -> bool:
    """Two arrays with nothing to measure; NaN is then where the reference has it."""
    if not isinstance(actual, Array) or not isinstance(expected, Array):
        return False
    same = actual.dtype == expected.dtype and actual.shape == expected.shape
    return same and actual.data == expected.data


def _arrays(have: Numeric, want: Numeric, place: ValuePath, rules: Rules) -> Iterator[Mismatch]:
    if have.dtype != want.dtype and "bool" in (have.dtype, want.dtype):
        yield place.mismatch("type", _kind(want), _kind(have))
        return
    if not same_shape(have.shape, want.shape, leading_ones=rules.leading_ones):
        yield place.mismatch("shape", shape_text(want.shape), shape_text(have.shape))
        return
    actual = have.numbers.reshape(want.shape)
    bounds = _bounds(rules, have.dtype, want.dtype, want.shape)
    if rules.whole and want.numbers.dtype.kind in "biu":
        bounds = EXACT
    found = measure(actual, want.numbers, bounds)
    if found is not None:
        texts = numbers_text(want.numbers[found.at].item(), actual[found.at].item())
        yield place.mismatch("value", *texts, found)


def _one_number(
    actual: Value, expected: Value, place: ValuePath, rules: Rules
) -> Iterator[Mismatch]:
    """Integers exactly, however large; an integer reference allows nothing by default."""
    have, want = as_number(actual), as_number(expected)
    if have is None or want is None:
        kind = "a number" if rules.number else describe(expected)
        yield place.mismatch("type", kind, describe(actual))
        return
    if (rules.tolerance is None or rules.whole) and isinstance(want, int):
        bounds = EXACT
    else:
        bounds = _bounds(rules, _dtype(actual), _dtype(expected), ())
    found = measure(_wide(have), _wide(want), bounds)
    whole = [number for number in (have, want) if isinstance(number, int)]
    exact = whole and (bounds == EXACT or max(map(abs, whole)) > LARGEST)
    if have != want and found is None and exact:  # equal only after rounding
        found = Numbers(1, 1, 0, 1.0, 0.0, ())
    if found is not None:
        yield place.mismatch("value", *numbers_text(want, have), found)


def _kind(found: Numeric) -> str:
    return "true or false (bool)" if found.dtype == "bool" else "a number or numbers"


def _bounds(rules: Rules, actual: str, expected: str, shape: tuple[int, ...]) -> Bounds:
    if rules.tolerance is not None:
        return stated_bounds(rules.tolerance, shape)
    return default_bounds(actual, expected)


def _dtype(value: Value) -> str:
    return value.dtype if isinstance(value, Array) else "float64"


def _wide(number: complex) -> Any:
    """A number as a 0-d array; an integer beyond float64 becomes its largest value."""
    try:
        return np.asarray(complex(number))
    except OverflowError:
        return np.asarray(LARGEST if number.real > 0 else -LARGEST)


def _holds_arrays(items: Items) -> bool:
    return any(
        isinstance(item, Array) or (isinstance(item, Items) and _holds_arrays(item))
        for item in items.items
    )


def _without_ones(shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(itertools.dropwhile(lambda length: length == 1, shape))


def _key(key: Value) -> str | int:
    """A key as it appears in a path: short, and never a boolean, which no path contains."""
    if isinstance(key, str):
        return key[:MAX_KEY]
    return key if type(key) is int else describe(key)


def _unchosen(key: Value) -> str:
    """A text for each key, equal for equal keys, whose hash a submission cannot choose.

    Python's hashes of numbers are known: (-1, -2) and (-2, -1) share one, and with a hundred
    thousand such keys a dictionary takes hours.
    """
    if isinstance(key, float) and key.is_integer():
        key = int(key)
    if key is None or isinstance(key, str | int | float):
        return repr(key)
    if isinstance(key, Items):
        return f"{key.kind}({', '.join(map(_unchosen, key.items))})"
    return msgspec.msgpack.encode(key).decode("latin-1")
