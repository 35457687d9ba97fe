"""Which attempts of each student count, and who submitted nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Literal

from autograder.gradebook.people import Roster
from autograder.interop.downloads.arrival import Arrival

Rule = Literal["last", "first", "best"]

_FIRST = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Attempts:
    """The attempts of one student that are to be graded, the earliest first.

    ``student`` also names files, so no two differ only in case. It is the arrivals' id unless that
    differs only in case from another student's.
    """

    student: str
    arrivals: tuple[Arrival, ...]


def chosen(arrivals: Iterable[Arrival], rule: Rule) -> tuple[Attempts, ...]:
    """The attempts that count: the last, the first, or all, of which the best will count.

    Attempts are in the order of time, then of their number, then of their place; one without a time
    comes before those with one. The attempts left out are named in a note on the one that is kept.
    """
    of_student: dict[str, list[Arrival]] = {}
    for arrival in arrivals:
        of_student.setdefault(arrival.student, []).append(arrival)
    names = _names(of_student)
    result = []
    for student, own in of_student.items():
        ordered = sorted(own, key=in_order)
        kept = {"last": ordered[-1:], "first": ordered[:1], "best": ordered}[rule]
        noted = (_noted(one, len(ordered), rule, names[student]) for one in kept)
        result.append(Attempts(names[student], tuple(noted)))
    return tuple(result)


def not_handed_in(roster: Roster, arrivals: Iterable[Arrival]) -> tuple[str, ...]:
    """The ids of all students in the roster who submitted nothing, in the roster's order."""
    there = {arrival.student for arrival in arrivals}
    return tuple(person.id for person in roster if person.id not in there)


def in_order(arrival: Arrival) -> tuple[datetime, int, str, str]:
    """The sort key for attempts of one student."""
    return (
        arrival.submitted_at or _FIRST,
        arrival.attempt,
        arrival.place,
        arrival.found.name,
    )


def _noted(arrival: Arrival, count: int, rule: Rule, name: str) -> Arrival:
    """The arrival with the sentences that its student should read about it."""
    found = arrival.found
    if count > 1 and rule != "best":
        note = f"{count} attempts were submitted; the {rule} one is graded."
        error = f"{found.error} {note}" if found.error else ""
        found = replace(found, notes=(*found.notes, note), error=error)
    if name != arrival.student:
        note = (
            f"{arrival.student!r} differs from another student's id only in upper and lower case; "
            f"listed as {name!r}."
        )
        found = replace(found, student=name, notes=(*found.notes, note))
    return replace(arrival, student=name, found=found)


def _names(students: Iterable[str]) -> dict[str, str]:
    """Each student's id, with a number added if it differs only in case from an earlier one."""
    ids = list(students)
    taken = {student.casefold() for student in ids}
    seen: set[str] = set()
    names = {}
    for student in ids:
        name, number = student, 2
        if student.casefold() in seen:
            while name.casefold() in taken:
                name, number = f"{student}-{number}", number + 1
            taken.add(name.casefold())
        seen.add(student.casefold())
        names[student] = name
    return names
