"""The key under which a new file lists each student, and the students without one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.interop.exports.match import people_of
from autograder.interop.exports.model import Mention

Keys = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlatformKeys:
    """``people``: everybody whom the platform will recognize. ``unmatched``: the others."""

    people: Mapping[str, Person]
    unmatched: tuple[Mention, ...]


def known_people(
    standings: Sequence[Standing],
    roster: Roster,
    keys: Callable[[Person], Keys],
    *,
    missing: str,
) -> PlatformKeys:
    """Split the students into those with a unique key, according to ``keys``, and the others.

    ``missing`` is the reason given for a student without a key.
    """
    everybody = people_of(standings, roster)
    counts = Counter(
        (place, key) for person in everybody for place, key in enumerate(keys(person)) if key
    )
    listed = {standing.student for standing in standings}
    people: dict[str, Person] = {}
    unmatched: list[Mention] = []
    for person in everybody:
        if person.id not in listed:
            continue
        found = [(place, key) for place, key in enumerate(keys(person)) if key]
        # A fresh file has no key of two students.
        shared = [key for place, key in found if counts[place, key] > 1]
        if shared:
            reason = f"key {shared[0]!r} belongs to more than one student: correct the roster"
            unmatched.append(Mention(person.id, reason))
        elif not found:
            unmatched.append(Mention(person.id, missing))
        else:
            people[person.id] = person
    return PlatformKeys(people, tuple(unmatched))


def stand_ins(known: PlatformKeys, keys: Sequence[str], column: str) -> tuple[str, ...]:
    """A note about students without any of the platform's own keys, from a roster."""
    count = sum(not any(map(person.keys.get, keys)) for person in known.people.values())
    if not count:
        return ()
    names = " or ".join(filter(None, (", ".join(keys[:-1]), keys[-1])))
    whom = "1 student" if count == 1 else f"{count} students"
    return (
        f"No {names} is known for {whom}, so the column {column} contains their ids. "
        "Check that the platform recognizes these ids, or add a roster with its own: "
        "autograder gradebook roster",
    )
