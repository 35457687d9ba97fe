"""Hand-ins as files: the student is the file's stem, as ``find`` has it, or the first folder.

Folders and archives are students where a roster knows more than half of them, each holds a file,
and no hand-in lies beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from autograder.gradebook.people import Roster
from autograder.interop.downloads.delivery import Circumstances, Delivery, Identity, Reading
from autograder.interop.downloads.matching import match_all
from autograder.interop.downloads.source import Entry, list_entries
from autograder.notebook.find import ARCHIVE, MARKDOWN, NOTEBOOK, Found, find
from autograder.notebook.students import student_id


def read(entries: Sequence[Entry], given: Circumstances) -> Reading:
    """The deliveries of files and folders; raises UsageError as ``find`` does."""
    deliveries: list[Delivery] = []
    files: list[Path] = []
    for path in given.paths:
        folders = _students(list_entries([path]), given.roster) if len(given.roster) else {}
        if folders:
            deliveries += [_folder(name, held) for name, held in folders.items()]
        else:
            files.append(path)
    known = {person.id for person in given.roster}
    seen: set[str] = set()
    for found in find(files):
        name = stem(found)
        own = name if name in known else name.casefold()  # only a roster tells cases apart
        deliveries.append(_file(found, name, first=own not in seen))
        seen |= {name, name.casefold()}
    return Reading(tuple(deliveries))


def stray(entry: Entry) -> Delivery:
    """A file that follows no platform's names, as its stem's."""
    match = _matched(entry.leaf)
    name = student_id(match) if match else student_id(entry.leaf)
    who = Identity(name, texts=(name,), name=name, apart=entry.shown)
    return Delivery((who,), (entry,), place=entry.leaf)


def stem(found: Found) -> str:
    """The id that a found file's own name says."""
    leaf = PurePosixPath(found.member.name).name if found.member else found.path.name
    return student_id(_matched(leaf) or leaf)


def _matched(leaf: str) -> str:
    match = NOTEBOOK.fullmatch(leaf) or MARKDOWN.fullmatch(leaf) or ARCHIVE.fullmatch(leaf)
    return match[1] if match else ""


def _file(found: Found, name: str, *, first: bool) -> Delivery:
    """A found file; the second of one name keeps the id that ``find`` made for it."""
    who = Identity(found.student, texts=(name,), name=name) if first else Identity(found.student)
    return Delivery((who,), place=found.name, found=found)


def _folder(name: str, held: Sequence[Entry]) -> Delivery:
    who = Identity(name, texts=(student_id(name),), name=name, apart=held[0].root)
    return Delivery((who,), tuple(held), place=name)


def _students(entries: Sequence[Entry], roster: Roster) -> dict[str, list[Entry]]:
    """The folders and archives that are students, with their files; none where files are."""
    folders: dict[str, list[Entry]] = {}
    for entry in entries:
        archive = ARCHIVE.fullmatch(entry.leaf) if len(entry.parts) == 1 else None
        if len(entry.parts) > 1 or archive:
            name = archive[1] if archive else entry.parts[0]
            folders.setdefault(name, []).append(entry)
        elif not entry.parts or NOTEBOOK.fullmatch(entry.leaf):
            return {}
    identities = {name: _folder(name, held).who[0] for name, held in folders.items()}
    matches = match_all(identities.values(), roster)
    known = sum(matches[identity].how != "nobody" for identity in identities.values())
    return folders if known * 2 > len(folders) else {}
