"""Sheets of comma- or tab-separated text, read so that unchanged cells are written back unchanged.

``csv`` writes new sheets. A downloaded one is cut into its raw cells here instead, because
``csv`` forgets which cells were quoted and how lines ended.

Covered: UTF-8 and UTF-16 with and without a byte order mark, Windows-1252; commas, semicolons and
tabs; quoted line breaks; every kind of line end; rows of unequal length; workbooks and web pages
under a wrong name, and truncated sheets, are refused.
Not covered: other encodings, unless named by the caller.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from autograder.errors import StoreError, UsageError

MAX_BYTES = 64 * 2**20
MAX_CELLS = 3_000_000
MAX_IN_ROW = 16_384  # as in a workbook
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_OTHERS = (
    (b"PK\x03\x04", "an XLSX workbook"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook"),
    (b"<", "a web page"),
    (b"%PDF", "a PDF"),
)
_QUOTED = r'"[^"]*+(?:""[^"]*+)*+"'
_LOOKED_AT = 50  # rows that show which separator a sheet has
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet as raw cells, including quotes; ``ends`` has the line end of each row."""

    name: str
    encoding: str
    bom: bytes
    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    ends: tuple[str, ...]
    notes: tuple[str, ...] = ()

    def row(self, index: int) -> list[str]:
        """The values of one row."""
        return [_value(raw) for raw in self.rows[index]]

    def value(self, row: int, column: int) -> str:
        """The value of one cell; "" if the row is too short."""
        cells = self.rows[row]
        return _value(cells[column]) if 0 <= column < len(cells) else ""

    def is_blank(self, row: int) -> bool:
        """Whether all cells of the row are blank."""
        return not any(value.strip() for value in self.row(row))


def read_sheet(data: bytes, *, name: str = "sheet", encoding: str = "") -> Sheet:
    """The sheet in ``data``; ``encoding`` overrides the detected encoding.

    Raises ``StoreError`` for data that is not a sheet or is truncated, ``UsageError`` for an
    unknown encoding.
    """
    if len(data) > MAX_BYTES:
        raise StoreError(f"{name}: larger than {MAX_BYTES >> 20} MiB: this is not a gradebook")
    for start, what in _OTHERS:
        if data.lstrip().startswith(start):
            raise StoreError(f"{name}: this is {what}. Download the sheet as CSV or text.")
    text, bom, found, notes = _decoded(data, name, encoding)
    if not text.strip():
        raise StoreError(f"{name}: the sheet is empty. Download it again.")
    _check_cells(text, name)
    delimiter = _delimiter(text)
    rows, ends = _rows(text, delimiter)
    if unclosed := [n for n, row in enumerate(rows, 1) if any(map(_is_open, row))]:
        raise StoreError(
            f"{name}: row {unclosed[0]}: a quoted cell never ends. The file is damaged or was "
            "not downloaded completely. Download it again."
        )
    return Sheet(name, found, bom, delimiter, rows, ends, notes)


def sheet_bytes(sheet: Sheet) -> bytes:
    """The sheet as a file; identical to what was read if nothing was filled in."""
    lines = [
        sheet.delimiter.join(cells) + end for cells, end in zip(sheet.rows, sheet.ends, strict=True)
    ]
    errors = "surrogatepass" if sheet.encoding.startswith("utf-16") else "strict"
    return sheet.bom + "".join(lines).encode(sheet.encoding, errors)


def with_cells(sheet: Sheet, changes: Mapping[tuple[int, int], str]) -> Sheet:
    """The sheet with some cells replaced, each by (row, column); they are quoted as before.

    A character that the sheet's encoding lacks becomes a question mark, with a note.
    """
    rows, lacking = [list(cells) for cells in sheet.rows], 0
    for (row, column), text in sorted(changes.items()):
        kept = writable(text).encode(sheet.encoding, "replace").decode(sheet.encoding)
        lacking += kept != writable(text)
        cells = rows[row]
        cells += [""] * (column + 1 - len(cells))
        cells[column] = _raw(kept, sheet.delimiter, quoted=cells[column].startswith('"'))
    said = (
        f"{sheet.name} is written in {sheet.encoding}, which lacks some characters used in "
        f"{lacking} {'cell' if lacking == 1 else 'cells'}: each became a question mark.",
    )
    notes = sheet.notes + (said if lacking else ())
    return replace(sheet, rows=tuple(tuple(cells) for cells in rows), notes=notes)


def new_sheet(
    rows: Iterable[Sequence[str]],
    *,
    delimiter: str = ",",
    quote_all: bool = False,
    encoding: str = "utf-8",
    bom: bytes = b"",
) -> bytes:
    """A sheet with these rows, quoted as in RFC 4180, each ending in ``\\r\\n``."""
    page = io.StringIO(newline="")
    writer = csv.writer(
        page,
        delimiter=delimiter,
        quoting=csv.QUOTE_ALL if quote_all else csv.QUOTE_MINIMAL,
        lineterminator="\r\n",
    )
    writer.writerows([[writable(value) for value in row] for row in rows])
    return bom + page.getvalue().encode(encoding)


def writable(text: str) -> str:
    """The text with lone surrogates, which no encoding can represent, escaped."""
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _decoded(data: bytes, name: str, encoding: str) -> tuple[str, bytes, str, tuple[str, ...]]:
    """Text, byte order mark, encoding, notes."""
    bom, found = next(((b, e) for b, e in _BOMS if data.startswith(b)), (b"", ""))
    if encoding and not found:
        try:
            found = codecs.lookup(encoding).name
        except LookupError:
            raise UsageError(f"{encoding}: unknown encoding; an example is utf-8") from None
    body = data[len(bom) :]
    found = {"utf-16": "utf-16-le", "utf-8-sig": "utf-8"}.get(found, found) or _guessed(body)
    errors = "surrogatepass" if found.startswith("utf-16") else "strict"
    try:
        text = body.decode(found, errors)
    except (UnicodeError, LookupError) as bad:
        raise StoreError(f"{name}: not text in {found} ({bad}). Specify its encoding.") from (None)
    if found in ("cp1252", "latin-1"):
        note = f"{name} is not UTF-8: it is read and written as Windows-1252 ({found})."
        return text, bom, found, (note,)
    return text, bom, found, ()


def _guessed(body: bytes) -> str:
    head = body[:400]
    if head[1::2].count(0) > len(head) // 4:
        return "utf-16-le"
    if head[0::2].count(0) > len(head) // 4:
        return "utf-16-be"
    for encoding in ("utf-8", "cp1252"):
        try:
            body.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _delimiter(text: str) -> str:
    """The separator that cuts even the shortest of the first rows into the most cells."""

    def cut(delimiter: str) -> tuple[int, int]:
        rows, _ = _rows(text, delimiter, limit=_LOOKED_AT)
        counts = [len(cells) for cells in rows if any(cells)]
        return min(counts, default=1), counts[0] if counts else 1

    return max(",;\t", key=cut)


def _check_cells(text: str, name: str) -> None:
    """Refuse a sheet with too many cells, for any separator, before it is split."""
    many = sum(map(text.count, ",;\t\r\n")) > MAX_CELLS
    long = () if many else (line for line in re.split("[\r\n]", text) if len(line) >= MAX_IN_ROW)
    if many or any(max(map(line.count, ",;\t")) >= MAX_IN_ROW for line in long):
        raise StoreError(
            f"{name}: more than {MAX_CELLS:,} cells and rows, or {MAX_IN_ROW:,} cells in a row: "
            "this is not a gradebook. Download it again."
        )


def _rows(
    text: str, delimiter: str, *, limit: int = 0
) -> tuple[tuple[tuple[str, ...], ...], tuple[str, ...]]:
    """Raw cells and line ends; at most ``limit`` rows if it is given."""
    cell = re.compile(rf"((?:{_QUOTED})?+[^{delimiter}\r\n]*+)({delimiter}|\r\n|\r|\n|\Z)")
    rows: list[tuple[str, ...]] = []
    ends: list[str] = []
    cells: list[str] = []
    place = 0
    while place < len(text) or cells:
        found = cell.match(text, place)
        assert found is not None
        cells.append(found[1])
        place = found.end()
        if found[2] != delimiter:
            rows.append(tuple(cells))
            ends.append(found[2])
            cells = []
            if len(rows) == limit:
                break
    return tuple(rows), tuple(ends)


def _is_open(raw: str) -> bool:
    return raw.startswith('"') and re.match(_QUOTED, raw) is None


def _value(raw: str) -> str:
    found = re.match(_QUOTED, raw) if raw.startswith('"') else None
    if found is None:
        return raw
    return found[0][1:-1].replace('""', '"') + raw[found.end() :]


def _raw(value: str, delimiter: str, *, quoted: bool) -> str:
    if quoted or any(sign in value for sign in (delimiter, '"', "\r", "\n")):
        return '"' + value.replace('"', '""') + '"'
    return value
