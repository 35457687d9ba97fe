"""Whether a known mistake is named correctly, from the hidden checks alone.

A mistake that only fails public checks is named from those. One that is wrong only in its cost is
not counted: a hint explains that.
"""

from __future__ import annotations

from collections.abc import Sequence

from autograder.assignment.kinds import TIMED
from autograder.judging.verdict import Cause, Status, Verdict

RIGHT, WRONG, AMBIGUOUS, NONE = "right", "wrong", "ambiguous", "none"
OUTCOMES = (RIGHT, WRONG, AMBIGUOUS, NONE)


def looked_at(verdicts: Sequence[Verdict]) -> Sequence[Verdict]:
    """The hidden verdicts if one of them is wrong in more than its cost, else all."""
    hidden = [v for v in verdicts if not v.public]
    return hidden if any(_wrong(v) for v in hidden) else verdicts


def by_cost_alone(verdicts: Sequence[Verdict]) -> bool:
    """Whether nothing is wrong but what a call cost."""
    wrong = [v for v in verdicts if v.status not in (Status.PASSED, Status.MANUAL)]
    return bool(wrong) and all(v.kind in TIMED for v in wrong)


def outcome(name: str, causes: Sequence[Cause]) -> str:
    """How feedback named the mistake ``name``: one of ``OUTCOMES``."""
    named = {m.name for c in causes if c.sure == "named" for m in c.mistakes}
    possible = {m.name for c in causes if c.sure == "ambiguous" for m in c.mistakes}
    # A known mistake told as another one.
    if named - {name} or (possible and name not in possible | named):
        return WRONG
    if name in named:
        return RIGHT
    return AMBIGUOUS if possible else NONE


def _wrong(verdict: Verdict) -> bool:
    return verdict.kind not in TIMED and verdict.status in (Status.FAILED, Status.RAISED)
