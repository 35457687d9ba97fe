"""The check that calls are refused: each raises one of the stated exceptions."""

from __future__ import annotations

from autograder.assignment.kinds import RaisesCheck
from autograder.evidence.stops import says_no_memory
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import answer, combine, raised_finding
from autograder.judging.checks.explain import asked, describe, not_filled_in, raised, short
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, Error, Outcome, Probe


def probes(check: RaisesCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each case."""
    return ask.calls(Call(exercise, check.call, ()), check.inputs, cases)


def examine(check: RaisesCheck, trial: Trial) -> Finding:
    """Every call must raise; the reference must do so itself."""
    calls = probes(check, trial.exercise, trial.cases)
    for probe in calls:
        expected = answer(trial.expected, probe)
        if isinstance(expected, Finding) or not _right(check, expected):
            return ungraded(
                f"The reference does not raise the stated exception for {asked(probe)}."
            )
    return combine([_call(check, trial, probe, n) for n, probe in enumerate(calls, start=1)])


def _call(check: RaisesCheck, trial: Trial, probe: Probe, number: int) -> Finding:
    actual = answer(trial.actual, probe)
    if isinstance(actual, Finding):
        return actual
    if _right(check, actual):
        return PASSED
    error = actual.error
    if error is not None and (says_no_memory(error) or not_filled_in(error)):
        return raised_finding(
            error, asked(probe), name=f"`{check.call}`", limits=trial.actual.measured.limits
        )
    wanted = " or ".join(check.error)
    what, did = _did(actual)
    found = Mismatch(f"result of call {number}", "other", wanted, what)
    message = f"{asked(probe)} {did}; it should raise {wanted}."
    return Finding(Status.FAILED, (found,), message)


def _right(check: RaisesCheck, outcome: Outcome) -> bool:
    """One of the stated classes or a subclass; the template's own exception only if it is
    stated."""
    if outcome.status != "raised" or outcome.error is None:
        return False
    stated = set(check.error)
    if not_filled_in(outcome.error) and "NotImplementedError" not in stated:
        return False
    return not stated.isdisjoint(outcome.error.types)


def _did(outcome: Outcome) -> tuple[str, str]:
    if outcome.status == "raised":
        error = outcome.error or Error(("Exception",), "")
        name = short(error.types[0], 60) if error.types else "an exception"
        return name, f"raised {raised(error)}"
    return describe(outcome.value), f"returned {describe(outcome.value)}"
