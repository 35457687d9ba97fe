"""Small calls that a right answer fails: they ask for what the assignment's text does not."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.grading.context import PreparedClass
from autograder.judging.diagnosis.case_trial import CaseOutcome
from autograder.judging.diagnosis.small_calls import accepted, small_probes
from autograder.judging.diagnosis.smallest import smallest
from autograder.wire.messages import Probe


def small_questions(prepared: PreparedClass, exercise: str) -> list[Probe]:
    """All questions about small calls of an exercise; of every exercise if it is empty."""
    every = _exercises(prepared, exercise)
    return [probe for one in every for probe in small_probes(one, prepared.reference)]


def failed_small_calls(
    prepared: PreparedClass, exercise: str, run: Run
) -> Iterator[tuple[str, str]]:
    """The checks that find a fault in a small call, each with the smallest of these calls."""
    for one in _exercises(prepared, exercise):
        seen: set[str] = set()
        for trial in accepted(one, prepared.reference):
            outcome = CaseOutcome(trial, trial.look(one.id, run, prepared.reference))
            if outcome.wrong and trial.check.id not in seen:
                seen.add(trial.check.id)
                call = smallest([outcome], run, prepared.reference).get(trial.check.id)
                text = outcome.finding.message
                if call is not None:
                    text = f"`{call.call}` should give {call.expected}, not {call.actual}"
                yield f"{one.id}/{trial.check.id}", text


def _exercises(prepared: PreparedClass, exercise: str) -> list[Exercise]:
    context = prepared.context
    return [
        one
        for one in context.loaded.spec.exercise
        if one.id not in context.unavailable and exercise in ("", one.id)
    ]
