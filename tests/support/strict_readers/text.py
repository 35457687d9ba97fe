"""What all readers of text share: strict decoding, strict cells, strict numbers."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

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


def strict_json(data: bytes) -> Any:
    """JSON by the letter: it has no constants beside true, false and null."""

    def constant(text: str) -> None:
        raise ValueError(f"{text} is no JSON")

    try:
        return json.loads(data, parse_float=Decimal, parse_constant=constant)
    except ValueError as bad:
        raise Rejected(str(bad)) from None


def typed(found: Any, kinds: Mapping[str, Any]) -> None:
    """An object of known keys, each of its kind."""
    if not isinstance(found, dict):
        raise Rejected("not an object")
    for key, value in found.items():
        if key not in kinds:
            raise Rejected(f"unknown key {key!r}")
        wrong_bool = isinstance(value, bool) and kinds[key] is not bool
        if wrong_bool or not isinstance(value, kinds[key]):
            raise Rejected(f"{key} is {value!r}")
