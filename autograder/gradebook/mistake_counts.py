"""What explains the wrong results of a class: known mistakes, edits that make them right, and all
else, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from autograder.gradebook.grade import ExerciseGrade, Grade
from autograder.judging.verdict import Cause, Mistake

Key = tuple[str, str]  # exercise and mistake


class MistakeCount(msgspec.Struct, frozen=True):
    """How many students have results that a mistake explains, and how many more perhaps, because
    other known mistakes explain theirs as well."""

    exercise: str
    name: str
    title: str
    students: int
    perhaps: int


class MadeCount:
    """Counts grade by grade. A mistake counts once per student."""

    def __init__(self) -> None:
        self._sure, self._perhaps = Counter[Key](), Counter[Key]()
        self._titles: dict[Key, str] = {}

    def add(self, grade: Grade) -> None:
        """One more grade."""
        named = dict(_mistakes(grade, possible=False))
        possible = dict(_mistakes(grade, possible=True))
        self._sure.update(named.keys())
        self._perhaps.update(possible.keys() - named.keys())
        self._titles.update({**possible, **named})

    def made(self) -> list[MistakeCount]:
        """The mistakes that were made, the most common first."""
        sure, perhaps, titles = self._sure, self._perhaps, self._titles
        order = sorted(titles, key=lambda key: (-sure[key], -perhaps[key], key))
        return [MistakeCount(*key, titles[key], sure[key], perhaps[key]) for key in order]


def made_mistakes(grades: Iterable[Grade]) -> list[MistakeCount]:
    """The mistakes that were made, the most common first; each counts once per student."""
    count = MadeCount()
    for grade in grades:
        count.add(grade)
    return count.made()


def is_unexplained(exercise: ExerciseGrade) -> bool:
    """Whether something in it is wrong and nothing explains any of it."""
    return not _is_named(exercise) and exercise.repair is None and bool(_causes(exercise))


def named_edit(exercise: ExerciseGrade) -> Mistake | None:
    """The kind of the edit that makes it right, where nothing else explains what is wrong."""
    if exercise.repair is None or _is_named(exercise):
        return None
    words = f"one edit away from right: {exercise.repair.words}"
    return Mistake(words, words)


def _is_named(exercise: ExerciseGrade) -> bool:
    """Whether a mistake, or something in words, explains some of it."""
    return any(cause.explanations() for cause in _causes(exercise))


def _causes(exercise: ExerciseGrade) -> list[Cause]:
    return [check.cause for check in exercise.checks if check.cause is not None]


def _mistakes(grade: Grade, *, possible: bool) -> Iterator[tuple[Key, str]]:
    for exercise in grade.exercises:
        for cause in _causes(exercise):
            if (cause.sure == "ambiguous") is possible:
                for mistake in cause.explanations():
                    yield (exercise.id, mistake.name), mistake.title
        edit = None if possible else named_edit(exercise)
        if edit is not None:
            yield (exercise.id, edit.name), edit.title
