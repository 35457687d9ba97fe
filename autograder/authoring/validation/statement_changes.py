"""What public evidence states about exercises and their checks, compared in clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from autograder.gradebook.rounding import written
from autograder.reports.feedback.words import plural
from autograder.student.public_evidence import LaterChecks, PublicEvidence, PublicExercise


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
