"""The table of changes: name, words and rule of each."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from autograder.judging.diagnosis.transforms import axes, entries, order, values
from autograder.judging.diagnosis.transforms.change import (
    AXES,
    ROWS,
    Axis,
    Change,
    Rule,
)
from autograder.judging.diagnosis.transforms.values import before, each, of_columns, of_rows

_COUNTS = {1: "one", 2: "two", 3: "three"}
_ORDINALS = {1: "second", 2: "third", 3: "fourth"}


def _exchanged() -> Iterator[Change]:
    yield Change("transposed", "transposed: rows and columns are swapped", axes.exchanged(-2, -1))
    pairs = [(-3, -2), (-3, -1), (-4, -3), (-4, -2), (-4, -1)]
    for one, other in pairs:
        words = f"axes {one} and {other}"
        yield Change("axes swapped", f"with {words} swapped", axes.exchanged(one, other))
    for one, other in [(-2, -1), *pairs]:
        words = f"reshaped where axes {one} and {other} should be swapped"
        yield Change("reshaped, not swapped", words, axes.reshaped_for(one, other))
    yield Change("axis moved", "with its first axis moved to the end", axes.moved(0, -1))
    yield Change("axis moved", "with its last axis moved to the front", axes.moved(-1, 0))


def _of_length_1() -> Iterator[Change]:
    more, less = "with an extra axis of length 1", "without an axis of length 1"
    yield Change("axis too many", f"{more} at the front", axes.one_more_in_front)
    yield Change("axis too many", f"{more} at the end", axes.one_more_at_the_end)
    yield Change("axis too many", f"{more} between two others", axes.one_more)
    yield Change("axis missing", "without its first axis, which has length 1", axes.first_missing)
    yield Change("axis missing", "without its last axis, which has length 1", axes.last_missing)
    yield Change("axis missing", f"{less} between two others", axes.one_less)


def _reduced() -> Iterator[Change]:
    for name, reduce in (("summed", np.sum), ("averaged", np.mean)):
        for axis in (-1, -2, -3):
            words = f"{name} over axis {axis}"
            yield Change(
                name, words, axes.reduced(reduce, axis), f"{name} to one number", clear=False
            )
            words = f"before it is {name} over axis {axis}"
            yield Change(f"not {name}", words, axes.kept(reduce, axis), clear=False)
    for axis in (-1, -2, -3):
        words = f"repeated along a new axis, axis {axis}"
        yield Change("repeated", words, axes.repeated(axis), clear=False)


def _of(axis: Axis, name: str, words: str, rule: Rule, narrower: tuple[Change, ...] = ()) -> Change:
    """A change along an axis. In the words of rows, those of a vector are its numbers."""
    flat = words.replace("rows", "numbers").replace("row", "number") if axis is ROWS else ""
    return Change(name, words, rule, flat, narrower)


def _rolled(axis: Axis, by: int) -> Change:
    steps, size = _COUNTS[abs(by)], abs(by)
    some = axis.one if size == 1 else axis.many
    start = f"the {_ORDINALS[size]} {axis.one}" if by > 0 else f"the last {_last(axis, size)}"
    words = f"rolled by {steps} {some}: it starts with {start}"
    return _of(axis, "rolled", words, order.ordered(axis, order.rolled(by), short=2 * size))


def _last(axis: Axis, size: int) -> str:
    return axis.one if size == 1 else f"{_COUNTS[size]} {axis.many}"


def _shifted(axis: Axis, by: int) -> Change:
    steps, size = _COUNTS[abs(by)], abs(by)
    some = axis.one if size == 1 else axis.many
    start = f"with the {_ORDINALS[size]} {axis.one}" if by > 0 else f"{steps} {some} too late"
    gap = "end" if by > 0 else "start"
    words = f"shifted by {steps} {some}: it starts {start}"
    with_zeros = f"{words}, with zeros at the {gap}"
    zeros = _of(axis, "shifted", with_zeros, entries.shifted_with_zeros(axis, by))
    return _of(axis, "shifted", words, entries.shifted(axis, by), (_rolled(axis, by), zeros))


def _permuted(axis: Axis) -> Change:
    many = axis.many
    orders = (
        ("reversed", f"with its {many} in reverse order", order.reverse),
        (
            "evens first",
            f"with every other {axis.one} first, then the rest",
            order.evens_first,
        ),
        ("interleaved", f"with the two halves of its {many} interleaved", order.halves_interleaved),
        (
            "neighbours swapped",
            f"with each pair of neighbouring {many} swapped",
            order.neighbours_exchanged,
        ),
        ("halves swapped", f"with the two halves of its {many} swapped", order.halves_exchanged),
    )
    narrower = [_of(axis, name, words, order.ordered(axis, rule)) for name, words, rule in orders]
    narrower += [_rolled(axis, by) for by in (1, 2, 3, -1, -2, -3)]
    if axis is ROWS:
        for name, descending in (("ascending", False), ("descending", True)):
            words = f"with its rows sorted in {name} order"
            narrower.append(_of(axis, "sorted", words, order.sorted_rows(descending=descending)))
    words = f"with its {many} in a different order"
    change = _of(axis, "permuted", words, order.permuted(axis), tuple(narrower))
    return change._replace(rest=order.same_order(axis))


def _too_few(axis: Axis) -> Iterator[Change]:
    for at_end, place in ((False, "first"), (True, "last")):
        name, words = f"{place} missing", f"without its {place} {axis.one}"
        single = _of(axis, name, words, entries.cut_short(axis, at_end=at_end, by=1))
        words = f"without its {place} {axis.many}"
        yield _of(axis, name, words, entries.cut_short(axis, at_end=at_end), (single,))
        words = f"only its {place} {axis.one}"
        yield _of(axis, f"only {place}", words, entries.only(axis, -at_end))
        words = f"with every {axis.one} replaced by the {place} one"
        rule = entries.everywhere(axis, -at_end)
        yield _of(axis, f"{place} everywhere", words, rule)


def _too_many(axis: Axis) -> Iterator[Change]:
    words = f"followed by a second copy of all its {axis.many}"
    again = _of(axis, "tiled", words, entries.twice(axis, together=False))
    for at_end, place, where in ((False, "first", "at the start"), (True, "last", "at the end")):
        words = f"with its {place} {axis.one} appearing twice"
        doubled = _of(axis, "doubled", words, entries.one_doubled(axis, at_end=at_end))
        words = f"with extra {axis.many} {where}"
        rule = entries.too_many(axis, at_end=at_end)
        yield _of(axis, "too many", words, rule, (doubled, again))
    words = f"with each of its {axis.many} appearing twice"
    yield _of(axis, "doubled", words, entries.twice(axis, together=True))


def _partly_right(axis: Axis) -> Iterator[Change]:
    many = axis.many
    words = f"only in its first {many}, which are then repeated"
    yield _of(axis, "repeated", words, entries.repeated_after(axis, from_start=True))
    words = f"only in its first {many}; the last of these is then repeated"
    yield _of(axis, "last repeated", words, entries.repeated_after(axis, from_start=False))
    words = f"only in its first {many}, and zero in all later ones"
    after = _of(axis, "zero at the end", words, entries.zero(axis, after_first=True))
    words = f"zero in some of its {many}"
    yield _of(axis, "partly zero", words, entries.zero(axis), (after,))
    words = f"with {many} that should be zero, but are not"
    yield _of(axis, "not zero", words, entries.not_zero(axis))


def _along(axis: Axis) -> Iterator[Change]:
    yield _permuted(axis)
    yield from (_shifted(axis, by) for by in (1, 2, 3, -1, -2, -3))
    for change in (*_too_few(axis), *_too_many(axis), *_partly_right(axis)):
        yield change._replace(clear=False)


_LOSING = (
    ("real part", "without its imaginary part", each(values.real_part)),
    ("imaginary part", "only its imaginary part", each(values.imaginary_part)),
    ("absolute", "with each number replaced by its absolute value", each(np.abs)),
    ("float16", "rounded to float16", each(values.as_float16)),
    ("bfloat16", "rounded to bfloat16", each(values.as_bfloat16)),
    ("truncated", "truncated to whole numbers", each(values.truncated)),
    (
        "rounded down",
        "rounded down to whole numbers",
        each(values.floored, plainer=values.truncated),
    ),
    ("rounded", "rounded to whole numbers", each(values.rounded_to(0))),
    ("rounded", "rounded to one decimal", each(values.rounded_to(1))),
    ("rounded", "rounded to two decimals", each(values.rounded_to(2))),
    ("rounded", "rounded to three decimals", each(values.rounded_to(3))),
    ("clipped", "with negative numbers replaced by 0", each(values.clipped(0, np.inf))),
    (
        "clipped",
        "clipped to the range from 0 to 1",
        each(values.clipped(0, 1), plainer=values.clipped(0, np.inf)),
    ),
    ("clipped", "clipped to the range from -1 to 1", each(values.clipped(-1, 1))),
)
_OF_NUMBERS = (
    ("conjugated", "conjugated: the imaginary parts have the opposite sign", each(np.conj)),
    ("exponential", "with each number replaced by its exponential", each(np.exp)),
    ("logarithm", "with each number replaced by its logarithm", each(np.log)),
    ("squared", "with each number replaced by its square", each(np.square)),
    ("square root", "with each number replaced by its square root", each(np.sqrt)),
    ("inverted", "with each number replaced by its reciprocal", each(np.reciprocal)),
    ("sigmoid", "after a sigmoid", each(values.sigmoid)),
    ("tanh", "after a tanh", each(np.tanh)),
)
_OF_ROWS = (
    ("normalised", "with each row divided by its norm", of_rows(values.normalised)),
    ("shares", "with each row divided by its sum", of_rows(values.shares)),
    ("centred", "with the mean of each row subtracted from it", of_rows(values.centred)),
    (
        "standardised",
        "standardised: each row has mean 0 and variance 1",
        of_rows(values.standardised),
    ),
    (
        "largest subtracted",
        "with the largest number of each row subtracted from it",
        of_rows(values.below_largest),
    ),
    ("softmax", "after a softmax over its last axis", of_rows(values.softmax)),
    (
        "not normalised",
        "before each row is divided by its norm",
        before(values.normalised, values.normalised_alike),
    ),
    ("no softmax", "before the softmax over its last axis", before(values.softmax, np.exp)),
    ("running sum", "summed cumulatively along its last axis", of_rows(values.running_sum)),
    ("sorted", "with the numbers of each row sorted", of_rows(values.in_ascending_order, 2)),
)
_OF_TABLES = (
    ("normalised", "with each column divided by its norm", of_columns(values.normalised)),
    ("centred", "with the mean of each column subtracted from it", of_columns(values.centred)),
    (
        "centred",
        "with the mean of all its numbers subtracted",
        of_rows(values.centred_as_a_whole, 2),
    ),
    ("softmax", "after a softmax over its rows", of_columns(values.softmax)),
    ("running sum", "summed cumulatively along its rows", of_columns(values.running_sum)),
)

CHANGES: tuple[Change, ...] = (
    *_exchanged(),
    Change(
        "reshaped",
        "in a different shape: the numbers and their order are right",
        axes.reshaped,
        clear=False,
        narrower=tuple(_of_length_1()),
    ),
    *_reduced(),
    *(change for axis in AXES for change in _along(axis)),
    *(Change(*row, clear=False, by_row=True) for row in _LOSING),
    *(Change(*row, by_row=True) for row in (*_OF_NUMBERS, *_OF_ROWS)),
    *(Change(*row) for row in _OF_TABLES),
)
