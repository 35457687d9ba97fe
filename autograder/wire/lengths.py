"""Refuses data frames whose parts contradict each other: lengths, codes, kinds, places.

What typed decoding and the check of each array accept is looked at here, once per frame. Not
covered: whether the values are true.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import Literal

from autograder.wire.values import Array, DataColumn, DataFrame, Items, Sparse, Value, Whole

MAX_NAME = 1000  # characters of a dtype or a zone
MOST_COLUMNS, MOST_LEVELS = 100_000, 100  # of a frame, and of the labels on its axes
MAX_LABEL, MAX_LABELS = 10_000, 10_000_000  # characters: of one label, of all those of columns
MAX_SIDE, MAX_PLACES = 2**40, 2**62  # of a sparse matrix: a place fits 64 bits


def inspect_table(value: DataColumn | DataFrame | Sparse) -> None:
    """Raises ``ValueError`` for a part that does not fit the others; arrays match their shapes."""
    if isinstance(value, DataColumn):
        _column(value)
    elif isinstance(value, DataFrame):
        _frame(value)
    else:
        _sparse(value)


def long_labels(header: Sequence[DataColumn]) -> bool:
    """Whether labels of columns are too long. On the wire a text that many columns share is there
    once, but it is written for each of them."""
    sizes = [_characters(level) for level in header]
    longest = max((size for one in sizes for size in one), default=0)
    return longest > MAX_LABEL or sum(map(sum, sizes)) > MAX_LABELS


def fits_name(name: Value) -> bool:
    """Whether it is a name of a column or an index: a short one, or a tuple of at most
    ``MOST_LEVELS`` parts in all."""
    parts = list(_parts(name))
    return len(parts) <= MOST_LEVELS + 1 and all(
        isinstance(part, Items | bool | int | float | None)
        or (isinstance(part, str) and len(part) <= MAX_LABEL)
        for part in parts
    )


def _parts(name: Value) -> Iterator[Value]:
    yield name
    if isinstance(name, Items):
        for part in name.items:
            yield from _parts(part)


def _characters(level: DataColumn) -> list[int]:
    """Of each label the number of characters, if it is a text or a large number."""
    if level.categories is not None:
        known = _characters(level.categories)
    elif level.values.dtype == "int32" and level.kind != "number":
        texts = (text.text if isinstance(text, Whole) else text for text in level.levels)
        known = [len(text) if isinstance(text, str) else 0 for text in texts]
    else:
        return [0] * level.length
    codes = memoryview(level.values.data).cast("i")
    return list(map([*known, 0].__getitem__, codes))  # -1 is a missing one


def _frame(frame: DataFrame) -> None:
    parts = (*frame.columns, *frame.index)
    if len(frame.columns) > MOST_COLUMNS or len(frame.header) + len(frame.index) > MOST_LEVELS:
        raise ValueError("too many columns")
    if len({part.length for part in parts}) > 1:
        raise ValueError("columns of different lengths")
    if any(level.length != len(frame.columns) for level in frame.header):
        raise ValueError("more or fewer labels than columns")
    if long_labels(frame.header):
        raise ValueError("labels of columns that are too long")
    single = frame.form in ("series", "array", "value")
    if (
        (single and len(frame.columns) != 1)
        or (frame.form == "value" and frame.rows != 1)
        or (frame.form == "frame") != bool(frame.header)
        or (frame.form in ("index", "array", "value") and frame.index)
        or (frame.form == "index" and not frame.columns)
    ):
        raise ValueError("a frame of no known form")


def _column(column: DataColumn) -> None:
    values, missing = column.values, column.missing
    if len(values.shape) != 1 or max(len(column.dtype), len(column.zone)) > MAX_NAME:
        raise ValueError("a bad column")
    if not fits_name(column.name):
        raise ValueError("a name that is too long")
    if missing is not None and (missing.dtype != "bool" or missing.shape != values.shape):
        raise ValueError("bad missing values")
    coded = column.kind not in ("number", "bool", "time", "duration")
    if coded:
        fits = values.dtype == "int32"
    elif column.kind == "number":
        fits = values.dtype not in ("bool", "bfloat16")
    else:
        fits = values.dtype == ("bool" if column.kind == "bool" else "int64")
    timed = column.kind in ("time", "duration")
    if not fits or timed != bool(column.unit):
        raise ValueError("a column of another dtype than its kind")
    if coded:
        _codes(column)


def _codes(column: DataColumn) -> None:
    if (column.kind == "category") != (column.categories is not None):
        raise ValueError("categories of a column without any")
    known = len(column.levels)
    if column.categories is not None:
        if column.categories.kind == "category":
            raise ValueError("categories of categories")
        known = column.categories.length
    elif column.kind != "mixed" and not all(type(level) is str for level in column.levels):
        raise ValueError("a text that is none")
    if not _within(column.values, "i", -1, known):
        raise ValueError("a code without a value")


def _sparse(matrix: Sparse) -> None:
    high, wide = matrix.shape
    if not (0 <= high <= MAX_SIDE and 0 <= wide <= MAX_SIDE and high * wide <= MAX_PLACES):
        raise ValueError("bad shape of a sparse matrix")
    axes = (matrix.rows, matrix.columns)
    if any(axis.dtype != "int64" or len(axis.shape) != 1 for axis in axes):
        raise ValueError("bad places of a sparse matrix")
    if len({axis.shape for axis in (*axes, matrix.numbers)}) != 1 or not (
        _within(matrix.rows, "q", 0, high) and _within(matrix.columns, "q", 0, wide)
    ):
        raise ValueError("a place outside a sparse matrix")
    if matrix.numbers.dtype == "bfloat16":
        raise ValueError("bad numbers of a sparse matrix")


def _within(places: Array, kind: Literal["i", "q"], least: int, end: int) -> bool:
    """Whether all integers, of four or eight bytes, are from ``least`` up to below ``end``. Without
    NumPy, which commands that only decode results would have to wait for."""
    assert sys.byteorder == "little"
    held = memoryview(places.data).cast(kind)
    return not len(held) or (min(held) >= least and max(held) < end)
