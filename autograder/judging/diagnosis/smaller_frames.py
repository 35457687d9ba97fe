"""Makes a small data frame of the form of a given one: few rows, short texts, counted numbers.

It has the columns of the given one, their dtypes, and a missing value where there were some.
Labels, names, categories and time zones are kept only where public inputs have them. Not covered:
columns of intervals, periods, or values of several types; dtypes that say more than their kind.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence
from typing import Protocol

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.checks.frame_values import PER_SECOND, is_default, missing, plain
from autograder.wire.values import Array, DataColumn, DataFrame, Items, Label, Value

MOST_TEXTS = 3  # different ones in a column
_DAY = 86_400
_FIRST_DAY = 19_723 * _DAY  # 2024-01-01, in seconds
_ELSEWHERE = 19_737 * _DAY  # 2024-01-15, with days far apart: months begin between them
_APART = 20
_ZONED = ("datetime64[{0}, {1}]", "Datetime(time_unit='{0}', time_zone='{1}')")  # unit, zone
_DTYPE = re.compile(  # that says nothing but its kind and size
    r"(u?int\d\d?|float\d\d|double|bool|(large_)?string)(\[pyarrow\])?"
    r"|complex\d{2,3}|U?Int\d{1,3}|Float\d\d|boolean|str|object|category|range|date"
    r"|(datetime|timedelta)64\[(s|ms|us|ns)\]|Boolean|String|Date|Categorical|Null"
    r"|Datetime\(time_unit='(ms|us|ns)', time_zone=None\)|Duration\(time_unit='(ms|us|ns)'\)"
)


class Maker(Protocol):
    """What makes the other parts of a small call."""

    def length(self, old: int) -> int:
        """The small length for one of the given call."""

    def words(self, text: str) -> str:
        """A text without the words that students do not have."""

    def numbers(self, old: Array, shape: tuple[int, ...]) -> Plain:
        """As many small numbers in place of these."""

    def label(self, old: float) -> float:
        """A number that is a label, if students have it; otherwise the next small one."""

    def places(self, count: int, bound: int) -> Plain:
        """As many places below a bound; some fillings repeat them."""

    @property
    def plain(self) -> bool:
        """Whether this is the plainest filling."""

    @property
    def known(self) -> Container[str]:
        """The words and ``marks`` that students have."""

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
        index = tuple(_counted(level, rows, maker) for level in frame.index)
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
            values = (first + places * step * _DAY) * PER_SECOND[old.unit]
        case "duration":
            values = (1 + places) * 3600 * PER_SECOND[old.unit]
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
    name, (dtype, zone) = _label(old.name, maker), _dtype(old, maker)
    return DataColumn(old.kind, dtype, held, kept, name=name, unit=old.unit, zone=zone)


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
    if missing(old).any() and (rows > 1 or not few):
        codes[-1 if few else 0 :] = -1
    maker.cells.update(levels[:few])
    texts = [maker.words(level) if isinstance(level, str) else level for level in levels[:few]]
    if categories is None and len(set(texts)) < few:
        raise NoSmallFrameError
    return DataColumn(
        old.kind,
        _dtype(old, maker)[0],
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


def _counted(level: DataColumn, rows: int, maker: Maker) -> DataColumn:
    held = Array("int64", (rows,), np.arange(rows).tobytes(), "ndarray")
    return DataColumn("number", _dtype(level, maker)[0], held)


def _renamed(level: DataColumn, maker: Maker) -> DataColumn:
    """Labels of columns, or categories: as many as there were, without hidden words and numbers."""
    held, texts = level.values, tuple(maker.words(str(text)) for text in level.levels)
    name, dtype = _label(level.name, maker), _dtype(level, maker)[0]
    if level.kind not in ("number", "text") or len(set(texts)) < len(texts):
        raise NoSmallFrameError
    if level.kind == "number" and not is_default([level]):
        held, dtype = _relabelled(held, maker), "int64" if dtype == "range" else dtype
    return DataColumn(level.kind, dtype, held, level.missing, levels=texts, name=name)


def _relabelled(old: Array, maker: Maker) -> Array:
    """Other labels, equal where these are and in the same order where none is known."""
    every, places = np.unique(plain(old), return_inverse=True)
    if every.dtype.kind not in "iuf":
        raise NoSmallFrameError
    made = np.array([maker.label(label) for label in every.tolist()]).astype(every.dtype)
    if len(np.unique(made)) < len(every):
        raise NoSmallFrameError
    return Array(old.dtype, old.shape, made[places].tobytes(), "ndarray")


def _label(name: Label, maker: Maker) -> Label:
    if isinstance(name, str):
        return maker.words(name)
    if isinstance(name, Items):
        raise NoSmallFrameError
    return name if name is None else maker.label(name)


def _dtype(old: DataColumn, maker: Maker) -> tuple[str, str]:
    """The dtype and the time zone, which is UTC if students do not have it."""
    # A hidden input's time zone is not shown.
    zone = old.zone and (old.zone if mark(old.zone) in maker.known else "UTC")
    for form in _ZONED if old.zone else ():
        if old.dtype == form.format(old.unit, old.zone):
            return form.format(old.unit, zone), zone
    # A dtype with a text of a hidden input is not shown.
    if not (_DTYPE.fullmatch(old.dtype) or mark(old.dtype) in maker.known):
        raise NoSmallFrameError
    return old.dtype, zone


def _little(column: DataColumn) -> np.dtype[np.generic]:
    return np.dtype(column.values.dtype).newbyteorder("<")


def texts_of(value: DataFrame | DataColumn) -> list[Value]:
    """What of a frame is text: cells, labels and names."""
    if isinstance(value, DataFrame):
        return [t for part in (*value.columns, *value.header, *value.index) for t in texts_of(part)]
    inner = [] if value.categories is None else texts_of(value.categories)
    return [*value.levels, value.name, *inner]


def marks_of(frame: DataFrame) -> Iterator[str]:
    """What of a public frame may be shown besides its texts: dtypes, time zones, names, numeric
    labels and categories."""
    columns = (*frame.columns, *frame.index, *frame.header)
    categories = [column.categories for column in columns if column.categories is not None]
    for part in (*columns, *categories):
        yield from map(mark, (part.dtype, part.zone, part.name))
    for labels in (*frame.header, *categories):
        yield from map(mark, plain(labels.values).tolist() if labels.kind == "number" else ())


def mark(value: Label) -> str:
    """How a public value is remembered: 3.0 like 3, and no text like a word."""
    return repr(int(value) if isinstance(value, float) and value.is_integer() else value)
