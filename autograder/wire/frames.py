"""Data frames of pandas and polars, sparse matrices and times as wire values.

Covered: subclasses, which are read as their library's own class; columns of objects, which are
refused by the name of column and type. Not covered: whether what a library's object says about
itself is true; inside the sandbox that is a claim like any other.
"""

from __future__ import annotations

import datetime
import sys
from typing import Any

import msgspec
import numpy as np

from autograder.wire.columns import (
    NoPlainFormError,
    array,
    column_of,
    listed,
    objects,
    text_of,
    times,
)
from autograder.wire.lengths import MOST_COLUMNS, long_labels
from autograder.wire.values import DataColumn, DataFrame, Opaque, Sparse

LIBRARIES = ("pandas", "polars", "scipy")
_FORMATS = ("coo", "csr", "csc", "bsr", "dia", "dok", "lil")


def frame_to_wire(value: Any) -> DataFrame | Sparse | Opaque | None:
    """A data frame, its parts, a sparse matrix or a time; ``Opaque`` if it holds what does not
    cross the border; None for any other value. No library is imported for this."""
    try:
        if isinstance(value, datetime.date | datetime.timedelta):
            return _value(value)
        name = library_of(value)
        if not name:
            return None
        found: DataFrame | Sparse | None = _READERS[name](value, sys.modules[name])
    except _RefusedError as refused:
        return Opaque(text_of(refused.kind), text_of(refused.text))
    except Exception:  # noqa: BLE001  a student's subclass may do anything
        return None
    return found


def times_to_wire(plain: Any) -> DataFrame | None:
    """A NumPy array or scalar of times or time differences; None for other dtypes, or axes."""
    if plain.dtype.kind not in "Mm" or plain.ndim > 1:
        return None
    column = times(plain.reshape(-1), plain.dtype.name)
    return DataFrame("array" if plain.ndim else "value", (column,), library="")


def library_of(value: Any) -> str:
    """The first of our libraries that a class of the value belongs to, if it is imported."""
    for kind in type(value).__mro__:
        name = str(kind.__module__).partition(".")[0]
        if name in LIBRARIES and name in sys.modules:
            return name
    return ""


class _RefusedError(Exception):
    """A value does not cross the border; ``kind`` says what it is and why, in a few words."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(kind)
        self.kind, self.text = kind, text


def _value(value: Any) -> DataFrame:
    found = objects([value], "")
    return DataFrame("value", (found,), library="")


def _pandas(value: Any, pandas: Any) -> DataFrame | None:
    if value is pandas.NA:
        return _value(None)
    if isinstance(value, pandas.DataFrame):
        plain = value if type(value) is pandas.DataFrame else pandas.DataFrame(value)
        return _data_frame(plain, pandas)
    if isinstance(value, pandas.Series):
        plain = value if type(value) is pandas.Series else pandas.Series(value)
        column = _column(plain, "Series", "", plain.name)
        index = _levels(plain.index, pandas, "Series", " as labels")
        return DataFrame("series", (column,), index=index)
    if isinstance(value, pandas.Index):
        return DataFrame("index", _levels(value, pandas, type(value).__name__))
    if isinstance(value, pandas.api.extensions.ExtensionArray):
        return DataFrame("array", (_column(value, type(value).__name__, ""),))
    if isinstance(value, pandas.Period | pandas.Interval):
        return _value(value)
    return None


def _data_frame(plain: Any, pandas: Any) -> DataFrame:
    labels = plain.columns
    if len(labels) > MOST_COLUMNS:
        raise _RefusedError(f"DataFrame of {len(labels)} columns", "")
    header = _short(_levels(labels, pandas, "DataFrame", " as labels of columns"))
    columns = tuple(
        _column(plain.iloc[:, place], "DataFrame", f" in column {labels[place]!r}")
        for place in range(len(labels))
    )
    index = _levels(plain.index, pandas, "DataFrame", " as labels of rows")
    return DataFrame("frame", columns, header, index)


def _short(header: tuple[DataColumn, ...]) -> tuple[DataColumn, ...]:
    if long_labels(header):
        raise _RefusedError("DataFrame with labels of columns that are too long", "")
    return header


def _levels(index: Any, pandas: Any, what: str, where: str = "") -> tuple[DataColumn, ...]:
    if isinstance(index, pandas.MultiIndex):
        several = (index.get_level_values(place) for place in range(index.nlevels))
        return tuple(_column(level, what, where, level.name) for level in several)
    found = _column(index, what, where, index.name)
    if type(index) is pandas.RangeIndex:
        found = msgspec.structs.replace(found, dtype="range")
    return (found,)


def _column(values: Any, what: str, where: str, name: Any = None) -> DataColumn:
    try:
        return column_of(values, name)
    except NoPlainFormError as refused:
        raise _RefusedError(f"{what} with {refused.kind} objects{where}", str(refused)) from None


def _polars(value: Any, polars: Any) -> DataFrame | None:
    if isinstance(value, polars.DataFrame):
        header = _short((objects(list(value.columns), "str"),))
        columns = tuple(
            _column(series, "DataFrame", f" in column {series.name!r}")
            for series in value.get_columns()
        )
        return DataFrame("frame", columns, header, library="polars")
    if isinstance(value, polars.Series):
        column = _column(value, "Series", "", value.name or None)
        return DataFrame("series", (column,), library="polars")
    return None


def _scipy(value: Any, scipy: Any) -> Sparse | None:
    sparse = sys.modules.get("scipy.sparse")
    if sparse is None or not sparse.issparse(value) or len(value.shape) != 2:
        return None
    plain = sparse.coo_matrix(value)
    plain.sum_duplicates()
    rows, columns = (array(np.asarray(axis, np.int64)) for axis in (plain.row, plain.col))
    shape = (int(plain.shape[0]), int(plain.shape[1]))
    name = value.format if value.format in _FORMATS else "coo"
    container = "array" if isinstance(value, sparse.sparray) else "matrix"
    data = plain.data
    numbers = array(listed(data)) if data.dtype.kind == "u" else column_of(data).values
    return Sparse(name, shape, rows, columns, numbers, container)  # type: ignore[arg-type]


_READERS: dict[str, Any] = {"pandas": _pandas, "polars": _polars, "scipy": _scipy}
