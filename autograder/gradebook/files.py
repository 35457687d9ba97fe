"""Writing a file so that a reader sees the old bytes or the new bytes, never a part.

Covered: a crash or a kill in the middle; a full disk; a link planted under the target's
or the temporary file's name (the link is replaced, never followed).
Not covered: links among the folders that lead to the file; those are the caller's choice.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from autograder.errors import StoreError

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


def write_atomic(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path``; its folder must exist.

    A killed process may leave a ``.part-*`` file in the folder; it is safe to delete.
    Raises ``StoreError`` when the file cannot be written; the old file then stands.
    """
    part = path.parent / f".part-{secrets.token_hex(8)}"
    try:
        handle = os.open(part, _FLAGS, 0o666)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        _sync_folder(path.parent)
    except OSError as bad:
        raise StoreError(
            f"{path}: cannot be written ({bad.strerror}). Check that the folder exists, "
            "that you may write there and that the disk is not full."
        ) from bad


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
