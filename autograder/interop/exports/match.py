"""Students matched to the rows of a downloaded sheet by the platform's keys.

A key counts only if exactly one row and one student have it. Rules are tried from the strongest to
the weakest; a weaker one never matches a row and a student that a stronger one distinguishes.

Covered: keys that several rows or several students share (nobody is matched by them), two students
with one name, Unicode forms, blanks around keys, a leading ``#``.
Not covered: keys that a spreadsheet has altered, such as lost leading zeros.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import Mention
from autograder.interop.exports.sheets import writable


@dataclass(frozen=True, slots=True)
class MatchRule:
    """One kind of key. ``cells``: the key in each row. ``own``: this platform's key in the roster,
    "" if there is none. ``others``: what the cell may contain for such a person."""

    name: str
    cells: Mapping[int, str]
    own: Callable[[Person], str]
    others: Callable[[Person], Iterable[str]] = lambda person: ()

    def keys(self, person: Person) -> set[str]:
        """What this person may have in that column: only the own key if it is known."""
        own = plain(self.own(person))
        # A platform's own key goes before the roster's id.
        return {own} if own else {key for text in self.others(person) if (key := plain(text))}

    def owners(self, people: Sequence[Person]) -> dict[str, list[Person]]:
        """Key -> people: those whose own key it is, else everybody who may have it."""
        own: dict[str, list[Person]] = {}
        others: dict[str, list[Person]] = {}
        for person in people:
            for key in self.keys(person):
                (own if self.own(person) else others).setdefault(key, []).append(person)
        return others | own

    def contradicts(self, row: int, person: Person) -> bool:
        """Whether this row and this person both have this key, but different ones."""
        cell, own = plain(self.cells.get(row, "")), plain(self.own(person))
        return bool(cell and own) and cell not in self.keys(person)


@dataclass(frozen=True, slots=True)
class Matches:
    """``rows``: student to row. ``shared``: why a student's key could not be used."""

    rows: Mapping[str, int]
    shared: Mapping[str, str]

    def mention(self, student: str, remedy: str) -> Mention:
        """A student without a row."""
        return Mention(student, self.shared.get(student) or f"no row for this student. {remedy}")


def own_key(name: str) -> Callable[[Person], str]:
    """A function that returns one of ``people.KEYS`` of a person; "" if there is none."""
    return lambda person: person.keys.get(name, "")


def plain(text: str) -> str:
    """A key in the form used for comparison: Unicode NFC, without surrounding blanks."""
    return unicodedata.normalize("NFC", writable(text)).strip()


def plain_name(text: str) -> str:
    """A name in the form used for comparison: like ``plain``, case-folded, with single blanks."""
    return " ".join(plain(text).casefold().split())


def people_of(standings: Sequence[Standing], roster: Roster) -> tuple[Person, ...]:
    """Everybody in the roster or in the standings, once, sorted by id."""
    known = {person.id: person for person in reversed(roster.people)}
    found = {s.student: known.get(s.student, Person(s.student)) for s in standings}
    return tuple(person for _, person in sorted((known | found).items()))


def match_rows(people: Sequence[Person], rules: Sequence[MatchRule]) -> Matches:
    """Match students to rows, by the strongest rule that does."""
    rows: dict[str, int] = {}
    taken: set[int] = set()
    shared: dict[str, str] = {}
    for place, rule in enumerate(rules):
        owners = rule.owners(people)
        places: dict[str, list[int]] = {}
        for row, cell in rule.cells.items():
            if plain(cell):
                places.setdefault(plain(cell), []).append(row)
        for key in sorted(owners.keys() & places.keys()):
            persons, where = owners[key], places[key]
            if len(persons) > 1 or len(where) > 1:
                reason = _reason(rule.name, key, len(persons), len(where))
                shared.update({person.id: reason for person in persons})
                continue
            person, row = persons[0], where[0]
            free = person.id not in rows and row not in taken
            # A weaker key does not join whom a stronger one parts.
            if free and not any(r.contradicts(row, person) for r in rules[:place]):
                rows[person.id] = row
                taken.add(row)
    return Matches(rows, shared)


def names_of(person: Person) -> tuple[str, ...]:
    """The spellings of a person's name that a platform may use, in the form used for comparison."""
    joined = f"{person.first_name} {person.last_name}"
    return tuple(plain_name(name) for name in (person.full_name, person.sortable_name, joined))


def _reason(name: str, key: str, persons: int, rows: int) -> str:
    where = f"{persons} students" if persons > 1 else f"{rows} rows"
    return f"{name} {key!r} is shared by {where}: correct the roster or fill in the cell by hand"
