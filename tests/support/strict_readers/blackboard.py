"""Blackboard's upload of grades, section 4.6 of the format page."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Mapping
from decimal import Decimal

from tests.support.strict_readers.text import Rejected, number, once

_COLUMN = re.compile(r"(?P<title>.+) \[Total Pts: (?P<total>[\d.]+) Score\] \|(?P<id>\d+)", re.S)


def read(data: bytes, *, column: str) -> Mapping[str, Decimal]:
    """User name to score in the column with this number; blank cells are left out."""
    if data.startswith(codecs.BOM_UTF16_LE):
        text, delimiter = data.decode("utf-16"), "\t"
    elif data.startswith(codecs.BOM_UTF8):
        text, delimiter = data.decode("utf-8-sig"), ","
    else:
        raise Rejected("neither UTF-16 nor UTF-8 with a mark")
    table = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    header = table[0]
    if any(len(row) != len(header) for row in table):
        raise Rejected("rows of unequal length")
    if "Username" not in header:
        raise Rejected("no Username")
    found = [n for n, cell in enumerate(header) if cell.endswith(f"|{column}")]
    if len(found) != 1 or not _COLUMN.fullmatch(header[found[0]]):
        raise Rejected("a new column would be made")
    key = header.index("Username")
    once([row[key] for row in table[1:]])
    return {row[key]: number(row[found[0]]) for row in table[1:] if row[found[0]]}
