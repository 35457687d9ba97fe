"""Counts the files that were given, independently of what reads them, so that none gets lost.

Covered: every file, link, pipe and empty archive under folders; every file in an archive that
can be opened, also one in a folder. A folder that cannot be opened counts as one file.
Not covered: archives in archives, which are one file each; empty folders.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.interop.downloads.source import FileKey, is_noise
from autograder.notebook.formats.archive import Member, is_folder, list_members, raw_entries
from autograder.notebook.formats.find import ARCHIVE
from autograder.notebook.formats.text import without_surrogates


@dataclass(slots=True)
class FileCount:
    """``names``: every file that is not noise, by location, with the name to show."""

    names: dict[FileKey, str] = field(default_factory=dict)
    noise: int = 0

    def unaccounted(self, known: Callable[[FileKey], bool]) -> tuple[str, ...]:
        """The names of the files that are neither ``known`` nor in a folder or archive that is
        known as a whole."""
        folders: dict[str, bool] = {}

        def above(place: str) -> bool:
            folder = Path(place).parent
            if str(folder) not in folders:
                every = (folder, *folder.parents)
                folders[str(folder)] = any(known((str(one), -1)) for one in every)
            return folders[str(folder)]

        return tuple(
            name
            for (place, member), name in self.names.items()
            if not (known((place, member)) or known((place, -1)) or above(place))
        )


def count_files(paths: Iterable[Path]) -> FileCount:
    """Every file under ``paths``, each once."""
    counted = FileCount()
    noise: set[FileKey] = set()
    for given in paths:
        top = Path(os.path.realpath(given))
        for path, parts in _under(top, without_surrogates(given.name or top.name)):
            for key, names, noisy in _files(path, parts):
                if noisy:
                    noise.add(key)
                else:
                    counted.names.setdefault(key, "/".join(names))
    counted.noise = len(noise)
    return counted


def _under(top: Path, shown: str) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Every file below ``top``, or ``top`` itself, with the names of its folders and its own."""
    waiting: list[tuple[Path, tuple[str, ...]]] = [(top, (shown,))]
    while waiting:
        path, parts = waiting.pop()
        if os.path.islink(path) or not os.path.isdir(path):  # noqa: PTH112, PTH114 - never raise
            yield path, parts
            continue
        try:
            found = sorted(path.iterdir(), reverse=True)
        except OSError:
            yield path, parts
            continue
        waiting += [(inner, (*parts, without_surrogates(inner.name))) for inner in found]


def _files(path: Path, parts: tuple[str, ...]) -> Iterator[tuple[FileKey, tuple[str, ...], bool]]:
    """The file or, if it is an archive, the files in it, and whether each is noise."""
    if is_noise(parts[1:], path):
        yield (str(path), -1), parts, True
        return
    numbers, listed = _members(path) if ARCHIVE.fullmatch(path.name) else ([], {})
    if not numbers:
        yield (str(path), -1), parts, False
    for number in numbers:
        member = listed.get(number)  # None: its name was lost, which must be reported
        inner = tuple(member.name.split("/")) if member else (f"entry {number}",)
        noisy = member is not None and is_noise(inner, path, member)
        yield (str(path), number), (*parts, *inner), noisy


def _members(path: Path) -> tuple[list[int], dict[int, Member]]:
    """The numbers of an archive's files, and its reader's result for them; none if the whole
    archive is refused."""
    try:
        entries = raw_entries(path)
        listed = {member.entry: member for member in list_members(path)}
    except SubmissionError:
        return [], {}
    return [at for at, info in enumerate(entries) if not is_folder(info)], listed
