"""Brightspace's import of grades, section 4.7 of the format page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from tests.support.strict_readers.text import Rejected, number, once, rows


def read(data: bytes, *, item: str) -> Mapping[str, Decimal]:
    """OrgDefinedId, else ``user:`` and the user name, to score; blank cells are left out."""
    table = rows(data, encoding="utf-8-sig")
    header = table[0]
    if header[0] not in ("OrgDefinedId", "Username"):
        raise Rejected("no key")
    if header[-1] != "End-of-Line Indicator":
        raise Rejected("no End-of-Line Indicator at the end")
    if any(row[-1] != "#" for row in table[1:]):
        raise Rejected("a row without # at its end")
    bare = [re.sub(r" <[^<>]*>$", "", cell) for cell in header]
    if bare.count(f"{item} Points Grade") != 1:
        raise Rejected("no such item")
    column = bare.index(f"{item} Points Grade")
    keys = [_key(dict(zip(header, row, strict=True))) for row in table[1:]]
    once(keys)
    return {
        key: number(row[column]) for key, row in zip(keys, table[1:], strict=True) if row[column]
    }


def _key(row: dict[str, str]) -> str:
    organisation, user = row.get("OrgDefinedId", ""), row.get("Username", "")
    key = organisation.removeprefix("#") or (f"user:{user.removeprefix('#')}" if user else "")
    if not key:
        raise Rejected("a row of nobody")
    return key
