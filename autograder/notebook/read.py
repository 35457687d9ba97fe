"""Reads a hand-in, .ipynb or percent-format .py: file -> Submission, or SubmissionError.

Covered: every file, whatever its bytes: either it is read (with a list of repairs) or it is
refused in a sentence that names the file, the place and the remedy. Sizes are bounded.
Not covered: whether the code in it is harmless; it is only ever run inside the box.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.notebook import percent
from autograder.notebook.cells import check_cells
from autograder.notebook.ipynb import read_ipynb
from autograder.notebook.percent import read_percent
from autograder.notebook.submission import NotebookCell, Submission, code_cells
from autograder.notebook.text import Repairs, decode, without_surrogates

__all__ = ["MAX_BYTES", "NotebookCell", "Submission", "code_cells", "read", "read_bytes"]

MAX_BYTES = 50_000_000

_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
)


def read(path: Path, *, data: bytes | None = None) -> Submission:
    """Read the hand-in at ``path``; ``data`` are its bytes when they are already at hand.

    Raises SubmissionError, whose text is written for whoever handed the file in.
    """
    file = without_surrogates(path.name)
    content = read_bytes(path) if data is None else data
    _check_bytes(content, file)
    repairs = Repairs()
    text = decode(content, repairs)
    if _is_script(path, text, repairs):
        if len(content) > percent.MAX_BYTES:
            raise _too_large(len(content), percent.MAX_BYTES, file)
        cells = read_percent(text, file, repairs)
    else:
        cells = read_ipynb(text, file, repairs)
    check_cells(cells, file)
    return Submission(
        file=file,
        sha256=hashlib.sha256(content).hexdigest(),
        cells=cells,
        repairs=repairs.sentences(),
    )


def read_bytes(path: Path) -> bytes:
    """A file's bytes, at most ``MAX_BYTES``; raises SubmissionError."""
    file = without_surrogates(path.name)
    try:
        if not path.is_file():
            raise SubmissionError(
                f"{file}: this is not a regular file, but a pipe, a socket or a device. Hand in "
                "the .ipynb file itself."
                if path.exists() and not path.is_dir()
                else f"{file}: there is no such file."
            )
        with path.open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError) as bad:
        reason = without_surrogates(str(getattr(bad, "strerror", None) or bad))
        raise SubmissionError(f"{file}: the file cannot be opened ({reason}).") from None
    return content


def _check_bytes(content: bytes, file: str) -> None:
    if len(content) > MAX_BYTES:
        raise _too_large(len(content), MAX_BYTES, file)
    if not content.strip(b" \t\r\n\0"):
        raise SubmissionError(f"{file}: the file is empty. Save your work and hand in again.")
    for signature, what in _SIGNATURES:
        if content.startswith(signature):
            raise SubmissionError(
                f"{file}: this is {what}, not a notebook. Hand in the .ipynb file itself."
            )


def _too_large(size: int, limit: int, file: str) -> SubmissionError:
    return SubmissionError(
        f"{file}: the file has more than {limit:,} bytes ({size:,} were read). Clear the "
        "outputs in Jupyter (Edit, Clear Outputs of All Cells), save it and hand in again."
    )


def _is_script(path: Path, text: str, repairs: Repairs) -> bool:
    """A .py file, unless it is a notebook under a wrong name."""
    if path.suffix.lower() != ".py":
        return False
    if text.lstrip()[:1] == "{" and '"cells"' in text:
        repairs.note("The file ends in .py but holds a notebook; it was read as one")
        return False
    return True
