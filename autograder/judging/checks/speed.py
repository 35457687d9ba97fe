"""The check of cost: the calls' processor time, not elapsed time, against the reference's.

Covered: a call that returns nothing or the wrong result costs little and earns nothing; outlines of
the results are compared.
Not covered: a memorized answer, if the measured size is public.
"""

from __future__ import annotations

import numpy as np

from autograder.assignment.kinds import SpeedCheck, Tolerance
from autograder.evidence.records import Run
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.claims import combine, references, returned
from autograder.judging.checks.compare import Rules, comparable, compare
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import ROW_LABELS, Call, Outcome, Probe
from autograder.wire.values import Items, Mapping, Value

FLOOR_S = 0.005  # below this, a reference's time is mostly that of measuring
LIKE, WHY = 0.01, "Relative to the largest number; other checks judge how exact a result is."


def probes(check: SpeedCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One timed call for each case; for large results only outlines are returned."""
    return ask.calls(Call(exercise, check.call, (), discard=True), check.inputs, cases)


def examine(check: SpeedCheck, trial: Trial) -> Finding:
    """PASSED if all results are right and their cost is at most the stated multiple."""
    calls = probes(check, trial.exercise, trial.cases)
    expected = references(trial, calls)
    if isinstance(expected, Finding):
        return expected
    if not all(comparable(outcome.value) for outcome in expected):
        return ungraded(f"The reference's results of `{check.call}` cannot be compared.")
    answers = [returned(trial.actual, probe) for probe in calls]
    finding = combine([_computed(check, *pair) for pair in zip(answers, expected, strict=True)])
    if finding.status is not Status.PASSED:
        return finding
    spent, usual = _total(trial.actual, calls), max(_total(trial.expected, calls), FLOOR_S)
    if spent / usual <= check.at_most:
        return PASSED
    times = f"{check.at_most:g} times"
    # no measured ratio: equal submissions get equal verdicts, however busy the machine is
    text = f"`{check.call}` used more than {times} the processor time of the reference."
    found = Mismatch(check.call, "other", f"at most {times}", f"more than {times}", text=text)
    return Finding(Status.FAILED, (found,), text)


def _computed(check: SpeedCheck, actual: Outcome | Finding, expected: Outcome) -> Finding:
    """Whether a call returned about what the reference computed."""
    if isinstance(actual, Finding):
        return actual
    room = Tolerance(rtol=LIKE, atol=LIKE * _largest(expected.value), why=WHY)
    value = _without_labels(actual.value, expected.value)
    if not compare(value, expected.value, where=check.call, rules=Rules(room)):
        return PASSED
    # no amount: it would reveal numbers of hidden inputs, and other checks report it
    text = f"`{check.call}` did not return the right result here, so its cost does not count."
    found = Mismatch(check.call, "other", "the usual result", "another result", text=text)
    return Finding(Status.FAILED, (found,), text)


def _without_labels(actual: Value, expected: Value) -> Value:
    """A result's outline without the labels of rows, where the reference's are nobody's choice."""
    match actual, expected:
        case Items(), Items() if len(actual.items) == len(expected.items):
            inner = map(_without_labels, actual.items, expected.items)
            return Items(actual.kind, tuple(inner))
        case Mapping(), Mapping():
            theirs = dict(expected.items)
            kept = (key for key, _ in actual.items if key in theirs or key != ROW_LABELS)
            own = dict(actual.items)
            return Mapping(tuple((key, _without_labels(own[key], theirs.get(key))) for key in kept))
    return actual


def _largest(value: Value) -> float:
    """The largest finite number in a reference's result, by size."""
    if isinstance(value, Mapping):
        return max((_largest(item) for key, item in value.items if key != "shape"), default=0.0)
    found = numeric(value)
    if found is None:
        return max(map(_largest, value.items), default=0.0) if isinstance(value, Items) else 0.0
    size = np.abs(found.numbers.astype(np.complex128))
    return float(size[np.isfinite(size)].max(initial=0.0))


def _total(run: Run, calls: tuple[Probe, ...]) -> float:
    """Seconds; NaN if a record is missing, so that no comparison holds."""
    records = [run.probe(probe.id) for probe in calls]
    return sum(r.spent.cpu_s if r is not None else float("nan") for r in records)
