"""Explains what no known mistake explains: the results are those of one mutant of the solution.

Stricter than for known mistakes, because nobody wrote the mutant down: the work must be equal to
it wherever it is wrong, and right wherever it is right, in every check of the same function. If
mutants with different explanations fit, none is given. Pure, like the rest of the diagnosis.

Covered: wrong answers that hardly agree by chance. Not covered: truth values, a few small numbers,
and exceptions alone, which many faults cause and behind which another fault can hide.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec
import numpy as np

from autograder.assignment.model import Assignment, Exercise
from autograder.evidence.records import Run
from autograder.judging.checks.arrays import numeric
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_outcomes import predicted, small_outcomes
from autograder.judging.diagnosis.decoded_run import Evidence
from autograder.judging.diagnosis.diagnose import decoded, evidence_of, has_parts, judged_checks
from autograder.judging.diagnosis.fits import MistakeFit, same_form, stand
from autograder.judging.diagnosis.judged_check import JudgedCheck
from autograder.judging.diagnosis.known import KnownMistake
from autograder.judging.diagnosis.likeness import same_answer
from autograder.judging.verdict import Cause, Status, Verdict
from autograder.wire.values import Array, Whole

LEAST, LARGE = 3, 1000  # different numbers or texts; a whole number that is enough by itself
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
    *,
    thorough: bool = False,
) -> tuple[Verdict, ...]:
    """Diagnosed verdicts, with an explanation for those that had none, where a mutant gives one."""
    open_ = {v.exercise for v in verdicts if _is_open(v)}
    told: dict[tuple[str, str], KnownMistake] = {}
    for exercise in (e for e in assignment.exercise if e.id in open_):
        bank = mutants.of(exercise.id)
        own = [v for v in verdicts if v.exercise == exercise.id]
        small = small_outcomes(exercise, own, run, reference, thorough=thorough) if bank else ()
        answers = decoded(run, [probe for outcome in small for probe in outcome.trial.probes])
        for every in _ways(exercise, verdicts, reference) if bank else ():
            ours, right = evidence_of(every, run), evidence_of(every, reference.run)
            raising = {other.check.id for other in every if _only_raises(other, ours, right)}
            for asked in every:
                at = exercise.id, asked.check.id
                if not _is_open(asked.verdict) or at in told:
                    continue
                near = _near(asked, every)
                if not _is_telling(asked, near, ours, right):
                    continue
                # Behind an exception another fault can hide.
                if any(other.check.id in raising for other in near):
                    continue
                fitting = [
                    mutant
                    for mutant in bank
                    if all(_agrees(other, ours, mutant) for other in near)
                    # A mutant must predict the small calls.
                    and all(predicted(mutant, o, small, answers, reference) for o in near)
                ]
                if len({mutant.said.tell for mutant in fitting}) == 1:
                    told[at] = fitting[0]
    return tuple(_with_mutant(v, told.get((v.exercise, v.check))) for v in verdicts)


def _is_open(verdict: Verdict) -> bool:
    """Whether no known mistake and no change of the right result explains it."""
    return verdict.cause is not None and verdict.cause.sure == "nothing"


def _ways(
    exercise: Exercise, verdicts: Sequence[Verdict], reference: Reference
) -> Iterator[list[JudgedCheck]]:
    """The checks with their plain calls, then those with stand-ins for earlier parts."""
    yield judged_checks(exercise, verdicts, reference, stood_in=False)
    if has_parts(exercise):
        yield judged_checks(exercise, verdicts, reference, stood_in=True)


def _near(asked: JudgedCheck, every: Sequence[JudgedCheck]) -> list[JudgedCheck]:
    """The checks of the same function or name, in which a mutant must agree."""
    return [
        other
        for other in every
        # A mutant must agree in every check of the function.
        if other.near(asked)
        and (asked.elsewhere or not other.elsewhere)
        and other.verdict.status not in _NOT_LOOKED_AT
    ]


def _agrees(asked: JudgedCheck, ours: Evidence, mutant: KnownMistake) -> bool:
    """Whether both are right, or wrong with results that are equal in their types as well."""
    fit, theirs = stand(asked, ours, mutant), mutant.evidence
    if fit is MistakeFit.EQUAL:
        # A result of another dtype is not the mutant's.
        return all(same_form(ours.claim(p.id), theirs.claim(p.id)) for p in asked.probes)
    return fit is MistakeFit.RIGHT


def _is_telling(
    asked: JudgedCheck, near: Sequence[JudgedCheck], ours: Evidence, right: Evidence
) -> bool:
    """Whether the wrong answers contain enough to tell one fault from another, and some belong to
    the check itself."""
    wrong = {
        (check.check.id, probe.id): ours.claim(probe.id)
        for check in near
        for probe in check.probes
        if not same_answer(check.check, probe, ours, right)
    }
    # Answers that are right explain no wrong check.
    if all(check != asked.check.id for check, _ in wrong):
        return False
    claims = {id_: claim for (_, id_), claim in wrong.items() if claim is not None}
    found = {part for claim in claims.values() for part in _data(claim.value)}
    return len(found) >= LEAST or any(isinstance(n, int) and abs(n) >= LARGE for n in found)


def _only_raises(asked: JudgedCheck, ours: Evidence, right: Evidence) -> bool:
    """Whether a check has wrong calls, and all of them raise."""
    wrong = [p.id for p in asked.probes if not same_answer(asked.check, p, ours, right)]
    claims = list(map(ours.claim, wrong))
    return bool(claims) and all(c is not None and c.status == "raised" for c in claims)


def _data(value: object) -> Iterator[object]:
    """The numbers and texts in a result; of an array the first few different ones."""
    if isinstance(value, Array):
        array = numeric(value)
        if array is not None and array.dtype != "bool":
            yield from np.unique(array.numbers)[:LEAST].tolist()
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        yield value
    elif isinstance(value, Whole):
        yield int(value.text)
    elif isinstance(value, msgspec.Struct):
        fields = (getattr(value, name) for name in value.__struct_fields__)
        yield from (part for field in fields if not isinstance(field, str) for part in _data(field))
    elif isinstance(value, tuple):
        yield from (part for item in value for part in _data(item))


def _with_mutant(verdict: Verdict, mutant: KnownMistake | None) -> Verdict:
    if mutant is None:
        return verdict
    cause = Cause("named", mutant=mutant.said.title)
    return msgspec.structs.replace(verdict, cause=cause, diagnosis=mutant.said.tell)
