"""Finds what separates the calls that an answer gets wrong from those that it gets right.

A property is told only if it is true of exactly the wrong calls, and if calls that were made to
refute it (``fresh``) did not. What fits on the first calls is otherwise often an accident.

Covered: of properties that hold on exactly the same calls, those of single values are preferred to
comparisons, and these to two properties together. Of several equally simple ones, the one from
which all others follow is told ("the first axis has length 1" rather than "an axis has"); if there
is none, the one that follows from all others; else the calls do not tell them apart, and nothing
is said.
Not covered: whether the calls are of one function, which the caller sees to.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from autograder.judging.diagnosis.call_arguments import CallArguments
from autograder.judging.diagnosis.call_property import Property
from autograder.judging.diagnosis.properties import properties
from autograder.wire.values import Value

FEWEST = 2  # calls of each kind that are needed, of all and of the fresh ones


@dataclass(frozen=True)
class JudgedCall:
    """The arguments of a call, and whether its result was wrong. ``fresh``: it was made after a
    property had been found, to refute it."""

    args: tuple[Value, ...]
    wrong: bool
    fresh: bool


@dataclass(frozen=True)
class Separation:
    """A property of exactly the wrong calls, and how many were right and wrong."""

    words: str
    right: int
    wrong: int

    @property
    def sentence(self) -> str:
        """The sentence for the student."""
        return (
            f"Wrong in all {self.wrong} calls in which {self.words}; "
            f"right in the other {self.right}."
        )


@dataclass(frozen=True)
class _Fit:
    """One property, or two together, true of all wrong calls. Calls are bits of a number:
    ``holding`` those of which it is true, ``failing`` those of which it is false."""

    properties: tuple[Property, ...]
    holding: int
    failing: int

    def implies(self, other: _Fit) -> bool:
        """Whether the other follows from it."""
        known = {p.key for p in self.properties}.union(*(p.implied for p in self.properties))
        return all(p.key in known for p in other.properties)


@dataclass(frozen=True)
class _Bits:
    """Which calls are wrong, which right, and which of them fresh."""

    wrong: int
    right: int
    fresh: int

    def enough(self) -> bool:
        """Whether there are calls of each kind to find a property, and fresh ones to refute it."""
        first = self.wrong & ~self.fresh and self.right & ~self.fresh
        counts = (self.wrong, self.right, self.wrong & self.fresh, self.right & self.fresh)
        # guard: two fresh calls of each kind could have refuted a property
        return bool(first) and all(bits.bit_count() >= FEWEST for bits in counts)


def separating(calls: Sequence[JudgedCall]) -> Separation | None:
    """The simplest property that holds for exactly the wrong ones of these calls of one function,
    in the order in which they were asked; None if there is none, or several that differ."""
    bits = _Bits(
        _of(call.wrong for call in calls),
        _of(not call.wrong for call in calls),
        _of(call.fresh for call in calls),
    )
    if not bits.enough():
        return None
    common = _common(calls)
    simple = [fit for fit in common if not fit.properties[0].compares]
    compared = [fit for fit in common if fit.properties[0].compares]
    for fits in (simple, compared, _pairs(simple, bits)):
        exact = [fit for fit in fits if fit.holding == bits.wrong]
        if exact:
            told = _one_of(exact)
            if told is None or not _tried(told, bits):
                return None
            words = " and ".join(p.words for p in told.properties)
            return Separation(words, bits.right.bit_count(), bits.wrong.bit_count())
    return None


def _of(flags: Iterable[bool]) -> int:
    return sum(1 << place for place, flag in enumerate(flags) if flag)


def _common(calls: Sequence[JudgedCall]) -> list[_Fit]:
    """The properties that are true of all wrong calls and false of some right one."""
    views = [(CallArguments(call.args), 1 << place) for place, call in enumerate(calls)]
    wrong = [pair for pair, call in zip(views, calls, strict=True) if call.wrong]
    right = [pair for pair, call in zip(views, calls, strict=True) if not call.wrong]
    fits = []
    with np.errstate(all="ignore"):  # a signalling NaN
        for found in properties([view for view, _ in views]):
            if all(found.test(view) for view, _ in wrong):
                judged = [(found.test(view), bit) for view, bit in right]
                holding = sum(
                    bit for holds, bit in [*judged, *((True, b) for _, b in wrong)] if holds
                )
                failing = sum(bit for holds, bit in judged if holds is False)
                if failing:
                    fits.append(_Fit((found,), holding, failing))
    return fits


def _pairs(fits: Sequence[_Fit], bits: _Bits) -> list[_Fit]:
    """Two properties at a time, if fresh calls tried each of them without the other."""
    return [
        _Fit(
            one.properties + other.properties,
            one.holding & other.holding,
            one.failing | other.failing,
        )
        for one, other in combinations(fits, 2)
        # guard: each of two properties is needed
        if one.failing & other.holding & bits.fresh and other.failing & one.holding & bits.fresh
    ]


def _one_of(fits: Sequence[_Fit]) -> _Fit | None:
    """The one from which all others follow, or the one that follows from all others."""
    specific = (fit for fit in fits if all(fit.implies(other) for other in fits))
    general = (fit for fit in fits if all(other.implies(fit) for other in fits))
    return next(specific, next(general, None))


def _tried(fit: _Fit, bits: _Bits) -> bool:
    """Whether enough fresh calls without the property were right: those to which it does not apply
    could not have refuted it."""
    return (fit.failing & bits.right & bits.fresh).bit_count() >= FEWEST
