"""Makes a small data frame of the form of a given one: few rows, short texts, counted numbers.

It has the columns of the given one, their dtypes, and a missing value where there were some. Not
covered: columns of intervals, periods, or values of several types.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.checks.frame_values import is_default, missing
from autograder.wire.values import Array, DataColumn, DataFrame, Items, Label, Value

MOST_TEXTS = 3  # different ones in a column
_DAY = 86_400
_FIRST_DAY = 19_723 * _DAY  # 2024-01-01, in seconds
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class Maker(Protocol):
    """What makes the other parts of a small call."""

    def length(self, old: int) -> int:
        """The small length for one of the given call."""

    def words(self, text: str) -> str:
        """A text without the words that students do not have."""

    def numbers(self, old: Array, shape: tuple[int, ...]) -> Plain:
        """As many small numbers in place of these."""


class NoSmallFrameError(Exception):
    """A column of a kind that is not made small."""


def small_frame(frame: DataFrame, maker: Maker) -> DataFrame:
    """The small form of a data frame. Raises ``NoSmallFrameError``."""
    if frame.form not in ("frame", "series"):
        raise NoSmallFrameError
    rows = maker.length(frame.rows)
    columns = tuple(_column(column, rows, maker) for column in frame.columns)
    if is_default(frame.index):
        index = tuple(_counted(level, rows) for level in frame.index)
    else:
        index = tuple(_column(level, rows, maker, different=True) for level in frame.index)
    header = tuple(_renamed(level, maker) for level in frame.header)
    return DataFrame(frame.form, columns, header, index, frame.library)


def _column(old: DataColumn, rows: int, maker: Maker, *, different: bool = False) -> DataColumn:
    """``different``: no value repeats, as in labels of rows."""
    match old.kind:
        case "number" if not different:
            values = maker.numbers(old.values, (rows,))
        case "number":
            values = np.arange(rows).astype(old.values.dtype)
        case "bool":
            values = np.arange(rows) % 2 == 0
        case "time":
            values = (_FIRST_DAY + np.arange(rows) * _DAY) * _PER_SECOND[old.unit]
        case "duration":
            values = (1 + np.arange(rows)) * 3600 * _PER_SECOND[old.unit]
        case "text" | "category":
            return _texts(old, rows, maker, different=different)
        case _:
            raise NoSmallFrameError
    absent = np.zeros(rows, bool)
    if missing(old).any() and rows > 1:
        absent[-1] = True
    if values.dtype.kind == "f":
        values = np.where(absent, np.nan, values)
    held = Array(old.values.dtype, (rows,), values.astype(_little(old)).tobytes(), "ndarray")
    mask = Array("bool", (rows,), absent.tobytes(), "ndarray")
    kept = mask if absent.any() and (old.missing is not None) else None
    return DataColumn(
        old.kind, old.dtype, held, kept, name=_label(old.name, maker), unit=old.unit, zone=old.zone
    )


def _texts(old: DataColumn, rows: int, maker: Maker, *, different: bool) -> DataColumn:
    categories = None if old.categories is None else _renamed(old.categories, maker)
    known = len(old.levels) if categories is None else categories.length
    few = min(known, rows if different else MOST_TEXTS)
    if different and few < rows:
        raise NoSmallFrameError
    codes = np.arange(rows, dtype="<i4") % max(few, 1)
    if not few or (missing(old).any() and rows > 1):
        codes[-1:] = -1
    levels = tuple(maker.words(level) if isinstance(level, str) else level for level in old.levels)
    if categories is None and len(set(levels[:few])) < few:
        raise NoSmallFrameError
    return DataColumn(
        old.kind,
        old.dtype,
        Array("int32", (rows,), codes.tobytes(), "ndarray"),
        levels=levels[:few],
        name=_label(old.name, maker),
        categories=categories,
        ordered=old.ordered,
    )


def _counted(level: DataColumn, rows: int) -> DataColumn:
    held = Array("int64", (rows,), np.arange(rows).tobytes(), "ndarray")
    return DataColumn("number", level.dtype, held)


def _renamed(level: DataColumn, maker: Maker) -> DataColumn:
    """Labels of columns, or categories: as many as there were, without hidden words."""
    if level.kind == "number":
        return level
    if level.kind != "text" or not all(isinstance(text, str) for text in level.levels):
        raise NoSmallFrameError
    texts = tuple(maker.words(str(text)) for text in level.levels)
    if len(set(texts)) < len(texts):
        raise NoSmallFrameError
    return DataColumn(
        "text", level.dtype, level.values, levels=texts, name=_label(level.name, maker)
    )


def _label(name: Label, maker: Maker) -> Label:
    if isinstance(name, str):
        return maker.words(name)
    if isinstance(name, Items):
        raise NoSmallFrameError
    return name


def _little(column: DataColumn) -> np.dtype[np.generic]:
    return np.dtype(column.values.dtype).newbyteorder("<")


def texts_of(value: DataFrame | DataColumn) -> list[Value]:
    """What of a frame is text: cells, labels and names."""
    if isinstance(value, DataFrame):
        return [t for part in (*value.columns, *value.header, *value.index) for t in texts_of(part)]
    inner = [] if value.categories is None else texts_of(value.categories)
    return [*value.levels, value.name, *inner]
