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
from scipy import sparse

from autograder.assignment.kinds import FrameRules, Tolerance
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import sentences
from autograder.wire.tensors import to_wire
from autograder.wire.values import Opaque
from tests.support.every_column import COLUMNS, TABLE
from tests.support.tables import evaluated, table_beside

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
    *random.Random(1).sample(list(itertools.combinations(RIGHT, 2)), 8),
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
            strict = said(one, other, dtype="exact")
            assert strict == "" or "the dtype is" in strict, (name, strict)


WRAPPED: dict[str, Callable[[np.ndarray[Any, Any]], Any]] = {
    "an array": lambda numbers: numbers,
    "a list": lambda numbers: numbers.tolist(),
    "a series": pd.Series,
    "a series of objects": lambda numbers: pd.Series(list(numbers), dtype=object),
    "an index": pd.Index,
    "a category": lambda numbers: pd.Series(numbers, dtype="category"),
    "an array of pandas": pd.array,
    "a series of polars": pl.Series,
}


@pytest.mark.parametrize("form", WRAPPED)
def test_what_holds_numbers_lifts_no_rule(form: str) -> None:
    """A rule of dtypes, and that whole numbers count exactly, whatever the numbers are in."""
    right = np.array([100, 200, 300], np.int32)
    wide, near = right.astype(np.float64), right + np.array([5, 0, 0], np.int32)
    wrapped = WRAPPED[form]
    loose = Rules(Tolerance(rtol=0.1, atol=0.0, why="stated by this test"))
    for expected in (right, pd.Series(right), pd.array(right)):
        frame = FrameRules(dtype="kind" if form == "a category" else "exact")
        rules = Rules(frame=frame) if expected is not right else Rules(dtype="int32")
        assert compare(to_wire(wrapped(wide)), to_wire(expected), where="it", rules=rules), expected
        assert not compare(to_wire(wrapped(wide)), to_wire(expected), where="it"), expected
    exactly = loose._replace(whole=True)
    for numbers in (right, right.tolist()):
        assert not compare(to_wire(wrapped(near)), to_wire(numbers), where="it", rules=loose)
        assert compare(to_wire(wrapped(near)), to_wire(numbers), where="it", rules=exactly)


def test_whole_numbers_of_a_sparse_matrix_are_exact() -> None:
    right = np.diag(np.array([100, 0, 300]))
    loose = Rules(Tolerance(rtol=0.1, atol=0.0, why="stated by this test"))
    near = to_wire(sparse.csr_array(right + np.diag([5, 0, 0])))
    for expected in (to_wire(right), to_wire(sparse.csr_array(right))):
        assert not compare(near, expected, where="it", rules=loose)
        assert compare(near, expected, where="it", rules=loose._replace(whole=True))
    rules = Rules(dtype="int64")
    assert compare(to_wire(sparse.csr_array(right * 1.0)), to_wire(right), where="it", rules=rules)
    assert not compare(to_wire(sparse.csr_array(right)), to_wire(right), where="it", rules=rules)


NO_COLUMN = {
    "series": lambda column: [column, column],
    "a frame": lambda column: [column.to_frame(), column.to_frame()],
    "nothing": lambda column: [column[:0], column[:0]],
    "an empty frame": lambda column: [pd.DataFrame()],
    "a number beyond all floats": lambda column: [10**400, 0.5],
    "one beside a complex number": lambda column: [10**400, np.complex128(0.5j)],
}


@pytest.mark.parametrize("values", [["2024-01-01"] * 2, ["NaT"] * 2])
@pytest.mark.parametrize("form", NO_COLUMN)
def test_a_list_of_tables_is_no_column(form: str, values: list[str]) -> None:
    for column in (
        pd.Series(pd.to_datetime(values)),
        pd.Series(pd.to_datetime(values).to_period("D")),
        pd.Series([1.5, 2.5]),
    ):
        made = NO_COLUMN[form](column)
        assert said(made, column)
        assert said(column, made)


def _near(value: Any, step: float) -> Any:
    """Another value of the same type, as near as it may be told apart."""
    match value:
        case bool() | np.bool_():
            return not value
        case int() | np.integer():
            return int(value) * 2 if abs(int(value)) >= 2**63 else int(value) + 1
        case float():
            return value * (1 + step) if np.isfinite(value) else -value
        case complex():
            return value + 1e-5j
        case str():
            return f"{value}x"
        case pd.Timestamp() | pd.Timedelta():
            return value + pd.Timedelta(1, "ns")
        case dt.date():
            return value + dt.timedelta(days=1)
    return value + 1  # a period


def _faults() -> Iterator[tuple[str, int, pd.Series]]:
    """Each cell missing, or if it is missing filled; and nearly right."""
    for name, row in itertools.product(COLUMNS, range(len(TABLE))):
        values = [None if pd.isna(value) else value for value in TABLE[name]]
        first = next(value for value in values if value is not None)
        step = 1e-2 if name == "half" else 1e-6
        for wrong in (first,) if values[row] is None else (None, _near(values[row], step)):
            changed = [wrong if at == row else value for at, value in enumerate(values)]
            yield name, row, pd.Series(changed, dtype=object)


def test_one_wrong_cell_is_found_and_named() -> None:
    """Whatever the order of rows and columns, in a table and in its column by itself."""
    rng = random.Random(3)
    for name, row, column in _faults():
        near = rng.sample(list(COLUMNS), 3)
        expected = LABELLED[[*near, *({name} - {*near})]]
        actual = expected.assign(**{name: column.to_numpy()})
        where = f"`df`, column '{name}', row '{expected.index[row]}': expected "
        for one, rules in ((actual, {}), (actual.iloc[::-1, ::-1], {"rows": "any"})):
            text = said(one, expected, **rules)
            want, _, have = text.removeprefix(where).partition(", got ")
            assert text.startswith(where) and have.endswith(".") and want != have[:-1], text
        for form in (column, list(column)):
            assert said(form, TABLE[name]), (name, column)
            assert said(TABLE[name], form), (name, column)


SALES = pd.DataFrame(
    {"price": [1.0, 2.5, 4.0, 8.0], "cost": [0.5, 2.0, 3.5, 7.0], "n": [1, 2, 3, 3]},
    index=pd.Index(["a", "b", "c", "d"], name="shop"),
)
NESTED = SALES.set_index("n", append=True)
LOOSE = Tolerance(rtol=0, atol=0.1, why="measured in this test")
TIMES = pd.DataFrame({"at": pd.to_datetime(["2024-01-01", "2024-06-01"]).tz_localize("UTC")})
KINDS = pd.DataFrame({"t": ["a", "b", "a"], "n": [1, 2, 3], "x": [1.0, 2.0, 3.0]})
WRONG = table_beside(__file__)  # expressions: actual, expected, rules


@pytest.mark.parametrize("fault", WRONG)
def test_a_fault_is_found_where_it_counts(fault: str) -> None:
    actual, expected, *more = evaluated(WRONG[fault], globals())
    rules = dict(*more)
    assert said(actual, expected, **rules)
    assert said(expected, actual, **rules)
    assert said(actual, actual, **rules) == said(expected, expected, **rules) == ""
