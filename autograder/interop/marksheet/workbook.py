"""A sheet of points as a workbook, written and read.

Covered: workbooks that are damaged, unpack to too much, or have too many cells.
Not covered: formulas; a workbook has the last value that a spreadsheet computed.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from xml.parsers.expat import ExpatError, ParserCreate

import openpyxl
from openpyxl.cell import Cell
from openpyxl.styles import Alignment, Font, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.utils.exceptions import InvalidFileException
from openpyxl.worksheet.datavalidation import DataValidation
from openpyxl.worksheet.worksheet import Worksheet

from autograder.errors import UsageError
from autograder.interop.marksheet.model import SheetColumn

MAX_UNPACKED = 256 * 2**20  # bytes of a workbook's parts together
MAX_PARTS = 2_000_000  # elements of all of a workbook's files; a cell is two to four of them
MAX_IN_ROW = 65_536  # elements: no workbook has more than 16,384 columns
MAX_ROWS = 50_000
MAX_COLUMNS = 400  # five or six for each written answer
_WIDTHS = {
    "student": 16,
    "name": 22,
    "answer": 64,
    "page": 9,
    "rubric": 48,
    "items": 12,
    "points": 12,
    "comment": 44,
}
_TO_FILL = PatternFill("solid", fgColor="FFF7DB")
_MORE_COMMENTS = 50  # empty rows below the comments to choose from
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


def workbook_bytes(
    columns: Sequence[SheetColumn], rows: Sequence[Sequence[str]], comments: Mapping[str, list[str]]
) -> bytes:
    """A sheet of points with a header row, in which every cell but the points is text; and a sheet
    of ``comments`` by task, which the comment cells offer."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    sheet = book.create_sheet("Points")
    sheet.append([column.title for column in columns])
    for row in rows:
        sheet.append([_cell(sheet, *pair) for pair in zip(columns, row, strict=True)])
    for number, (cell, column) in enumerate(zip(sheet[1], columns, strict=True), 1):
        cell.font = Font(bold=True)
        cell.alignment = Alignment(wrap_text=True, vertical="top")
        sheet.column_dimensions[cell.column_letter].width = _WIDTHS[column.field]
        for (below,) in sheet.iter_rows(2, sheet.max_row, number, number):
            if column.field in ("items", "points", "comment"):
                below.fill = _TO_FILL
            elif column.field == "page" and below.value:
                below.hyperlink, below.value = below.value, "read"
                below.font = Font(color="1A4F8F", underline="single")
    sheet.freeze_panes = "C2"
    _offer(sheet, columns, book.create_sheet("Comments"), comments)
    page = io.BytesIO()
    book.save(page)
    return page.getvalue()


def _offer(
    sheet: Worksheet,
    columns: Sequence[SheetColumn],
    offered: Worksheet,
    comments: Mapping[str, list[str]],
) -> None:
    """Lists of comments, a column for each task, from which its comment cells can be filled; more
    can be written below them, and any other comment into the cells."""
    numbered = [(n, c) for n, c in enumerate(columns, 1) if c.field == "comment"]
    for place, (number, column) in enumerate(numbered, 1):
        texts = comments.get(column.task, [])
        for row, text in enumerate([f"{column.task}: comments to choose from", *texts], 1):
            cell = offered.cell(row, place, text)
            cell.data_type = "s"
            cell.alignment = Alignment(wrap_text=True, vertical="top")
        offered.cell(1, place).font = Font(bold=True)
        letter = get_column_letter(place)
        offered.column_dimensions[letter].width = _WIDTHS["comment"]
        last = len(texts) + _MORE_COMMENTS
        choice = DataValidation(
            "list", formula1=f"Comments!${letter}$2:${letter}${last}", allow_blank=True
        )
        choice.showErrorMessage = False  # any other text is welcome
        own = get_column_letter(number)
        choice.add(f"{own}2:{own}{max(sheet.max_row, 2)}")
        sheet.add_data_validation(choice)


def workbook_rows(data: bytes, name: str) -> list[tuple[int, list[str]]]:
    """The rows of the sheet of points, or of the first one, numbered from 1, as text.

    Raises ``UsageError`` for a file that is not a workbook or is too large.
    """
    bad = UsageError(f"{name}: this workbook cannot be read; save it again as .xlsx or as CSV")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as parts:
            if sum(part.file_size for part in parts.infolist()) > MAX_UNPACKED:
                raise UsageError(f"{name}: larger than {MAX_UNPACKED >> 20} MiB when unpacked")
            _check_parts(parts, name)
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
        sheet = book["Points"] if "Points" in book.sheetnames else book.worksheets[0]
        rows = [
            (number, [_shown(value) for value in values])
            for number, values in enumerate(
                sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS, values_only=True), 1
            )
        ]
    except _BROKEN:
        raise bad from None
    if len(rows) > MAX_ROWS:
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


def _cell(sheet: Worksheet, column: SheetColumn, text: str) -> Cell:
    """A number in the columns of points; elsewhere text, whatever it begins with."""
    if column.field == "points":
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
