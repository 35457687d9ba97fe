"""Small calls with data frames, how they are written, and changes that a result shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autograder.assignment.arguments import made
from autograder.assignment.kinds import FrameRules
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import brief
from autograder.judging.checks.finding import Args
from autograder.judging.diagnosis.literals import both_written, call_code, code, written
from autograder.judging.diagnosis.small_calls import LARGEST, words_of
from autograder.judging.diagnosis.smaller import smaller
from autograder.judging.diagnosis.smallest import size_of
from autograder.judging.diagnosis.transforms.frames import FramePair, recognise_frames
from autograder.wire.messages import Call, Outcome, Reply, decode, encode
from autograder.wire.tensors import from_wire, to_wire
from autograder.wire.values import DataFrame, Value
from tests.support import every_column

ROWS = 40
SECRET = pd.DataFrame(
    {
        "city": np.resize(["Zyxwvburg", "Qponmstadt", "Jihgfheim"], ROWS),
        "price": np.arange(ROWS) * 1234.5678 + 98765.4321,
        "count": np.arange(ROWS) + 987_654,
        "sold": np.arange(ROWS) % 3 == 0,
        "day": pd.to_datetime("1987-06-05") + pd.to_timedelta(np.arange(ROWS), "D"),
        "grade": pd.Categorical(np.resize(["Low", "High"], ROWS)),
        "empty": pd.array([None, *range(1, ROWS)], dtype="Int64"),
    }
)
KNOWN = frozenset("city price count sold day grade empty low high".split())


def small(*values: Any, known: Collection[str] = KNOWN) -> list[Args]:
    args = tuple(map(to_wire, values))
    return list(smaller(args, known, [args]))[:40]


def test_a_small_frame_has_the_same_columns_and_none_of_the_numbers_and_words() -> None:
    calls = small(SECRET)
    assert calls and all(size_of(args) <= LARGEST for args in calls[:2])
    for (frame,) in calls:
        assert isinstance(frame, DataFrame)
        assert decode(encode(Reply(1, Outcome("returned", frame))), Reply)
        back = from_wire(frame)
        assert back.dtypes.to_list() == SECRET.dtypes.to_list()
        assert list(back.columns) == list(SECRET.columns)
        text = back.to_csv()
        for secret in ("zyxw", "qpon", "jihg", "1987", "9876", "987_", "234."):
            assert secret not in text.lower()
        assert set(back["grade"]) <= {"Low", "High"}
        assert len(back) < 2 or back["empty"].isna().any()


def test_a_column_that_students_do_not_know_is_renamed() -> None:
    (frame,) = small(SECRET, known=KNOWN - {"price", "low"})[0]
    assert list(from_wire(frame).columns) == ["city", "e", *SECRET.columns[2:]]
    assert "Low" not in from_wire(frame).to_csv()


def test_equal_lengths_and_words_of_two_frames_stay_equal() -> None:
    other = pd.DataFrame({"city": ["Qponmstadt", "Zyxwvburg"], "land": ["Aa", "Bb"]})
    joined = [
        from_wire(one).merge(from_wire(two), on="city", how="inner")
        for one, two in small(SECRET, other, known=KNOWN | {"land"})
    ]
    assert any(len(table) for table in joined)


def test_some_small_tables_repeat_texts_times_and_whole_numbers_and_have_fractions() -> None:
    several = SECRET.assign(count=[7, 7, *range(ROWS - 2)], day=SECRET["day"].iloc[0])
    tables = [from_wire(frame).iloc[:-1] for (frame,) in small(several)]
    for column in ("city", "count", "day"):
        assert any(len(t) > 1 and t[column].nunique() == 1 for t in tables), column
        assert any(len(t) > 1 and t[column].is_unique for t in tables), column
    assert any((t["price"] % 1).any() for t in tables)
    assert any((t["count"] > 0).all() and t["count"].size for t in tables)
    months = [t["day"].dropna().dt.to_period("M").nunique() for t in tables]
    assert max(months) > 1


def test_keys_stay_keys_and_tables_that_are_joined_have_some_in_common() -> None:
    orders = pd.DataFrame({"product": ["b", "a", "b", "c"], "quantity": [2, 5, 2, 2]})
    products = pd.DataFrame({"product": ["c", "d", "a", "b"], "price": [1.5, 2.5, 3.5, 4.5]})
    calls = [
        tuple(map(from_wire, call))
        for call in small(orders, products, known={*"abcd", "product", "price"})
    ]
    assert all(right["product"].is_unique for _, right in calls)
    assert not all(left["product"].is_unique for left, _ in calls)
    found = [left.merge(right, how="left")["price"].isna() for left, right in calls]
    assert any(one.any() and not one.all() for one in found)
    assert any(
        not left.join(right["price"])["price"].equals(left.merge(right, how="left")["price"])
        for left, right in calls
        if len(left) == len(right)
    )


def test_labels_of_rows_do_not_repeat() -> None:
    table = pd.DataFrame({"n": [5.5, 6.5]}, index=["Xenon", "Argon"])
    for (frame,) in small(table, table.rename_axis("gas"))[:10] and small(table):
        assert from_wire(frame).index.is_unique


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame({"i": pd.arrays.IntervalArray.from_breaks([0, 1, 2])}),
        pd.DataFrame({"m": pd.Series([1, "a"], dtype=object)}),
    ],
)
def test_what_has_no_small_form_has_no_small_calls(table: pd.DataFrame) -> None:
    assert small(table) == []


def test_words_of_a_frame_are_its_cells_and_labels_and_not_its_dtypes() -> None:
    words = words_of([to_wire(SECRET)])
    assert {"zyxwvburg", "price", "low"} <= words and not {"object", "int64", "pandas"} & words


TABLE = pd.DataFrame(
    {
        "city": ["a", None, "b"],
        "price": [1.5, np.nan, 3.0],
        "day": pd.to_datetime(["2024-01-01", "2024-01-02", None]),
        "grade": pd.Categorical(["x", "y", "x"]),
        "ok": [True, False, True],
    }
)
_UNWRITTEN = {"complex", "huge"}  # kinds of columns without a short code


def _labels(table: pd.DataFrame) -> list[str]:
    """Two columns for the index: pandas has none of float16."""
    return [name for name in table if name != "half"][:2]


_SHAPES: list[Callable[[pd.DataFrame], Any]] = [
    lambda table: table,
    lambda table: table.iloc[:, 0],
    lambda table: table.iloc[:, 0].array,
    lambda table: table.set_index(_labels(table)[0]),
    lambda table: table.set_index(_labels(table)),
    lambda table: table.set_index(_labels(table)).index,
    lambda table: table.set_axis(pd.Index([5, 9, 7][: len(table)]))[table.columns[1]],
    lambda table: table.set_axis([2, 0, 1], axis=1).rename_axis(columns="n"),
    lambda table: pd.concat({"left": table, "right": table}, axis=1),
]


def _dtypes(value: Value) -> list[str]:
    """The dtypes of columns and labels but for what no code chooses: units of time, whether numbers
    are a range, whether texts are objects."""
    assert isinstance(value, DataFrame)
    index = value.columns if value.form == "index" else value.index
    kept = index if len(index) == 1 else ()  # pandas guesses those of several levels
    columns = kept if value.form == "index" else (*value.columns, *kept)
    usual = {"range": "int64", "object": "str"}
    names = (re.sub(r"64\[[a-z]+", "64[", c.dtype) for c in columns)
    return [usual.get(name, name) for name in names]


def _columns(index: int, count: int = 3) -> pd.DataFrame:
    """``count`` of the columns of every kind, beginning anywhere; without missing rows, in the
    order of the rows, or with one row, none, or only a missing one."""
    names = np.roll(list(every_column.TABLE), index)[:count]
    rows = [[0, 1, 2], [2, 0], [0], [], [1]][index % 5]
    return every_column.TABLE[list(names)].iloc[rows].reset_index(drop=True)


@pytest.mark.parametrize("index", range(2 * every_column.TABLE.shape[1]))
def test_a_small_frame_is_written_as_code_that_makes_it(index: int) -> None:
    table = _SHAPES[index % len(_SHAPES)](_columns(index))
    sent = to_wire(table)
    text = code(sent)
    if text == brief(sent):  # nothing that can be typed in
        assert _UNWRITTEN & set(_columns(index))
        return
    again = to_wire(eval(text, {"pd": pd}))
    assert compare(again, sent, where="x", rules=Rules(frame=FrameRules(index=True))) == (), text
    assert _dtypes(again) == _dtypes(sent), text


@pytest.mark.parametrize("label", ["x" * 50, pd.Timestamp("2024-01-01"), ("a", "x" * 50)])
def test_a_label_that_is_cut_or_a_time_is_no_code(label: Any) -> None:
    sent = to_wire(pd.DataFrame({label: [1.5]}))
    assert code(sent) == brief(sent)


@pytest.mark.parametrize("rows", [[0, 1, 2], [1], []])
def test_a_table_of_polars_is_written_as_code_that_makes_it(rows: list[int]) -> None:
    table = pl.DataFrame(
        {
            "city": ["a", None, "b"],
            "price": [1.5, None, np.inf],
            "small": pl.Series([1, None, 3], dtype=pl.Int8),
            "day": pl.Series(["2024-01-01", None, "2024-12-24"]).str.to_date(),
            "at": pl.Series(["2024-01-01 10:00", None, "2024-12-24 12:30"]).str.to_datetime(),
            "ok": [True, None, False],
        }
    )[rows]
    for sent in map(to_wire, [table, *table.get_columns()]):
        assert to_wire(eval(code(sent), {"pl": pl})) == sent


def test_results_are_written_by_column_or_by_label() -> None:
    assert written(to_wire(TABLE[["city", "price"]])) == (
        "{'city': ['a', None, 'b'], 'price': [1.5, None, 3.]}"
    )
    assert written(to_wire(TABLE.groupby("ok")["price"].sum())) == "{False: 0., True: 4.5}"
    assert written(to_wire(pd.Timestamp("2024-01-01"))) == "'2024-01-01'"
    call = Call("e", "C.f", (made("C", 2, then=[("fit", [1])]), to_wire(TABLE["ok"])))
    assert call_code(call) == "C(2).fit([1]).f(pd.Series([True, False, True], name='ok'))"


@pytest.mark.parametrize("shape", [(10**6, 0), (25, 1), (0, 25), (5, 5)])
def test_a_table_with_many_cells_or_labels_is_not_written_out(shape: tuple[int, int]) -> None:
    table = pd.DataFrame(np.zeros(shape), index=np.arange(shape[0]) % 2 == 0)
    assert max(len(code(to_wire(table))), *map(len, both_written(to_wire(table), None))) < 100


CHANGES: dict[str, tuple[Any, str]] = {
    "reversed": (TABLE[::-1].reset_index(drop=True), "with its rows in reverse order"),
    "dropped": (TABLE.dropna(), "without the rows that have missing values"),
    "filled": (TABLE.fillna({"price": 0}), "with zeros where values are missing"),
    "right": (TABLE, ""),
    "otherwise": (TABLE.assign(price=[1, 2, 3]), ""),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_of_the_right_result_is_recognised(name: str) -> None:
    actual, words = CHANGES[name]
    pair = FramePair(to_wire(actual), to_wire(TABLE), FrameRules(), None)  # type: ignore[arg-type]
    found = recognise_frames([pair])
    assert (found.words if found else "") == words
