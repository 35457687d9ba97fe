"""Tables with a column of every kind: rewrites that keep the meaning are equal, faults are not."""

from __future__ import annotations

import datetime as dt
import importlib.util
import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import sentences
from autograder.wire.tensors import to_wire
from autograder.wire.values import Opaque
from tests.support.every_column import COLUMNS, TABLE

ARROW = importlib.util.find_spec("pyarrow") is not None
Table = pd.DataFrame
LABELLED = TABLE.set_index(pd.Index(["x", "y", "z"], name="label"))
LEVELS = TABLE.set_index([pd.Index(["x", "x", "y"], name="a"), pd.Index([1, 2, 1], name="b")])
CASES = {
    "table": TABLE,
    "labelled": LABELLED,
    "levels": LEVELS,
    "no rows": TABLE.head(0),
    "no columns": TABLE[[]],
    "columns of two levels": pd.concat({"x": TABLE.iloc[:, :6], "y": TABLE.iloc[:, 4:9]}, axis=1),
}


def said(actual: Any, expected: Any, **rules: Any) -> str:
    sent = to_wire(actual)
    assert not isinstance(sent, Opaque), sent
    found = compare(sent, to_wire(expected), where="df", rules=Rules(frame=FrameRules(**rules)))
    return sentences(found, most=9)


def _columns(change: Callable[[pd.Series], pd.Series | None]) -> Callable[[Table], Table]:
    """A rewrite of each column that has the form; None leaves a column as it is."""

    def rewritten(table: Table) -> Table:
        kept = [table.iloc[:, at] for at in range(table.shape[1])]
        new = [change(column) for column in kept]
        each = [old if one is None else one for old, one in zip(kept, new, strict=True)]
        made = pd.DataFrame(dict(enumerate(each)), index=table.index)
        made.columns = table.columns
        return made

    return rewritten


def _objects(absent: Any) -> Callable[[pd.Series], pd.Series]:
    def rewritten(column: pd.Series) -> pd.Series:
        values = [absent if pd.isna(value) else value for value in column]
        return pd.Series(values, index=column.index, dtype=object)

    return rewritten


def _category(column: pd.Series) -> pd.Series | None:
    return (
        None if column.name in ("complex", "half", "mixed", "huge") else column.astype("category")
    )


def _fine(column: pd.Series) -> pd.Series | None:
    return column.dt.as_unit("ns") if column.dtype.kind in "mM" else None


def _wide(column: pd.Series) -> pd.Series | None:
    small = column.dtype.kind in "iu" and not column.isna().any() and (column.abs() < 999).all()
    return column.astype("float64") if small else None


def _rounded(column: pd.Series) -> pd.Series | None:
    return column * (1 + 1e-9) if column.dtype == "float64" else None


def _negative_zero(column: pd.Series) -> pd.Series | None:
    return column - 0.0 if column.dtype.kind == "f" else None


def _backend(name: str) -> Callable[[pd.Series], pd.Series | None]:
    def rewritten(column: pd.Series) -> pd.Series | None:
        if column.dtype.kind == "c" or column.name in ("mixed", "huge", "half", "period"):
            return None
        return column.convert_dtypes(dtype_backend=name)  # type: ignore[arg-type]

    return rewritten


def _own_index(table: Table) -> Table:
    return table.set_index(pd.Index(list(range(len(table))))) if table is TABLE else table


RIGHT: dict[str, tuple[Callable[[Table], Any], dict[str, Any]]] = {
    "a copy": (lambda table: table.copy(), {}),
    "objects with None": (_columns(_objects(None)), {}),
    "objects with NaN": (_columns(_objects(float("nan"))), {}),
    "objects with NA": (_columns(_objects(pd.NA)), {}),
    "categories": (_columns(_category), {}),
    "units": (_columns(_fine), {}),
    "whole floats": (_columns(_wide), {}),
    "rounding": (_columns(_rounded), {}),
    "negative zeros": (_columns(_negative_zero), {}),
    "nullable": (_columns(_backend("numpy_nullable")), {}),
    "columns reversed": (lambda table: table.iloc[:, ::-1], {}),
    "rows reversed": (lambda table: table.iloc[::-1], {"rows": "any"}),
    "labels that are kept": (_own_index, {"index": True}),
    "names of axes": (
        lambda table: table.rename_axis(index=[f"new{n}" for n in range(table.index.nlevels)]),
        {"index": False},
    ),
    "other labels": (lambda table: table.set_axis(range(5, 5 + len(table))), {"index": False}),
}
if ARROW:
    RIGHT["Arrow"] = (_columns(_backend("pyarrow")), {})


PAIRS = [
    *((name, "a copy") for name in RIGHT),
    *random.Random(1).sample(list(itertools.combinations(RIGHT, 2)), 20),
]


@pytest.mark.parametrize("case", CASES)
def test_rewrites_that_keep_the_meaning_are_equal(case: str) -> None:
    """Each by itself, and some one after the other; the reference may be the one rewritten."""
    table, done = CASES[case], 0
    for name, then in PAIRS:
        (first, rules), (second, more) = RIGHT[name], RIGHT[then]
        try:
            right = second(first(table))
        except (TypeError, ValueError, NotImplementedError):  # pandas cannot do both
            continue
        together = rules | more
        for one, other in ((right, table), (table, right)):
            assert said(one, other, **together) == "", (case, name, then)
        done += 1
    assert done > len(RIGHT)


def _as_polars(column: pd.Series) -> pl.Series:
    values = [None if pd.isna(value) else value for value in column]
    return pl.Series(str(column.name), values)


FORMS: dict[str, Callable[[pd.Series], Any]] = {
    "a list": list,
    "a tuple of NumPy's scalars": lambda column: tuple(column.to_numpy()),
    "an array": lambda column: column.to_numpy(),
    "an array of objects": lambda column: column.to_numpy(dtype=object),
    "an array of pandas": lambda column: column.array,
    "an index": pd.Index,
    "a series of polars": _as_polars,
}
NO_FORM = {
    ("an index", "half"),
    ("a series of polars", "period"),
    ("a series of polars", "mixed"),
    ("a series of polars", "huge"),
    ("a series of polars", "complex"),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_column_may_have_another_form(form: str) -> None:
    for name in COLUMNS:
        if (form, name) in NO_FORM:
            continue
        column = TABLE[name]
        for one, other in itertools.permutations((FORMS[form](column), column)):
            assert said(one, other) == "", name
            assert said(one, other, dtype="exact") == "" or form.startswith("a series"), name
