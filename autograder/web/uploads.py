"""What students upload, by the digest of its bytes.

Covered: a kill and a power cut at any moment (a file that ``keep`` has returned for is on the disk,
whole); equal uploads, which are kept once. Not covered: files that nobody refers to, which a kill
between a file and its row leaves behind.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.files import not_written, write_atomic
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission


@dataclass(frozen=True, slots=True)
class Uploads:
    """A folder of uploads."""

    folder: Path

    def path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256

    def keep(self, data: bytes) -> str:
        """Store bytes and return their digest, once they are on the disk. Raises ``StoreError``."""
        digest = hashlib.sha256(data).hexdigest()
        path = self.path(digest)
        if not _is_whole(path, len(data)):
            write_atomic(path, data, private=True)
        for folder in (path.parent, self.folder):  # the names too, before anybody is told
            _flush(folder)
        return digest


@dataclass(frozen=True, slots=True)
class UploadedSubmission:
    """An upload that is read when its turn comes; ``name`` is the student's own."""

    student: str
    name: str
    path: Path

    def read(self) -> Submission:
        """The cells; raises ``SubmissionError``."""
        try:
            data = self.path.read_bytes()
        except OSError as bad:
            raise SubmissionError(
                f"{self.name}: the uploaded file cannot be read ({bad.strerror})."
            ) from None
        return read(Path(self.name), data=data)


def _is_whole(path: Path, size: int) -> bool:
    return path.is_file() and path.stat().st_size == size


def _flush(folder: Path) -> None:
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
    except OSError as failed:
        raise not_written(folder, failed) from None
