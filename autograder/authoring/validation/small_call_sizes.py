"""How large the smallest call is that a wrong answer is shown, and why there is none."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from autograder.assignment.kinds import Check
from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_outcomes import small_outcomes
from autograder.judging.diagnosis.case_trial import BY_CASES, cases_of, inputs_of
from autograder.judging.diagnosis.diagnose import judged_checks
from autograder.judging.diagnosis.small_calls import passed, trials_of
from autograder.judging.verdict import SmallestCall, Verdict

_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[+-]?\d+)?")
NO_CALLS, NO_FORM = "it makes no calls of its own", "its inputs have no small form"
NOT_PASSED = "the solution itself does not pass small calls"
RIGHT, NOT_TOLD = "every small call is right", "no small call has another result"


def numbers_in(call: SmallestCall) -> int:
    """How many numbers a student reads: in the call, in what is expected, and in what it gave."""
    return sum(len(_NUMBER.findall(text)) for text in (call.call, call.expected, call.actual))


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
