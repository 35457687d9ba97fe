"""The check that a prediction was made: every option passes, right or wrong.

Covered: the message gives the answer and the reason for it.
Not covered: whether it was made before the answer was seen.
"""

from __future__ import annotations

import math

from autograder.assignment.kinds import PredictionCheck, option_key
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import both
from autograder.judging.checks.compare import as_number
from autograder.judging.checks.explain import describe
from autograder.judging.checks.finding import Cases, Finding, Trial, ungraded
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Probe
from autograder.wire.values import Value, Whole

MAX_TEXT = 2_000  # longer text is none of the options
CLOSE = 1e-6  # relative: 0.1 in float32 is the option 0.1


def probes(check: PredictionCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """Ask for the name."""
    return (ask.read(exercise, check.name),)


def examine(check: PredictionCheck, trial: Trial) -> Finding:
    """PASSED for every option, with the answer and its reason; the solution's must be right."""
    pair = both(trial, ask.read(trial.exercise, check.name))
    if isinstance(pair, Finding):
        return pair
    value, solved = pair[0].value, chosen(check, pair[1].value)
    # A solution that predicts something else grades nobody.
    if solved is None or option_key(solved) != option_key(check.answer):
        return ungraded(f"The reference's `{check.name}` is not the stated answer.")
    if value is None or (isinstance(value, str) and not value[:MAX_TEXT].strip()):
        return Finding(Status.BLANK, message=f"`{check.name}` has no prediction yet.")
    found = chosen(check, value)
    if found is None:
        said, named = describe(value), " or ".join(map(repr, check.options))
        mismatch = Mismatch(check.name, "type", f"one of {named}", said)
        return Finding(Status.FAILED, (mismatch,), f"`{check.name}` is {said}; choose {named}.")
    return Finding(Status.PASSED, message=told(check, found))


def chosen(check: PredictionCheck, value: Value) -> str | int | float | None:
    """The option that a value means; None if it is not one of them."""
    if isinstance(value, str):
        # A text without end is no option.
        key = option_key(value) if len(value) <= MAX_TEXT else None
        return next((o for o in check.options if isinstance(o, str) and option_key(o) == key), None)
    # A number beyond any float is no option.
    number = None if isinstance(value, Whole) else as_number(value)  # beyond any float
    if number is None or isinstance(number, complex):
        return None
    near = [
        option
        for option in check.options
        if not isinstance(option, str) and math.isclose(option, number, rel_tol=CLOSE)
    ]
    # Of close options the nearest is meant.
    return min(near, key=lambda option: abs(option - number), default=None)


def told(check: PredictionCheck, prediction: str | int | float) -> str:
    """The message for a prediction once it is made, right or wrong."""
    if option_key(prediction) == option_key(check.answer):
        return f"It is {check.answer!r}, as you predicted: {check.because}"
    return f"You predicted {prediction!r}. It is {check.answer!r}: {check.because}"
