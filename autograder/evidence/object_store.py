"""Evidence in remote stores: a store's files as objects below a URL of any fsspec file system.

Covered: temporary faults (retried with increasing delays), and permanent ones (reported with the
URL and a fix); damaged and half-written objects (they count as absent); several graders using one
store; threads. Not covered: a file system that reports a write that did not happen.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import unquote

from fsspec import AbstractFileSystem, get_filesystem_class
from fsspec.core import url_to_fs

from autograder.errors import StoreError, UsageError
from autograder.evidence.store import EvidenceFolder, Records
from autograder.evidence.url import FORMS, StoreUrl, parsed
from autograder.files import not_written

T = TypeVar("T")

REMEMBERED = 10_000  # names of answers that are known to exist
PAUSES_S = (0.5, 2.0, 6.0)  # seconds before each retry
_S3 = ("s3", "s3a")
_CERTAIN = (  # retrying does not help
    PermissionError,
    FileNotFoundError,
    IsADirectoryError,
    NotADirectoryError,
    ImportError,
    ValueError,
    TypeError,
    NotImplementedError,
)
_SAID = 600  # characters of a message from another package


class EvidenceObjects(Records):
    """Objects below one URL, with the same names as the files of a folder.

    The file system is looked up each time: fsspec keeps one per process, and one per thread where
    it must. Raises ``UsageError`` for a URL that no file system here supports.
    """

    def __init__(self, url: str, *, pauses_s: Sequence[float] = PAUSES_S) -> None:
        super().__init__()
        self._there: set[str] = set()
        place = parsed(url)
        if isinstance(place, Path):
            raise UsageError(f"--evidence {place}: this is a folder")
        self._url, self._place, self._pauses_s = url, place, tuple(pauses_s)
        try:
            get_filesystem_class(place.protocol)
        except ImportError as lacking:
            raise UsageError(f"--evidence {place.shown}: {_package(place, lacking)}") from None
        except ValueError:
            raise UsageError(
                f"--evidence {place.shown}: unknown file system {place.protocol!r}; {FORMS}"
            ) from None

    @property
    def shown(self) -> str:
        """The URL without user, password and token."""
        return self._place.shown

    def try_out(self) -> None:
        """Read something that does not exist; write, read and delete a small object. Raises
        ``StoreError``."""
        name, data = f"00/{secrets.token_hex(16)}.probe", secrets.token_bytes(16)
        self._read(name)
        self._write(name, data)
        if self._read(name) != data:
            raise StoreError(f"{self.shown}: data that was just written there cannot be read back")
        with suppress(Exception):  # append-only storage is fine as well
            fs, root = self._reached()
            fs.rm_file(f"{root}/{name}")

    def _read(self, name: str) -> bytes | None:
        def read(fs: AbstractFileSystem, path: str) -> bytes | None:
            try:
                return bytes(fs.cat_file(path))
            except FileNotFoundError:
                return None

        return self._asked("read", read, name)

    def _write(self, name: str, *parts: bytes) -> None:
        data = b"".join(parts)

        def write(fs: AbstractFileSystem, path: str) -> None:
            try:
                fs.pipe_file(path, data)
            except FileNotFoundError:  # some have folders; a bucket is never made
                with suppress(FileExistsError):
                    fs.mkdir(path.rpartition("/")[0], create_parents=False)
                fs.pipe_file(path, data)

        self._asked("written", write, name)

    def _has(self, name: str) -> bool:
        """Asked once for each: an object that exists is not removed."""
        if name not in self._there:
            if not self._asked("read", lambda fs, path: bool(fs.exists(path)), name):
                return False
            if len(self._there) >= REMEMBERED:
                self._there.clear()
            self._there.add(name)
        return True

    def _asked(self, what: str, ask: Callable[[AbstractFileSystem, str], T], name: str) -> T:
        for pause in (*self._pauses_s, None):
            try:
                fs, root = self._reached()
                return ask(fs, f"{root}/{name}")
            except Exception as bad:  # noqa: BLE001  each file system has errors of its own
                if pause is None or isinstance(bad, _CERTAIN):
                    raise StoreError(self._told(what, bad)) from None
                time.sleep(pause)
        raise AssertionError("the last try returns or raises")

    def _reached(self) -> tuple[AbstractFileSystem, str]:
        place = self._place
        if place.protocol in _S3 and place.user:  # s3fs itself removes none from a URL
            fs, root = url_to_fs(place.shown, key=place.user, secret=place.password)
        else:
            fs, root = url_to_fs(self._url)
        return fs, str(root).rstrip("/")

    def _told(self, what: str, bad: Exception) -> str:
        said = " ".join(self._place.clean(unquote(str(bad))).split())[:_SAID]
        remedy = "check its address (a custom endpoint?), the credentials and the network"
        if isinstance(bad, PermissionError):
            remedy = "check the credentials: they must allow reading, writing and listing there"
        elif isinstance(bad, FileNotFoundError):
            remedy = "create the bucket or folder first, or give another URL"
        elif isinstance(bad, ImportError):
            remedy = _package(self._place, bad)
        return (
            f"{self.shown}: evidence cannot be {what} ({type(bad).__name__}: {said}); {remedy}, "
            "then run the same command again: finished work is kept"
        )


def store_at(where: Path | str) -> Records:
    """The store for a folder or a URL. Raises ``UsageError``."""
    place = parsed(where) if isinstance(where, str) else where
    if isinstance(place, Path):
        return EvidenceFolder(place)
    return EvidenceObjects(str(where))


def tried_out(where: Path | str) -> tuple[Path, ...]:
    """Check that evidence can be written to and read from a store, before anything depends on it.
    Returns the folders of this machine that it is in, which must be hidden from the sandbox. Raises
    ``UsageError``, ``StoreError``."""
    store = store_at(where)
    if isinstance(store, EvidenceObjects):
        store.try_out()
    if not isinstance(store, EvidenceFolder):
        return ()
    try:
        store.folder.mkdir(parents=True, exist_ok=True)
    except OSError as bad:
        raise not_written(store.folder, bad) from None
    return (store.folder,)


def _package(place: StoreUrl, lacking: ImportError) -> str:
    said = place.clean(str(lacking))
    extra = "pip install 'boxgrader[s3]'" if place.protocol in _S3 else "install it"
    return f"a package is missing ({said}): {extra}"
