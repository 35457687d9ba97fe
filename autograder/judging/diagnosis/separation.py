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

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_

import numpy as np

from autograder.judging.diagnosis.call_arguments import CallArguments
from autograder.judging.diagnosis.call_property import Property
from autograder.judging.diagnosis.properties import properties
from autograder.wire.values import Value

FEWEST = 2  # fresh calls with a property, and without it, that confirm it


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
            f"right in the other {self.right}. "
            "Small calls that were made to find out are among them."
        )


@dataclass(frozen=True)
class _Verdicts:
    """Which calls are wrong, which right, and which of them fresh; calls are bits of a number."""

    wrong: int
    right: int
    fresh: int

    def enough(self) -> bool:
        """Whether there are calls of both kinds to find a property with, and to confirm it."""
        # A property is confirmed by other calls than those it was found with.
        found = bool(self.wrong & ~self.fresh and self.right & ~self.fresh)
        # A property is confirmed by fresh calls that have it.
        return found and _count(self.wrong & self.fresh) >= FEWEST


@dataclass(frozen=True)
class _Fit:
    """One property, or two together, true of all wrong calls: the calls of which each is true, and
    those of which each is false."""

    properties: tuple[Property, ...]
    holding: tuple[int, ...]
    failing: tuple[int, ...]

    def exact(self, verdicts: _Verdicts) -> bool:
        """Whether it is true of no right call."""
        return reduce(and_, self.holding) == verdicts.wrong

    def tried(self, verdicts: _Verdicts) -> bool:
        """Whether enough fresh calls were right that lacked it, of two properties those that
        lacked either alone. Calls to which it does not apply could not have refuted it."""
        fresh = verdicts.right & verdicts.fresh
        for place, lacking in enumerate(self.failing):
            # Each of two properties is tried without the other.
            others = self.holding[:place] + self.holding[place + 1 :]
            if _count(reduce(and_, others, fresh & lacking)) < FEWEST:
                return False
        return True

    def implies(self, other: _Fit) -> bool:
        """Whether the other follows from it."""
        known = {p.key for p in self.properties}.union(*(p.implied for p in self.properties))
        return all(p.key in known for p in other.properties)


def separating(calls: Sequence[JudgedCall]) -> Separation | None:
    """The simplest property that holds for exactly the wrong ones of these calls of one function;
    None if there is none, or several that differ.

    The first call is the one that was asked first; the order of the others does not matter. Calls
    that are equal should be given once: each counts.
    """
    verdicts = _Verdicts(
        _bits(call.wrong for call in calls),
        _bits(not call.wrong for call in calls),
        _bits(call.fresh for call in calls),
    )
    if not verdicts.enough():
        return None
    common = _common(calls)
    simple = [fit for fit in common if not fit.properties[0].compares]
    compared = [fit for fit in common if fit.properties[0].compares]
    for fits in (simple, compared, _pairs(simple)):
        exact = [fit for fit in fits if fit.exact(verdicts)]
        if exact:
            return _told(exact, verdicts)
    return None


def _common(calls: Sequence[JudgedCall]) -> list[_Fit]:
    """The properties that are true of all wrong calls and false of some right one."""
    views = [CallArguments(call.args) for call in calls]
    order = sorted(range(len(calls)), key=lambda place: not calls[place].wrong)
    fits = []
    with np.errstate(all="ignore"):  # a signalling NaN
        for found in properties(views):
            holding = failing = 0
            for place in order:
                holds = found.test(views[place])
                if calls[place].wrong and not holds:
                    break
                holding |= (holds is True) << place
                failing |= (holds is False) << place
            else:
                fits += [_Fit((found,), (holding,), (failing,))] if failing else []
    return fits


def _pairs(fits: Sequence[_Fit]) -> Iterator[_Fit]:
    """Two properties at a time."""
    for one, other in combinations(fits, 2):
        yield _Fit(
            one.properties + other.properties,
            one.holding + other.holding,
            one.failing + other.failing,
        )


def _told(fits: Sequence[_Fit], verdicts: _Verdicts) -> Separation | None:
    """What is said if all of these fit: the one from which all others follow, or the one that
    follows from all others, if fresh calls could have refuted it."""
    specific = (fit for fit in fits if all(fit.implies(other) for other in fits))
    general = (fit for fit in fits if all(other.implies(fit) for other in fits))
    # Of properties that the calls do not tell apart none is said.
    told = next(specific, next(general, None))
    # A property is confirmed by fresh calls that lack it.
    if told is None or not told.tried(verdicts):
        return None
    words = " and ".join(found.words for found in told.properties)
    return Separation(words, _count(verdicts.right), _count(verdicts.wrong))


def _bits(flags: Iterable[bool]) -> int:
    return sum(flag << place for place, flag in enumerate(flags))


def _count(calls: int) -> int:
    return calls.bit_count()
