"""Explains what no known mistake explains: the results are those of one mutant of the solution.

Stricter than for known mistakes, because nobody wrote the mutant down: the work must be equal to
it wherever it is wrong, and right wherever it is right, in every check of the same function. If
mutants with different explanations fit, none is given. Pure, like the rest of the diagnosis.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from autograder.assignment.model import Assignment, Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.diagnose import evidence_of, has_parts, judged_checks
from autograder.judging.diagnosis.fits import MistakeFit, stand
from autograder.judging.diagnosis.form import same_form
from autograder.judging.diagnosis.judged_check import JudgedCheck
from autograder.judging.diagnosis.known import Evidence, KnownMistake
from autograder.judging.verdict import Cause, Status, Verdict

NOTHING = Cause("nothing")
_NOT_LOOKED_AT = frozenset({Status.SKIPPED, Status.MANUAL})


class Mutants(Protocol):
    """The mutants of a solution, run when they are first needed. ``lost``: exercises whose mutants
    could not be run."""

    def of(self, exercise: str) -> Sequence[KnownMistake]: ...
    @property
    def lost(self) -> frozenset[str]: ...


class _NoMutants:
    """Explains nothing."""

    lost: frozenset[str] = frozenset()

    def of(self, exercise: str) -> Sequence[KnownMistake]:
        return ()


NO_MUTANTS = _NoMutants()


def explain_by_mutants(
    assignment: Assignment,
    verdicts: Sequence[Verdict],
    run: Run,
    reference: Reference,
    mutants: Mutants,
) -> tuple[Verdict, ...]:
    """Diagnosed verdicts, with an explanation for those that had none, where a mutant gives one."""
    open_ = {v.exercise for v in verdicts if v.cause == NOTHING}  # guard: mutants come last
    told: dict[tuple[str, str], KnownMistake] = {}
    for exercise in (e for e in assignment.exercise if e.id in open_):
        bank = mutants.of(exercise.id)
        for every in _ways(exercise, verdicts, reference) if bank else ():
            ours = evidence_of(every, run)
            for asked in every:
                at = exercise.id, asked.check.id
                if asked.verdict.cause == NOTHING and at not in told:
                    fitting = [m for m in bank if _fits(asked, every, ours, m)]
                    # guard: mutants with different explanations give none
                    if len({mutant.said.tell for mutant in fitting}) == 1:
                        told[at] = fitting[0]
    return tuple(_with_mutant(v, told.get((v.exercise, v.check))) for v in verdicts)


def _ways(
    exercise: Exercise, verdicts: Sequence[Verdict], reference: Reference
) -> Iterator[list[JudgedCheck]]:
    """The checks with their plain calls, then those with stand-ins for earlier parts."""
    yield judged_checks(exercise, verdicts, reference, stood_in=False)
    if has_parts(exercise):
        yield judged_checks(exercise, verdicts, reference, stood_in=True)


def _fits(
    asked: JudgedCheck, every: Sequence[JudgedCheck], ours: Evidence, mutant: KnownMistake
) -> bool:
    """Whether the work behaves like the mutant in all checks of the same function or name."""
    if stand(asked, ours, mutant) is not MistakeFit.EQUAL:
        return False
    return all(
        _agrees(other, ours, mutant)
        for other in every
        # guard: a mutant must agree in every check of the function
        if other.near(asked)
        and (asked.elsewhere or not other.elsewhere)
        and other.verdict.status not in _NOT_LOOKED_AT
    )


def _agrees(asked: JudgedCheck, ours: Evidence, mutant: KnownMistake) -> bool:
    """Whether both are right, or wrong with results that are equal in their types as well."""
    fit, theirs = stand(asked, ours, mutant), mutant.evidence
    if fit is MistakeFit.EQUAL:
        # guard: a result of another dtype is not the mutant's
        return all(same_form(ours.claim(p.id), theirs.claim(p.id)) for p in asked.probes)
    return fit is MistakeFit.RIGHT


def _with_mutant(verdict: Verdict, mutant: KnownMistake | None) -> Verdict:
    if mutant is None:
        return verdict
    cause = Cause("named", mutant=mutant.said.title)
    return msgspec.structs.replace(verdict, cause=cause, diagnosis=mutant.said.tell)
