"""The check of a gradient: that of every call equals the reference's."""

from __future__ import annotations

from autograder.checks import probes as ask
from autograder.checks.claims import combine, references, returned
from autograder.checks.compare import Rules, comparable, compare
from autograder.checks.explain import asked, position, sentence
from autograder.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.spec.model import GradientCheck, Tolerance
from autograder.verdict import Mismatch, Status
from autograder.wire.messages import Outcome, Probe
from autograder.wire.values import Items, Mapping, Value

CUT_OFF = (
    "no gradient reaches it; a detach, a no_grad or a conversion to plain numbers cuts it off."
)


def probes(check: GradientCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each case, with the gradients of the arguments ``wrt``."""
    return ask.calls(exercise, check.call, check.inputs, cases, gradient=check.wrt)


def examine(check: GradientCheck, trial: Trial) -> Finding:
    """Compare every gradient; the result's own value belongs to another check."""
    calls = probes(check, trial.exercise, trial.cases)
    expected = references(trial, calls)
    if isinstance(expected, Finding):
        return expected
    if not all(_complete(outcome, len(check.wrt)) for outcome in expected):
        return ungraded(f"The reference's `{check.call}` has no gradient itself.")
    pairs = enumerate(zip(calls, expected, strict=True), start=1)
    return combine([_call(check, trial, probe, other, n) for n, (probe, other) in pairs])


def _call(
    check: GradientCheck, trial: Trial, probe: Probe, expected: Outcome, number: int
) -> Finding:
    actual = returned(trial.actual, probe)
    if isinstance(actual, Finding):
        return actual
    found: tuple[Mismatch, ...] = ()
    sentences = []
    for place, index in enumerate(check.wrt):
        claimed = actual.gradients[place] if place < len(actual.gradients) else None
        subject = f"{asked(probe)}, gradient of the {position(index)} argument"
        where = f"gradient of argument {index + 1} in call {number}"
        new = _one(claimed, expected.gradients[place], subject, where, check.tolerance)
        found += new
        sentences += [sentence(mismatch, subject=subject) for mismatch in new[:1]]
    return Finding(Status.FAILED, found, " ".join(sentences)) if found else PASSED


def _one(
    actual: Value, expected: Value, subject: str, where: str, tolerance: Tolerance | None
) -> tuple[Mismatch, ...]:
    if _absent(actual):
        return (Mismatch(where, "missing", "a gradient", "none", text=f"{subject}: {CUT_OFF}"),)
    return compare(actual, expected, where=where, rules=Rules(tolerance))


def _absent(value: Value) -> bool:
    """No gradient at all, or for a module none for any parameter."""
    if isinstance(value, Items):
        return all(map(_absent, value.items))
    if isinstance(value, Mapping):
        return all(_absent(item) for _, item in value.items)
    return value is None


def _complete(outcome: Outcome, length: int) -> bool:
    gradients = outcome.gradients
    whole = len(gradients) == length and not any(map(_absent, gradients))
    return whole and all(map(comparable, gradients))
