"""Whether a rewritten answer means the same: on inputs that no check uses, both give the same
results, within the check's tolerance or the usual one. Nothing is judged here, so an unfair check
hides no right answer.

Not covered: what cannot be compared (a trained table, a figure's look); it only has to exist.
"""

from __future__ import annotations

from autograder.assignment.kinds import NO_WRONG_ANSWER, TIMED, Check
from autograder.assignment.model import Exercise
from autograder.evidence.records import Run
from autograder.grading.context import GradingContext
from autograder.judging.checks.registry import probes
from autograder.judging.diagnosis.decoded_run import Evidence, decode
from autograder.judging.diagnosis.likeness import same_answer
from autograder.wire.messages import Probe

_NOT_COMPARED = NO_WRONG_ANSWER | TIMED | {"training", "figure"}


def same_meaning(
    context: GradingContext, exercise: Exercise, original: Run, rewritten: Run
) -> bool:
    """Whether every value and call of the exercise is answered alike, errors by their types."""
    ours, theirs = decode(rewritten, rewritten.probes), decode(original, original.probes)
    return all(
        _alike(check, probe, ours, theirs)
        for check in exercise.check
        for probe in probes(check, exercise.id, context.cases)
    )


def _alike(check: Check, probe: Probe, ours: Evidence, theirs: Evidence) -> bool:
    one, other = ours.claim(probe.id), theirs.claim(probe.id)
    if one is None or other is None:
        return one is other
    if one.error is not None and other.error is not None:
        return one.error.types == other.error.types  # whatever the messages
    if check.kind in _NOT_COMPARED:
        return one.status == other.status
    usual = check.model_copy(update={"tolerance": None} if hasattr(check, "tolerance") else {})
    # A check's own tolerance does not decide what means the same.
    return any(same_answer(either, probe, ours, theirs) for either in (check, usual))
