"""Values of a student's own, tried with a few drawn students: the solution passes with each, its
answers differ, and no other exercise depends on them."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.classroom.personal import run_on
from autograder.classroom.personal_values import FORMAT, CourseSecret
from autograder.errors import SandboxError, SpecError
from autograder.evidence.records import Run
from autograder.grading.context import PreparedClass
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.reports.validation.model import Problem

STUDENTS = tuple(f"drawn-{number}" for number in range(1, 5))
_WRONG = (Status.FAILED, Status.RAISED)


class DrawnStudent(NamedTuple):
    """The solution's run on the values of a student that does not exist, and why it is no use."""

    run: Run
    problem: str = ""


def personal_problems(prepared: PreparedClass, trials: TrialEngine) -> Iterator[Problem]:
    """What is wrong with an assignment's personal values. Raises ``StoreError``."""
    loaded = prepared.context.loaded
    if not loaded.spec.personal:
        return
    key = hashlib.sha256(f"validate {prepared.context.seed}".encode()).hexdigest()
    secret = CourseSecret(FORMAT, key)
    every = {exercise.id for exercise in loaded.spec.exercise}

    def work(student: str) -> DrawnStudent:
        try:
            values = secret.values(loaded, student)
            return DrawnStudent(*run_on(prepared, values, every))
        except (SpecError, SandboxError) as bad:
            return DrawnStudent(prepared.expected, str(bad))

    drawn = trials.in_order("Trying other students' values", STUDENTS, work)
    for problem in dict.fromkeys(one.problem for one in drawn if one.problem):
        yield Problem("personal", f"with the values of a drawn student, {problem}")
    runs = [one.run for one in drawn if not one.problem]
    for exercise in loaded.spec.exercise:
        if exercise.id in prepared.context.unavailable:
            continue
        if exercise.personal:
            yield from _alike(prepared, exercise.id, runs)
        # What depends on personal values says so.
        elif any(_wrong(prepared, exercise.id, run, prepared.expected) for run in runs):
            yield Problem(
                "personal",
                f"the solution's answers in {exercise.id} depend on a student's own values: give "
                "it personal = ... too, with the same generator",
            )


def _alike(prepared: PreparedClass, exercise: str, runs: Sequence[Run]) -> Iterator[Problem]:
    pairs = list(itertools.combinations(runs, 2))
    alike = sum(not _wrong(prepared, exercise, one, other) for one, other in pairs)
    if alike:
        yield Problem(
            "personal",
            f"the right answers in {exercise} are the same for {alike} of {len(pairs)} pairs of "
            "drawn students: make values that differ more, or remove personal",
        )


def _wrong(prepared: PreparedClass, exercise: str, run: Run, expected: Run) -> Collection[str]:
    """The checks of an exercise that a run does not pass if another one is right."""
    context = prepared.context
    own = tuple(e for e in context.loaded.spec.exercise if e.id == exercise)
    spec = context.loaded.spec.model_copy(update={"exercise": own})
    found = judge(spec, run, context.reference(expected))
    return [verdict.check for verdict in found if verdict.status in _WRONG]
