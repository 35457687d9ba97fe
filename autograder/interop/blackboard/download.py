"""Blackboard's "Assignment file download": ``assignment_user_attempt_time_file``, several attempts
of each user, and one ``.txt`` about every attempt, which is not a submission."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import takewhile

from autograder.gradebook.people import Roster
from autograder.interop.downloads.clock import parse_digits
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.names import squashed
from autograder.interop.downloads.source import DownloadEntry

# the word "attempt" is translated, so any word is accepted
_NAME = re.compile(
    r"(?P<head>.+)_(?P<word>[^\W\d_]+)_(?P<time>\d{4}(?:-\d\d){5})(?:_(?P<file>.+)|\.txt)",
    re.DOTALL,
)


def parse_name(leaf: str) -> re.Match[str] | None:
    """The parts of an entry's name: head, time, file; None if it is not one of Blackboard's."""
    match = _NAME.fullmatch(leaf)
    return match if match and "_" in match["head"] else None


def matching(entries: Sequence[DownloadEntry]) -> int:
    """How many entries have Blackboard's names."""
    return sum(parse_name(entry.leaf) is not None for entry in entries)


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of a Blackboard download."""
    attempts: dict[tuple[str, str], list[tuple[str, DownloadEntry]]] = {}
    strays = []
    for entry in entries:
        if match := parse_name(entry.leaf):
            key = (match["head"], match["time"])
            file = match["file"] or ""
            attempts.setdefault(key, []).append((file, replace(entry, file=file)))
        else:
            strays.append(entry)
    users = split_heads({head for head, _ in attempts}, given.roster)
    found = tuple(
        Delivery(
            (_identity(users[head]),),
            tuple(entry for file, entry in files if file),
            place="" if any(file for file, _ in files) else files[0][1].leaf,
            submitted_at=parse_digits(time, given.timezone),
            refusal=""
            if any(file for file, _ in files)
            else ("submitted no file, only text or a comment."),
        )
        for (head, time), files in attempts.items()
    )
    return Reading(found, tuple(strays))


def split_heads(heads: Iterable[str], roster: Roster) -> dict[str, str]:
    """The user in each ``assignment_user``, both of which may contain ``_``.

    The assignment is the prefix that leaves a known user in most heads; what follows it is the
    user, known or not. In other heads, the user is a known one at the end, else the last part.
    """
    known = _known(roster)
    options = {head: [cut for cut in _cuts(head) if _knows(known, cut[1])] for head in set(heads)}
    counts = Counter(assignment for cuts in options.values() for assignment, _ in cuts)
    usual = max(counts, key=lambda assignment: (counts[assignment], -len(assignment)), default="")
    users = {}
    for head, cuts in options.items():
        if usual and head.startswith(f"{usual}_"):
            users[head] = head[len(usual) + 1 :]
        elif cuts:
            users[head] = max((user for _, user in cuts), key=len)
    return users | _last_parts([head for head in options if head not in users])


def _last_parts(heads: list[str]) -> dict[str, str]:
    """The last part of each head, or more parts if two heads would get one user."""
    counts = Counter(head.rpartition("_")[2] for head in heads)
    parts = [head.split("_") for head in heads]
    same = list(takewhile(lambda column: len(set(column)) == 1, zip(*parts, strict=False)))
    lasts = {head: head.rpartition("_")[2] for head in heads}
    return {
        head: last if counts[last] == 1 else "_".join(head.split("_")[len(same) :])
        for head, last in lasts.items()
    }


def _cuts(head: str) -> list[tuple[str, str]]:
    """Every way to cut a head into assignment and user."""
    return [(head[:at], head[at + 1 :]) for at, c in enumerate(head) if c == "_" and at]


def _known(roster: Roster) -> frozenset[str]:
    words: set[str] = set()
    for person in roster:
        words |= {word.casefold() for word in (person.id, person.email, *person.keys.values())}
        words |= {squashed(group) for group in person.section.split(",")}
    return frozenset(words - {""})


def _knows(known: frozenset[str], user: str) -> bool:
    return user.casefold() in known or squashed(user) in known


def _identity(user: str) -> Identity:
    return Identity(user, (("username", user),), (user,), team=user)
