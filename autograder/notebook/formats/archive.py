"""Reads submissions out of a zip archive in memory; nothing is ever extracted to disk.

Covered: pipes and devices, links, absolute names, names with '..', encrypted members, members that
unpack to far more than their packed size (declared or real), too many entries, too large a total,
damaged archives; the same in an archive that is an entry. Each is rejected with a sentence.

Not covered: zip64 (archives over 4 GB or 65,535 entries) and compression other than deflate; both
are rejected. Members that are not submissions are never unpacked or counted.
"""

from __future__ import annotations

import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

from autograder.errors import SubmissionError
from autograder.notebook.formats.read import MAX_BYTES
from autograder.notebook.formats.text import without_surrogates

MAX_ENTRIES = 10_000
MAX_TOTAL = 500_000_000  # bytes of all submissions together, unpacked
MAX_RATIO = 200  # unpacked bytes for each packed byte ...
RATIO_FROM = 10_000_000  # ... in members of at least this many bytes
MAX_PACKED = MAX_BYTES + 1_000_000  # packed bytes of an entry that are read
MAX_DIRECTORY = 8_000_000  # bytes of the list of entries

_END = struct.Struct("<4s4H2LH")  # the end-of-directory record
_END_SIGNATURE = b"PK\x05\x06"
_ZIP64_SIGNATURE = b"PK\x06\x07"
_ZIP64_LOCATOR = 20
_RECORD = struct.Struct("<4s6H3L5H2L")  # of an entry, in the list of them
_PACKED, _LENGTHS, _OFFSET = 8, slice(10, 13), slice(42, 46)  # the last one in bytes
_LOCAL = struct.Struct("<4s5H3L2H")  # the head of an entry, in front of what is packed
_LOCAL_LENGTHS = slice(9, 11)
_CHANGED = "the archive has changed since it was listed."
_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
    ValueError,
    OverflowError,
    IndexError,
    MemoryError,
)


@dataclass(frozen=True, slots=True)
class Member:
    """One entry of an archive: its name, its place in the list, why it is refused; where its record
    in the list, and its packed data, begin in the file; the entry ``within`` which it is, if that
    is an archive itself."""

    name: str
    entry: int
    error: str = ""
    record: int = 0
    packed: int = 0
    within: Member | None = None

    @property
    def outermost(self) -> int:
        """The place, in the file's own list, of this entry or of the archive that it is in."""
        return self.within.outermost if self.within is not None else self.entry


def list_members(path: Path) -> Iterator[Member]:
    """List the archive's files by name, without folders; raises SubmissionError if the archive
    itself is rejected."""
    with _opened(path) as archive:
        entries = archive.infolist()
        start, length = archive.start_dir, archive.fp.seek(0, 2) if archive.fp else 0
    _check_count(path, entries)
    records = _records(path, start, length, len(entries))
    members = [
        Member(_name(info), place, _refusal(info), record, info.header_offset)
        for place, (info, record) in enumerate(zip(entries, records, strict=True))
        if not is_folder(info)
    ]
    yield from sorted(members, key=lambda member: (member.name, member.entry))


def list_nested(path: Path, outer: Member) -> list[Member]:
    """List the files of an archive that is itself an entry; raises SubmissionError."""
    with _nested(path, outer) as archive:
        entries = archive.infolist()
    _check_count(path, entries)
    return [
        Member(_name(info), place, _refusal(info), within=outer)
        for place, info in enumerate(entries)
        if not is_folder(info)
    ]


def raw_entries(path: Path) -> list[zipfile.ZipInfo]:
    """The archive's own list of entries, for counting; raises SubmissionError as ``list_members``
    does."""
    with _opened(path) as archive:
        entries = archive.infolist()
    _check_count(path, entries)
    return entries


def is_folder(info: zipfile.ZipInfo) -> bool:
    """Whether an entry is a folder: one that holds data is a file, whatever its name ends in."""
    # An entry that holds data is no folder.
    return _name(info).endswith("/") and info.file_size == 0


def _check_count(path: Path, entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > MAX_ENTRIES:
        raise SubmissionError(
            f"{_shown(path)}: the archive has {len(entries):,} entries; at most {MAX_ENTRIES:,} "
            "are read. Unpack it and pass the folder instead."
        )


def check_total(path: Path, members: list[Member]) -> None:
    """Raise SubmissionError if these members unpack to more than ``MAX_TOTAL`` bytes."""
    with _opened(path) as archive:
        entries = archive.infolist()
    total = sum(entries[member.entry].file_size for member in members if not member.error)
    if total > MAX_TOTAL:
        raise SubmissionError(
            f"{_shown(path)}: the submissions in the archive unpack to {total:,} bytes; at most "
            f"{MAX_TOTAL:,} are read. Unpack it and pass the folder instead."
        )


def read_member(path: Path, member: Member, at_most: int = MAX_BYTES + 1) -> bytes:
    """The first ``at_most`` bytes of a member; raises SubmissionError.

    The list of entries is not read again: all submissions in one archive are read in one pass.
    """
    place = f"{_shown(path)}/{member.name}"
    within = member.within
    with _nested(path, within) if within is not None else _alone(path, member) as archive:
        entries = archive.infolist()
        entries = entries if within is None else entries[member.entry : member.entry + 1]
        # An entry of an archive that is another one by now.
        if len(entries) != 1 or _name(entries[0]) != member.name:
            raise SubmissionError(f"{place}: {_CHANGED}")
        info = entries[0]
        if refusal := _refusal(info):
            raise SubmissionError(f"{place}: {refusal}")
        try:
            with archive.open(info) as stream:
                return stream.read(at_most)
        except _BROKEN as bad:
            raise SubmissionError(
                f"{place}: this entry of the archive is damaged ({_reason(bad)}). Create the "
                "archive again."
            ) from None


def _nested(path: Path, outer: Member) -> zipfile.ZipFile:
    data = io.BytesIO(read_member(path, outer))
    try:
        _check_directory(data)
        return zipfile.ZipFile(data)
    except _BROKEN as bad:
        raise _unreadable(f"{_shown(path)}/{outer.name}", bad) from None


def _opened(path: Path) -> zipfile.ZipFile:
    try:
        if not path.is_file():  # opening a pipe would wait forever
            raise zipfile.BadZipFile("not a file")
        with path.open("rb") as stream:
            _check_directory(stream)
        return zipfile.ZipFile(path)
    except _BROKEN as bad:
        raise _unreadable(_shown(path), bad) from None


def _unreadable(place: str, bad: BaseException) -> SubmissionError:
    return SubmissionError(
        f"{place}: the archive cannot be read ({_reason(bad)}). Create it again, as an ordinary "
        "zip file without a password."
    )


def _records(path: Path, start: int, length: int, count: int) -> list[int]:
    """Where each record of the list of entries begins; raises SubmissionError."""
    with path.open("rb") as stream:
        stream.seek(start)
        data = stream.read(min(length - start, MAX_DIRECTORY + _END.size + 65_536))
    places, at = [], 0
    for _ in range(count):
        if at + _RECORD.size > len(data):
            raise SubmissionError(f"{_shown(path)}: {_CHANGED}")
        places.append(start + at)
        at += _RECORD.size + sum(_RECORD.unpack_from(data, at)[_LENGTHS])
    return places


def _alone(path: Path, member: Member) -> zipfile.ZipFile:
    """An archive in memory with only this entry; raises SubmissionError."""
    try:
        with path.open("rb") as stream:
            stream.seek(member.record)
            head = stream.read(_RECORD.size)
            lengths = _RECORD.unpack(head)[_LENGTHS]
            record = bytearray(head + stream.read(sum(lengths)))
            packed = min(_RECORD.unpack(head)[_PACKED], MAX_PACKED)
            stream.seek(member.packed)
            local = stream.read(_LOCAL.size)
            named = stream.read(sum(_LOCAL.unpack(local)[_LOCAL_LENGTHS]))
            data = local + named + stream.read(packed)
        record[_OFFSET] = bytes(4)  # the entry now starts at offset 0
        end = _END.pack(_END_SIGNATURE, 0, 0, 1, 1, len(record), len(data), 0)
        return zipfile.ZipFile(io.BytesIO(data + record + end))
    except _BROKEN:
        raise SubmissionError(f"{_shown(path)}/{member.name}: {_CHANGED}") from None


def _check_directory(stream: IO[bytes]) -> None:
    """Refuse an archive whose list of entries is too long, before the list is read."""
    size = stream.seek(0, 2)
    stream.seek(max(0, size - 65_536 - _END.size))
    tail = stream.read()
    at = len(tail) - _END.size
    if at < 0 or not (tail[at:].startswith(_END_SIGNATURE) and tail.endswith(b"\0\0")):
        at = tail.rfind(_END_SIGNATURE)
    if at < 0 or len(tail) - at < _END.size:
        raise zipfile.BadZipFile("not a zip archive, or cut off")
    if tail[max(0, at - _ZIP64_LOCATOR) : at].startswith(_ZIP64_SIGNATURE):
        raise zipfile.BadZipFile("zip64, for archives too large to read here")
    directory = _END.unpack_from(tail, at)[5]
    if directory > MAX_DIRECTORY:
        raise zipfile.BadZipFile(f"its list of entries is {directory:,} bytes long")


def _refusal(info: zipfile.ZipInfo) -> str:
    """Why an entry is not read; empty when it may be. Each sentence ends with a fix."""
    name = PurePosixPath(_name(info))
    if stat.S_ISLNK(info.external_attr >> 16):
        return "this entry of the archive is a link. Put the file itself into the archive."
    drive = len(name.parts[0]) == 2 and name.parts[0][1] == ":" if name.parts else False
    if name.is_absolute() or drive or ".." in name.parts or not name.parts:
        return "this entry's name points outside the archive. Create the archive again."
    if info.flag_bits & 1:
        return "this entry of the archive is encrypted. Create the archive without a password."
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return (
            "this entry uses an unsupported compression method. Create the archive as an "
            "ordinary zip file."
        )
    if info.file_size > MAX_BYTES:
        return (
            f"this entry unpacks to {info.file_size:,} bytes; at most {MAX_BYTES:,} are read. "
            "Clear the notebook's outputs and create the archive again."
        )
    if info.file_size >= RATIO_FROM and info.file_size > MAX_RATIO * info.compress_size:
        return (
            f"this entry unpacks to more than {MAX_RATIO} times its packed size. Clear the "
            "notebook's outputs and create the archive again."
        )
    return ""


def _name(info: zipfile.ZipInfo) -> str:
    """The entry's full name, with the backslashes of older Windows tools turned into slashes and a
    replacement character for each NUL, at which ``filename`` would end."""
    # A name in an archive does not end at NUL.
    whole = without_surrogates(info.orig_filename)
    return whole.replace("\0", "\ufffd").replace("\\", "/")


def _shown(path: Path) -> str:
    return without_surrogates(path.name)


def _reason(bad: BaseException) -> str:
    return without_surrogates(str(getattr(bad, "strerror", None) or bad))[:200]
