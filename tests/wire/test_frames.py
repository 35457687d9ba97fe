"""Data frames at the border: what comes back, what is refused by name, and lies about lengths."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import polars as pl
import pytest
import scipy.sparse as sp

from autograder.wire.lengths import MAX_LABEL, MAX_LABELS, MOST_LEVELS
from autograder.wire.messages import Outcome, Reply, WireError, decode, encode
from autograder.wire.tensors import from_wire, to_wire
from autograder.wire.values import Array, DataColumn, DataFrame, Items, Opaque, Sparse, Value
from tests.support.every_column import DAYS, TABLE

PARTS: dict[str, Callable[[], Any]] = {
    "all kinds of columns": lambda: TABLE,
    "two levels of rows": lambda: TABLE.set_index(["text", "whole"]),
    "two levels of columns": lambda: pd.DataFrame(
        np.arange(6.0).reshape(2, 3),
        columns=pd.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", None]),
        index=pd.to_datetime(DAYS[::2]),
    ),
    "columns of one name": lambda: pd.DataFrame([[1, 2.5]], columns=["a", "a"]),
    "times as columns": lambda: pd.DataFrame([[1, 2]], columns=pd.to_datetime(DAYS[::2])),
    "no columns": lambda: pd.DataFrame(index=[3, 1]),
    "no rows": lambda: TABLE.head(0),
    "nothing": pd.DataFrame,
    "a series": lambda: TABLE["zoned"],
    "unsigned numbers": lambda: pd.Series([2**64 - 1, 2**63 + 1], dtype="uint64"),
    "unsigned numbers, some missing": lambda: pd.Series([2**63 + 1, None], dtype="UInt64"),
    "unsigned numbers of polars": lambda: pl.Series("n", [2**63 + 1, None], dtype=pl.UInt64),
    "large numbers": lambda: pd.Series([10**400, 2**60 + 1, 0.5], dtype=object),
    "a series of groups": lambda: TABLE.groupby("bool")["whole"].sum(),
    "a series of a tuple's name": lambda: pd.Series([1], name=("a", 1)),
    "the default index": lambda: TABLE.index,
    "another range": lambda: pd.RangeIndex(10, 0, -3, name="n"),
    "an index of two levels": lambda: TABLE.set_index(["text", "whole"]).index,
    "an array of pandas": lambda: TABLE["string"].array,
    "times of NumPy": lambda: TABLE["time"].to_numpy(),
    "a time": lambda: pd.Timestamp("2024-01-01 12:00:00.123456789"),
    "a time in a zone": lambda: pd.Timestamp("2024-07-01", tz="Europe/Berlin"),
    "a difference of times": lambda: pd.Timedelta("1h"),
    "a day": lambda: dt.date(2024, 1, 1),
    "a sparse matrix": lambda: sp.random(5, 4, 0.3, "csr", random_state=0),
    "a sparse array": lambda: sp.csc_array(np.eye(3, dtype=np.float32)),
    "polars": lambda: pl.DataFrame(
        {"a": [1, None], "t": ["x", None], "d": [dt.date(2024, 1, 1), None], "b": [None, True]}
    ),
    "a series of polars": lambda: pl.Series("x", [1.5, 2.5]),
    "nanoseconds of polars": lambda: pl.Series("x", TABLE["nanoseconds"] + pd.Timedelta(1, "ns")),
    "times of polars in a zone": lambda: pl.Series("x", TABLE["time"]).dt.replace_time_zone(
        "Asia/Tokyo"
    ),
    "time differences of polars": lambda: pl.Series("x", TABLE["duration"].dt.as_unit("ms")),
}


def travelled(value: Value) -> Value:
    answer = decode(encode(Reply(1, Outcome("returned", value))), Reply).answer
    assert isinstance(answer, Outcome)
    return answer.value


@pytest.mark.parametrize("name", PARTS)
def test_a_frame_comes_back_as_it_was(name: str) -> None:
    value = PARTS[name]()
    sent = to_wire(value)
    assert isinstance(sent, DataFrame | Sparse)
    back = from_wire(travelled(sent))
    assert msgspec.msgpack.encode(to_wire(back)) == msgspec.msgpack.encode(sent)
    match value:
        case pd.DataFrame():
            pd.testing.assert_frame_equal(back, value, check_freq=False)
        case pd.Series():
            pd.testing.assert_series_equal(back, value)
        case pd.Index():
            pd.testing.assert_index_equal(back, value, exact="equiv")
        case pl.DataFrame() | pl.Series():
            assert back.equals(value)
        case sp.spmatrix() | sp.sparray():
            assert type(back) is type(value) and (back != value).nnz == 0
        case np.ndarray():
            assert np.array_equal(back, value, equal_nan=True)
        case _ if name != "an array of pandas":
            assert back == value


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (pd.DataFrame({"a": [1], "b": [[1]]}), "DataFrame with list objects in column 'b'"),
        (pd.Series([{1}]), "Series with set objects"),
        (pd.DataFrame({"f": [pd.DataFrame]}), "DataFrame with type objects in column 'f'"),
        (pl.DataFrame({"a": [[1]]}), "DataFrame with list objects in column 'a'"),
        (pl.DataFrame({"a": [{"b": 1}]}), "DataFrame with dict objects in column 'a'"),
    ],
)
def test_objects_in_a_column_are_refused_by_name(value: Any, kind: str) -> None:
    sent = to_wire(value)
    assert isinstance(sent, Opaque) and sent.type == kind


def test_a_missing_time_is_a_missing_value() -> None:
    for value in (pd.NaT, pd.NA):
        sent = to_wire(value)
        assert isinstance(sent, DataFrame) and sent.form == "value"
        assert from_wire(travelled(sent)) is None


class OwnFrame(pd.DataFrame):
    """A student's own subclass that lies where it can."""

    @property
    def columns(self) -> Any:
        raise RuntimeError

    def __len__(self) -> int:
        return 10**9

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError


def test_a_subclass_is_read_as_the_library_s_own_class() -> None:
    sent = to_wire(OwnFrame({"a": [1, 2]}))
    assert isinstance(sent, DataFrame) and sent.rows == 2


def test_no_library_is_imported_to_look_at_a_value() -> None:
    code = (
        "import sys; from autograder.wire.tensors import to_wire;"
        "to_wire([1, {'a': object()}]);"
        "print([m for m in ('pandas', 'polars', 'scipy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_library_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = to_wire(TABLE)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="an argument needs pandas, which is not installed"):
        from_wire(sent)


# ---------------------------------------------------------------- lies

THREE, TWO = Array("int64", (3,), bytes(24)), Array("int64", (2,), bytes(16))
LONG = Array("bool", (100_001,), bytes(100_001))
ONE = Array("int64", (1,), bytes(8))
CODES = Array("int32", (2,), b"\0\0\0\0\1\0\0\0")
NUMBERS = DataColumn("number", "int64", TWO)
LABELS = DataColumn("text", "str", Array("int32", (1,), bytes(4)), levels=("a",))
TEXTS = DataColumn("text", "str", CODES, levels=("a", "b"))
LONGER = DataColumn("number", "int64", THREE)


def frame(*columns: DataColumn, **parts: Any) -> DataFrame:
    return DataFrame("frame", columns, **{"header": (LABELS,), **parts})


def labelled(text: str, number: int) -> DataFrame:
    """A frame of columns that share one label, which is on the wire once."""
    shared = DataColumn("text", "str", Array("int32", (number,), bytes(4 * number)), levels=(text,))
    held = DataColumn("category", "category", shared.values, categories=shared)
    return DataFrame("frame", (NUMBERS,) * number, (held,))


def named(*parts: Value) -> DataFrame:
    return frame(msgspec.structs.replace(NUMBERS, name=Items("tuple", parts)))


LIES: dict[str, tuple[Value, str]] = {
    "index longer": (frame(NUMBERS, index=(LONGER,)), "different lengths"),
    "no label": (frame(NUMBERS, NUMBERS), "labels than columns"),
    "too many columns": (
        frame(*[NUMBERS] * 100_001, header=(DataColumn("bool", "", LONG),)),
        "too many columns",
    ),
    "too many levels": (frame(NUMBERS, index=(NUMBERS,) * 101), "too many columns"),
    "no header": (frame(NUMBERS, header=()), "no known form"),
    "series of two": (DataFrame("series", (NUMBERS, NUMBERS)), "no known form"),
    "value of two": (DataFrame("value", (NUMBERS,)), "no known form"),
    "index without levels": (DataFrame("index", ()), "no known form"),
    "index of an index": (DataFrame("index", (NUMBERS,), index=(NUMBERS,)), "no known form"),
    "mask too short": (
        frame(DataColumn("number", "", TWO, Array("bool", (1,), b"\1"))),
        "missing values",
    ),
    "mask of numbers": (frame(DataColumn("number", "", TWO, TWO)), "missing values"),
    "two axes": (frame(DataColumn("number", "", Array("int64", (1, 1), bytes(8)))), "bad column"),
    "codes of floats": (frame(DataColumn("text", "", TWO, levels=("a",))), "another dtype"),
    "numbers of booleans": (
        frame(DataColumn("number", "", Array("bool", (1,), b"\1"))),
        "another dtype",
    ),
    "times without a unit": (frame(DataColumn("time", "", TWO)), "another dtype"),
    "code without a text": (
        frame(DataColumn("text", "", CODES, levels=("a",))),
        "code without a value",
    ),
    "code below -1": (
        frame(DataColumn("text", "", Array("int32", (1,), b"\xfe\xff\xff\xff"), levels=("a",))),
        "code without a value",
    ),
    "category without any": (frame(DataColumn("category", "", CODES)), "categories"),
    "categories of categories": (
        frame(
            DataColumn(
                "category",
                "",
                CODES,
                categories=DataColumn("category", "", CODES, categories=TEXTS),
            )
        ),
        "categories of categories",
    ),
    "number as a text": (frame(DataColumn("text", "", CODES, levels=("a", 1))), "text that is"),
    "place outside": (
        Sparse(
            "csr",
            (2, 2),
            Array("int64", (1,), b"\2" + bytes(7)),
            *[Array("int64", (1,), bytes(8))] * 2,
        ),
        "outside",
    ),
    "places of another length": (Sparse("csr", (2, 2), TWO, THREE, TWO), "outside"),
    "endless sparse matrix": (Sparse("csr", (2**40, 2**40), TWO, TWO, TWO), "bad shape"),
    "a label that is too long": (labelled("x" * (MAX_LABEL + 1), 1), "too long"),
    "a label of too many columns": (
        labelled("x" * MAX_LABEL, MAX_LABELS // MAX_LABEL + 1),
        "too long",
    ),
    "a name of too many parts": (named(*"a" * (MOST_LEVELS + 1)), "a name that is too long"),
    "a name of too many parts of parts": (named(*[Items("tuple", ())] * 101), "a name that is"),
    "a name that is too long": (named("x" * (MAX_LABEL + 1)), "a name that is too long"),
    "a name that is none": (named(ONE), "a name that is too long"),
    "places as floats": (
        Sparse("csr", (2, 2), Array("float64", (2,), bytes(16)), TWO, TWO),
        "bad places",
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_frame_whose_parts_contradict_each_other_is_refused(lie: str) -> None:
    value, why = LIES[lie]
    with pytest.raises(WireError, match=why):
        travelled(value)


def test_a_chain_of_categories_ends() -> None:
    column = TEXTS
    for _ in range(40):
        column = DataColumn("category", "", CODES, categories=column)
    with pytest.raises(WireError):
        travelled(frame(column))


@pytest.mark.parametrize("library", [pd, pl])
def test_labels_of_columns_that_are_too_long_are_refused_by_name(library: Any) -> None:
    long = to_wire(library.DataFrame({"x" * (MAX_LABEL + 1): [1]}))
    assert isinstance(long, Opaque)
    assert long.type == "DataFrame with labels of columns that are too long"
    assert isinstance(to_wire(library.DataFrame({"x" * MAX_LABEL: [1]})), DataFrame)


@pytest.mark.parametrize(
    "name",
    [
        "x" * 20_000,
        tuple(range(200)),
        (("a",) * 80,) * 3,
        ("x" * 20_000, 10**4000),
        10**3000,
        frozenset({"x" * 20_000}),
    ],
)
def test_a_name_of_any_size_crosses_the_border(name: Any) -> None:
    for sent in (to_wire(pd.Series([1], name=name)), to_wire(pd.Series([1]).rename_axis([name]))):
        assert isinstance(travelled(sent), DataFrame)
