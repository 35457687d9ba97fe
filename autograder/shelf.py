"""Single records of a stored run, read out of its evidence without the rest.

Covered: a file that was written again or moved (size and time of writing, then its own checksum);
damage to a record that is read (a checksum of each). Not covered: damage that leaves the time
of writing as it was, in records that nobody reads.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import TypeVar

import msgspec

from autograder.evidence import SUM, EvidenceFolder, EvidenceStore
from autograder.sandbox.run import CellRun, Measured, ProbeRun, Run, Stop
from autograder.wire.types import resolved

T = TypeVar("T")


class Damaged(Exception):
    """A record is not what it was when it was shelved."""


class Place(msgspec.Struct, frozen=True, array_like=True):
    """Where a record lies in its file: first byte, number of bytes, their checksum."""

    at: int
    size: int
    sum: int


class FileMark(msgspec.Struct, frozen=True, array_like=True):
    """By what a file is known to be as it was: size, time of writing, checksum of its bytes."""

    size: int
    written_ns: int
    sum: int


class Shelf(msgspec.Struct, frozen=True):
    """What of one evidence file must be known to read parts of it. ``silent``: its cells without
    what they showed, ``cells``: where they lie with it."""

    key: str
    mark: FileMark
    measured: Measured
    silent: tuple[CellRun, ...]
    cells: Place
    probes: dict[str, Place]


class _RawRun(msgspec.Struct):
    cells: msgspec.Raw
    probes: list[msgspec.Raw]
    measured: Measured


class _RawEnvelope(msgspec.Struct):
    key: str
    run: msgspec.Raw


class _Head(msgspec.Struct):
    id: str
    stop: Stop | None


class ShelvedRun(Run, frozen=True, dict=True):
    """A stored run whose answers are read when they are asked for. ``probes`` is empty, and the
    cells are without their outputs: no verdict is made of these."""

    files: tuple[tuple[Path, Shelf], ...] = ()

    def probe(self, id_: str) -> ProbeRun | None:
        """The one record of a probe; None when there is none. Raises ``Damaged``."""
        for path, shelf in self.files:
            place = shelf.probes.get(id_)
            if place is not None:
                return _record(path, place, ProbeRun)
        return None

    def with_outputs(self) -> Run:
        """The same with what the cells showed. Raises ``Damaged``."""
        path, shelf = self.files[0]
        cells = _record(path, shelf.cells, tuple[CellRun, ...])
        return msgspec.structs.replace(self, cells=cells)


_CELLS, _PROBES = (msgspec.msgpack.encode(name) for name in ("cells", "probes"))


def shelve(store: EvidenceStore, key: str) -> Shelf | None:
    """The places of a stored run's records.

    None when there is no whole file of this machine, and for a run that is only understood as a
    whole: two records of one name, or a time limit of the whole run, which every record speaks of.
    """
    if not isinstance(store, EvidenceFolder):
        return None
    path = store.path(key)
    try:
        with path.open("rb") as file:
            written = os.fstat(file.fileno()).st_mtime_ns
            data = file.read()
        envelope = msgspec.msgpack.decode(memoryview(data)[SUM:], type=resolved(_RawEnvelope))
        run = msgspec.msgpack.decode(envelope.run, type=resolved(_RawRun))
        cells = bytes(run.cells)
        at = cells_at = _behind(data, _CELLS, SUM, cells)
        ran = msgspec.msgpack.decode(cells, type=resolved(tuple[CellRun, ...]))
        stops = [cell.stop for cell in ran]
        at = data.index(_PROBES, at + len(cells)) + len(_PROBES) + _head_size(len(run.probes))
        probes: dict[str, Place] = {}
        for raw in run.probes:
            head, size = msgspec.msgpack.decode(raw, type=resolved(_Head)), len(bytes(raw))
            if data[at : at + size] != bytes(raw):
                raise ValueError("a record is not where it must be")
            probes[head.id] = Place(at, size, zlib.crc32(raw))
            stops.append(head.stop)
            at += size
    except (OSError, msgspec.MsgspecError, ValueError, RecursionError):
        return None
    out_of_time = any(stop is not None and stop.cause == "budget" for stop in stops)
    if envelope.key != key or len(probes) < len(run.probes) or out_of_time:
        return None
    mark = FileMark(len(data), written, int.from_bytes(data[:SUM], "big"))
    place = Place(cells_at, len(cells), zlib.crc32(cells))
    return Shelf(key, mark, run.measured, tuple(map(_silent, ran)), place, probes)


def shelved_run(store: EvidenceStore, shelves: tuple[Shelf, ...]) -> ShelvedRun | None:
    """The run whose records lie on these shelves, the ordinary one first; None where a file is
    not as it was."""
    if not isinstance(store, EvidenceFolder):
        return None
    files = tuple((store.path(shelf.key), shelf) for shelf in shelves)
    if not files or not all(_is_whole(path, shelf.mark) for path, shelf in files):
        return None
    first = shelves[0]
    return ShelvedRun(first.silent, (), first.measured, (), files)


def _silent(cell: CellRun) -> CellRun:
    claim = cell.claim and msgspec.structs.replace(cell.claim, outputs=())
    return msgspec.structs.replace(cell, claim=claim)


def file_mark(path: Path) -> FileMark | None:
    """A file as it is now; None when it cannot be read."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            return FileMark(status.st_size, status.st_mtime_ns, zlib.crc32(file.read()))
    except OSError:
        return None


def is_as_it_was(path: Path, mark: FileMark) -> bool:
    """Whether a file still has what it had: by its time, or else by its bytes."""
    if (same := _by_time(path, mark)) is not None:
        return same
    now = file_mark(path)
    return now is not None and (now.size, now.sum) == (mark.size, mark.sum)


def _is_whole(path: Path, mark: FileMark) -> bool:
    """The same of an evidence file, which brings a checksum of its own."""
    if (same := _by_time(path, mark)) is not None:
        return same
    try:
        data = memoryview(path.read_bytes())
    except OSError:
        return False
    own = int.from_bytes(data[:SUM], "big")
    return len(data) == mark.size and own == mark.sum == zlib.crc32(data[SUM:])


def _by_time(path: Path, mark: FileMark) -> bool | None:
    """False for a file that is gone or of another size, None where its bytes must tell."""
    try:
        status = path.stat()
    except OSError:
        return False
    if status.st_size != mark.size:
        return False
    return True if status.st_mtime_ns == mark.written_ns else None


def _behind(data: bytes, key: bytes, start: int, value: bytes) -> int:
    """Where the value behind this key begins; raises ``ValueError`` when it is not there."""
    at = data.index(key, start) + len(key)
    if data[at : at + len(value)] != value:
        raise ValueError("a record is not where it must be")
    return at


def _head_size(count: int) -> int:
    """Bytes in front of a MessagePack array of so many items."""
    return 1 if count < 16 else 3 if count < 1 << 16 else 5


def _record(path: Path, place: Place, kind: type[T]) -> T:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            data = os.pread(fd, place.size, place.at)
        finally:
            os.close(fd)
    except OSError as bad:
        raise Damaged(f"{path}: {bad.strerror}") from None
    if zlib.crc32(data) != place.sum:
        raise Damaged(f"{path}: bytes {place.at} to {place.at + place.size} are damaged")
    return msgspec.msgpack.decode(data, type=resolved(kind))
