"""Data frames at the border: what comes back, what is refused by name, and lies about lengths."""

from __future__ import annotations

import datetime as dt
import subprocess
import sys
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
from tests.support.tables import evaluated, table_beside

EVERY = table_beside(__file__)
PARTS = EVERY["parts"]  # expressions
NAMES = {"DAYS": DAYS, "dt": dt, "MAX_LABELS": MAX_LABELS, "MOST_LEVELS": MOST_LEVELS}


def travelled(value: Value) -> Value:
    answer = decode(encode(Reply(1, Outcome("returned", value))), Reply).answer
    assert isinstance(answer, Outcome)
    return answer.value


@pytest.mark.parametrize("name", PARTS)
def test_a_frame_comes_back_as_it_was(name: str) -> None:
    value = evaluated(PARTS[name], globals() | NAMES)
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


LIES = EVERY["lies"]  # an expression, and what is said of it


@pytest.mark.parametrize("lie", LIES)
def test_a_frame_whose_parts_contradict_each_other_is_refused(lie: str) -> None:
    with pytest.raises(WireError, match=LIES[lie]["said"]):
        travelled(evaluated(LIES[lie]["value"], globals() | NAMES))


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
