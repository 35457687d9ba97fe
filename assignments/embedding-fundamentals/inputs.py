"""Seeded inputs of `embedding-fundamentals`: each generator turns a seed into a list of calls.

Sizes are fixed and differ in every axis; values are drawn. Where a relation asks an earlier
part of the student's about the very numbers that a later part gets, both generators draw
from a generator of their own with one fixed seed (``_shared``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.random import Generator

from autograder.assignment.arguments import made

Case = tuple[Any, ...]

# Words in other orders than their ids, so that the place of a key says nothing.
VOCABULARIES = (
    {"mat": 4, "the": 0, "on": 3, "cat": 1, "sat": 2},
    {"sun": 2, "rain": 0, "snow": 5, "wind": 1, "fog": 6, "ice": 3, "hail": 4},
)
ORDERED = {"the": 0, "cat": 1, "sat": 2, "on": 3, "mat": 4}
# known words in small letters with one blank between them; what else may be is asked by itself
SENTENCES = (("cat sat mat", 0), ("snow rain fog", 1), ("ice", 1))
CAPITALS = ("The CAT sat", "MAT")
UNKNOWN = ("cat quietly sat on tuesday", "mist")
REPEATED = ("the cat sat on the mat", "  cat  on   mat ")
WORDLESS = (("", 0), ("   ", 1))

# (vocabulary, width, longest sequence, shape of the ids)
EMBEDDED = ((17, 6, 10, (2, 10)), (23, 10, 8, (4, 8)), (11, 4, 12, (1, 5)), (5, 8, 12, (2, 12)))
ADDED = ((6, 12, (2, 5)), (8, 10, (3, 10)), (4, 14, (5, 1)), (10, 8, (1, 7)))

TEXT_VOCABULARY = {
    "sun": 6,
    "[UNK]": 2,
    "rain": 0,
    "snow": 8,
    "wind": 3,
    "[PAD]": 4,
    "fog": 1,
    "ice": 7,
    "hail": 5,
}
TEXT_EXAMPLE_VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "the": 2, "cat": 3, "sat": 4, "down": 5}

# Places in the training corpus; which id a word gets is drawn.
NAMES, COMPANY = 2, 5  # king and queen, and what keeps them company; so for man and woman
TRAINED = {"embed_dim": 8, "epochs": 200, "lr": 0.05}


def _shared() -> Generator:
    return np.random.default_rng(20170612)


def _matrix(rng: Generator, *shape: int) -> torch.Tensor:
    return torch.from_numpy(rng.standard_normal(shape)).to(torch.float32)


def _ids(rng: Generator, vocabulary: int, shape: tuple[int, ...]) -> torch.Tensor:
    return torch.from_numpy(rng.integers(0, vocabulary, size=shape))


# ------------------------------------------------------------------ one-hot and sentences


def one_hot_example(_rng: Generator) -> list[Case]:
    """Two short vectors that can be written down by hand."""
    return [(2, 5), (0, 3)]


def one_hot_cases(rng: Generator) -> list[Case]:
    """The first and the last id, one in between, and a vocabulary of one word."""
    return [(0, 7), (6, 7), (int(rng.integers(1, 12)), 13), (int(rng.integers(13, 30)), 31), (0, 1)]


def one_hot_all(_rng: Generator) -> list[Case]:
    """Every id of both vocabularies, for sentences that are judged by the student's own part."""
    return [(i, len(vocab)) for vocab in VOCABULARIES for i in range(len(vocab))]


def sentence_example(_rng: Generator) -> list[Case]:
    """A sentence with a capital letter and a word that nobody knows."""
    return [("The cat sat on Tuesday", dict(ORDERED))]


def sentence_cases(rng: Generator) -> list[Case]:
    """Known words in small letters, each once, with vocabularies in another order than the ids."""
    return [(sentence, dict(VOCABULARIES[which])) for sentence, which in _plain(rng)]


def _plain(rng: Generator) -> tuple[tuple[str, int], ...]:
    words = list(VOCABULARIES[1])
    return *SENTENCES, (" ".join(words[int(i)] for i in rng.permutation(len(words))[:5]), 1)


def sentence_capitals(_rng: Generator) -> list[Case]:
    """Words with capital letters."""
    return [(sentence, dict(ORDERED)) for sentence in CAPITALS]


def sentence_unknown(_rng: Generator) -> list[Case]:
    """Words that nobody knows, among known ones and alone."""
    return [(sentence, dict(ORDERED)) for sentence in UNKNOWN]


def sentence_repeated(_rng: Generator) -> list[Case]:
    """A word that stands there twice; several blanks."""
    return [(sentence, dict(ORDERED)) for sentence in REPEATED]


def sentence_wordless(_rng: Generator) -> list[Case]:
    """Sentences of no words."""
    return [(sentence, dict(VOCABULARIES[which])) for sentence, which in WORDLESS]


# ------------------------------------------------------------------ cosine similarity


def cosine_example(_rng: Generator) -> list[Case]:
    """3-4-5 vectors, as arrays and as tensors: the cosines are 0.6, 0 and 1."""
    return [
        (np.array([3.0, 4.0]), np.array([1.0, 0.0])),
        (torch.tensor([0.0, 2.0]), torch.tensor([5.0, 0.0])),
        (np.array([1.0, 2.0, 2.0]), np.array([2.0, 4.0, 4.0])),
    ]


def cosine_cases(rng: Generator) -> list[Case]:
    """Pairs of arrays and of tensors, opposite ones too, with lengths that are far from 1."""
    pairs: list[Case] = []
    for width in (2, 4, 4, 16, 300):
        a = rng.uniform(2.0, 8.0) * rng.standard_normal(width)
        b = rng.uniform(2.0, 8.0) * (rng.standard_normal(width) - 0.5 * a)
        pairs += [(a, b), (torch.from_numpy(a).float(), torch.from_numpy(b).float())]
    return pairs


def cosine_integers(rng: Generator) -> list[Case]:
    """Integer vectors, as one-hot vectors and counts of words are."""
    counts = rng.integers(1, 9, size=(2, 2, 6))
    return [
        (counts[0, 0], counts[0, 1]),
        (torch.from_numpy(counts[1, 0]), torch.from_numpy(counts[1, 1])),
        (torch.tensor([0, 3, 0, 4]), torch.tensor([0, 0, 0, 7])),
    ]


def cosine_zero(rng: Generator) -> list[Case]:
    """A zero vector on the left, on the right, and on both sides."""
    a, zero = rng.standard_normal(4) + 0.5, np.zeros(4)
    tensor = torch.from_numpy(a).float()
    return [(zero, a), (tensor, torch.zeros(4)), (zero, zero.copy())]


def cosine_like_zero(_rng: Generator) -> list[Case]:
    """Vectors that are not zero, though their sum, largest, smallest, first or last number is."""
    pairs = (
        ([0.0, -2.0, -1.0, 3.0], [2.0, 1.0, -1.0, 1.0]),
        ([-1.0, 2.0, -2.0], [-3.0, 0.0, -4.0]),
        ([-4.0, 0.0, -3.0], [-2.0, -1.0, 2.0]),
        ([4.0, 3.0, 0.0], [1.0, 2.0, 2.0]),
        ([1.0, 3.0, 1.0], [0.0, 1.0, -1.0]),
    )
    arrays = [(np.array(a), np.array(b)) for a, b in pairs]
    return [*arrays, *((torch.tensor(a), torch.tensor(b)) for a, b in pairs)]


def cosine_on_devices(_rng: Generator) -> list[Case]:
    """Two pairs of tensors: the cosines are 0.6 and 0.8."""
    return [
        (torch.tensor([3.0, 4.0]), torch.tensor([2.0, 0.0])),
        (torch.tensor([0.0, 3.0, 0.0, 4.0]), torch.tensor([0.0, 0.0, 0.0, 7.0])),
    ]


# ------------------------------------------------------------------ tables


def lookup_example(_rng: Generator) -> list[Case]:
    """A table that can be read by eye."""
    return [(4, _by_eye(5, 3)), (0, _by_eye(5, 3))]


def _by_eye(rows: int, columns: int) -> np.ndarray:
    """Row r holds 10r, 10r + 1, 10r + 2, ..."""
    return 10.0 * np.arange(rows)[:, None] + np.arange(columns)


def lookup_cases(rng: Generator) -> list[Case]:
    """The first row, the last one and one in between, of tables of several sizes."""
    sizes = ((7, 4, 0), (7, 4, 6), (9, 12, int(rng.integers(1, 8))), (1, 3, 0), (5, 1, 3))
    return [(row, rng.standard_normal((rows, columns))) for rows, columns, row in sizes]


def _tables() -> tuple[np.ndarray, ...]:
    """A table for each vocabulary, the same ones for words and for sentences."""
    rng = _shared()
    widths = (3, 9)
    return tuple(
        rng.standard_normal((len(v), d)) for v, d in zip(VOCABULARIES, widths, strict=True)
    )


def lookup_all(_rng: Generator) -> list[Case]:
    """Every row of the tables of the sentences, for the student's own lookup."""
    tables = (_by_eye(5, 2), *_tables())
    return [(row, table) for table in tables for row in range(len(table))]


def embed_sentence_example(_rng: Generator) -> list[Case]:
    """A table that can be read by eye, and a word that is skipped."""
    return [("The cat never sat", dict(ORDERED), _by_eye(5, 2))]


def embed_sentence_cases(rng: Generator) -> list[Case]:
    """The sentences of exercise 2, with other tables than the example's."""
    tables = _tables()
    return [(text, dict(VOCABULARIES[which]), tables[which]) for text, which in _plain(rng)]


def embed_sentence_capitals(_rng: Generator) -> list[Case]:
    """Words with capital letters."""
    return [(sentence, dict(ORDERED), _tables()[0]) for sentence in CAPITALS]


def embed_sentence_unknown(_rng: Generator) -> list[Case]:
    """Unknown words among known ones."""
    return [(sentence, dict(ORDERED), _tables()[0]) for sentence in UNKNOWN[:-1]]


def embed_sentence_repeated(_rng: Generator) -> list[Case]:
    """A word that stands there twice; several blanks."""
    return [(sentence, dict(ORDERED), _tables()[0]) for sentence in REPEATED]


def embed_sentence_wordless(_rng: Generator) -> list[Case]:
    """No words at all, and no known ones."""
    tables = _tables()
    wordless = (*WORDLESS, (UNKNOWN[-1], 1))
    return [(sentence, dict(VOCABULARIES[which]), tables[which]) for sentence, which in wordless]


# ------------------------------------------------------------------ positions


def encoding_example(_rng: Generator) -> list[Case]:
    """Small tables that can be checked by hand."""
    return [(4, 6), (3, 2)]


def encoding_cases(_rng: Generator) -> list[Case]:
    """Narrow and wide tables, more rows than columns and the other way round."""
    return [(20, 64), (60, 12), (33, 2), (5, 30)]


def encoding_single(_rng: Generator) -> list[Case]:
    """A single row."""
    return [(1, 8)]


def encoding_dtype(_rng: Generator) -> list[Case]:
    """A table whose type is looked at."""
    return [(7, 10)]


def positions_example(_rng: Generator) -> list[Case]:
    """Two sequences of zeros, so that what is added can be seen; the table is longer."""
    return [(made("PositionalEncoding", 4, 6), torch.zeros(2, 3, 4))]


def positions_cases(rng: Generator) -> list[Case]:
    """Batches of vectors, shorter than the table and as long."""
    return [
        (made("PositionalEncoding", d, longest), _matrix(rng, *shape, d))
        for d, longest, shape in ADDED
    ]


def positions_in_dtypes(_rng: Generator) -> list[Case]:
    """Two sequences of zeros; as many columns as rows, so that a turned table has its shape."""
    return [(made("PositionalEncoding", 4, 4), torch.zeros(2, 3, 4))]


def positions_gradient(rng: Generator) -> list[Case]:
    """One batch, shorter than the table."""
    return [(made("PositionalEncoding", 6, 8), _matrix(rng, 3, 5, 6))]


def positions_made(_rng: Generator) -> list[Case]:
    """The arguments of a module that is looked at: width 6, 10 positions."""
    return [(6, 10)]


# ------------------------------------------------------------------ token plus position


def embedded_example(_rng: Generator) -> list[Case]:
    """A table of tens, width 4, so that the factor 2 can be seen."""
    return [(made("TransformerEmbedding", 5, 4, 6, state=[_tens(5)]), torch.tensor([[1, 4, 1]]))]


def _tens(rows: int) -> torch.Tensor:
    return torch.from_numpy(_by_eye(rows, 4)).float()


def embedded_cases(_rng: Generator) -> list[Case]:
    """Batches of ids with tables that are set."""
    return [
        (made("TransformerEmbedding", v, d, longest, state=[table]), ids)
        for (v, d, longest, _), table, ids in _embedded()
    ]


def _embedded() -> list[tuple[tuple[int, int, int, tuple[int, int]], torch.Tensor, torch.Tensor]]:
    rng = _shared()
    return [
        (size, _matrix(rng, size[0], size[1]), _ids(rng, size[0], size[3])) for size in EMBEDDED
    ]


def embedded_gradient(rng: Generator) -> list[Case]:
    """Some ids twice, some not at all."""
    made_one = made("TransformerEmbedding", 13, 8, 7, state=[_matrix(rng, 13, 8)])
    return [(made_one, _ids(rng, 13, (3, 5)))]


# ------------------------------------------------------------------ training


def training_cases(rng: Generator) -> list[Case]:
    """Five corpora, each with other ids for the same words, and a seed for each."""
    return [_training(rng, seed) for seed in (11, 23, 37, 58, 71)]


def training_map(_rng: Generator) -> list[Case]:
    """What the map of words shows: the notebook's own pairs, width 2, EPOCHS, RATE and SEED.

    Word w is one of group w // 7: three names, then four words of their company.
    """
    pairs = []
    for start in (0, 7, 14):
        for name in range(start, start + 3):
            for company in range(start + 3, start + 7):
                pairs += [(name, company), (company, name)]
    return [(pairs, 21, 2, 200, 0.05, 0)]


def training_twice(rng: Generator) -> list[Case]:
    """The same seed twice, for a few epochs."""
    pairs, size = _corpus(rng)
    return [(pairs, size, 2, 6, 0.05, 4)] * 2


def training_arguments(rng: Generator) -> list[Case]:
    """One seed twice, then another one; no learning rate for one epoch and for two; one epoch.

    The vocabulary has a word more than the pairs, with the largest id. The last call is wide and
    not trained: cosines of random rows are near 0 there.
    """
    pairs, size = _corpus(rng)
    settings = ((6, 0.05, 4), (6, 0.05, 4), (6, 0.05, 5), (1, 0.0, 4), (2, 0.0, 4), (1, 0.05, 4))
    cases: list[Case] = [(pairs, size + 1, 5, epochs, lr, seed) for epochs, lr, seed in settings]
    return [*cases, (pairs, size, 128, 1, 0.0, 4)]


def _training(rng: Generator, seed: int) -> Case:
    pairs, size = _corpus(rng)
    return (pairs, size, TRAINED["embed_dim"], TRAINED["epochs"], TRAINED["lr"], seed)


def _corpus(rng: Generator) -> tuple[list[tuple[int, int]], int]:
    """King and queen stand with each of five words, man and woman with five others.

    The first four pairs are (king, .), (queen, .), (man, .), (woman, .) in this order.
    """
    size = 2 * (NAMES + COMPANY)
    ids = [int(number) for number in rng.permutation(size)]
    pairs = []
    for company in range(COMPANY):
        for name in range(2 * NAMES):
            start = 2 * NAMES + (name // NAMES) * COMPANY
            pairs.append((ids[name], ids[start + company]))
    return [*pairs, *((b, a) for a, b in pairs)], size


# ------------------------------------------------------------------ categories


def category_all(_rng: Generator) -> list[Case]:
    """Every two of the student's own ten words; the list is read where the call is made."""
    words = [made("category_words.__getitem__", place) for place in range(10)]
    return [(words[a], words[b]) for a in range(10) for b in range(10)]


# ------------------------------------------------------------------ similarity to the first


def similarity_example(_rng: Generator) -> list[Case]:
    """A short curve."""
    return [(5, 4)]


def similarity_cases(_rng: Generator) -> list[Case]:
    """The curve of the figure, a single position, and others."""
    return [(100, 64), (1, 6), (12, 2), (9, 30)]


def similarity_figure(_rng: Generator) -> list[Case]:
    """The curve of the figure alone."""
    return [(100, 64)]


def similarity_example_rows(_rng: Generator) -> list[Case]:
    """Row 0 with each row of the encoding of ``similarity_example``, for the own cosine."""
    return _with_first(5, 4)


def similarity_rows(_rng: Generator) -> list[Case]:
    """The same for ``similarity_cases``, in their order: the first 100 are the figure's."""
    return [case for size in ((100, 64), (1, 6), (12, 2), (9, 30)) for case in _with_first(*size)]


def _with_first(rows: int, columns: int) -> list[Case]:
    powers = 10000.0 ** (-np.arange(0, columns, 2) / columns)
    turns = np.arange(rows)[:, None] * powers
    waves = np.stack([np.sin(turns), np.cos(turns)], axis=-1).reshape(rows, columns)
    table = torch.from_numpy(waves).float()
    return [(table[0].clone(), row.clone()) for row in table]


# ------------------------------------------------------------------ texts


def texts_example(_rng: Generator) -> list[Case]:
    """Three texts that can be followed by eye: row r of the table holds 10r, 10r + 1, ..."""
    table = _tens(6)
    table[TEXT_EXAMPLE_VOCABULARY["[PAD]"]] = 0.0
    texts = ["The cat sat down", "the dog sat"]
    return [(made("TextEmbedding", dict(TEXT_EXAMPLE_VOCABULARY), 4, 5, state=[table]), texts)]


TEXTS = (
    ["sun wind", "rain ice fog  hail", "snow"],
    ["hail snow rain sun wind", "fog fog ice hail sun snow rain ice"],
    ["wind rain", "ice sun", "hail fog"],
    ["fog wind ice"],
)
LONGEST = (7, 5, 2, 4)
TEXT_WIDTH = 6


def texts_cases(rng: Generator) -> list[Case]:
    """Known words in small letters: short texts, texts that are cut, texts that just fit."""
    pairs = zip(LONGEST, TEXTS, strict=True)
    return [(_text_embedding(rng, longest), list(texts)) for longest, texts in pairs]


def texts_capitals(rng: Generator) -> list[Case]:
    """Words with capital letters."""
    return [(_text_embedding(rng, 5), ["Sun wind", "RAIN ice Fog fog", "snow"])]


def texts_unknown(rng: Generator) -> list[Case]:
    """Words that nobody knows, first, in between and alone."""
    return [(_text_embedding(rng, 5), ["dew wind ice", "hail snow mist rain", "dew"])]


def texts_positions(_rng: Generator) -> list[Case]:
    """Zeros for the student's own PositionalEncoding, in the widths and lengths of the texts."""
    sizes = ((4, 5), *((TEXT_WIDTH, longest) for longest in LONGEST))
    return [(made("PositionalEncoding", d, t), torch.zeros(1, t, d)) for d, t in sizes]


def texts_empty(rng: Generator) -> list[Case]:
    """An empty text among others, and nothing but empty texts."""
    return [
        (_text_embedding(rng, 5), ["", "sun hail fog", "  "]),
        (_text_embedding(rng, 3), ["", ""]),
    ]


def texts_made(_rng: Generator) -> list[Case]:
    """The arguments of a module whose row of [PAD] is looked at."""
    return [(dict(TEXT_VOCABULARY), 8, 5), (dict(TEXT_EXAMPLE_VOCABULARY), 4, 3)]


def texts_gradient(rng: Generator) -> list[Case]:
    """Width 4, and one text that reaches the limit, so T is the same for everybody."""
    return [(_text_embedding(rng, 5, width=4), ["sun ice wind rain fog hail", "snow ice", ""])]


def texts_gradient_small(_rng: Generator) -> list[Case]:
    """None: T, and with it the gradient, is the same for everybody in long texts alone."""
    return []


texts_on_devices_small = texts_gradient_small


def texts_on_devices(_rng: Generator) -> list[Case]:
    """Two texts as long as the limit; rows of the table are 3 times the one before."""
    vocab = dict(TEXT_EXAMPLE_VOCABULARY)
    table = 100.0 * 3.0 ** (torch.arange(len(vocab))[:, None] - 1.0) + torch.tensor([0.0, 5.0])
    table[vocab["[PAD]"]] = 0.0
    made_one = made("TextEmbedding", vocab, 2, 3, state=[table])
    return [(made_one, ["the cat sat", "the down sat"])]


def _text_embedding(rng: Generator, longest: int, *, width: int = TEXT_WIDTH) -> Any:
    table = _matrix(rng, len(TEXT_VOCABULARY), width)
    table[TEXT_VOCABULARY["[PAD]"]] = 0.0
    return made("TextEmbedding", dict(TEXT_VOCABULARY), width, longest, state=[table])
