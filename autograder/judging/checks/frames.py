"""Compares data frames, Series and Indexes as ``pandas.testing`` does, without pandas.

Covered: columns and rows that are missing or in another order, labels, dtypes, missing values,
times. The time grows with the number of values, apart from sorting. Not covered: the frequency of
an index, flags and attributes of a frame.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.arrays import Plain
from autograder.judging.checks.explain import numbers_text, texts_apart
from autograder.judging.checks.frame_columns import (
    INDEX,
    MOST_NAMED,
    ColumnPair,
    FrameDifference,
    other_kind,
    other_names,
    pair_columns,
    pair_labels,
    same_form,
)
from autograder.judging.checks.frame_rows import Compared, RowMatch, match_rows
from autograder.judging.checks.frame_texts import (
    QUOTED,
    bare_label,
    cell,
    cell_text,
    describe_frame,
    row_text,
)
from autograder.judging.checks.frame_values import (
    counts_index,
    equal,
    family,
    is_default,
    pair,
    without_categories,
)
from autograder.wire.convert import from_wire
from autograder.wire.values import DataFrame

MOST_MORE = 10_000  # rows of a claim beyond twice those of the reference


class Rows(NamedTuple):
    """Which rows of both frames stand for each other: numbers of rows, [n] and [n]."""

    actual: Plain
    expected: Plain


def frame_differences(
    actual: DataFrame, expected: DataFrame, rules: FrameRules, tolerance: Tolerance | None
) -> Iterator[FrameDifference]:
    """The differences of two data frames, or of two of their parts; none if they are equal."""
    if not same_form(actual, expected):
        yield FrameDifference("type", "", describe_frame(expected), describe_frame(actual))
        return
    pairs, found = pair_columns(actual, expected, rules, tolerance)
    yield from found
    wrong = [d for column in pairs if (d := other_kind(column, rules)) is not None]
    yield from wrong
    if any(difference.kind == "type" for difference in wrong):
        return
    levels, other_labels = pair_labels(actual, expected, rules)
    if found or other_labels:
        yield from other_labels
        return
    if rules.names:
        yield from other_names(actual, expected)
    yield from _rows(actual, expected, rules, pairs, levels)


class Alignment(NamedTuple):
    """Rows in pairs, and where each level and column differs in them; with ``match``, if rows
    were paired by their values, and what of both frames is left over."""

    both: list[ColumnPair]
    compared: list[Compared]
    rows: Rows
    wrong: list[Plain]
    match: RowMatch | None


def alike(actual: DataFrame, expected: DataFrame) -> bool:
    """Whether rows are worth pairing: a claim of millions of them is not."""
    return actual.rows <= 2 * expected.rows + MOST_MORE


def align(
    actual: DataFrame, expected: DataFrame, rules: FrameRules, both: list[ColumnPair], levels: int
) -> Alignment:
    """The rows of two frames in pairs: by their places, or by their values where order or number
    differs. ``both``: the ``levels`` of the index that count, then the columns."""
    compared = [(*pair(p.actual, p.expected, exact=not p.stated), p.bounds) for p in both]
    match, rows = None, Rows(np.arange(expected.rows), np.arange(expected.rows))
    if rules.rows == "any" or actual.rows != expected.rows:
        match = _match(both, compared, actual, expected)
        rows = _aligned(match, compared[:levels])
    return Alignment(both, compared, rows, [~_equal(one, rows) for one in compared], match)


def _rows(
    actual: DataFrame,
    expected: DataFrame,
    rules: FrameRules,
    columns: list[ColumnPair],
    levels: list[ColumnPair],
) -> Iterator[FrameDifference]:
    if not alike(actual, expected):
        yield FrameDifference("other", "", _count(expected.rows), _count(actual.rows))
        return
    found = align(actual, expected, rules, [*levels, *columns], len(levels))
    if found.match is not None and actual.rows != expected.rows:
        labels = match_rows(found.compared[: len(levels)], (actual.rows, expected.rows))
        yield from _other_number(actual, expected, labels if levels else found.match, levels)
        return
    if not any(off.any() for off in found.wrong):
        return
    if found.match is None:
        match = _match(found.both, found.compared, actual, expected)
        if not len(match.expected_left):
            yield FrameDifference("order", "", "rows", _first_moved(expected, match, levels))
            return
    yield from _cells(found, _row_label(expected, rules))


def _match(
    both: list[ColumnPair],
    compared: list[Compared],
    actual: DataFrame,
    expected: DataFrame,
) -> RowMatch:
    """Exact columns come first, since they say best which rows belong together."""
    order = sorted(range(len(both)), key=lambda at: family(both[at].expected) == "number")
    return match_rows([compared[at] for at in order], (actual.rows, expected.rows))


def _aligned(match: RowMatch, levels: list[Compared]) -> Rows:
    """Rows in pairs: equal ones, then what is left of frames of one length, by label where labels
    count."""
    rows = [(match.actual, match.expected)]
    ours, theirs = match.actual_left, match.expected_left
    if len(ours) == len(theirs):
        labels = [(a.taken(ours), e.taken(theirs), bounds) for a, e, bounds in levels]
        same = match_rows(labels, (len(ours), len(theirs)))
        rows.append((ours[same.actual], theirs[same.expected]))
        rows.append((ours[same.actual_left], theirs[same.expected_left]))
    actual, expected = (np.concatenate(side) for side in zip(*rows, strict=True))
    order = np.argsort(expected, kind="stable")
    return Rows(actual[order], expected[order])


def _equal(one: Compared, rows: Rows) -> Plain:
    actual, expected, bounds = one
    return equal(actual.taken(rows.actual), expected.taken(rows.expected), bounds)


def _first_moved(expected: DataFrame, match: RowMatch, levels: list[ColumnPair]) -> str:
    order = np.argsort(match.actual, kind="stable")
    theirs = match.expected[order]
    first = int(np.flatnonzero(theirs != np.arange(len(theirs)))[0]) if len(theirs) else 0
    if not levels:
        return f"row {first} is the one that should be row {int(theirs[first])}"
    index = expected.index
    return f"{row_text(index, int(theirs[first]))} is where {row_text(index, first)} should be"


def _other_number(
    actual: DataFrame, expected: DataFrame, match: RowMatch, levels: list[ColumnPair]
) -> Iterator[FrameDifference]:
    """Another number of rows, and which are missing or too many."""
    yield FrameDifference("other", "", _count(expected.rows), _count(actual.rows))
    for kind, frame, left in (
        ("missing", expected, match.expected_left),
        ("unexpected", actual, match.actual_left),
    ):
        if not len(left) or len(left) == frame.rows:
            continue
        first = int(left.min())
        said = row_text(frame.index, first) if levels else _whole_row(frame, first)
        words = f"row {said}{f', one of {len(left)},' if len(left) > 1 else ''}"
        yield (
            FrameDifference("missing", "", words, "")
            if kind == "missing"
            else FrameDifference("unexpected", "", "nothing", words)
        )


def _whole_row(frame: DataFrame, row: int) -> str:
    several = range(min(len(frame.columns), MOST_NAMED))
    texts = [cell_text(frame.columns[place], row) for place in several]
    if frame.header:
        texts = [
            f"{bare_label(frame, place)[:QUOTED]} = {text}"
            for place, text in zip(several, texts, strict=True)
        ]
    return f"({', '.join(texts)}{', …' if len(frame.columns) > MOST_NAMED else ''})"


def _row_label(expected: DataFrame, rules: FrameRules) -> Callable[[int], str]:
    if expected.form in ("index", "array", "value"):
        return lambda row: f"position {row}" if expected.form != "value" else ""
    if counts_index(expected, rules) or is_default(expected.index):
        return lambda row: f"row {row_text(expected.index, row) if expected.index else row}"
    return lambda row: f"row {row} (counted from 0)"


def _cells(found: Alignment, label: Callable[[int], str]) -> Iterator[FrameDifference]:
    """For each column with wrong values the first of them."""
    rows = found.rows
    for column, off in zip(found.both, found.wrong, strict=True):
        if not off.any():
            continue
        first = int(off.argmax())
        ours, theirs = int(rows.actual[first]), int(rows.expected[first])
        want, have = _two_texts(column, ours, theirs)
        number, total = int(off.sum()), len(off)
        what = "labels" if column.label == INDEX else "values here"
        more = f" ({number} of {total} {what} differ)" if number > 1 else ""
        row = f"position {theirs}" if column.label == INDEX else label(theirs)
        where = f"{column.label}, {row}" if row else column.label
        yield FrameDifference("value", where, want, f"{have}{more}")


def _two_texts(column: ColumnPair, ours: int, theirs: int) -> tuple[str, str]:
    """Both values so that the difference is seen."""
    want, have = cell(column.expected, theirs), cell(column.actual, ours)
    if isinstance(want, str) and isinstance(have, str):
        if without_categories(column.expected).kind in ("text", "mixed"):
            return texts_apart(want, have)
    elif not isinstance(want, bool | str | None) and not isinstance(have, bool | str | None):
        return numbers_text(*map(from_wire, (want, have)))
    return cell_text(column.expected, theirs), cell_text(column.actual, ours)


def _count(rows: int) -> str:
    return f"{rows} row{'s' * (rows != 1)}"
