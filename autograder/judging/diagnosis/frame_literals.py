"""Small data frames as Python code that can be typed in, and as short text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from autograder.judging.checks.frame_texts import cell, quoted_value
from autograder.judging.checks.frame_values import is_default
from autograder.wire.values import DataColumn, DataFrame, Value

_CONVERTED = {"time": "pd.to_datetime({})", "duration": "pd.to_timedelta({})"}


def frame_code(frame: DataFrame) -> str:
    """``pd.DataFrame({'city': ['a', 'b']}, index=['x', 'y'])``; with polars ``pl``."""
    if frame.form == "value":
        return _values(frame.columns[0], str)[1:-1]
    module = "pl" if frame.library == "polars" else "pd"
    index = "" if is_default(frame.index) else f", index={_index(frame.index)}"
    if frame.form == "frame":
        return f"{module}.DataFrame({_by_column(frame, str, typed=True)}{index})"
    kind = "Series" if frame.form == "series" else "Index"
    return f"{module}.{kind}({_typed(frame.columns[0])}{index})"


def frame_written(frame: DataFrame, number: Callable[[float], str]) -> str:
    """A result without types: by column, or by label for a Series."""
    if frame.form == "value":
        return _values(frame.columns[0], number)[1:-1]
    if frame.form == "frame":
        text = _by_column(frame, number, typed=False)
        return text if is_default(frame.index) else f"{text} at {_index(frame.index)}"
    if frame.form != "series" or is_default(frame.index):
        return _values(frame.columns[0], number)
    labels = _labels(frame.index, frame.rows)
    values = (_cell(cell(frame.columns[0], row), number) for row in range(frame.rows))
    pairs = (f"{label}: {value}" for label, value in zip(labels, values, strict=True))
    return f"{{{', '.join(pairs)}}}"


def _by_column(frame: DataFrame, number: Callable[[float], str], *, typed: bool) -> str:
    labels = _labels(frame.header, len(frame.columns))
    parts = (
        f"{label}: {_typed(column) if typed else _values(column, number)}"
        for label, column in zip(labels, frame.columns, strict=True)
    )
    return f"{{{', '.join(parts)}}}"


def _typed(column: DataColumn) -> str:
    text = _values(column, str)
    if column.kind == "category":
        return f"pd.Categorical({text})"
    return _CONVERTED.get(column.kind, "{}").format(text)


def _index(levels: Sequence[DataColumn]) -> str:
    if len(levels) == 1:
        return _typed(levels[0])
    return f"[{', '.join(_labels(levels, levels[0].length))}]"


def _labels(levels: Sequence[DataColumn], length: int) -> list[str]:
    """The labels along an axis, tuples where it has several levels."""
    rows = [[quoted_value(cell(level, at)) for level in levels] for at in range(length)]
    return [texts[0] if len(texts) == 1 else f"({', '.join(texts)})" for texts in rows]


def _values(column: DataColumn, number: Callable[[float], str]) -> str:
    cells = (_cell(cell(column, row), number) for row in range(column.length))
    return f"[{', '.join(cells)}]"


def _cell(value: Value, number: Callable[[float], str]) -> str:
    if isinstance(value, float):
        return number(value)
    return quoted_value(value)
