"""Small data frames as Python code that makes them again, and as short text.

Covered: dtypes that the library would not guess from the values, columns and tables without values,
names of axes. Not covered, and never written as code: intervals, complex numbers, whole numbers
beyond 64 bits, columns of one label, NaN in a column of polars, polars' durations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from autograder.judging.checks.explain import brief
from autograder.judging.checks.frame_texts import cells, quoted_value
from autograder.judging.checks.frame_values import is_default, missing, plain, without_categories
from autograder.wire.values import DataColumn, DataFrame, Label, Value

# what each library takes a list of values for
_GUESSED = {
    "pandas": {"int64", "float64", "bool", "str", "object"},
    "polars": {"Int64", "Float64", "Boolean", "String"},
}
_POLARS = re.compile(r"U?Int\d+|Float\d+|Boolean|String|Date|Datetime")
_PARSED = {"Date": "to_date", "Datetime": "to_datetime"}
_LABELS = ("text", "number", "bool", "mixed")  # kinds of columns' labels

Text = Callable[[Value], str]


class _NoCodeError(Exception):
    """No short code makes this value."""


def frame_code(frame: DataFrame) -> str | None:
    """``pd.DataFrame({'city': ['a', 'b']}, index=['x', 'y'])``, with polars ``pl``; None where no
    short code makes the same."""
    try:
        if frame.form == "value":
            return _values(frame.columns[0], _exact)[1:-1]
        if frame.library == "polars":
            return _polars(frame)
        return _pandas(frame)
    except _NoCodeError:
        return None


def frame_written(frame: DataFrame, number: Callable[[float], str]) -> str:
    """A result without types: by column, or by label for a Series."""

    def text(value: Value) -> str:
        return number(value) if isinstance(value, float) else quoted_value(value)

    labels = _labels(frame.index, frame.rows, quoted_value)
    if frame.form == "frame":
        names = _labels(frame.header, len(frame.columns), quoted_value)
        table = _pairs(names, (_values(column, text) for column in frame.columns))
        return table if is_default(frame.index) else f"{table} at [{', '.join(labels)}]"
    if frame.form == "series" and not is_default(frame.index):
        return _pairs(labels, map(text, cells(frame.columns[0])))
    values = _values(frame.columns[0], text)
    return values[1:-1] if frame.form == "value" else values


def _pandas(frame: DataFrame) -> str:
    if frame.form == "array":
        return f"pd.Series({_typed(frame.columns[0])}).array"
    if frame.form == "index":
        return _index(frame.columns, made=True)
    index = "" if is_default(frame.index) else f", index={_index(frame.index)}"
    if frame.form == "series":
        name = frame.columns[0].name
        named = "" if name is None else f", name={_name(name)}"
        return f"pd.Series({_typed(frame.columns[0])}{index}{named})"
    text = f"pd.DataFrame({_columns(frame, _typed)}{index})"
    if all(level.name is None for level in frame.header):
        return text
    return f"{text}.rename_axis(columns={_names(frame.header)})"


def _polars(frame: DataFrame) -> str:
    if frame.form == "frame":
        return f"pl.DataFrame({_columns(frame, _polars_column)})"
    (column,) = frame.columns
    name = "" if column.name is None else f"{_name(column.name)}, "
    return f"pl.Series({name}{_polars_column(column)})"


def _columns(frame: DataFrame, typed: Callable[[DataColumn], str]) -> str:
    labels = _labels(frame.header, len(frame.columns), _exact)
    if len(set(labels)) < len(labels) or any(level.kind not in _LABELS for level in frame.header):
        raise _NoCodeError
    return _pairs(labels, map(typed, frame.columns))


def _typed(column: DataColumn) -> str:
    """The values of a column of pandas, with the dtype where they alone would have another."""
    text = _values(column, _exact)
    match column.kind:
        case "time":
            usual = len(set(map(len, _texts(column)))) < 2  # pandas takes the first one's format
            arguments = ("" if usual else ", format='ISO8601'") + ", utc=True" * bool(column.zone)
            zone = f".tz_convert({_name(column.zone)})" if column.zone else ""
            return f"pd.to_datetime({text}{arguments}){zone}{'.date' * (column.dtype == 'date')}"
        case "duration":
            return f"pd.to_timedelta({text})"
        case "category":
            return _categorical(column, text)
        case "interval":
            raise _NoCodeError
    absent = missing(column)
    if column.dtype == "float64" and absent.all() and column.length:
        return text.replace("None", "float('nan')")
    dtype = "int64" if column.dtype == "range" else column.dtype
    if dtype in _GUESSED["pandas"] and not absent.all() and _guessed(column):
        return text
    return f"pd.array({text}, dtype={_name(dtype)})"


def _guessed(column: DataColumn) -> bool:
    """Whether objects are no numbers or truths, for which pandas would choose another dtype."""
    return column.dtype != "object" or column.kind in ("text", "mixed")


def _categorical(column: DataColumn, text: str) -> str:
    used = without_categories(column)
    held = column.categories
    assert held is not None
    order = ", ordered=True" if column.ordered else ""
    if not order and set(cells(held)) == set(cells(used)) - {None} and _ascending(held):
        return f"pd.Categorical({text})"
    return f"pd.Categorical({text}, categories={_typed(held)}{order})"


def _ascending(column: DataColumn) -> bool:
    if column.kind == "text":
        texts = _texts(column)
        return texts == sorted(texts)
    return column.kind == "number" and bool((np.diff(plain(column.values)) > 0).all())


def _polars_column(column: DataColumn) -> str:
    text, texts = _values(column, _exact), _texts(column)
    name = "Date" if column.dtype == "date" else column.dtype.partition("(")[0]
    absent = missing(column)
    masked = np.zeros(absent.shape, bool) if column.missing is None else plain(column.missing)
    if column.kind == "number" and bool((absent & ~masked).any()):
        raise _NoCodeError
    if column.unit in ("ms", "ns"):  # code without a unit makes microseconds
        raise _NoCodeError
    if texts and column.dtype in _GUESSED["polars"]:
        return text
    if texts and name in _PARSED and not column.zone and len(set(map(len, texts))) == 1:
        return f"pl.Series({text}).str.{_PARSED[name]}()"  # all in the format of the first
    if (texts and column.kind not in ("number", "bool", "text")) or not _POLARS.fullmatch(name):
        raise _NoCodeError
    return f"pl.Series({text}, dtype=pl.{name})"


def _index(levels: Sequence[DataColumn], *, made: bool = False) -> str:
    """Row labels, as an index of pandas if it has names or is to be ``made``."""
    named = any(level.name is not None for level in levels)
    if len(levels) > 1:
        arrays = ", ".join(map(_typed, levels))
        names = f", names={_names(levels)}" if named else ""
        return f"pd.MultiIndex.from_arrays([{arrays}]{names})"
    text = _typed(levels[0])
    if not (made or named):
        return text
    return f"pd.Index({text}{f', name={_name(levels[0].name)}' if named else ''})"


def _names(levels: Sequence[DataColumn]) -> str:
    names = [_name(level.name) for level in levels]
    return names[0] if len(names) == 1 else f"[{', '.join(names)}]"


def _name(name: Label) -> str:
    if not isinstance(name, str | int | float | None):
        raise _NoCodeError
    return _exact(name)


def _pairs(labels: Iterable[str], values: Iterable[str]) -> str:
    pairs = (f"{label}: {value}" for label, value in zip(labels, values, strict=True))
    return f"{{{', '.join(pairs)}}}"


def _labels(levels: Sequence[DataColumn], length: int, text: Text) -> list[str]:
    """The labels along an axis, tuples where it has several levels."""
    several = [list(map(text, cells(level))) for level in levels]
    if len(several) == 1:
        return several[0]
    return [f"({', '.join(level[at] for level in several)})" for at in range(length)]


def _texts(column: DataColumn) -> list[str]:
    return [str(value) for value in cells(column) if value is not None]


def _values(column: DataColumn, text: Text) -> str:
    return f"[{', '.join(map(text, cells(column)))}]"


def _exact(value: Value) -> str:
    """A value as code. Raises ``_NoCodeError`` for one that is cut, or has no short code."""
    if isinstance(value, float):
        return brief(value)
    if not isinstance(value, bool | int | str | None):
        raise _NoCodeError
    text = quoted_value(value)
    if text.endswith("…"):
        raise _NoCodeError
    return text
