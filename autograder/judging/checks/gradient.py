"""The check of a gradient: every call's equals the reference's."""

from __future__ import annotations

import itertools

import msgspec

from autograder.assignment.kinds import DeviceCheck, GradientCheck, Tolerance
from autograder.judging.checks import probes as ask
from autograder.judging.checks import slopes
from autograder.judging.checks.claims import (
    ExpectedCall,
    combine,
    expected_calls,
    references,
    returned,
)
from autograder.judging.checks.compare import Rules, comparable, compare
from autograder.judging.checks.explain import asked, position, sentence, shape_text, short
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.function import best_way
from autograder.judging.checks.stage import Stage, Way, by_tolerance, stand_ins_of
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, Outcome, Probe
from autograder.wire.values import Array, Items, Mapping, Value

CUT_OFF = "no gradient reaches it."

IN_PLACE = ("modified by an inplace operation", "used in an in-place operation")
INSTEAD = "An in-place change (`+=`, `x[...] =`, a method ending in _) overwrites values that the \
gradient needs: create a new tensor instead."


def probes(check: GradientCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each case, with the gradients of the arguments ``wrt``."""
    every = (check.inputs, *check.alternatives)
    asked = [_asked(check, exercise, inputs, cases) for inputs in every]
    return (*itertools.chain.from_iterable(asked), *slopes.probes(check, exercise, cases))


def _asked(check: GradientCheck, exercise: str, inputs: str, cases: Cases) -> tuple[Probe, ...]:
    call = Call(exercise, check.call, (), gradient=check.wrt, output=check.output)
    return ask.calls(call, inputs, cases, alike=check.inputs)


def stage_calls(
    check: GradientCheck, exercise: str, cases: Cases, way: Way, optional: bool
) -> tuple[Probe, ...]:
    """One call for each case with its gradients, and with stand-ins for earlier parts."""
    call = Call(
        exercise,
        check.call,
        (),
        gradient=check.wrt,
        output=check.output,
        stand_ins=stand_ins_of(way),
    )
    return ask.calls(call, check.inputs, cases)


STAGE = Stage(stage_calls, by_tolerance)


def examine(check: GradientCheck, trial: Trial) -> Finding:
    """Compare every gradient; the result's own value belongs to another check."""
    expected = references(trial, _asked(check, trial.exercise, check.inputs, trial.cases))
    if isinstance(expected, Finding):
        return expected
    if not all(complete(outcome, len(check.wrt)) for outcome in expected):
        return ungraded(f"The reference's `{check.call}` has no gradient.")

    def one(inputs: str) -> Finding:
        calls = _asked(check, trial.exercise, inputs, trial.cases)
        return combine([_call(check, trial, each) for each in expected_calls(calls, expected)])

    found = best_way(one, check.inputs, check.alternatives)
    return slopes.examine(check, trial) if found.status is Status.PASSED else found


def _call(check: GradientCheck, trial: Trial, call: ExpectedCall) -> Finding:
    actual = returned(trial.actual, call.probe)
    if isinstance(actual, Finding):
        return _in_place(actual)
    return differing(check, actual, call)


def differing(check: GradientCheck | DeviceCheck, actual: Outcome, call: ExpectedCall) -> Finding:
    """Compare the gradients of one call with respect to the arguments ``check.wrt``."""
    found: tuple[Mismatch, ...] = ()
    sentences = []
    for place, index in enumerate(check.wrt):
        claimed = actual.gradients[place] if place < len(actual.gradients) else None
        subject = f"{asked(call.probe)}, gradient of the {position(index)} argument"
        where = f"gradient of argument {index + 1} in call {call.number}"
        expected = call.expected.gradients[place]
        new = _one(claimed, expected, subject, where, check.tolerance)
        found += new
        sentences += [sentence(mismatch, subject=subject) for mismatch in new[:1]]
    return Finding(Status.FAILED, found, " ".join(sentences)) if found else PASSED


def _one(
    actual: Value, expected: Value, subject: str, where: str, tolerance: Tolerance | None
) -> tuple[Mismatch, ...]:
    if _absent(actual):
        return (Mismatch(where, "missing", "a gradient", "none", text=f"{subject}: {CUT_OFF}"),)
    lost = _unreached(actual)
    if lost and not _unreached(expected):  # every parameter is reached by a gradient
        them = "them" if "," in lost else "it"
        text = f"{subject}: no gradient reaches {lost}, so training can never change {them}."
        return (Mismatch(where, "missing", "a gradient", "none", text=text),)
    pairs = zip(_slots(actual), _slots(expected), strict=False)
    call = subject.rpartition(" of the ")[0]
    for number, (one, other) in enumerate(pairs, start=1):
        place = f"{where}, parameter {number}"
        subject = f"{call} of its parameter{_shape(other)}"
        if one is None and other is not None:
            text = f"{subject}: {CUT_OFF}"
            return (Mismatch(place, "missing", "a gradient", "none", text=text),)
        found = compare(one, other, where=place, rules=Rules(tolerance))
        if found:
            text = sentence(found[0], subject=subject)
            return (msgspec.structs.replace(found[0], text=text), *found[1:])
    return compare(actual, expected, where=where, rules=Rules(tolerance))


def _slots(value: Value) -> tuple[Value, ...]:
    """The gradients of an object's own parameters; none for anything else."""
    named = dict(value.items).get("slots") if isinstance(value, Mapping) else None
    return named.items if isinstance(named, Items) else ()


def _shape(value: Value) -> str:
    return f" of shape {shape_text(value.shape)}" if isinstance(value, Array) else ""


def _in_place(finding: Finding) -> Finding:
    """An error caused by an in-place change, with advice."""
    if finding.status is Status.RAISED and any(words in finding.message for words in IN_PLACE):
        return msgspec.structs.replace(finding, message=f"{finding.message} {INSTEAD}")
    return finding


def _unreached(value: Value) -> str:
    """The parameters besides the known ones that no gradient reaches."""
    if not isinstance(value, Mapping):
        return ""
    named = dict(value.items).get("unreached")
    names = named.items if isinstance(named, Items) else ()
    return ", ".join(f"`{short(str(name), 60)}`" for name in names[:3])


def _absent(value: Value) -> bool:
    """No gradient at all, or for a module none for any parameter."""
    if isinstance(value, Items):
        return all(map(_absent, value.items))
    if isinstance(value, Mapping):
        return all(_absent(item) for key, item in value.items if key != "unreached")
    return value is None


def complete(outcome: Outcome, length: int) -> bool:
    """Whether all of a reference's gradients are there, so that they can be used for comparison."""
    gradients = outcome.gradients
    whole = len(gradients) == length and not any(map(_absent, gradients))
    return whole and all(map(comparable, gradients)) and not any(map(_unreached, gradients))
