"""The smallest call of a public check that goes wrong, asked of live names where the check fails.

The public evidence holds the small calls and the solution's answers to them; how they are made
small is not needed here. Covered: nothing is asked for a right answer. Not covered: small calls
that only the grading run asks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from autograder.assignment.model import Exercise
from autograder.judging.checks.finding import Relations
from autograder.judging.diagnosis.case_trial import (
    WRONG,
    CaseTrial,
    case_trial,
    outcomes_of,
    small_id,
)
from autograder.judging.diagnosis.smallest import smallest
from autograder.judging.verdict import SmallestCall, Verdict
from autograder.student.live import LiveAnswers, can_be_asked
from autograder.student.public_evidence import PublicEvidence
from autograder.student.verdicts import reference_of
from autograder.wire.messages import Probe


def small_trials(public: PublicEvidence, exercise: Exercise) -> tuple[CaseTrial, ...]:
    """The small trials of an exercise's public checks."""
    checks = {check.id: check for check in exercise.check}
    return tuple(
        case_trial(exercise, checks[small.check], small.rows, public.cases, small_id)
        for small in public.small
        if small.exercise == exercise.id and small.check in checks
    )


def with_smallest(
    public: PublicEvidence,
    relations: Relations,
    found: Sequence[Verdict],
    asked: LiveAnswers,
    ask: Callable[[tuple[Probe, ...]], LiveAnswers],
    *,
    simulated: bool = True,
) -> tuple[Verdict, ...]:
    """The verdicts, and for each wrong function the smallest call that goes wrong. ``ask`` answers
    the small calls of failed checks; ``simulated``: see ``verdicts.plan``."""
    failed = {(v.exercise, v.check) for v in found if v.status in WRONG}
    spec = public.spec([exercise for exercise, _ in failed])
    trials = {
        exercise.id: [
            trial
            for trial in small_trials(public, exercise)
            # Nothing small is asked of a right answer.
            if (exercise.id, trial.check.id) in failed
            and all(can_be_asked(probe, simulated=simulated) for probe in trial.probes)
        ]
        for exercise in (spec.exercise if spec is not None else ())
    }
    probes = {p.id: p for several in trials.values() for trial in several for p in trial.probes}
    # After an interrupt nothing more is asked.
    if not probes or asked.ended:
        return tuple(found)
    more = ask(tuple(probes.values())).run.probes
    run = msgspec.structs.replace(asked.run, probes=(*asked.run.probes, *more))
    reference = reference_of(public, relations)
    calls: dict[tuple[str, str], SmallestCall] = {}
    for exercise, several in trials.items():
        outcomes = outcomes_of(exercise, several, [t.check.id for t in several], run, reference)
        best = smallest(outcomes, run, reference)
        calls |= {(exercise, check): call for check, call in best.items()}
    return tuple(
        msgspec.structs.replace(v, smallest=calls.get((v.exercise, v.check))) for v in found
    )
