"""The values of a data frame's columns in forms that can be compared: numbers, and exact keys.

Covered: columns that say the same in another form (categories, int32, objects of text), missing
values of every kind, times of different units, hostile claims. Nothing of pandas is used. Not
covered: intervals and periods beyond their text.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple, TypeGuard

import msgspec
import numpy as np

from autograder.assignment.kinds import FrameRules
from autograder.judging.checks.arrays import Bounds, Plain, agree
from autograder.wire.values import Array, DataColumn, DataFrame, Value, Whole

HALF = 0.4  # by which a result may miss a whole number: it is still the nearest
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9, "": 1}
_UTC = frozenset(("utc", "etc/utc", "gmt", "etc/gmt", "utc+00:00", "+00:00", "zulu", "tzutc()"))


class ColumnValues(NamedTuple):
    """One column for comparison: of each value its ``number`` (0 if it has none) and its ``key``,
    which is compared exactly (0 if it has none); ``missing`` ones have neither.

    ``rests``: 0 for a number that rounding may have changed; else one more than a key for what a
    whole number has beyond float64, so 1 for most values.
    """

    missing: Plain
    numbers: Plain
    keys: Plain
    rests: Plain

    def taken(self, rows: Plain) -> ColumnValues:
        """The values of some rows."""
        return ColumnValues(*(part[rows] for part in self))


def family(column: DataColumn) -> str:
    """What a column holds; "" if that does not show: it is empty, or all is missing."""
    plain = without_categories(column)
    return "" if missing(plain).all() else plain.kind


def same_zone(one: DataColumn, other: DataColumn) -> bool:
    """Whether times are in one zone, or both in none."""
    zones = (_zone(without_categories(one).zone), _zone(without_categories(other).zone))
    return zones[0] == zones[1]


def without_categories(column: DataColumn) -> DataColumn:
    """A categorical column as one of its categories' kind."""
    held = column.categories
    if held is None:
        return column
    codes = plain(column.values)
    absent = codes < 0
    if held.length == 0:
        empty = Array("int32", (column.length,), np.full(column.length, -1, "<i4").tobytes())
        return DataColumn("text", column.dtype, empty, name=column.name)
    picked = plain(held.values)[np.where(absent, 0, codes)]
    if held.missing is not None:
        absent = absent | plain(held.missing)[np.where(absent, 0, codes)]
    if held.kind not in ("number", "bool", "time", "duration"):
        picked = np.where(absent, -1, picked).astype("<i4")
        return like(held, column, picked, None)
    return like(held, column, picked, absent if absent.any() else None)


def missing(column: DataColumn) -> Plain:
    """Where values are missing, [n]."""
    values = plain(column.values)
    if column.kind not in ("number", "bool", "time", "duration"):
        return np.asarray(values < 0)
    absent = np.zeros(values.shape, bool) if column.missing is None else plain(column.missing)
    return np.asarray(absent | np.isnan(values)) if values.dtype.kind in "fc" else absent


def pair(
    actual: DataColumn, expected: DataColumn, *, exact: bool = True
) -> tuple[ColumnValues, ColumnValues]:
    """Two columns of one family with keys that are equal for equal values. ``exact``: a whole
    number that is expected must be the nearest one."""
    columns = (without_categories(actual), without_categories(expected))
    known: dict[Hashable, int] = {}
    mixed = any(column.kind == "mixed" for column in columns)
    ours, theirs = _values(columns[0], known, mixed), _values(columns[1], known, mixed)
    return ours, theirs if exact else theirs._replace(rests=np.zeros_like(theirs.rests))


def equal(actual: ColumnValues, expected: ColumnValues, bounds: Bounds) -> Plain:
    """Where two columns of one length are equal, [n]: missing values equal missing ones only."""
    close = agree(actual.numbers, expected.numbers, bounds)
    same = close & (actual.keys == expected.keys) & ~actual.missing & ~expected.missing
    # A whole number is not nearly another.
    if expected.rests.any() and actual.numbers.dtype.kind not in "biu":
        same &= (expected.rests == 0) | _nearest(actual.numbers, expected.numbers)
    same &= (actual.rests == expected.rests) | (actual.rests == 0) | (expected.rests == 0)
    return np.asarray(same | (actual.missing & expected.missing))


def places(actual: ColumnValues, expected: ColumnValues, bounds: Bounds) -> tuple[Plain, Plain]:
    """For each value of either column a small number, the same for values that are equal.

    Numbers that are within ``bounds`` of each other get the same one, also along a chain.
    """
    absent = np.concatenate([actual.missing, expected.missing])
    numbers = np.concatenate([actual.numbers, expected.numbers])
    keys = np.concatenate([actual.keys, expected.keys])
    rests = np.concatenate([actual.rests, expected.rests])
    if rests.all() and (rests > 1).any():  # with a rounded number, equal values may differ in them
        both = keys * (int(rests.max()) + 1) + rests
        keys = np.unique(both, return_inverse=True)[1]
    parts = np.unique(keys, return_inverse=True)[1] * (len(keys) + 1) + _clusters(numbers, bounds)
    found = np.where(absent, 0, 1 + np.unique(parts, return_inverse=True)[1])
    return found[: len(actual.keys)], found[len(actual.keys) :]


def is_default(index: Sequence[DataColumn]) -> bool:
    """Whether row labels are 0, 1, 2, ... without a name: those that nobody chose."""
    if not index:
        return True
    first = index[0]
    if len(index) > 1 or first.name is not None or first.kind != "number" or first.missing:
        return False
    values = plain(first.values)
    return values.dtype.kind == "i" and bool((values == np.arange(len(values))).all())


def counts_index(expected: DataFrame, rules: FrameRules) -> bool:
    """Whether row labels are compared."""
    if not expected.index:
        return False
    return not is_default(expected.index) if rules.index is None else rules.index


def plain(array: Array) -> Plain:
    """The numbers of an array whose size was checked."""
    values = np.frombuffer(array.data, np.dtype(array.dtype).newbyteorder("<"))
    return values.reshape(array.shape)


def _values(column: DataColumn, known: dict[Hashable, int], mixed: bool) -> ColumnValues:
    absent = missing(column)
    held = plain(column.values)
    zeros = np.zeros(held.shape, np.int64)
    if column.kind == "number":
        numbers = np.where(absent, held.dtype.type(0), held)
        if mixed and held.dtype.kind in "iu":
            used, at = np.unique(numbers, return_inverse=True)
            return _of_levels(used.tolist(), at, absent, known)
        keys = zeros + _key(known, "number") if mixed else zeros
        return ColumnValues(absent, numbers, keys, zeros + (held.dtype.kind in "iu"))
    if column.kind == "bool":
        codes = np.array([_key(known, False), _key(known, True)], np.int64)
        return ColumnValues(absent, zeros, codes[held.astype(np.int64)], zeros + 1)
    if column.kind in ("time", "duration"):
        whole = np.where(absent, 0, held)
        per = PER_SECOND[column.unit]
        # seconds are compared as numbers, exactly, and what is left of them as a key
        return ColumnValues(absent, whole // per, whole % per * (10**9 // per), zeros + 1)
    used, at = np.unique(held, return_inverse=True)  # a claim may have millions that are not
    levels = [None if code < 0 else column.levels[code] for code in used.tolist()]
    return _of_levels(levels, at, absent, known)


def _of_levels(
    levels: Iterable[Value], at: Plain, absent: Plain, known: dict[Hashable, int]
) -> ColumnValues:
    """Values that are different ones ``at`` their places; numbers are only in mixed columns."""
    keys, numbers, rests = [], [], []
    for level in levels:
        if is_number(level):
            keys.append(_key(known, "number"))
            numbers.append(as_float(level))
            rests.append(_rest(level, known))
            continue
        rests.append(1)
        if level is None:
            keys.append(0)
            numbers.append(0.0)
        else:
            keys.append(_key(known, level if isinstance(level, bool) else ("text", level)))
            numbers.append(0.0)
    parts = (np.array(numbers, np.float64), *(np.array(n, np.int64) for n in (keys, rests)))
    return ColumnValues(absent, *(part[at] for part in parts))


def _rest(number: float | Whole, known: dict[Hashable, int]) -> int:
    if isinstance(number, float):
        return 0
    whole, rounded = _unwrapped(number), as_float(number)
    rest = whole - int(rounded) if np.isfinite(rounded) else whole
    return 1 + _key(known, rest) if rest else 1


def _nearest(actual: Plain, expected: Plain) -> Plain:
    """Where an expected whole number is the nearest one, or what the actual dtype makes of it."""
    with np.errstate(all="ignore"):
        error = np.abs(actual.astype(np.complex128) - expected)
        return np.asarray((error <= HALF) | (actual == expected.astype(actual.dtype)))


def _key(known: dict[Hashable, int], value: Hashable) -> int:
    return known.setdefault((type(value), value), len(known) + 1)


def is_number(level: Value) -> TypeGuard[int | float | Whole]:
    """Whether a value of a mixed column is a number."""
    return isinstance(level, int | float | Whole) and not isinstance(level, bool)


def as_float(level: float | Whole) -> float:
    """A number of a mixed column; beyond all floats an infinity."""
    try:
        return float(_unwrapped(level))
    except OverflowError:
        return float("inf") if _unwrapped(level) > 0 else float("-inf")


def _unwrapped(level: float | Whole) -> float:
    return int(level.text) if isinstance(level, Whole) else level


def _clusters(numbers: Plain, bounds: Bounds) -> Plain:
    """Small numbers for groups of values that are within bounds of their neighbours."""
    if numbers.dtype.kind in "biu" and not any(bounds):
        return np.unique(numbers, return_inverse=True)[1]
    if numbers.dtype.kind == "c":
        size = np.abs(numbers[np.isfinite(numbers)]).max(initial=0)
        both = Bounds(0.0, bounds.atol + bounds.rtol * float(size))
        real, imaginary = _clusters(numbers.real, both), _clusters(numbers.imag, both)
        return np.unique(real * (len(numbers) + 1) + imaginary, return_inverse=True)[1]
    wide = numbers.astype(np.float64)
    order = np.argsort(wide, kind="stable")
    ordered = wide[order]
    size = np.abs(ordered)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.diff(ordered) > bounds.atol + bounds.rtol * np.maximum(size[1:], size[:-1])
    found = np.zeros(len(wide), np.int64)
    found[order[1:]] = np.cumsum(apart)
    return found


def like(held: DataColumn, column: DataColumn, values: Plain, absent: Plain | None) -> DataColumn:
    """A column like ``held`` with other values and the name of ``column``."""
    return msgspec.structs.replace(
        held,
        values=Array(held.values.dtype, values.shape, values.tobytes(), "ndarray"),
        missing=None if absent is None else Array("bool", absent.shape, absent.tobytes()),
        name=column.name,
    )


def _zone(zone: str) -> str:
    return "UTC" if zone.lower() in _UTC else zone
