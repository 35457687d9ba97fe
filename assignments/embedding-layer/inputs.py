"""Seeded inputs of `embedding-layer`: each generator turns a seed into a list of calls.

Every case is the tuple of positional arguments of one call. Sizes are fixed and differ in every
axis (no square tables, and V, D, T, B all different), so that a wrong axis shows. Values are
drawn. Modules are made from the student's classes and then get tables that are drawn here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.assignment.arguments import (
    by_columns,
    device,
    made,
    stand_in_model,
    stand_in_tokenizer,
)

Case = tuple[Any, ...]

# (vocabulary, width, shape of the ids)
LOOKUPS = ((7, 4, (5,)), (7, 4, (5,)), (12, 3, (6,)), (5, 9, (8,)))
LOOKUP_AXES = (
    (12, 3, (2, 6)),
    (5, 9, (3, 2, 4)),
    (8, 5, (1, 4)),
    (6, 1, (4, 1)),
    (9, 2, (1,)),
    (5, 5, (5, 5)),
)
TOKENS = (
    (9, 6, (5,)),
    (9, 6, (5,)),
    (11, 4, (2, 7)),
    (6, 10, (3, 2, 5)),
    (13, 3, (1, 8)),
    (7, 1, (3, 1)),
    (8, 5, (1,)),
    (7, 5, (5, 5)),
)

# (positions, width, shape of the ids); the ids go up to LARGEST_ID, past the positions
# of the last, more sequences than there are positions, and more ids
POSITIONS = (
    (9, 4, (2, 6)),
    (9, 4, (3, 5)),
    (11, 6, (1, 7)),
    (7, 12, (4, 1)),
    (5, 8, (3, 2)),
    (4, 7, (6, 3)),
    (6, 1, (2, 3)),
    (5, 4, (4, 4)),
)
FULL_LENGTH = ((6, 4, (3, 6)), (10, 7, (1, 10)), (3, 5, (2, 3)), (1, 4, (2, 1)))
LARGEST_ID = 1000

# (vocabulary, positions, width, shape of the ids)
BOTH = (
    (15, 9, 6, (2, 5)),
    (15, 9, 6, (2, 5)),
    (8, 12, 5, (3, 7)),
    (20, 13, 16, (1, 4)),
    (10, 6, 3, (5, 2)),
    (12, 8, 7, (4, 1)),
    (9, 7, 1, (2, 3)),
    (8, 6, 5, (5, 5)),
)
BOTH_FULL = ((11, 7, 4, (3, 7)), (9, 5, 8, (2, 5)))

# Tables of about 24,000 numbers and more, for mean, spread and shape of the distribution.
TOKEN_SIZES = ((600, 40), (350, 72))
POSITION_SIZES = ((400, 60), (900, 28))
BOTH_SIZES = ((700, 500, 48), (320, 450, 75))

WORDS = (
    "king",
    "queen",
    "man",
    "woman",
    "prince",
    "dog",
    "cat",
    "horse",
    "apple",
    "pear",
    "throne",
    "crown",
    "river",
    "sea",
    "red",
    "blue",
    "green",
    "one",
    "two",
    "three",
    "walk",
    "run",
    "fly",
    "stone",
    "tree",
    "leaf",
    "paper",
    "ink",
    "north",
    "south",
    "moon",
    "sun",
)

# Lines that are wrong in one way each, filled up with good ids.
NOT_JSON = ('{"token_ids": [1, 2', "", "token_ids: [1, 2]", '{"token_ids": [1, 2]} {"x": 1}')
NOT_AN_OBJECT = ("[1, 2, 3]", "5", "null", '"token_ids"', '["token_ids"]', "true")
NO_KEY = ("{}", '{"id": 3, "ids": [1, 2]}', '{"Token_Ids": [1, 2]}')
NOT_A_LIST = tuple(f'{{"token_ids": {value}}}' for value in ("7", '"12"', "null", '{"0": 1}'))
NOT_INTEGERS = tuple(
    f'{{"token_ids": [{values}]}}' for values in ("1.5, 2", '1, "2"', "null", "1, 2, 0.5", "[1, 2]")
)


def _matrix(rng: Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.standard_normal(shape)).to(torch.float32)


def _whole(rng: Generator, *shape: int) -> torch.Tensor:
    """Whole numbers, all different, which every dtype holds exactly."""
    size = int(np.prod(shape))
    numbers = rng.permutation(2 * size)[:size] - size
    return torch.from_numpy(numbers.reshape(shape)).to(torch.float32)


def _wide(rng: Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.standard_normal(shape))


def _ids(rng: Generator, vocabulary: int, shape: tuple[int, ...]) -> torch.Tensor:
    """Ids that hold the first and the last row where there is room for both."""
    flat = rng.integers(0, vocabulary, size=int(np.prod(shape)))
    flat[0] = 0
    flat[-1] = vocabulary - 1
    return torch.from_numpy(rng.permutation(flat).reshape(shape))


def _ends_apart(vocabularies: Iterable[int], several: Iterable[torch.Tensor]) -> None:
    """Take id 0 out of the first ids and id V - 1 out of the second, so that one wrong bound can
    be told from the other, and nobody can read V off the ids."""
    both = zip(vocabularies, several, strict=False)
    for (vocabulary, ids), last in zip(both, (False, True), strict=False):
        ids[ids == (vocabulary - 1 if last else 0)] = 1


def _lookups(rng: Generator, sizes: tuple[tuple[int, int, tuple[int, ...]], ...]) -> list[Case]:
    """(table, ids) of each size; of the first two each lacks one end of the vocabulary."""
    cases = [(_matrix(rng, v, d), _ids(rng, v, shape)) for v, d, shape in sizes]
    _ends_apart((v for v, _, _ in sizes), (ids for _, ids in cases))
    return list(cases)


def _inner_ids(rng: Generator, vocabulary: int, shape: tuple[int, ...]) -> torch.Tensor:
    """Ids without the first and the last row, where a wrong bound plays no part."""
    return torch.from_numpy(rng.integers(1, vocabulary - 1, size=shape))


def _readable(rows: int, columns: int) -> torch.Tensor:
    """Row r holds 10r, 10r + 1, 10r + 2, ..."""
    return torch.tensor([[10.0 * row + column for column in range(columns)] for row in range(rows)])


# ------------------------------------------------------------------ a lookup by hand


def lookup_example(_rng: Generator) -> list[Case]:
    """A table that can be read by eye and two sentences."""
    table = _readable(5, 4)
    return [(table, torch.tensor([4, 0, 2])), (table, torch.tensor([1, 1, 3, 4]))]


def lookup_batch(_rng: Generator) -> list[Case]:
    """The same table, a sentence and a batch."""
    table = _readable(5, 4)
    return [(table, torch.tensor([4, 0, 2])), (table, torch.tensor([[1, 1], [3, 4], [0, 2]]))]


def lookup_cases(rng: Generator) -> list[Case]:
    """Tables of several sizes, and sentences that hold the last row."""
    return [(_matrix(rng, v, d), _ids(rng, v, shape)) for v, d, shape in LOOKUPS]


def lookup_axes(rng: Generator) -> list[Case]:
    """Ids of ranks 1, 2 and 3, axes of length 1, a table of one column."""
    return [(_whole(rng, v, d), _ids(rng, v, shape)) for v, d, shape in LOOKUP_AXES]


def lookup_inner(rng: Generator) -> list[Case]:
    """Sentences without the first and the last row."""
    sizes = ((9, 4, (5,)), (12, 3, (7,)))
    return [(_whole(rng, v, d), _inner_ids(rng, v, shape)) for v, d, shape in sizes]


def lookup_transposed(rng: Generator) -> list[Case]:
    """A batch that is not contiguous in memory."""
    return [(_whole(rng, 11, 4), by_columns(_ids(rng, 11, (3, 5))))]


# ------------------------------------------------------------------ TokenEmbedding


def _token_layer(table: torch.Tensor) -> Any:
    return made("TokenEmbedding", *table.shape, state=[table])


def token_example(_rng: Generator) -> list[Case]:
    """A module whose table can be read by eye: with its last row, with its first, and a batch."""
    layer = _token_layer(_readable(6, 4))
    ids = ([5, 1, 2], [0, 2], [[1, 1], [3, 4], [2, 4]])
    return [(layer, torch.tensor(one)) for one in ids]


def token_cases(rng: Generator) -> list[Case]:
    """Tables of several sizes, ids of ranks 1, 2 and 3; the last ones are not contiguous."""
    cases = [*_lookups(rng, TOKENS), (_matrix(rng, 8, 5), by_columns(_ids(rng, 8, (4, 3))))]
    return [(_token_layer(table), ids) for table, ids in cases]


def _repeated() -> torch.Tensor:
    """Ids of which some stand twice."""
    return torch.tensor([[3, 1, 4], [1, 5, 3]])


def token_new(_rng: Generator) -> list[Case]:
    """A new module, wider than it has rows, for whether it tells ids apart."""
    return [(made("TokenEmbedding", 12, 48), _repeated())]


def token_int32_new(_rng: Generator) -> list[Case]:
    """The same with ids of 32 bits, of ranks 1 and 2."""
    every = (_repeated(), _repeated().flatten())
    return [(made("TokenEmbedding", 12, 48), ids.to(torch.int32)) for ids in every]


def token_int32_sentences(rng: Generator) -> list[Case]:
    """The same with a table of ours."""
    return [(_token_layer(_matrix(rng, 12, 48)), _repeated().to(torch.int32))]


def token_sentences(rng: Generator) -> list[Case]:
    """One sentence in a wide table, for whether the table is used at all."""
    return [(_token_layer(_matrix(rng, 12, 48)), _inner_ids(rng, 12, (7,)))]


def token_sizes(_rng: Generator) -> list[Case]:
    """(vocab_size, embed_dim) of new modules."""
    return list(TOKEN_SIZES)


def token_not_integers(rng: Generator) -> list[Case]:
    """Ids in floating point; all hold whole numbers of existing rows."""
    layer = made("TokenEmbedding", 9, 4)
    kinds = (torch.float32, torch.float16, torch.float32)
    shapes = ((5,), (2, 3), (1, 4))
    every = zip(kinds, shapes, strict=True)
    return [(layer, _inner_ids(rng, 9, shape).to(kind)) for kind, shape in every]


def token_out_of_range(_rng: Generator) -> list[Case]:
    """-1 and V, alone and among good ids, and ids far outside; both among ids of 32 bits."""
    layer = made("TokenEmbedding", 9, 4)
    ids = ([9], [-1], [[0, 3, 9], [8, 2, 1]], [[0, 3, 8], [-1, 2, 1]], [4, 100], [-20, 5])
    short = [torch.tensor(one, dtype=torch.int32) for one in ([0, 9], [[-1, 8]])]
    return [(layer, one) for one in (*map(torch.tensor, ids), *short)]


# ------------------------------------------------------------------ PositionalEmbedding


def _position_layer(table: torch.Tensor) -> Any:
    return made("PositionalEmbedding", *table.shape, state=[table])


def _positions(rng: Generator, sizes: tuple[tuple[int, int, tuple[int, int]], ...]) -> list[Case]:
    """With ids that are small enough to be rows of the table."""
    return [(_position_layer(_matrix(rng, m, d)), _ids(rng, m, shape)) for m, d, shape in sizes]


def position_example(_rng: Generator) -> list[Case]:
    """A module whose table can be read by eye; the ids are larger than the table is long."""
    layer = _position_layer(_readable(6, 4))
    return [(layer, torch.tensor([[9, 9, 9]])), (layer, torch.tensor([[1, 70, 400, 3], [0] * 4]))]


def position_cases(rng: Generator) -> list[Case]:
    """Tables of several sizes and batches that are shorter than the table, of large ids."""
    return [
        (_position_layer(_matrix(rng, m, d)), _ids(rng, LARGEST_ID, shape))
        for m, d, shape in POSITIONS
    ]


def position_full(rng: Generator) -> list[Case]:
    """Sequences of exactly the largest length."""
    return _positions(rng, FULL_LENGTH)


def position_single(rng: Generator) -> list[Case]:
    """Batches of one, where all accepted shapes of the result hold the same numbers."""
    return _positions(rng, ((9, 4, (1, 6)), (6, 5, (1, 6)), (8, 3, (1, 1))))


def position_devices(_rng: Generator) -> list[Case]:
    """Batches of one, with a table that can be read by eye."""
    layer = _position_layer(_readable(6, 4))
    return [(layer, torch.tensor([[5, 5, 5]])), (layer, torch.tensor([[1, 2, 4, 3]]))]


def position_sentences(rng: Generator) -> list[Case]:
    """One batch with a wide table, for whether the table is used at all."""
    ids = torch.from_numpy(rng.permutation(12)[:7].reshape(1, 7))
    return [(_position_layer(_matrix(rng, 12, 48)), ids)]


def position_new(_rng: Generator) -> list[Case]:
    """New modules: a batch that is shorter than the table, and one that is as long."""
    ids = torch.arange(22).reshape(2, 11)
    return [(made("PositionalEmbedding", 11, 48), one) for one in (ids[:, :7].contiguous(), ids)]


def position_kept(_rng: Generator) -> list[Case]:
    """A new module, for what it does to its arguments."""
    return [(made("PositionalEmbedding", 11, 48), torch.tensor([[1, 7, 0, 3], [5, 5, 2, 10]]))]


def position_sizes(_rng: Generator) -> list[Case]:
    """(max_seq_len, embed_dim) of new modules."""
    return list(POSITION_SIZES)


def position_too_long(rng: Generator) -> list[Case]:
    """One token too many, and many too many; the ids themselves are small."""
    sizes = ((6, 4, (2, 7)), (5, 3, (1, 6)), (4, 7, (3, 20)))
    return [(made("PositionalEmbedding", m, d), _ids(rng, 4, shape)) for m, d, shape in sizes]


# ------------------------------------------------------------------ GPT2Embeddings


def _both_layer(tokens: torch.Tensor, positions: torch.Tensor) -> Any:
    sizes = (tokens.shape[0], positions.shape[0], tokens.shape[1])
    return made("GPT2Embeddings", *sizes, state=[tokens, positions])


Sizes = tuple[tuple[int, int, int, tuple[int, int]], ...]


def _wholes(rng: Generator, sizes: Sizes) -> list[Case]:
    """Modules and ids, without id 0; of the first two, the first lacks the last id."""
    cases = []
    for number, (v, m, d, shape) in enumerate(sizes):
        last = v - 1 if number == 0 else v
        ids = torch.from_numpy(rng.integers(1, last, size=shape))
        if number:
            ids[-1, -1] = v - 1
        cases.append((_both_layer(_matrix(rng, v, d), _matrix(rng, m, d)), ids))
    return cases


def both_example(rng: Generator) -> list[Case]:
    """Two sequences of eight tokens."""
    ids = torch.tensor([[5, 17, 3, 9, 2, 11, 15, 1], [4, 4, 8, 1, 19, 12, 6, 7]])
    return [(_both_layer(_matrix(rng, 20, 12), _matrix(rng, 10, 12)), ids)]


def both_padded(rng: Generator) -> list[Case]:
    """Sequences of 5 and of 8 tokens, padded to 8 with id 0, which also stands inside; and with
    another id."""
    ids = torch.tensor([[5, 17, 0, 9, 2, 0, 0, 0], [4, 4, 8, 1, 19, 12, 6, 7]])
    other = torch.tensor([[0, 3, 8, 6, 8, 8, 8], [1, 5, 2, 8, 4, 6, 0]])
    return [
        (_both_layer(_matrix(rng, 20, 12), _matrix(rng, 10, 12)), ids),
        (_both_layer(_matrix(rng, 9, 5), _matrix(rng, 8, 5)), other),
    ]


def both_kept(rng: Generator) -> list[Case]:
    """For what a call does to its arguments."""
    layer = _both_layer(_matrix(rng, 14, 6), _matrix(rng, 11, 6))
    return [(layer, torch.tensor([[1, 7, 2, 3], [5, 5, 2, 10]]))]


def both_cases(rng: Generator) -> list[Case]:
    """Modules of several sizes and batches that are shorter than the position table."""
    return _wholes(rng, BOTH)


def both_gradients(rng: Generator) -> list[Case]:
    """The same, and a batch that holds id 0."""
    return [*_wholes(rng, BOTH[1:4]), both_padded(rng)[0]]


def both_full(rng: Generator) -> list[Case]:
    """Sequences of exactly the largest length."""
    return _wholes(rng, BOTH_FULL)


def both_new(_rng: Generator) -> list[Case]:
    """New modules, for whether their tables are used: shorter than the table of positions, and as
    long; the ids are rows of either table."""
    ids = torch.arange(22).reshape(2, 11) % 10
    ids[1, ::2] = ids[0, ::2]
    every = (ids[:, :7].contiguous(), ids)
    return [(made("GPT2Embeddings", 14, 11, 48), one) for one in every]


def both_sentences(rng: Generator) -> list[Case]:
    """One batch with wide tables, for whether the tables are used at all."""
    layer = _both_layer(_matrix(rng, 14, 48), _matrix(rng, 11, 48))
    return [(layer, _inner_ids(rng, 14, (2, 7)))]


def both_sizes(_rng: Generator) -> list[Case]:
    """(vocab_size, max_seq_len, embed_dim) of new modules."""
    return list(BOTH_SIZES)


# ------------------------------------------------------------------ neighbours and analogies


def _vocabulary(rng: Generator, size: int) -> list[str]:
    return [WORDS[index] for index in rng.permutation(len(WORDS))[:size]]


def _uneven(rng: Generator, rows: int, columns: int) -> torch.Tensor:
    """Rows of quite different lengths."""
    lengths = torch.from_numpy(rng.uniform(0.3, 4.0, size=(rows, 1))).to(torch.float32)
    return _matrix(rng, rows, columns) * lengths


def _royal_table() -> torch.Tensor:
    """Columns: royal, male, female, animal. The last row is long."""
    return torch.tensor(
        [
            [2.0, 1.0, 0.0, 0.1],
            [1.9, 0.0, 1.1, 0.0],
            [0.1, 1.2, 0.1, 0.2],
            [0.0, 0.1, 1.2, 0.1],
            [0.9, 0.6, 0.0, 0.0],
            [0.0, 0.4, 0.1, 1.5],
            [0.1, 0.1, 0.5, 1.4],
            [0.3, 0.2, 0.2, 1.1],
            [0.2, 0.9, 0.8, 0.0],
            [0.8, 0.1, 0.7, 0.1],
            [5.0, 0.4, 0.2, 0.9],
        ]
    )


def similar_example(_rng: Generator) -> list[Case]:
    """The neighbours of "king" and of "cat" in a table made by hand."""
    tokenizer = stand_in_tokenizer(WORDS[:11])
    table = _royal_table()
    return [("king", table, tokenizer, 3), ("cat", table, tokenizer, 2)]


def similar_example_small(_rng: Generator) -> list[Case]:
    """Directions in the plane, a quarter of a right angle apart."""
    cases = []
    for count, top_k in ((4, 2), (5, 2), (5, 3)):
        angles = torch.arange(count) * torch.pi / 8
        table = (
            torch.stack((angles.cos(), angles.sin()), dim=1) * torch.arange(1, count + 1)[:, None]
        )
        tokenizer = stand_in_tokenizer(WORDS[:count])
        cases += [(word, table, tokenizer, top_k) for word in (WORDS[0], WORDS[count - 1])]
    return cases


similar_cases_small = similar_example_small


def similar_cases(rng: Generator) -> list[Case]:
    """Random tables with rows of different lengths; words anywhere in the table. Where all other
    tokens are listed, two of them tie."""
    cases = []
    for size, width, top_k in ((18, 7, 5), (18, 7, 5), (25, 9, 1), (12, 16, 11), (30, 4, 8)):
        words = _vocabulary(rng, size)
        place = int(rng.integers(0, size))
        table = _uneven(rng, size, width)
        if top_k == size - 1:
            _tie(table, [place])
        elif top_k == 8:
            _sum_to_zero(table, list(range(size)))
        cases.append((words[place], table, stand_in_tokenizer(words), top_k))
    return cases


def _sum_to_zero(table: torch.Tensor, rows: Sequence[int]) -> None:
    """Make the numbers of these rows add up to exactly zero, though the rows are not zero."""
    for row in rows:
        table[row] = (table[row] * 64).round() / 64
        table[row, -1] -= table[row].sum()
        table[row, 0] += 0.0 if bool(table[row].any()) else 1.0


def _tie(table: torch.Tensor, inputs: Sequence[int]) -> None:
    """Give three rows that are no inputs the same direction, to the last bit."""
    others = [row for row in range(len(table)) if row not in inputs]
    for row in (others[1], others[-1]):
        table[row] = table[others[0]] * 2.0


def similar_twins(rng: Generator) -> list[Case]:
    """Other tokens, before and after the word, have rows of exactly its direction."""
    cases = []
    for place, twins in ((6, (2,)), (3, (9,)), (0, (13,)), (13, (0,)), (5, (1, 10))):
        words = _vocabulary(rng, 14)
        table = _uneven(rng, 14, 6)
        for twin in twins:
            table[twin] = table[place] * 2.0  # a power of two: the same direction to the last bit
        cases.append((words[place], table, stand_in_tokenizer(words), 4))
    return cases


def analogy_example(_rng: Generator) -> list[Case]:
    """king - man + woman in a table made by hand."""
    tokenizer = stand_in_tokenizer(WORDS[:11])
    table = _royal_table()
    first = ("king", "man", "woman", table, tokenizer, 2)
    return [first, ("queen", "woman", "man", table, tokenizer, 3)]


def analogy_default(rng: Generator) -> list[Case]:
    """Without top_k."""
    tokenizer = stand_in_tokenizer(WORDS[:11])
    words = _vocabulary(rng, 16)
    other = (*words[:3], _uneven(rng, 16, 6), stand_in_tokenizer(words))
    return [("queen", "woman", "man", _royal_table(), tokenizer), other]


def analogy_cases(rng: Generator) -> list[Case]:
    """Random tables with rows of different lengths. Where all other tokens are listed, two of
    them tie."""
    cases = []
    for size, width, top_k in ((20, 7, 6), (20, 7, 4), (27, 9, 1), (14, 16, 11)):
        words = _vocabulary(rng, size)
        places = [int(place) for place in rng.permutation(size)[:3]]
        table = _uneven(rng, size, width)
        if top_k == size - 3:
            _tie(table, places)
        elif top_k == 4:
            _sum_to_zero(table, list(range(size)))
        a, b, c = (words[place] for place in places)
        cases.append((a, b, c, table, stand_in_tokenizer(words), top_k))
    return cases


def analogy_near_inputs_small(_rng: Generator) -> list[Case]:
    """None: a small table has no other tokens to list."""
    return []


def analogy_near_inputs(rng: Generator) -> list[Case]:
    """All three inputs lie nearer to the target than any other token does.

    The rows of the inputs point one way (b's is the shortest) and all others lie across, so
    that each input that is not left out takes the first places.
    """
    cases = []
    for size in (15, 19):
        words = _vocabulary(rng, size)
        common = torch.zeros(8)
        common[0] = 3.0
        table = _matrix(rng, size, 8)
        table[:, 0] *= 0.2
        places = [int(place) for place in rng.permutation(size)[:3]]
        for place, share in zip(places, (1.0, 0.4, 0.9), strict=True):
            table[place] = share * common + 0.1 * table[place]
        a, b, c = (words[place] for place in places)
        cases.append((a, b, c, table, stand_in_tokenizer(words), 5))
    return cases


# ------------------------------------------------------------------ between layer and data


def device_example(rng: Generator) -> list[Case]:
    """A model and ids that lie on the CPU already."""
    return [(stand_in_model(_matrix(rng, 12, 5), 9), _ids(rng, 12, (2, 6)), "cpu")]


def device_cases(rng: Generator) -> list[Case]:
    """Other sizes, in float64."""
    sizes = ((9, 4, 11, (3, 7)), (14, 6, 5, (1, 5)))
    return [
        (stand_in_model(_wide(rng, v, d), m), _ids(rng, v, shape), "cpu")
        for v, d, m, shape in sizes
    ]


def device_objects(rng: Generator) -> list[Case]:
    """The device as a torch.device."""
    model = stand_in_model(_matrix(rng, 10, 4), 8)
    return [(model, _ids(rng, 10, (2, 5)), made("torch.device", "cpu"))]


def device_moves(rng: Generator) -> list[Case]:
    """The device that the call is to run on, wherever the model and the ids are before."""
    return [(stand_in_model(_matrix(rng, 13, 4), 9), _ids(rng, 13, (3, 7)), device())]


def _batches(rng: Generator, *sizes: tuple[int, int, int, tuple[int, int]]) -> list[Case]:
    """Models (vocabulary, width, largest length) and ids of a shape."""
    return [
        (stand_in_model(_matrix(rng, v, d), m), _ids(rng, v, shape)) for v, d, m, shape in sizes
    ]


def truncated_example(rng: Generator) -> list[Case]:
    """Nine tokens, and five, for a limit of four."""
    return _batches(rng, (12, 5, 4, (2, 9)), (12, 5, 4, (3, 5)))


def truncated_cases(rng: Generator) -> list[Case]:
    """Far too long, one too long, longer than GPT-2's limit, a limit of 1."""
    sizes = ((9, 4, 6, (3, 40)), (14, 3, 5, (2, 6)), (10, 6, 1, (1, 4)), (8, 3, 1030, (2, 1045)))
    return _batches(rng, *sizes)


def truncated_short(rng: Generator) -> list[Case]:
    """Shorter than the limit by two and more; a single token."""
    return _batches(rng, (9, 4, 7, (2, 5)), (14, 3, 5, (3, 2)), (8, 6, 4, (2, 1)))


def truncated_full(rng: Generator) -> list[Case]:
    """Exactly as long as the limit."""
    return _batches(rng, (14, 3, 5, (2, 5)), (9, 4, 3, (3, 3)))


def truncated_many(rng: Generator) -> list[Case]:
    """More sequences than the limit says of tokens, and shorter than that by two and more."""
    return _batches(rng, (11, 6, 5, (7, 3)), (9, 5, 3, (4, 1)))


def truncated_devices(rng: Generator) -> list[Case]:
    """Too long and short."""
    return _batches(rng, (12, 5, 4, (2, 9)), (12, 5, 4, (2, 3)))


def truncated_wide(rng: Generator) -> list[Case]:
    """A model in float64, and one in float32."""
    models = (stand_in_model(_wide(rng, 9, 4), 6), stand_in_model(_matrix(rng, 9, 4), 6))
    return [(model, _ids(rng, 9, (2, 4))) for model in models]


def _line(ids: torch.Tensor, **more: Any) -> str:
    return json.dumps({**more, "token_ids": ids.tolist()})


def record_example(rng: Generator) -> list[Case]:
    """A line, and one with an end of line."""
    model = stand_in_model(_matrix(rng, 20, 6), 8)
    return [('{"token_ids": [5, 17, 3]}', model), ('{"token_ids": [0, 19]}\n', model)]


def record_example_small(_rng: Generator) -> list[Case]:
    """Short lines, and tables that can be read by eye."""
    lines = ('{"token_ids": [0]}', '{"token_ids": [1]}', '{"token_ids": [1, 0]}')
    lines += ('{"token_ids": [0, 2, 2]}\n', '{"token_ids": [2, 1, 0, 1]}')
    tables = [torch.arange(1.0, 3 * d + 1).reshape(3, d) for d in (1, 2)]
    return [(line, stand_in_model(table, 5)) for line in lines for table in tables]


def record_keys_small(rng: Generator) -> list[Case]:
    """Short lines with one more key."""
    small = record_example_small(rng)
    return [(line.replace("{", '{"id": 2, '), model) for line, model in small]


record_cases_small = record_example_small


def record_keys(rng: Generator) -> list[Case]:
    """Lines with more keys, among them the one of the text."""
    model = stand_in_model(_matrix(rng, 20, 6), 8)
    lines = (
        '{"id": 17, "token_ids": [5, 17, 3]}',
        '{"source": "a", "id": null, "token_ids": [1, 4], "checked": true}\n',
    )
    return [(line, model) for line in lines]


def record_cases(rng: Generator) -> list[Case]:
    """Other lines, in float64; one sequence has one token."""
    model = stand_in_model(_wide(rng, 15, 4), 9)
    first, second = _ids(rng, 15, (7,)), _ids(rng, 15, (5,))
    lines = (_line(first), '  {"token_ids": [14]}  ', _line(second))
    return [(line, model) for line in lines]


def record_single(rng: Generator) -> list[Case]:
    """A line with one token, for the gradient."""
    model = stand_in_model(_matrix(rng, 20, 6), 8)
    return [('{"token_ids": [5]}', model), ('{"token_ids": [0]}', model)]


def record_lines(rng: Generator) -> list[Case]:
    """Plain good lines, for whether lines are read at all before broken ones are refused."""
    model = stand_in_model(_matrix(rng, 12, 48), 8)
    return [(_line(_ids(rng, 12, (length,))), model) for length in (4, 6)]


def _broken(rng: Generator, lines: tuple[str, ...]) -> list[Case]:
    model = stand_in_model(_matrix(rng, 20, 6), 8)
    return [(line, model) for line in lines]


def record_not_json(rng: Generator) -> list[Case]:
    """Lines that are no JSON."""
    return _broken(rng, NOT_JSON)


def record_not_an_object(rng: Generator) -> list[Case]:
    """JSON, but no object; or an object without the key."""
    return _broken(rng, (*NOT_AN_OBJECT, *NO_KEY))


def record_wrong_types(rng: Generator) -> list[Case]:
    """`token_ids` is no list, or holds something that is no whole number."""
    return _broken(rng, (*NOT_A_LIST, *NOT_INTEGERS))


def record_empty(rng: Generator) -> list[Case]:
    """No ids at all."""
    return _broken(rng, ('{"token_ids": []}', '{"id": 1, "token_ids": [ ]}'))
