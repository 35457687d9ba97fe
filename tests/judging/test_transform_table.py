"""Every change of the table is recognised in random results, and nothing else is taken for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest

from autograder.judging.checks.arrays import usual_bounds
from autograder.judging.diagnosis.transforms.change import ComparedPair, Transform
from autograder.judging.diagnosis.transforms.recognise import recognise

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


# words, the change, and results for which they hold
CASES: dict[str, tuple[Callable[[Array], Array], Sequence[Shapes]]] = {
    "transposed: rows and columns are swapped": (lambda a: a.swapaxes(-1, -2), (TABLES, HEADS)),
    "with axes -3 and -2 swapped": (lambda a: a.swapaxes(-3, -2), (BATCHES, HEADS)),
    "with axes -3 and -1 swapped": (lambda a: a.swapaxes(-3, -1), (BATCHES,)),
    "with axes -4 and -2 swapped": (lambda a: a.swapaxes(-4, -2), (HEADS,)),
    "reshaped where axes -2 and -1 should be swapped": (
        lambda a: a.swapaxes(-2, -1).reshape(a.shape),
        MANY,
    ),
    "reshaped where axes -3 and -2 should be swapped": (
        lambda a: a.swapaxes(-3, -2).reshape(a.shape),
        (HEADS,),
    ),
    "with its first axis moved to the end": (lambda a: np.moveaxis(a, 0, -1), (BATCHES, HEADS)),
    "in a different shape: the numbers and their order are right": (lambda a: a.reshape(-1), MANY),
    "with an extra axis of length 1 at the front": (lambda a: a[None], EVERY),
    "with an extra axis of length 1 at the end": (lambda a: a[..., None], EVERY),
    "with an extra axis of length 1 between two others": (lambda a: a[:, None], MANY),
    "summed over axis -1": (lambda a: a.sum(-1), MANY),
    "summed over axis -2": (lambda a: a.sum(-2, keepdims=True), MANY),
    "averaged over axis -3": (lambda a: a.mean(-3), (BATCHES, HEADS)),
    "summed to one number": (lambda a: a.sum(-1), (VECTORS,)),
    "only its first row": (lambda a: a[..., 0, :], MANY),
    "only its last row": (lambda a: a[..., -1:, :], MANY),
    "without its first row": (lambda a: a[..., 1:, :], MANY),
    "without its last rows": (lambda a: a[..., :-2, :], MANY),
    "without its last number": (lambda a: a[:-1], (VECTORS,)),
    "without its last column": (lambda a: a[..., :-1], MANY),
    "with its first row appearing twice": (lambda a: a[..., [0, *range(a.shape[-2])], :], MANY),
    "followed by a second copy of all its rows": (lambda a: np.concatenate([a, a], -2), MANY),
    "with each of its rows appearing twice": (lambda a: a.repeat(2, -2), MANY),
    "with every row replaced by the first one": (at(-2, lambda n: [0] * n), MANY),
    "with every row replaced by the last one": (at(-2, lambda n: [n - 1] * n), MANY),
    "with every entry along the batch axis replaced by the first one": (
        at(-3, lambda n: [0] * n),
        (BATCHES, HEADS),
    ),
    "with its rows in reverse order": (lambda a: np.flip(a, -2), MANY),
    "with its columns in reverse order": (lambda a: np.flip(a, -1), MANY),
    "with its numbers in reverse order": (lambda a: a[::-1], (VECTORS,)),
    "with every other column first, then the rest": (at(-1, evens_first), MANY),
    "with the two halves of its columns interleaved": (at(-1, interleaved), MANY),
    "with each pair of neighbouring columns swapped": (at(-1, neighbours), MANY),
    "with its rows sorted in ascending order": (lambda a: a[a[:, 0].argsort()], (TABLES,)),
    "with its numbers sorted in descending order": (lambda a: np.sort(a)[::-1], (VECTORS,)),
    "with the numbers of each row sorted": (lambda a: np.sort(a, -1), MANY),
    "rolled by one row: it starts with the second row": (lambda a: np.roll(a, -1, -2), MANY),
    "rolled by two columns: it starts with the last two columns": (
        lambda a: np.roll(a, 2, -1),
        MANY,
    ),
    "shifted by one row: it starts one row too late, with zeros at the start": (late, MANY),
    "shifted by two rows: it starts two rows too late": (garbled, MANY),
    "only in its first rows, which are then repeated": (at(-2, lambda n: np.arange(n) % 3), MANY),
    "only in its first rows; the last of these is then repeated": (
        at(-2, lambda n: np.minimum(np.arange(n), 2)),
        MANY,
    ),
    "only in its first rows, and zero in all later ones": (with_zeros(-2, 3), MANY),
    "zero in some of its columns": (lambda a: a * (np.arange(a.shape[-1]) != 2), MANY),
    "with each number replaced by its absolute value": (np.abs, EVERY),
    "rounded to float16": (lambda a: a.astype(np.float16), EVERY),
    "truncated to whole numbers": (np.trunc, EVERY),
    "rounded down to whole numbers": (np.floor, EVERY),
    "rounded to whole numbers": (np.round, EVERY),
    "rounded to two decimals": (lambda a: np.round(a, 2), EVERY),
    "with negative numbers replaced by 0": (lambda a: np.maximum(a, 0), EVERY),
    "clipped to the range from 0 to 1": (lambda a: np.clip(a, 0, 1), EVERY),
    "clipped to the range from -1 to 1": (lambda a: np.clip(a, -1, 1), EVERY),
    "with each number replaced by its exponential": (np.exp, EVERY),
    "with each number replaced by its logarithm": (np.log, EVERY),
    "with each number replaced by its square": (np.square, EVERY),
    "with each number replaced by its square root": (np.sqrt, EVERY),
    "with each number replaced by its reciprocal": (lambda a: 1 / a, EVERY),
    "after a sigmoid": (lambda a: 1 / (1 + np.exp(-a)), EVERY),
    "after a tanh": (np.tanh, EVERY),
    "with each row divided by its norm": (
        lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True),
        MANY,
    ),
    "with each column divided by its norm": (
        lambda a: a / np.linalg.norm(a, axis=-2, keepdims=True),
        MANY,
    ),
    "with the mean of each row subtracted from it": (lambda a: a - a.mean(-1, keepdims=True), MANY),
    "with the mean of each column subtracted from it": (
        lambda a: a - a.mean(-2, keepdims=True),
        MANY,
    ),
    "with the mean of all its numbers subtracted": (lambda a: a - a.mean(), MANY),
    "standardised: each row has mean 0 and variance 1": (
        lambda a: (a - a.mean(-1, keepdims=True)) / a.std(-1, keepdims=True),
        MANY,
    ),
    "with the largest number of each row subtracted from it": (
        lambda a: a - a.max(-1, keepdims=True),
        MANY,
    ),
    "after a softmax over its last axis": (softmax, EVERY),
    "after a softmax over its rows": (lambda a: softmax(a, -2), MANY),
    "summed cumulatively along its last axis": (lambda a: np.cumsum(a, -1), EVERY),
    "summed cumulatively along its rows": (lambda a: np.cumsum(a, -2), MANY),
    "with the opposite sign": (lambda a: -a, EVERY),
    "multiplied by 3": (lambda a: 3 * a, EVERY),
    "with 1 added to each number": (lambda a: a + 1, EVERY),
    "with a small constant, such as an eps, added to each number": (lambda a: a + 1e-3, EVERY),
    "with the same constant added to each number": (lambda a: a + 0.37, EVERY),
}
COMPLEX = {
    "conjugated: the imaginary parts have the opposite sign": np.conj,
    "without its imaginary part": np.real,
    "only its imaginary part": np.imag,
    "with each number replaced by its absolute value": np.abs,
    "with its rows in reverse order": lambda a: np.flip(a, -2),
    "multiplied by 1/2": lambda a: a / 2,
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
    for expected in (np.full((6, 6), 3.0), np.zeros((5, 4)), np.zeros((0, 4)), np.ones((1, 1))):
        for change in changes:
            try:
                changed = np.asarray(change(expected))
            except (ValueError, IndexError):  # there are too few entries
                continue
            found = seen([changed], [expected])
            if changed.shape == expected.shape and len(np.unique(changed)) < 2:
                assert found is None
