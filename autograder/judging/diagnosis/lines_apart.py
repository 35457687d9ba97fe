"""The lines that run in every small call of a check that goes wrong, and in no other.

What ran is a claim by code that the student controls: it is shown to this student, and nothing else
depends on it.
"""

from __future__ import annotations

from collections.abc import Iterable

from autograder.evidence.records import Run
from autograder.judging.diagnosis.case_trial import CaseOutcome, CaseTrial
from autograder.judging.verdict import RanLine

MOST = 24  # lines; more say nothing about where a fault is

Lines = frozenset[tuple[int, int]]


def lines_apart(outcomes: Iterable[CaseOutcome], run: Run) -> tuple[RanLine, ...]:
    """The lines by which the wrong ones of these calls differ from the right ones; none if all are
    wrong, or all right, or some of what ran is not known."""
    wrong, right = list[Lines](), list[Lines]()
    for outcome in outcomes:
        if outcome.known:
            (wrong if outcome.wrong else right).append(_ran(outcome.trial, run))
    # A right call that was not traced says nothing.
    if not wrong or not right or not all(right):
        return ()
    found = frozenset.intersection(*wrong).difference(*right)
    return tuple(RanLine(*place) for place in sorted(found)) if len(found) <= MOST else ()


def _ran(trial: CaseTrial, run: Run) -> Lines:
    """The lines that ran in the calls of a trial; none if those of one call are not known."""
    records = (run.probe(probe.id) for probe in trial.probes)
    every = [record.claim.lines if record and record.claim else () for record in records]
    return frozenset(line for lines in every for line in lines) if all(every) else frozenset()
