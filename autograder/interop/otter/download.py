"""otter-grader's exports: a zip that a student's notebook made, or what was unpacked from one.

An export does not say whose it is. The student is the zip's name where somebody has changed it,
else the folder it lies in, else again the zip's name. The time is in the name that the export
was given (``__zip_filename__``); the log inside is never read, since that would run its content.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from autograder.errors import SubmissionError
from autograder.interop.downloads.clock import parse_digits
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.source import DownloadEntry, inside
from autograder.notebook.formats.find import ARCHIVE, NOTEBOOK

NAME_FILE = "__zip_filename__"
MAX_NAME = 1000  # bytes

_STAMPED = re.compile(r"(?P<nb>.+)_(?P<when>\d{4}_\d\d_\d\dT\d\d_\d\d_\d\d_\d{6})(?:\.zip)?", re.S)


def exports(
    entries: Sequence[DownloadEntry],
) -> dict[tuple[str, tuple[str, ...]], list[DownloadEntry]]:
    """Every export, by its root and folder, with the files in it; zips are looked into."""
    found: dict[tuple[str, tuple[str, ...]], list[DownloadEntry]] = {}
    for entry in entries:
        if entry.leaf == NAME_FILE and entry.parts:
            found[entry.root, entry.parts[:-1]] = []
        elif ARCHIVE.fullmatch(entry.leaf) and entry.parts:
            held = list(inside(entry))
            if any(e.parts == (*entry.parts, NAME_FILE) for e in held):
                found[entry.root, entry.parts] = held
    for entry in entries:
        cuts = ((entry.root, entry.parts[:n]) for n in range(len(entry.parts), -1, -1))
        if (cut := next((cut for cut in cuts if cut in found), None)) and cut[1] != entry.parts:
            found[cut].append(entry)
    return found


def matching(entries: Sequence[DownloadEntry]) -> int:
    """How many entries are exports or lie in one."""
    found = exports(entries)
    return sum(
        any((entry.root, entry.parts[:n]) in found for n in range(len(entry.parts) + 1))
        for entry in entries
    )


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """One delivery for each export."""
    found = exports(entries)
    deliveries = []
    notes = []
    for (root, parts), files in found.items():
        named = _name_of(next((e for e in files if e.leaf == NAME_FILE), None))
        stamp = _STAMPED.fullmatch(named)
        when = parse_digits(stamp["when"], given.timezone) if stamp else None
        if when is None:
            notes.append(f"{'/'.join((root, *parts))}: the export does not tell its time.")
        own = _student(root, parts)
        held = _handed_in(files)
        place = "/".join(parts) or root
        beside = tuple(entry for entry in files if entry not in held)
        who = Identity(own, texts=(own,), name=own)
        deliveries.append(Delivery((who,), held, place, when, beside=beside))
    inside_one = {
        entry
        for entry in entries
        if any((entry.root, entry.parts[:n]) in found for n in range(len(entry.parts) + 1))
    }
    strays = tuple(entry for entry in entries if entry not in inside_one)
    return Reading(tuple(deliveries), strays, tuple(notes))


def _student(root: str, parts: tuple[str, ...]) -> str:
    """The nearest name, from the export outwards, that otter did not give."""
    names = [root, *parts]
    stems = [match[1] if (match := ARCHIVE.fullmatch(name)) else name for name in names if name]
    own = [stem for stem in stems[-2:] if not _STAMPED.fullmatch(stem)]
    if not own or (len(stems) > 1 and own[-1] == stems[0]):
        return stems[-1]  # all that is left is the folder of the whole class
    return own[-1]


def _handed_in(files: Sequence[DownloadEntry]) -> tuple[DownloadEntry, ...]:
    """The student's files: not what every export has besides the notebook."""
    whole = any(NOTEBOOK.fullmatch(entry.leaf) for entry in files)
    usual = (".otter", ".pdf") if whole else (".otter",)
    return tuple(e for e in files if e.leaf != NAME_FILE and not e.leaf.endswith(usual))


def _name_of(entry: DownloadEntry | None) -> str:
    if entry is None:
        return ""
    try:
        return entry.load(MAX_NAME).decode("utf-8", "replace").strip()
    except SubmissionError:
        return ""
