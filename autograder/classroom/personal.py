"""Exercises with values of a student's own: each submission is run on its student's values, and
compared with the solution's run on the same values.

Covered: a student who was given no values, or others than are drawn now: these exercises are
ungraded. A wrong answer that is right for another student's values is reported to graders. Not
covered: an answer with few possible values, which is right for many; a neighbour's code, which is
right for everybody's values.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import NamedTuple

import msgspec

from autograder.assignment.kinds import Check
from autograder.assignment.load import OwnValues
from autograder.classroom.known_mistakes import mistakes_of, read_solution, run_mistake
from autograder.classroom.personal_values import (
    GIVE_OUT,
    CourseSecret,
    composed,
    digest_of,
    read_secret,
)
from autograder.classroom.regrade.basis import as_stored, digest
from autograder.classroom.regrade.judging import JudgingMemory
from autograder.errors import SandboxError, SpecError
from autograder.evidence.records import Run
from autograder.grading.context import GradingContext, Memory, PreparedClass
from autograder.grading.job import answered_in_time, make_job, with_probes
from autograder.judging.checks.registry import examine, probes
from autograder.judging.diagnosis.by_mutants import Mutants
from autograder.judging.diagnosis.known import KnownMistake, known_later
from autograder.judging.diagnosis.small_calls import tried_probes
from autograder.judging.judge import judge
from autograder.judging.verdict import Cause, Mistake, Status, Verdict
from autograder.notebook.template.variant import Variant
from autograder.wire.messages import Call

MOST_NAMED = 3  # students whose values an answer fits; with more it fits by chance
_FINE = (Status.PASSED, Status.MANUAL, Status.SKIPPED)


def with_personal(prepared: PreparedClass) -> PreparedClass:
    """The class, with what each student is compared with if exercises are personal. Raises
    ``UsageError`` if the course's secret is missing, ``StoreError``."""
    loaded = prepared.context.loaded
    if not loaded.spec.personal:
        return prepared
    return replace(prepared, personal=PersonalClass(prepared, read_secret(loaded)))


def run_on(
    prepared: PreparedClass, values: OwnValues, exercises: Collection[str]
) -> tuple[Run, str]:
    """The solution's run on a student's values: its answers in these exercises, and those of
    ``prepared`` in all others. Also the first message of a check in these exercises that it does
    not pass; empty if it passes all. Costs are not measured again. Raises ``SandboxError``,
    ``StoreError``."""
    context = replace(prepared.context, data=values)
    job, _ = make_job(context, read_solution(context.loaded))
    own = [
        e
        for e in context.loaded.spec.exercise
        if e.id in exercises and e.id not in context.unavailable
    ]
    ids = {exercise.id for exercise in own}
    asked = tuple(p for p in job.probes if p.exercise in ids and not _is_timed(p.request))
    short = msgspec.structs.replace(job, probes=asked, draw=False)
    small = [probe for exercise in own for probe in tried_probes(exercise, context.cases)]
    run = answered_in_time(context, with_probes(short, small)).run
    # also those without an answer
    new = {probe.id for probe in (*asked, *small)} | {probe.id for probe in run.probes}
    # No answer of the class's own values stands in for a missing one.
    kept = tuple(probe for probe in prepared.expected.probes if probe.id not in new)
    whole = msgspec.structs.replace(prepared.expected, probes=(*kept, *run.probes))
    spec = context.loaded.spec.model_copy(update={"exercise": tuple(own)})
    verdicts = judge(spec, whole, context.reference(whole))
    wrong = (v for v in verdicts if v.status not in _FINE)
    return whole, next((f"{v.exercise}/{v.check}: {v.message}" for v in wrong), "")


class OwnReference(NamedTuple):
    """A student's ``values``, and the solution's ``run`` on them; ``problem``: why nobody can be
    compared with it, if so."""

    values: OwnValues
    run: Run
    problem: str = ""


class PersonalClass:
    """The solution's runs on the values of each student of a class, stored or made when they are
    first needed; for many threads. ``prepared`` runs them. Raises ``SpecError``."""

    def __init__(self, prepared: PreparedClass, secret: CourseSecret) -> None:
        self._prepared, self._secret = prepared, secret
        self._spec = prepared.context.loaded.spec
        self._solution = read_solution(prepared.context.loaded)
        own = (m for m in mistakes_of(prepared.context) if m.exercise in self._spec.personal)
        self._own_mistakes = tuple(own)
        self._locks = {student: Lock() for student in secret.students(self._spec.id)}
        self._known: dict[str, OwnReference] = {}

    def of(self, prepared: PreparedClass, student: str) -> PreparedClass:
        """What this student's submission is compared with. Raises ``SandboxError``,
        ``StoreError``."""
        own, personal = self._reference(composed(student)), self._spec.personal
        if own.problem:  # nobody is compared with what others were given
            context = replace(prepared.context, memory=_forgetting(prepared.context))
            return replace(
                prepared, context=context, settle=partial(_ungraded, own.problem, personal)
            )
        known = self._mistakes(own)
        memory = _apart(prepared.context, own, personal, known)
        bank = [*(k for k in prepared.bank if k.exercise not in personal), *known]
        return replace(
            prepared,
            context=replace(prepared.context, data=own.values, memory=memory),
            expected=own.run,
            bank=tuple(bank),
            mutants=_Elsewhere(prepared.mutants, personal),
            settle=partial(self._settled, composed(student)),
        )

    def _reference(self, student: str) -> OwnReference:
        given = self._secret.digest(self._spec.id, student)
        if not given:  # nobody has values that were never given out
            return self._nothing(
                f"No values were given out for {student!r}. Grade with the roster, so that each "
                f"student has the id in it; or run `{GIVE_OUT.format(id=self._spec.id)}`."
            )
        with self._locks[student]:
            if student not in self._known:
                self._known[student] = self._made(student, given)
            return self._known[student]

    def _made(self, student: str, given: str) -> OwnReference:
        try:
            values = self._secret.values(self._prepared.context.loaded, student)
        except SpecError as bad:
            return self._nothing(f"The values of {student!r} cannot be made: {bad}")
        if digest_of(values) != given:
            return self._nothing(
                f"The values of {student!r} are now other ones than were given out: the secret, "
                "inputs.py or NumPy has changed. Restore it, or give out new files."
            )
        run, problem = run_on(self._prepared, values, self._spec.personal)
        if problem:
            problem = f"The solution does not pass with the values of {student!r}: {problem}"
        return OwnReference(values, run, problem)

    def _nothing(self, problem: str) -> OwnReference:
        return OwnReference((), self._prepared.expected, problem)

    def _mistakes(self, own: OwnReference) -> tuple[KnownMistake, ...]:
        """The known mistakes of personal exercises, run on a student's values when an answer is
        first compared with them."""
        context = replace(self._prepared.context, data=own.values)
        prepared = replace(self._prepared, context=context, expected=own.run)

        def run(variant: Variant) -> Run:
            return run_mistake(prepared, self._solution, variant).run

        exercises = {exercise.id: exercise for exercise in self._spec.exercise}
        return tuple(
            known_later(exercises[m.exercise], m, partial(run, m), prepared.reference)
            for m in self._own_mistakes
        )

    def _settled(
        self, student: str, verdicts: tuple[Verdict, ...], run: Run
    ) -> tuple[Verdict, ...]:
        """The verdicts, with the students for whose values a wrong answer would be right."""
        checks = {(e.id, c.id): c for e in self._spec.exercise for c in e.check if e.personal}
        return tuple(
            self._compared(v, checks[v.exercise, v.check], student, run)
            if v.status is Status.FAILED and (v.exercise, v.check) in checks
            else v
            for v in verdicts
        )

    def _compared(self, verdict: Verdict, check: Check, student: str, run: Run) -> Verdict:
        context, fits = self._prepared.context, list[str]()
        asked = probes(check, verdict.exercise, context.cases)
        if check.one_choice or all(isinstance(p.request, Call) for p in asked):
            return verdict  # has few answers, or none of the student's own
        for other in self._locks:
            if other == student:
                continue
            with suppress(SandboxError):
                own = self._reference(other)
                found = examine(check, verdict.exercise, run, context.reference(own.run))
                if not own.problem and found.status is Status.PASSED:
                    fits.append(other)
            if len(fits) > MOST_NAMED:  # an answer that fits many is nobody's
                return verdict
        if not fits:
            return verdict
        others = (Mistake(f"values of {o}", f"equal to what {o}'s values give") for o in fits)
        cause = Cause("named" if len(fits) == 1 else "ambiguous", tuple(others))
        return msgspec.structs.replace(verdict, cause=cause, diagnosis="")


class _Elsewhere:
    """The mutants of the exercises that are the same for everybody."""

    def __init__(self, mutants: Mutants, personal: Collection[str]) -> None:
        self._mutants, self._personal = mutants, personal

    @property
    def lost(self) -> frozenset[str]:
        return self._mutants.lost

    def of(self, exercise: str) -> Sequence[KnownMistake]:
        return () if exercise in self._personal else self._mutants.of(exercise)


def _is_timed(request: object) -> bool:
    return isinstance(request, Call) and request.discard


def _ungraded(
    problem: str, personal: Collection[str], verdicts: tuple[Verdict, ...], run: Run
) -> tuple[Verdict, ...]:
    """The verdicts, with those of personal exercises ungraded for this reason."""
    left = {"status": Status.UNGRADED, "earned": 0, "message": problem, "mismatches": ()}
    left |= {"diagnosis": "", "picture": None, "cause": None, "smallest": None, "repair": None}
    return tuple(
        msgspec.structs.replace(v, **left)
        if v.exercise in personal and v.status is not Status.MANUAL
        else v
        for v in verdicts
    )


def _forgetting(context: GradingContext) -> Memory | None:
    """The context's memory, without a memory of the whole grade."""
    memory = context.memory
    return replace(memory, whole=False) if isinstance(memory, JudgingMemory) else memory


def _apart(
    context: GradingContext,
    own: OwnReference,
    personal: Collection[str],
    known: Sequence[KnownMistake],
) -> Memory | None:
    """The context's memory, in which findings of personal exercises belong to these values and
    grades are not remembered as a whole."""
    memory = context.memory
    if not isinstance(memory, JudgingMemory):
        return memory
    salted = partial(_salted, personal, digest(own.values, as_stored(own.run)))
    basis = replace(
        memory.basis,
        checks={
            name: salted(name.partition("/")[0], of) for name, of in memory.basis.checks.items()
        },
        exercises={name: salted(name, of) for name, of in memory.basis.exercises.items()},
    )
    return replace(
        memory,
        basis=basis,
        mistakes=_either(memory.mistakes, personal, known),
        mutants=_Elsewhere(memory.mutants, personal),
        whole=False,  # a grade on personal values is judged again
    )


def _salted(personal: Collection[str], salt: bytes, exercise: str, of: bytes) -> bytes:
    return digest(of, salt) if exercise in personal else of


def _either(
    others: Callable[[str], Sequence[KnownMistake]] | None,
    personal: Collection[str],
    known: Sequence[KnownMistake],
) -> Callable[[str], Sequence[KnownMistake]] | None:
    """The known mistakes of an exercise; None: those of the pipeline."""
    if others is None:
        return None

    def of(exercise: str) -> Sequence[KnownMistake]:
        return (
            tuple(k for k in known if k.exercise == exercise)
            if exercise in personal
            else others(exercise)
        )

    return of
