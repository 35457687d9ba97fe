"""Under which key a fresh file names each student, and who has none of his own."""

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
    """``people``: everybody whom the platform will know. ``unmatched``: the others."""

    people: Mapping[str, Person]
    unmatched: tuple[Mention, ...]


def known_people(
    standings: Sequence[Standing],
    roster: Roster,
    keys: Callable[[Person], Keys],
    *,
    missing: str,
) -> PlatformKeys:
    """Sort the students by whether ``keys`` finds a key, none of which two people may share.

    ``missing`` is what is said of a student without a key.
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
        # guard: a fresh file has no key of two students
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
    """A note about those of whom the roster has none of the platform's own keys."""
    count = sum(not any(map(person.keys.get, keys)) for person in known.people.values())
    if not count:
        return ()
    return (
        f"The roster has none of {', '.join(keys)} for {count} students: their ids stand in the "
        f"column {column}. Check that the platform knows them by these.",
    )
