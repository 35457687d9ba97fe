"""What an instructor should look at: grades that report blocked attempts, code that reaches out.

Covered: what the sandbox stopped or refused, according to the messages and notes of the grade;
lines of code that reach for the grader. Not covered: attempts that neither noticed. Nothing here
changes a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import msgspec

from autograder.gradebook.grade import Grade
from autograder.similarity.model import ReachingLine

MOST = 100  # flags on a page
LONGEST = 200  # characters of a quote

# text in a message -> what it means
SIGNS: Mapping[str, str] = MappingProxyType(
    {
        "it answered without being asked": "the code sent an answer without being asked for one",
        "it answered another question": "the code answered a different question from the one asked",
        "the process ended itself": "the code ended the process that was grading it",
        "the process was killed": "the process killed itself or ran out of memory",
        "cannot start programs or processes, or use the network": (
            "the code tried to start a program or to use the network"
        ),
    }
)


class Flag(msgspec.Struct, frozen=True):
    """Something to look at: whose it is, what and where it is, and its text."""

    student: str
    what: str
    where: str
    quote: str


def flags(grades: Sequence[Grade], reaches: Iterable[ReachingLine]) -> tuple[Flag, ...]:
    """All flags by student; a sign counts once per grade."""
    found = [one for grade in grades for one in _of_grade(grade)]
    found += [
        Flag(
            reach.student,
            f"a line {reach.what}",
            f"cell {reach.place.cell}, line {reach.place.first}",
            reach.line[:LONGEST],
        )
        for reach in reaches
    ]
    return tuple(sorted(found, key=lambda one: one.student))


def _of_grade(grade: Grade) -> Iterator[Flag]:
    said = [
        (f"{exercise.id}, {check.id}", check.message)
        for exercise in grade.exercises
        for check in exercise.checks
    ]
    said += [("the notebook", repair) for repair in grade.submission.repairs]
    for sign, meaning in SIGNS.items():
        for where, text in said:
            if (at := text.find(sign)) >= 0:
                quote = text[max(at - LONGEST // 4, 0) : at + LONGEST]
                yield Flag(grade.student, meaning, where, quote)
                break
