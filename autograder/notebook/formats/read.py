"""Reads a submission in any notebook format: file -> Submission, or SubmissionError.

Covered: any file, whatever its bytes: it is either read (with a list of repairs) or rejected with a
sentence that names the file, the place and the fix. Sizes are bounded. The formats: .ipynb, scripts
(percent, light, plain), R Markdown, Quarto, Markdown of jupytext. Not covered: whether the code in
it is harmless; it is only ever run in the sandbox.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.notebook.formats.cells import check_cells, check_language
from autograder.notebook.formats.header import read_header
from autograder.notebook.formats.ipynb import json_cells, read_ipynb
from autograder.notebook.formats.markdown import read_markdown, read_rmarkdown
from autograder.notebook.formats.recognise import holds_json, promised, text_format
from autograder.notebook.formats.script import cells_from
from autograder.notebook.formats.script_cells import (
    Marks,
    marks_of,
    split_light,
    split_percent,
    split_plain,
)
from autograder.notebook.formats.text import Repairs, decode, without_surrogates
from autograder.notebook.submission import NotebookCell, Submission, TemplateStamp, code_cells

__all__ = ["MAX_BYTES", "NotebookCell", "Submission", "code_cells", "read", "read_bytes"]

MAX_BYTES = 50_000_000
MAX_TEXT = 5_000_000  # bytes of a file in a format without outputs

_MARKDOWN = ("rmarkdown", "quarto", "markdown")
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive"),
    (b"%PDF", "a PDF"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"\x89PNG", "a picture"),
)


def read(path: Path, *, data: bytes | None = None) -> Submission:
    """Read the submission at ``path``; ``data``: its bytes, if they have been read already.

    Raises SubmissionError, whose text is written for the student.
    """
    file = without_surrogates(path.name)
    content = read_bytes(path) if data is None else data
    _check_bytes(content, file)
    repairs = Repairs()
    text = decode(content, repairs)
    if holds_json(file, text) or (promised(file) == "ipynb" and len(content) > MAX_TEXT):
        if promised(file) != "ipynb":
            repairs.note(
                f"The file name ends in {path.suffix}, but the file contains a notebook; it was "
                "read as one"
            )
        cells, stamp = read_ipynb(text, file, repairs)
    else:
        cells, stamp = _read_text(text, len(content), file, repairs)
    check_cells(cells, file)
    return Submission(
        file=file,
        sha256=hashlib.sha256(content).hexdigest(),
        cells=cells,
        repairs=repairs.sentences(),
        stamp=stamp,
    )


def read_bytes(path: Path) -> bytes:
    """A file's bytes, at most ``MAX_BYTES``; raises SubmissionError."""
    file = without_surrogates(path.name)
    try:
        if not path.is_file():
            raise SubmissionError(
                f"{file}: this is not a regular file, but a pipe, a socket or a device. Submit "
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
        raise SubmissionError(f"{file}: the file is empty. Save your work and submit it again.")
    for signature, what in _SIGNATURES:
        if content.startswith(signature):
            raise SubmissionError(
                f"{file}: this is {what}, not a notebook. Submit the .ipynb file itself."
            )


def _too_large(size: int, limit: int, file: str) -> SubmissionError:
    remedy = "Clear the outputs in Jupyter (Edit, Clear Outputs of All Cells), save it"
    if limit == MAX_TEXT:
        remedy = "Remove any data that was pasted into it"
    return SubmissionError(
        f"{file}: the file is larger than {limit:,} bytes ({size:,} were read). {remedy} and "
        "submit it again."
    )


def _read_text(
    text: str, size: int, file: str, repairs: Repairs
) -> tuple[tuple[NotebookCell, ...], TemplateStamp | None]:
    """The cells of a file that is not JSON, and its stamp."""
    if size > MAX_TEXT:
        raise _too_large(size, MAX_TEXT, file)
    text = text.replace("\r\n", "\n").replace("\r", "\n").removeprefix("\ufeff")
    if not text.strip():
        raise SubmissionError(f"{file}: the file is empty. Save your work and submit it again.")
    lines = text.split("\n")
    header = read_header(lines, comment="#")
    header = header if header.end else read_header(lines, comment="")
    form = text_format(file, lines, header, repairs)
    if form == "ipynb":  # it is no other format: report what is wrong with the JSON
        return read_ipynb(text, file, repairs)
    check_language((header.language,), header.kernel, file)
    body = lines[header.end :]
    if form == "markdown":
        return json_cells(read_markdown(body, header, file), file, repairs), header.stamp
    if form in _MARKDOWN:
        made = read_rmarkdown(body, file, repairs, quarto=form == "quarto")
        return json_cells(made, file, repairs), header.stamp
    if form == "percent":
        pieces = split_percent(body, file, written=bool(header.format_name))
    elif form == "light":
        pieces = split_light(body, marks_of(body, header) or Marks())
    else:
        pieces = split_plain(body, repairs)
    return cells_from(pieces, file, repairs), header.stamp
