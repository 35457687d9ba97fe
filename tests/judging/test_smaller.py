"""Small calls: they have the form of a given one, and none of its numbers and words."""

from __future__ import annotations

import hashlib
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest
import torch

from autograder.assignment.arguments import made, stand_in_model, stand_in_tokenizer
from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.finding import Args
from autograder.judging.diagnosis.lengths import LONGEST, choices, places
from autograder.judging.diagnosis.smaller import smaller
from autograder.judging.diagnosis.smallest import size_of
from autograder.wire.values import Array, ConstructedObject, Entry, Items, Module
from autograder.wire.values import Mapping as MappingValue
from tests.support.made_calls import KINDS, anything, wire

ROOT = Path(__file__).resolve().parents[2]
MOST = 40  # small calls of each call that are looked at
DISTINCTIVE = re.compile(r"[aeioklmnst]{7}|\d{4,}")


def few(args: Args, known: frozenset[str] = frozenset()) -> list[Args]:
    return list(itertools.islice(smaller(args, known, [args]), MOST))


def parts(value: object) -> Iterator[object]:
    """The numbers and texts in a value."""
    match value:
        case Array():
            found = numeric(value)
            yield from () if found is None else found.numbers.reshape(-1).tolist()
        case tuple() | list():
            for item in value:
                yield from parts(item)
        case msgspec.Struct():
            yield from parts([getattr(value, name) for name in value.__struct_fields__])
        case _:
            yield value


def form(value: object) -> object:
    """Types, numbers of axes, dtypes, classes."""
    match value:
        case tuple() | list():
            return [form(item) for item in value]
        case Array():
            return value.dtype, len(value.shape), value.container, value.device
        case Items(kind=kind, items=items):
            return kind, {str(form(item)) for item in items}
        case MappingValue(items=items):
            return "mapping", {str(form(pair)) for pair in items}
        case ConstructedObject(target=target, args=args, slots=slots):
            return target, form(args), [(s.owner, s.zero, form(s.array)) for s in slots]
    return type(value).__name__


def distinctive(rng: np.random.Generator) -> Args:
    """A call of which every number and every word is one of a kind."""

    def number() -> int:
        return int(rng.integers(10_000, 99_999)) * int(rng.choice([-1, 1]))

    def word() -> str:
        return "".join(rng.choice(list("aeioklmnst"), size=7))

    values = [
        torch.from_numpy(rng.standard_normal((7, 9)) * 1e5),
        torch.from_numpy(rng.integers(20_000, 90_000, size=(3, 7))),
        torch.from_numpy(rng.standard_normal(9) * 1e5).to(torch.complex64),
        number(),
        float(number()) + 0.25,
        [number(), number(), number()],
        [number(), word()],
        {word(): number(), word(): number()},
        {number(): [word(), word()]},
        f"{word()} {number()} {word()}{abs(number())}",
        f'{{"{word()}": {number()}, "{word()}": [{number()}.{abs(number())}]}}',
        [f"{word()} {word()}", word()],
        made("Layer", number(), word(), state=[torch.from_numpy(rng.standard_normal((9, 7)))]),
        stand_in_tokenizer([word(), word()]),
        stand_in_model(torch.from_numpy(rng.standard_normal((7, 3))).float(), abs(number())),
    ]
    chosen = rng.choice(len(values), size=2, replace=False)
    return wire(*(values[at] for at in chosen))


def test_no_number_and_no_word_of_a_call_is_in_its_small_ones() -> None:
    rng = np.random.default_rng(11)
    small_calls = 0
    for _ in range(80):
        args = distinctive(rng)
        secret = set(DISTINCTIVE.findall(" ".join(map(str, parts(args)))))
        for small in few(args):
            small_calls += 1
            shown = set(DISTINCTIVE.findall(" ".join(map(str, parts(small)))))
            assert secret.isdisjoint(shown), (args, small)
    assert small_calls > 500


def test_words_and_numbers_of_public_inputs_are_kept() -> None:
    (small, *_) = few(wire("the cat 1984", {"the": 0, "cat": 1}), frozenset({"the", "1984"}))
    assert small[0] == "the"
    kept = {str(call[0]) for call in few(wire("17 the cat 1984 12"), frozenset({"the", "1984"}))}
    assert kept == {"2", "2 the"}
    (_, small) = few(wire("the 1984 cat 12"), frozenset({"the", "1984"}))
    assert small[0] == "the 1984"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("one two three", "a b"),
        ("one  two  three", "a  b"),
        ("one     two three", "a  b"),
        ("one\n\ttwo\n\tthree", "a\n\tb"),
        (" one two three", " a b"),
        ("one ", "a "),
    ],
)
def test_words_keep_what_separates_them_and_begin_as_the_text_does(text: str, kept: str) -> None:
    made = [one[0] for one in few((text,))]
    assert kept in made
    assert all(str(one)[:1].isspace() == text[:1].isspace() for one in made)


@pytest.mark.parametrize("kind", KINDS)
def test_small_calls_have_the_form_of_the_call_and_are_small(kind: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(15):
        args = KINDS[kind](rng)
        for small in few(args):
            for ours, theirs in zip(small, args, strict=True):
                if isinstance(theirs, Items | MappingValue):  # of several kinds of items some
                    assert form(ours)[1] <= form(theirs)[1]  # type: ignore[index]
                else:
                    assert form(ours) == form(theirs)
            assert all(abs(length) <= LONGEST[1] for _, length in places(small)), (args, small)


def shapes(*several: tuple[int, ...]) -> Args:
    return wire(*(torch.zeros(shape) for shape in several))


def test_lengths_keep_what_holds_in_every_call() -> None:
    """Equal, even, twice another, at most another, below a number that is no axis."""
    alike = [
        (*shapes((b, t, 2 * d), (t, d), (b,)), top)
        for b, t, d, top in ((3, 5, 4, 12), (2, 7, 8, 12), (5, 9, 6, 12))
    ]
    found = [dict(places(call)) for call in smaller(alike[0], (), alike)]
    assert len(found) >= 10
    for at in found:
        assert at[1, 0] == at[0, 1]  # equal
        assert at[0, 0] == at[2, 0]
        assert at[0, 2] == 2 * at[1, 1]  # twice
        assert at[1, 1] % 2 == 0
        assert at[0, 1] < at[3, "number"]  # never reached
    assert {at[0, 0] - at[0, 1] > 0 for at in found} == {False}  # at most
    sums = [at[0, 0] + at[0, 1] + at[0, 2] for at in found]
    assert sums == sorted(sums)  # smallest first


def test_tables_of_an_object_stay_different_and_do_not_become_square() -> None:
    """An object finds the numbers of its tables by their shapes."""
    tables = [torch.zeros(9, 5), torch.zeros(7, 5)]
    args = wire(made("Layer", 9, 5, 7, state=tables))
    for small in few(args):
        (layer,) = small
        assert isinstance(layer, ConstructedObject)
        shape, other = (slot.array.shape for slot in layer.slots)
        assert len(set(shape)) == len(set(other)) == 2
        assert set(shape) != set(other)
    entries = (Entry("weight", "parameter", *wire(torch.zeros(5, 5)), learnable=True),)
    square = (Module("Linear", ("Module",), entries),)
    assert few(square)  # what is square may stay so


def test_too_many_lengths_have_no_small_form() -> None:
    args = shapes((2, 3, 4, 5), (6, 7, 8, 9))
    assert choices(args, [args]) == []
    assert few(args) == []


def test_equal_parts_stay_equal() -> None:
    ids = torch.tensor([3, 5, 4, 8, 7])
    for small in few(wire(ids, ids, [ids], "cat dog", "cat dog")):
        assert small[0] == small[1] == small[2].items[0]  # type: ignore[union-attr]
        assert small[3] == small[4]


def test_no_value_is_an_error() -> None:
    rng = np.random.default_rng(3)
    for _ in range(300):
        args = tuple(anything(rng) for _ in range(rng.integers(0, 4)))
        for small in few(args):
            assert size_of(small) >= 0
            msgspec.msgpack.encode(small)


def all_small() -> str:
    """The digest of small calls of every kind."""
    rng = np.random.default_rng(4)
    made_calls = [few(KINDS[kind](rng), frozenset({"cat"})) for kind in KINDS for _ in range(2)]
    made_calls += [few(distinctive(rng)) for _ in range(5)]
    return hashlib.sha256(msgspec.msgpack.encode(made_calls)).hexdigest()


@pytest.mark.slow
def test_they_are_the_same_in_another_process() -> None:
    code = "from tests.judging.test_smaller import all_small; print(all_small())"
    environment = {**os.environ, "PYTHONHASHSEED": "12"}
    other = subprocess.check_output([sys.executable, "-c", code], env=environment, cwd=ROOT)
    assert other.decode().strip() == all_small()
