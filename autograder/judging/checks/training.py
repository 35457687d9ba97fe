"""The check of training: a statistic over several seeds, not one lucky run, judged step by step.

The first runs decide in most cases. Only if they do not, the others are made.
Covered: runs that raise, end in NaN or are missing count as bad ones; too few good ones fail. A run
without evidence is neither good nor bad: if it would decide, nothing is graded.
Not covered: how likely right code is to fail and wrong code to pass; the assignment states both and
`validate` measures them.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.assignment.kinds import TrainingCheck
from autograder.evidence.records import Run
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import TRAINED, Bounds
from autograder.judging.checks.claims import combine, references, returned
from autograder.judging.checks.decoded_value import Wrong
from autograder.judging.checks.explain import sentence, short
from autograder.judging.checks.finding import PASSED, Cases, Finding, Relations, Trial, ungraded
from autograder.judging.checks.relation import call_seen
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, Probe


def probes(check: TrainingCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each of the first seeds."""
    return _calls(check, exercise, cases)[: check.first]


def later(check: TrainingCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """One call for each of the other seeds."""
    return _calls(check, exercise, cases)[check.first :]


def further(
    check: TrainingCheck, exercise: str, run: Run, cases: Cases, relations: Relations
) -> tuple[Probe, ...]:
    """The calls with the other seeds, if the first ones in ``run`` do not decide. The result stays
    the same when ``run`` contains them all."""
    if any(run.probe(probe.id) is None for probe in probes(check, exercise, cases)):
        return ()  # the run has no answers for this check
    trial = Trial(exercise, run, run, cases, relations)
    counted, _ = _counted(check, trial, run, ours=False)
    return counted[check.first :]


def settled(good: int, asked: int, *, runs: int, passing: int) -> bool | None:
    """Whether training passes when ``good`` of the ``asked`` runs are good, of ``runs`` possible
    ones; None while that is open."""
    if asked == runs:
        return good >= passing
    if good == asked:  # a training that is open does not pass
        return True
    # Training fails early only where enough runs are out of reach.
    return False if good + runs - asked < passing else None


def examine(check: TrainingCheck, trial: Trial) -> Finding:
    """Count the runs with a good statistic; the reference must have enough of them itself."""
    runs = len(_calls(check, trial.exercise, trial.cases))
    calls, own = _counted(check, trial, trial.expected, ours=True)
    expected = references(trial, calls)
    if isinstance(expected, Finding):
        return expected
    if not settled(_of(Status.PASSED, own), len(own), runs=runs, passing=check.passing):
        weak = f"The reference's own training does not succeed in {check.passing} runs."
        return next((f for f in own if f.status is Status.UNGRADED), ungraded(weak))
    _, found = _counted(check, trial, trial.actual, ours=False)
    good, lost = _of(Status.PASSED, found), _of(Status.UNGRADED, found)
    if settled(good, len(found), runs=runs, passing=check.passing):
        return PASSED
    # A training of which there is no evidence is not a bad one.
    if lost and settled(good + lost, len(found), runs=runs, passing=check.passing):
        return next(f for f in found if f.status is Status.UNGRADED)
    ended = [PASSED if f.status is Status.FAILED else f for f in found]
    if runs - (len(ended) - _of(Status.PASSED, ended) - lost) < check.passing:
        return combine(ended, what="runs")
    return _too_few(check, found, runs)


def _too_few(check: TrainingCheck, findings: Sequence[Finding], runs: int) -> Finding:
    good = _of(Status.PASSED, findings)
    bad = next(f for f in findings if f.status not in (Status.PASSED, Status.UNGRADED))
    why = bad.message if bad.status is Status.FAILED else "At least one run did not finish."
    text = (
        f"Training succeeded in {good} of {len(findings)} runs with different seeds; it has to "
        f"succeed in at least {check.passing} of {runs}. {why}"
    )
    wrong = Mismatch(check.call, "other", f"{check.passing} good runs", f"{good}", text=text)
    return Finding(Status.FAILED, (wrong,), text)


def good_runs(check: TrainingCheck, trial: Trial) -> int:
    """How many runs of all seeds are good, to measure how often such code passes."""
    calls = _calls(check, trial.exercise, trial.cases)
    return _of(Status.PASSED, [_one(check, trial, trial.actual, p, ours=False) for p in calls])


def _calls(check: TrainingCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    return ask.calls(Call(exercise, check.call, (), after=check.after), check.inputs, cases)


def _counted(
    check: TrainingCheck, trial: Trial, run: Run, *, ours: bool
) -> tuple[tuple[Probe, ...], list[Finding]]:
    """The runs that count, with their findings: the first ones if they decide, else all."""
    calls = _calls(check, trial.exercise, trial.cases)
    found = [_one(check, trial, run, probe, ours=ours) for probe in calls[: check.first]]
    passed = _of(Status.PASSED, found)
    if settled(passed, len(found), runs=len(calls), passing=check.passing) is None:
        found += [_one(check, trial, run, probe, ours=ours) for probe in calls[check.first :]]
    return calls[: len(found)], found


def _of(status: Status, findings: Sequence[Finding]) -> int:
    return sum(finding.status is status for finding in findings)


def _one(check: TrainingCheck, trial: Trial, run: Run, probe: Probe, *, ours: bool) -> Finding:
    """One run's finding; its message names no measured number."""
    answer = returned(run, probe)
    if isinstance(answer, Finding):
        return answer
    try:
        value = float(trial.relations[check.statistic](call_seen(run, probe, ours=ours)))
    except Wrong as wrong:
        return Finding(Status.FAILED, message=sentence(wrong.mismatch))
    except Exception as bad:  # noqa: BLE001  instructor's code: whatever it raises is our fault
        said = short(f"{type(bad).__name__}: {bad}")
        return ungraded(f"The statistic `{check.statistic}` could not be evaluated: {said}.")
    goal = check.above if check.above is not None else check.below
    if goal is not None and (value > goal if check.above is not None else value < goal):
        return PASSED  # NaN is on neither side
    return Finding(Status.FAILED, message="The others did not reach the goal.")


def bounds(check: TrainingCheck, actual: str, expected: str, shape: tuple[int, ...]) -> Bounds:
    """Wide bounds between any two dtypes."""
    return TRAINED
