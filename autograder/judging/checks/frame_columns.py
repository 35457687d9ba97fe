"""Which columns and labels of two data frames belong together, and what is wrong about them as a
whole: missing ones, another order, another kind of values, another dtype."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.arrays import EXACT, Bounds, default_bounds, stated_bounds
from autograder.judging.checks.frame_texts import (
    UNQUOTED,
    bare_label,
    cells,
    column_text,
    family_words,
    quoted_value,
    row_text,
)
from autograder.judging.checks.frame_values import (
    as_float,
    counts_index,
    family,
    is_default,
    is_number,
    missing,
    plain,
    same_zone,
    without_categories,
)
from autograder.judging.verdict import Kind
from autograder.wire.values import DataColumn, DataFrame, Items, Label, Value

MOST_NAMED = 5  # missing or unexpected columns
INDEX = ", index"  # where labels are
LABELS = 3  # row labels that are quoted where an index differs
LARGEST_WHOLE = 2.0**44  # up to here float64 has whole numbers, even after some rounding
HALF = 0.4  # by which a result may miss a whole number: it is still the nearest
_EXACT_BELOW_LARGEST = {"int8", "int16", "int32", "int64", "uint8", "float64"}


class FrameDifference(NamedTuple):
    """One difference: where in the table, in words after a comma, and both sides as texts."""

    kind: Kind
    where: str
    expected: str
    actual: str


class ColumnPair(NamedTuple):
    """A column of both frames, with its label in words."""

    label: str
    actual: DataColumn
    expected: DataColumn
    bounds: Bounds


def same_form(actual: DataFrame, expected: DataFrame) -> bool:
    loose = ("series", "index", "array")
    if expected.form == "frame" or actual.form in ("frame", "value") or expected.form == "value":
        return actual.form == expected.form
    same = len(actual.columns) == len(expected.columns)
    return same and actual.form in loose and expected.form in loose


def pair_columns(
    actual: DataFrame, expected: DataFrame, rules: FrameRules, tolerance: Tolerance | None
) -> tuple[list[ColumnPair], list[FrameDifference]]:
    """Columns of the same label, and what is wrong about labels and their order."""
    pairs = []
    for ours, theirs in paired_columns(actual, expected):
        label = bare_label(expected, theirs)
        stated = rules.tolerances.get(label, tolerance)
        one, other = actual.columns[ours], expected.columns[theirs]
        words = f", column {column_text(expected, theirs)}" if expected.header else ""
        pairs.append(ColumnPair(words, one, other, _bounds(one, other, stated)))
    if expected.form != "frame":
        return pairs, []
    have, want = _keys(actual), _keys(expected)
    places = {key: place for place, key in enumerate(have)}
    known = set(want)
    absent = [place for place, key in enumerate(want) if key not in places]
    extra = [place for place, key in enumerate(have) if key not in known]
    found = []
    for place in absent[:MOST_NAMED]:
        there = any(bare_label(expected, place) == str(level.name) for level in actual.index)
        hint = " (it is in the index)" if there else ""
        found.append(
            FrameDifference("missing", "", f"column {column_text(expected, place)}{hint}", "")
        )
    if len(absent) > MOST_NAMED:
        more = f"{len(absent) - MOST_NAMED} more columns"
        found.append(FrameDifference("missing", "", more, ""))
    for place in extra[:MOST_NAMED]:
        name = f"column {column_text(actual, place)}"
        found.append(FrameDifference("unexpected", "", "nothing", name))
    if not found and rules.columns == "ordered" and have != want:
        found.append(
            FrameDifference("order", "", "columns", _first_apart(actual, expected, have, want))
        )
    return pairs, found


def pair_labels(
    actual: DataFrame, expected: DataFrame, rules: FrameRules
) -> tuple[list[ColumnPair], list[FrameDifference]]:
    """The levels of the index that count, and what is wrong about them as a whole."""
    if not counts_index(expected, rules):
        return [], []
    if not actual.index or len(actual.index) != len(expected.index):
        found = FrameDifference("type", INDEX, _index_words(expected), _index_words(actual))
        return [], [found]
    pairs = [
        ColumnPair(INDEX, one, other, _bounds(one, other, None))
        for one, other in zip(actual.index, expected.index, strict=True)
    ]
    usual = FrameRules()
    wrong = [d for level in pairs if (d := other_kind(level, usual)) is not None]
    # guard: frames: labels of another kind
    if wrong:
        reset = FrameDifference("type", INDEX, _index_words(expected), _index_words(actual))
        return [], [reset] if is_default(actual.index) else wrong
    return pairs, []


def other_names(actual: DataFrame, expected: DataFrame) -> Iterator[FrameDifference]:
    """Names of the index, of the columns' axis, and of a Series."""
    series = expected.form in ("series", "index")
    several: list[tuple[str, Sequence[DataColumn], Sequence[DataColumn]]] = [
        (", name of the index", actual.index, expected.index),
        (", name of the columns", actual.header, expected.header),
        (", name", actual.columns if series else (), expected.columns if series else ()),
    ]
    for where, held, wanted in several:
        one, other = ([_name(level.name) for level in side] or ["none"] for side in (held, wanted))
        if one != other:
            yield FrameDifference("value", where, " and ".join(other), " and ".join(one))


def paired_columns(actual: DataFrame, expected: DataFrame) -> list[tuple[int, int]]:
    """Numbers of columns of the same label in both frames; labels that repeat in their order."""
    if actual.form != "frame":
        return [(n, n) for n in range(min(len(actual.columns), len(expected.columns)))]
    have = {key: place for place, key in enumerate(_keys(actual))}
    return [(have[key], place) for place, key in enumerate(_keys(expected)) if key in have]


def other_kind(column: ColumnPair, rules: FrameRules) -> FrameDifference | None:
    """What is wrong about a column as a whole."""
    actual, expected = column.actual, column.expected
    held, wanted = family(actual), family(expected)
    comparable = {held, wanted} <= {"number", "bool", "text", "mixed"} and "mixed" in (held, wanted)
    # guard: frames: true is not one
    if held and wanted and held != wanted and not comparable:
        return FrameDifference("type", column.label, family_words(expected), family_words(actual))
    # guard: frames: a time has its zone
    if held == wanted == "time" and not same_zone(actual, expected):
        return FrameDifference("type", column.label, family_words(expected), family_words(actual))
    if _dtype(actual, rules) != _dtype(expected, rules):
        return FrameDifference("dtype", column.label, expected.dtype[:80], actual.dtype[:80])
    return None


def _first_apart(actual: DataFrame, expected: DataFrame, have: list[str], want: list[str]) -> str:
    at = next(place for place, (a, e) in enumerate(zip(have, want, strict=True)) if a != e)
    return f"{column_text(actual, at)} is where {column_text(expected, at)} should be"


def _bounds(actual: DataColumn, expected: DataColumn, stated: Tolerance | None) -> Bounds:
    one, other = without_categories(actual), without_categories(expected)
    kinds = {one.kind, other.kind}
    if not kinds <= {"number", "mixed"}:
        return EXACT
    if stated is not None:
        return stated_bounds(stated, (expected.length,))
    dtypes = [c.values.dtype if c.kind == "number" else "float64" for c in (one, other)]
    usual = default_bounds(*dtypes)
    largest = _largest_whole(other) if set(dtypes) <= _EXACT_BELOW_LARGEST else 0
    return usual._replace(rtol=min(usual.rtol, HALF / largest)) if largest else usual


def _largest_whole(column: DataColumn) -> float:
    """The largest number of a column of whole numbers; 0 if others are among them."""
    if column.kind == "mixed":
        values = np.array([as_float(level) for level in column.levels if is_number(level)])
    else:
        values = plain(column.values)[~missing(column)].astype(np.float64)
    size = float(np.abs(values).max(initial=0))
    # guard: frames: beyond some size whole numbers may be rounded
    return size if size < LARGEST_WHOLE and bool((values % 1 == 0).all()) else 0


def _dtype(column: DataColumn, rules: FrameRules) -> str:
    if rules.dtype == "any":
        return ""
    if rules.dtype == "exact":
        name = "int64" if column.dtype == "range" else column.dtype
        return f"{name}{' ordered' if column.ordered else ''}"
    if column.kind == "number":
        return column.values.dtype.strip("u0123456789")
    if column.dtype.startswith(("Categorical", "Enum")):  # of polars
        return "category"
    return column.dtype if column.dtype == "date" else column.kind


def _index_words(frame: DataFrame) -> str:
    if is_default(frame.index):
        return "the default one (0, 1, 2, …)"
    names = [quoted_value(str(level.name)) for level in frame.index if level.name is not None]
    if len(names) == len(frame.index):
        return " and ".join(names)
    labels = [row_text(frame.index, row) for row in range(min(frame.rows, LABELS))]
    return ", ".join([*labels, *(["…"] if frame.rows > LABELS else [])])


def _keys(frame: DataFrame) -> list[str]:
    """A text for each column's label that is equal for equal labels; repeated ones are counted."""
    seen: Counter[str] = Counter()
    found = []
    for labels in zip(*map(_label_keys, frame.header), strict=True):
        key = repr(labels)
        found.append(f"{key} {seen[key]}")
        seen[key] += 1
    return found


def _label_keys(level: DataColumn) -> list[Value | tuple[str, Value]]:
    """Labels of columns, the same for equal ones; a time is not the text that says it."""
    kind = without_categories(level).kind
    if kind in UNQUOTED:
        return [(kind, value) for value in cells(level)]
    return [int(v) if isinstance(v, float) and v.is_integer() else v for v in cells(level)]


def _name(name: Label) -> str:
    if isinstance(name, Items):
        return f"({', '.join(_name(part) for part in name.items)})"  # type: ignore[arg-type]
    return "none" if name is None else quoted_value(name) if isinstance(name, str) else str(name)
