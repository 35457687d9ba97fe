"""What distinguishes a large data frame from another: numbers, and digests of all other values.

A digest is the same whatever the dtype: texts or categories, seconds or nanoseconds. Not covered:
texts with another spelling, which a tolerance would allow for numbers.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from autograder.runner.toolkit import toolkit
from autograder.wire.messages import ROW_LABELS
from autograder.wire.values import DataColumn, DataFrame, Items, Mapping, Value

_encode, _sha256 = msgspec.msgpack.Encoder().encode, hashlib.sha256


def frame_outline(frame: DataFrame) -> Mapping:
    """The shape, samples of the numbers, and the digests."""
    several = (toolkit().sampled(c.values) for c in frame.columns if c.kind == "number")
    others = [*frame.header, *(c for c in frame.columns if c.kind != "number")]
    found: list[tuple[Value, Value]] = [
        ("shape", Items("list", (frame.rows, len(frame.columns)))),
        ("numbers", Items("list", tuple(several))),
        ("others", _digest(others)),
    ]
    labels = [_plain(level) for level in frame.index]
    if len(labels) != 1 or labels[0] != ([], np.arange(frame.rows, dtype=complex).tobytes()):
        found.append((ROW_LABELS, _digest(frame.index)))
    return Mapping(tuple(found))


def _digest(columns: Iterable[DataColumn]) -> str:
    return _sha256(_encode([_plain(column) for column in columns])).hexdigest()


def _plain(column: DataColumn) -> tuple[list[str | None], bytes]:
    """Different texts in the order of the rows, and which each row has; or numbers, or times."""
    values: Any = np.frombuffer(column.values.data, column.values.dtype)
    texts: list[str | None] = []
    if column.unit:
        values = values.view(f"M8[{column.unit}]").astype("M8[us]").view(np.int64)
    elif column.kind in ("number", "bool"):
        values = np.where(values != values, np.nan, values.astype(complex))
    else:
        used, first, values = np.unique(values, return_index=True, return_inverse=True)
        order = np.argsort(first)
        levels = column.levels if column.categories is None else _cells(column.categories)
        texts = [str(levels[code]) if code >= 0 else None for code in used[order]]
        values = np.argsort(order)[values]
    if column.missing is not None:
        values = np.where(np.frombuffer(column.missing.data, bool), -1, values)
    return texts, values.tobytes()


def _cells(categories: DataColumn) -> Sequence[object]:
    """Categories as they are: none is missing."""
    if categories.levels:
        return [categories.levels[code] for code in np.frombuffer(categories.values.data, np.int32)]
    return list(np.frombuffer(categories.values.data, categories.values.dtype).tolist())
