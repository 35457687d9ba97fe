"""Evidence in a store: one record per run, named by the digest of all that could change it.

This provides resume, cache and idempotence: what is stored need not be run again. Only what enters
the sandbox counts (cells, calls, inputs, seed, limits) and the versions that run it; evidence
remains valid after a change of a tolerance, hint or number of points. A store is a folder (below)
or remote (``object_store``); its contents are the same, byte for byte: a record for each run, and
each large answer once (``stored_run``).

Covered: killed writers, damaged records (they count as absent). Not covered: somebody who can write
to the store and wants to deceive.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Protocol

import msgspec

from autograder.errors import StoreError
from autograder.evidence.records import Run
from autograder.evidence.stored_run import (
    AnswerPiece,
    Damaged,
    StoredRecord,
    StoredRun,
    compressed,
    packed,
    restored,
    stored_run,
)
from autograder.evidence.torch_build import torch_build
from autograder.files import write_atomic
from autograder.wire.messages import Job
from autograder.wire.pinned import PINNED
from autograder.wire.types import resolved

PACKAGE = Path(__file__).resolve().parents[1]
SUM = 4  # bytes in front: a checksum of the rest
_COMMENTS = re.compile(rb"(?m)^[ \t]*#.*\n")  # no text in them has a line like that
RUNNING = (
    "wire",
    "runner",
    "sandbox",
    "evidence/records",
    "evidence/stops",
)  # the modules that make a run
# these inspect the machine
NOT_IN_A_RUN = frozenset(
    f"sandbox/{name}.py" for name in ("attacks", "doctor", "leftovers", "selftest")
)


class Envelope(msgspec.Struct, frozen=True, tag_field="format", tag="autograder-evidence/2"):
    """What a record holds: its own key, so that a moved one is noticed."""

    key: str
    versions: dict[str, str]
    run: StoredRecord


class RecordStamp(msgspec.Struct, frozen=True, array_like=True):
    """What shows that a record is unchanged: its size, its modification time if it has one, and its
    checksum."""

    size: int
    written_ns: int
    sum: bytes


@cache
def versions() -> Mapping[str, str]:
    """The versions of everything that can change what a run yields, determined without imports."""
    return {
        "python": platform.python_version(),
        "torch": torch_build().version,
        "numpy": version("numpy"),
        "matplotlib": version("matplotlib"),
        "ipython": version("ipython"),
        "pinned": ", ".join(f"{name}: {value}" for name, value in PINNED),
        "box": _source_digest(),
    }


def _source_digest() -> str:
    return source_digest(*RUNNING, left_out=NOT_IN_A_RUN).hex()[:16]


def source_digest(*names: str, left_out: Collection[str] = ()) -> bytes:
    """The digest of these modules and packages of the grader, ignoring comment lines and all other
    files in their folders."""
    digest = hashlib.sha256()
    for path in sources(*names):
        own = path.relative_to(PACKAGE).as_posix()
        if own not in left_out:
            digest.update(own.encode() + b"\0" + _COMMENTS.sub(b"", path.read_bytes()))
    return digest.digest()


def sources(*names: str) -> Iterator[Path]:
    """The files of these modules and packages of the grader, in order."""
    for name in names:
        folder = PACKAGE / name
        yield from sorted(folder.rglob("*.py")) if folder.is_dir() else [PACKAGE / f"{name}.py"]


def key_of(job: Job) -> str:
    """The digest that names this job's evidence."""
    digest = hashlib.sha256(msgspec.msgpack.encode(job))
    digest.update(msgspec.json.encode(sorted(versions().items())))
    return digest.hexdigest()


def name_of(key: str) -> str:
    """The name of a record in a store, below the store's own path: ``<2
    digits>/<key>.evidence``."""
    return f"{key[:2]}/{key}.evidence"


def piece_name(digest: bytes) -> str:
    """The name of a large answer in a store; any number of records may refer to it."""
    return f"answers/{digest.hex()[:2]}/{digest.hex()}"


def encoded(key: str, record: StoredRecord) -> tuple[bytes, bytes]:
    """A record as bytes: the checksum, then the rest."""
    data = msgspec.msgpack.encode(Envelope(key, dict(versions()), record))
    return _sum(data), data


def decoded(key: str, stored: bytes) -> StoredRecord | None:
    """The record stored under this key; None if it is damaged or belongs to another key."""
    data = memoryview(stored)
    if data[:SUM] != _sum(data[SUM:]):
        return None
    try:
        envelope = msgspec.msgpack.decode(data[SUM:], type=resolved(Envelope))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return envelope.run if envelope.key == key else None


class EvidenceStore(Protocol):
    """Where runs are kept. Used from several threads, and by several graders at once: two that save
    under one key save equal runs."""

    def load(self, key: str) -> Run | None:
        """The run under this key, or None; a damaged one counts as absent. Raises
        ``StoreError``."""
        ...

    def open(self, key: str) -> Run | None:
        """The run under this key, or None. Its answers may be read only on demand, which raises
        ``Damaged`` for a damaged one. Raises ``StoreError``."""
        ...

    def save(self, key: str, run: Run) -> None:
        """Write a run completely or not at all; raises ``StoreError``."""
        ...

    def stamp(self, key: str, known: RecordStamp | None = None) -> RecordStamp | None:
        """The present stamp of the record; None when there is no complete one. A record with the
        size and the time of the ``known`` stamp is not read again. Raises ``StoreError``."""
        ...


class Records(ABC):
    """A store of named files: ``<2 digits>/<key>.evidence``, and large answers in ``answers/``.

    A record is written after all its answers. A damaged one is written again by the next run that
    yields it.
    """

    def __init__(self) -> None:
        self._damaged: set[bytes] = set()

    def load(self, key: str) -> Run | None:
        """The run under this key, or None; a damaged one counts as absent. Raises
        ``StoreError``."""
        run = self.open(key)
        try:
            return None if run is None else run.whole()
        except (Damaged, msgspec.MsgspecError, ValueError, RecursionError):
            return None

    def open(self, key: str) -> StoredRun | None:
        """The run under this key, or None; reading its answers later may raise ``Damaged``.
        Raises ``StoreError``."""
        stored = self._read(name_of(key))
        found = None if stored is None else decoded(key, stored)
        return None if found is None else stored_run(found, self._answer)

    def save(self, key: str, run: Run) -> None:
        """Write a run: each large answer that is not stored yet, then the record. Raises
        ``StoreError``."""
        whole = packed(run)
        for digest, data in whole.large.items():
            name = piece_name(digest)
            if digest in self._damaged or not self._has(name):
                self._write(name, compressed(data))
                self._damaged.discard(digest)
        self._write(name_of(key), *encoded(key, whole.record))

    def stamp(self, key: str, known: RecordStamp | None = None) -> RecordStamp | None:
        """The present stamp of the record; None when there is no complete one. Raises
        ``StoreError``."""
        written = self._written(name_of(key))
        if known is not None and written == (known.size, known.written_ns):
            return known
        data = memoryview(self._read(name_of(key)) or b"")
        own = bytes(data[:SUM])
        return RecordStamp(len(data), written[1], own) if own == _sum(data[SUM:]) else None

    def take_over(self, other: EvidenceFolder) -> None:
        """Copy or move all that another store has into this one; damaged records count as absent
        here as well. Raises ``StoreError``."""
        for name in other.names():
            if not self._has(name) and (data := other._read(name)) is not None:
                self._write(name, data)

    def _answer(self, piece: AnswerPiece) -> bytes:
        stored = self._read(piece_name(piece.digest))
        try:
            return restored(stored or b"", piece)
        except Damaged:
            self._damaged.add(piece.digest)
            raise

    @abstractmethod
    def _read(self, name: str) -> bytes | None:
        """The bytes of a file; None if it does not exist. Raises ``StoreError``."""

    @abstractmethod
    def _write(self, name: str, *parts: bytes) -> None:
        """Write a file completely or not at all; raises ``StoreError``."""

    def _written(self, name: str) -> tuple[int, int]:
        """Size and modification time, where files have them and reading them needs no network."""
        return (-1, -1)

    @abstractmethod
    def _has(self, name: str) -> bool:
        """Whether a file exists. Raises ``StoreError``."""


class EvidenceFolder(Records):
    """Files below one folder of this machine."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder

    def path(self, key: str) -> Path:
        return self.folder / name_of(key)

    def names(self) -> Iterator[str]:
        """The readable files: each answer before the records that refer to it."""
        for pattern in ("answers/*/*", "*/*.evidence"):
            for path in self.folder.glob(pattern):
                # What cannot be read is not taken over.
                if path.is_file() and os.access(path, os.R_OK):
                    yield str(path.relative_to(self.folder))

    def take_over(self, other: EvidenceFolder) -> None:
        """Copy or move all that another store has into this folder. Raises ``StoreError``."""
        for name in list(other.names()):
            target = self.folder / name
            if self._has(name):  # what a store has is not replaced
                continue
            with suppress(OSError):  # files on another disk, or that cannot be written: below
                target.parent.mkdir(parents=True, exist_ok=True)
                (other.folder / name).replace(target)
        super().take_over(other)

    def keep_only(self, keys: Collection[str]) -> int:
        """Delete the records of other keys, and the answers that no remaining record uses.

        Returns the number of records deleted. Raises ``StoreError``.
        """
        records = list(self.folder.glob("*/*.evidence"))
        others = [path for path in records if path.stem not in keys]
        named: set[str] = set()
        for path in records:
            if path.stem in keys and (run := self.open(path.stem)) is not None:
                named |= {piece.digest.hex() for piece in run.record.pieces()}
        answers = (path for path in self.folder.glob("answers/*/*") if path.name not in named)
        for path in (*others, *answers):
            try:
                path.unlink()
            except OSError as failed:
                raise StoreError(f"{path}: cannot be removed ({failed.strerror})") from None
        return len(others)

    def _read(self, name: str) -> bytes | None:
        path = self.folder / name
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as failed:
            raise StoreError(f"{path}: cannot be read ({failed.strerror})") from None

    def _write(self, name: str, *parts: bytes) -> None:
        write_atomic(self.folder / name, *parts)

    def _written(self, name: str) -> tuple[int, int]:
        try:
            status = (self.folder / name).stat()
        except OSError:
            return (-1, -1)
        return status.st_size, status.st_mtime_ns

    def _has(self, name: str) -> bool:
        return (self.folder / name).is_file()


def _sum(data: bytes | memoryview) -> bytes:
    return zlib.crc32(data).to_bytes(SUM, "big")
