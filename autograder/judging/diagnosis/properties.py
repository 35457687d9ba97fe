"""The registry: every property that the arguments of some calls may have.

Covered: what the tables of `traits.py` say of each value, and of any one of several arrays or
texts; its type and dtype, and whether it is given, where that varies; sizes and how they compare
(`sizes.py`).
Not covered: how the numbers of two arrays relate.

What is equal in every call is looked at once: that two tensors of one shape both have an axis of
length 1 would only be a second explanation of the same.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from autograder.judging.diagnosis.call_arguments import CallArguments, Part
from autograder.judging.diagnosis.call_property import Property, Test, keys, opposite
from autograder.judging.diagnosis.sizes import size_properties
from autograder.judging.diagnosis.subjects import IDS, TENSOR, TEXT, Subject, subjects
from autograder.judging.diagnosis.traits import AXES, RANKS, TABLES, Judgement, Trait

ANY = "one of the arguments"
_ALL = (*RANKS, *AXES, *(trait for table in TABLES for trait in table.traits))


def _consequences(traits: Sequence[Trait]) -> Mapping[str, frozenset[str]]:
    """All words that follow from each statement of a table, by its words, opposites included."""
    opposite = {trait.words: trait.otherwise for trait in traits if trait.otherwise}
    opposite |= {words: other for other, words in opposite.items()}
    direct: dict[str, set[str]] = {}
    for trait in traits:
        for other in trait.implies:
            direct.setdefault(trait.words, set()).add(other)
            if trait.words in opposite and other in opposite:
                direct.setdefault(opposite[other], set()).add(opposite[trait.words])
    return {words: frozenset(_reached(words, direct)) for words in direct}


def _reached(words: str, direct: Mapping[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [words]
    while waiting:
        further = direct.get(waiting.pop(), set()) - reached
        reached |= further
        waiting += further
    return reached


_FOLLOWS = _consequences(_ALL)


def properties(calls: Sequence[CallArguments]) -> Iterator[Property]:
    """What can be said of these calls, all of one function. Simple properties of a value come
    before specific ones, comparisons last."""
    every = subjects(calls)
    for subject in every:
        yield from _given(subject)
    for subject in _distinct(every, _type):
        yield from _categories(subject, _type)
    for subject in _distinct(every, _dtype):
        yield from _categories(subject, _dtype)
    arrays = [s for s in every if any(part.shape is not None for part in s.values)]
    for subject in _distinct(arrays, lambda part: part.shape):
        yield from _stated(subject, RANKS if subject.flat else (*RANKS, *AXES))
    for subject in every:
        yield from _stated(subject, _traits(subject))
    for kind in (TENSOR, IDS, TEXT):
        alike = [s for s in every if s.kind == kind and not s.position.depth]
        if len(alike) > 1:
            yield from _stated_of_any(alike)
    yield from size_properties(every)


# ---------------------------------------------------------------- of values


def _traits(subject: Subject) -> list[Trait]:
    """The tables of all kinds of value that are at this position in some call."""
    tables = (table for table in TABLES if any(map(table.applies, subject.values)))
    return [trait for table in tables for trait in table.traits]


def _stated(subject: Subject, traits: Sequence[Trait]) -> Iterator[Property]:
    """What a table says of one value, and the opposites."""
    group = _any_of(subject)
    for trait in traits:
        test = _of(subject, trait.holds)
        implied = _following(subject, trait.words)
        if not subject.position.depth:
            implied |= _following(group, trait.words) | keys(group, (trait.words,))
        yield Property(subject, trait.words, test, implied)
        if trait.otherwise:
            implied = _following(subject, trait.otherwise)
            yield Property(subject, trait.otherwise, opposite(test), implied)


def _stated_of_any(alike: Sequence[Subject]) -> Iterator[Property]:
    """What the tables say of any of several arguments of one kind."""
    group = _any_of(alike[0])
    axes = () if group.flat else AXES
    for trait in (*axes, *_traits(group)):
        tests = [_of(subject, trait.holds) for subject in alike]
        yield Property(group, trait.words, partial(_any, tests), _following(group, trait.words))


def _any_of(subject: Subject) -> Subject:
    return replace(subject, name=ANY, alone=False, sole=False)


def _any(tests: Sequence[Test], call: CallArguments) -> bool | None:
    judged = [test(call) for test in tests]
    return True if True in judged else False if False in judged else None


def _of(subject: Subject, holds: Judgement) -> Test:
    def test(call: CallArguments) -> bool | None:
        part = call.parts.get(subject.position)
        return None if part is None else holds(part)

    return test


def _following(subject: Subject, phrase: str) -> frozenset[str]:
    return keys(subject, _FOLLOWS.get(phrase, ()))


# ---------------------------------------------------------------- of what varies


def _given(subject: Subject) -> Iterator[Property]:
    """Whether an argument is given at all."""
    at = subject.position
    if at.depth == 0 and None in subject.parts:
        yield Property(subject, "{name} {is} given", lambda call: at in call.parts)
        yield Property(subject, "{name} {is} not given", lambda call: at not in call.parts)


def _categories(subject: Subject, read: Callable[[Part], str]) -> Iterator[Property]:
    """Which of several names applies to a value."""
    names = sorted({read(part) for part in subject.values} - {""})
    for name in names if len(names) > 1 else ():
        others = (f"{{name}} {{is}} not {other}" for other in names if other != name)
        is_it = _of(subject, partial(_equals, read, name))
        yield Property(subject, f"{{name}} {{is}} {name}", is_it, keys(subject, others))
        yield Property(subject, f"{{name}} {{is}} not {name}", opposite(is_it))


def _equals(read: Callable[[Part], str], name: str, part: Part) -> bool | None:
    return read(part) == name if read(part) else None


def _type(part: Part) -> str:
    return part.type


def _dtype(part: Part) -> str:
    return part.dtype


def _distinct(every: Sequence[Subject], read: Callable[[Part], Hashable]) -> Iterator[Subject]:
    """The values that differ in this respect from each earlier one, in some call."""
    seen: set[tuple[Hashable, ...]] = set()
    for subject in every:
        column = tuple(part and read(part) for part in subject.parts)
        if column not in seen:
            seen.add(column)
            yield subject
