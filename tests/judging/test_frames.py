"""Comparison of data frames: what agrees, what differs, and how it is said. pandas.testing is the
judge of the judge: what it calls equal by value is equal here."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks import frame_columns, frame_rows, frame_texts
from autograder.judging.checks.arrays import Bounds
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.decoded_value import DecodedValue, Wrong
from autograder.judging.checks.explain import call_text, describe, sentences
from autograder.judging.checks.frame_rows import Compared
from autograder.judging.checks.frame_values import ColumnValues, equal
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array, DataColumn, DataFrame, Value, Whole
from tests.support.effort import costs_at_most
from tests.support.tables import evaluated, table_beside

TABLE = pd.DataFrame(
    {
        "city": ["Berlin", "Paris", "Rome", "Oslo"],
        "price": [1.5, 2.5, np.nan, 4.0],
        "n": [1, 2, 3, 4],
    }
)
CITIES = TABLE.set_index("city")
SHOPS = TABLE.set_index(pd.Index([7, 8, 9, 7], name="shop"))
BACKWARDS = TABLE.sort_values("n", ascending=False)
WHEN = pd.DataFrame({"at": pd.to_datetime(["2024-01-01", "2024-06-01"])})
BERLIN = WHEN.assign(at=WHEN["at"].dt.tz_localize("Europe/Berlin"))
MATRIX = sp.random(50, 40, 0.1, "csr", random_state=0)


def said(actual: Any, expected: Any, **rules: Any) -> str:
    """What a student is told; "" if the two are equal."""
    frame = FrameRules(**rules)
    found = compare(to_wire(actual), to_wire(expected), where="df", rules=Rules(frame=frame))
    return sentences(found, most=9)


def changed(**columns: Any) -> pd.DataFrame:
    return TABLE.assign(**columns)


ROWS = table_beside(__file__)  # expressions: actual, expected, rules
EQUAL = ROWS["equal"]
DIFFERENT = {
    **{row["said"]: row["compared"] for row in ROWS["different"]},
    "`df`, name of the index: expected 'city', got (" + "'a', " * 39 + "'a'….": (
        "CITIES.rename_axis([tuple('a' * 80)]), CITIES, dict(names=True)"
    ),
    f"`df`, row 0: expected 1{'0' * 28}…, got -1{'0' * 27}….": (
        "pd.Series([-(10**400), 'a']), pd.Series([10**400, 'a'])"
    ),
    f"`df`, column 'city': the dtype is {TABLE['city'].dtype}; expected category.": (
        "TABLE, TABLE.astype({'city': 'category'}), dict(dtype='kind')"
    ),
}


@pytest.mark.parametrize("name", EQUAL)
def test_what_says_the_same_is_equal(name: str) -> None:
    actual, expected, *rules = evaluated(EQUAL[name], globals() | {"pl": pl})
    assert said(actual, expected, **dict(*rules)) == ""


@pytest.mark.parametrize("text", DIFFERENT)
def test_a_difference_is_said_in_a_sentence(text: str) -> None:
    actual, expected, *rules = evaluated(DIFFERENT[text], globals())
    assert said(actual, expected, **dict(*rules)) == text


def test_rows_in_another_order_are_told_as_those_in_order_are() -> None:
    moved = BACKWARDS.assign(price=[4, np.nan, 2.6, 1.5])
    assert said(moved, TABLE, rows="any") == said(changed(price=[1.5, 2.6, np.nan, 4]), TABLE)
    other = CITIES.rename({"Rome": "Roma"})
    assert said(other, CITIES, rows="any") == said(other, CITIES)


def test_a_tolerance_may_be_stated_for_a_column() -> None:
    loose = Tolerance(rtol=0, atol=0.2, why="measured in this test")
    near = changed(price=[1.5, 2.6, np.nan, 4])
    assert said(near, TABLE, tolerances={"price": loose}) == ""
    long = near.add_prefix("a name that is long enough to be cut where it is shown: ")
    there = long.assign(**{long.columns[1]: TABLE["price"]})
    assert said(long, there, tolerances={long.columns[1]: loose}) == ""
    assert said(near, TABLE, tolerances={"n": loose}) != ""
    apart = changed(n=[1, 2, 3, 5])
    assert said(apart, TABLE, tolerances={"price": loose}) != ""


def test_rows_in_any_order_are_paired_within_tolerance() -> None:
    """Numbers that differ by rounding never sort two frames differently."""
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"a": np.repeat(rng.normal(size=500), 2), "b": rng.normal(size=1000)})
    rounded = table.assign(a=table["a"] * (1 + rng.choice([-1, 1], 1000) * 5e-8))
    assert said(rounded.sample(frac=1, random_state=1), table, rows="any") == ""
    wrong = rounded.sample(frac=1, random_state=1)
    wrong.iloc[3, 1] += 1
    assert said(wrong, table, rows="any").count("expected") == 1


def test_rows_in_any_order_are_equal_if_some_order_is() -> None:
    """Also where a tolerance is wider than the numbers are apart, so that several rows fit one."""
    loose = Tolerance(rtol=0, atol=1, why="measured in this test")
    rng, found = np.random.default_rng(7), set()
    for _ in range(300):
        size = int(rng.integers(1, 6))
        table = pd.DataFrame(rng.integers(0, 6, (size, 2)).astype(float), columns=["x", "y"])
        other = table.sample(frac=1, random_state=1) + rng.choice([-1, 0, 1], (size, 2))
        other.iloc[0, 0] += rng.choice([0, 1])
        close = np.abs(other.to_numpy()[:, None] - table.to_numpy()).max(axis=2) <= 1
        fits = [close[range(size), order].all() for order in itertools.permutations(range(size))]
        tolerances = {"x": loose, "y": loose}
        assert (said(other, table, rows="any", tolerances=tolerances) == "") == any(fits)
        text = said(other, table, tolerances=tolerances)
        assert ("another order" in text) == (any(fits) and text != "")
        found.add((any(fits), text == ""))
    assert len(found) == 3
    cents = pd.DataFrame({"price": rng.integers(0, 999, 2000) / 100, "cost": rng.random(2000)})
    rounded = (cents + rng.uniform(-0.005, 0.005, cents.shape)).sample(frac=1, random_state=1)
    cent = Tolerance(rtol=0, atol=0.01, why="measured in this test")
    with costs_at_most(5.0):
        assert said(rounded, cents, rows="any", tolerances={"price": cent, "cost": cent}) == ""


def test_random_frames_are_equal_where_pandas_says_so() -> None:
    """Shuffled, changed and damaged frames: ``rows = "any"`` and "ordered" agree with pandas."""
    rng = random.Random(5)
    for seed in range(150):
        numbers = np.random.default_rng(seed)
        size = rng.randrange(1, 9)
        table = pd.DataFrame(
            {
                "k": numbers.integers(0, 3, size),
                "t": numbers.choice(["a", "b", None], size),
                "x": numbers.choice([0.5, 1.5, np.nan], size),
            }
        )
        other = table.sample(frac=1, random_state=seed)
        if rng.random() < 0.5:
            other = other.copy()
            other.iloc[rng.randrange(size), rng.randrange(3)] = None
        keys = ["k", "t", "x"]
        for rows, one, two in (
            ("ordered", other.reset_index(drop=True), table),
            ("any", *(f.sort_values(keys, ignore_index=True) for f in (other, table))),
        ):
            try:
                pd.testing.assert_frame_equal(one, two, check_dtype=False)
                same = True
            except AssertionError:
                same = False
            assert (said(other, table, rows=rows, index=False) == "") == same, (seed, rows)


@pytest.mark.slow
def test_large_frames_cost_little() -> None:
    rng = np.random.default_rng(0)
    size = 30_000
    table = pd.DataFrame(
        {"x": rng.normal(size=size), "n": rng.integers(0, 5, size), "t": rng.choice([*"abc"], size)}
    )
    shuffled = table.sample(frac=1, random_state=1)
    alike = to_wire(pd.DataFrame({f"c{n}": [1] for n in range(20_000)}))
    other = to_wire(pd.DataFrame({f"d{n}": [1] for n in range(20_000)}))
    with costs_at_most(20.0):
        assert "another order" in said(shuffled, table)
        assert said(shuffled, table, rows="any") == ""
        assert len(compare(other, alike, where="x")) == 11


def test_a_claim_of_millions_of_rows_costs_little() -> None:
    huge = to_wire(pd.DataFrame({"city": ["x"] * 3_000_000, "price": 0.5, "n": 1}))
    table = to_wire(TABLE)
    codes = Array("int32", (1,), bytes(4))
    categories = DataColumn("text", "", codes, levels=tuple(map(str, range(10**6))))
    with costs_at_most(2.0):
        assert len(compare(DataFrame("series", (categories,)), table, where="x")) == 1
        assert compare(DataFrame("series", (categories,)), to_wire(["0"]), where="x") == ()
        (found,) = compare(huge, table, where="x")
        assert (found.expected, found.actual) == ("4 rows", "3000000 rows")
        with pytest.raises(Wrong, match="at most 100,000 values"):
            DecodedValue("x", huge).plain()


def test_a_relation_sees_lists() -> None:
    value = DecodedValue("df", to_wire(TABLE)).plain()
    assert value["city"] == ["Berlin", "Paris", "Rome", "Oslo"] and value["price"][2] is None
    assert DecodedValue("s", to_wire(TABLE["n"])).plain() == [1, 2, 3, 4]
    assert DecodedValue("s", to_wire(TABLE["n"])).tensor().tolist() == [1, 2, 3, 4]
    assert DecodedValue("x", to_wire(TABLE[["price", "n"]])).tensor().shape == (4, 2)


def test_frames_are_described() -> None:
    args = tuple(map(to_wire, (TABLE, TABLE["n"], pd.Timestamp("2024-01-01"), MATRIX)))
    assert call_text("f", args) == "f(DataFrame [4, 3], Series [4], 2024-01-01, sparse [50, 40])"
    assert describe(args[2]) == "the time 2024-01-01"
    assert describe(args[3]) == "a sparse matrix of shape [50, 40]"


def test_whole_numbers_beyond_what_floats_tell_apart_may_be_rounded() -> None:
    for size, same in ((2.0**43, False), (2.0**50, True)):
        sums, others = (pd.DataFrame({"sum": [one, 3.0]}) for one in (size, size + 1.0))
        assert (said(others, sums) == "") is same


def test_the_search_for_partners_among_nearly_equal_rows_is_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """None of these rows has a partner, and each could have any other."""
    compared = 0

    def counted(one: ColumnValues, other: ColumnValues, bounds: Bounds) -> Any:
        nonlocal compared
        compared += len(one.numbers)
        return equal(one, other, bounds)

    monkeypatch.setattr(frame_rows, "equal", counted)
    monkeypatch.setattr(frame_rows, "EFFORT", 5_000)
    line = np.arange(100.0)

    def column(actual: Any, expected: Any) -> Compared:
        sides = (
            ColumnValues(np.zeros(100, bool), one, *[np.zeros(100, np.int64)] * 2)
            for one in (actual, expected)
        )
        return (*sides, Bounds(0.0, 1.5))  # type: ignore[return-value]

    found = frame_rows.match_rows([column(line, line), column(line, line + 100)], (100, 100))
    assert len(found.actual) == 0 and compared < 10_000


def _objects(*more: Any) -> Any:
    return lambda n: pd.Series([n, 7, *more], dtype=object)


def _as(dtype: str) -> Any:
    return lambda n: pd.Series(np.array([n, 7], dtype))


WHOLE: dict[str, Any] = {
    "int64": _as("int64"),
    "uint64": _as("uint64"),
    "Int64": lambda n: pd.Series([n, 7], dtype="Int64"),
    "UInt64": lambda n: pd.Series([n, 7], dtype="UInt64"),
    "polars": lambda n: pl.Series([n, 7], dtype=pl.Int64),
    "unsigned polars": lambda n: pl.Series([n, 7], dtype=pl.UInt64),
    "objects": _objects(),
    "objects and a text": _objects("n/a"),
    "objects and a fraction": _objects(0.5),
    "objects and a missing value": _objects(None),
    "categories": lambda n: pd.Series(pd.Categorical([n, 7])),
}
CLAIMED: dict[str, Any] = {
    **WHOLE,
    "list": lambda n: [n, 7],
    "float64": _as("float64"),
    "Float64": lambda n: pd.Series([float(n), 7.0], dtype="Float64"),
    "float32": _as("float32"),
    "complex128": _as("complex128"),
    "floats and a text": lambda n: pd.Series([float(n), 7.0, "n/a"], dtype=object),
}


def _held(made: Any, n: int) -> Value | None:
    """The column, unless it cannot hold the number."""
    try:
        return to_wire(made(n))
    except (OverflowError, TypeError, ValueError):
        return None


def _exactly(name: str, n: int) -> bool:
    digits = 24 if name == "float32" else 53 if "loat" in name or "complex" in name else 99
    return abs(n) % 2 ** max(abs(n).bit_length() - digits, 0) == 0


def test_a_whole_number_is_never_the_next_one() -> None:
    """Of any size, in any form; and each form is equal to any other but for its own rounding."""
    rng, met = random.Random(3), set()
    for _ in range(1_500):
        n = rng.choice([-1, 1]) * (rng.getrandbits(size := rng.randrange(10, 70)) | 1 << size)
        n = rng.choice([n, n >> 40 << 40, 2**44 + rng.randrange(3), 2**63 - 1])
        (one, make), (other, claim) = (rng.choice([*f.items()]) for f in (WHOLE, CLAIMED))
        if one == "objects and a fraction" and abs(n) < 2**44:
            continue  # those are floats
        ends = [name.rpartition(" ")[2] if " and " in name else "" for name in (one, other)]
        if ends[0] != ends[1]:
            continue
        expected, right, wrong = _held(make, n), _held(claim, n), _held(claim, n + 1)
        if expected is None or right is None or wrong is None:
            continue
        rules = Rules(frame=FrameRules(rows=rng.choice(["ordered", "any"])))
        assert not compare(right, expected, where="n", rules=rules), (one, other, n)
        if _exactly(other, n) and _exactly(other, n + 1):
            assert compare(wrong, expected, where="n", rules=rules), (one, other, n)
            met.add((one, other))
    assert len(met) > 30


def test_a_stated_tolerance_holds_for_whole_numbers() -> None:
    loose = Tolerance(rtol=0, atol=3, why="measured in this test")
    for make in (_as("int64"), _as("float64"), _objects("n/a")):
        expected, actual = (pd.DataFrame({"n": make(n)}) for n in (10**15, 10**15 + 2))
        assert said(actual, expected, tolerances={"n": loose}) == ""
        assert said(actual.astype(object), expected, tolerances={"n": loose}) == ""


def test_a_claim_of_a_dtype_is_quoted() -> None:
    flag = Array("bool", (1,), bytes(1))
    right, wrong = (
        DataFrame("array", (DataColumn("bool", dtype, flag),)) for dtype in ("bool", "`<b>\n")
    )
    rules = Rules(frame=FrameRules(dtype="exact"))
    (found,) = compare(wrong, right, where="x", rules=rules)
    assert (found.expected, found.actual) == ("bool", r"'\x60<b>\n'")


def test_a_long_number_is_cut_where_it_is_quoted() -> None:
    assert 20 < len(frame_texts.quoted_value(Whole("7" * 4000))) < 200


def test_a_label_that_columns_share_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked = []

    def counted(level: DataColumn) -> list[Value]:
        looked.append(level.length)
        return frame_texts.cells(level)

    monkeypatch.setattr(frame_columns, "cells", counted)
    twice = pd.DataFrame(np.ones((2, 500)), columns=["x" * 1000, "y"] * 250)
    assert said(twice, twice + [0, 1] * 250, columns="ordered") != ""
    assert looked and set(looked) == {2}
