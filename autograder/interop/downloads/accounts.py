"""Which files of a download are accounted for, and notes on those that nobody submitted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograder.interop.downloads.arrival import PassedOverFile
from autograder.interop.downloads.pick import NAMED
from autograder.interop.downloads.source import DownloadEntry, FileKey, key_of
from autograder.notebook.formats.find import ARCHIVE, NOTEBOOK, FoundFile
from autograder.notebook.formats.text import first_of

HIDDEN = "hidden"
ELSEWHERE = "not where submissions are expected"
OTHER = "not named like a submission"
OWN = "a file of the platform itself"


class AccountedFiles:
    """The files that belong to a submission or were reported; ``given`` are the paths of the
    class."""

    def __init__(self, given: Iterable[Path]) -> None:
        self._given = frozenset(given)
        self._folders: dict[str, str] = {}
        self._keys: set[FileKey] = set()
        self._opened: set[str] = set()

    def add(self, files: Iterable[DownloadEntry | FoundFile]) -> None:
        for file in files:
            place, member = key = self._key(file)
            self._keys.add(key)
            if member >= 0:
                self._opened.add(place)

    def holds(self, key: FileKey) -> bool:
        return key in self._keys

    def uses(self, entry: DownloadEntry) -> bool:
        """Whether this file is known or, if it is an archive, something in it."""
        place, member = key = self._key(entry)
        return key in self._keys or (member < 0 and place in self._opened)

    def _key(self, file: DownloadEntry | FoundFile) -> FileKey:
        return key_of(file, self._folders, given=file.path in self._given)


def passed_over(
    entries: Iterable[DownloadEntry], *, usual: str = OTHER
) -> Iterator[PassedOverFile]:
    """The remaining files of a download, with the reason why each is nobody's. ``usual`` is the
    reason for a file that is neither hidden nor refused nor named like a notebook or an archive."""
    for entry in entries:
        yield PassedOverFile(entry.shown, _why(entry, usual))


def notes_on(passed: Sequence[PassedOverFile]) -> Iterator[str]:
    """A note for each reason, except for the platform's own files, which every download has."""
    for why in dict.fromkeys(one.why for one in passed if one.why != OWN):
        names = [one.file for one in passed if one.why == why]
        yield f"skipped, {why}: {first_of(names, NAMED)}."


def _why(entry: DownloadEntry, usual: str) -> str:
    if entry.hidden:
        return HIDDEN
    if entry.error:
        return entry.error.removeprefix(f"{entry.shown}: ").rstrip(".")
    if NOTEBOOK.fullmatch(entry.leaf) or ARCHIVE.fullmatch(entry.leaf):
        return ELSEWHERE
    return usual
