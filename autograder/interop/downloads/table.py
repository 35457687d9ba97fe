"""Reads a text sheet as written by platforms and people: a header and rows of cells.

Covered: byte order marks, UTF-16, Windows-1252; commas, semicolons and tabs; Excel's ``sep=``
line; quoted cells with line breaks; empty rows. Sizes are bounded.
Not covered: workbooks (.xlsx) and web pages, which are refused with advice.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import SubmissionError, UsageError
from autograder.notebook.formats.read import read_bytes
from autograder.notebook.formats.text import Repairs, decode, without_surrogates

MAX_TABLE = 20_000_000  # bytes
MAX_ROWS = 50_000

_SEPARATORS = ",;\t"
_REMEDY = 'save the sheet as "CSV UTF-8" and try again'


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row that is not empty; ``number`` counts from 1, the header, as spreadsheets do."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TextTable:
    """``name`` is the file's, for messages. Cells are unchanged, spaces included."""

    name: str
    header: tuple[str, ...]
    rows: tuple[TableRow, ...]


def read_table(path: Path) -> TextTable:
    """The sheet in a file; raises UsageError naming file, row and fix."""
    try:
        data = read_bytes(path)
    except SubmissionError as bad:
        raise UsageError(str(bad)) from None
    return parse_table(data, without_surrogates(path.name))


def parse_table(data: bytes, name: str) -> TextTable:
    """The sheet in these bytes; raises UsageError naming file, row and fix."""
    if len(data) > MAX_TABLE:
        raise UsageError(f"{name}: the sheet is larger than {MAX_TABLE:,} bytes; is it the roster?")
    if data.startswith((b"PK\x03\x04", b"\xd0\xcf\x11\xe0")):
        raise UsageError(f"{name}: this is a workbook, not a text file; {_REMEDY}")
    text = decode(data, Repairs()).lstrip("\ufeff")
    if text.lstrip().startswith("<"):
        raise UsageError(f"{name}: this is a web page, not a sheet; {_REMEDY}")
    if "\0" in text:
        raise UsageError(f"{name}: the sheet contains NUL characters; {_REMEDY}")
    separator, text = _separator(text)
    rows = _rows(text, separator, name)
    if not rows:
        raise UsageError(f"{name}: the sheet is empty; it needs a header and one row per student")
    return TextTable(name, rows[0].cells, rows[1:])


def _rows(text: str, separator: str, name: str) -> tuple[TableRow, ...]:
    rows: list[TableRow] = []
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    number = 0
    try:
        for number, cells in enumerate(reader, 1):
            if any(cell.strip() for cell in cells):
                rows.append(TableRow(number, tuple(cells)))
            if len(rows) > MAX_ROWS:
                raise UsageError(f"{name}: more than {MAX_ROWS:,} rows; is this the roster?")
    except csv.Error as bad:
        where = f"{name}, row {number + 1}"
        raise UsageError(f"{where}: {bad}; correct its quotes, or {_REMEDY}") from None
    return tuple(rows)


def _separator(text: str) -> tuple[str, str]:
    """The separator, and the text without a line that only declares it."""
    first, _, rest = text.partition("\n")
    said = first.strip().strip('"')
    if said.lower().startswith("sep=") and len(said) == 5:
        return said[4], rest
    if first.rstrip("\r").lower() == "sep=\t":
        return "\t", rest
    outside = "".join(text.lstrip()[:100_000].split('"')[::2])
    head = outside.lstrip("\r\n").partition("\n")[0].partition("\r")[0]
    return max(_SEPARATORS, key=head.count), text
