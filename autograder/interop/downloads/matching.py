"""Matches the people named in a download with the roster.

The order: the platform's own key; then id, login and email; then the name, if exactly one person
has it. A name that is a group's and no person's means the group's members.

Covered: keys, ids and names that several people share identify nobody; a name that two different
people of the download would share identifies neither; an id of another kind that happens to equal
somebody's id is not taken for it; unknown people keep the download's own id, made different from
every id in the roster. Every uncertain match gets a note.
Not covered: two students with the same key in the download.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeVar

from autograder.gradebook.people import KEYS, Person, Roster
from autograder.interop.downloads.delivery import Identity
from autograder.interop.downloads.names import RosterNames, index_names, squashed
from autograder.notebook.students import student_id

K = TypeVar("K")
_LOGINS = ("username", "sis_login_id", "sis_user_id", "org_defined_id", "gradescope_sid")
How = Literal["key", "word", "name", "group", "nobody"]


@dataclass(frozen=True, slots=True)
class Match:
    """The students meant: one, or a group's members. ``note`` is a sentence, or empty."""

    students: tuple[str, ...]
    how: How
    note: str = ""


@dataclass(frozen=True, slots=True)
class Index:
    """A roster indexed by everything that may identify somebody in it; places count from 0."""

    people: tuple[Person, ...]
    keys: Mapping[tuple[str, str], frozenset[int]]
    words: tuple[Mapping[str, frozenset[int]], ...]  # each only if the ones before find nothing
    names: RosterNames
    groups: Mapping[str, frozenset[int]]

    def by_key(self, key: tuple[str, str]) -> frozenset[int]:
        exact = self.keys.get(key, frozenset())
        return exact or self.keys.get((key[0], key[1].casefold()), frozenset())

    def by_word(self, word: str) -> frozenset[int]:
        for known in self.words:
            if hits := known.get(word) or known.get(word.casefold()):
                return hits
        return frozenset()


def index_roster(roster: Roster) -> Index:
    """Index a roster by everything by which a download may identify people."""
    people = roster.people
    keys: dict[tuple[str, str], set[int]] = {}
    ids: dict[str, set[int]] = {}
    alike: dict[str, set[int]] = {}
    logins: dict[str, set[int]] = {}
    groups: dict[str, set[int]] = {}
    for place, person in enumerate(people):
        ids.setdefault(student_id(person.id), set()).add(place)
        alike.setdefault(person.id.casefold(), set()).add(place)
        for name in KEYS:
            if value := person.keys.get(name, ""):
                for form in {value, value.casefold()}:
                    keys.setdefault((name, form), set()).add(place)
        for value in (*(person.keys.get(name, "") for name in _LOGINS), person.email):
            if value:
                logins.setdefault(value.casefold(), set()).add(place)
        for group in person.section.replace(";", ",").split(","):
            if form := squashed(group):
                groups.setdefault(form, set()).add(place)
    words = (_frozen(ids), _frozen(alike), _frozen(logins))
    return Index(people, _frozen(keys), words, index_names(people), _frozen(groups))


def match_all(identities: Iterable[Identity], roster: Roster) -> dict[Identity, Match]:
    """Match every identity to the students that it means, in the order given."""
    index = index_roster(roster)
    distinct = tuple(dict.fromkeys(identities))
    found = {identity: _look_up(identity, index) for identity in distinct}
    found = _without_shared_names(found)
    return _with_own_ids(found, roster)


def _look_up(identity: Identity, index: Index) -> Match:
    """The match of one identity by itself; no students if nobody is found."""
    if not index.people:
        return Match((), "nobody")
    if members := _group(identity.name, identity, index):
        return Match(members, "group")
    doubts: list[str] = []
    for key in identity.keys:
        hits = index.by_key(key)
        if len(hits) == 1:
            return _told(identity, index, hits, "key")
        if hits:
            doubts.append(f"several people in the roster have the {key[0]} {key[1]!r}")
    for word in identity.texts:
        hits = frozenset(p for p in index.by_word(word) if _may_be(index.people[p], identity))
        if len(hits) == 1:
            return _told(identity, index, hits, "word")
        if hits:
            doubts.append(f"{word!r} matches more than one person in the roster")
    if members := _group(identity.team, identity, index):
        return Match(members, "group")
    hits = index.names.find(identity.name, lossy=identity.lossy) if identity.name else frozenset()
    hits = frozenset(place for place in hits if _may_be(index.people[place], identity))
    if len(hits) == 1:
        return Match((index.people[min(hits)].id,), "name")
    if hits:
        doubts.append(f"{len(hits)} people in the roster may have the name {identity.name!r}")
    return Match((), "nobody", "; ".join(doubts) or _hint(identity, index))


def _told(identity: Identity, index: Index, hits: frozenset[int], how: How) -> Match:
    """A match, with a note if other words of the download mean another person."""
    others = {
        index.people[min(other)].id
        for word in identity.texts
        if len(other := index.by_word(word)) == 1 and "@" in word and other != hits
    }
    student = index.people[min(hits)].id
    note = f"its email is that of {', '.join(sorted(others))}" if others else ""
    return Match((student,), how, note)


def _group(name: str, identity: Identity, index: Index) -> tuple[str, ...]:
    """The group's members if the name is a group's and nobody's own."""
    members = index.groups.get(squashed(name), frozenset()) if name else frozenset()
    if not members or index.names.find(name, lossy=identity.lossy):
        return ()
    return tuple(index.people[place].id for place in sorted(members))


def _may_be(person: Person, identity: Identity) -> bool:
    """Whether the roster does not know this person under another key of the same platform."""
    return all(person.keys.get(name, "") in ("", value) for name, value in identity.keys[:1])


def _hint(identity: Identity, index: Index) -> str:
    """What may have gone wrong if only leading zeros differ."""
    for word in identity.texts:
        bare = word.lstrip("0")
        near = [p.id for p in index.people if bare and p.id.lstrip("0") == bare]
        if near:
            return f"the roster has {near[0]!r}; did a spreadsheet drop the leading zeros?"
    return ""


def _without_shared_names(found: Mapping[Identity, Match]) -> dict[Identity, Match]:
    """Drop matches by name if different people of the download claim the same person."""
    claims: dict[str, set[str]] = {}
    for identity, match in found.items():
        for student in match.students if match.how != "group" else ():
            claims.setdefault(student, set()).add(identity.own)
    return {
        identity: Match((), "nobody", f"several people have the name {identity.name!r}")
        if match.how == "name" and len(claims[match.students[0]]) > 1
        else match
        for identity, match in found.items()
    }


def _with_own_ids(found: Mapping[Identity, Match], roster: Roster) -> dict[Identity, Match]:
    """Give unknown people ids of their own, different from everybody else's."""
    known = {person.id.casefold() for person in roster}
    taken = Counter(known)
    ids: dict[tuple[str, ...], str] = {}
    result = {}
    for identity, match in found.items():
        if match.how != "nobody":
            result[identity] = Match(match.students, match.how, _sentence(identity, match))
            continue
        apart = identity.place if match.note and identity.place else identity.apart
        mark = (identity.own, apart)
        if mark not in ids:
            ids[mark] = _free(student_id(identity.own), taken)
            taken[ids[mark].casefold()] += 1
        kept = Match((ids[mark],), "nobody", match.note)
        note = _sentence(identity, kept) if known else ""
        result[identity] = Match(kept.students, "nobody", note)
    return result


def _free(wanted: str, taken: Mapping[str, int]) -> str:
    """``wanted``, if necessary with the first number that makes it unique."""
    choice, number = wanted, 2
    while taken.get(choice.casefold()):
        choice, number = f"{wanted}-{number}", number + 1
    return choice


def _sentence(identity: Identity, match: Match) -> str:
    shown = (
        identity.own
        if identity.name in ("", identity.own)
        else (f"{identity.own} ({identity.name})")
    )
    if match.how == "nobody":
        why = f": {match.note}" if match.note else ""
        return f"{shown} is not in the roster{why}; listed as {match.students[0]!r}."
    if match.note:
        return f"{shown} is listed as {match.students[0]!r}, but {match.note}."
    return ""


def _frozen(known: Mapping[K, Iterable[int]]) -> dict[K, frozenset[int]]:
    return {form: frozenset(places) for form, places in known.items()}
