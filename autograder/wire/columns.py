"""Values of one kind, of pandas, polars, NumPy or Python, as a wire column.

It runs beside student code like the rest of the runner: what it says is a claim. No library is
imported here. Covered: every object in a column is looked at; what has no plain form is refused
by its type's name.
"""

from __future__ import annotations

import datetime
import numbers
import sys
from collections.abc import Iterable, Sequence
from typing import Any, Literal, cast

import msgspec
import numpy as np

from autograder.wire.lengths import MAX_LABEL, fits_name
from autograder.wire.values import ITEMSIZE, Array, DataColumn, Items, Label, Whole

TEXT_LIMIT = 100_000  # characters of one text
LARGEST_WHOLE = 2**44  # up to here float64 has whole numbers, even after some rounding
NAME_LIMIT = 200  # characters of a dtype, a zone or a type
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
_MICRO = datetime.timedelta(microseconds=1)
_NOT_A_TIME = -(2**63)
_DAY = 86_400
_Unit = Literal["", "s", "ms", "us", "ns"]
_UNITS: tuple[_Unit, ...] = ("s", "ms", "us", "ns")
_WIDER = {"uint16": "int32", "uint32": "int64", "longdouble": "float64", "float128": "float64"}
_asarray, _ascontiguous = np.asarray, np.ascontiguousarray


class NoPlainFormError(Exception):
    """A column holds objects that do not cross the border; says of which type, and in which row."""

    def __init__(self, kind: str, row: int) -> None:
        super().__init__(f"{kind} objects, first in row {row}")
        self.kind = kind


def column_of(values: Any, name: Any = None) -> DataColumn:
    """A column of a pandas Series, Index or array, a polars Series or a NumPy array.

    Raises ``NoPlainFormError``.
    """
    dtype = values.dtype
    text = str(dtype)[:NAME_LIMIT]
    found: DataColumn
    if text == "category":
        found = _category(values)
    elif type(values).__module__.startswith("polars"):
        found = _polars(values, text)
    elif isinstance(dtype, np.dtype):
        found = _numpy(_asarray(values), text)
    else:
        found = _extended(values, dtype, text)
    return found if name is None else msgspec.structs.replace(found, name=label(name))


def objects(values: Sequence[Any], dtype: str) -> DataColumn:
    """A column of Python objects: of one kind if they have one, else "mixed"."""
    if set(map(type, values)) <= {str}:  # the usual case
        return coded("text", dtype, values)
    kinds = [_kind(value) for value in values]
    for row, kind in enumerate(kinds):
        if kind.startswith("?"):
            raise NoPlainFormError(kind[1:], row)
    missing = [kind == "" for kind in kinds]
    present = set(kinds) - {""}
    if present and present <= {"int", "float", "complex"}:
        return _number_objects(values, missing, dtype, present)
    if "complex" in present:
        raise NoPlainFormError("complex", kinds.index("complex"))
    if present == {"bool"}:
        plain = np.array([not m and bool(v) for v, m in zip(values, missing, strict=True)], bool)
        return DataColumn("bool", dtype, array(plain), _mask(missing))
    if present == {"time"} and len({_zone(v) for v in values if _kind(v)}) == 1:
        return _time_objects(values, missing, dtype)
    if present in ({"date"}, {"duration"}):
        return _time_objects(values, missing, "date" if present == {"date"} else dtype)
    if len(present) == 1 and present <= {"text", "period", "interval"}:
        texts = (None if m else str(value) for value, m in zip(values, missing, strict=True))
        return coded(present.pop(), dtype, texts)  # type: ignore[arg-type]
    plain_values = [None if m else _plain(v) for v, m in zip(values, missing, strict=True)]
    return coded("mixed", dtype, plain_values)


def coded(
    kind: Literal["text", "period", "interval", "mixed"], dtype: str, values: Iterable[Any]
) -> DataColumn:
    """A column of codes: each different value once, None for missing ones."""
    known: dict[tuple[type, Any], int] = {}
    codes = [
        -1 if value is None else known.setdefault((type(value), value), len(known))
        for value in values
    ]
    levels = tuple(text_of(value) if type(value) is str else value for _, value in known)
    return DataColumn(kind, dtype, array(np.array(codes, np.int32)), levels=levels)


def array(values: Any) -> Array:
    """A NumPy array of a dtype on the list, little-endian."""
    plain = _ascontiguous(values)
    if plain.dtype.byteorder == ">":
        plain = plain.astype(plain.dtype.newbyteorder("<"))
    return Array(plain.dtype.name, tuple(plain.shape), plain.tobytes(), "ndarray")


def label(name: Any) -> Label:
    """The name of a column or an index as plain data, any other object as its text."""
    if isinstance(name, tuple):
        found = Items("tuple", tuple(label(part) for part in name))
        return found if fits_name(found) else text_of(str(name))[:MAX_LABEL]
    kind = _kind(name)
    if kind in ("int", "float", "bool", "text"):
        value = _plain(name)
        if isinstance(value, Whole):
            return value.text
        return value[:MAX_LABEL] if isinstance(value, str) else cast(Label, value)
    return None if name is None else text_of(str(name))[:MAX_LABEL]


def text_of(text: str) -> str:
    """A text of bounded length that UTF-8 can encode."""
    cut = str.__str__(text)[:TEXT_LIMIT]
    return cut if cut.isascii() else cut.encode("utf-8", "backslashreplace").decode()


def times(plain: Any, dtype: str) -> DataColumn:
    """A column of NumPy's datetime64 or timedelta64."""
    unit = np.datetime_data(plain.dtype)[0]
    if unit not in _UNITS or np.datetime_data(plain.dtype)[1] != 1:
        code, wanted = plain.dtype.kind, "ns" if unit in ("ps", "fs", "as") else "s"
        plain, unit = plain.astype(f"{code}8[{wanted}]"), wanted
    kind: Literal["time", "duration"] = "time" if plain.dtype.kind == "M" else "duration"
    return _timed(kind, dtype, plain.view(np.int64), cast(_Unit, unit), "")


def _numpy(plain: Any, text: str) -> DataColumn:
    if plain.dtype.kind in "Mm":
        return times(plain, text)
    if plain.dtype.kind in "OUST":
        return objects(plain.tolist(), text)
    return _numbers(plain, text)


def listed(plain: Any) -> Any:
    """Numbers in a dtype that the wire has, and that holds them."""
    name = plain.dtype.name
    if name == "uint64":
        if plain.size and int(plain.max()) >= 2**63:
            return plain.astype(np.float64)
        return plain.astype(np.int64)
    if name in _WIDER:
        return plain.astype(_WIDER[name])
    if name not in ITEMSIZE:
        raise NoPlainFormError(name, 0)
    return plain


def _extended(values: Any, dtype: Any, text: str) -> DataColumn:
    """An array of one of pandas' own dtypes."""
    kind = getattr(dtype, "kind", "O")
    whole = getattr(getattr(values, "array", values), "asi8", None)
    if kind == "M" and whole is not None and hasattr(dtype, "tz"):
        return _timed("time", text, whole, dtype.unit, str(dtype.tz))
    if kind in "iufb":
        missing = _asarray(values.isna(), bool)
        name = {"b": "bool", "i": "int64", "u": "uint64"}.get(kind, "float64")
        if kind == "f" and dtype.type is np.float32:
            name = "float32"
        plain = _asarray(values.to_numpy(dtype=name, na_value=False if kind == "b" else 0))
        return _numbers(plain, text, missing)
    return objects(_asarray(values, object).tolist(), text)


def _category(values: Any) -> DataColumn:
    """Codes and categories of pandas. Categories of categories do not exist."""
    plain = getattr(values, "array", values)
    held = getattr(plain, "_values", plain)  # of an index
    codes = _asarray(held.codes).astype(np.int32)
    categories = column_of(held.categories)
    ordered = bool(held.dtype.ordered)
    return DataColumn("category", "category", array(codes), categories=categories, ordered=ordered)


def _polars(values: Any, text: str) -> DataColumn:
    if text.startswith(("Date", "Duration")):
        return _polars_times(values, text)
    numeric = values.dtype.is_numeric() and not text.startswith("Decimal")
    if text == "Boolean" or (numeric and not text.endswith("128")):
        plain = values.fill_null(False if text == "Boolean" else 0).to_numpy()
        return _numbers(plain, text, values.is_null().to_numpy())
    return objects(values.to_list(), text)


def _polars_times(values: Any, text: str) -> DataColumn:
    """Dates, times or time differences: as Python objects they would lose their nanoseconds."""
    whole = values.to_physical().fill_null(0).to_numpy().astype(np.int64)
    absent = values.is_null().to_numpy()
    if text == "Date":
        return _timed("time", "date", np.where(absent, _NOT_A_TIME, whole * _DAY), "s", "")
    kind: Literal["time", "duration"] = "duration" if text.startswith("Duration") else "time"
    zone = getattr(values.dtype, "time_zone", None) or ""
    return _timed(kind, text, np.where(absent, _NOT_A_TIME, whole), values.dtype.time_unit, zone)


def _numbers(plain: Any, text: str, missing: Any = ()) -> DataColumn:
    """A column of NumPy's numbers or booleans. ``missing`` [n]: where there are none."""
    if plain.dtype.kind == "u" and plain.max(initial=0) >= 2**63:
        absent = np.broadcast_to(missing if len(missing) else False, plain.shape).tolist()
        pairs = zip(plain.tolist(), absent, strict=True)
        return coded("mixed", text, (None if m else value for value, m in pairs))
    if plain.dtype.kind == "b":
        return DataColumn("bool", text, array(plain), _mask(missing))
    return DataColumn("number", text, array(listed(plain)), _mask(missing))


def _kind(value: Any) -> str:
    """What a Python object is; "" for a missing value, "?" and the type's name for others."""
    if value is None or _is_na(value):
        return ""
    if isinstance(value, str):
        return "text"
    if isinstance(value, bool | np.bool_):
        return "bool"
    if isinstance(value, numbers.Integral):
        return "int"
    if isinstance(value, float | np.floating):
        return "float" if value == value else ""
    if isinstance(value, complex | np.complexfloating):
        return "complex" if value == value else ""
    if isinstance(value, datetime.datetime | np.datetime64):
        return "time" if value == value else ""
    if isinstance(value, datetime.date):
        return "date"
    if isinstance(value, datetime.timedelta | np.timedelta64):
        return "duration" if value == value else ""
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return "float"
    if type(value).__module__.startswith("pandas") and type(value).__name__ == "Period":
        return "period"
    if type(value).__module__.startswith("pandas") and type(value).__name__ == "Interval":
        return "interval"
    return f"?{type(value).__name__[:NAME_LIMIT]}"


def _is_na(value: Any) -> bool:
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)


def _plain(value: Any) -> Any:
    """A value of a mixed column or a name."""
    match _kind(value):
        case "text":
            return text_of(value)
        case "bool":
            return bool(value)
        case "int":
            whole = int(value)
            return whole if -(2**63) <= whole < 2**64 else Whole(str(whole)[:4000])
        case "float":
            return float(value)
    return text_of(str(value))


def _number_objects(
    values: Sequence[Any], missing: Sequence[bool], dtype: str, kinds: set[str]
) -> DataColumn:
    plain = [0 if m else value for value, m in zip(values, missing, strict=True)]
    whole = [int(value) for value in plain if _kind(value) == "int"]
    if "complex" in kinds:
        found = np.array([complex(value) for value in plain], np.complex128)
    elif kinds == {"int"} and all(-(2**63) <= value < 2**63 for value in whole):
        found = np.array(whole, np.int64)
    elif any(abs(value) >= LARGEST_WHOLE for value in whole):
        plain = [None if m else _plain(value) for value, m in zip(values, missing, strict=True)]
        return coded("mixed", dtype, plain)
    else:
        found = np.array([float(value) for value in plain], np.float64)
    return DataColumn("number", dtype, array(found), _mask(missing))


def _time_objects(values: Sequence[Any], missing: Sequence[bool], dtype: str) -> DataColumn:
    """Times, dates or time differences. Those of pandas and NumPy may have nanoseconds."""
    present = [value for value, m in zip(values, missing, strict=True) if not m]
    zone = _zone(present[0])
    duration = _kind(present[0]) == "duration"
    fine = any(isinstance(value, np.datetime64 | np.timedelta64) for value in present)
    fine = fine or any(getattr(value, "nanosecond", 0) for value in present)
    fine = fine or any(getattr(value, "nanoseconds", 0) for value in present)
    whole = [
        _NOT_A_TIME if m else _nanoseconds(value) if fine else _microseconds(value)
        for value, m in zip(values, missing, strict=True)
    ]
    if any(not -(2**63) <= number < 2**63 for number in whole):
        raise NoPlainFormError("far too distant time", 0)
    kind: Literal["time", "duration"] = "duration" if duration else "time"
    return _timed(kind, dtype, np.array(whole, np.int64), "ns" if fine else "us", zone)


def _zone(value: Any) -> str:
    zone = getattr(value, "tzinfo", None)
    return "" if zone is None else str(zone)[:NAME_LIMIT]


def _microseconds(value: Any) -> int:
    if isinstance(value, datetime.timedelta):
        return value // _MICRO
    if not isinstance(value, datetime.datetime):
        value = datetime.datetime(value.year, value.month, value.day)  # noqa: DTZ001
    aware = value if value.tzinfo else value.replace(tzinfo=datetime.UTC)
    return cast(int, (aware - _EPOCH) // _MICRO)


def _nanoseconds(value: Any) -> int:
    if isinstance(value, np.datetime64):
        return int(value.astype("M8[ns]").view(np.int64))
    if isinstance(value, np.timedelta64):
        return int(value.astype("m8[ns]").view(np.int64))
    more = getattr(value, "nanosecond", getattr(value, "nanoseconds", 0))
    return _microseconds(value) * 1000 + int(more)


def _timed(
    kind: Literal["time", "duration"], dtype: str, whole: Any, unit: _Unit, zone: str
) -> DataColumn:
    plain = _asarray(whole, np.int64)
    missing = plain == _NOT_A_TIME
    values = array(np.where(missing, 0, plain).astype(np.int64))
    return DataColumn(kind, dtype, values, _mask(missing), unit=unit, zone=zone[:NAME_LIMIT])


def _mask(missing: Any) -> Array | None:
    held = _asarray(missing, bool)
    return array(held) if held.any() else None
