"""Whether stored public evidence agrees with what the solution answers now.

Answers recorded on one processor differ in their last digits from those of another, and after
training by more than that. They agree where the checks that compare them cannot see a difference.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import msgspec

from autograder.assignment.kinds import Check
from autograder.gradebook.rounding import written
from autograder.judging.checks.registry import every_probe
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.reports.feedback.words import plural
from autograder.student.public_evidence import LaterChecks, PublicEvidence, PublicExercise
from autograder.student.relations import relations_of
from autograder.student.small_trials import small_trials
from autograder.student.verdicts import expected, reference_of


def differences(stored: PublicEvidence, made: PublicEvidence) -> list[str]:
    """A clause for each thing that does not agree; none when all agrees.

    Everything but the solution's answers has to be equal. An answer agrees when every public
    check that asks for it passes within its own tolerance, the stored answers judged against the
    new ones and the new ones against the stored ones.
    """
    different = [*statement_changes(stored, made), *_changed_parts(stored, made)]
    if different:
        return different
    if _apart_from_answers(stored) != _apart_from_answers(made):
        return ["the settings have changed"]
    if set(stored.outcomes) != set(made.outcomes):
        return ["other calls are made"]
    changed = [id_ for id_ in made.outcomes if made.outcomes[id_] != stored.outcomes[id_]]
    apart = set(_told_apart(stored, made, changed)) if changed else set()
    return [f"the solution's answer to {id_} has changed" for id_ in changed if id_ in apart]


def _apart_from_answers(evidence: PublicEvidence) -> PublicEvidence:
    return msgspec.structs.replace(evidence, outcomes={}, relations="")


def _changed_parts(stored: PublicEvidence, made: PublicEvidence) -> Iterator[str]:
    if stored.assignment != made.assignment:
        yield f"it is of the assignment {stored.assignment!r}"
    for name in sorted({*stored.cases, *made.cases}):
        if stored.cases.get(name) != made.cases.get(name):
            yield f"the inputs {name!r} have changed"
    if stored.small != made.small:
        yield "the small calls have changed"
    if _tree(stored.relations) != _tree(made.relations):
        yield "the relations have changed"
    if stored.outline != made.outline or stored.version != made.version:
        yield "the template has changed"
    if stored.title != made.title:
        yield "the title has changed"


def _told_apart(
    stored: PublicEvidence, made: PublicEvidence, changed: Collection[str]
) -> Iterator[str]:
    """The ids of changed answers that some check distinguishes from the stored ones, or that no
    check compares."""
    spec = made.spec([exercise.id for exercise in made.exercises])
    passed = _passed(stored, made) & _passed(made, stored)
    sides = [
        (expected(a), reference_of(b, relations_of(b))) for a, b in ((stored, made), (made, stored))
    ]
    asked: set[str] = set()
    for exercise in spec.exercise if spec is not None else ():
        for check in exercise.check:
            ids = {p.id for p in every_probe(check, exercise.id, made.cases)} & set(changed)
            asked |= ids
            # Stored answers are judged by the checks.
            if _name(exercise.id, check) not in passed:
                yield from ids
        for trial in small_trials(made, exercise):
            ids = {probe.id for probe in trial.probes} & set(changed)
            asked |= ids
            found = {trial.look(exercise.id, *side).status for side in sides} if ids else set()
            # Stored answers to small calls are judged by their checks.
            if found - {Status.PASSED}:
                yield from ids
    # An answer that no check compares does not agree by itself.
    yield from set(changed) - asked


def _passed(actual: PublicEvidence, reference: PublicEvidence) -> set[str]:
    """The checks that answers pass when they are judged like a submission's."""
    spec = reference.spec([exercise.id for exercise in reference.exercises])
    if spec is None:
        return set()
    verdicts = judge(spec, expected(actual), reference_of(reference, relations_of(reference)))
    return {f"{v.exercise}/{v.check}" for v in verdicts if v.status is Status.PASSED}


def _name(exercise: str, check: Check) -> str:
    return f"{exercise}/{check.id}"


def _tree(source: str) -> str:
    return ast.dump(ast.parse(source))


def statement_changes(stored: PublicEvidence, made: PublicEvidence) -> Iterator[str]:
    """A clause for each thing that the ``stored`` evidence states and that is no longer so."""
    before = {exercise.id: exercise for exercise in stored.exercises}
    after = {exercise.id: exercise for exercise in made.exercises}
    yield from _listed("exercise", list(before), list(after))
    for name in (name for name in after if name in before):
        yield from (f"{name}: {clause}" for clause in _exercise(before[name], after[name]))
    limits = {*stored.limits.items()} ^ {*made.limits.items()}
    yield from (f"the limit {name} has changed" for name in sorted(dict(limits)))
    if stored.order != made.order:
        yield f"it states notebook.order = {stored.order!r}, it is {made.order!r}"


def _exercise(before: PublicExercise, after: PublicExercise) -> Iterator[str]:
    for key in ("title", "defines", "stretch"):
        if getattr(before, key) != getattr(after, key):
            yield f"{key} has changed"
    checks = [{str(check["id"]): check for check in own.checks} for own in (before, after)]
    yield from _listed("public check", *map(list, checks))
    for name in (name for name in checks[1] if name in checks[0]):
        if keys := _keys(checks[0][name], checks[1][name]):
            yield f"check {name!r}: {' and '.join(keys)} changed"
    yield from _later(before.later, after.later)


def _later(before: LaterChecks, after: LaterChecks) -> Iterator[str]:
    for what, count, points in (
        ("hidden check", "checks", "points"),
        ("written answer", "answers", "answer_points"),
    ):
        old, new = getattr(before, count), getattr(after, count)
        if old != new:
            yield f"it states {plural(old, what)}, there {'is' if new == 1 else 'are'} {new}"
        elif getattr(before, points) != getattr(after, points):
            earned = [written(getattr(later, points)) for later in (before, after)]
            yield f"it states {earned[0]} points for {plural(old, what)}, they earn {earned[1]}"


def _listed(what: str, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    """What is new, gone, or in another place."""
    yield from (f"{what} {name!r} is new" for name in after if name not in before)
    yield from (f"{what} {name!r} is gone" for name in before if name not in after)
    if set(before) == set(after) and list(before) != list(after):
        yield f"the {what}s are in another order"


def _keys(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """The keys whose values differ."""
    return sorted(key for key in {*before, *after} if before.get(key) != after.get(key))
