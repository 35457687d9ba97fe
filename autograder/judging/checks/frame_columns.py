"""Which columns and labels of two data frames belong together, and what is wrong about them as a
whole: missing ones, another order, another kind of values, another dtype."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.arrays import EXACT, Bounds, Plain, default_bounds, stated_bounds
from autograder.judging.checks.explain import short
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
    HALF,
    as_float,
    counts_index,
    family,
    is_default,
    is_number,
    like,
    missing,
    plain,
    same_zone,
    without_categories,
)
from autograder.judging.verdict import Kind
from autograder.wire.columns import LARGEST_WHOLE
from autograder.wire.values import DataColumn, DataFrame, Items, Label

MOST_NAMED = 5  # missing or unexpected columns
INDEX = ", index"  # where labels are
NAMED = 200  # characters of a name that is a tuple
LABELS = 3  # row labels that are quoted where an index differs
_DTYPE = re.compile(r"[\w\[\](),.:;=<>/+' -]{1,80}", re.ASCII)
_EXACT_BELOW_LARGEST = {"int8", "int16", "int32", "int64", "uint8", "float64"}


_Key = tuple[int, int]  # of a column: a number for its label, and how often that was there before


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
    stated: bool = False  # the bounds are the check's own


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
    have, want = _keys(actual, expected)
    for ours, theirs in _paired(have, want):
        label = bare_label(expected, theirs)
        stated = rules.tolerances.get(label, tolerance)
        one, other = actual.columns[ours], expected.columns[theirs]
        words = f", column {column_text(expected, theirs)}" if expected.header else ""
        bounds = _bounds(one, other, stated)
        pairs.append(ColumnPair(words, one, other, bounds, stated is not None))
    if expected.form != "frame":
        return pairs, []
    places = {key: place for place, key in enumerate(have)}
    known = set(want)
    absent = [place for place, key in enumerate(want) if key not in places]
    extra = [place for place, key in enumerate(have) if key not in known]
    found = []
    for place in absent[:MOST_NAMED]:
        label = bare_label(expected, place)
        there = any(label == str(level.name) for level in actual.index)
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
    return _paired(*_keys(actual, expected))


def other_kind(column: ColumnPair, rules: FrameRules) -> FrameDifference | None:
    """What is wrong about a column as a whole."""
    actual, expected = column.actual, column.expected
    held, wanted = family(actual), family(expected)
    comparable = {held, wanted} <= {"number", "bool", "text", "mixed"} and "mixed" in (held, wanted)
    if held and wanted and held != wanted and not comparable:
        return FrameDifference("type", column.label, family_words(expected), family_words(actual))
    if held == wanted == "time" and not same_zone(actual, expected):
        return FrameDifference("type", column.label, family_words(expected), family_words(actual))
    if _dtype(actual, rules) != _dtype(expected, rules):
        return FrameDifference("dtype", column.label, *map(_dtype_text, (expected, actual)))
    return None


def _dtype_text(column: DataColumn) -> str:
    return column.dtype if _DTYPE.fullmatch(column.dtype) else quoted_value(column.dtype)


def _first_apart(actual: DataFrame, expected: DataFrame, have: list[_Key], want: list[_Key]) -> str:
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
        rounded = any(isinstance(level, float) for level in column.levels)
    else:
        held = plain(column.values)[~missing(column)]
        values, rounded = held.astype(np.float64), held.dtype.kind == "f"
    size = float(np.abs(values).max(initial=0))
    # Beyond some size whole numbers may be rounded.
    if rounded and size >= LARGEST_WHOLE:
        return 0
    with np.errstate(invalid="ignore"):  # infinities
        return size if bool((values % 1 == 0).all()) else 0


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
    names = [_name(level.name) for level in frame.index if level.name is not None]
    if len(names) == len(frame.index):
        return " and ".join(names)
    labels = [row_text(frame.index, row) for row in range(min(frame.rows, LABELS))]
    return ", ".join([*labels, *(["…"] if frame.rows > LABELS else [])])


def _keys(actual: DataFrame, expected: DataFrame) -> tuple[list[_Key], list[_Key]]:
    """For each column of both frames a key that is equal for equal labels; repeated ones are
    counted. Without a header columns are paired by their places."""
    ours, theirs = len(actual.columns), len(expected.columns)
    if actual.form != "frame":
        return [(n, 0) for n in range(ours)], [(n, 0) for n in range(theirs)]
    same = len(actual.header) == len(expected.header)
    group = np.repeat([0, int(not same)], [ours, theirs])
    for levels in zip(actual.header, expected.header, strict=False):
        known: dict[Hashable, int] = {}
        found = np.concatenate([_label_numbers(level, known) for level in levels])
        group = np.unique(group * (len(known) + 1) + found, return_inverse=True)[1]
    return _counted(group[:ours].tolist()), _counted(group[ours:].tolist())


def _counted(groups: list[int]) -> list[_Key]:
    seen: Counter[int] = Counter()
    found = []
    for group in groups:
        found.append((group, seen[group]))
        seen[group] += 1
    return found


def _label_numbers(level: DataColumn, known: dict[Hashable, int]) -> Plain:
    """A number for each label, the same for equal ones; a time is not the text that says it. Each
    different label is looked at once, however many columns share it."""
    held = without_categories(level)
    used, at = np.unique(plain(held.values), return_inverse=True)
    kind = held.kind if held.kind in UNQUOTED else ""
    numbers = []
    for value in cells(like(held, held, used, None)):
        whole = int(value) if isinstance(value, float) and value.is_integer() else value
        numbers.append(known.setdefault((kind, type(whole), whole), len(known) + 1))
    return np.where(missing(held), 0, np.array(numbers, np.int64)[at])


def _paired(have: list[_Key], want: list[_Key]) -> list[tuple[int, int]]:
    ours = {key: place for place, key in enumerate(have)}
    return [(ours[key], place) for place, key in enumerate(want) if key in ours]


def _name(name: Label) -> str:
    if isinstance(name, Items):
        return short(f"({', '.join(map(_name, name.items))})", NAMED)  # type: ignore[arg-type]
    return "none" if name is None else quoted_value(name)
