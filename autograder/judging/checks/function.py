"""The check of a function: every call returns what the reference's returns."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from autograder.assignment.kinds import FunctionCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import (
    ExpectedCall,
    combine,
    expected_calls,
    references,
    returned,
)
from autograder.judging.checks.compare import compare
from autograder.judging.checks.explain import asked, describe, position, sentences
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.stage import Stage, Way, stand_ins_of
from autograder.judging.checks.value import fit, picture, rules_of
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, Outcome, Probe

MAX_CHANGED = 20  # a claim may list millions


def probes(check: FunctionCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each case, also of the alternatives."""
    every = (check.inputs, *check.alternatives)
    asked = (ask.calls(Call(exercise, check.call, ()), inputs, cases) for inputs in every)
    return tuple(itertools.chain.from_iterable(asked))


def stage_calls(
    check: FunctionCheck, exercise: str, cases: Cases, way: Way, optional: bool
) -> tuple[Probe, ...]:
    """One call for each case, with stand-ins for earlier parts."""
    call = Call(exercise, check.call, (), stand_ins=stand_ins_of(way))
    return ask.calls(call, check.inputs, cases)


STAGE = Stage(stage_calls, rules_of)


def examine(check: FunctionCheck, trial: Trial) -> Finding:
    """Compare every call; the message counts the wrong ones and explains the first."""
    call = Call(trial.exercise, check.call, ())
    expected = references(trial, ask.calls(call, check.inputs, trial.cases))
    if isinstance(expected, Finding):
        return expected
    if not all(fit(outcome.value, rules_of(check)) for outcome in expected):
        odd = next(o.value for o in expected if not fit(o.value, rules_of(check)))
        return ungraded(
            f"The reference's result of `{check.call}` cannot be compared: it is {describe(odd)}."
        )

    def one(inputs: str) -> Finding:
        calls = ask.calls(call, inputs, trial.cases)
        return combine([_call(check, trial, each) for each in expected_calls(calls, expected)])

    return best_way(one, check.inputs, check.alternatives)


def best_way(
    examined: Callable[[str], Finding], inputs: str, alternatives: Sequence[str]
) -> Finding:
    """The finding for the inputs, or for an accepted alternative with a better result.

    A call that raised says less than one that returned a wrong result.
    """
    first = examined(inputs)
    for other in alternatives:
        if first.status is Status.PASSED:
            break
        found = examined(other)
        better = (Status.PASSED, Status.FAILED)
        if found.status in better and (found.status is Status.PASSED or first.status not in better):
            first = found
    return first


def _call(check: FunctionCheck, trial: Trial, call: ExpectedCall) -> Finding:
    actual = returned(trial.actual, call.probe)
    if isinstance(actual, Finding):
        return actual
    expected, where = call.expected.value, f"result of call {call.number}"
    rules = rules_of(check)
    found = compare(actual.value, expected, where=where, rules=rules)
    drawn = picture(actual.value, expected, found, rules) if check.public else None
    if not check.may_change_inputs:
        found += changed(actual, call.probe, call.number)
    if not found:
        return PASSED
    return Finding(Status.FAILED, found, explained(call.probe, found), drawn)


def changed(outcome: Outcome, probe: Probe, number: int) -> tuple[Mismatch, ...]:
    """One mismatch for each argument that the call changed in place."""
    return tuple(
        Mismatch(
            f"argument {index + 1} of call {number}",
            "changed",
            "unchanged",
            "changed in place",
            text=_says_changed(probe, index),
        )
        for index in outcome.changed[:MAX_CHANGED]
    )


def _says_changed(probe: Probe, index: int) -> str:
    request = probe.request
    if index == 0 and isinstance(request, Call) and "." in request.target:
        return f"{asked(probe)} changes the object's own numbers, which should stay unchanged."
    return f"{asked(probe)} changes its {position(index)} argument in place; use a copy."


def explained(probe: Probe, mismatches: tuple[Mismatch, ...]) -> str:
    """A sentence about the first mismatches of a call."""
    return sentences(mismatches, subject=asked(probe))
