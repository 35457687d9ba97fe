"""Excuses a step that fails only because of an earlier part: it is called with stand-ins for all
earlier parts, and for each alone, which is enough where the others are not used.

A stand-in is no answer but a function of ours with other numbers, which the reference is given
too. What equals the reference's result then is right by itself.

Covered: parts that raise, return nothing of use or are wrong; changes of arguments count as ever.
Not covered: a part whose result was computed when its cell ran and kept in a variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from autograder.assignment.kinds import (
    CallSpec,
    Check,
    DeviceCheck,
    FunctionCheck,
    GradientCheck,
    PipelineCheck,
    PipelinePart,
    RelationCheck,
    Tolerance,
)
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import references, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.finding import Cases, Finding, Trial
from autograder.judging.checks.value import rules_of
from autograder.judging.verdict import Blame, Status
from autograder.wire.messages import CallEnvironment, Outcome, Probe, StandIn
from autograder.wire.values import Array, Value

END_TO_END = "end to end"
Way = tuple[PipelinePart, ...]  # the parts that are stood in


def probes(check: Check, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The check's own calls again, in each way; none without parts."""
    if isinstance(check, PipelineCheck | DeviceCheck):
        return ()  # these ask by themselves
    every = ways(parts_of(check))
    return tuple(one for way in every for one in _asked(check, exercise, cases, way, optional=True))


def ways(parts: tuple[PipelinePart, ...]) -> tuple[Way, ...]:
    """All parts stood in, and each alone."""
    # guard: each part is also stood in alone
    single = tuple((part,) for part in parts) if len(parts) > 1 else ()
    return (parts, *single) if parts else ()


def _asked(
    check: Check, exercise: str, cases: Cases, way: Way, *, optional: bool
) -> Iterator[Probe]:
    stand_ins = stand_ins_of(way)
    match check:
        case FunctionCheck():
            yield from ask.calls(exercise, check.call, check.inputs, cases, stand_ins=stand_ins)
        case GradientCheck():
            yield from ask.calls(
                exercise,
                check.call,
                check.inputs,
                cases,
                gradient=check.wrt,
                output=check.output,
                stand_ins=stand_ins,
            )
        case RelationCheck():
            for call in check.calls:
                if optional or not call.optional:
                    yield from declared_calls(call, exercise, cases, way)


def declared_calls(
    call: CallSpec, exercise: str, cases: Cases, parts: tuple[PipelinePart, ...] = ()
) -> tuple[Probe, ...]:
    """A relation's calls, with its own stand-ins or, where it has none, these."""
    place = CallEnvironment(default_dtype=call.default_dtype) if call.default_dtype else None
    return ask.calls(
        exercise,
        call.call,
        call.inputs,
        cases,
        stand_ins=stand_ins_of(call.stand_ins or parts),
        after=call.after,
        place=place,
    )


def excused(check: Check, trial: Trial) -> Finding | None:
    """PASSED, with the blame, where a step is right in one of the ways; else None."""
    if isinstance(check, PipelineCheck | DeviceCheck):
        return None
    right = (way for way in ways(parts_of(check)) if _is_right(check, trial, way))
    return next(map(excuse, right), None)


def _is_right(check: Check, trial: Trial, way: Way) -> bool:
    calls = tuple(_asked(check, trial.exercise, trial.cases, way, optional=False))
    expected = references(trial, calls)
    if not calls or isinstance(expected, Finding):
        return False
    rules = rules_of(check) if isinstance(check, FunctionCheck) else Rules(_tolerance(check))
    for probe, right in zip(calls, expected, strict=True):
        actual = returned(trial.actual, probe)
        # guard: a step is excused only when it is right by itself
        if isinstance(actual, Finding) or not _equal(actual, right, rules):
            return False
        # guard: numbers alone excuse no type
        if isinstance(check, RelationCheck) and _dtype(actual) != _dtype(right):
            return False  # the relation may be about nothing else
    return True


def _dtype(outcome: Outcome) -> str:
    return outcome.value.dtype if isinstance(outcome.value, Array) else ""


def excuse(parts: tuple[PipelinePart, ...]) -> Finding:
    """PASSED, with the blame on these parts."""
    names = named(parts)
    blame = (Blame(END_TO_END, False), Blame(f"with a stand-in for {names}", True))
    text = f"This step is right. What differs in the end comes from {names}."
    return Finding(Status.PASSED, (), text, blame=blame)


def _tolerance(check: Check) -> Tolerance | None:
    return getattr(check, "tolerance", None)


def _equal(actual: Outcome, expected: Outcome, rules: Rules) -> bool:
    pairs: list[tuple[Value, Value]]
    if expected.gradients:  # whose check does not look at changes: a buffer may be made in the call
        if len(actual.gradients) != len(expected.gradients):
            return False
        pairs = list(zip(actual.gradients, expected.gradients, strict=True))
    else:
        pairs = [(actual.value, expected.value)]
    same = all(not compare(one, other, where="it", rules=rules) for one, other in pairs)
    # guard: an excused step changes no argument
    # guard: a buffer that is made in a call is no wrong gradient
    return same and (bool(expected.gradients) or actual.changed == expected.changed)


def parts_of(check: Check) -> tuple[PipelinePart, ...]:
    """The earlier parts that a check names."""
    parts: tuple[PipelinePart, ...] = getattr(check, "parts", ())
    return parts


def stand_ins_of(parts: tuple[PipelinePart, ...]) -> tuple[StandIn, ...]:
    """The parts as a call states them."""
    return tuple(StandIn(part.name, part.stand_in) for part in parts)


def named(parts: tuple[PipelinePart, ...]) -> str:
    """The parts as the student knows them."""
    return " and ".join(f"your `{part.name}`" for part in parts)
