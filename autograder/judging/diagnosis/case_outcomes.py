"""The cases of an exercise one by one: which go wrong in a student's work, and which do not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Args, Reference
from autograder.judging.diagnosis.case_trial import (
    WRONG,
    CaseOutcome,
    given_trials,
    outcomes_of,
)
from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.judged_check import BY_VALUE, JudgedCheck
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.likeness import same_answer
from autograder.judging.diagnosis.separation import JudgedCall, Separation, separating
from autograder.judging.diagnosis.small_calls import asked_of, passed
from autograder.judging.diagnosis.smallest import target_of
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
    small = [o for o in found if o.trial.check.id in ids]
    # No property is told of an answer that depends on earlier calls.
    if not all(outcome.steady for outcome in small):
        return None
    by_value = any(other.by_value for other in near)
    calls = _judged([o for o in small if o.known], by_value=by_value)
    parts = [[args for args, wrong in calls if wrong is kind] for kind in (True, False)]
    if not all(parts):
        return None  # all are wrong, or all are right
    own = given(near)
    # A property is told only where no call is left out, which student code could choose.
    if not all(outcome.known for outcome in own):
        return None
    first = [JudgedCall(*call, fresh=False) for call in _judged(own, by_value=by_value)]
    further = [
        JudgedCall(args, wrong, fresh=bool(n % 2))
        for wrong, part in zip((True, False), parts, strict=True)
        for n, args in enumerate(part)
    ]
    return separating(first + further)


def _judged(outcomes: Iterable[CaseOutcome], *, by_value: bool) -> list[tuple[Args, bool]]:
    """The arguments of each call once, and whether any check finds its result wrong. ``by_value``:
    a check looks at results, so a relation that holds does not show that one is right."""
    calls: dict[tuple[str, Args], bool] = {}
    for one in outcomes:
        # A relation that holds does not show that a result is right.
        if one.wrong or not by_value or one.trial.check.kind in BY_VALUE:
            key = (target_of(one.trial), one.trial.args)
            calls[key] = calls.get(key, False) or one.wrong
    return [(args, wrong) for (_, args), wrong in calls.items()]
