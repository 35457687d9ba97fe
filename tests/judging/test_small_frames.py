"""Small calls with data frames, how they are written, and changes that a result shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from autograder.assignment.arguments import made
from autograder.assignment.kinds import FrameRules
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.finding import Args
from autograder.judging.diagnosis.call_size import size_of
from autograder.judging.diagnosis.literals import call_code, code, written
from autograder.judging.diagnosis.small_calls import LARGEST, words_of
from autograder.judging.diagnosis.smaller import smaller
from autograder.judging.diagnosis.transforms.frames import FramePair, recognise_frames
from autograder.wire.messages import Call, Outcome, Reply, decode, encode
from autograder.wire.tensors import from_wire, to_wire
from autograder.wire.values import DataFrame

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


def small(*values: Any, known: frozenset[str] = KNOWN) -> list[Args]:
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


@pytest.mark.parametrize(
    "table", [TABLE, TABLE.set_index("grade"), TABLE["price"], TABLE.set_index("day")["price"]]
)
def test_a_small_frame_is_written_as_code_that_makes_it(table: Any) -> None:
    sent = to_wire(table)
    made_again = eval(code(sent), {"pd": pd, "nan": np.nan})
    rules = Rules(frame=FrameRules(index=True))
    assert compare(to_wire(made_again), sent, where="x", rules=rules) == ()


def test_results_are_written_by_column_or_by_label() -> None:
    assert written(to_wire(TABLE[["city", "price"]])) == (
        "{'city': ['a', None, 'b'], 'price': [1.5, None, 3.]}"
    )
    assert written(to_wire(TABLE.groupby("ok")["price"].sum())) == "{False: 0., True: 4.5}"
    assert written(to_wire(pd.Timestamp("2024-01-01"))) == "'2024-01-01'"
    call = Call("e", "C.f", (made("C", 2, then=[("fit", [1])]), to_wire(TABLE["ok"])))
    assert call_code(call) == "C(2).fit([1]).f(pd.Series([True, False, True]))"


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
