"""Calls whose arguments are drawn like those of an example: other numbers, other sizes, and corners
such as an axis of length 1. Those are kept that the function accepts."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal

import torch

from autograder.authoring.draft.arguments import as_tuple, evaluated, trial_id
from autograder.authoring.draft.comparable import incomparable
from autograder.authoring.draft.source import DrawnForm, NoSourceError, drawn, lengths
from autograder.authoring.draft.trial import outcome
from autograder.evidence.records import Run
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_tensor
from autograder.wire.values import Array, Items, Value

SEEDS = tuple((seed, seed) for seed in (1, 2, 3, 4, 5))  # with which each call is tried
LONGER = 2  # by how much an axis is longer than in the example
MOST_CORNERS = 4  # for each function


@dataclass(frozen=True, slots=True)
class DrawnCall:
    """A call with drawn arguments. ``source``: that of a tuple. ``corner``: what is special about
    them; empty if nothing is."""

    source: str
    corner: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A way to draw the arguments of an example, and what it is for."""

    call: DrawnCall
    use: Literal["alike", "longer", "corner"]


def drawings(example: str) -> list[Drawing]:
    """Ways to draw arguments like those of the example, the best first of each use."""
    (args,) = evaluated([example], SEEDS[0][0])
    found = sorted(set().union(*map(lengths, args)))
    longer = [tuple((n, n + LONGER) for n in found), *(((n, n + LONGER),) for n in found)]
    forms: list[tuple[DrawnForm, Literal["alike", "longer", "corner"], str]] = [
        (DrawnForm(), "alike", ""),
        (DrawnForm(single=False), "alike", ""),
        *((DrawnForm(single=False, lengths=pairs), "longer", "") for pairs in longer),
        *(
            (DrawnForm(single=False, lengths=((n, 1),)), "corner", f"length 1 instead of {n}")
            for n in found
        ),
        (DrawnForm(single=False, numbers="large"), "corner", "large numbers"),
        (DrawnForm(single=False, numbers="zero"), "corner", "zeros"),
    ]
    made: dict[str, Drawing] = {}
    for form, use, corner in forms:
        with suppress(NoSourceError):
            source = as_tuple(drawn(argument, form) for argument in args)
            made.setdefault(source, Drawing(DrawnCall(source, corner), use))
    return [drawing for source, drawing in made.items() if source != example]


def accepted(target: str, several: Sequence[Sequence[Drawing]], run: Run) -> Iterator[DrawnCall]:
    """Of the drawings of each example, those that the function accepts: one like the example and,
    of the first example, another of the same kind, one of another size, and the corners."""
    working = [[one for one in ways if _returns(target, one, run)] for ways in several]
    alike = [next(_of("alike", ways), None) for ways in working]
    yield from (call for call in alike if call is not None)
    for ways, first in zip(working[:1], alike[:1], strict=True):
        if first is not None and "rng." in first.source:  # no answer can be kept from the other
            yield first
        longer = next(_of("longer", ways), None)
        if longer is not None:
            yield longer
        yield from list(_of("corner", ways))[:MOST_CORNERS]


def _of(use: str, ways: Sequence[Drawing]) -> Iterator[DrawnCall]:
    return (drawing.call for drawing in ways if drawing.use == use)


def _returns(target: str, drawing: Drawing, run: Run) -> bool:
    """Whether a drawn call returns with every seed; that of a corner, something finite."""
    found = [outcome(run, trial_id(target, drawing.call.source, seeds)) for seeds in SEEDS]
    return all(
        isinstance(one, Outcome)
        and one.status == "returned"
        and not incomparable(one.value)
        and (drawing.use != "corner" or _is_finite(one.value))
        for one in found
    )


def _is_finite(value: Value) -> bool:
    """Whether a value holds something, and only finite numbers."""
    match value:
        case Items():
            return bool(value.items) and all(map(_is_finite, value.items))
        case Array():
            numbers = to_tensor(value)
            return numbers.numel() > 0 and bool(torch.isfinite(numbers).all())
        case float():
            return math.isfinite(value)
    return True
