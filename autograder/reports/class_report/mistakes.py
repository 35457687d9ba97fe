"""The students of a class grouped by what explains their wrong results, each group with an
example."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from autograder.gradebook.grade import Grade
from autograder.gradebook.mistake_counts import (
    MistakeCount,
    is_unexplained,
    made_mistakes,
    named_edit,
)
from autograder.reports.class_report.excerpt import anonymous
from autograder.reports.class_report.numbers import Item, items
from autograder.reports.class_report.results import ClassResults
from autograder.similarity.model import HandInCode

SHOWN = 40
OF_EXERCISE = 3  # mistakes in its row of the table
HARDEST = 4


class MistakeSummary(msgspec.Struct, frozen=True):
    """A mistake: how many students certainly and how many perhaps made it, what they read about it,
    one student's code without names, and the address of one student's page ("" where there is
    none)."""

    exercise: str
    name: str
    title: str
    students: int
    perhaps: int
    diagnosis: str
    example: str
    page: str


def commonest(results: ClassResults, code: Mapping[str, HandInCode]) -> tuple[MistakeSummary, ...]:
    """The mistakes that most students made, the most common first."""
    names = results.names()
    return tuple(
        _summary(mistake, results, code, names)
        for mistake in made_mistakes(results.grades)[:SHOWN]
        if mistake.students
    )


class ExerciseSummary(msgspec.Struct, frozen=True):
    """An exercise over the class: its numbers and those of its checks, the mistakes that most
    students made, and how many have a wrong result that nothing explains."""

    item: Item
    checks: tuple[Item, ...]
    mistakes: tuple[MistakeCount, ...]
    unexplained: int


def by_exercise(grades: Sequence[Grade]) -> tuple[ExerciseSummary, ...]:
    """Every exercise, in the order of the assignment."""
    made = made_mistakes(grades)
    unknown = Counter(e.id for grade in grades for e in grade.exercises if is_unexplained(e))
    return tuple(
        ExerciseSummary(
            item,
            checks,
            tuple(one for one in made if one.exercise == item.exercise)[:OF_EXERCISE],
            unknown[item.exercise],
        )
        for item, checks in items(grades)
    )


def hardest(exercises: Sequence[ExerciseSummary]) -> list[tuple[int, Item]]:
    """The exercises in which the class lost the most points, with their numbers from 1."""
    lost = [(n, one.item) for n, one in enumerate(exercises, 1) if one.item.lost]
    return sorted(lost, key=lambda one: (-one[1].lost, one[0]))[:HARDEST]


def _summary(
    mistake: MistakeCount,
    results: ClassResults,
    code: Mapping[str, HandInCode],
    names: Collection[str],
) -> MistakeSummary:
    """The example is the shortest code; of equals the first by its text, so that the order of the
    class is not revealed."""
    diagnosed = dict(_made_by(results.grades, mistake))
    examples = [
        (_code(code[student], mistake.exercise, names), student)
        for student in diagnosed
        if student in code
    ]
    shown = sorted((example for example in examples if example[0]), key=_by_length)
    example, student = shown[0] if shown else ("", min(diagnosed))
    return MistakeSummary(
        mistake.exercise,
        mistake.name,
        mistake.title,
        mistake.students,
        mistake.perhaps,
        diagnosed[student],
        example,
        results.pages.get(student, ""),
    )


def _by_length(example: tuple[str, str]) -> tuple[int, tuple[str, str]]:
    return len(example[0]), example


def _made_by(grades: Sequence[Grade], mistake: MistakeCount) -> Iterator[tuple[str, str]]:
    """The students who certainly made it, each with what they read about it."""
    for grade in grades:
        for exercise in (e for e in grade.exercises if e.id == mistake.exercise):
            for check in exercise.checks:
                cause = check.cause
                if cause is None or cause.sure == "ambiguous":
                    continue
                if mistake.name in {found.name for found in cause.explanations()}:
                    yield grade.student, check.diagnosis
            edit = named_edit(exercise)
            if edit is not None and edit.name == mistake.name:
                yield grade.student, ""


def _code(code: HandInCode, exercise: str, names: Collection[str]) -> str:
    return anonymous("\n\n".join(one.source for one in code.of(exercise)), names)
