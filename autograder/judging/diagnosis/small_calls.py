"""Small calls that are asked where a check fails, to find the smallest one that goes wrong.

Each is a case of its own for the check that failed, judged as the check judges its cases. They are
the same for everybody who fails it, and are asked in one further run. None is a call of any check,
and none holds a number or a word of a hidden input. What the solution itself does not pass as a
small call is left out.

A generator ``NAME_small`` in inputs.py replaces the small calls that are made for the cases of
``NAME``.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import msgspec
import numpy as np

from autograder.assignment.kinds import Check, DeviceCheck, RelationCheck
from autograder.assignment.load import SMALL
from autograder.assignment.model import Exercise
from autograder.judging.checks.finding import Args, Cases, Reference
from autograder.judging.checks.plan import IdentityKey, once
from autograder.judging.diagnosis.call_arguments import CallArguments
from autograder.judging.diagnosis.case_trial import (
    BY_CASES,
    CaseTrial,
    again_id,
    case_trial,
    cases_of,
    every_input,
    given_trials,
    inputs_of,
    small_id,
)
from autograder.judging.diagnosis.properties import properties
from autograder.judging.diagnosis.rounding import is_finite, room_for_rounding
from autograder.judging.diagnosis.smaller import WORD, smaller
from autograder.judging.diagnosis.smaller_frames import marks_of, texts_of
from autograder.judging.diagnosis.smallest import size_of
from autograder.judging.verdict import Status
from autograder.wire.messages import Call, Outcome, Probe
from autograder.wire.values import Array, ConstructedObject, DataFrame, Items

T = TypeVar("T")

MOST_CALLS = 30  # further calls for an exercise
MOST_AGAIN = 6  # of these, for which room is left to make calls a second time
MOST_TRIES = 36  # small cases of one check that the solution is asked
MOST_TRIALS = 12  # of those that it passes
SMALLEST = 3  # of these that are simply the smallest
MOST_ON_DEVICES = 4  # of a check whose every case is several calls
LARGEST = 60  # numbers and words of a call that is small
FORMS = 3  # different forms of one check's cases that are made small
SEEDS = 3  # with which the solution is asked what a relation sees, which may be random


def tried_probes(exercise: Exercise, cases: Cases) -> tuple[Probe, ...]:
    """The questions about small calls that are asked of the solution."""
    trials = trials_of(exercise, cases)
    return _each_once([*(t.probes for t in trials), *map(_with_other_seeds, trials)])


def small_probes(exercise: Exercise, reference: Reference) -> tuple[Probe, ...]:
    """Every question about small calls that may be asked of a submission."""
    return _each_once(trial.probes for trial in accepted(exercise, reference))


def passed_probes(exercise: Exercise, reference: Reference) -> tuple[Probe, ...]:
    """Every question about small calls that the solution passes. Each once: of a question that is
    asked twice there is no answer."""
    return _each_once(trial.probes for trial in passed(exercise, reference))


def accepted(exercise: Exercise, reference: Reference) -> tuple[CaseTrial, ...]:
    """The small trials that a submission may be asked: of each check the smallest and some that
    differ much."""
    key = ("small trials that may be asked", exercise.id, IdentityKey(reference.run))
    return once(reference.cases, key, lambda: tuple(_accepted(exercise, reference)))


def _accepted(exercise: Exercise, reference: Reference) -> Iterator[CaseTrial]:
    every = passed(exercise, reference)
    for _, group in itertools.groupby(every, lambda trial: trial.check.id):
        tries = list(group)
        on_devices = isinstance(tries[0].check, DeviceCheck)
        yield from _telling(tries, MOST_ON_DEVICES if on_devices else MOST_TRIALS)


def _telling(tries: Sequence[CaseTrial], most: int) -> Iterator[CaseTrial]:
    """At most that many: the smallest, then those that tell most properties of the arguments apart
    from each other, as far as they were true of the same calls until then."""
    calls = [CallArguments(trial.args) for trial in tries]
    with np.errstate(all="ignore"):  # a signalling NaN
        held = [tuple(map(found.test, calls)) for found in properties(calls)]
    alike = [0] * len(held)  # equal for properties that are not told apart yet
    left = list(range(len(tries)))

    def told_apart(at: int) -> list[tuple[int, bool | None]]:
        return [(known, truth[at]) for known, truth in zip(alike, held, strict=True)]

    for count in range(min(most, len(tries))):
        chosen = left[0]
        if count >= SMALLEST:  # small calls are chosen that tell properties apart
            chosen = max(left, key=lambda at: len(set(told_apart(at))))
        numbers: dict[object, int] = {}
        alike = [numbers.setdefault(one, len(numbers)) for one in told_apart(chosen)]
        left.remove(chosen)
        yield tries[chosen]


def passed(exercise: Exercise, reference: Reference) -> tuple[CaseTrial, ...]:
    """The small trials that the solution itself passes."""
    key = ("small trials that the solution passes", exercise.id, IdentityKey(reference.run))
    return once(reference.cases, key, lambda: tuple(_fine(exercise, reference)))


def asked_of(
    exercise: Exercise,
    failed: Sequence[str],
    reference: Reference,
    *,
    most: int = MOST_CALLS - MOST_AGAIN,
    kept: Callable[[CaseTrial], bool] = lambda trial: True,
) -> tuple[CaseTrial, ...]:
    """The small trials for the checks that failed, with at most ``most`` calls: of each check the
    smallest first, then those that differ most. Those that are not ``kept`` make room for others.
    """
    chosen: list[CaseTrial] = []
    ids: set[str] = set()
    every = accepted(exercise, reference)
    own = [[trial for trial in every if trial.check.id == check] for check in failed]
    for trial in filter(None, itertools.chain.from_iterable(itertools.zip_longest(*own))):
        new = {probe.id for probe in trial.probes} - ids
        if len(ids) + len(new) <= most and kept(trial):
            chosen.append(trial)
            ids |= new
    return tuple(chosen)


def asked_again(trials: Sequence[CaseTrial]) -> tuple[Probe, ...]:
    """Calls of these trials a second time, the first one last, as far as there is room: answers
    that depend on earlier calls differ."""
    room = MOST_CALLS - len({probe.id for trial in trials for probe in trial.probes})
    again: dict[str, Probe] = {}
    for trial in (*_spread(trials, MOST_AGAIN), *trials):
        probes = [msgspec.structs.replace(probe, id=again_id(probe.id)) for probe in trial.probes]
        # Further calls are bounded, calls made again among them.
        if len({*again, *(probe.id for probe in probes)}) <= room:
            again |= {probe.id: probe for probe in probes}
    return tuple(reversed(again.values()))


def _fine(exercise: Exercise, reference: Reference) -> Iterator[CaseTrial]:
    for trial in trials_of(exercise, reference.cases):
        if _passes(trial, exercise, reference):  # what the solution fails is not asked
            yield trial


def _passes(trial: CaseTrial, exercise: Exercise, reference: Reference) -> bool:
    for seed in range(SEEDS if isinstance(trial.check, RelationCheck) else 1):
        ids = {id_: _seeded(small, seed) for id_, small in trial.ids.items()}
        found = trial.look(exercise.id, reference.run, reference, ids=ids)
        if found.status is not Status.PASSED:
            return False
    claims = _claims(trial, reference)
    if not all(map(is_finite, claims)) and not has_own_small_calls(trial.check, reference.cases):
        given = given_trials(exercise, trial.check, reference)
        # A small call whose result is not finite is not asked if the check's own are.
        if all(is_finite(claim) for own in given for claim in _claims(own, reference)):
            return False
    # A small call whose numbers are too large for the tolerance is not asked.
    return all(room_for_rounding(trial.check, claim) for claim in claims)


def _claims(trial: CaseTrial, reference: Reference) -> list[Outcome]:
    """What the solution returned in a trial."""
    records = filter(None, map(reference.run.probe, trial.ids.values()))
    return [record.claim for record in records if record.claim is not None]


def _with_other_seeds(trial: CaseTrial) -> Iterator[Probe]:
    """The questions of a relation again: it may be about random numbers, as of a new table, and a
    small call pass by luck."""
    for seed in range(1, SEEDS if isinstance(trial.check, RelationCheck) else 1):
        for probe in trial.probes:
            assert isinstance(probe.request, Call)
            request = msgspec.structs.replace(probe.request, seed=probe.request.seed + seed)
            yield msgspec.structs.replace(probe, id=_seeded(probe.id, seed), request=request)


def _seeded(id_: str, seed: int) -> str:
    return f"{id_}/seed {seed}" if seed else id_


def _spread(several: Sequence[T], most: int) -> list[T]:
    """At most that many: the first ones, and later ones in even steps."""
    half = most // 2
    step = max(1, -(-(len(several) - half) // (most - half)))
    return [*several[:half], *several[half::step]]


def trials_of(exercise: Exercise, cases: Cases) -> tuple[CaseTrial, ...]:
    """All small trials that are made for the checks of an exercise."""
    key = ("small trials", IdentityKey(exercise))
    return once(cases, key, lambda: tuple(_made(exercise, cases)))


def _made(exercise: Exercise, cases: Cases) -> Iterator[CaseTrial]:
    asked = {name for check in exercise.check for name in every_input(check)}
    written = {f"{name}{SMALL}" for name in asked} - asked
    used = {case for name, own in cases.items() if name not in written for case in own}
    shown = (name for check in exercise.check if check.public for name in every_input(check))
    known = words_of(itertools.chain.from_iterable(cases.get(name, ()) for name in shown))
    alike: dict[object, list[Args]] = {}
    for check in exercise.check:
        for row in cases_of(inputs_of(check, cases), cases):
            alike.setdefault(_form(row), []).append(_joined(row))
    for check in exercise.check:
        names = inputs_of(check, cases) if isinstance(check, BY_CASES) else ()
        most = 2 * MOST_ON_DEVICES if isinstance(check, DeviceCheck) else MOST_TRIES
        small = [row for row in _rows(names, cases, known, alike) if size_of(row) <= LARGEST]
        for row in sorted(_spread(small, most), key=size_of):
            # A small call is not a call of any check.
            if used.isdisjoint(row):
                alone = dict(zip(names, row, strict=True))
                yield case_trial(exercise, check, alone, cases, small_id)


def _rows(
    names: Sequence[str],
    cases: Cases,
    known: Collection[str],
    alike: Mapping[object, Sequence[Args]],
) -> Iterator[tuple[Args, ...]]:
    """The small cases of one check: for each of its generators the arguments of a call. ``alike``:
    the calls of the exercise by their form."""
    if _has_own(names, cases):  # an author's own small calls are used
        yield from zip(*(cases[f"{name}{SMALL}"] for name in names), strict=False)
        return
    forms: dict[object, tuple[Args, ...]] = {}
    for row in cases_of(names, cases):
        forms.setdefault(_form(row), row)
    for form, row in list(forms.items())[:FORMS]:
        ends = list(itertools.accumulate(map(len, row), initial=0))
        # made small together, so that what is equal in several calls stays equal
        for small in smaller(_joined(row), known, alike[form]):
            yield tuple(small[a:b] for a, b in itertools.pairwise(ends))


def has_own_small_calls(check: Check, cases: Cases) -> bool:
    """Whether the author has written the small calls of a check."""
    return _has_own(inputs_of(check, cases), cases)


def _has_own(names: Sequence[str], cases: Cases) -> bool:
    return bool(names) and all(f"{name}{SMALL}" in cases for name in names)


def _joined(row: tuple[Args, ...]) -> Args:
    return tuple(itertools.chain.from_iterable(row))


def _form(value: object) -> object:
    """What calls of one form have in common: types, numbers of axes, dtypes and classes."""
    match value:
        case tuple():
            return tuple(map(_form, value))
        case Array(dtype=dtype, shape=shape):
            return dtype, len(shape)
        case Items(kind="tuple", items=items):
            return _form(items)
        case Items(items=items):
            return "list", _form(items[0]) if items else ""
        case ConstructedObject(target=target, args=args):
            return target, _form(args)
        case DataFrame(form=form, columns=columns):
            return form, tuple((column.kind, column.dtype) for column in columns)
    return type(value).__name__


def words_of(values: Iterable[object]) -> frozenset[str]:
    """The words and numbers of all texts in these values, and what else of tables may be shown."""
    found: set[str] = set()
    waiting: list[object] = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.update(word.lower() for word in WORD.findall(value))
        elif isinstance(value, tuple):
            waiting += value
        elif isinstance(value, DataFrame):
            waiting += texts_of(value)
            found.update(marks_of(value))
        elif isinstance(value, msgspec.Struct) and not hasattr(value, "data"):
            waiting += [getattr(value, name) for name in value.__struct_fields__]
    return frozenset(found)


def _each_once(several: Iterable[Iterable[Probe]]) -> tuple[Probe, ...]:
    found: dict[str, Probe] = {}
    for probe in itertools.chain.from_iterable(several):
        found.setdefault(probe.id, probe)
    return tuple(found.values())
