"""What can be said of the integers and lengths among the arguments of some calls.

Integers and axes that are equal wherever they are given are one size, named after the first of
them: a table of T rows for a sequence of T is no second explanation.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from autograder.judging.diagnosis.call_arguments import CallArguments
from autograder.judging.diagnosis.call_property import Property, Test, key, keys
from autograder.judging.diagnosis.subjects import TENSOR, Subject

AXES = ("first", "second", "third", "last")


class SizeTrait(NamedTuple):
    """A statement about an integer argument, an axis, or a number of things; empty words where it
    says nothing about such a size. ``implies``: the names of statements that follow from it."""

    name: str
    holds: Callable[[int], bool]
    integer: str
    axis: str = ""
    counted: str = ""
    implies: tuple[str, ...] = ()


TRAITS = (
    SizeTrait("0", lambda n: n == 0, "is 0", "has length 0", "has no", ("even",)),
    SizeTrait("not 0", lambda n: n != 0, "is not 0"),
    SizeTrait("1", lambda n: n == 1, "is 1", "has length 1", "has only one", ("odd", "not 0")),
    SizeTrait("2", lambda n: n == 2, "is 2", "has length 2", "has two", ("even", "many", "not 0")),
    SizeTrait(
        "many", lambda n: n > 1, "is greater than 1", "is longer than 1", "has more than one"
    ),
    SizeTrait("odd", lambda n: n % 2 == 1, "is odd", "has an odd length"),
    SizeTrait("even", lambda n: n % 2 == 0, "is even", "has an even length"),
    SizeTrait("negative", lambda n: n < 0, "is negative", implies=("not 0",)),
    SizeTrait("not negative", lambda n: n >= 0, "is not negative"),
)
_GENERAL = {"0": "{name} {is} empty", "1": "an axis{of} has length 1"}  # follow for an array
_HALVED = {"0": "0", "2": "1"}  # what follows for a size that is half as long
_EQUAL_AXES = "two axes{of} have the same length"
_COMPARISONS: tuple[tuple[str, str, Callable[[int, int], bool]], ...] = (
    ("is as long as", "equals", operator.eq),
    ("is longer than", "is greater than", operator.gt),
    ("is shorter than", "is less than", operator.lt),
)


@dataclass(frozen=True)
class Size:
    """An integer or a length that is equal at all of ``members`` wherever they are given: values,
    and what is counted in each."""

    members: tuple[tuple[Subject, str], ...]
    column: tuple[int | None, ...]  # call by call

    @cached_property
    def subject(self) -> Subject:
        """The value after which it is named."""
        return self.members[0][0]

    @cached_property
    def counted(self) -> str:
        """What is counted in that value."""
        return self.members[0][1]

    @property
    def noun(self) -> str:
        """The integer, the axis, or a number of things."""
        if self.counted in AXES:
            return self.subject.axis(self.counted)
        if self.counted == "value":
            return self.subject.name
        return f"the number of {self.counted} in {self.subject.name}"

    @property
    def amount(self) -> str:
        """Its noun, of an axis the length."""
        return f"the length of {self.noun}" if self.counted in AXES else self.noun

    def within(self, call: CallArguments) -> int | None:
        """It in one call, if the call has it."""
        part = call.parts.get(self.subject.position)
        return None if part is None else part.sizes.get(self.counted)

    def of_arrays(self) -> Iterator[tuple[Subject, str]]:
        """The arrays of which it is an axis, and which."""
        return ((subject, counted) for subject, counted in self.members if counted in AXES)


def size_properties(every: Sequence[Subject]) -> Iterator[Property]:
    """What can be said of single sizes, then of two axes of one array, then of any two sizes."""
    sizes = _sizes(every)
    for size in sizes:
        half = next((other for other in sizes if _is_half(other, size)), None)
        yield from _single(size, half)
    for one, other in combinations(sizes, 2):
        yield from _equal_axes(one, other)
    for one, other in combinations(sizes, 2):
        yield from _comparisons(one, other)
    for subject in every:
        for size in sizes:
            yield from _last(subject, size)


def _sizes(every: Sequence[Subject]) -> list[Size]:
    """The sizes in all values, those as one that equal an earlier one wherever they are given."""
    members: dict[tuple[int | None, ...], list[tuple[Subject, str]]] = {}
    for subject in every:
        for name in sorted({name for part in subject.values for name in part.sizes}, key=_order):
            column = tuple(None if part is None else part.sizes.get(name) for part in subject.parts)
            earlier = (other for other in members if _is_within(column, other))
            members.setdefault(next(earlier, column), []).append((subject, name))
    return [Size(tuple(group), column) for column, group in members.items()]


def _is_within(column: Sequence[int | None], other: Sequence[int | None]) -> bool:
    return all(size is None or size == also for size, also in zip(column, other, strict=True))


def _order(counted: str) -> tuple[int, str]:
    return AXES.index(counted) if counted in AXES else 0, counted


def _is_half(one: Size, other: Size) -> bool:
    """Whether one size is half of the other in every call, as pairs are of a width."""
    pairs = zip(one.column, other.column, strict=True)
    return all(
        whole is not None and part is not None and 2 * part == whole for part, whole in pairs
    )


def _single(size: Size, half: Size | None) -> Iterator[Property]:
    """What can be said of one size; ``half``: one that is half of it in every call."""
    for trait in TRAITS:
        if phrase := _phrase(size, trait):
            others = (_phrase(size, other) for other in TRAITS if other.name in trait.implies)
            implied = keys(size.subject, others) | _of_arrays(size, trait.name)
            if half is not None and trait.name in _HALVED:
                implied |= _of_arrays(half, _HALVED[trait.name])
            yield Property(size.subject, phrase, _tested(size, trait.holds), implied)


def _of_arrays(size: Size, name: str) -> frozenset[str]:
    """The statement itself, and what follows for each array of which the size is an axis."""
    trait = next(trait for trait in TRAITS if trait.name == name)
    general = [key(subject, _GENERAL.get(name, "")) for subject, _ in size.of_arrays()]
    return frozenset([key(size.subject, _phrase(size, trait)), *general])


def _phrase(size: Size, trait: SizeTrait) -> str:
    """A statement about a size in words, empty if it says nothing."""
    if size.counted == "value":
        return f"{{name}} {trait.integer}"
    if size.counted in AXES:
        return f"{size.noun} {trait.axis}" if trait.axis else ""
    if size.counted == "words" and trait.name == "0":
        return ""  # said of texts in lists as well, by their own table
    thing = size.counted if trait.name in ("0", "2") else size.counted.removesuffix("s")
    return f"{{name}} {trait.counted} {thing}" if trait.counted else ""


def _tested(size: Size, holds: Callable[[int], bool]) -> Test:
    def test(call: CallArguments) -> bool | None:
        value = size.within(call)
        return None if value is None else holds(value)

    return test


# ---------------------------------------------------------------- two sizes


def _equal_axes(one: Size, other: Size) -> Iterator[Property]:
    """Two axes of the same array."""
    shared = _shared(one, other)
    if shared:
        subject, first, second = shared[0]
        first, second = sorted((first, second), key=_order)
        phrase = f"the {first} and the {second} axis{{of}} have the same length"
        implied = frozenset(key(subject, _EQUAL_AXES) for subject, *_ in shared)
        yield Property(subject, phrase, _compared(one, other, operator.eq), implied)


def _shared(one: Size, other: Size) -> list[tuple[Subject, str, str]]:
    """The arrays of which both are axes, and which."""
    return [
        (subject, first, second)
        for subject, first in one.of_arrays()
        for also, second in other.of_arrays()
        if subject is also
    ]


def _comparisons(one: Size, other: Size) -> Iterator[Property]:
    axes = one.counted in AXES and other.counted in AXES
    for lengths, amounts, compare in _COMPARISONS:
        phrase = f"{one.amount} {amounts} {other.amount}"
        if axes:
            phrase = f"{one.noun} {lengths} {other.noun}"
        if compare is not operator.eq or not _shared(one, other):
            test = _compared(one, other, compare)
            yield Property(one.subject, phrase, test, compares=True)


def _compared(one: Size, other: Size, compare: Callable[[int, int], bool]) -> Test:
    def test(call: CallArguments) -> bool | None:
        left, right = one.within(call), other.within(call)
        return None if left is None or right is None else compare(left, right)

    return test


def _last(subject: Subject, size: Size) -> Iterator[Property]:
    """Whether the largest id, or an integer, is the last that a size allows."""
    at = subject.position
    whole = any(part.whole is not None for part in subject.values)
    ids = any(part.largest is not None for part in subject.values)
    if at.depth or subject is size.subject or not (whole or ids):
        return

    def test(call: CallArguments) -> bool | None:
        part, limit = call.parts.get(at), size.within(call)
        largest = None if part is None else part.largest
        return None if largest is None or limit is None else largest == limit - 1

    what = "{name}" if whole else "the largest {unit}{inside}"
    if limit := _limit(size):
        yield Property(subject, f"{what} is {limit}", test, compares=True)


def _limit(size: Size) -> str:
    """The last place that a size allows, in words; empty if it is no limit of ids."""
    tables = [s for s, counted in size.members if counted == "first" and s.kind == TENSOR]
    if tables:
        return f"the index of the last row of {tables[0].name}"
    return "" if size.counted in AXES else f"1 less than {size.amount}"
