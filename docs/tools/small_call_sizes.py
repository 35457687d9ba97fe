"""How large the smallest call is that a wrong answer is shown, and why there is no smaller one, or
none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder.assignment.kinds import Check
from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_outcomes import small_outcomes
from autograder.judging.diagnosis.case_trial import (
    BY_CASES,
    CaseOutcome,
    CaseTrial,
    cases_of,
    inputs_of,
)
from autograder.judging.diagnosis.diagnose import judged_checks
from autograder.judging.diagnosis.literals import call_code, tables_of, written
from autograder.judging.diagnosis.small_calls import has_own_small_calls, passed, trials_of
from autograder.judging.diagnosis.smallest import target_of
from autograder.judging.verdict import SmallestCall, Verdict
from autograder.wire.messages import Call

FEW = 12  # numbers of a small call, with both results, that are read at a glance
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?")
NO_CALLS, NO_FORM = "it makes no calls of its own", "its inputs have no small form"
NOT_PASSED = "the solution itself does not pass small calls"
RIGHT, NOT_TOLD = "every small call is right", "no small call has another result"
MADE, WRITTEN = "the smallest call of its form", "the smallest of the author's own small calls"
REFUSED, NOT_ASKED = "the solution itself does not pass smaller calls", "no smaller call is asked"
LARGER, RIGHT_BELOW = "its own result is larger than the right one", "every smaller call is right"


def numbers_in(call: SmallestCall) -> int:
    """How many numbers a student reads: in the call, in what is expected, and in what it gave."""
    return _count(call.call, call.expected, call.actual)


def _count(*texts: str) -> int:
    return sum(len(_NUMBER.findall(text)) for text in texts)


def without_small_call(
    exercise: Exercise, verdicts: Sequence[Verdict], run: Run, reference: Reference
) -> Iterator[str]:
    """Of each failed check whose function is shown no small call, the kind, and why."""
    own = [verdict for verdict in verdicts if verdict.exercise == exercise.id]
    every = judged_checks(exercise, own, reference, stood_in=False)
    shown = [asked for asked in every if asked.verdict.smallest is not None]
    outcomes = small_outcomes(exercise, own, run, reference)
    wrong = {outcome.trial.check.id for outcome in outcomes if outcome.wrong}
    for asked in every:
        if asked.wrong and not any(map(asked.near, shown)):
            why = NOT_TOLD if asked.check.id in wrong else _why(exercise, asked.check, reference)
            yield f"{asked.check.kind}: {why}"


def _why(exercise: Exercise, check: Check, reference: Reference) -> str:
    cases = reference.cases
    if not isinstance(check, BY_CASES) or not any(cases_of(inputs_of(check, cases), cases)):
        return NO_CALLS
    for trials, why in (
        (trials_of(exercise, cases), NO_FORM),
        (passed(exercise, reference), NOT_PASSED),
    ):
        if not any(trial.check.id == check.id for trial in trials):
            return why
    return RIGHT


def why_so_large(
    exercise: Exercise, verdicts: Sequence[Verdict], run: Run, reference: Reference
) -> Iterator[str]:
    """Of each small call with more than ``FEW`` numbers, the kind of its check, and why."""
    mine = [verdict for verdict in verdicts if verdict.exercise == exercise.id]
    outcomes = small_outcomes(exercise, mine, run, reference)
    for verdict in mine:
        if verdict.smallest is not None and numbers_in(verdict.smallest) > FEW:
            own = next(o for o in outcomes if o.wrong and o.trial.check.id == verdict.check)
            target = target_of(own.trial)
            near = [outcome for outcome in outcomes if target_of(outcome.trial) == target]
            yield f"{verdict.kind}: {_why_large(exercise, target, near, reference)}"


def _why_large(
    exercise: Exercise, target: str, asked: Sequence[CaseOutcome], reference: Reference
) -> str:
    """Why no smaller call of a function is shown. ``asked``: its small calls that were asked."""
    failed = {outcome.trial.check.id for outcome in asked}
    every = trials_of(exercise, reference.cases)
    made = [t for t in every if target_of(t) == target and t.check.id in failed]
    few = [trial for trial in made if _least(trial, reference) <= FEW]
    if not few:
        own = all(has_own_small_calls(trial.check, reference.cases) for trial in made)
        least = min(_least(trial, reference) for trial in made)
        return f"{WRITTEN if own else MADE} has {least} numbers"
    if not any(trial in few for trial in passed(exercise, reference)):
        return REFUSED
    answered = [outcome for outcome in asked if outcome.trial in few]
    if not answered:
        return NOT_ASKED
    return LARGER if any(outcome.wrong for outcome in answered) else RIGHT_BELOW


def _least(trial: CaseTrial, reference: Reference) -> int:
    """How many numbers a student would read of a small call whose result is as large as the right
    one; without an answer more than ``FEW``."""
    found = []
    for probe in trial.probes:
        record, call = reference.run.probe(probe.id), probe.request
        claim = None if record is None else record.claim
        if isinstance(call, Call) and claim is not None:
            results = claim.gradients if call.gradient else (claim.value,)
            shown = min(_count(written(result)) for result in results)
            found.append(_count(tables_of(call), call_code(call)) + 2 * shown)
    return min(found, default=FEW + 1)
