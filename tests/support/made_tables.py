"""Data frames as the wire has them, with a column of each kind."""

from __future__ import annotations

import contextlib

from autograder.assignment.kinds import FrameRules
from autograder.judging.checks.compare import Rules, comparable, compare
from autograder.judging.checks.decoded_value import DecodedValue, Wrong
from autograder.judging.checks.explain import brief, describe, sentences
from autograder.wire.tensors import from_wire
from autograder.wire.values import (
    Array,
    DataColumn,
    DataFrame,
    Items,
    Mapping,
    Sparse,
    Value,
    Whole,
)


def tables() -> tuple[DataFrame | Sparse, ...]:
    """A data frame with a column of each kind, a single time and a sparse matrix."""
    places, codes = Array("int64", (2,), bytes(16)), Array("int32", (2,), bytes(8))
    number = DataColumn("number", "Int64", places, Array("bool", (2,), b"\1\0"))
    texts = DataColumn("text", "str", codes, levels=("a", "b"), name=Items("tuple", ("x", 1)))
    labels = DataColumn("mixed", "object", codes, levels=(1, "a", 2.5, Whole("9" * 30)))
    time = DataColumn("time", "datetime64[us, UTC]", places, unit="us", zone="UTC")
    category = DataColumn("category", "category", codes, categories=texts, ordered=True)
    frame = DataFrame("frame", (time, category), (labels,), (number, texts))
    return (
        frame,
        DataFrame("series", (texts,), index=(number,)),
        DataFrame("value", (DataColumn("time", "", Array("int64", (1,), bytes(8)), unit="s"),)),
        Sparse("csr", (2, 3), places, places, Array("float64", (2,), bytes(16)), "array"),
    )


def look(value: Value) -> None:
    """What the trusted side does with any value. Frames that are claims are never rebuilt: they
    are described and compared, with themselves and with honest ones."""
    if not _has_table(value):
        from_wire(value)
        return
    describe(value), brief(value)
    if comparable(value):
        assert compare(value, value, where="x") == ()
    for honest in tables():
        for rules in (Rules(), Rules(frame=FrameRules(rows="any", index=True, names=True))):
            sentences(compare(value, honest, where="x", rules=rules), most=9)
            sentences(compare(honest, value, where="x", rules=rules), most=9)
    with contextlib.suppress(Wrong):
        DecodedValue("x", value).plain()


def _has_table(value: Value) -> bool:
    match value:
        case DataFrame() | Sparse():
            return True
        case Items(items=items):
            return any(map(_has_table, items))
        case Mapping(items=items):
            return any(_has_table(part) for pair in items for part in pair)
    return False
