"""Writing files so that a reader sees one complete version or none, even if the process is killed.

Covered: a crash at any moment, a full disk (the old file is kept), an interrupt, a link planted at
the temporary name. Not covered: two writers at the same time (the last one wins).
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import hashlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from autograder.errors import StoreError


def digest_of(contents: Mapping[str, bytes]) -> str:
    """The digest of files by name; empty for none."""
    if not contents:
        return ""
    whole = hashlib.sha256()
    for name, data in sorted(contents.items()):
        for part in (name.encode("utf-8", "surrogateescape"), data):
            whole.update(len(part).to_bytes(8, "big") + part)
    return whole.hexdigest()


def in_cache(*parts: str) -> Path:
    """A path of ours in the user's cache; it need not exist."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base, "autograder", *parts)


def cache_folder(*parts: str) -> Path:
    """A folder of ours in the user's cache; a temporary one where the cache cannot be written."""
    folder = in_cache(*parts)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    except OSError:
        pass
    return Path(tempfile.mkdtemp(prefix=f"autograder-{parts[-1]}-"))


@contextlib.contextmanager
def scratch_folder(prefix: str = "autograder-") -> Iterator[Path]:
    """A folder that is removed afterwards. After an error or an interrupt, it is removed at the end
    of the process, once the threads that still write into it have finished."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    try:
        yield folder
    except BaseException:
        # A scratch folder goes when the last thread has ended.
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        raise
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def write_atomic(
    path: Path, *parts: bytes, readable: bool = False, private: bool = False, soon: bool = False
) -> None:
    """Write these bytes to ``path`` through a temporary file beside it; raises ``StoreError``.

    ``readable``: by everybody, whatever the umask is; ``private``: by the user alone. ``soon``: the
    bytes need not be on the disk before ``settle`` is called; until then a crash of the machine
    (not of a process) may leave the file empty.
    """
    write_parts(path, parts, readable=readable, private=private, soon=soon)


def write_other(path: Path, data: bytes) -> None:
    """Write these bytes unless the file already has them; they are on the disk once ``settle`` was
    called. Raises ``StoreError``."""
    try:
        same = path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        same = False
    if not same:
        write_atomic(path, data, soon=True)


def settle(folder: Path) -> None:
    """Flush everything written so far to this folder's file system. Other file systems, which may
    be busy or gone, are not waited for. Raises ``StoreError``."""
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "syncfs"):  # only Linux has it
        os.sync()
        return
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            if libc.syncfs(fd):
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        finally:
            os.close(fd)
    except OSError as failed:
        raise not_written(folder, failed) from None


def write_parts(
    path: Path,
    parts: Iterable[bytes],
    *,
    readable: bool = False,
    private: bool = False,
    soon: bool = False,
) -> None:
    """Write a file from parts that are produced while it is written. An exception from producing
    them is passed on, and the earlier file is kept. Raises ``StoreError`` when the file cannot be
    written."""
    temporary = path.with_name(f".{secrets.token_hex(8)}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        fd = os.open(temporary, flags, 0o600 if private else 0o644)
        with os.fdopen(fd, "wb") as file:
            if readable:
                os.fchmod(fd, 0o644)
            for part in parts:  # not joined: they may be large
                file.write(part)
            file.flush()
            if not soon:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as failed:  # leave nothing behind after an interrupt either
        with contextlib.suppress(OSError):
            temporary.unlink()
        if not isinstance(failed, OSError):
            raise
        raise not_written(path, failed) from None


def not_written(path: Path, failed: OSError) -> StoreError:
    """The error for a file that cannot be written, with the fix."""
    return StoreError(
        f"{path}: cannot be written ({failed.strerror or failed}); free some space or choose "
        "another folder, then run the same command again: finished work is kept"
    )
