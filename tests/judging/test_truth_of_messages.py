"""What a message quotes: two sides that differ as printed, and calls that are what was sent."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from autograder.authoring.validation.trials import contradictions, untrue
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import call_text, sentence, sentences
from autograder.judging.verdict import Mismatch, Status, Verdict
from autograder.wire.tensors import to_wire

TEXTS = (
    "",
    " ",
    "a  b",
    " a b",
    "a b\n",
    "tab\t",
    "it's",
    'say "x"',
    "back`tick",
    "é\u200b",
    "x" * 200,
)
NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    2**53 + 1,
    10**40,
    True,
    False,
    0.1,
    0.1 + 0.2,
    -0.0,
    1e300,
    math.inf,
    -math.inf,
    math.nan,
    5e-324,
    0.798 + 0.602j,
    complex(-0.0, math.inf),
    None,
)
DTYPES = (torch.float32, torch.float64, torch.bfloat16, torch.float16, torch.int64, torch.complex64)


def value_of(rng: random.Random, depth: int = 2, *, arrays: bool = True) -> Any:
    """A random value of the kinds that cross the border."""
    pick = rng.randrange(9 if depth else 4)
    if pick == 0:
        return rng.choice(TEXTS)
    if pick == 1 and arrays:
        shape = [rng.randrange(3) for _ in range(rng.randrange(3))]
        tensor = torch.tensor(np.random.default_rng(rng.randrange(99)).normal(size=shape) * 9)
        return tensor.to(rng.choice(DTYPES))
    if pick in (1, 2, 3):
        return rng.choice(NUMBERS)
    inner = [value_of(rng, depth - 1, arrays=arrays) for _ in range(rng.randrange(12))]
    plain = [one for one in inner if isinstance(one, str | int | float | None)]
    kinds: tuple[Callable[[], Any], ...] = (
        lambda: inner,
        lambda: tuple(inner),
        lambda: set(plain),
        lambda: dict(zip(plain, inner, strict=False)),
        lambda: tuple(inner[:1]),
    )
    return kinds[pick - 4]()


def nearly(value: Any, rng: random.Random) -> Any:
    """The value with one part of it changed by little."""
    match value:
        case bool() | None:
            return rng.choice((0, 1, "None", not value))
        case int():
            return rng.choice((value + 1, value + 10**20, float(value), value))
        case float() | complex():
            return rng.choice((value * (1 + 1e-7), value + 1e-12, value * (1 + 1e-15), -value))
        case str():
            at = rng.randrange(len(value) + 1)
            return value[:at] + rng.choice((" ", "\t", "x", "é", "")) + value[at:]
        case torch.Tensor() if value.numel():
            other = value.clone()
            step = rng.choice((1e-3, 0.1, 1, math.nan)) if value.dtype != torch.int64 else 1
            other.view(-1)[rng.randrange(value.numel())] += step
            return rng.choice(
                (other, other, other.tolist(), other.unsqueeze(0), other.real.double())
            )
        case torch.Tensor():
            return value.to(rng.choice(DTYPES)).reshape(1, *value.shape)
        case list() | tuple() if value:
            at = rng.randrange(len(value))
            return type(value)((*value[:at], nearly(value[at], rng), *value[at + 1 :]))
        case dict() if value:
            key = rng.choice(list(value))
            return {**value, key: nearly(value[key], rng)}
    return rng.choice(([], (), set(), {}, 0, "x"))


def test_both_sides_of_a_difference_differ_as_printed() -> None:
    rng, found = random.Random(4), 0
    for _ in range(1_500):
        expected = value_of(rng)
        actual = nearly(expected, rng) if rng.random() < 0.8 else value_of(rng)
        rules = Rules(dtype=rng.choice(("any", "any", "float32")))
        for mismatch in compare(to_wire(actual), to_wire(expected), where="f(3)", rules=rules):
            assert mismatch.expected != mismatch.actual, (expected, actual)
            assert not contradictions(sentence(mismatch)), sentence(mismatch)
            found += 1
    assert found > 750


def canonical(value: Any) -> str:
    """A text for each value and type, sign of zero and NaN included; sets have no order."""
    match value:
        case list() | tuple():
            return f"{type(value).__name__}({[canonical(one) for one in value]})"
        case set():
            return f"set({sorted(map(canonical, value))})"
        case dict():
            return f"dict({[(canonical(k), canonical(v)) for k, v in value.items()]})"
    return f"{type(value).__name__}({value!r})"


def test_a_quoted_call_evaluates_to_what_was_sent_or_to_nothing() -> None:
    rng, evaluated = random.Random(5), 0
    for _ in range(4_000):
        args = [value_of(rng, arrays=False) for _ in range(rng.randrange(4))]
        text = call_text("f", [to_wire(arg) for arg in args])
        try:
            sent = eval(text, {"f": lambda *given: given})
        except SyntaxError:
            assert "…" in text, text  # something was too long to be quoted, and that is seen
            continue
        evaluated += 1
        assert canonical(list(sent)) == canonical(args), text
    assert evaluated > 2_000


@pytest.mark.parametrize(
    "text",
    [
        "At [1, 1] it should be 1.000+0.010i, not 1.000+0.010i.",
        "`M` has no learnable parameter of shape [10, 4] (it has: [3], [10, 4])",
        "1 of 3 tables are wrong.",
        "The best token is missing here. The best token is missing here.",
        "`f(3) is wrong.",
        "2 of 3 calls are wrong. The first:  of its parameter of shape [3]: all 3 numbers differ.",
    ],
)
def test_a_message_that_contradicts_itself_is_found(text: str) -> None:
    verdict = Verdict("e", "c", "relation", False, Status.FAILED, 0, 1000, text)
    assert len(list(untrue([verdict]))) == 1


def test_advice_is_said_once_and_quoted_text_is_left_as_it_is() -> None:
    """Two calls that fail alike, with a quoted string in which a sentence is repeated."""
    quoted = "`f('a.  b. A sentence of some length. ')`"
    texts = [f"{quoted} is {side}. Write out the whole formula first." for side in ("low", "high")]
    told = sentences([Mismatch("e", "other", "", "", text=text) for text in texts])
    assert told.count("Write out the whole formula first.") == 1
    assert told.startswith(texts[0]) and f"{quoted} is high." in told
    assert (
        sentences([Mismatch("e", "other", "", "", text=t) for t in (texts[0], texts[0])])
        == texts[0]
    )


def test_sides_that_are_the_same_as_printed_are_found() -> None:
    same = Mismatch("x", "value", "the text 'a'", "the text 'a'")
    verdict = Verdict("e", "c", "value", False, Status.FAILED, 0, 1000, "", (same,))
    assert [check for check, _ in untrue([verdict])] == ["e/c"]
