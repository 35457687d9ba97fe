"""Every number of a right result changed by one function: of the number, or of its row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from autograder.judging.checks.arrays import Plain
from autograder.judging.diagnosis.numbers import wide
from autograder.judging.diagnosis.transforms.change import ComparedPair, Equation, Rule, untouched

Function = Callable[[Plain], Plain]
TINY = 1e-12  # as in torch.nn.functional.normalize
ROUNDING = 8.0  # how much more such a function may round


def each(function: Function, *, plainer: Function | None = None) -> Rule:
    """``function`` of the numbers. ``plainer``: what it must visibly differ from, if not from the
    right result."""

    def rule(pair: ComparedPair) -> Equation | None:
        if pair.actual.shape != pair.expected.shape:
            return None
        right = wide(pair.expected)
        return Equation(
            pair.actual, function(right), plainer(right) if plainer else right, ROUNDING
        )

    return rule


def of_rows(function: Function, axes: int = 1) -> Rule:
    """``function`` of a result of at least so many axes, along its last one."""

    def rule(pair: ComparedPair) -> Equation | None:
        if pair.expected.ndim < axes or not pair.expected.size:
            return untouched(pair)
        return each(function)(pair)

    return rule


def of_columns(function: Function) -> Rule:
    """``function`` along the last axis but one."""
    return of_rows(lambda table: np.swapaxes(function(np.swapaxes(table, -1, -2)), -1, -2), 2)


def before(function: Function, plainer: Function) -> Rule:
    """The right result is ``function`` of the result along its last axis, and visibly not
    ``plainer`` of it."""

    def rule(pair: ComparedPair) -> Equation | None:
        actual, expected = pair.actual, pair.expected
        if actual.shape != expected.shape:
            return None
        if expected.ndim < 1 or not expected.size:
            return untouched(pair)
        given = wide(actual)
        return Equation(function(given), expected, plainer(given), ROUNDING)

    return rule


def real_part(numbers: Plain) -> Plain:
    return np.asarray(numbers.real)


def imaginary_part(numbers: Plain) -> Plain:
    return np.asarray(numbers.imag)


def as_float16(numbers: Plain) -> Plain:
    return _parts(numbers, lambda part: part.astype(np.float16).astype(np.float64))


def as_bfloat16(numbers: Plain) -> Plain:
    """To the nearest number with eight significant bits; of two, the even one."""

    def rounded(part: Plain) -> Plain:
        bits = part.astype(np.float32).view(np.uint32).astype(np.uint64)
        even = bits + 0x7FFF + ((bits >> np.uint64(16)) & np.uint64(1))
        kept = (even & np.uint64(0xFFFF0000)).astype(np.uint32)
        return kept.view(np.float32).astype(np.float64)

    return _parts(numbers, rounded)


def rounded_to(decimals: int) -> Function:
    return lambda numbers: np.round(numbers, decimals)


def truncated(numbers: Plain) -> Plain:
    return _parts(numbers, np.trunc)


def floored(numbers: Plain) -> Plain:
    return _parts(numbers, np.floor)


def clipped(low: float, high: float) -> Function:
    return lambda numbers: _parts(numbers, lambda part: np.clip(part, low, high))


def sigmoid(numbers: Plain) -> Plain:
    return np.asarray(1 / (1 + np.exp(-numbers)))


def normalised(rows: Plain) -> Plain:
    """Rows of zeros remain."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), TINY))


def normalised_alike(rows: Plain) -> Plain:
    """Every row divided by the norm of the first one."""
    return np.asarray(rows / np.maximum(np.linalg.norm(rows.reshape(-1, rows.shape[-1])[0]), TINY))


def shares(rows: Plain) -> Plain:
    return np.asarray(rows / rows.sum(-1, keepdims=True))


def centred(rows: Plain) -> Plain:
    return np.asarray(rows - rows.mean(-1, keepdims=True))


def centred_as_a_whole(numbers: Plain) -> Plain:
    return np.asarray(numbers - numbers.mean())


def standardised(rows: Plain) -> Plain:
    return np.asarray(centred(rows) / rows.std(-1, keepdims=True))


def below_largest(rows: Plain) -> Plain:
    return np.asarray(rows - rows.max(-1, keepdims=True))


def softmax(rows: Plain) -> Plain:
    return shares(np.exp(below_largest(rows)))


def running_sum(rows: Plain) -> Plain:
    return np.cumsum(rows, axis=-1)


def in_ascending_order(rows: Plain) -> Plain:
    return np.sort(rows, axis=-1)


def _parts(numbers: Plain, function: Function) -> Plain:
    """A function of real numbers, for both parts of complex ones."""
    if numbers.dtype.kind != "c":
        return np.asarray(function(numbers))
    return np.asarray(function(numbers.real) + 1j * function(numbers.imag))
