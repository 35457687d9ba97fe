"""Which known mistakes a class made, counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import msgspec

from autograder.gradebook.grade import Grade
from autograder.judging.verdict import Sure

Key = tuple[str, str]  # exercise and mistake


class MistakeCount(msgspec.Struct, frozen=True):
    """How many students made a known mistake, and how many more may have made it, because their
    results match other known mistakes as well."""

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
        named = dict(_mistakes(grade, "named"))
        possible = dict(_mistakes(grade, "ambiguous"))
        self._sure.update(named.keys())
        self._perhaps.update(possible.keys() - named.keys())
        self._titles.update({**possible, **named})

    def made(self) -> list[MistakeCount]:
        """The known mistakes that were made, the most common first."""
        sure, perhaps, titles = self._sure, self._perhaps, self._titles
        order = sorted(titles, key=lambda key: (-sure[key], -perhaps[key], key))
        return [MistakeCount(*key, titles[key], sure[key], perhaps[key]) for key in order]


def made_mistakes(grades: Iterable[Grade]) -> list[MistakeCount]:
    """The known mistakes that were made, the most common first; each counts once per student."""
    count = MadeCount()
    for grade in grades:
        count.add(grade)
    return count.made()


def _mistakes(grade: Grade, sure: Sure) -> Iterator[tuple[Key, str]]:
    for exercise in grade.exercises:
        for cause in (check.cause for check in exercise.checks):
            if cause is not None and cause.sure == sure:
                yield from (((exercise.id, one.name), one.title) for one in cause.made)
