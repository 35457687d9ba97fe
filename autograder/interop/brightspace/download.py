"""Brightspace's "Download submissions": ``n-m - [id - ]Name - time/file`` and an index.html.

The two numbers do not identify a student. Without an id in the folder's name, only the name does;
folders of one name then belong to one student only if the roster has that name once.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from autograder.gradebook.people import Roster
from autograder.interop.downloads.clock import parse_words
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.names import squashed
from autograder.interop.downloads.source import DownloadEntry

_DATED = re.compile(
    r"(?P<pair>\d+-\d+) - (?P<who>.+?) - "
    r"(?P<when>[A-Z][a-z]{2,8} \d{1,2}, \d{4} \d{1,2}[:.]?\d{2} [AP]M)(?: - (?P<file>.+))?",
    re.DOTALL,
)
_LOOSE = re.compile(r"(?P<pair>\d+-\d+) - (?P<who>.+) - (?P<when>[^-]*\d{4}[^-]*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the roster knows: ids, and names in the compared form."""

    ids: frozenset[str]
    names: frozenset[str]


def place_of(entry: DownloadEntry) -> tuple[int, re.Match[str]] | None:
    """Which of an entry's parts has one of Brightspace's names, counted from the root, and its
    match."""
    whole = (entry.root, *entry.parts)
    for at, part in enumerate(whole):
        match = _DATED.fullmatch(part)
        if match is None and at < len(whole) - 1:
            match = _LOOSE.fullmatch(part)
        if match and (at < len(whole) - 1 or match["file"]):
            return at, match
    return None


def is_index(entry: DownloadEntry) -> bool:
    """Whether it is the page about the download, at its top."""
    return entry.leaf.casefold() == "index.html"


def matching(entries: Sequence[DownloadEntry]) -> int:
    """How many entries have one of Brightspace's names in their path."""
    return sum(place_of(entry) is not None for entry in entries)


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of a Brightspace download."""
    attempts: dict[tuple[str, ...], list[DownloadEntry]] = {}
    strays = []
    folders = {}
    for entry in entries:
        if (found := place_of(entry)) is None:
            if not is_index(entry):
                strays.append(entry)
            continue
        at, match = found
        folder = at < len(entry.parts)
        key = (match["pair"], match["who"], match["when"])
        folders[key] = (entry.root, *entry.parts)[at] if folder else ""
        named = replace(entry, file="" if folder else match["file"])
        attempts.setdefault(key, []).append(named)
    known = _known(given.roster)
    deliveries = []
    notes = []
    for (pair, who, when), files in attempts.items():
        submitted_at = parse_words(when, given.timezone)
        if submitted_at is None:
            notes.append(f"{files[0].shown}: the time {when!r} cannot be read and is ignored.")
        place = folders[pair, who, when]
        identity = _identity(pair, who, f"{pair} - {who} - {when}", known)
        deliveries.append(Delivery((identity,), tuple(files), place, submitted_at))
    return Reading(tuple(deliveries), tuple(strays), tuple(notes))


def _identity(pair: str, who: str, place: str, known: _Known) -> Identity:
    """Whom a folder names: by an id before the name, else by the name."""
    first, dash, rest = who.partition(" - ")
    org = first.strip().removeprefix("#")
    like_an_id = org in known.ids or (" " not in org and any(c.isdigit() for c in org))
    if dash and rest.strip() and like_an_id and squashed(who) not in known.names:
        return Identity(org, (("org_defined_id", org),), (org,), rest.strip())
    return Identity(who, name=who, apart=pair, place=place)


def _known(roster: Roster) -> _Known:
    ids = {p.id for p in roster} | {p.keys.get("org_defined_id", "") for p in roster}
    return _Known(frozenset(ids - {""}), frozenset(squashed(p.full_name) for p in roster))
