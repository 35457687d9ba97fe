"""The check of cost: the calls' processor time against the reference's, never the clock's."""

from __future__ import annotations

from autograder.checks import probes as ask
from autograder.checks.claims import combine, references, returned
from autograder.checks.finding import PASSED, Cases, Finding, Trial
from autograder.sandbox.run import Run
from autograder.spec.model import SpeedCheck
from autograder.verdict import Mismatch, Status
from autograder.wire.messages import Probe

FLOOR_S = 0.005  # below this a reference's time is mostly the measuring itself


def probes(check: SpeedCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One timed call for each case; the results' numbers stay inside."""
    return ask.calls(exercise, check.call, check.inputs, cases, timed=True)


def examine(check: SpeedCheck, trial: Trial) -> Finding:
    """Every call must return, and all together cost at most the stated multiple."""
    calls = probes(check, trial.exercise, trial.cases)
    expected = references(trial, calls)
    if isinstance(expected, Finding):
        return expected
    answers = [returned(trial.actual, probe) for probe in calls]
    finding = combine([a if isinstance(a, Finding) else PASSED for a in answers])
    if finding.status is not Status.PASSED:
        return finding
    spent, usual = _total(trial.actual, calls), max(_total(trial.expected, calls), FLOOR_S)
    if spent / usual <= check.at_most:
        return PASSED
    times = f"{check.at_most:g} times"
    # not how many times: equal hand-ins have equal verdicts, whatever else the machine does
    text = f"`{check.call}` used more than {times} the processor time of the usual solution."
    found = Mismatch(check.call, "other", f"at most {times}", f"more than {times}", text=text)
    return Finding(Status.FAILED, (found,), text)


def _total(run: Run, calls: tuple[Probe, ...]) -> float:
    """Seconds; not a number when a record is gone, so that no comparison holds."""
    records = [run.probe(probe.id) for probe in calls]
    return sum(r.spent.cpu_s if r is not None else float("nan") for r in records)
