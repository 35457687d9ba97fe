"""Whether calls leave something behind that changes later ones, such as stored results or sizes.

A call A that a check asks anyway is followed by calls that differ from it in one argument each, and
by A again; for a method, also by A on an object that was called with other arguments. Except for
changed arguments, all of that counts only if A itself gives the reference's result; with stand-ins,
which the reference may not call, if it gives any. A call with another argument must not return
exactly what A returned if the reference's results differ.

Covered: functions and methods of objects, by their first case that can be varied.
Not covered: state that shows in calls of two different functions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import msgspec
import numpy as np

from autograder.assignment.kinds import (
    Check,
    FunctionCheck,
    PipelinePart,
    RelationCheck,
    RepeatedCall,
    Tolerance,
)
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import numeric, stored
from autograder.judging.checks.claims import answer, reference, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import asked, position, raised, sentences
from autograder.judging.checks.finding import Args, Cases, Finding, Trial
from autograder.judging.checks.function import changed as changed_in_place
from autograder.judging.checks.plan import IdentityKey, once
from autograder.judging.checks.stage import excuse, stand_ins_of, ways
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, Error, Outcome, Probe
from autograder.wire.values import (
    Array,
    ConstructedObject,
    DataColumn,
    DataFrame,
    Items,
    Mapping,
    Module,
    Value,
)


class _Base(NamedTuple):
    """A call A, with those that differ from it in one argument, and A again or on a used object."""

    first: Probe
    varied: tuple[Probe, ...]
    repeated: tuple[Probe, ...]


def probes(check: Check, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The calls again, varied; none for a check that the exercise does not choose for this."""
    return tuple(
        probe
        for parts in ((), *ways(_parts(check)))
        for base in _bases(check, exercise, cases, parts)
        for probe in (base.first, *base.varied, *base.repeated)
    )


def examine(check: Check, trial: Trial) -> Finding | None:
    """FAILED if a call changes the result of a later one, else None; PASSED, with the blame, if
    that does not happen with stand-ins for earlier parts."""
    found = _first(check, trial, ())
    if found is not None:
        for parts in ways(_parts(check)):
            # What is kept is no fault of a part that was not looked at.
            if _first(check, trial, parts) is None and _all_returned(check, trial, parts):
                return excuse(parts)
    return found


def _all_returned(check: Check, trial: Trial, parts: tuple[PipelinePart, ...]) -> bool:
    """Whether every call A with these stand-ins returned, so that later calls were examined."""
    return not any(
        isinstance(found, Finding)
        for base in _bases(check, trial.exercise, trial.cases, parts)
        for found in (reference(trial, base.first), returned(trial.actual, base.first))
    )


def _parts(check: Check) -> tuple[PipelinePart, ...]:
    return check.parts if isinstance(check, FunctionCheck | RelationCheck) and check.again else ()


def _first(check: Check, trial: Trial, parts: tuple[PipelinePart, ...]) -> Finding | None:
    for base in _bases(check, trial.exercise, trial.cases, parts):
        ours, theirs = reference(trial, base.first), returned(trial.actual, base.first)
        if isinstance(ours, Finding) or isinstance(theirs, Finding):
            continue
        # An argument that is changed shows under a relation too.
        if changed := _changed(base.first, ours, theirs):
            return Finding(Status.FAILED, changed, sentences(changed))
        # With a stand-in the numbers are those of the part that is called.
        if not parts and not _close(theirs, ours, getattr(check, "tolerance", None)):
            continue  # another kind of mistake, an earlier part's, or the student's own numbers
        for probe in base.varied:
            # Results that are kept without an argument are found.
            if _is_kept(trial, probe, ours, theirs):
                other = f"with a different {position(int(probe.id.rpartition('/')[2]))} argument"
                text = f"{asked(probe)} returns exactly what it returned before {other}."
                return Finding(Status.FAILED, (), f"{text} The results should differ.")
        for probe in base.repeated:
            # What an object keeps of its first input is found.
            if found := _differs(check, trial, probe, ours, theirs):
                return found
    return None


def _bases(
    check: Check, exercise: str, cases: Cases, parts: tuple[PipelinePart, ...]
) -> tuple[_Base, ...]:
    """The call A of each function, one for each number of arguments: the one of which most can be
    varied."""
    if not isinstance(check, FunctionCheck | RelationCheck):
        return ()
    again_too = isinstance(check, FunctionCheck)
    return tuple(
        base
        for again in check.again
        for base in once(
            cases,
            ("again", IdentityKey(again), exercise, stand_ins_of(parts)),
            partial(_bases_of, again, exercise, cases, parts, again_too=again_too),
        )
    )


def _bases_of(
    again: RepeatedCall,
    exercise: str,
    cases: Cases,
    parts: tuple[PipelinePart, ...],
    *,
    again_too: bool,
) -> tuple[_Base, ...]:
    several = [args for inputs in again.inputs for args in cases.get(inputs, ())]
    call = Call(exercise, again.call, (), stand_ins=stand_ins_of(parts))
    every = [probe for inputs in again.inputs for probe in ask.calls(call, inputs, cases)]
    found = []
    for count in dict.fromkeys(map(len, several)):
        like = [probe for probe, args in zip(every, several, strict=True) if len(args) == count]
        most = max(like, key=lambda probe: (len(list(_varied(probe, several))), _tables(probe)))
        first = _as(most, "/before")  # counted separately: calls with stand-ins are in between
        repeated = _repeated(first, several, again_too=again_too)
        found.append(_Base(first, tuple(_varied(first, several)), tuple(repeated)))
    return tuple(found)


def _tables(probe: Probe) -> int:
    """How many tables of ours objects contain: a new one may give the same whatever its
    arguments."""
    assert isinstance(probe.request, Call)
    return sum(len(arg.slots) for arg in probe.request.args if isinstance(arg, ConstructedObject))


def _varied(base: Probe, several: Sequence[Args]) -> Iterator[Probe]:
    """A with one argument changed, for each argument that can be."""
    for place, args in _other_arguments(base, several):
        yield _as(base, f"/varied/{place}", args=args)


def _other_arguments(base: Probe, several: Sequence[Args]) -> Iterator[tuple[int, Args]]:
    request = base.request
    assert isinstance(request, Call)
    for place, value in enumerate(request.args):
        others = [args[place] for args in several if place < len(args)]
        other = varied(value, others)
        if other is not None:
            yield place, (*request.args[:place], other, *request.args[place + 1 :])


def _repeated(base: Probe, several: Sequence[Args], *, again_too: bool) -> Iterator[Probe]:
    """A again, if only the reference's result is right, and A on an object that was used."""
    request = base.request
    assert isinstance(request, Call)
    if again_too:
        yield _as(base, "/again")
    if request.args and isinstance(request.args[0], ConstructedObject) and not request.args[0].ours:
        shorter = tuple(map(shortened, request.args))
        if shorter != request.args:
            yield _as(base, "/used/shorter", earlier=shorter)
        for place, args in _other_arguments(base, several):
            yield _as(base, f"/used/{place}", earlier=args)


def _as(base: Probe, suffix: str, **changes: object) -> Probe:
    return Probe(
        f"{base.id.removesuffix('/before')}{suffix}",
        base.exercise,
        msgspec.structs.replace(base.request, **changes),
    )


def _is_kept(trial: Trial, probe: Probe, ours: Outcome, theirs: Outcome) -> bool:
    right, actual = reference(trial, probe), returned(trial.actual, probe)
    if isinstance(right, Finding) or isinstance(actual, Finding):
        return False  # an argument that was not requested, or another kind of mistake
    return not _close(right, ours, None) and actual.value == theirs.value


def _changed(base: Probe, ours: Outcome, theirs: Outcome) -> tuple[Mismatch, ...]:
    """Plain arguments that the call changed in place, though the reference does not."""
    assert isinstance(base.request, Call)
    plain = {n for n, arg in enumerate(base.request.args) if not isinstance(arg, ConstructedObject)}
    places = tuple(n for n in theirs.changed if n in plain and n not in ours.changed)
    return changed_in_place(msgspec.structs.replace(theirs, changed=places), base, 1)


def _differs(
    check: Check, trial: Trial, probe: Probe, ours: Outcome, theirs: Outcome
) -> Finding | None:
    """What is wrong with A again; nothing if the reference gives something else too."""
    tolerance = getattr(check, "tolerance", None)
    right = reference(trial, probe)
    if isinstance(right, Finding) or not _close(right, ours, tolerance):
        return None
    request = probe.request
    assert isinstance(request, Call)
    when = (
        "on an object that was called before with a different input" if request.earlier else "again"
    )
    actual = answer(trial.actual, probe)
    if isinstance(actual, Finding):
        return None
    if actual.status == "raised":
        said = raised(actual.error or Error(("Exception",), ""))
        return Finding(Status.FAILED, (), f"{asked(probe)}, called {when}, raised {said}.")
    if _close(actual, theirs, tolerance):
        return None
    text = f"{asked(probe)}, called {when}, returns a different result than the first time."
    return Finding(Status.FAILED, (), text)


def _close(one: Outcome, other: Outcome, tolerance: Tolerance | None) -> bool:
    return not compare(one.value, other.value, where="it", rules=Rules(tolerance))


def varied(value: Value, others: Sequence[Value]) -> Value | None:
    """Another value of the same kind, and of the same shape if it has one; None if there is
    none."""
    match value:
        case Array():
            return _turned(value)
        case Items(kind="list" | "tuple", items=items) if len(items) > 1:
            turned = Items(value.kind, tuple(reversed(items)))
            return turned if turned != value else None
        case Module(entries=entries):
            arrays = [_turned(entry.array) or entry.array for entry in entries]
            found = tuple(
                msgspec.structs.replace(entry, array=array)
                for entry, array in zip(entries, arrays, strict=True)
            )
            return msgspec.structs.replace(value, entries=found) if found != entries else None
        case Mapping(items=items):
            turned_values = [held for _, held in reversed(items)]
            pairs = tuple((key, held) for (key, _), held in zip(items, turned_values, strict=True))
            return Mapping(pairs) if pairs != items else None
        case DataFrame(columns=columns) if (turned_columns := _turned_columns(columns)) != columns:
            return msgspec.structs.replace(value, columns=turned_columns)
        case ConstructedObject(slots=slots) if slots:
            filled = [_turned(slot.array) or slot.array for slot in slots]
            pairs_of = zip(slots, filled, strict=True)
            made = tuple(msgspec.structs.replace(slot, array=array) for slot, array in pairs_of)
            return msgspec.structs.replace(value, slots=made) if made != slots else None
        case ConstructedObject(ours=True, args=args):
            turned_args = tuple(_another(arg, ()) for arg in args)
            return msgspec.structs.replace(value, args=turned_args) if turned_args != args else None
        case ConstructedObject() | bool() | None:
            return None
    return next((other for other in others if other != value), None)


def _another(value: Value, others: Sequence[Value]) -> Value:
    """``varied``, or the value itself if there is no other."""
    other = varied(value, others)
    return value if other is None else other


def _turned_columns(columns: tuple[DataColumn, ...]) -> tuple[DataColumn, ...]:
    """The columns with the numbers of each in reverse order beside the same texts and times."""
    return tuple(
        msgspec.structs.replace(column, values=_turned(column.values) or column.values)
        if column.kind == "number" and column.missing is None
        else column
        for column in columns
    )


def _turned(array: Array) -> Array | None:
    """The array with its numbers in reverse order, along all axes."""
    found, turned = numeric(array), np.flip(stored(array))
    assert found is not None
    if np.array_equal(np.flip(found.numbers), found.numbers):
        return None
    return msgspec.structs.replace(array, data=turned.tobytes())


def shortened(value: Value) -> Value:
    """The first half of an argument: of ids along the last axis, of vectors along that before."""
    if not isinstance(value, Array) or not value.shape:
        return value
    axis = max(len(value.shape) - (2 if "float" in value.dtype else 1), 0)
    half = stored(value)[(slice(None),) * axis + (slice(max(value.shape[axis] // 2, 1)),)]
    return msgspec.structs.replace(value, shape=half.shape, data=half.tobytes())
