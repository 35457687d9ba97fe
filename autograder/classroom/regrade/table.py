"""The store of remembered findings: one table in a file next to the results, from a digest to its
finding.

It only saves time. If the file is missing, damaged, locked or on a full disk, nothing is
remembered; every entry has a checksum of its own.
Covered: killed processes (SQLite's log); several threads.
Not covered: somebody with write access to the folder who wants to deceive.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import zlib
from pathlib import Path
from types import TracebackType

_SUM = 4  # bytes in front of a value: the checksum of key and value
_FILES = ("", "-wal", "-shm")
_BEGIN = (
    "PRAGMA locking_mode = EXCLUSIVE",  # the results folder has one grader at a time
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = NORMAL",
    "CREATE TABLE IF NOT EXISTS remembered (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID",
)


class DigestTable:
    """An open table; a context manager. None of its methods raises."""

    def __init__(self, path: Path) -> None:
        """Open the file, or create it; one that cannot be used is replaced, unless another process
        uses it."""
        self._path, self._lock = path, threading.RLock()
        self._connection: sqlite3.Connection | None = None
        try:
            self._connection = _opened(path)
        except sqlite3.Error as bad:
            in_use = getattr(bad, "sqlite_errorcode", 0) == sqlite3.SQLITE_BUSY
            # A table in use is not made anew.
            self._connection = None if in_use else self._anew()

    def __enter__(self) -> DigestTable:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with self._lock, contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.commit()
                self._connection.close()
        self._connection = None

    def get(self, key: bytes) -> bytes | None:
        """What is remembered under a key; None if there is nothing or it is damaged."""
        rows = self._run("SELECT value FROM remembered WHERE key = ?", key)
        value = rows[0][0] if rows else None
        if not isinstance(value, bytes) or value[:_SUM] != _sum(key, value[_SUM:]):
            return None
        return value[_SUM:]

    def put(self, key: bytes, value: bytes) -> None:
        """Remember it; it survives a kill only after the next ``commit``."""
        stored = _sum(key, value) + value
        self._run("INSERT OR REPLACE INTO remembered VALUES (?, ?)", key, stored)

    def commit(self) -> None:
        """Make everything outlast this process."""
        with self._lock:
            if self._connection is not None:
                try:
                    self._connection.commit()
                except sqlite3.Error:
                    self._connection = self._anew()

    def _run(self, statement: str, *values: bytes) -> list[tuple[object, ...]]:
        with self._lock:
            if self._connection is None:
                return []
            try:
                return self._connection.execute(statement, values).fetchall()
            except sqlite3.Error:
                self._connection = self._anew()
                return []

    def _anew(self) -> sqlite3.Connection | None:
        """An empty table instead of this one; None if there can be none."""
        with contextlib.suppress(sqlite3.Error):
            if self._connection is not None:
                self._connection.close()
        with contextlib.suppress(OSError):
            for ending in _FILES:
                self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        with contextlib.suppress(sqlite3.Error):
            return _opened(self._path)
        return None


def _opened(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, timeout=1)
    try:
        for statement in _BEGIN:
            connection.execute(statement)
        connection.commit()
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _sum(key: bytes, value: bytes) -> bytes:
    return zlib.crc32(value, zlib.crc32(key)).to_bytes(_SUM, "big")
