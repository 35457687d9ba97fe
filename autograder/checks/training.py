"""The check of training: a statistic over several seeds, not one lucky run.

Covered: runs that raise, end in NaN or are missing count as bad ones; too few good ones fail.
Not covered: how likely right code is to fail; the assignment states it and `validate` measures.
"""

from __future__ import annotations

from autograder.checks import probes as ask
from autograder.checks.claims import combine, references, returned
from autograder.checks.explain import sentence, short
from autograder.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.checks.held import Wrong
from autograder.checks.relation import call_seen
from autograder.sandbox.run import Run
from autograder.spec.kinds import TrainingCheck
from autograder.verdict import Mismatch, Status
from autograder.wire.messages import Probe


def probes(check: TrainingCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each seed."""
    return ask.calls(exercise, check.call, check.inputs, cases, after=check.after)


def examine(check: TrainingCheck, trial: Trial) -> Finding:
    """Count the runs whose statistic is good; the reference must have enough of them itself."""
    calls = probes(check, trial.exercise, trial.cases)
    expected = references(trial, calls)
    if isinstance(expected, Finding):
        return expected
    own = [_good(check, trial, trial.expected, probe, ours=True) for probe in calls]
    broken = next((f for f in own if f.status is Status.UNGRADED), None)
    if broken is not None:
        return broken
    if sum(f.status is Status.PASSED for f in own) < check.passing:
        return ungraded(f"The reference's own training is not good enough in {check.passing} runs.")
    answers = [returned(trial.actual, probe) for probe in calls]
    failed = [a for a in answers if isinstance(a, Finding)]
    if len(calls) - len(failed) < check.passing:
        return combine([a if isinstance(a, Finding) else PASSED for a in answers], what="runs")
    found = [_good(check, trial, trial.actual, probe, ours=False) for probe in calls]
    broken = next((f for f in found if f.status is Status.UNGRADED), None)
    if broken is not None:
        return broken
    good = sum(f.status is Status.PASSED for f in found)
    if good >= check.passing:
        return PASSED
    why = next(f.message for f in found if f.status is not Status.PASSED)
    text = (
        f"Training came out well in {good} of {len(calls)} runs from different seeds; "
        f"{check.passing} are needed. {why}"
    )
    wrong = Mismatch(check.call, "other", f"{check.passing} good runs", f"{good}", text=text)
    return Finding(Status.FAILED, (wrong,), text)


def statistics(check: TrainingCheck, exercise: str, run: Run, trial: Trial) -> list[float]:
    """The statistic of every run that has one, for measuring how often right code fails."""
    calls = probes(check, exercise, trial.cases)
    values = []
    for probe in calls:
        if not isinstance(returned(run, probe), Finding):
            values.append(float(trial.relations[check.statistic](call_seen(run, probe, ours=True))))
    return values


def good(check: TrainingCheck, value: float) -> bool:
    """Whether a statistic is on the right side; NaN never is."""
    return value > check.above if check.above is not None else value < (check.below or 0.0)


def _good(check: TrainingCheck, trial: Trial, run: Run, probe: Probe, *, ours: bool) -> Finding:
    """One run's finding; its message names no measured number."""
    if isinstance(returned(run, probe), Finding):
        return Finding(Status.FAILED, message="A run did not come to its end.")
    try:
        value = float(trial.relations[check.statistic](call_seen(run, probe, ours=ours)))
    except Wrong as wrong:
        return Finding(Status.FAILED, message=sentence(wrong.mismatch))
    except Exception as bad:  # noqa: BLE001  instructor's code: whatever it raises is our fault
        said = short(f"{type(bad).__name__}: {bad}")
        return ungraded(f"The statistic `{check.statistic}` could not be evaluated: {said}.")
    if good(check, value):
        return PASSED
    return Finding(Status.FAILED, message="The others did not reach the goal.")
