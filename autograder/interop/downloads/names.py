"""Names of people as platforms spell them, so that two spellings of one name are recognized as one.

Covered: Unicode forms, case, spaces, invisible marks; ``Last, First`` and ``First Last``; names
reduced to letters and digits (Canvas, Moodle); names without their diacritics.
Not covered: nicknames, transliteration, middle names that one side leaves out.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from autograder.gradebook.people import Person

MAX_WORDS = 8  # of a name whose words are rotated

_UNFOLDED = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i"}
)


def exact(name: str) -> str:
    """The name composed (NFKC), case-folded, without invisible marks, with single spaces."""
    text = unicodedata.normalize("NFKC", name).casefold()
    text = unicodedata.normalize("NFKC", text)
    kept = "".join(" " if c.isspace() else c for c in text if _shown(c) or c.isspace())
    return " ".join(kept.split())


def squashed(name: str) -> str:
    """Only the letters, marks and digits, which is what Canvas keeps of a name."""
    return "".join(c for c in exact(name) if unicodedata.category(c)[0] in "LMN")


def folded(name: str) -> str:
    """The squashed name without diacritics."""
    parts = unicodedata.normalize("NFKD", squashed(name).translate(_UNFOLDED))
    return "".join(c for c in parts if not unicodedata.category(c).startswith("M"))


LEVELS = (exact, squashed, folded)


def turned(name: str) -> str:
    """``Last, First`` as ``First Last``; any other name unchanged."""
    last, comma, first = name.partition(",")
    return f"{first.strip()} {last.strip()}" if comma and first.strip() else name


def spellings(person: Person) -> Iterator[str]:
    """How platforms may write this person's name; a spelling may occur twice."""
    names = [person.name, person.full_name, person.sortable_name]
    names.append(f"{person.first_name} {person.last_name}".strip())
    names.append(f"{person.last_name} {person.first_name}".strip())
    for name in names:
        if not name.strip():
            continue
        yield name
        yield turned(name)
    words = turned(person.full_name).split()
    for at in range(1, len(words)) if len(words) <= MAX_WORDS else ():
        yield " ".join(words[at:] + words[:at])  # where the last name begins is not known


@dataclass(frozen=True, slots=True)
class RosterNames:
    """The people a name may mean: places in the roster, by level and spelling."""

    known: tuple[dict[str, frozenset[int]], ...] = field(default_factory=tuple)

    def find(self, name: str, *, lossy: bool = False) -> frozenset[int]:
        """The places of everybody who may be meant, at the strictest level that finds anybody.

        ``lossy``: the platform has removed characters, so exact spellings mean nothing.
        """
        for level, known in list(zip(LEVELS, self.known, strict=True))[lossy:]:
            forms = {level(name), level(turned(name))} - {""}
            hits = frozenset().union(*(known.get(form, frozenset()) for form in forms))
            if hits:
                return hits
        return frozenset()


def index_names(people: Iterable[Person]) -> RosterNames:
    """All spellings of everybody's name."""
    levels: tuple[dict[str, set[int]], ...] = ({}, {}, {})
    for place, person in enumerate(people):
        for name in set(spellings(person)):
            for level, known in zip(LEVELS, levels, strict=True):
                if form := level(name):
                    known.setdefault(form, set()).add(place)
    return RosterNames(tuple({f: frozenset(p) for f, p in known.items()} for known in levels))


def _shown(character: str) -> bool:
    return unicodedata.category(character)[0] != "C"
