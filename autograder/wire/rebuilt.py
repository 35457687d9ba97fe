"""Data frames and sparse matrices from their wire values: the arguments of calls.

Only what the grader itself sent is rebuilt, in the sandbox and in a student's notebook. A library
is imported here if a value needs it and never for any other reason.
"""

from __future__ import annotations

import datetime
import importlib
from typing import Any

import numpy as np

from autograder.wire.values import (
    ITEMSIZE,
    Array,
    DataColumn,
    DataFrame,
    Items,
    Label,
    Sparse,
    Whole,
)

_MASKED = {
    **{
        f"{sign}Int{bits}": f"{sign}int{bits}".lower()
        for sign in ("", "U")
        for bits in (8, 16, 32, 64)
    },
    "Float32": "float32",
    "Float64": "float64",
    "boolean": "bool",
}
_NUMPY = frozenset(ITEMSIZE) - {"bfloat16"} | {"uint16", "uint32", "uint64"}


def not_rebuilt(frame: DataFrame) -> str:
    """What of a frame cannot be an argument, in words; "" if all of it can."""
    for column in (*frame.columns, *frame.index, *frame.header):
        inner = column.categories or column
        if inner.kind == "interval":
            return "a column of intervals cannot be sent to the sandbox; send their ends as numbers"
    return ""


def rebuilt(value: DataFrame | Sparse) -> Any:
    """The object of its library. Raises ``ImportError`` if that is not installed."""
    if isinstance(value, Sparse):
        return _sparse(value)
    if value.form == "value":
        return _single(value.columns[0])
    if value.library == "polars":
        return _polars(value)
    if not value.library:
        return _moments(value.columns[0])
    return _pandas(value)


def _library(name: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError:
        first = name.partition(".")[0]
        raise ImportError(f"an argument needs {first}, which is not installed here") from None


def _pandas(value: DataFrame) -> Any:
    pandas = _library("pandas")
    if value.form == "index":
        return _index(value.columns, pandas)
    if value.form == "array":
        return _series(value.columns[0], None, pandas).array
    index = _index(value.index, pandas)
    series = [_series(c, index, pandas) for c in value.columns]
    if value.form == "series":
        return series[0].rename(_name(value.columns[0].name))
    made = pandas.DataFrame(dict(enumerate(series)), index=index)
    made.columns = _index(value.header, pandas)
    return made


def _series(column: DataColumn, index: Any, pandas: Any) -> Any:
    values = _array(column, pandas)
    return pandas.Series(values, index=index, dtype=_kept(values))


def _kept(values: Any) -> Any:
    """The dtype of objects, from which pandas would guess another one; else None."""
    return object if isinstance(values, np.ndarray) and values.dtype == object else None


def _index(levels: tuple[DataColumn, ...], pandas: Any) -> Any:
    names = [_name(level.name) for level in levels]
    if len(levels) == 1:
        level = levels[0]
        if level.dtype == "range":
            whole = _numbers(level.values)
            step = int(whole[1] - whole[0]) if len(whole) > 1 else 1
            start = int(whole[0]) if len(whole) else 0
            return pandas.RangeIndex(start, start + step * len(whole), step, name=names[0])
        values = _array(level, pandas)
        return pandas.Index(values, name=names[0], dtype=_kept(values))
    arrays = [_series(level, None, pandas) for level in levels]
    return pandas.MultiIndex.from_arrays(arrays, names=names)


def _array(column: DataColumn, pandas: Any) -> Any:
    """An array of the column's dtype for pandas."""
    dtype = column.dtype
    if column.kind == "category" and column.categories is not None:
        categories = pandas.Index(_array(column.categories, pandas))
        codes = _numbers(column.values)
        return pandas.Categorical.from_codes(codes, categories, ordered=column.ordered)
    if dtype.startswith("period["):
        return pandas.PeriodIndex(_objects(column), dtype=dtype).array
    if column.kind == "mixed" and dtype in ("uint64", "UInt64"):  # beyond int64
        whole = _objects(column)
        return np.array(whole, dtype) if dtype == "uint64" else pandas.array(whole, dtype=dtype)
    if dtype in _MASKED:
        values = _numbers(column.values).astype(_MASKED[dtype])
        return (
            pandas.array(values, dtype=dtype)
            if column.missing is None
            else _masked(values, column.missing, dtype, pandas)
        )
    if column.kind in ("number", "bool") and (dtype in _NUMPY or dtype == "range"):
        return _numbers(column.values).astype("int64" if dtype == "range" else dtype)
    if dtype.startswith(("datetime64", "timedelta64")):
        plain = _moments(column)
        if not column.zone:
            return plain
        index = pandas.DatetimeIndex(plain).tz_localize("UTC").tz_convert(column.zone)
        return index.array
    found = np.empty(column.length, object)
    found[:] = _objects(column)
    if dtype.endswith("[pyarrow]") or (column.kind == "text" and dtype == "string"):
        return pandas.array(found, dtype=dtype)
    if column.kind == "text" and dtype == "str" and pandas.__version__ >= "3":
        return pandas.Series(found, dtype=str).array
    return found


def _masked(values: Any, missing: Array, dtype: str, pandas: Any) -> Any:
    made = pandas.array(values, dtype=dtype)
    made[_numbers(missing)] = pandas.NA
    return made


def _objects(column: DataColumn) -> list[Any]:
    """The values as Python objects, None for missing ones."""
    if column.kind in ("time", "duration"):
        moments = _moments(column).tolist() if column.unit != "ns" else list(_moments(column))
        if column.dtype == "date":
            moments = [None if m is None else _as_date(m) for m in moments]
        elif column.zone:
            zone = _zone(column.zone)
            moments = [
                None if m is None else m.replace(tzinfo=datetime.UTC).astimezone(zone)
                for m in _moments(column).astype("M8[us]").tolist()
            ]
        return moments
    if column.kind in ("number", "bool"):
        return _present(_numbers(column.values).tolist(), column.missing)
    levels = [int(x.text) if isinstance(x, Whole) else x for x in column.levels]
    return [None if code < 0 else levels[code] for code in _numbers(column.values).tolist()]


def _present(values: list[Any], missing: Array | None) -> list[Any]:
    """The values, None for missing ones."""
    if missing is None:
        return values
    return [None if m else v for v, m in zip(values, _numbers(missing).tolist(), strict=True)]


def _moments(column: DataColumn) -> Any:
    code = "M" if column.kind == "time" else "m"
    plain = _numbers(column.values).view(f"{code}8[{column.unit}]").copy()
    if column.missing is not None:
        plain[_numbers(column.missing)] = "NaT"
    return plain


def _single(column: DataColumn) -> Any:
    """A time of NumPy or Python; pandas' own if it has nanoseconds."""
    if column.dtype.startswith(("datetime64", "timedelta64")):
        return _moments(column)[0]
    if column.unit == "ns":
        pandas = _library("pandas")
        moment = _moments(column)[0]
        made = pandas.Timestamp(moment) if column.kind == "time" else pandas.Timedelta(moment)
        return made.tz_localize("UTC").tz_convert(column.zone) if column.zone else made
    return _objects(column)[0]


def _polars(value: DataFrame) -> Any:
    polars = _library("polars")
    series = [_polars_series(column, polars) for column in value.columns]
    if value.form == "series":
        return series[0].alias(str(value.columns[0].name or ""))
    names = _objects(value.header[0])
    named = [one.alias(name) for one, name in zip(series, names, strict=True)]
    return polars.DataFrame(named)


def _polars_series(column: DataColumn, polars: Any) -> Any:
    if column.kind in ("time", "duration"):
        if column.dtype == "date":
            return polars.Series(_objects(column), dtype=polars.Date)
        whole = _present(_numbers(column.values).tolist(), column.missing)
        if column.kind == "time":
            dtype = polars.Datetime(column.unit, column.zone or None)
        else:
            dtype = polars.Duration(column.unit)
        return polars.Series(whole, dtype=polars.Int64).cast(dtype)
    if column.dtype.startswith("Categorical"):
        return polars.Series(_objects(column), dtype=polars.Categorical)
    return polars.Series(_objects(column), dtype=getattr(polars, column.dtype, None))


def _sparse(value: Sparse) -> Any:
    sparse = _library("scipy.sparse")
    where = (_numbers(value.rows), _numbers(value.columns))
    kind = sparse.coo_array if value.container == "array" else sparse.coo_matrix
    return kind((_numbers(value.numbers), where), shape=value.shape).asformat(value.format)


def _numbers(array: Array) -> Any:
    """A new NumPy array; sizes were checked on decoding."""
    return np.frombuffer(array.data, np.dtype(array.dtype)).reshape(array.shape).copy()


def _name(name: Label) -> Any:
    return tuple(map(_name, name.items)) if isinstance(name, Items) else name  # type: ignore[arg-type]


def _as_date(moment: Any) -> datetime.date:
    return moment.date() if isinstance(moment, datetime.datetime) else moment


def _zone(name: str) -> datetime.tzinfo:
    zoneinfo = importlib.import_module("zoneinfo")
    return datetime.UTC if name in ("UTC", "utc") else zoneinfo.ZoneInfo(name)
