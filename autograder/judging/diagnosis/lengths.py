"""The lengths in the arguments of a call, and smaller ones in their place.

Small lengths keep what holds in every call of the same form: which are equal, even, twice another
or at most another. What a text asks of a function's arguments is then kept without being known.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.finding import Args
from autograder.wire.values import Array, ConstructedObject, DataFrame, Items, Module, Value
from autograder.wire.values import Mapping as MappingValue

LONGEST = (4, 6)  # of a small axis; the second if nothing fits below the first
MOST_LENGTHS = 6  # different lengths in one call


def choices(args: Args, alike: Sequence[Args]) -> list[dict[int, int]]:
    """New lengths for old ones, as far as they keep what holds in every call of this form: what is
    even, twice another or at most another, and which tables of an object have different shapes."""
    rules = LengthRules.of(args, alike)
    if len(rules.every) > MOST_LENGTHS:
        return []
    for longest in LONGEST:
        every = itertools.product(range(1, longest + 1), repeat=len(rules.every))
        choices = (dict(zip(rules.every, found, strict=True)) for found in every)
        if kept := [choice for choice in choices if rules.hold(choice)]:
            return kept
    return []


@dataclass(frozen=True, slots=True)
class LengthRules:
    """What the lengths above 1 of a call (``every``) must keep, see ``choices``. ``below``: pairs
    of which the first is smaller, since one of them is no axis but a number: a limit that calls do
    not reach. Pairs are of lengths."""

    every: tuple[int, ...]
    even: frozenset[int]
    doubled: frozenset[tuple[int, int]]
    ordered: frozenset[tuple[int, int]]
    below: frozenset[tuple[int, int]]
    tables: tuple[tuple[int, ...], ...]

    @staticmethod
    def of(args: Args, alike: Sequence[Args]) -> LengthRules:
        """The rules that all calls of one form keep."""
        here = dict(places(args))
        rows = [dict(places(other)) for other in alike]
        rows = [row for row in rows if row.keys() == here.keys()] or [here]
        where: dict[int, list[tuple[object, ...]]] = {}
        for place, length in here.items():
            if length > 1:
                where.setdefault(length, []).append(place)
        numbers = {n for n, at in where.items() if all(place[-1] == "number" for place in at)}

        def always(a: int, b: int, holds: Callable[[int, int], bool]) -> bool:
            # A rule of one place holds for a length that is in several.
            return any(
                all(holds(row[p], row[q]) for row in rows) for p in where[a] for q in where[b]
            )

        pairs = list(itertools.combinations(sorted(where), 2))
        return LengthRules(
            tuple(sorted(where)),
            frozenset(n for n in where if always(n, n, lambda x, _: x % 2 == 0)),
            frozenset((a, b) for a, b in pairs if b == 2 * a and always(a, b, _is_half)),
            frozenset((a, b) for a, b in pairs if always(a, b, operator.le)),
            frozenset((a, b) for a, b in pairs if {a, b} & numbers and always(a, b, operator.lt)),
            tuple(_tables(args)),
        )

    def hold(self, choice: Mapping[int, int]) -> bool:
        """Whether new lengths keep the rules."""
        return (
            all(choice[n] % 2 == 0 for n in self.even)
            and all(choice[b] == 2 * choice[a] for a, b in self.doubled)
            and all(choice[a] <= choice[b] for a, b in self.ordered)
            and all(choice[a] < choice[b] for a, b in self.below)
            and self._distinct(choice)
        )

    def _distinct(self, choice: Mapping[int, int]) -> bool:
        """Whether no table becomes square, or one of two of different shapes like the other:
        objects find the numbers of their tables by the shapes."""
        old = {tuple(sorted(shape)) for shape in self.tables}
        new = [tuple(sorted(choice.get(n, n) for n in shape)) for shape in old]
        sides = zip(old, new, strict=True)
        return len(set(new)) == len(old) and all(
            len(set(one)) == len(set(other)) for one, other in sides
        )


def _is_half(a: int, b: int) -> bool:
    return b == 2 * a


def places(value: object, at: tuple[object, ...] = ()) -> Iterator[tuple[tuple[object, ...], int]]:
    """Where the lengths of a call are: of axes, lists and dictionaries, and whole numbers, which
    may be lengths."""
    match value:
        case bool():
            return
        case int():
            yield (*at, "number"), value
        case Array(shape=shape):
            yield from (((*at, axis), length) for axis, length in enumerate(shape))
        case DataFrame():
            yield (*at, "rows"), value.rows
        case tuple() | list():
            for index, item in enumerate(value):
                yield from places(item, (*at, index))
        case Items(kind=kind, items=items):
            ids = are_ids(value)
            if ids or kind == "list":
                yield (*at, "length"), len(items)
            if not ids:
                yield from places(items, at)
        case MappingValue(items=items):
            yield (*at, "length"), len(items)
        case ConstructedObject(args=args):
            yield from places(args, (*at, "made"))
            yield from places(tuple(_tables((value,), arrays=True)), (*at, "tables"))
        case Module():
            yield from places(tuple(_tables((value,), arrays=True)), (*at, "tables"))


def _tables(args: object, *, arrays: bool = False) -> Iterator[Any]:
    """The shapes of the tables of objects among arguments; or the ``arrays`` themselves."""
    for value in args if isinstance(args, tuple) else ():
        match value:
            case ConstructedObject(args=inner, slots=slots):
                found = [slot.array for slot in slots]
                yield from _tables(inner, arrays=arrays)
            case Module(entries=entries):
                found = [entry.array for entry in entries]
            case Items(items=items):
                found = []
                yield from _tables(items, arrays=arrays)
            case _:
                continue
        yield from found if arrays else (array.shape for array in found)


def are_ids(value: Value) -> bool:
    """Whether these are lists of whole numbers, equally long ones in each other."""
    if isinstance(value, Items) and value.items:
        return numeric(value) is not None and all(map(are_ids, value.items))
    return type(value) is int
