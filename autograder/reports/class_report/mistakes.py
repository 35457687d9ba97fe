"""The most common mistakes of a class, by exercise and each with an anonymous example."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from autograder.gradebook.grade import Grade
from autograder.gradebook.mistake_counts import MistakeCount, made_mistakes
from autograder.reports.class_report.excerpt import anonymous
from autograder.reports.class_report.numbers import Item, items
from autograder.similarity.model import HandInCode

SHOWN = 12
OF_EXERCISE = 3  # mistakes in its row of the table
HARDEST = 4


class MistakeSummary(msgspec.Struct, frozen=True):
    """A known mistake: how many students certainly and how many perhaps made it, what they read
    about it, and one student's code ("" where none can be shown)."""

    exercise: str
    name: str
    title: str
    students: int
    perhaps: int
    diagnosis: str
    example: str


def commonest(
    grades: Sequence[Grade], code: Mapping[str, HandInCode], names: Collection[str]
) -> tuple[MistakeSummary, ...]:
    """The mistakes that most students made, the most common first."""
    return tuple(
        MistakeSummary(
            mistake.exercise,
            mistake.name,
            mistake.title,
            mistake.students,
            mistake.perhaps,
            *_shown(grades, mistake.exercise, mistake.name, code, names),
        )
        for mistake in made_mistakes(grades)[:SHOWN]
        if mistake.students
    )


class ExerciseSummary(msgspec.Struct, frozen=True):
    """An exercise over the class: its numbers and those of its checks, the mistakes that most
    students made, and how many have a wrong result that no known mistake explains."""

    item: Item
    checks: tuple[Item, ...]
    mistakes: tuple[MistakeCount, ...]
    unexplained: int


def by_exercise(grades: Sequence[Grade]) -> tuple[ExerciseSummary, ...]:
    """Every exercise, in the order of the assignment."""
    made, unknown = made_mistakes(grades), _unexplained(grades)
    return tuple(
        ExerciseSummary(
            item,
            checks,
            tuple(one for one in made if one.exercise == item.exercise)[:OF_EXERCISE],
            unknown.get(item.exercise, 0),
        )
        for item, checks in items(grades)
    )


def hardest(exercises: Sequence[ExerciseSummary]) -> list[tuple[int, Item]]:
    """The exercises in which the class lost the most points, with their numbers from 1."""
    lost = [(n, one.item) for n, one in enumerate(exercises, 1) if one.item.lost]
    return sorted(lost, key=lambda one: (-one[1].lost, one[0]))[:HARDEST]


def _unexplained(grades: Sequence[Grade]) -> Mapping[str, int]:
    """By exercise, how many students have a wrong result that no known mistake explains."""
    found: dict[str, int] = {}
    for exercise in (one for grade in grades for one in grade.exercises):
        causes = {check.cause.sure for check in exercise.checks if check.cause is not None}
        if causes == {"nothing"}:
            found[exercise.id] = found.get(exercise.id, 0) + 1
    return found


def _shown(
    grades: Sequence[Grade],
    exercise: str,
    name: str,
    code: Mapping[str, HandInCode],
    names: Collection[str],
) -> tuple[str, str]:
    """What students read, and the shortest code with this mistake; of equals the first by its
    text, so that the order of the class is not revealed."""
    diagnosis, examples = "", []
    for grade in grades:
        for found in (one for one in grade.exercises if one.id == exercise):
            for check in found.checks:
                cause = check.cause
                if cause is None or cause.sure != "named":
                    continue
                if name in {mistake.name for mistake in cause.made}:
                    diagnosis = diagnosis or check.diagnosis
                    if grade.student in code:
                        examples.append(_code(code[grade.student], exercise, names))
    shown = sorted({one for one in examples if one}, key=lambda one: (len(one), one))
    return diagnosis, shown[0] if shown else ""


def _code(code: HandInCode, exercise: str, names: Collection[str]) -> str:
    return anonymous("\n\n".join(one.source for one in code.of(exercise)), names)
