"""What all readers of text share: strict decoding, strict cells, strict numbers."""

from __future__ import annotations

import csv
import io
import re
from decimal import Decimal

_NUMBER = re.compile(r"(?:0|[1-9]\d*)(?:\.\d{0,1}[1-9])?")


class Rejected(Exception):
    """The platform would not take this file."""


def rows(data: bytes, *, encoding: str = "utf-8", delimiter: str = ",") -> list[list[str]]:
    """Rows of a strict CSV file; each as long as the first."""
    try:
        text = data.decode(encoding)
        found = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except (UnicodeError, csv.Error) as bad:
        raise Rejected(str(bad)) from None
    if not found:
        raise Rejected("empty")
    for place, row in enumerate(found, 1):
        if len(row) != len(found[0]):
            raise Rejected(f"row {place} has {len(row)} cells, the header {len(found[0])}")
    return found


def number(text: str, *, decimals: int = 2) -> Decimal:
    """A plain decimal number without an exponent, sign or needless zeros."""
    shape = _NUMBER if decimals == 2 else re.compile(r"(?:0|[1-9]\d*)(?:\.\d*[1-9])?")
    if not shape.fullmatch(text):
        raise Rejected(f"{text!r} is no number")
    found = Decimal(text)
    if -int(found.as_tuple().exponent) > decimals:
        raise Rejected(f"{text!r} has too many decimals")
    return found


def once(keys: list[str]) -> None:
    """No key stands there twice."""
    twice = {key for key in keys if keys.count(key) > 1}
    if twice:
        raise Rejected(f"{sorted(twice)!r}: more than one row")
