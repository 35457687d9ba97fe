"""Evidence on disk: one file per run, named by the digest of all that could change it.

Resume, cache and idempotence in one: what is there need not be run again. Only what
enters the box counts (cells, calls, inputs, seed, limits) and the versions that run it;
a new tolerance, hint or point leaves evidence valid.

Covered: killed writers, damaged files (they count as absent). Not covered: somebody who
may write in the folder and wants to deceive.
"""

from __future__ import annotations

import hashlib
import platform
import zlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import IPython
import matplotlib
import msgspec
import numpy as np
import torch

from autograder.errors import StoreError
from autograder.files import write_atomic
from autograder.sandbox.run import Run
from autograder.wire.messages import Job
from autograder.wire.pinned import PINNED

FORMAT: Literal["autograder-evidence/1"] = "autograder-evidence/1"
PACKAGE = Path(__file__).resolve().parent
SUM = 4  # bytes in front: a checksum of all that follows


class Envelope(msgspec.Struct, frozen=True):
    """What a file holds: its own key, so that a moved file is noticed."""

    format: Literal["autograder-evidence/1"]
    key: str
    versions: dict[str, str]
    run: Run


@cache
def versions() -> Mapping[str, str]:
    """Of everything that can change what a run yields."""
    return {
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "numpy": np.__version__,
        "matplotlib": matplotlib.__version__,
        "ipython": IPython.__version__,
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


class EvidenceStore:
    """Files below one folder: ``<2 digits>/<key>.evidence``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.evidence"

    def load(self, key: str) -> Run | None:
        """The run under this key, or None; a damaged file counts as absent."""
        try:
            data = memoryview(self.path(key).read_bytes())
            if data[:SUM] != _sum(data[SUM:]):
                return None
            envelope = msgspec.msgpack.decode(data[SUM:], type=Envelope)
        except (FileNotFoundError, msgspec.MsgspecError, ValueError, RecursionError):
            return None
        except OSError as failed:
            raise StoreError(f"{self.path(key)}: cannot be read ({failed.strerror})") from None
        return envelope.run if envelope.key == key else None

    def save(self, key: str, run: Run) -> None:
        """Write a run, all of it or nothing; raises ``StoreError``."""
        envelope = Envelope(FORMAT, key, dict(versions()), run)
        data = msgspec.msgpack.encode(envelope)
        write_atomic(self.path(key), _sum(data), data)


def _sum(data: bytes | memoryview) -> bytes:
    return zlib.crc32(data).to_bytes(SUM, "big")
