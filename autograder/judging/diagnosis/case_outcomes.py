"""The cases of an exercise one by one: which go wrong in a student's work, and which do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_trial import (
    WRONG,
    CaseOutcome,
    given_trials,
    outcomes_of,
)
from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.judged_check import JudgedCheck
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.likeness import same_answer
from autograder.judging.diagnosis.separation import JudgedCall, Separation, separating
from autograder.judging.diagnosis.small_calls import asked_of, passed
from autograder.judging.verdict import Verdict

_APART = frozenset({"gradient", "device"})  # kinds of checks that may fail where results are right


def small_outcomes(
    exercise: Exercise,
    verdicts: Sequence[Verdict],
    run: Run,
    reference: Reference,
    *,
    thorough: bool = False,
) -> tuple[CaseOutcome, ...]:
    """What the failed checks of an exercise find in their small calls, as far as they were asked;
    ``thorough``: in all that there are, of which a submission is asked only some."""
    failed = [v.check for v in verdicts if v.status in WRONG]
    trials = passed(exercise, reference) if thorough else asked_of(exercise, failed, reference)
    return outcomes_of(exercise.id, trials, failed, run, reference)


def given_outcomes(
    exercise: Exercise, checks: Iterable[JudgedCheck], run: Run, reference: Reference
) -> tuple[CaseOutcome, ...]:
    """What these checks of an exercise find in their own cases, one by one."""
    return tuple(
        CaseOutcome(trial, trial.look(exercise.id, run, reference))
        for asked in checks
        for trial in given_trials(exercise, asked.check, reference)
    )


def predicted(
    mistake: KnownMistake,
    asked: JudgedCheck,
    found: Sequence[CaseOutcome],
    own: Evidence,
    reference: Reference,
) -> bool:
    """Whether a known mistake gives what the work gives in the small calls of a check; True where
    neither was asked any."""
    for outcome in found:
        trial = outcome.trial
        if trial.check.id != asked.check.id:
            continue
        known = (p for p in trial.probes if mistake.evidence.claim(p.id) is not None)
        probes = [probe for probe in known if asked.looks_at(probe)]
        if all(same_answer(trial.check, p, own, mistake.evidence) for p in probes):
            continue
        theirs = trial.look(mistake.exercise, mistake.evidence.run, reference)
        # what new tables hold is random: there the check's finding counts
        if asked.by_value or theirs.status is not outcome.finding.status:
            return False
    return True


def separated(
    asked: JudgedCheck,
    every: Sequence[JudgedCheck],
    found: Sequence[CaseOutcome],
    given: Callable[[Sequence[JudgedCheck]], Sequence[CaseOutcome]],
) -> Separation | None:
    """The property of the arguments by which the calls of this check's function go wrong.

    It is looked for in the checks' own cases (``given``) and every other small call, of the wrong
    ones and of the right ones, and confirmed by the remaining ones, which were made for it.
    """
    apart = asked.check.kind in _APART
    near = [
        other
        for other in every
        if other.near(asked)
        and (other.check.kind == asked.check.kind or not apart)
        and (other.check.kind in _APART) == apart
    ]
    ids = {other.check.id for other in near}
    small = [o for o in found if o.trial.check.id in ids and o.known]
    parts = [[o for o in small if o.wrong], [o for o in small if not o.wrong]]
    calls = [
        JudgedCall(o.trial.args, o.wrong, fresh=bool(n % 2))
        for part in parts
        for n, o in enumerate(part)
    ]
    if not all(parts):
        return None  # all are wrong, or all are right
    own = given(near)
    # guard: a property is told only where no call is left out, which student code could choose
    if not all(outcome.known for outcome in own):
        return None
    return separating([JudgedCall(o.trial.args, o.wrong, fresh=False) for o in own] + calls)
