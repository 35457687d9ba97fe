"""Small calls of tables in which every value, label, name, category and time zone is a secret."""

from __future__ import annotations

import datetime
import itertools
import re
from collections.abc import Callable
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pandas as pd
import polars as pl
import pytest

from autograder.judging.checks.finding import Args
from autograder.judging.diagnosis.literals import code
from autograder.judging.diagnosis.small_calls import words_of
from autograder.judging.diagnosis.smaller import smaller
from autograder.wire.messages import Outcome, Reply, decode, encode
from autograder.wire.tensors import from_wire, to_wire
from tests.judging.test_smaller import parts

SECRET = re.compile(r"[qvwxz]{7}|\d{5,}|Antarctica|Troll")
TROLL = ZoneInfo("Antarctica/Troll")
ROWS = 6


class Secrets:
    """Values that are one of a kind."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng

    def number(self) -> int:
        return int(self.rng.integers(10_000, 99_999))

    def word(self) -> str:
        return "".join(self.rng.choice(list("qvwxz"), size=7))

    def time(self) -> datetime.datetime:
        second = int(self.rng.integers(10**8, 10**9))
        return datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=second)  # noqa: DTZ001

    def some(self, make: Callable[[], Any], count: int = ROWS) -> list[Any]:
        return [make() for _ in range(count)]


ONE: dict[str, Callable[[Secrets], Any]] = {
    "none": lambda s: None,
    "number": lambda s: s.number(),
    "negative": lambda s: -s.number(),
    "fraction": lambda s: s.number() + 0.5,
    "word": lambda s: s.word(),
    "words": lambda s: f"{s.word()} {s.number()}.{s.number()}",
    "tuple": lambda s: (s.word(), s.number()),
    "time": lambda s: pd.Timestamp(s.time()),
}


def _zoned(s: Secrets) -> pd.Series:
    return pd.Series(pd.to_datetime(s.some(s.time))).dt.tz_localize("UTC").dt.tz_convert(TROLL)


# what a column, a level of an index or the labels of columns are made of
MANY: dict[str, Callable[[Secrets], Any]] = {
    "numbers": lambda s: s.some(s.number),
    "fractions": lambda s: [n + 0.25 for n in s.some(s.number)],
    "Int64": lambda s: pd.array([None, *s.some(s.number, ROWS - 1)], dtype="Int64"),
    "words": lambda s: s.some(s.word),
    "words and none": lambda s: [None, *s.some(s.word, ROWS - 1)],
    "mixed": lambda s: pd.Series([s.number(), s.word()] * (ROWS // 2), dtype=object),
    "times": lambda s: pd.to_datetime(s.some(s.time)),
    "zoned times": _zoned,
    "objects of zoned times": lambda s: pd.Series(
        [time.replace(tzinfo=TROLL) for time in s.some(s.time)], dtype=object
    ),
    "dates": lambda s: [time.date() for time in s.some(s.time)],
    "durations": lambda s: pd.to_timedelta(s.some(s.number), unit="s"),
    "periods": lambda s: pd.PeriodIndex(s.some(s.time), freq="D"),
    "intervals": lambda s: pd.arrays.IntervalArray.from_breaks(sorted(s.some(s.number, ROWS + 1))),
    "sparse": lambda s: pd.arrays.SparseArray(s.some(s.number), fill_value=s.number()),
    "range": lambda s: range(s.number(), 10**6, s.number())[:ROWS],
    **{
        f"categories of {name}": lambda s, make=make: pd.Categorical(s.some(make(s)))
        for name, make in {
            "numbers": lambda s: s.number,
            "fractions": lambda s: lambda: s.number() + 0.5,
            "words": lambda s: s.word,
            "times": lambda s: s.time,
            "zoned times": lambda s: lambda: s.time().replace(tzinfo=TROLL),
        }.items()
    },
    "no categories": lambda s: pd.Categorical([None] * ROWS),
    "unused categories": lambda s: pd.Categorical([None] * ROWS, s.some(s.word), ordered=True),
}
UNMADE = ("mixed", "periods", "intervals", "sparse", "categories of times")
UNMADE += ("categories of zoned times",)
POLARS: dict[str, Callable[[Secrets], pl.Series]] = {
    "words": lambda s: pl.Series(s.some(s.word)),
    "numbers": lambda s: pl.Series(s.some(s.number)),
    "categories": lambda s: pl.Series(s.some(s.word), dtype=pl.Categorical),
    "enum": lambda s: pl.Series([*(words := s.some(s.word)), None], dtype=pl.Enum(words)),
    "decimals": lambda s: pl.Series(s.some(s.number)).cast(pl.Decimal(30, 2)),
    "times": lambda s: pl.Series(s.some(s.time)),
    "zoned times": lambda s: pl.Series(s.some(s.time)).dt.replace_time_zone("Antarctica/Troll"),
}


def _pandas(s: Secrets, what: str, name: str) -> list[Any]:
    """Values of one kind and a name of one kind, each in every place."""
    many, one = (lambda: MANY[what](s)), (lambda: ONE[name](s))
    index = pd.Index(many(), name=one())
    plain = pd.DataFrame({one(): many()})
    wide = pd.DataFrame(np.ones((3, ROWS)), columns=index)
    levels = pd.MultiIndex.from_arrays([many(), many()], names=[one(), one()])
    return [
        plain,
        wide,
        wide.rename_axis(index=[one()]),
        pd.DataFrame(np.ones((3, ROWS)), columns=levels),
        pd.DataFrame({"x": np.ones(ROWS)}, index=pd.Index(many(), name=one())),
        pd.DataFrame({"x": np.ones(ROWS)}, index=levels),
        pd.Series(many(), name=one()),
        index,
        index.array,
    ]


def made_small(table: Any, known: frozenset[str] = frozenset()) -> list[Args]:
    args = (to_wire(table),)
    return list(itertools.islice(smaller(args, known, [args]), 5))


def tokens(value: Any) -> set[str]:
    return set(SECRET.findall(" ".join(map(str, parts(value)))))


def shown(table: Any) -> int:
    """How many small calls were made of a table; none has a secret."""
    secret, calls = tokens(to_wire(table)), made_small(table)
    for (small,) in calls:
        assert decode(encode(Reply(1, Outcome("returned", small))), Reply)
        assert secret.isdisjoint(tokens(small)), (table, small)
        assert secret.isdisjoint(SECRET.findall(code(small)))
    return len(calls)


@pytest.mark.parametrize("what", MANY)
def test_nothing_of_a_table_is_in_its_small_ones(what: str) -> None:
    s = Secrets(np.random.default_rng(3))
    made = 0
    for number, name in enumerate(ONE):  # each kind of name in each place, if not of each table
        made += sum(map(shown, _pandas(s, what, name)[(number + len(what)) % 3 :: 3]))
    assert made >= len(ONE) or what in UNMADE


@pytest.mark.parametrize("what", POLARS)
def test_nothing_of_a_table_of_polars_is_in_its_small_ones(what: str) -> None:
    s = Secrets(np.random.default_rng(4))
    column = POLARS[what](s)
    made = shown(column) + shown(column.alias(s.word())) + shown(pl.DataFrame({s.word(): column}))
    assert made > 3 or what in ("enum", "decimals")


def test_labels_names_dtypes_and_zones_of_public_inputs_are_kept() -> None:
    table = pd.DataFrame(
        {
            31337: pd.Categorical([4242, 717]),
            2.5: pd.to_datetime(["2021-01-01", "2021-01-02"]).tz_localize(TROLL),
            -7: pd.arrays.SparseArray([5, 6], fill_value=99),
        },
        index=pd.Index([3, 4], name=55443),
    ).rename_axis(columns=2)
    (small,), *_ = made_small(table, words_of([to_wire(table)]))
    made = from_wire(small)
    assert list(made.columns) == list(table.columns) and made.columns.name == 2
    assert list(made[31337].cat.categories) == [717, 4242] and made.index.name == 55443
    assert str(made[2.5].dt.tz) == "Antarctica/Troll"
    hidden = pd.DataFrame([[1, 2, 3]], columns=[31337, 2, 8000])
    (small,), *_ = made_small(hidden, words_of([to_wire(table)]))
    assert list(from_wire(small).columns) == [31337, 2, 3]


def test_labels_that_are_counted_keep_their_order_and_meet_none_that_is_known() -> None:
    table = pd.DataFrame([[1, 2, 3, 4]], columns=[2021, 2019, 2, 2020])
    (small,), *_ = made_small(table, words_of([to_wire(pd.DataFrame({3: [1.5]}))]))
    assert list(from_wire(small).columns) == [6, 4, 2, 5]


def test_digits_that_stand_alone_are_no_words_of_students() -> None:
    assert next(smaller(("7-3-9",), words_of(["3 apples"]), []))[0] == "2-3-3"
