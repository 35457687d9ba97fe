"""Calls whose arguments are drawn like those of an example: other numbers, other sizes, and corners
such as an axis of length 1 or an empty list. Those are kept that the function accepts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, Literal

import numpy as np

from autograder.authoring.draft.arguments import as_tuple, evaluated, trial_id
from autograder.authoring.draft.comparable import incomparable
from autograder.authoring.draft.functions import DraftFunction
from autograder.authoring.draft.plausible import Rooms, beyond, every_rooms, sizes
from autograder.authoring.draft.source import DrawnForm, NoSourceError, drawn, emptied, lengths
from autograder.authoring.draft.trial import outcome
from autograder.evidence.records import Run
from autograder.judging.checks.arrays import numeric
from autograder.wire.messages import Outcome
from autograder.wire.values import Array, ConstructedObject, Items, Value

# of arguments and call, with which each call is tried
SEEDS = ((1, 1), (1, 2), (2, 2), (3, 3), (4, 4), (5, 5))
LONGER = 2  # by how much an axis is longer than in the example
MOST_CORNERS = 6  # for each function
MOST_VARIED = 2  # calls for each parameter

Use = Literal["alike", "longer", "corner", "varied"]


@dataclass(frozen=True, slots=True)
class DrawnCall:
    """A call with arguments that are drawn. ``source``: that of a tuple. ``use``: how they resemble
    an example's. ``corner``: what is special about them, or the parameter that is varied; empty if
    nothing is."""

    source: str
    use: Use
    corner: str = ""


def drawings(example: str, function: DraftFunction) -> list[DrawnCall]:
    """Ways to draw arguments like those of the example, the best first of each use."""
    (args,) = evaluated([example], SEEDS[0][0])
    objects = [argument for argument in args if isinstance(argument, ConstructedObject)]
    # right answers may differ in whether they accept other lengths of these axes
    fixed = {n for made in objects for slot in made.slots for n in slot.array.shape}
    free = sorted(set().union(*map(lengths, args)) - fixed)
    rooms = every_rooms(args, function)
    made: dict[str, DrawnCall] = {}
    for form, use, corner in _forms(free):
        shorter = {old for old, new in form.lengths if new < old}
        # A list is not shortened below the numbers beside it.
        if beyond(args, rooms, shorter, 1):
            continue
        with suppress(NoSourceError):
            source = as_tuple(_drawn(args, form, rooms))
            made.setdefault(source, DrawnCall(source, use, corner))
    for place, argument in enumerate(args):
        if not beyond(args, rooms, sizes(argument), 0):
            with suppress(NoSourceError):
                parts = _drawn(args, DrawnForm(), rooms)
                parts[place] = emptied(argument)
                source = as_tuple(parts)
                made.setdefault(source, DrawnCall(source, "corner", "nothing in it"))
    return [call for source, call in made.items() if source != example]


def _drawn(args: Sequence[Any], form: DrawnForm, rooms: Sequence[Rooms]) -> list[str]:
    """Source for each argument; raises ``NoSourceError``."""
    pairs = zip(args, rooms, strict=True)
    return [drawn(argument, replace(form, rooms=own)) for argument, own in pairs]


def _forms(free: Sequence[int]) -> Iterator[tuple[DrawnForm, Use, str]]:
    """Forms, with their use and what is special about them. ``free``: lengths that may change."""
    yield DrawnForm(), "alike", ""
    one = DrawnForm(single=False)
    yield one, "alike", ""
    yield replace(one, lengths=tuple((n, n + LONGER) for n in free)), "longer", ""
    for n in free:
        yield replace(one, lengths=((n, n + LONGER),)), "longer", ""
    for n in free:
        yield replace(one, lengths=((n, 1),)), "corner", f"length 1 instead of {n}"
    yield replace(one, set_parameters=False), "corner", "parameters as they are made"
    yield replace(one, numbers="large"), "corner", "large numbers"
    yield replace(one, numbers="zero"), "corner", "zeros" if free else "ones"


def accepted(target: str, several: Sequence[Sequence[DrawnCall]], run: Run) -> Iterator[DrawnCall]:
    """Of the drawings of each example, those that the function accepts: one like the example; of
    the first example, another of the same kind and one of another size; corners of all examples,
    the first one's before the second's of the same kind; and those with another value of one
    parameter."""
    working = [[call for call in ways if _returns(target, call, run)] for ways in several]
    alike = [next(_of("alike", ways), None) for ways in working]
    yield from (call for call in alike if call is not None)
    for ways, first in zip(working[:1], alike[:1], strict=True):
        if first is not None and "rng." in first.source:  # no answer can be kept from the other
            yield first
        longer = next(_of("longer", ways), None)
        if longer is not None:
            yield longer
    in_turn = zip_longest(*(_of("corner", ways) for ways in working))
    corners = {call.source: call for calls in in_turn for call in calls if call is not None}
    yield from list(corners.values())[:MOST_CORNERS]
    varied = [call for ways in working[:1] for call in _of("varied", ways)]
    for name in dict.fromkeys(call.corner for call in varied):
        yield from [call for call in varied if call.corner == name][:MOST_VARIED]


def _of(use: str, ways: Sequence[DrawnCall]) -> Iterator[DrawnCall]:
    return (call for call in ways if call.use == use)


def _returns(target: str, call: DrawnCall, run: Run) -> bool:
    """Whether a drawn call returns with all seeds, always the same for one of the arguments; that
    of a corner or another value, something finite."""
    found = [outcome(run, trial_id(target, call.source, seeds)) for seeds in SEEDS]
    values = [one.value for one in found if isinstance(one, Outcome) and one.status == "returned"]
    return (
        len(values) == len(SEEDS)
        and values[0] == values[1]
        and not any(map(incomparable, values))
        and (call.use not in ("corner", "varied") or all(map(_is_finite, values)))
    )


def _is_finite(value: Value) -> bool:
    """Whether a value holds something, and only finite numbers."""
    match value:
        case Items():
            return bool(value.items) and all(map(_is_finite, value.items))
        case Array():
            found = numeric(value)
            return found is not None and 0 < found.numbers.size == np.isfinite(found.numbers).sum()
        case float():
            return math.isfinite(value)
    return True
