"""A run as it is stored: a record of how everything ended, and answers by their digest.

Large answers are separate pieces, compressed, and stored once however many runs gave them; the
others are compressed together within the record. A ``StoredRun`` reads only what is asked for.

Covered: pieces that are damaged, missing or swapped (``Damaged``); a piece never takes more memory
than its stated size, which is at most that of one message on the wire. Not covered: somebody who
can write to the store and wants to deceive.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

import msgspec

from autograder.evidence.records import CellRun, Measured, ProbeRun, Run, Stop, TimeSpent
from autograder.wire.messages import MAX_FRAME, CellDone, Outcome, Output
from autograder.wire.types import resolved

T = TypeVar("T")

LARGE = 4096  # bytes from which on an answer is a separate piece
_PLANES = 4  # the number of bytes in a float32
_SAMPLE = 1024  # sample of a plane, in bytes, that shows whether it can be compressed
_WORTH = 0.8  # share of its size that a plane may take compressed
_SIZE = 4  # bytes that hold the size of a plane
_QUICK = 1  # zlib's level: higher ones cost much and save little
_encode = msgspec.msgpack.encode


class Damaged(Exception):
    """A piece of a stored run has changed since it was stored, or is missing."""


class AnswerPiece(msgspec.Struct, frozen=True, array_like=True):
    """An encoded answer: the SHA-256 digest and the number of its bytes."""

    digest: bytes
    size: int


class StoredCell(msgspec.Struct, frozen=True, array_like=True):
    """A cell's record; ``claim`` is without its outputs."""

    number: int
    claim: CellDone | None
    stop: Stop | None
    spent: TimeSpent
    outputs: AnswerPiece | None


class StoredProbe(msgspec.Struct, frozen=True, array_like=True):
    """A probe's record without its answer."""

    id: str
    claim: AnswerPiece | None
    stop: Stop | None
    spent: TimeSpent


class StoredRecord(msgspec.Struct, frozen=True, array_like=True):
    """A run without its large answers; ``small``: the others, in order, compressed."""

    cells: tuple[StoredCell, ...]
    probes: tuple[StoredProbe, ...]
    measured: Measured
    lost: tuple[str, ...]
    small: bytes

    def pieces(self) -> Iterator[AnswerPiece]:
        """Every answer's piece, in order."""
        yield from (cell.outputs for cell in self.cells if cell.outputs is not None)
        yield from (probe.claim for probe in self.probes if probe.claim is not None)


@dataclass(frozen=True, slots=True)
class PackedRun:
    """A run to be stored. ``large`` has the encoded answers that are separate pieces."""

    record: StoredRecord
    large: Mapping[bytes, bytes]


def packed(run: Run) -> PackedRun:
    """A run as it is stored."""
    pieces: dict[bytes, bytes] = {}

    def piece(answer: object) -> AnswerPiece:
        data = _encode(answer)
        digest = hashlib.sha256(data).digest()
        pieces[digest] = data
        return AnswerPiece(digest, len(data))

    cells = tuple(
        StoredCell(
            cell.number,
            _silent(cell.claim),
            cell.stop,
            cell.spent,
            piece(cell.claim.outputs) if cell.claim and cell.claim.outputs else None,
        )
        for cell in run.cells
    )
    probes = tuple(
        StoredProbe(probe.id, piece(probe.claim) if probe.claim else None, probe.stop, probe.spent)
        for probe in run.probes
    )
    small = b"".join(data for data in pieces.values() if len(data) < LARGE)
    record = StoredRecord(cells, probes, run.measured, run.lost, zlib.compress(small, _QUICK))
    return PackedRun(record, {key: data for key, data in pieces.items() if len(data) >= LARGE})


class StoredRun(Run, frozen=True, dict=True, kw_only=True):
    """A stored run whose answers are read by ``fetch`` on demand.

    ``probes`` is empty, and the cells are without outputs: ``whole`` has both.
    """

    record: StoredRecord
    fetch: Callable[[AnswerPiece], bytes]

    def probe(self, id_: str) -> ProbeRun | None:
        """The one record of a probe; None if there is none or several. Raises ``Damaged``."""
        found = self._records.get(id_, ())
        return self._read(found[0]) if len(found) == 1 else None

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """Every cell and call that the outside ended."""
        cells, probes = self.record.cells, self.record.probes
        stops = (*(cell.stop for cell in cells), *(probe.stop for probe in probes))
        return tuple(stop for stop in stops if stop is not None)

    def answer(self, id_: str) -> bytes | None:
        """The SHA-256 digest of a probe's encoded claim, empty without one; reads no answer."""
        found = self._records.get(id_, ())
        if len(found) != 1:
            return None
        return found[0].claim.digest if found[0].claim is not None else b""

    def ending(self, id_: str) -> tuple[Stop | None, TimeSpent] | None:
        """The stop and the seconds of a probe; None unless it has exactly one record."""
        found = self._records.get(id_, ())
        return (found[0].stop, found[0].spent) if len(found) == 1 else None

    def whole(self) -> Run:
        """The run with all its answers. Raises ``Damaged``."""
        record = self.record
        outputs = (
            self._decoded(cell.outputs, tuple[Output, ...]) if cell.outputs else ()
            for cell in record.cells
        )
        cells = tuple(
            CellRun(
                cell.number,
                cell.claim and msgspec.structs.replace(cell.claim, outputs=shown),
                cell.stop,
                cell.spent,
            )
            for cell, shown in zip(record.cells, outputs, strict=True)
        )
        return Run(cells, tuple(map(self._read, record.probes)), record.measured, record.lost)

    def _read(self, probe: StoredProbe) -> ProbeRun:
        claim = self._decoded(probe.claim, Outcome) if probe.claim else None
        return ProbeRun(probe.id, claim, probe.stop, probe.spent)

    def _decoded(self, piece: AnswerPiece, kind: type[T]) -> T:
        data = self._small.get(piece.digest) if piece.size < LARGE else self.fetch(piece)
        if data is None:
            raise Damaged("a record lacks one of its own answers")
        return msgspec.msgpack.decode(data, type=resolved(kind))

    @cached_property
    def _records(self) -> dict[str, list[StoredProbe]]:
        index: dict[str, list[StoredProbe]] = {}
        for probe in self.record.probes:
            index.setdefault(probe.id, []).append(probe)
        return index

    @cached_property
    def _small(self) -> dict[bytes, bytes]:
        sizes = {piece.digest: piece.size for piece in self.record.pieces() if piece.size < LARGE}
        data = memoryview(inflated(self.record.small, sum(sizes.values())))
        found, at = {}, 0
        for digest, size in sizes.items():
            found[digest] = bytes(data[at : at + size])
            at += size
        return found


def stored_run(record: StoredRecord, fetch: Callable[[AnswerPiece], bytes]) -> StoredRun:
    """The run of a record; ``fetch`` returns the bytes of a large answer, or raises ``Damaged``."""
    cells = tuple(CellRun(cell.number, cell.claim, cell.stop, cell.spent) for cell in record.cells)
    return StoredRun(cells, (), record.measured, record.lost, record=record, fetch=fetch)


def compressed(data: bytes) -> bytes:
    """The bytes of a piece as they are stored: its planes, each with its size in front.

    A plane holds every fourth byte, so that the exponents of float32 numbers are together and can
    be compressed. A plane whose sample looks random is stored uncompressed.
    """
    parts = []
    for start in range(_PLANES):
        plane = data[start::_PLANES]
        middle = max(len(plane) - _SAMPLE, 0) // 2
        sample = plane[middle : middle + _SAMPLE]
        if len(zlib.compress(sample, _QUICK)) < _WORTH * len(sample):
            plane = min(plane, zlib.compress(plane, _QUICK), key=len)
        parts += [len(plane).to_bytes(_SIZE, "big"), plane]
    return b"".join(parts)


def restored(stored: bytes, piece: AnswerPiece) -> bytes:
    """The bytes of a piece. Raises ``Damaged`` unless they match its digest."""
    if not 0 <= piece.size <= MAX_FRAME:
        raise Damaged("a piece of a run has an impossible size")
    data = bytearray(piece.size)
    at = 0
    for start in range(_PLANES):
        size = int.from_bytes(stored[at : at + _SIZE], "big")
        plane = stored[at + _SIZE : at + _SIZE + size]
        at += _SIZE + size
        wanted = len(range(start, piece.size, _PLANES))
        data[start::_PLANES] = plane if len(plane) == wanted else inflated(plane, wanted)
    if at != len(stored) or hashlib.sha256(data).digest() != piece.digest:
        raise Damaged("a piece of a run does not match its digest")
    return bytes(data)


def inflated(stored: bytes, size: int) -> bytes:
    """Exactly ``size`` bytes, never holding more in memory; a digest or a checksum shows whether
    they are the right ones. Raises ``Damaged``."""
    try:
        data = zlib.decompressobj().decompress(stored, size + 1)
    except zlib.error as bad:
        raise Damaged(str(bad)) from None
    if len(data) != size:
        raise Damaged("a piece of a run has the wrong size")
    return data


def _silent(claim: CellDone | None) -> CellDone | None:
    return claim and msgspec.structs.replace(claim, outputs=())
