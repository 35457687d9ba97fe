"""otter-grader's exports: zips made by students' notebooks, packed or unpacked.

An export does not name its student. The student is the zip's name if somebody has changed it,
else the name of its folder, else the zip's name. The time is part of the export's original name
(``__zip_filename__``). The log inside is never read, because reading it would run its content.
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
    """The files of every export, by its root and folder; zips are opened too."""
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
    """The number of entries that are exports or inside one."""
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
            notes.append(f"{'/'.join((root, *parts))}: the export does not state its time.")
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
    """The nearest name, from the export outwards, that does not come from otter."""
    names = [root, *parts]
    stems = [match[1] if (match := ARCHIVE.fullmatch(name)) else name for name in names if name]
    own = [stem for stem in stems[-2:] if not _STAMPED.fullmatch(stem)]
    if not own or (len(stems) > 1 and own[-1] == stems[0]):
        return stems[-1]  # otherwise only the folder of the class remains
    return own[-1]


def _handed_in(files: Sequence[DownloadEntry]) -> tuple[DownloadEntry, ...]:
    """The student's files, without those that every export contains."""
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
