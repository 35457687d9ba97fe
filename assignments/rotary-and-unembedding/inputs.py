"""Seeded inputs of `rotary-and-unembedding`: each generator turns a seed into a list of calls.

Every case is the tuple of positional arguments of one call. Sizes are fixed, values are drawn.
Sizes differ in every axis, so that a table that is broadcast over the wrong one raises; some
have equal axes, where the same mistake is silent.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.assignment.arguments import made, slot, stand_in_language_model

Case = tuple[Any, ...]

BASE = 10000.0
CORPUS = 24  # tokens; 5x + 3 follows x
WIDTH = 64
STEPS = 100
RATE = 0.01

# (B, T, H, Dh) of each call of apply_rotary_emb; the last four have axes that are equal
TURNED = (
    (2, 5, 3, 8),
    (3, 7, 2, 4),
    (1, 4, 6, 2),
    (4, 1, 2, 6),
    (2, 3, 1, 10),
    (2, 4, 4, 6),
    (3, 3, 2, 4),
    (5, 5, 5, 8),
    (2, 3, 5, 6),
)
QUARTERS = (  # small ones: one position, head or pair at a time, then several
    (1, 1, 1, 2),
    (1, 2, 1, 2),
    (1, 1, 2, 2),
    (2, 1, 1, 2),
    (1, 1, 1, 4),
    (1, 2, 1, 4),
    (1, 2, 2, 2),
    (2, 2, 1, 2),
    (1, 2, 2, 4),
    (1, 3, 2, 4),
    (1, 3, 1, 6),
    (2, 3, 2, 6),
)
# (V, D, max_seq_len, B, T) of each call of EmbeddingLayer and NanoChatEmbeddings
LAYERS = (
    (30, 8, 12, 2, 5),
    (17, 4, 9, 3, 9),
    (40, 16, 64, 2, 60),
    (11, 6, 20, 4, 4),
    (25, 2, 7, 1, 6),
    (9, 10, 8, 5, 1),
)


def _matrix(rng: Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.standard_normal(shape)).to(torch.float32)


def _ids(rng: Generator, vocabulary: int, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.integers(0, vocabulary, size=shape))


def _rows(rng: Generator, number: int, v: int, *shape: int) -> torch.Tensor:
    """Ids of call ``number``: without id 0 in the first, without V - 1 in the second, so that one
    wrong bound can be told from the other; else with both."""
    flat = _ids(rng, v, math.prod(shape))
    flat[0], flat[-1] = 0, v - 1
    ids = flat[torch.from_numpy(rng.permutation(len(flat)))].reshape(shape)
    if number < 2:
        ids[ids == (0, v - 1)[number]] = 1
    return ids


def _turns(dim: int, start: int, end: int, theta: float) -> torch.Tensor:
    """cos + i sin of positions start to end - 1, made in float64: complex64 [end-start, dim/2]."""
    pairs = torch.arange(dim // 2, dtype=torch.float64)
    positions = torch.arange(start, end, dtype=torch.float64)
    angles = torch.outer(positions, theta ** (-2 * pairs / dim))
    return torch.polar(torch.ones_like(angles), angles).to(torch.complex64)


def _pairs(cases: list[Case]) -> list[Case]:
    """The same calls with (cos, sin) in place of complex numbers."""
    return [(x, (table.real.clone(), table.imag.clone())) for x, table in cases]


# ------------------------------------------------------------------ precompute_freqs_cis


def turns_example(_rng: Generator) -> list[Case]:
    """Small tables that can be worked out by hand."""
    return [(4, 3, BASE), (2, 5, BASE), (6, 4, 100.0)]


def turns_cases(_rng: Generator) -> list[Case]:
    """Other widths, lengths and bases; one with as many positions as pairs, one single row."""
    return [
        (2, 7, BASE),
        (16, 9, 10.0),
        (10, 6, 500.0),
        (12, 6, BASE),
        (6, 1, BASE),
        (64, 48, BASE),
        (128, 30, 500000.0),
    ]


def turns_long(_rng: Generator) -> list[Case]:
    """A length at which float32 rounding of the angle shows, and one that is no power of two."""
    return [(64, 2048, BASE), (8, 700, BASE)]


def turns_rotation(_rng: Generator) -> list[Case]:
    """Tables whose properties are looked at, not their numbers."""
    return [(8, 12, BASE), (6, 20, 50.0)]


def turns_type(_rng: Generator) -> list[Case]:
    """Sizes whose type is looked at."""
    return [(8, 5, BASE), (4, 9, 100.0)]


# ------------------------------------------------------------------ apply_rotary_emb


def turned_example(_rng: Generator) -> list[Case]:
    """Quarter turns and small numbers: [1, 3, 1, 2] and [1, 2, 3, 4]."""
    quarters = torch.tensor([[1.0 + 0j], [1j], [-1.0 + 0j]], dtype=torch.complex64)
    first = torch.tensor([1.0, 2.0]).repeat(1, 3, 1, 1)
    second = torch.arange(1.0, 25.0).reshape(1, 2, 3, 4)
    return [(first, quarters), (second, _turns(4, 0, 2, BASE))]


def turned_example_pairs(rng: Generator) -> list[Case]:
    """turned_example with (cos, sin)."""
    return _pairs(turned_example(rng))


# both forms of one call hold the same numbers, so they are not drawn from the call's own rng


def turned_cases(_rng: Generator) -> list[Case]:
    """All shapes; tables that begin at other positions and have other bases."""
    rng = _fixed(1)
    return [
        (_matrix(rng, *shape), _turns(shape[3], start, start + shape[1], theta))
        for shape, start, theta in zip(
            TURNED, (0, 0, 3, 11, 0, 0, 5, 0, 2), (BASE, 100.0, BASE, BASE, 7.0) * 2, strict=False
        )
    ]


def turned_cases_pairs(rng: Generator) -> list[Case]:
    """turned_cases with (cos, sin)."""
    return _pairs(turned_cases(rng))


def turned_types(_rng: Generator) -> list[Case]:
    """Numbers of all four floating types; and of one position."""
    rng = _fixed(2)
    types = (torch.float32, torch.bfloat16, torch.float16, torch.float64)
    several = [(_matrix(rng, 2, 3, 4, 6).to(dtype), _turns(6, 0, 3, BASE)) for dtype in types]
    return [*several, (_matrix(rng, 2, 1, 3, 4).to(torch.bfloat16), _turns(4, 5, 6, BASE))]


def turned_types_pairs(rng: Generator) -> list[Case]:
    """turned_types with (cos, sin)."""
    return _pairs(turned_types(rng))


def turned_rotation(_rng: Generator) -> list[Case]:
    """From position 0 on: one with T != H, one with T == H."""
    rng = _fixed(3)
    return [
        (_matrix(rng, 2, 6, 3, 8), _turns(8, 0, 6, BASE)),
        (_matrix(rng, 3, 4, 4, 6), _turns(6, 0, 4, BASE)),
    ]


def turned_rotation_pairs(rng: Generator) -> list[Case]:
    """turned_rotation with (cos, sin)."""
    return _pairs(turned_rotation(rng))


def turned_relative(_rng: Generator) -> list[Case]:
    """In sequence 0 one vector stands at every position, in sequence 1 another one."""
    rng = _fixed(4)
    cases = []
    for length, heads, width in ((9, 2, 8), (5, 5, 6)):
        vectors = _matrix(rng, 2, 1, heads, width)
        cases.append((vectors.repeat(1, length, 1, 1), _turns(width, 0, length, BASE)))
    return cases


def turned_relative_pairs(rng: Generator) -> list[Case]:
    """turned_relative with (cos, sin)."""
    return _pairs(turned_relative(rng))


def turned_gradient(_rng: Generator) -> list[Case]:
    """Two calls whose gradient is looked at."""
    rng = _fixed(5)
    return [
        (_matrix(rng, 2, 3, 4, 6), _turns(6, 1, 4, BASE)),
        (_matrix(rng, 1, 5, 2, 4), _turns(4, 0, 5, 100.0)),
    ]


def turned_gradient_pairs(rng: Generator) -> list[Case]:
    """turned_gradient with (cos, sin)."""
    return _pairs(turned_gradient(rng))


def turned_device(_rng: Generator) -> list[Case]:
    """Small numbers, with the student's own table: it has the form that the function takes."""
    x = torch.arange(1.0, 25.0).reshape(1, 2, 3, 4)
    return [(x, made("precompute_freqs_cis", 4, 2, BASE))]


# What is tried in small where an answer is wrong: quarter turns, so that whole numbers stay whole.


def turned_cases_small(_rng: Generator) -> list[Case]:
    """Whole numbers [B, T, H, D], turned by quarters."""
    cases = []
    for b, t, h, d in QUARTERS:
        turns = torch.arange(1, t + 1)[:, None] + torch.arange(d // 2)
        table = torch.tensor([1, 1j, -1, -1j], dtype=torch.complex64)[turns % 4]
        cases.append((torch.arange(1.0, b * t * h * d + 1).reshape(b, t, h, d), table))
    return cases


def turned_cases_pairs_small(rng: Generator) -> list[Case]:
    """turned_cases_small with (cos, sin)."""
    return _pairs(turned_cases_small(rng))


turned_example_small = turned_gradient_small = turned_cases_small
turned_example_pairs_small = turned_gradient_pairs_small = turned_cases_pairs_small


def turned_device_small(_rng: Generator) -> list[Case]:
    """None: the student's own table has a form of its own."""
    return []


def _fixed(number: int) -> Generator:
    """A generator of its own for numbers that two generators of cases share."""
    return np.random.default_rng([20210420, number])


# ------------------------------------------------------------------ EmbeddingLayer


def _layer(rng: Generator, v: int, d: int, limit: int, b: int, t: int, *, number: int = 2) -> Case:
    layer = made("EmbeddingLayer", v, d, limit, state=[_matrix(rng, v, d)])
    return layer, _rows(rng, number, v, b, t)


def layer_example(rng: Generator) -> list[Case]:
    """A short sequence, and a batch of full length."""
    return [_layer(rng, 10, 4, 6, 1, 3), _layer(rng, 20, 8, 5, 2, 5)]


def layer_cases(rng: Generator) -> list[Case]:
    """Hidden tables and ids."""
    return [_layer(rng, *size, number=number) for number, size in enumerate(LAYERS)]


def layer_base(rng: Generator) -> list[Case]:
    """Layers end to end, for the base of the angles."""
    return [_layer(rng, 12, 8, 40, 2, 40), _layer(rng, 15, 6, 30, 3, 20)]


def layer_base_turned(rng: Generator) -> list[Case]:
    """Layers in which the turning is stood in, so that the table of turns shows."""
    return [_layer(rng, 12, 8, 40, 2, 40), _layer(rng, 15, 6, 30, 3, 20)]


def layer_base_table(_rng: Generator) -> list[Case]:
    """(dim, end, theta) of the table that each of these layers needs, and once more."""
    return [(8, 40, BASE), (6, 30, BASE)] * 2


def layer_sizes(_rng: Generator) -> list[Case]:
    """Sizes of new layers, whose tensors are counted."""
    return [(23, 6, 11), (8, 12, 5)]


def layer_gradient(rng: Generator) -> list[Case]:
    """Ids that repeat, so that a row's gradient is a sum."""
    return [_layer(rng, 7, 6, 10, 2, 8), _layer(rng, 12, 4, 5, 3, 4)]


# ------------------------------------------------------------------ NanoChatEmbeddings


def _model(rng: Generator, v: int, d: int, limit: int) -> Any:
    """A model with numbers in both tables; the head's make logits of some size."""
    head = 2.0 / math.sqrt(d) * _matrix(rng, v, d)
    return made("NanoChatEmbeddings", v, d, limit, state=_tables(_matrix(rng, v, d), head))


def _tables(tokens: torch.Tensor, head: torch.Tensor) -> list[Any]:
    """Both are [V, D]; the head is the one that is zero in a new model."""
    return [slot(tokens, owner="Embedding", zero=False), slot(head, owner="Linear", zero=True)]


def _targets(rng: Generator, v: int, *shape: int, hidden: bool = False) -> torch.Tensor:
    """Next tokens; with ``hidden`` about a third of the places is -1, never all."""
    targets = _ids(rng, v, *shape)
    if hidden:
        targets[torch.from_numpy(rng.random(shape) < 0.35)] = -1
        targets[-1, 0], targets[0, -1] = -1, v - 1
    return targets


def logits_example(rng: Generator) -> list[Case]:
    """Ids alone: logits and no loss."""
    sizes = ((10, 4, 6, 1, 3), (20, 8, 5, 2, 5))
    return [(_model(rng, v, d, limit), _ids(rng, v, b, t)) for v, d, limit, b, t in sizes]


def logits_cases(rng: Generator) -> list[Case]:
    """Hidden models and ids, without targets."""
    return [
        (_model(rng, v, d, limit), _rows(rng, number, v, b, t))
        for number, (v, d, limit, b, t) in enumerate(LAYERS)
    ]


def loss_cases(rng: Generator) -> list[Case]:
    """Hidden models, ids and targets that all count; and targets that are all 0."""
    cases: list[Case] = [
        (_model(rng, v, d, limit), _rows(rng, number, v, b, t), _targets(rng, v, b, t))
        for number, (v, d, limit, b, t) in enumerate(LAYERS)
    ]
    return [
        *cases,
        (_model(rng, 7, 4, 5), _ids(rng, 7, 2, 3), torch.zeros(2, 3, dtype=torch.int64)),
    ]


def loss_hidden(rng: Generator) -> list[Case]:
    """Targets of which some are -1."""
    return [
        (_model(rng, v, d, limit), _ids(rng, v, b, t), _targets(rng, v, b, t, hidden=True))
        for v, d, limit, b, t in LAYERS[:4]
    ]


def model_gradient(rng: Generator) -> list[Case]:
    """Models with numbers in both tables; some targets do not count."""
    return [
        (_model(rng, 7, 6, 10), _ids(rng, 7, 2, 8), _targets(rng, 7, 2, 8, hidden=True)),
        (_model(rng, 12, 4, 5), _ids(rng, 12, 3, 4), _targets(rng, 12, 3, 4)),
    ]


def model_both(rng: Generator) -> list[Case]:
    """With targets and without."""
    return [
        (_model(rng, 7, 6, 10), _ids(rng, 7, 2, 8), _targets(rng, 7, 2, 8, hidden=True)),
        (_model(rng, 12, 4, 5), _ids(rng, 12, 3, 4)),
    ]


# Small ones: V, D, max_seq_len, B and T. V is not D, since a right model may keep the words on the
# other axis. Numbers near 0 in the head keep the logits small, so that no softmax is saturated.
MODELS = (
    (3, 2, 1, 1, 1),
    (3, 2, 2, 1, 2),
    (3, 2, 2, 2, 1),
    (3, 2, 1, 3, 1),
    (3, 2, 3, 1, 3),
    (2, 4, 1, 1, 1),
    (2, 4, 2, 1, 2),
    (3, 2, 3, 2, 2),
    (4, 2, 3, 2, 3),
    (3, 4, 2, 2, 2),
)


def logits_cases_small(_rng: Generator) -> list[Case]:
    """Whole numbers in both tables, and ids from 0 up."""
    cases: list[Case] = []
    for v, d, limit, b, t in MODELS:
        tokens = torch.arange(1.0, v * d + 1).reshape(v, d)
        head = (torch.arange(v * d) % 3 - 1.0).reshape(v, d)
        model = made("NanoChatEmbeddings", v, d, limit, state=_tables(tokens, head))
        cases.append((model, torch.arange(b * t).reshape(b, t) % v))
    return cases


def loss_cases_small(rng: Generator) -> list[Case]:
    """The same with the next tokens, from the last one down."""
    return [(model, ids, ids.flip(-1).roll(1, 0)) for model, ids in logits_cases_small(rng)]


def loss_hidden_small(rng: Generator) -> list[Case]:
    """The first place of the last row is left out, if it is not the only one."""
    cases = [(model, ids, targets.clone()) for model, ids, targets in loss_cases_small(rng)]
    for _, ids, targets in cases:
        targets[-1, 0] = -1 if ids.numel() > 1 else 0
    return cases


def model_both_small(rng: Generator) -> list[Case]:
    """With targets and without."""
    return [*logits_cases_small(rng)[:5], *loss_hidden_small(rng)]


logits_example_small = logits_cases_small
model_gradient_small = loss_hidden_small
model_device_small = model_both_small


def model_device(rng: Generator) -> list[Case]:
    """Small models; with targets, of which some do not count, and without."""
    targets = torch.tensor([[3, -1, 0], [9, 2, -1]])
    return [
        (_model(rng, 10, 4, 6), _ids(rng, 10, 2, 3), targets),
        (_model(rng, 8, 6, 5), _ids(rng, 8, 1, 4)),
    ]


def start_gradient(rng: Generator) -> list[Case]:
    """A model whose head is zero: its table gets no gradient yet, its head does."""
    state = _tables(_matrix(rng, 15, 8), torch.zeros(15, 8))
    model = made("NanoChatEmbeddings", 15, 8, 12, state=state)
    return [(model, _ids(rng, 15, 3, 6), _targets(rng, 15, 3, 6))]


def start_cases(rng: Generator) -> list[Case]:
    """New models as the student's class makes them: ln 1000, ln 37, and once more with a token
    table of ours, so that it is the head that is zero."""
    filled = [slot(_matrix(rng, 19, 8), owner="Embedding", zero=False)]
    models = [
        made("NanoChatEmbeddings", 1000, 128, 16),
        made("NanoChatEmbeddings", 37, 6, 9),
        made("NanoChatEmbeddings", 19, 8, 6, state=filled),
    ]
    sizes = ((1000, 2, 7), (37, 3, 9), (19, 2, 5))
    return [
        (model, _ids(rng, v, b, t), _targets(rng, v, b, t))
        for model, (v, b, t) in zip(models, sizes, strict=True)
    ]


def start_cases_alone(rng: Generator) -> list[Case]:
    """The same, for calls in which the rotary parts are stood in."""
    return start_cases(rng)


def model_sizes(_rng: Generator) -> list[Case]:
    """Sizes of new models, whose tensors are looked at."""
    return [(23, 6, 11), (8, 12, 5)]


def model_base(rng: Generator) -> list[Case]:
    """Models end to end, for the base of the angles."""
    sizes = ((12, 8, 40, 2, 40), (15, 6, 30, 3, 20))
    return [(_model(rng, v, d, limit), _ids(rng, v, b, t)) for v, d, limit, b, t in sizes]


def model_base_turned(rng: Generator) -> list[Case]:
    """Models in which the turning is stood in, so that the table of turns shows."""
    return model_base(rng)


def model_base_table(rng: Generator) -> list[Case]:
    """(dim, end, theta) of the table that each of these models needs."""
    return layer_base_table(rng)


# ------------------------------------------------------------------ get_learning_rate_scale


def scale_example(_rng: Generator) -> list[Case]:
    """The width at which the scale is 1, and a narrower one."""
    return [(made("NanoChatEmbeddings", 10, width, 4),) for width in (768, 192)]


def scale_cases(_rng: Generator) -> list[Case]:
    """Narrow and wide models."""
    sizes = ((5, 128), (7, 32), (3, 3072), (9, 10), (4, 1000))
    return [(made("NanoChatEmbeddings", v, width, 4),) for v, width in sizes]


# ------------------------------------------------------------------ train_steps


def _trained(
    rng: Generator,
    vocabulary: int,
    width: int,
    *,
    zero: bool,
    watched: bool = False,
    used: bool = False,
) -> Any:
    """A model that is no exercise's answer, in the student's own class where that can be; a head
    of zeros is how a new one starts."""
    head = torch.zeros(vocabulary, width) if zero else 0.3 * _matrix(rng, vocabulary, width)
    tokens = _matrix(rng, vocabulary, width)
    own = made("NanoChatEmbeddings", vocabulary, width, 8, state=_tables(tokens, head))
    return stand_in_language_model(tokens, head, like=own, watched=watched, used=used)


def _corpus(rng: Generator, batch: int, length: int) -> tuple[torch.Tensor, torch.Tensor]:
    """(inputs, next tokens) of the rule x -> 5x + 3 modulo CORPUS."""
    tokens = [_ids(rng, CORPUS, batch)]
    for _ in range(length):
        tokens.append((5 * tokens[-1] + 3) % CORPUS)
    sequence = torch.stack(tokens, dim=1)
    return sequence[:, :-1].clone(), sequence[:, 1:].clone()


def train_still(rng: Generator) -> list[Case]:
    """A rate of 0: the losses are the model's own, batch by batch, in their order."""
    batches = [_corpus(rng, b, t) for b, t in ((4, 6), (2, 3), (3, 8), (1, 5), (5, 2))]
    return [
        (_trained(rng, CORPUS, 8, zero=False), batches, 0.0),
        (_trained(rng, CORPUS, 16, zero=True), batches[:2], 0.0),
        (_trained(rng, CORPUS, 4, zero=False), batches[2:3], 0.0),
    ]


def train_device(rng: Generator) -> list[Case]:
    """A rate of 0 again, on two small batches: the losses can be told on every device."""
    batches = [_corpus(rng, b, t) for b, t in ((2, 3), (3, 2))]
    return [(_trained(rng, CORPUS, 4, zero=False), batches, 0.0)]


def train_few(rng: Generator) -> list[Case]:
    """A few real steps, of which the gradients are kept."""
    model = _trained(rng, CORPUS, 16, zero=False, watched=True)
    return [(model, [_corpus(rng, 3, 4) for _ in range(5)], RATE)]


def train_new(_rng: Generator) -> list[Case]:
    """One step of a model that has no gradients."""
    return [_one_step(used=False)]


def train_used(_rng: Generator) -> list[Case]:
    """The same step of the same model, which has gradients from before."""
    return [_one_step(used=True)]


def _one_step(*, used: bool) -> Case:
    rng = np.random.default_rng(2017)
    model = _trained(rng, CORPUS, 8, zero=False, used=used)
    return model, [_corpus(rng, 3, 4)], RATE


def train_corpus(rng: Generator) -> list[Case]:
    """100 batches of the corpus for new models, from five seeds. The first batch is small, so
    that a model which sees no other cannot have learned the last one by luck."""
    sizes = [(2, 3)] + [(4, 6)] * (STEPS - 1)
    return [
        (_trained(rng, CORPUS, WIDTH, zero=True), [_corpus(rng, *size) for size in sizes], RATE)
        for _ in range(5)
    ]


def train_torn(rng: Generator) -> list[Case]:
    """Batches that contradict each other in turn: the best that can be is to be undecided."""
    inputs = torch.arange(CORPUS).reshape(4, 6)
    cases = []
    for _ in range(5):
        rules = [3, 10]
        batches = [
            (inputs.clone(), (5 * inputs + rules[place % 2]) % CORPUS) for place in range(STEPS)
        ]
        cases.append((_trained(rng, CORPUS, WIDTH, zero=True), batches, RATE))
    return cases
