"""Lists, arrays and single values that stand for a part of a data frame, and the other way round.

Covered: lists of numbers, texts and times with missing values of any kind. Not covered: lists of
times and something else.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograder.judging.checks.arrays import Plain, numeric
from autograder.judging.checks.frame_values import PER_SECOND, missing, plain, without_categories
from autograder.wire.columns import NoPlainFormError, array, coded, objects
from autograder.wire.convert import ITEM_LIMIT
from autograder.wire.values import Array, DataColumn, DataFrame, Items, Value, Whole

_PARTS = ("series", "index", "array")


def plain_value(frame: DataFrame) -> Value:
    """A column of numbers as an array, several as a table, a missing value as None; the frame
    itself if it has no such form."""
    if frame.form == "value":
        return None if is_missing(frame) else frame
    found = [_numbers(without_categories(column)) for column in frame.columns]
    known = [numbers for numbers in found if numbers is not None]
    if not known or len(known) < len(found) or len({n.dtype.kind == "b" for n in known}) > 1:
        return frame
    if frame.form == "frame":
        return array(np.stack(known, axis=1))
    return array(known[0]) if len(known) == 1 else frame


def is_missing(value: Value) -> bool:
    """Whether a value is a single missing one: None, NaN, NaT or NA."""
    if isinstance(value, DataFrame):
        return value.form == "value" and bool(missing(value.columns[0])[0])
    if isinstance(value, float) or (isinstance(value, Array) and not value.shape):
        found = numeric(value)
        return found is not None and bool(found.numbers != found.numbers)
    return value is None


def one_column(value: Value) -> DataFrame | None:
    """A part of a data frame; or a list or an array of one axis as one. None for other values."""
    if isinstance(value, DataFrame):
        return value if value.form in _PARTS and len(value.columns) == 1 else None
    column = None
    found = numeric(value) if isinstance(value, Array | Items) else None
    if found is not None and len(found.shape) == 1:
        kind = "bool" if found.dtype == "bool" else "number"
        column = DataColumn(kind, found.dtype, array(found.numbers))  # type: ignore[arg-type]
    elif isinstance(value, Items) and value.kind != "set" and len(value.items) <= ITEM_LIMIT:
        column = _listed(value)
    return None if column is None else DataFrame("array", (column,), library="")


def _numbers(column: DataColumn) -> Plain | None:
    if column.kind not in ("number", "bool"):
        return None
    values, absent = plain(column.values), missing(column)
    if column.missing is None or not absent.any():
        return values
    return None if column.kind == "bool" else np.where(absent, np.nan, values)


def _listed(items: Items) -> DataColumn | None:
    """Single values as a column; None if they are no values of one."""
    cells = [None if is_missing(item) else item for item in items.items]
    frames = [cell for cell in cells if isinstance(cell, DataFrame)]
    if any(cell.form != "value" for cell in frames):  # a list of tables is no column
        return None
    parts = [cell.columns[0] for cell in frames]
    if parts:
        known = sum(cell is not None for cell in cells) == len(parts)
        return _joined(cells, parts) if known else None
    try:
        return objects([_python(cell) for cell in cells], "object")
    except (NoPlainFormError, OverflowError):  # such as 10**400 beside 1j
        return None


def _python(cell: Value) -> Any:
    if isinstance(cell, Whole):
        return int(cell.text)
    found = numeric(cell) if isinstance(cell, Array) else None
    return cell if found is None else found.numbers[()] if found.shape == () else found


def _joined(cells: list[Value], parts: list[DataColumn]) -> DataColumn | None:
    """Times, time differences, periods or intervals of one zone, and missing values."""
    kind, zone = parts[0].kind, parts[0].zone
    if any((part.kind, part.zone) != (kind, zone) for part in parts):
        return None
    each = iter(parts)
    known = [None if cell is None else next(each) for cell in cells]
    if kind in ("period", "interval"):
        texts = [None if one is None else one.levels[int(plain(one.values)[0])] for one in known]
        return coded(kind, parts[0].dtype, texts)
    if kind not in ("time", "duration"):
        return None
    unit = max((part.unit for part in parts), key=PER_SECOND.__getitem__)
    whole = [
        0 if one is None else int(plain(one.values)[0]) * (PER_SECOND[unit] // PER_SECOND[one.unit])
        for one in known
    ]
    if any(abs(number) >= 2**63 for number in whole):
        return None
    absent = array(np.array([one is None for one in known], bool))
    numbers = array(np.array(whole, np.int64))
    return DataColumn(kind, parts[0].dtype, numbers, absent, unit=unit, zone=zone)
