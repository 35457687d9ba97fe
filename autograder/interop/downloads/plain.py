"""Submissions as files: the student is the file's stem, as in ``find``, or the first folder.

Folders and archives are students if a roster knows more than half of them, each contains a file,
and no submission is next to them. An archive in a folder always belongs to the student of its name;
one that is given itself is a whole class unless the roster knows its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from autograder.gradebook.people import Roster
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.matching import match_all
from autograder.interop.downloads.pick import NAMED, pick
from autograder.interop.downloads.source import DownloadEntry, list_entries
from autograder.notebook.formats.find import ARCHIVE, MARKDOWN, NOTEBOOK, FoundFile, find
from autograder.notebook.formats.text import first_of, without_surrogates
from autograder.notebook.students import student_id


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of files and folders; raises UsageError as ``find`` does."""
    deliveries: list[Delivery] = []
    files: list[Path] = []
    for path in given.paths:
        if archive := _students_archive(path, given.roster):
            deliveries.append(archive)
            continue
        folders = _students(list_entries([path]), given.roster) if len(given.roster) else {}
        if folders:
            deliveries += [_folder(name, held) for name, held in folders.items()]
        else:
            files.append(path)
    known = {person.id for person in given.roster}
    seen: set[str] = set()
    repeated: list[str] = []
    for found in find(files):
        name = stem(found)
        own = name if name in known else name.casefold()  # only a roster distinguishes case
        deliveries.append(_file(found, name, given, first=own not in seen))
        repeated += [found.name] if own in seen else []
        seen |= {name, name.casefold()}
    classes = [path.name for path in files if ARCHIVE.fullmatch(path.name) and path.is_file()]
    notes = [_said_of(classes)] if len(classes) > 1 else []
    notes += [_said_of_repeated(repeated)] if repeated else []
    return Reading(tuple(deliveries), notes=tuple(notes))


def stray(entry: DownloadEntry) -> Delivery:
    """A file that does not follow the platform's names; its student is its stem."""
    match = _matched(entry.leaf)
    name = student_id(match) if match else student_id(entry.leaf)
    who = Identity(name, texts=(name,), name=name, apart=entry.shown)
    return Delivery((who,), (entry,), place=entry.leaf)


def stem(found: FoundFile) -> str:
    """The id in a found file's own name."""
    leaf = PurePosixPath(found.member.name).name if found.member else found.path.name
    return student_id(_matched(leaf) or leaf)


def _matched(leaf: str) -> str:
    match = NOTEBOOK.fullmatch(leaf) or MARKDOWN.fullmatch(leaf) or ARCHIVE.fullmatch(leaf)
    return match[1] if match else ""


def _file(found: FoundFile, name: str, given: ReaderOptions, *, first: bool) -> Delivery:
    """A found file; the second of one name keeps the id that ``find`` made for it. A submitted
    archive is opened, whatever the names in it."""
    who = Identity(found.student, texts=(name,), name=name) if first else Identity(found.student)
    place = found.name
    if found.member or found.error or not ARCHIVE.fullmatch(found.path.name):
        return Delivery((who,), place=place, found=found)
    *above, leaf = place.split("/")
    whole = DownloadEntry("/".join(above), (leaf,), found.path)
    picked = pick([whole], expected=given.expected, beside=given.beside)
    if picked.entry is not None:
        found = replace(
            found,
            name=picked.entry.shown,
            member=picked.entry.member,
            error=picked.error,
            notes=(*found.notes, *picked.notes),
            beside=picked.beside,
        )
    return Delivery((who,), picked.opened, place=place, found=found)


def _students_archive(path: Path, roster: Roster) -> Delivery | None:
    """An archive that is given itself, if its name is a student's in the roster."""
    match = ARCHIVE.fullmatch(path.name)
    if not match or not len(roster) or not path.is_file():
        return None
    entry = DownloadEntry("", (without_surrogates(path.name),), path)
    delivery = _folder(match[1], [entry])
    who = delivery.who[0]
    # An archive of a student's name is that student's.
    return delivery if match_all([who], roster)[who].how != "nobody" else None


def _said_of(classes: Sequence[str]) -> str:
    names = first_of([without_surrogates(name) for name in classes], NAMED)
    return (
        f"{names} were each read as a whole class, with one student per notebook. If each "
        "belongs to one student, pass the folder that contains them, or a roster with their "
        "names."
    )


def _said_of_repeated(names: Sequence[str]) -> str:
    return (
        f"{first_of(names, 1)}: another file has this name, and students are named after their "
        "files. If each folder belongs to one student, pass a roster with the folders' names "
        "(`--roster FILE`)."
    )


def _folder(name: str, held: Sequence[DownloadEntry]) -> Delivery:
    who = Identity(name, texts=(student_id(name),), name=name, apart=held[0].root)
    return Delivery((who,), tuple(held), place=name)


def _students(entries: Sequence[DownloadEntry], roster: Roster) -> dict[str, list[DownloadEntry]]:
    """The folders and archives that are students, with their files; none if a notebook is next to
    them."""
    folders: dict[str, list[DownloadEntry]] = {}
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
