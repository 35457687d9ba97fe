"""The check of a multiple-choice answer against the reference's."""

from __future__ import annotations

from autograder.assignment.kinds import ChoiceCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import both
from autograder.judging.checks.explain import describe
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Probe
from autograder.wire.values import Value

MAX_TEXT = 2_000  # longer text is none of the options
_MARKS = " \t\r\n\"'`“”‘’«».,;:!?"


def probes(check: ChoiceCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """Ask for the name."""
    return (ask.read(exercise, check.name),)


def examine(check: ChoiceCheck, trial: Trial) -> Finding:
    """Compare the choice; case, spaces, quotes and closing marks do not count."""
    pair = both(trial, ask.read(trial.exercise, check.name))
    if isinstance(pair, Finding):
        return pair
    options = {_bare(option): option for option in check.options}
    actual, expected = _chosen(pair[0].value), _chosen(pair[1].value)
    if expected not in options:
        return ungraded(f"The reference's `{check.name}` is not one of the options.")
    if pair[0].value is None or actual == "":
        return Finding(Status.BLANK, message=f"`{check.name}` has no answer yet.")
    if actual not in options:
        named = " or ".join(repr(option) for option in check.options)
        said = describe(pair[0].value)
        mismatch = Mismatch(check.name, "type", f"one of {named}", said)
        return Finding(Status.FAILED, (mismatch,), f"`{check.name}` is {said}; choose {named}.")
    if actual == expected:
        return PASSED
    mismatch = Mismatch(check.name, "value", repr(options[expected]), repr(options[actual]))
    message = f"`{check.name}`: {options[actual]!r} is not the right choice."
    return Finding(Status.FAILED, (mismatch,), message)


def _chosen(value: Value) -> str | None:
    return _bare(value) if isinstance(value, str) and len(value) <= MAX_TEXT else None


def _bare(text: str) -> str:
    return " ".join(text.strip(_MARKS).casefold().split())
