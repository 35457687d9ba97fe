"""Seeded inputs of `embeddings-and-position`: each generator turns a seed into a list of calls.

Every case is the tuple of positional arguments of one call. Sizes are fixed, values are
drawn, and cases of one shape come with different values, so that an answer learnt by heart
for one of them is wrong for the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch
from numpy.random import Generator

from autograder.assignment.arguments import by_columns

Case = tuple[Any, ...]

# (vocabulary, width, shape of the ids) of each call of embed_tokens. Widths are even here, odd
# ones have a check of their own.
PIPELINE_CASES = (
    (100, 64, (5,)),
    (30, 8, (7,)),
    (30, 8, (7,)),
    (50, 16, (2, 9)),
    (50, 16, (3, 5)),
    (12, 32, (2, 3, 4)),
    (9, 6, (4, 1)),
    (40, 64, (2, 40)),
)
PIPELINE_ODD = ((11, 7, (4,)), (9, 1, (2, 3)), (5, 3, (1,)))
PIPELINE_EXAMPLE = ((20, 8, (4,)), (20, 8, (2, 4)))

# Words that are one token in GPT-2's vocabulary when they follow a blank, and in the tiny
# model of make_model.py too.
WORDS = (" king", " queen", " man", " woman", " dog", " cat", " red", " blue", " three", " car")
SMALL_WORDS = (" green", " house", " white")
TWIN_WORDS = (" gray", " grey")  # in the tiny model both have the same vector
TIED_WORD = " chair"  # in the tiny model two of its neighbours tie
NEIGHBOURS = 5
NEIGHBOURS_WIDE = 12


def _matrix(rng: Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.standard_normal(shape)).to(torch.float32)


def _ids(rng: Generator, vocabulary: int, shape: tuple[int, ...]) -> torch.Tensor:
    """Ids that hold the first and the last row where there is room for both."""
    flat = torch.from_numpy(rng.integers(0, vocabulary, size=shape)).flatten()
    flat[0], flat[-1] = 0, vocabulary - 1
    return flat[torch.from_numpy(rng.permutation(len(flat)))].reshape(shape)


def _ends_apart(vocabularies: Iterable[int], several: Iterable[torch.Tensor]) -> None:
    """Take id 0 out of the first ids and id V - 1 out of the second, so that one wrong bound can
    be told from the other, and nobody can read V off the ids."""
    both = zip(vocabularies, several, strict=False)
    for (vocabulary, ids), last in zip(both, (False, True), strict=False):
        ids[ids == (vocabulary - 1 if last else 0)] = 1


def _embedding(rng: Generator, vocabulary: int, width: int) -> torch.nn.Embedding:
    return torch.nn.Embedding(vocabulary, width, _weight=_matrix(rng, vocabulary, width))


# ------------------------------------------------------------------ lookup and one-hot


def lookup_ids(rng: Generator) -> list[Case]:
    """All ids in order, then ids of ranks 1 and 2, for the student's own table of ten rows."""
    return [(torch.arange(10),), *((_ids(rng, 10, shape),) for shape in ((6,), (6,), (2, 3)))]


def one_hot_example(_rng: Generator) -> list[Case]:
    """A table that can be read by eye: row r holds 10r, 10r + 1, 10r + 2."""
    weight = torch.tensor([[10.0 * row + column for column in range(3)] for row in range(5)])
    return [(weight, torch.tensor([4, 0, 2])), (weight, torch.tensor([[1, 1], [3, 4]]))]


def one_hot_cases(rng: Generator) -> list[Case]:
    """Tables of several sizes, ids of ranks 1, 2 and 3; of the first two each lacks one end of
    the vocabulary, the last ones are not contiguous."""
    sizes = ((7, 5, (4,)), (7, 5, (4,)), (12, 3, (2, 6)), (4, 9, (3, 2, 5)), (1, 2, (1,)))
    cases = [(_matrix(rng, v, d), _ids(rng, v, shape)) for v, d, shape in sizes]
    _ends_apart((v for v, _, _ in sizes), (ids for _, ids in cases))
    return [*cases, (_matrix(rng, 9, 4), by_columns(_ids(rng, 9, (3, 5))))]


# ------------------------------------------------------------------ cosine similarity


def cosine_example(_rng: Generator) -> list[Case]:
    """3-4-5 vectors: the cosines are 0.6, 0 and 1."""
    return [
        (torch.tensor([3.0, 4.0]), torch.tensor([1.0, 0.0])),
        (torch.tensor([0.0, 2.0]), torch.tensor([5.0, 0.0])),
        (torch.tensor([1.0, 2.0, 2.0]), torch.tensor([2.0, 4.0, 4.0])),
    ]


def cosine_cases(rng: Generator) -> list[Case]:
    """Pairs of vectors of 2 to 300 numbers, with lengths that are far from 1."""
    pairs = []
    for width in (2, 4, 4, 16, 300):
        a = rng.uniform(0.5, 8.0) * _matrix(rng, width)
        pairs.append((a, rng.uniform(0.5, 8.0) * (_matrix(rng, width) + 0.3 * a)))
    return pairs


def cosine_directions(rng: Generator) -> list[Case]:
    """Parallel, opposite and perpendicular vectors: 1, -1 and 0 whatever the lengths."""
    a, b = _matrix(rng, 6) + 0.5, _matrix(rng, 6)
    across = b - (a @ b) / (a @ a) * a
    return [(a, 3.0 * a), (a, -2.0 * a), (-0.5 * a, a), (a, across), (a, a.clone())]


def cosine_zero(rng: Generator) -> list[Case]:
    """A zero vector on the left, on the right, and on both sides."""
    a, zero = _matrix(rng, 4) + 0.5, torch.zeros(4)
    return [(zero, a), (a, zero), (zero, zero.clone())]


def cosine_like_zero(_rng: Generator) -> list[Case]:
    """Vectors that are not zero, though their sum, largest, smallest, first or last number is."""
    pairs = (
        ([0.0, -2.0, -1.0, 3.0], [2.0, 1.0, -1.0, 1.0]),
        ([-1.0, 2.0, -2.0], [-3.0, 0.0, -4.0]),
        ([-4.0, 0.0, -3.0], [-2.0, -1.0, 2.0]),
        ([4.0, 3.0, 0.0], [1.0, 2.0, 2.0]),
        ([1.0, 3.0, 1.0], [0.0, 1.0, -1.0]),
    )
    return [(torch.tensor(a), torch.tensor(b)) for a, b in pairs]


# ------------------------------------------------------------------ positional encoding


def encoding_example(_rng: Generator) -> list[Case]:
    """Small even tables that can be checked by hand."""
    return [(4, 8), (3, 4), (6, 2)]


def encoding_small(_rng: Generator) -> list[Case]:
    """A single row, a single column pair, and the table of the heatmap."""
    return [(1, 2), (1, 6), (20, 64), (13, 10)]


def encoding_medium(_rng: Generator) -> list[Case]:
    """A usual training length."""
    return [(512, 128)]


def encoding_long(_rng: Generator) -> list[Case]:
    """A length at which float32 rounding of the angle shows."""
    return [(10000, 64)]


def encoding_odd(_rng: Generator) -> list[Case]:
    """Odd widths, down to a single column."""
    return [(6, 7), (5, 1), (9, 3), (1, 5)]


def encoding_no_rows(_rng: Generator) -> list[Case]:
    """A table of no rows still has its width, an even or an odd one."""
    return [(0, 8), (0, 5)]


def encoding_dtype(_rng: Generator) -> list[Case]:
    """Two sizes whose dtype is looked at, not their numbers."""
    return [(10, 16), (3, 4)]


def encoding_bounds(_rng: Generator) -> list[Case]:
    """Tables whose bounds and rows are looked at."""
    return [(50, 16), (200, 32)]


def encoding_speed(_rng: Generator) -> list[Case]:
    """The size at which processor time is compared."""
    return [(4096, 512)]


# ------------------------------------------------------------------ input pipeline


def _pipeline(rng: Generator, sizes: tuple[tuple[int, int, tuple[int, ...]], ...]) -> list[Case]:
    cases = [(_embedding(rng, v, d), _ids(rng, v, shape)) for v, d, shape in sizes]
    _ends_apart((v for v, _, _ in sizes), (ids for _, ids in cases))
    return list(cases)


def pipeline_example(rng: Generator) -> list[Case]:
    """One sentence and one batch for embed_tokens."""
    return _pipeline(rng, PIPELINE_EXAMPLE)


def pipeline_example_sizes(_rng: Generator) -> list[Case]:
    """(T, D) of each case of pipeline_example, for the student's own encoding."""
    return [(shape[-1], d) for _, d, shape in PIPELINE_EXAMPLE]


def pipeline_cases(rng: Generator) -> list[Case]:
    """Hidden embeddings and ids of ranks 1, 2 and 3 for embed_tokens."""
    return _pipeline(rng, PIPELINE_CASES)


def pipeline_odd(rng: Generator) -> list[Case]:
    """Tables of odd widths, down to a single column."""
    return _pipeline(rng, PIPELINE_ODD)


def pipeline_odd_sizes(_rng: Generator) -> list[Case]:
    """(T, D) of each case of pipeline_odd, for the student's own encoding."""
    return [(shape[-1], d) for _, d, shape in PIPELINE_ODD]


def pipeline_sentences(rng: Generator) -> list[Case]:
    """Single sentences in the notebook's own width, where batches and widths play no part."""
    return _pipeline(rng, ((100, 64, (5,)), (40, 64, (7,))))


def pipeline_sizes(_rng: Generator) -> list[Case]:
    """(T, D) of each case of pipeline_cases, for the student's own encoding."""
    return [(shape[-1], d) for _, d, shape in PIPELINE_CASES]


# ------------------------------------------------------------------ pretrained neighbours


def _words(rng: Generator) -> list[str]:
    return [WORDS[index] for index in rng.permutation(len(WORDS))]


def neighbour_example(_rng: Generator) -> list[Case]:
    """One word of the lesson text."""
    return [(" king", NEIGHBOURS)]


def neighbour_words(rng: Generator) -> list[Case]:
    """Words whose nearest tokens are asked for.

    The last one has two tied neighbours, at places 6 and 7 of the tiny model: once the tie
    crosses the end of the list, once it lies inside.
    """
    words = [(word, NEIGHBOURS) for word in _words(rng)[:3]]
    return [*words, (TIED_WORD, 6), (TIED_WORD, 7)]


def neighbour_example_small(_rng: Generator) -> list[Case]:
    """Other words of the tiny model: its tokenizer does not know those that are made up."""
    return [(word, k) for k in (1, 2) for word in SMALL_WORDS]


neighbour_words_small = neighbour_example_small


def neighbour_words_wide(rng: Generator) -> list[Case]:
    """All words with a longer list, from which ties at the end of the short list are seen."""
    return [(word, NEIGHBOURS_WIDE) for word in (*WORDS, TIED_WORD, *TWIN_WORDS)]


def neighbour_words_wide_small(_rng: Generator) -> list[Case]:
    """The words of neighbour_words_small with a longer list."""
    return 2 * [(word, NEIGHBOURS_WIDE) for word in SMALL_WORDS]


def neighbour_twin(_rng: Generator) -> list[Case]:
    """Two words with the same vector: of equal cosines the query is the first for one of them and
    the second for the other, in whatever order a sort leaves them."""
    return [(word, 3) for word in TWIN_WORDS]


def word_pairs(rng: Generator) -> list[Case]:
    """Pairs of words for token_similarity, one of them a word with itself."""
    words = _words(rng)
    return [(words[0], words[1]), (words[2], words[3]), (" king", " queen"), (words[4], words[4])]


def word_pairs_small(_rng: Generator) -> list[Case]:
    """Pairs of other words, one of them a word with itself."""
    return [(one, other) for one in SMALL_WORDS for other in SMALL_WORDS[:2]]
