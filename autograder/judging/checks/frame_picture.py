"""Two data frames as small tables of text, around the first place where they differ."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.arrays import Plain
from autograder.judging.checks.frame_columns import (
    other_kind,
    pair_columns,
    pair_labels,
    paired_columns,
)
from autograder.judging.checks.frame_texts import bare_label, cell, cell_text
from autograder.judging.checks.frames import align, alike
from autograder.judging.verdict import ShownRow, TablePicture, TableView
from autograder.wire.values import DataColumn, DataFrame, Value

ROWS, COLUMNS = 5, 6  # that are shown of each table
BEFORE = 2  # of these rows, before the first that differs
WIDE = 24  # characters of a cell
FEWEST = 4  # cells: below that, the message says it all


def table_picture(
    actual: Value, expected: Value, where: str, rules: FrameRules, tolerance: Tolerance | None
) -> TablePicture | None:
    """Both tables, if both are DataFrames or both are Series, and not tiny."""
    if not isinstance(actual, DataFrame) or not isinstance(expected, DataFrame):
        return None
    if expected.form not in ("frame", "series") or actual.form != expected.form:
        return None
    if expected.rows * max(len(expected.columns), 1) < FEWEST or not alike(actual, expected):
        return None
    columns, _ = pair_columns(actual, expected, rules, tolerance)
    levels, _ = pair_labels(actual, expected, rules)
    found = align(actual, expected, rules, [*levels, *columns], len(levels))
    off = [
        np.ones_like(wrong) if other_kind(column, rules) else wrong
        for column, wrong in zip(found.both, found.wrong, strict=True)
    ]
    labels, cells = off[: len(levels)], off[len(levels) :]
    places = paired_columns(actual, expected)
    ours = {at[0]: wrong for at, wrong in zip(places, cells, strict=True)}
    theirs = {at[1]: wrong for at, wrong in zip(places, cells, strict=True)}
    want = _Side(expected, theirs, _marks(expected, theirs, found.rows.expected, labels))
    have = _Side(actual, ours, _marks(actual, ours, found.rows.actual, labels))
    return TablePicture(where, _view(want, have.first), _view(have, want.first))


class _Side(NamedTuple):
    """One table, the columns that both have, and which cells differ [rows, columns]."""

    frame: DataFrame
    known: Collection[int]
    cells: Plain

    @property
    def first(self) -> int | None:
        """The first row in which a column that both have differs."""
        off = self.cells[:, sorted(self.known)].any(axis=1)
        return int(off.argmax()) if off.any() else None


def _marks(
    frame: DataFrame, known: Mapping[int, Plain], paired: Plain, labels: Sequence[Plain]
) -> Plain:
    """Which cells differ. ``known``: of each column that both have, where in ``paired`` rows."""
    whole = np.ones(frame.rows, bool)
    whole[paired] = False  # rows that the other frame lacks
    for wrong in labels:
        whole[paired[wrong]] = True
    cells = np.ones((frame.rows, len(frame.columns)), bool)
    for place, wrong in known.items():
        cells[paired, place] = wrong
    return np.asarray(cells | whole[:, None])


def _view(side: _Side, other: int | None) -> TableView:
    """``other``: where the other table differs first; decides if this one differs nowhere."""
    frame, cells = side.frame, side.cells
    off = cells.any(axis=0)
    columns = _window(int(off.argmax()) if off.any() else 0, len(frame.columns), COLUMNS)
    first = other if side.first is None else side.first
    rows = _window((first or 0) - BEFORE, frame.rows, ROWS)
    return TableView(
        columns=tuple(bare_label(frame, place)[:WIDE] for place in columns),
        unknown=tuple(place not in side.known for place in columns),
        rows=tuple(
            ShownRow(
                _label(frame, row),
                tuple(_text(frame.columns[place], row) for place in columns),
                tuple(bool(cells[row, place]) for place in columns),
            )
            for row in rows
        ),
        size=_size(frame, rows, columns),
    )


def _window(first: int, total: int, most: int) -> range:
    """At most so many places from the first one on, or the last ones."""
    start = max(0, min(first, total - most))
    return range(start, min(start + most, total))


def _label(frame: DataFrame, row: int) -> str:
    return " ".join(_text(level, row) for level in frame.index) if frame.index else str(row)


def _text(column: DataColumn, row: int) -> str:
    """A cell without quotes."""
    value = cell(column, row)
    text = value if isinstance(value, str) else cell_text(column, row)
    return text if len(text) <= WIDE else f"{text[: WIDE - 1]}…"


def _size(frame: DataFrame, rows: range, columns: range) -> str:
    """How much is shown, if it is not all: "rows 3 to 7 of 120, 6 of 9 columns"."""
    parts = []
    if len(rows) < frame.rows:
        parts.append(f"rows {rows.start + 1} to {rows.stop} of {frame.rows}")
    if len(columns) < len(frame.columns):
        parts.append(f"{len(columns)} of {len(frame.columns)} columns")
    return ", ".join(parts)
