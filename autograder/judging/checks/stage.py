"""Excuses a step that fails only because of an earlier part: it is called with stand-ins for all
earlier parts, and for each alone, which is enough if the others are not used.

A stand-in is not an answer: it is a function of ours with other numbers, which the reference is
given too. A result that equals the reference's then is right by itself.

Covered: parts that raise, return nothing of use or are wrong; changes of arguments still count.
Not covered: a part whose result was computed when its cell ran and kept in a variable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from autograder.assignment.kinds import CallSpec, Check, PipelinePart
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import references, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.finding import Cases, Finding, Trial
from autograder.judging.verdict import Blame, Status
from autograder.wire.messages import Call, CallEnvironment, Outcome, Probe, StandIn
from autograder.wire.values import Array, Value

END_TO_END = "end to end"
Way = tuple[PipelinePart, ...]  # the parts that have stand-ins


class Stage(NamedTuple):
    """How a kind of check asks for a step by itself: its own ``calls`` (of a check, an exercise,
    cases, in a way; with or without optional ones), and the ``rules`` for comparing them.
    ``same_dtype``: equal numbers do not excuse a wrong dtype."""

    calls: Callable[[Any, str, Cases, Way, bool], Iterable[Probe]]
    rules: Callable[[Any], Rules]
    same_dtype: bool = False


def probes(stage: Stage | None, check: Check, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The check's own calls again, in each way; none without parts, or for a kind without
    stages."""
    if stage is None:
        return ()
    every = ways(parts_of(check))
    return tuple(one for way in every for one in stage.calls(check, exercise, cases, way, True))


def ways(parts: tuple[PipelinePart, ...]) -> tuple[Way, ...]:
    """Stand-ins for all parts, and for each alone."""
    # Each part is also stood in alone.
    single = tuple((part,) for part in parts) if len(parts) > 1 else ()
    return (parts, *single) if parts else ()


def by_tolerance(check: Check) -> Rules:
    """The rules of a check that has a tolerance, or the usual ones."""
    return Rules(getattr(check, "tolerance", None))


def declared_calls(
    call: CallSpec, exercise: str, cases: Cases, parts: tuple[PipelinePart, ...] = ()
) -> tuple[Probe, ...]:
    """A relation's calls, with its own stand-ins or, if it has none, these."""
    place = CallEnvironment(default_dtype=call.default_dtype) if call.default_dtype else None
    stand_ins = stand_ins_of(call.stand_ins or parts)
    asked = Call(exercise, call.call, (), stand_ins=stand_ins, after=call.after, place=place)
    return ask.calls(asked, call.inputs, cases)


def excused(stage: Stage | None, check: Check, trial: Trial) -> Finding | None:
    """PASSED, with the blame, if a step is right in one of the ways; else None."""
    if stage is None:
        return None
    right = (way for way in ways(parts_of(check)) if _is_right(stage, check, trial, way))
    return next(map(excuse, right), None)


def _is_right(stage: Stage, check: Check, trial: Trial, way: Way) -> bool:
    calls = tuple(stage.calls(check, trial.exercise, trial.cases, way, False))
    expected = references(trial, calls)
    if not calls or isinstance(expected, Finding):
        return False
    rules = stage.rules(check)
    for probe, right in zip(calls, expected, strict=True):
        actual = returned(trial.actual, probe)
        # A step is excused only when it is right by itself.
        if isinstance(actual, Finding) or not _equal(actual, right, rules):
            return False
        if stage.same_dtype and _dtype(actual) != _dtype(right):
            return False  # it may be all that the relation checks
    return True


def _dtype(outcome: Outcome) -> str:
    return outcome.value.dtype if isinstance(outcome.value, Array) else ""


def excuse(parts: tuple[PipelinePart, ...]) -> Finding:
    """PASSED, with the blame on these parts."""
    names = named(parts)
    blame = (Blame(END_TO_END, False), Blame(f"with a stand-in for {names}", True))
    text = f"This step is right. The final result differs because of {names}."
    return Finding(Status.PASSED, (), text, blame=blame)


def _equal(actual: Outcome, expected: Outcome, rules: Rules) -> bool:
    pairs: list[tuple[Value, Value]]
    if expected.gradients:  # their check ignores changes: the call may create a buffer
        if len(actual.gradients) != len(expected.gradients):
            return False
        pairs = list(zip(actual.gradients, expected.gradients, strict=True))
    else:
        pairs = [(actual.value, expected.value)]
    same = all(not compare(one, other, where="it", rules=rules) for one, other in pairs)
    # A buffer that is made in a call is no wrong gradient.
    return same and (bool(expected.gradients) or actual.changed == expected.changed)


def parts_of(check: Check) -> tuple[PipelinePart, ...]:
    """The earlier parts that a check names."""
    parts: tuple[PipelinePart, ...] = getattr(check, "parts", ())
    return parts


def stand_ins_of(parts: tuple[PipelinePart, ...]) -> tuple[StandIn, ...]:
    """The stand-ins of these parts, for a call."""
    return tuple(StandIn(part.name, part.stand_in) for part in parts)


def named(parts: tuple[PipelinePart, ...]) -> str:
    """The names of the parts for a student."""
    return " and ".join(f"your `{part.name}`" for part in parts)
