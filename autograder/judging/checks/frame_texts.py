"""The words of data frames: their cells, their labels, and what they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from autograder.judging.checks.explain import quoted, short
from autograder.judging.checks.frame_values import (
    PER_SECOND,
    like,
    missing,
    plain,
    without_categories,
)
from autograder.wire.convert import from_wire
from autograder.wire.values import Complex, DataColumn, DataFrame, Value, Whole

MISSING = "missing"
UNQUOTED = ("time", "duration", "period", "interval")
MOST_NAMED = 5  # columns
QUOTED = 40  # characters of a text
_EPOCH = np.datetime64(0, "s")
_LATEST = 253_402_300_799  # seconds: the end of year 9999
_NOUNS = {"frame": "DataFrame", "series": "Series", "index": "Index", "array": "array"}
_WORDS = {
    "number": "numbers",
    "bool": "booleans",
    "time": "times",
    "duration": "time differences",
    "text": "text",
    "period": "periods",
    "interval": "intervals",
    "mixed": "values of several types",
}


def describe_frame(frame: DataFrame) -> str:
    """A data frame as a noun phrase: "a DataFrame of 3 rows and 2 columns (city, price)"."""
    rows = f"{frame.rows} row{'s' * (frame.rows != 1)}"
    if frame.form == "frame":
        number = len(frame.columns)
        names = ", ".join(
            bare_label(frame, place)[:QUOTED] for place in range(min(number, MOST_NAMED))
        )
        more = ", …" if number > MOST_NAMED else ""
        said = f" ({names + more})" if number else ""
        return f"a DataFrame of {rows} and {number} column{'s' * (number != 1)}{said}"
    if frame.form == "value":
        text = cell_text(frame.columns[0], 0)
        return f"the {_single(frame.columns[0])} {text}" if text != "missing" else "a missing value"
    several = "values" if frame.rows != 1 else "value"
    article = "an" if frame.form in ("index", "array") else "a"
    return f"{article} {_NOUNS[frame.form]} of {frame.rows} {several}"


def brief_frame(frame: DataFrame) -> str:
    """A data frame among the arguments of a call: "DataFrame [3, 2]"."""
    if frame.form == "value":
        return cell_text(frame.columns[0], 0)
    size = f"{frame.rows}, {len(frame.columns)}" if frame.form == "frame" else f"{frame.rows}"
    return f"{_NOUNS[frame.form]} [{size}]"


def column_text(frame: DataFrame, place: int) -> str:
    """A column's label as it is quoted: ``'price'``, ``('a', 1)``."""
    return row_text(frame.header, place)


def row_text(index: Sequence[DataColumn], row: int) -> str:
    """A row's label as it is quoted."""
    texts = [_label_text(_row(level, row)) for level in index]
    return texts[0] if len(texts) == 1 else f"({', '.join(texts)})"


def listed(frame: DataFrame) -> Any:
    """The values as Python lists: by column's label, or the list of a Series; one single value.
    Times are texts, missing values None."""
    lists = [list(map(from_wire, cells(_with_levels(column)))) for column in frame.columns]
    if frame.form == "frame":
        return {bare_label(frame, place): values for place, values in enumerate(lists)}
    if frame.form == "value":
        return lists[0][0]
    return lists[0] if len(lists) == 1 else list(zip(*lists, strict=True))


def _with_levels(column: DataColumn) -> DataColumn:
    """A column whose large numbers are read once, however many rows share them."""
    held = without_categories(column)
    levels = tuple(map(from_wire, held.levels))
    return msgspec.structs.replace(held, levels=levels)


def cell(column: DataColumn, row: int) -> Value:
    """One value as a plain wire value; a time as its text, a missing one as None."""
    return cells(_row(column, row))[0]


def cells(column: DataColumn) -> list[Value]:
    """All values as ``cell`` has each."""
    held = without_categories(column)
    values: list[Any] = plain(held.values).tolist()
    match held.kind:
        case "number":
            values = [Complex(v.real, v.imag) if isinstance(v, complex) else v for v in values]
        case "time" | "duration":
            values = [_moment(held, value) for value in values]
        case "bool":
            pass
        case _:
            values = [None if code < 0 else held.levels[code] for code in values]
    return [None if m else v for v, m in zip(values, missing(held).tolist(), strict=True)]


def cell_text(column: DataColumn, row: int) -> str:
    """One value as a short text for people."""
    value = cell(column, row)
    if value is None:
        return MISSING
    if isinstance(value, str) and without_categories(_row(column, row)).kind in UNQUOTED:
        return short(value.replace("`", "\\x60"), QUOTED)
    return f"{value:.6g}" if isinstance(value, float) else quoted_value(value)


def family_words(column: DataColumn) -> str:
    """What a column holds, in words."""
    plain = without_categories(column)
    words = _WORDS[plain.kind]
    if plain.kind == "time":
        return (
            f"{words} in zone {quoted_value(plain.zone)}" if plain.zone else f"{words} of no zone"
        )
    return words


def _label_text(level: DataColumn) -> str:
    times = without_categories(level).kind in UNQUOTED
    return cell_text(level, 0) if times else quoted_value(cell(level, 0))


def bare_label(frame: DataFrame, place: int) -> str:
    """A column's label without quotes, as ``tolerances`` has it."""
    if not frame.header:
        return str(frame.columns[place].name or "")
    return " ".join(str(cell(level, place)) for level in frame.header)


def _row(column: DataColumn, row: int) -> DataColumn:
    """A column of one row, so that quoting a cell costs nothing."""
    absent = None if column.missing is None else plain(column.missing)[row : row + 1]
    return like(column, column, plain(column.values)[row : row + 1], absent)


def _moment(column: DataColumn, whole: int) -> str:
    per = PER_SECOND[column.unit]
    seconds, rest = whole // per, whole % per * (10**9 // per)
    fraction = f".{rest:09d}".rstrip("0") if rest else ""
    if column.kind == "duration":
        days, left = divmod(seconds, 86_400)
        return f"{days} days {left // 3600:02d}:{left // 60 % 60:02d}:{left % 60:02d}{fraction}"
    if abs(seconds) > _LATEST:
        return f"{seconds} seconds after 1970"
    text = str(_EPOCH + np.timedelta64(seconds, "s")).replace("T", " ")
    date = text.removesuffix(" 00:00:00") if not fraction and not column.zone else text
    return f"{date}{fraction}{' UTC' if column.zone else ''}"


def _single(column: DataColumn) -> str:
    return {"time": "time", "duration": "time difference"}.get(column.kind, column.kind)


def quoted_value(value: Value) -> str:
    """A value as it is quoted: a text as a Python literal without back-quotes, cut when long."""
    if isinstance(value, Complex):
        return str(complex(value.real, value.imag))
    if isinstance(value, Whole):
        return value.text[:QUOTED]
    return quoted(value, QUOTED) if isinstance(value, str) else str(value)[:QUOTED]
