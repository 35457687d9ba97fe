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


def with_zeros(axis: int, start: int) -> Callable[[Array], Array]:
    def change(array: Array) -> Array:
        rows = np.moveaxis(array.copy(), axis, 0)
        rows[start:] = 0
        return np.moveaxis(rows, 0, axis)

    return change


def late(array: Array, by: int = 1) -> Array:
    """Later by some rows, and zero before."""
    moved = np.roll(array, by, -2)
    moved[..., :by, :] = 0
    return moved


def garbled(array: Array) -> Array:
    """Two rows too late, with other numbers before."""
    moved = np.roll(array, 2, -2)
    moved[..., :2, :] = 0.77
    return moved


def evens_first(n: int) -> list[int]:
    return [*range(0, n, 2), *range(1, n, 2)]


def interleaved(n: int) -> list[int]:
    order = [0] * n
    for place, entry in enumerate(evens_first(n)):
        order[entry] = place
    return order


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


def test_the_right_result_before_its_last_step_is_recognised() -> None:
    for seed in range(3):
        given = draw(np.random.default_rng(seed), TABLES, "float64")
        rows = [array / np.linalg.norm(array, axis=-1, keepdims=True) for array in given]
        for right, words in (
            (rows, "before each row is divided by its norm"),
            ([softmax(array) for array in given], "before the softmax over its last axis"),
            ([array.sum(-2) for array in given], "before it is summed over axis -2"),
            ([array.mean(-1) for array in given], "before it is averaged over axis -1"),
        ):
            found = seen(given, right)
            assert found is not None and found.words == words
        found = seen([2 * array for array in rows], rows)
        assert found is not None and found.words == "multiplied by 2"
        found = seen([np.log(softmax(array)) for array in given], [softmax(a) for a in given])
        assert found is not None and found.words == "with each number replaced by its logarithm"


def test_gradients_of_sums_means_and_repeated_ids_are_recognised() -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        right = draw(rng, TABLES, "float64")
        counts = [rng.integers(1, 4, len(array))[:, None] for array in right]
        for column in counts:
            column[:3, 0] = (1, 2, 3)
        for changed, expected, words in (
            ([5 * right[0], 7 * right[1], 11 * right[2]], right, "multiplied by a whole number"),
            ([right[0] / 5, right[1], right[2] / 11], right, "divided by a whole number"),
            (
                right,
                [n * array for n, array in zip(counts, right, strict=True)],
                "counted only once",
            ),
            ([n * array for n, array in zip(counts, right, strict=True)], right, "too large"),
            (
                [len(array) * array for array in right],
                right,
                "multiplied by the number of its rows",
            ),
        ):
            found = seen(changed, expected)
            assert (found is not None and words in found.words) is (
                right[1] is not changed[1] or words == "counted only once"
            )
        padded = [array.copy() for array in right]
        for array in padded:
            array[2] = 0
        found = seen(right, padded)
        assert found is not None and found.words == "with rows that should be zero, but are not"


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


ARRANGED = {
    "reversed": lambda a: np.flip(a, -2),
    "transposed": lambda a: a.swapaxes(-1, -2),
    "rolled": lambda a: np.roll(a, 1, -2),
    "cut": lambda a: a[..., 1:, :],
    "doubled": lambda a: a.repeat(2, -2),
    "first everywhere": at(-2, lambda n: [0] * n),
    "evens first": at(-1, evens_first),
}
COMPUTED = {
    "negated": np.negative,
    "added": lambda a: a + 0.37,
    "exponential": np.exp,
    "squared": np.square,
    "softmax": softmax,
    "running sum": lambda a: np.cumsum(a, -1),
    "centred": lambda a: a - a.mean(-1, keepdims=True),
    "rounded": lambda a: np.round(a, 2),
}


def test_two_changes_at_once_are_none() -> None:
    for shapes in MANY:
        right = draw(np.random.default_rng(1), shapes, "float64")
        for arrange in ARRANGED.values():
            for compute in COMPUTED.values():
                assert seen([arrange(compute(array)) for array in right], right) is None


@pytest.mark.filterwarnings("ignore")
def test_nothing_is_seen_in_results_that_a_change_leaves_as_they_are() -> None:
    """Constant, zero, empty and single results say the same of every change."""
    changes = [*(case[0] for case in CASES.values()), *ARRANGED.values()]
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
