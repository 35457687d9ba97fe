"""Gradescope's "Export submissions": ``submission_metadata.yml`` and a folder per submission.

The export contains the files of each student's or group's active submission; earlier ones are only
listed. Times without an offset are UTC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime

from autograder.errors import SubmissionError
from autograder.interop.downloads.clock import parse_iso
from autograder.interop.downloads.delivery import Delivery, Identity, ReaderOptions, Reading
from autograder.interop.downloads.metadata import MAX_YAML, Node, read_metadata
from autograder.interop.downloads.source import DownloadEntry

METADATA = "submission_metadata.yml"
MAX_SUBMITTERS = 50  # of one submission
MAX_TEXT = 300  # characters of a name, an id or an email

_FOLDER = re.compile(r"submission_\d+")


def bases(entries: Sequence[DownloadEntry]) -> dict[tuple[str, tuple[str, ...]], DownloadEntry]:
    """Every export among the files: its root and folder -> its metadata. Metadata deeper in an
    export is a student's."""
    found: dict[tuple[str, tuple[str, ...]], DownloadEntry] = {}
    for entry in sorted(entries, key=lambda entry: len(entry.parts)):
        above = entry.parts[:-1]
        within = any((entry.root, above[:n]) in found for n in range(len(above)))
        if entry.leaf == METADATA and entry.parts and not within and not _in_folder(above):
            found.setdefault((entry.root, above), entry)
    return found


def _in_folder(parts: tuple[str, ...]) -> bool:
    return any(_FOLDER.fullmatch(part) for part in parts)


def matching(entries: Sequence[DownloadEntry]) -> int:
    """How many entries are in an export."""
    tops = bases(entries)
    return sum(_base(entry, tops) is not None for entry in entries)


def read(entries: Sequence[DownloadEntry], given: ReaderOptions) -> Reading:
    """The deliveries of the exports."""
    tops = bases(entries)
    folders: dict[tuple[str, tuple[str, ...]], dict[str, list[DownloadEntry]]] = {
        t: {} for t in tops
    }
    strays: list[DownloadEntry] = []
    for entry in entries:
        base = _base(entry, tops)
        if base is None:
            loose = next((part for part in entry.parts if _FOLDER.fullmatch(part)), None)
            if loose is None:
                strays.append(entry)
            else:  # an export without its metadata
                folders.setdefault((entry.root, ()), {}).setdefault(loose, []).append(entry)
        elif entry is not tops[base]:
            folders[base].setdefault(entry.parts[len(base[1])], []).append(entry)
    deliveries: list[Delivery] = []
    notes: list[str] = []
    for base, files in folders.items():
        known, told = _metadata(tops.get(base))
        notes += told
        deliveries += _deliveries(known, files)
        strays += _loose(known, files)
    return Reading(tuple(deliveries), tuple(strays), tuple(notes))


def _base(
    entry: DownloadEntry, tops: Mapping[tuple[str, tuple[str, ...]], DownloadEntry]
) -> tuple[str, tuple[str, ...]] | None:
    cuts = ((entry.root, entry.parts[:n]) for n in range(len(entry.parts)))
    return next((cut for cut in cuts if cut in tops), None)


def _metadata(entry: DownloadEntry | None) -> tuple[dict[str, Node], list[str]]:
    if entry is None:
        return {}, [f"there is no {METADATA}; the students' names are unknown."]
    try:
        return read_metadata(entry.load(MAX_YAML), entry.shown), []
    except SubmissionError as bad:
        return {}, [f"{bad} The submissions are listed by their folders."]


def _deliveries(
    known: Mapping[str, Node], files: Mapping[str, list[DownloadEntry]]
) -> Iterator[Delivery]:
    """One for each submission, even if only its folder or only its metadata is there."""
    told: set[str] = set()
    for key, value in known.items():
        about = value if isinstance(value, dict) else {}
        who = _submitters(about, key)
        history = [h for h in _list(about.get(":history")) if isinstance(h, dict)]
        now = _time(about)
        earlier = sum((when := _time(h)) is not None and (not now or when < now) for h in history)
        for old in history:
            folder = f"submission_{old.get(':id')}"
            if folder in files and folder not in known and folder not in told:
                told.add(folder)
                yield _delivery(_submitters(old, key, who), folder, files, _time(old), 0)
        told.add(key)
        yield _delivery(who, key, files, now, earlier + 1)
    for folder in files:
        if folder not in told and _FOLDER.fullmatch(folder):
            yield _delivery((Identity(folder),), folder, files, None, 0)


def _delivery(
    who: tuple[Identity, ...],
    folder: str,
    files: Mapping[str, list[DownloadEntry]],
    when: datetime | None,
    attempt: int,
) -> Delivery:
    held = tuple(files.get(folder, ()))
    refusal = "" if held else "submitted something, but the export contains no file of it."
    return Delivery(who, held, folder, when, attempt=attempt, refusal=refusal)


def _loose(
    known: Mapping[str, Node], files: Mapping[str, list[DownloadEntry]]
) -> Iterator[DownloadEntry]:
    for folder, held in files.items():
        if folder not in known and not _FOLDER.fullmatch(folder):
            yield from held


def _submitters(
    about: Mapping[str, Node], key: str, otherwise: tuple[Identity, ...] = ()
) -> tuple[Identity, ...]:
    """Who submitted; the folder itself if nobody is named."""
    found = []
    for one in _list(about.get(":submitters"))[:MAX_SUBMITTERS]:
        if not isinstance(one, dict):
            continue
        name, sid, email = (_text(one.get(field)) for field in (":name", ":sid", ":email"))
        if own := sid or email or name:
            keys = (("gradescope_sid", sid),) if sid else ()
            texts = tuple(word for word in (sid, email) if word)
            found.append(Identity(own, keys, texts, name, apart="" if texts else key))
    return tuple(dict.fromkeys(found)) or otherwise or (Identity(key),)


def _time(about: Mapping[str, Node]) -> datetime | None:
    return parse_iso(_text(about.get(":created_at")), UTC)


def _text(node: Node) -> str:
    return node.strip()[:MAX_TEXT] if isinstance(node, str) else ""


def _list(node: Node) -> list[Node]:
    return node if isinstance(node, list) else []
