"""Every change of the table is recognised in random results, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from autograder.judging.checks.arrays import usual_bounds
from autograder.judging.diagnosis.transforms.change import ComparedPair, Transform
from autograder.judging.diagnosis.transforms.recognise import recognise
from tests.support.tables import evaluated, table_beside

Array = Any
Shapes = Sequence[tuple[int, ...]]
TABLES: Shapes = ((7, 6), (9, 6), (6, 10))
BATCHES: Shapes = ((3, 7, 6), (2, 5, 8))
HEADS: Shapes = ((2, 3, 5, 4), (3, 2, 7, 6))
VECTORS: Shapes = ((9,), (7,), (12,))
EVERY = (TABLES, BATCHES, HEADS, VECTORS)
MANY = (TABLES, BATCHES)
ROUNDS = 1


def rows(array: Array) -> Array:
    """The numbers of its rows, as a column."""
    return np.arange(array.shape[-2])[:, None]


def draw(rng: np.random.Generator, shapes: Shapes, dtype: str) -> list[Array]:
    """Right results of one function."""
    results = [rng.normal(size=shape) * 1.5 + 0.3 for shape in shapes]
    if dtype == "complex64":
        return [(r + 1j * rng.normal(size=r.shape)).astype(dtype) for r in results]
    return [r.astype(dtype) for r in results]


def seen(actual: Sequence[Array], expected: Sequence[Array]) -> Transform | None:
    pairs = []
    for one, other in zip(actual, expected, strict=True):
        bounds = usual_bounds(None, other.dtype.name, other.dtype.name, other.shape)
        pairs.append(ComparedPair(np.asarray(one), other, bounds))
    return recognise(pairs)


def softmax(array: Array, axis: int = -1) -> Array:
    powers = np.exp(array - array.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def at(axis: int, places: Any) -> Callable[[Array], Array]:
    """Takes entries along an axis by a function of their number."""
    return lambda array: np.take(array, places(array.shape[axis]), axis)


def evens_first(n: int) -> list[int]:
    return [*range(0, n, 2), *range(1, n, 2)]


def neighbours(n: int) -> list[int]:
    return [i ^ 1 if i ^ 1 < n else i for i in range(n)]


# words -> the change, and results for which they hold
CASES: dict[str, tuple[Callable[[Array], Array], Sequence[Shapes]]] = {
    words: evaluated(case, globals()) for words, case in table_beside(__file__, "cases").items()
}
COMPLEX = {
    words: evaluated(change, globals())
    for words, change in table_beside(__file__, "complex").items()
}
PAIRS = table_beside(__file__, "pairs")


def random_results(words: str) -> Iterator[list[Array]]:
    rng = np.random.default_rng(len(words))
    with np.errstate(all="ignore"):
        for shapes in CASES[words][1]:
            for dtype in ("float32", "float64"):
                yield from (draw(rng, shapes, dtype) for _ in range(ROUNDS))


@pytest.mark.parametrize("words", CASES)
@pytest.mark.filterwarnings("ignore")
def test_each_change_is_recognised_and_one_other_number_is_enough_against_it(words: str) -> None:
    change = CASES[words][0]
    for right in random_results(words):
        changed = [np.array(change(array)).astype(array.dtype) for array in right]
        found = seen(changed, right)
        assert found is not None and found.words in (words, f"{words}, the same in every call")
        changed[-1].flat[-1] = 12.3
        other = seen(changed, right)
        assert other is None or other.words != words


@pytest.mark.parametrize("words", COMPLEX)
def test_changes_of_complex_results_are_recognised(words: str) -> None:
    for seed in range(3):
        right = draw(np.random.default_rng(seed), TABLES, "complex64")
        found = seen([COMPLEX[words](array) for array in right], right)
        assert found is not None and found.words == words


@pytest.mark.parametrize("words", PAIRS)
def test_what_two_results_are_to_each_other_is_recognised(words: str) -> None:
    """A result before its last step; gradients of sums, of means and of repeated ids."""
    both = evaluated(f"lambda a, n: ({PAIRS[words]})", globals())
    for seed in range(3):
        given = draw(np.random.default_rng(seed), TABLES, "float64")
        actual, expected = zip(*(both(array, n) for n, array in enumerate(given)), strict=True)
        found = seen(actual, expected)
        assert bool(found) is bool(words)
        assert found is None or words in found.words


def test_what_is_not_a_change_is_none() -> None:
    rng = np.random.default_rng(7)
    for shapes in EVERY:
        for _ in range(8):
            right = draw(rng, shapes, "float64")
            for wrong in (
                draw(rng, shapes, "float64"),
                [array + 1e-3 * rng.normal(size=array.shape) for array in right],
                [array * rng.normal(size=array.shape[-1]) for array in right],
                [np.where(rng.random(array.shape) < 0.3, array, 0.5) for array in right],
                draw(rng, [(*shape[:-1], shape[-1] + 1) for shape in shapes], "float64"),
                draw(rng, [shape[:-1] for shape in shapes], "float64"),
            ):
                assert seen(wrong, right) is None


ARRANGED, COMPUTED = (
    [evaluated(f"lambda a: {code}", globals()) for code in table_beside(__file__, name)]
    for name in ("arranged", "computed")
)


def test_two_changes_at_once_are_none() -> None:
    for shapes in MANY:
        right = draw(np.random.default_rng(1), shapes, "float64")
        for arrange in ARRANGED:
            for compute in COMPUTED:
                assert seen([arrange(compute(array)) for array in right], right) is None


@pytest.mark.filterwarnings("ignore")
def test_nothing_is_seen_in_results_that_a_change_leaves_as_they_are() -> None:
    """Constant, zero, empty and single results say the same of every change."""
    changes = [*(case[0] for case in CASES.values()), *ARRANGED]
    filled = (np.full((6, 6), 3.0), np.full((3, 4), np.nan), np.zeros((5, 4)))
    for expected in (*filled, np.zeros((0, 4)), np.ones((1, 1)), np.ones(3)):
        for change in changes:
            try:
                changed = np.asarray(change(expected))
            except (ValueError, IndexError):  # there are too few entries
                continue
            found = seen([changed], [expected])
            if changed.shape == expected.shape and len(np.unique(changed)) < 2:
                assert found is None
