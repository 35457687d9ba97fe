"""The files of a download, listed alike for folders, archives and single files.

Covered: links, pipes and devices, folders nested without end, folders that cannot be opened,
archives that are refused: each is listed with its error. A hidden folder is one entry, whatever it
contains. What operating systems and editors leave behind is not listed; ``count`` counts it.
Nothing is extracted to disk. Names written as UTF-8 without being marked as such are repaired.
An archive within an archive is opened if it holds one notebook; others are refused with advice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from autograder.assignment.data_files import NOISE
from autograder.errors import SubmissionError, UsageError
from autograder.notebook.formats.archive import (
    Member,
    check_total,
    list_members,
    list_nested,
    read_member,
)
from autograder.notebook.formats.find import ARCHIVE, EMPTY, NOTEBOOK, FoundFile, real_path
from autograder.notebook.formats.read import MAX_BYTES, read_bytes
from autograder.notebook.formats.text import without_surrogates

MAX_DEPTH = 50  # folders within folders
MAX_PART = 255  # characters of one file's or folder's name

FileKey = tuple[str, int]  # a file's path, and its number in an archive, -1 for a file itself

_NOISE = NOISE | {"__MACOSX"}
_APPLE_DOUBLE = b"\0\x05\x16\x07"  # how macOS' companion of a file, "._name", begins
_NESTED = (
    "an archive inside an archive is opened only if it holds one notebook and no other archive. "
    "Unpack the outer one and pass the folder."
)


@dataclass(frozen=True, slots=True)
class DownloadEntry:
    """One file of a download. ``parts`` are the names of its folders, below what was given
    (``root``), and its own; empty if ``root`` itself is refused. ``error`` says why it cannot be
    read. ``file`` is the student's name for it, if the platform added a prefix."""

    root: str
    parts: tuple[str, ...]
    path: Path
    member: Member | None = None
    error: str = ""
    file: str = ""

    @property
    def handed_in(self) -> str:
        """What its student called it."""
        return self.file or self.leaf

    @property
    def leaf(self) -> str:
        """The file's own name."""
        return self.parts[-1] if self.parts else self.root

    @property
    def hidden(self) -> bool:
        """Whether its name, or that of one of its folders, makes a system hide it."""
        return any(part.startswith(".") for part in self.parts)

    @property
    def shown(self) -> str:
        """The full name, for messages."""
        return "/".join(part for part in (self.root, *self.parts) if part)

    def load(self, limit: int = MAX_BYTES) -> bytes:
        """The bytes; raises SubmissionError, also for more than ``limit`` of them."""
        if self.error:
            raise SubmissionError(self.error)
        data = read_member(self.path, self.member) if self.member else read_bytes(self.path)
        if len(data) > limit:
            raise SubmissionError(f"{self.shown}: the file is larger than {limit:,} bytes.")
        return data


def list_entries(paths: Iterable[Path]) -> tuple[DownloadEntry, ...]:
    """Every file under ``paths``, each once, in the order of names.

    Raises UsageError for a path that does not exist or is not a regular file.
    """
    seen: set[FileKey] = set()
    folders: dict[str, str] = {}
    entries = []
    for path in paths:
        for entry in _under(path):
            key = key_of(entry, folders, given=entry.path == path)
            if key not in seen:
                seen.add(key)
                entries.append(entry)
    return tuple(entries)


def key_of(
    entry: DownloadEntry | FoundFile, folders: dict[str, str], *, given: bool = False
) -> FileKey:
    """Which file an entry is; ``folders`` and ``given`` are as for ``real_path``."""
    place = real_path(entry.path, folders, given=given)
    return place, entry.member.outermost if entry.member else -1


def inside(entry: DownloadEntry) -> tuple[DownloadEntry, ...]:
    """The files in an archive; one entry with the error if it is refused, as one inside an archive
    is that holds several notebooks, or none."""
    if entry.error:
        return (entry,)
    listed = tuple(_in_archive(entry.path, entry.root, entry.parts, entry.member))
    refused = any(one.parts == entry.parts for one in listed)
    if entry.member is not None and not refused and not _is_one_notebook(listed):
        return (replace(entry, error=f"{entry.shown}: {_NESTED}"),)
    return listed or (replace(entry, error=f"{entry.shown}: {EMPTY}"),)


def _is_one_notebook(listed: Iterable[DownloadEntry]) -> bool:
    """Whether these are one notebook and files beside it, none of them an archive."""
    leaves = [one.leaf for one in listed]
    several = sum(NOTEBOOK.fullmatch(leaf) is not None for leaf in leaves) != 1
    return not several and not any(ARCHIVE.fullmatch(leaf) for leaf in leaves)


def is_noise(names: Iterable[str], path: Path, member: Member | None = None) -> bool:
    """Whether a file is certainly nobody's: the last of ``names``, or a folder among them, is one
    that operating systems and editors create, or it is macOS' companion of another file."""
    parts = tuple(names)
    if not _NOISE.isdisjoint(parts):
        return True
    if not parts or not parts[-1].startswith("._") or (member and member.error):
        return False
    try:
        if member:
            return read_member(path, member, len(_APPLE_DOUBLE)) == _APPLE_DOUBLE
        if not path.is_file() or path.is_symlink():  # opening a pipe would wait for ever
            return False
        with path.open("rb") as stream:
            return stream.read(len(_APPLE_DOUBLE)) == _APPLE_DOUBLE
    except (OSError, SubmissionError):
        return False


def _under(path: Path) -> Iterator[DownloadEntry]:
    shown = without_surrogates(path.name or path.resolve().name)
    if path.is_dir():
        yield from _in_folder(path, shown, ())
    elif not path.is_file():
        what = "this is not a regular file" if path.exists() else "no such file or folder"
        raise UsageError(f"{without_surrogates(str(path))}: {what}")
    elif ARCHIVE.fullmatch(path.name):
        yield from _in_archive(path, shown, ())
    else:
        yield DownloadEntry("", (shown,), path)


def _in_folder(folder: Path, root: str, above: tuple[str, ...]) -> Iterator[DownloadEntry]:
    here = DownloadEntry(root, above, folder)
    try:
        found = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as bad:
        yield replace(here, error=f"{here.shown}: the folder cannot be opened ({bad.strerror}).")
        return
    if len(above) > MAX_DEPTH:
        error = f"{here.shown[:200]}: folders are nested more than {MAX_DEPTH} levels deep here."
        yield replace(here, error=error)
        return
    for path in found:
        if not is_noise([path.name], path):
            yield from _one(path, root, (*above, without_surrogates(path.name)))


def _one(path: Path, root: str, parts: tuple[str, ...]) -> Iterator[DownloadEntry]:
    entry = DownloadEntry(root, parts, path)
    if os.path.islink(path):  # noqa: PTH114 - unlike Path's, these never raise
        error = f"{entry.shown}: this is a link; links in a download are not followed."
        yield replace(entry, error=error)
    elif os.path.isdir(path) and path.name.startswith("."):  # noqa: PTH112
        yield entry
    elif os.path.isdir(path):  # noqa: PTH112
        yield from _in_folder(path, root, parts)
    elif os.path.isfile(path):  # noqa: PTH113
        yield entry
    else:
        yield replace(entry, error=f"{entry.shown}: this is not a regular file.")


def _in_archive(
    path: Path, root: str, above: tuple[str, ...], outer: Member | None = None
) -> Iterator[DownloadEntry]:
    """The files of an archive, which is the entry ``outer`` of ``path`` if there is one."""
    here = DownloadEntry(root, above, path, outer)
    try:
        listed = tuple(list_members(path) if outer is None else list_nested(path, outer))
        if not listed:
            raise SubmissionError(f"{here.shown}: {EMPTY}")
        members = [m for m in listed if not is_noise(m.name.split("/"), path, m)]
        if outer is None:
            check_total(path, [m for m in members if NOTEBOOK.fullmatch(m.name)])
    except SubmissionError as bad:
        yield replace(here, error=str(bad))
        return
    for member in members:
        whole = [p for p in _mended(member.name).split("/") if p not in ("", ".", "..")]
        parts = tuple(part[:MAX_PART] for part in whole) or ("unnamed",)
        entry = DownloadEntry(root, (*above, *parts), path, member)
        error = member.error
        if len(parts) > MAX_DEPTH or any(len(part) > MAX_PART for part in whole):
            error = "this entry's name is too long. Create the archive again with shorter names."
        yield replace(entry, error=f"{entry.shown}: {error}" if error else "")


def _mended(name: str) -> str:
    """The name as UTF-8 if the archive contains UTF-8 without saying so."""
    if name.isascii():
        return name
    try:
        return name.encode("cp437").decode("utf-8")
    except UnicodeError:
        return name
