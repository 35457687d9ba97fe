"""What a platform's reader finds in a download, before anybody is looked up in the roster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo
from pathlib import Path

from autograder.gradebook.people import Roster
from autograder.interop.downloads.source import DownloadEntry
from autograder.notebook.formats.find import FoundFile


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as a download names them. ``own`` is the download's own id.

    ``keys`` are (name of ``people.KEYS``, value), the strongest first; ``texts`` are further words
    that may be an id, a login or an email. ``lossy``: characters are missing from the name.
    ``team`` may be a group's name if it is nobody's key. ``apart`` distinguishes two people with
    the same ``own``, and ``place`` two deliveries of theirs.
    """

    own: str
    keys: tuple[tuple[str, str], ...] = ()
    texts: tuple[str, ...] = ()
    name: str = ""
    lossy: bool = False
    team: str = ""
    apart: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Delivery:
    """One attempt: of whom (several for a group), with which files.

    ``place`` as for ``Arrival``; empty if it is the name of the chosen file. ``order`` sorts
    attempts whose time is the same or unknown. ``attempt`` is the platform's number, 0 if it gives
    none. ``refusal`` says what was submitted instead of a file. ``found`` is the submission itself
    if there is nothing to choose. ``beside``: files that the platform added to the attempt.
    """

    who: tuple[Identity, ...]
    files: tuple[DownloadEntry, ...] = ()
    place: str = ""
    submitted_at: datetime | None = None
    late: bool | None = None
    order: int = 0
    attempt: int = 0
    refusal: str = ""
    found: FoundFile | None = None
    beside: tuple[DownloadEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """All deliveries of a download, the files that follow none of its patterns, and notes."""

    deliveries: tuple[Delivery, ...] = ()
    strays: tuple[DownloadEntry, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ReaderOptions:
    """A reader's options. ``timezone`` applies to times without one; ``expected`` is the name of
    the assignment or its notebook, empty if it is not known; ``beside``: patterns of the files that
    may be beside the notebook."""

    paths: tuple[Path, ...]
    roster: Roster
    timezone: tzinfo
    expected: str = ""
    beside: tuple[str, ...] = ()


Reader = Callable[[Sequence[DownloadEntry], ReaderOptions], Reading]
