"""Whether a rewritten answer means the same: run on inputs that no check is asked with, both give
the same results. Nothing is judged here, so a check that is unfair hides no right answer.

Not covered: what cannot be compared (a trained table, a figure's look, what is drawn at random in
another order); such an answer is taken for what its rewrite promises.
"""

from __future__ import annotations

from autograder.checks.registry import probes
from autograder.diagnosis.alike import same_answer
from autograder.diagnosis.known import Evidence, decode
from autograder.sandbox.run import Run
from autograder.setting import Setting
from autograder.spec.kinds import NO_WRONG_ANSWER
from autograder.spec.model import Exercise

_NOT_COMPARED = NO_WRONG_ANSWER | {"speed", "training", "figure", "written"}


def same_meaning(setting: Setting, exercise: Exercise, original: Run, rewritten: Run) -> bool:
    """Whether every value and call of the exercise is answered alike, errors by their types."""
    ours, theirs = decode(rewritten, rewritten.probes), decode(original, original.probes)
    return all(
        _raises_alike(probe.id, ours, theirs) or same_answer(check, probe, ours, theirs)
        for check in exercise.check
        if check.kind not in _NOT_COMPARED
        for probe in probes(check, exercise.id, setting.cases)
        if theirs.claim(probe.id) is not None
    )


def _raises_alike(id_: str, ours: Evidence, theirs: Evidence) -> bool:
    """Whether both raise an exception of one type, in whatever words."""
    one, other = ours.claim(id_), theirs.claim(id_)
    if one is None or other is None or one.error is None or other.error is None:
        return False
    return one.error.types == other.error.types
