"""Records of one kind in a temporary file, so that many take no memory.

It only saves time: what cannot be written, or read again, is as if it had never been added.
"""

from __future__ import annotations

import contextlib
import tempfile
import threading
from collections.abc import Iterator
from typing import Generic, TypeVar

import msgspec

from autograder.wire.types import resolved

T = TypeVar("T", bound=msgspec.Struct)

IN_MEMORY = 64 * 1024  # bytes that need no file
_SIZE = 4  # bytes in front of each record


class Spool(Generic[T]):
    """Records in the order in which they were added, from any thread; closed by ``close``."""

    def __init__(self, kind: type[T]) -> None:
        self._decoder = msgspec.msgpack.Decoder(resolved(kind))
        self._lock, self._count = threading.Lock(), 0
        self._file = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115  until closed
        self._whole = True

    def __len__(self) -> int:
        return self._count if self._whole else 0

    def add(self, record: T) -> None:
        """One more. After a write that failed nothing is held any more."""
        try:
            data = msgspec.msgpack.encode(record)
        except (ValueError, msgspec.MsgspecError):  # a text that UTF-8 cannot hold
            return
        with self._lock:
            try:
                self._file.write(len(data).to_bytes(_SIZE, "big") + data)
                self._count += 1
            except OSError:
                self._whole = False

    def __iter__(self) -> Iterator[T]:
        if not self._whole:
            return
        self._file.seek(0)
        for _ in range(self._count):
            size = int.from_bytes(self._file.read(_SIZE), "big")
            yield self._decoder.decode(self._file.read(size))

    def close(self) -> None:
        """Let go of the file."""
        with contextlib.suppress(OSError):
            self._file.close()
