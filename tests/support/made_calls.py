"""Random calls of several kinds, as the exercises of a course ask them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.assignment.arguments import by_columns, made, stand_in_model, stand_in_tokenizer
from autograder.wire.tensors import to_wire
from autograder.wire.values import (
    Array,
    Complex,
    ConstructedObject,
    Figure,
    Items,
    Mapping,
    Module,
    Opaque,
    Value,
    Whole,
)

Arguments = tuple[Value, ...]
WORDS = ("cat", "dog", "the", "Sun", "MAT", "on", "x9", "end.", "café")
DTYPES = (torch.float32, torch.float64, torch.float16, torch.int64)


def wire(*arguments: Any) -> Arguments:
    """Arguments as they are sent."""
    return tuple(a if isinstance(a, ConstructedObject) else to_wire(a) for a in arguments)


def _ids(rng: Generator, limit: int) -> torch.Tensor:
    shape = tuple(int(n) for n in rng.integers(1, 5, size=rng.integers(1, 4)))
    start = rng.choice([0, 0, 0, 1, -1])
    ids = torch.from_numpy(np.asarray(rng.integers(start, max(limit, 2), size=shape)))
    if rng.random() < 0.2:
        ids = torch.arange(shape[-1]).expand(shape).contiguous()
    if rng.random() < 0.1:
        ids = torch.full(shape, int(rng.integers(0, 2)))
    return ids.to(torch.int32) if rng.random() < 0.3 else ids


def _numbers(rng: Generator, *shape: int) -> torch.Tensor:
    numbers = torch.from_numpy(rng.standard_normal(shape))
    kind = rng.integers(0, 6)
    if kind < 3:
        numbers = (numbers.round(), numbers.abs(), torch.zeros(shape))[kind]
    if kind == 3 and len(shape) > 1 and shape[0]:
        numbers[int(rng.integers(0, shape[0]))] = 0
    return numbers


def lookup(rng: Generator) -> Arguments:
    """A table and ids, sometimes not contiguous."""
    rows, width = (int(n) for n in rng.integers(1, 7, size=2))
    ids = _ids(rng, rows)
    stored = by_columns(ids) if ids.dim() > 1 and rng.random() < 0.4 else ids
    return wire(_numbers(rng, rows, width), stored)


def method(rng: Generator) -> Arguments:
    """An object with a table, ids, and sometimes targets."""
    rows, width, longest = (int(n) for n in rng.integers(1, 7, size=3))
    layer = made("Layer", rows, width, longest, state=[_numbers(rng, rows, width)])
    given = (_ids(rng, rows),) if rng.random() < 0.5 else (_ids(rng, rows), _ids(rng, rows))
    return wire(layer, *given)


def rotation(rng: Generator) -> Arguments:
    """A batch [B, T, H, D] and its table [T, D / 2]."""
    b, t, h, pairs = (int(n) for n in rng.integers(1, 5, size=4))
    return wire(_numbers(rng, b, t, h, 2 * pairs), torch.ones(t, pairs, dtype=torch.complex64))


def sentence(rng: Generator) -> Arguments:
    """A text and a vocabulary."""
    return wire(_text(rng), _vocabulary(rng))


def _text(rng: Generator) -> str:
    words = rng.choice(WORDS, size=rng.integers(0, 5))
    text = str(rng.choice([" ", " ", "  ", "\n"])).join(words)
    return f" {text}" if rng.random() < 0.2 else text


def _vocabulary(rng: Generator) -> dict[str, int]:
    known = rng.permutation([word.lower() for word in WORDS[:5]])[: rng.integers(0, 6)]
    ids = range(len(known)) if rng.random() < 0.4 else rng.permutation(len(known))
    return {str(word): int(number) for word, number in zip(known, ids, strict=True)}


def texts(rng: Generator) -> Arguments:
    """An object with a vocabulary, and a list of texts."""
    listed = [_text(rng) for _ in range(rng.integers(0, 4))]
    return wire(made("TextLayer", _vocabulary(rng), int(rng.integers(1, 5))), listed)


def sizes(rng: Generator) -> Arguments:
    """Two integers, a number, and sometimes a flag."""
    base = float(rng.choice([0.0, 1.0, -2.0, 0.5, 10000.0, np.inf, np.nan]))
    flag = (bool(rng.integers(0, 2)),) if rng.random() < 0.5 else ()
    return wire(int(rng.integers(-2, 6)), int(rng.integers(0, 6)), base, *flag)


def vectors(rng: Generator) -> Arguments:
    """Two vectors in several containers and dtypes."""
    width = int(rng.integers(1, 6))
    pair = (_numbers(rng, width), _numbers(rng, width))
    if rng.random() < 0.3:
        return wire(*(one.numpy() for one in pair))
    dtype = DTYPES[rng.integers(0, len(DTYPES))]
    return wire(*(one.to(dtype) for one in pair))


def lists(rng: Generator) -> Arguments:
    """A list or a tuple, of integers or of mixed things, and a mask."""
    numbers = [int(n) for n in rng.integers(-1, 4, size=rng.integers(0, 5))]
    listed: Any = numbers if rng.random() < 0.7 else [*numbers, None, "x"]
    mask = torch.from_numpy(rng.random(3) < rng.choice([0.0, 0.5, 1.0]))
    return wire(tuple(listed) if rng.random() < 0.3 else listed, mask)


def neighbours(rng: Generator) -> Arguments:
    """A word, a tokenizer, a model with a limit, and how many are asked for."""
    model = stand_in_model(_numbers(rng, 4, 3).float(), int(rng.integers(1, 5)))
    tokenizer = stand_in_tokenizer([w.lower() for w in WORDS[:4]])
    return wire(str(rng.choice(WORDS)), tokenizer, model, int(rng.integers(0, 5)))


KINDS: dict[str, Callable[[Generator], Arguments]] = {
    maker.__name__: maker
    for maker in (lookup, method, rotation, sentence, texts, sizes, vectors, lists, neighbours)
}


def anything(rng: Generator, depth: int = 3) -> Value:
    """A value of any kind that can be sent, however odd."""
    number = float(rng.choice([0.0, -0.0, np.nan, np.inf, 1e30, 2.5]))
    shape = tuple(int(n) for n in rng.integers(0, 3, size=rng.integers(0, 6)))
    empty = Array("float64", (0, 2**40, 3), b"")
    arrays = [_numbers(rng, *shape).to(d) for d in (*DTYPES, torch.bool, torch.bfloat16)]
    arrays += [torch.full(shape, number, dtype=torch.complex64), torch.full(shape, number)]
    plain: list[Value] = [None, True, int(rng.integers(-(2**62), 2**62)), number, "", "a\ud7ff{x}"]
    plain += [Whole("9" * 40), Whole("-" + "9" * 40), Complex(number, 1.0), Opaque("T", "?"), empty]
    plain += [*wire(*arrays), Figure("", ()), Module("Embedding", ("Embedding", "Module"), ())]
    if depth and rng.random() < 0.5:
        inner = tuple(anything(rng, depth - 1) for _ in range(rng.integers(0, 4)))
        kind = ("list", "tuple", "set")[rng.integers(0, 3)]
        target = str(rng.choice(["Layer", "(model)", "(by columns)", "(tokenizer)", "(device)"]))
        pairs = Mapping(tuple((anything(rng, 0), value) for value in inner))
        nested: list[Value] = [Items(kind, inner), pairs, ConstructedObject(target, inner)]
        return nested[rng.integers(0, 3)]
    return plain[rng.integers(0, len(plain))]
