"""The check of a name's value against the reference's value of the same name."""

from __future__ import annotations

import numpy as np

from autograder.assignment.kinds import FunctionCheck, ValueCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.carried_result import own_table
from autograder.judging.checks.claims import both
from autograder.judging.checks.compare import Rules, as_number, comparable, compare
from autograder.judging.checks.explain import describe, sentences
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.frame_picture import table_picture
from autograder.judging.verdict import Mismatch, Picture, Status, TablePicture
from autograder.wire.messages import Probe
from autograder.wire.values import Array, DataFrame, Value

MAX_PICTURE = 65_536


def probes(check: ValueCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The name, and the student's own part that may replace the reference's value."""
    name = ask.read(exercise, check.name)
    return (name,) if check.carried is None else (name, ask.own(exercise, check.carried))


def examine(check: ValueCheck, trial: Trial) -> Finding:
    """Compare with the reference's value; if stated, with the student's own call too."""
    pair = both(trial, ask.read(trial.exercise, check.name))
    if isinstance(pair, Finding):
        return pair
    actual, expected = pair[0].value, pair[1].value
    rules = rules_of(check)
    if not fit(expected, rules):
        return ungraded(
            f"The reference's `{check.name}` cannot be compared: it is {describe(expected)}."
        )
    mismatches = compare(actual, expected, where=check.name, rules=rules)
    if not mismatches:
        return PASSED
    own = own_table(trial, check, [actual])
    if isinstance(own, Finding):
        return own
    like_own = rules._replace(leading_ones=True)
    if own is not None and not compare(actual, own, where=check.name, rules=like_own):
        return PASSED
    drawn = picture(actual, expected, mismatches, rules) if check.public else None
    return Finding(Status.FAILED, mismatches, sentences(mismatches), drawn)


def rules_of(check: ValueCheck | FunctionCheck) -> Rules:
    """The rules that a check states."""
    return Rules(check.tolerance, check.dtype, check.number, check.leading_ones, frame=check.frame)


def fit(expected: Value, rules: Rules) -> bool:
    """Whether the reference's value can be compared under these rules."""
    return as_number(expected) is not None if rules.number else comparable(expected)


def picture(
    actual: Value, expected: Value, mismatches: tuple[Mismatch, ...], rules: Rules
) -> Picture | TablePicture | None:
    """Both data frames; or both arrays, if they are real, small, of one or two axes and of equal
    size."""
    if mismatches and isinstance(expected, DataFrame):
        where = mismatches[0].where
        return table_picture(actual, expected, where, rules.frame, rules.tolerance)
    values = [m for m in mismatches if m.kind == "value" and not m.path]
    one, other = _floats(actual), _floats(expected)
    if not values or one is None or other is None:
        return None
    return Picture(values[0].where, other, Array(one.dtype, other.shape, one.data, one.container))


def _floats(value: Value) -> Array | None:
    """A float array of one or two axes, in float64 so that every reader can draw it."""
    found = numeric(value)
    if found is None or found.numbers.dtype.kind != "f":
        return None
    if not 0 < found.numbers.size <= MAX_PICTURE:
        return None
    if not 1 <= len(found.shape) <= 2:
        return None
    with np.errstate(invalid="ignore"):  # a signalling NaN
        numbers = found.numbers.astype(np.float64)
    return Array("float64", found.shape, numbers.tobytes(), "ndarray")
