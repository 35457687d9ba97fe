"""Canvas' "Download submissions": ``name[_LATE]_userid_attachmentid_file``, all in one folder.

It contains no times, only who was late, and only the last attempt of each student. If a file name
occurs more than once (``hw.ipynb``, ``hw-1.ipynb``, from downloads of several days), each is an
attempt, in the order of the attachments' numbers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from autograder.gradebook.people import Roster
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.pick import base_name, is_notebook
from autograder.interop.downloads.source import DownloadEntry

_NUMBER = re.compile(r"[0-9]+")
_TIMED = re.compile(r"_\d{4}_\d\d_\d\dT\d\d_\d\d_\d\d_\d{6}\.zip")  # an export of otter's
_ENTRIES = {"text.html": "text typed in online", "link.html": "a link"}


@dataclass(frozen=True, slots=True)
class CanvasName:
    """The parts of one entry's name. ``user`` is a number, or ``anon_`` and a word; ``attachment``
    is empty for a typed text or a link; ``file`` then says which."""

    name: str
    late: bool
    user: str
    attachment: str
    file: str


def parse_name(leaf: str, known: frozenset[str] = frozenset()) -> CanvasName | None:
    """The parts of an entry's name; None if it is not one of Canvas'.

    As Canvas itself does, the first two parts that are numbers are the user and the attachment. A
    name that is itself a number makes three; ``known`` user ids then decide.
    """
    parts = leaf.split("_")
    if (anonymous := _anonymous(parts)) is not None:
        return anonymous
    for at in range(len(parts) - 1):
        if not _NUMBER.fullmatch(parts[at]):
            continue
        kind = "_".join(parts[at + 1 :])
        if kind in _ENTRIES:
            return CanvasName(*_before(parts[:at]), parts[at], "", kind)
        if at + 2 >= len(parts) or not _NUMBER.fullmatch(parts[at + 1]):
            continue
        if _is_a_name(parts, at, known):
            at += 1
        file = "_".join(parts[at + 2 :])
        return CanvasName(*_before(parts[:at]), parts[at], parts[at + 1], file) if file else None
    return None


def matching(entries: Sequence[DownloadEntry]) -> int:
    """How many entries have Canvas' names; 0 if the numbers cannot be Canvas'."""
    leaves = [entry.leaf for entry in entries if not _TIMED.search(entry.leaf)]
    names = {leaf: name for leaf in leaves if (name := parse_name(leaf)) is not None}
    uploads = Counter((n.user, n.attachment) for n in names.values() if n.attachment)
    zeros = any(n.user.startswith("0") or n.attachment.startswith("0") for n in names.values())
    if zeros or max(uploads.values(), default=1) > 1:
        return 0
    return sum(leaf in names for leaf in leaves)


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of a Canvas download."""
    known = _known(given.roster)
    of_user: dict[str, list[tuple[CanvasName, DownloadEntry]]] = {}
    strays = []
    for entry in entries:
        name = parse_name(entry.leaf, known)
        if name is None:
            strays.append(entry)
        else:
            of_user.setdefault(name.user, []).append((name, replace(entry, file=name.file)))
    found = tuple(d for files in of_user.values() for d in _attempts(files, given.expected))
    return Reading(found, tuple(strays))


def _attempts(files: list[tuple[CanvasName, DownloadEntry]], expected: str) -> Iterator[Delivery]:
    """One delivery, or one for each upload of a notebook that was uploaded again."""
    files = sorted(files, key=lambda pair: (int(pair[0].attachment or 0), pair[1].leaf))
    bases = Counter(base_name(n.file, expected)[0] for n, entry in files if is_notebook(entry))
    again = {base for base, count in bases.items() if count > 1}
    groups: list[list[tuple[CanvasName, DownloadEntry]]] = [[]]
    for name, entry in files:
        repeated = is_notebook(entry) and base_name(name.file, expected)[0] in again
        if repeated and any(base_name(n.file, expected)[0] in again for n, _ in groups[-1]):
            groups.append([])
        groups[-1].append((name, entry))
    for order, group in enumerate(groups):
        uploads = tuple(entry for name, entry in group if name.attachment)
        typed = [_ENTRIES[name.file] for name, _ in group if not name.attachment]
        yield Delivery(
            (_identity(group[0][0]),),
            uploads,
            place="" if uploads else group[0][1].leaf,
            late=any(name.late for name, _ in group),
            order=order,
            refusal="" if uploads else f"submitted {typed[0]}, not a notebook.",
        )


def _identity(name: CanvasName) -> Identity:
    if name.user.startswith("anon_"):
        return Identity(name.user)
    return Identity(name.user, (("canvas_id", name.user),), (name.user,), name.name, lossy=True)


def _anonymous(parts: list[str]) -> CanvasName | None:
    late = parts[:1] == ["LATE"]
    rest = parts[late:]
    if rest[:1] != ["anon"] or len(rest) < 3:
        return None
    kind = "_".join(rest[2:])
    user = f"anon_{rest[1]}"
    if kind in _ENTRIES:
        return CanvasName("", late, user, "", kind)
    if len(rest) < 4 or not _NUMBER.fullmatch(rest[2]):
        return None
    return CanvasName("", late, user, rest[2], "_".join(rest[3:]))


def _before(parts: list[str]) -> tuple[str, bool]:
    """The name and whether it was late, from the text before the user's number."""
    late = parts[-1:] == ["LATE"]
    return "_".join(parts[: len(parts) - late]), late


def _is_a_name(parts: list[str], at: int, known: frozenset[str]) -> bool:
    """Whether the first of three numbers is a name: only the first part of all can be one."""
    if at or len(parts) < 4 or not _NUMBER.fullmatch(parts[2]):
        return False
    return parts[1] in known or parts[0] not in known


def _known(roster: Roster) -> frozenset[str]:
    return frozenset(p.keys["canvas_id"] for p in roster if p.keys.get("canvas_id"))
