"""A sheet of points as a workbook, written and read.

Covered: workbooks that are damaged, unpack to too much, or have too many cells.
Not covered: formulas; a workbook has the last value that a spreadsheet computed.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from xml.parsers.expat import ExpatError, ParserCreate

import openpyxl
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Font
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.worksheet import Worksheet

from autograder.errors import UsageError

MAX_UNPACKED = 256 * 2**20  # bytes of a workbook's parts together
MAX_PARTS = 2_000_000  # elements of all of a workbook's files; a cell is two to four of them
MAX_IN_ROW = 65_536  # elements: no workbook has more than 16,384 columns
MAX_ROWS = 50_000
_WIDTHS = (16, 24, 20, 16, 10, 10, 48, 48, 28)
_STARTS = ("row", "si")  # a row, or a text that cells share
_BROKEN = (
    InvalidFileException,
    zipfile.BadZipFile,
    zlib.error,
    ExpatError,
    ValueError,
    LookupError,
    OSError,
    EOFError,
    SyntaxError,
    TypeError,
    AttributeError,
    RuntimeError,
)


def workbook_bytes(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """One sheet with a header row; every cell but the points is text."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    sheet = book.create_sheet("Points")
    sheet.append(columns)
    for row in rows:
        sheet.append([_cell(sheet, *pair) for pair in zip(columns, row, strict=True)])
    for cell, width in zip(sheet[1], _WIDTHS, strict=True):
        cell.font = Font(bold=True)
        sheet.column_dimensions[cell.column_letter].width = width
    sheet.freeze_panes = "A2"
    page = io.BytesIO()
    book.save(page)
    return page.getvalue()


def workbook_rows(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    """The rows of the sheet of points, or of the first one, numbered from 1, as text.

    Raises ``UsageError`` for a file that is not a workbook or is too large.
    """
    bad = UsageError(f"{name}: this workbook cannot be read; save it again as .xlsx or as CSV")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MAX_UNPACKED:
                raise UsageError(f"{name}: larger than {MAX_UNPACKED >> 20} MiB when unpacked")
            _check_parts(parts, name)  # guard: cells of a workbook
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book["Points"] if "Points" in book.sheetnames else book.worksheets[0]
        rows = [
            (number, [_shown(value) for value in values])
            for number, values in enumerate(
                sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=40, values_only=True), 1
            )
        ]
    except _BROKEN:
        raise bad from None
    if len(rows) > MAX_ROWS:  # guard: rows of a workbook
        raise UsageError(f"{name}: more than {MAX_ROWS:,} rows; leave out those below the answers")
    return rows


def _check_parts(book: zipfile.ZipFile, name: str) -> None:
    """Refuse a workbook with too many elements before a row is read: openpyxl keeps all of a row in
    memory, some 500 bytes per cell. Raises ``UsageError``."""
    parts = in_row = 0

    def start(tag: str, attributes: object) -> None:
        nonlocal parts, in_row
        parts, in_row = parts + 1, 0 if tag.rpartition(":")[2] in _STARTS else in_row + 1
        if parts > MAX_PARTS or in_row > MAX_IN_ROW:
            raise UsageError(
                f"{name}: too many cells for a sheet of points, in total or in one row; export the "
                "sheet again and fill in that one"
            )

    for part in book.infolist():
        in_row = 0
        if part.filename.lower().endswith(".xml"):
            parser = ParserCreate()
            parser.StartElementHandler = start
            with book.open(part) as stream:
                parser.ParseFile(stream)


def _cell(sheet: Worksheet, column: str, text: str) -> Cell:
    """A number in the columns of points; elsewhere text, whatever it begins with."""
    if column in ("points", "max_points"):
        cell = Cell(sheet, row=1, column=1, value=float(text) if text else None)
    else:
        cell = Cell(sheet, row=1, column=1, value=text or None)
        cell.data_type = "s" if text else "n"
    cell.alignment = Alignment(wrap_text=True, vertical="top")
    return cell


def _shown(value: object) -> str:
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else repr(value)
    return "" if value is None else str(value)
