"""Arguments for a function that the notebook never calls: by annotations, then by names."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Set
from typing import Any

import numpy as np

from autograder.authoring.draft.functions import DraftFunction, Parameter
from autograder.wire.convert import from_wire
from autograder.wire.values import Array

MOST = 40  # combinations that are tried
TEXT = "a cat saw the other cat"

_BY_ANNOTATION = (  # the first that matches; small letters, without blanks and quotes
    (r"tensor", "tensors"),
    (r"ndarray|arraylike", "arrays"),
    (r"(list|sequence|iterable|tuple)\[(list|sequence|tuple)", "tables"),
    (r"(list|sequence|iterable|collection|set)\[str", "words"),
    (r"(list|sequence|iterable|collection|set)\[int", "integers"),
    (r"list|sequence|iterable|collection", "floats"),
    (r"\bstr\b", "text"),
    (r"\bbool\b", "truth"),
    (r"\bint\b", "integer"),
    (r"float|number|complex", "float"),
    (r"dict|mapping", "dictionary"),
)
_BY_NAME = (
    (r"[nkmijd]|n_\w+|num_?\w*|\w*_?(size|count|length|dim|steps|width|height|index)", "integer"),
    (r"s|text|string|word|sentence|name|line|title|message|\w+_text", "text"),
    (r"words|tokens|names|sentences|lines|texts", "words"),
)


def guesses(function: DraftFunction, libraries: Set[str]) -> Iterator[tuple[Any, ...]]:
    """Tuples of arguments to try, the likeliest first. ``libraries``: what the notebook imports."""
    choices = [
        list(_choices(parameter, np.random.default_rng(seed), libraries))
        for seed, parameter in enumerate(function.parameters)
    ]
    ranked = itertools.product(*(range(len(several)) for several in choices))
    for ranks in sorted(itertools.islice(ranked, 4000), key=lambda r: (sum(r), r))[:MOST]:
        yield tuple(several[rank] for several, rank in zip(choices, ranks, strict=True))


def _choices(parameter: Parameter, rng: np.random.Generator, libraries: Set[str]) -> Iterator[Any]:
    kinds = _kinds(rng, libraries)
    annotation = re.sub(r"[\s'\"]", "", parameter.annotation).lower()
    for pattern, kind in _BY_ANNOTATION:
        if re.search(pattern, annotation):
            yield from kinds[kind]
            return
    named = [kind for pattern, kind in _BY_NAME if re.fullmatch(pattern, parameter.name.lower())]
    first = ["tensors"] * ("torch" in libraries) + ["arrays"] * ("numpy" in libraries)
    rest = ["float", "integer", "floats", "text", "words", "tables", "integers"]
    for kind in dict.fromkeys([*named, *first, *rest]):
        yield from kinds[kind]


def _kinds(rng: np.random.Generator, libraries: Set[str]) -> dict[str, list[Any]]:
    arrays = [rng.normal(size=size).round(1) for size in ((4, 3), 3, 4, (3, 3))]
    return {
        "tensors": [_tensor(array) for array in arrays] if "torch" in libraries else arrays,
        "arrays": arrays,
        "tables": [arrays[0].tolist()],
        "floats": [arrays[1].tolist()],
        "integers": [rng.integers(0, 10, size=5).tolist()],
        "words": [rng.permutation(TEXT.split()).tolist()],
        "text": [TEXT],
        "truth": [True],
        "integer": [3],
        "float": [1.5],
        "dictionary": [{"a": 1, "b": 2}],
    }


def _tensor(array: Any) -> Any:
    """The array as a float32 tensor."""
    return from_wire(Array("float32", array.shape, array.astype("<f4").tobytes()))
