"""Changes of a right data frame that a wrong one may show: rows left out, filled, reversed.

A change is recognised only if every result shows it. No two of them give the same frame.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.arrays import Plain
from autograder.judging.checks.frame_values import is_default, like, missing, plain
from autograder.judging.checks.frames import frame_differences
from autograder.judging.diagnosis.transforms.change import Transform
from autograder.wire.values import DataColumn, DataFrame


class FramePair(NamedTuple):
    """A student's data frame and the right one, with what counts as equal."""

    actual: DataFrame
    expected: DataFrame
    rules: FrameRules
    tolerance: Tolerance | None

    def shows(self, expected: DataFrame) -> bool:
        """Whether the student's frame equals this one."""
        found = frame_differences(self.actual, expected, self.rules, self.tolerance)
        return next(found, None) is None


class _Change(NamedTuple):
    """``rule`` makes the changed frame from the right one; None if that cannot be changed so."""

    name: str
    words: str
    rule: Callable[[DataFrame], DataFrame | None]


def recognise_frames(pairs: Sequence[FramePair]) -> Transform | None:
    """The change that all these results show; None if none does."""
    if all(pair.shows(pair.expected) for pair in pairs):
        return None
    for change in _CHANGES:
        if all(_shows(pair, change) for pair in pairs):
            return Transform(change.name, change.words)
    return None


def _shows(pair: FramePair, change: _Change) -> bool:
    return pair.shows(change.rule(pair.expected) or pair.expected)


def _reversed(frame: DataFrame) -> DataFrame | None:
    return _with_rows(frame, np.arange(frame.rows)[::-1]) if frame.rows > 1 else None


def _without_missing(frame: DataFrame) -> DataFrame | None:
    absent = np.zeros(frame.rows, bool)
    for column in frame.columns:
        absent |= missing(column)
    return _with_rows(frame, np.flatnonzero(~absent)) if absent.any() else None


def _filled(frame: DataFrame) -> DataFrame | None:
    filled = tuple(map(_with_zeros, frame.columns))
    return None if filled == frame.columns else _with_columns(frame, filled)


def _with_rows(frame: DataFrame, rows: Plain) -> DataFrame:
    """Some rows of a frame; a default index is one again."""
    columns = tuple(_taken(column, rows) for column in frame.columns)
    kept = rows if not is_default(frame.index) else np.arange(len(rows))
    index = tuple(_taken(level, kept) for level in frame.index)
    return DataFrame(frame.form, columns, frame.header, index, frame.library)


def _with_columns(frame: DataFrame, columns: tuple[DataColumn, ...]) -> DataFrame:
    return DataFrame(frame.form, columns, frame.header, frame.index, frame.library)


def _taken(column: DataColumn, rows: Plain) -> DataColumn:
    absent = None if column.missing is None else plain(column.missing)[rows]
    return like(column, column, plain(column.values)[rows], absent)


def _with_zeros(column: DataColumn) -> DataColumn:
    absent = missing(column)
    if column.kind != "number" or not absent.any():
        return column
    values = plain(column.values)
    return like(column, column, np.where(absent, values.dtype.type(0), values), None)


_CHANGES = (
    _Change("rows reversed", "with its rows in reverse order", _reversed),
    _Change("missing left out", "without the rows that have missing values", _without_missing),
    _Change("missing filled", "with zeros where values are missing", _filled),
)
