"""Differences between two gradings of the same submissions. Pure functions.

Covered: statuses, points, messages, diagnoses, the submission itself. Not covered: what changes
from run to run or with the machine, such as times, versions and the level of isolation.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from autograder.gradebook.grade import CheckGrade, Grade, as_points

NOT_THERE = "not there"
_AMOUNTS = frozenset({"score", "max_score", "bonus", "bonus_max", "manual_max"})
_WHOLE = ("assignment", "submission", "status", "reason", *sorted(_AMOUNTS))
_OF_CHECK = tuple(f for f in CheckGrade.__struct_fields__ if f not in ("id", "picture"))


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference. ``place``: exercise/check, "" for the grade as a whole."""

    student: str
    place: str
    what: str
    before: str
    after: str


def differences(before: Mapping[str, Grade], after: Mapping[str, Grade]) -> Iterator[Difference]:
    """All differences between two classes, given as grades by student, in order of students."""
    for student in sorted({*before, *after}):
        one, other = before.get(student), after.get(student)
        if one is None or other is None:
            yield Difference(student, "", "result", _there(one), _there(other))
        else:
            yield from _of_grades(one, other)


def _of_grades(before: Grade, after: Grade) -> Iterator[Difference]:
    yield from _of_fields(before.student, "", _WHOLE, before, after)
    one, other = _checks(before), _checks(after)
    for place in dict.fromkeys([*one, *other]):
        if place in one and place in other:
            yield from _of_fields(before.student, place, _OF_CHECK, one[place], other[place])
        else:
            found = one.get(place), other.get(place)
            yield Difference(before.student, place, "check", *map(_there, found))


def _of_fields(
    student: str, place: str, names: tuple[str, ...], before: object, after: object
) -> Iterator[Difference]:
    for name in names:
        one, other = getattr(before, name), getattr(after, name)
        if one != other:
            yield Difference(student, place, name, _text(name, one), _text(name, other))


def _checks(grade: Grade) -> dict[str, CheckGrade]:
    return {f"{e.id}/{check.id}": check for e in grade.exercises for check in e.checks}


def _there(found: object) -> str:
    return NOT_THERE if found is None else "there"


def _text(name: str, value: Any) -> str:
    if name in _AMOUNTS and value is not None:
        return f"{as_points(value)}"
    plain = msgspec.to_builtins(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
