"""Makes a small data frame of the form of a given one: few rows, short texts, counted numbers.

It has the columns of the given one, their dtypes, and a missing value where there were some. Not
covered: columns of intervals, periods, or values of several types.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from typing import Protocol

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.checks.frame_values import is_default, missing, plain
from autograder.wire.values import Array, DataColumn, DataFrame, Items, Label, Value

MOST_TEXTS = 3  # different ones in a column
_DAY = 86_400
_FIRST_DAY = 19_723 * _DAY  # 2024-01-01, in seconds
_ELSEWHERE = 19_737 * _DAY  # 2024-01-15, with days far apart: months begin between them
_APART = 20
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


class Maker(Protocol):
    """What makes the other parts of a small call."""

    def length(self, old: int) -> int:
        """The small length for one of the given call."""

    def words(self, text: str) -> str:
        """A text without the words that students do not have."""

    def numbers(self, old: Array, shape: tuple[int, ...]) -> Plain:
        """As many small numbers in place of these."""

    def places(self, count: int, bound: int) -> Plain:
        """As many places below a bound; some fillings repeat them."""

    @property
    def plain(self) -> bool:
        """Whether this is the plainest filling."""

    @property
    def distinct(self) -> Container[DataColumn]:
        """Columns in which no value repeats, as of a key."""

    @property
    def cells(self) -> set[Value]:
        """The texts in the cells made so far: tables that are joined have some in common."""


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
    different = different or old in maker.distinct
    places = np.arange(rows) if different else maker.places(rows, rows)
    match old.kind:
        case "number" if not different:
            values = _numbers(old.values, rows, maker)
        case "number":
            values = places.astype(old.values.dtype)
        case "bool":
            values = places % 2 == 0
        case "time":
            first, step = (_FIRST_DAY, 1) if maker.plain else (_ELSEWHERE, _APART)
            values = (first + places * step * _DAY) * _PER_SECOND[old.unit]
        case "duration":
            values = (1 + places) * 3600 * _PER_SECOND[old.unit]
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


def _numbers(old: Array, rows: int, maker: Maker) -> Plain:
    """Numbers; whole ones that repeat are no zeros: a table's are mostly quantities."""
    found = maker.numbers(old, (rows,))
    return found if maker.plain or not old.dtype.startswith(("int", "uint")) else found + 1


def _texts(old: DataColumn, rows: int, maker: Maker, *, different: bool) -> DataColumn:
    categories = None if old.categories is None else _renamed(old.categories, maker)
    levels = sorted(old.levels, key=lambda level: level not in maker.cells)
    known = len(levels) if categories is None else categories.length
    few = min(known, rows if different else MOST_TEXTS)
    if different and few < rows:
        raise NoSmallFrameError
    codes = np.arange(rows) if different else maker.places(rows, max(few, 1))
    codes = codes.astype("<i4")
    if not few or (missing(old).any() and rows > 1):
        codes[-1:] = -1
    maker.cells.update(levels[:few])
    texts = [maker.words(level) if isinstance(level, str) else level for level in levels[:few]]
    if categories is None and len(set(texts)) < few:
        raise NoSmallFrameError
    return DataColumn(
        old.kind,
        old.dtype,
        Array("int32", (rows,), codes.tobytes(), "ndarray"),
        levels=tuple(texts),
        name=_label(old.name, maker),
        categories=categories,
        ordered=old.ordered,
    )


def distinct_columns(calls: Iterable[Sequence[Value]]) -> frozenset[DataColumn]:
    """The columns of the first call's tables in which no call of this form repeats a value, as in a
    key. Fractions are no keys."""
    columns: dict[tuple[int, int], list[DataColumn]] = {}
    for args in calls:
        for at, table in enumerate(args):
            for place, column in enumerate(table.columns if isinstance(table, DataFrame) else ()):
                columns.setdefault((at, place), []).append(column)
    return frozenset(own[0] for own in columns.values() if _are_keys(own))


def _are_keys(columns: Sequence[DataColumn]) -> bool:
    held = [plain(column.values) for column in columns]
    if held[0].dtype.kind not in "iu" or max(map(len, held)) < 2:
        return False
    return all(len(np.unique(values)) == len(values) for values in held)


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
