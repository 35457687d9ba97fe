"""Evidence in a store: one record per run, named by the digest of all that could change it.

Resume, cache and idempotence in one: what is there need not be run again. Only what
enters the box counts (cells, calls, inputs, seed, limits) and the versions that run it;
a new tolerance, hint or point leaves evidence valid. A store is a folder (below) or lies
elsewhere (``object_store``); what it holds is the same, byte for byte.

Covered: killed writers, damaged records (they count as absent). Not covered: somebody who
may write in the store and wants to deceive.
"""

from __future__ import annotations

import hashlib
import platform
import zlib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Literal, Protocol

import msgspec

from autograder.errors import StoreError
from autograder.files import write_atomic
from autograder.sandbox.run import Run
from autograder.sandbox.torch_build import torch_build
from autograder.wire.messages import Job
from autograder.wire.pinned import PINNED
from autograder.wire.types import resolved

FORMAT: Literal["autograder-evidence/1"] = "autograder-evidence/1"
PACKAGE = Path(__file__).resolve().parent
SUM = 4  # bytes in front: a checksum of all that follows


class Envelope(msgspec.Struct, frozen=True):
    """What a record holds: its own key, so that a moved one is noticed."""

    format: Literal["autograder-evidence/1"]
    key: str
    versions: dict[str, str]
    run: Run


@cache
def versions() -> Mapping[str, str]:
    """Of everything that can change what a run yields; none of it is imported for that."""
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
    digest = hashlib.sha256()
    for folder in ("wire", "runner", "sandbox"):
        for path in sorted((PACKAGE / folder).rglob("*.py")):
            name = path.relative_to(PACKAGE).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def key_of(job: Job) -> str:
    """The digest that names this job's evidence."""
    digest = hashlib.sha256(msgspec.msgpack.encode(job))
    digest.update(msgspec.json.encode(sorted(versions().items())))
    return digest.hexdigest()


def name_of(key: str) -> str:
    """Where a store has it, below its own place: ``<2 digits>/<key>.evidence``."""
    return f"{key[:2]}/{key}.evidence"


def packed(key: str, run: Run) -> tuple[bytes, bytes]:
    """What a store writes: the checksum, then the record."""
    data = msgspec.msgpack.encode(Envelope(FORMAT, key, dict(versions()), run))
    return _sum(data), data


def unpacked(key: str, stored: bytes) -> Run | None:
    """The run of this key; None for what is damaged, or is another's."""
    data = memoryview(stored)
    if data[:SUM] != _sum(data[SUM:]):
        return None
    try:
        envelope = msgspec.msgpack.decode(data[SUM:], type=resolved(Envelope))
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return None
    return envelope.run if envelope.key == key else None


class EvidenceStore(Protocol):
    """Where runs are kept. Used from several threads, and by several graders at once: two that
    save under one key save the same."""

    def load(self, key: str) -> Run | None:
        """The run under this key, or None; a damaged one counts as absent. Raises
        ``StoreError``."""
        ...

    def save(self, key: str, run: Run) -> None:
        """Write a run, all of it or nothing; raises ``StoreError``."""
        ...


class EvidenceFolder:
    """Files below one folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        return self.folder / name_of(key)

    def load(self, key: str) -> Run | None:
        """As in ``EvidenceStore``."""
        try:
            return unpacked(key, self.path(key).read_bytes())
        except FileNotFoundError:
            return None
        except OSError as failed:
            raise StoreError(f"{self.path(key)}: cannot be read ({failed.strerror})") from None

    def save(self, key: str, run: Run) -> None:
        """As in ``EvidenceStore``."""
        write_atomic(self.path(key), *packed(key, run))


def _sum(data: bytes | memoryview) -> bytes:
    return zlib.crc32(data).to_bytes(SUM, "big")
