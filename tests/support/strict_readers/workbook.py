"""A workbook read from its XML, cell by cell: nothing is guessed and nothing computed."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ET
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from tests.support.strict_readers.text import Rejected

_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_REL = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"

Cells = tuple[tuple[str | Decimal | None, ...], ...]


@dataclass(frozen=True)
class Sheet:
    rows: Cells
    frozen: bool
    filtered: bool


def read(data: bytes) -> Mapping[str, Sheet]:
    """Sheets by name. A formula, an error cell or a name that Excel refuses is rejected."""
    book = zipfile.ZipFile(io.BytesIO(data))
    if book.testzip() is not None:
        raise Rejected("a damaged zip")
    names = book.namelist()
    if any("external" in name.lower() or "macro" in name.lower() for name in names):
        raise Rejected("links or macros")
    shared = "xl/sharedStrings.xml"
    strings = list(map(_text, ET.fromstring(book.read(shared)))) if shared in names else []
    links = {
        node.attrib["Id"]: node.attrib["Target"].lstrip("/")
        for node in ET.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    }
    sheets: dict[str, Sheet] = {}
    for node in ET.fromstring(book.read("xl/workbook.xml")).iter(f"{_MAIN}sheet"):
        name = node.attrib["name"]
        _check_name(name, sheets)
        target = links[node.attrib[_REL]]
        path = target if target.startswith("xl/") else f"xl/{target}"
        sheets[name] = _sheet(book.read(path), strings)
    return sheets


def _check_name(name: str, others: Mapping[str, Sheet]) -> None:
    long = len(name.encode("utf-16-le")) > 62
    if long or not name or re.search(r"[\[\]:*?/\\]", name) or name[0] == "'" or name[-1] == "'":
        raise Rejected(f"sheet name {name!r}")
    if name.casefold() in [other.casefold() for other in others] or name.casefold() == "history":
        raise Rejected(f"sheet name {name!r} is taken")


def _sheet(data: bytes, strings: list[str]) -> Sheet:
    root = ET.fromstring(data)
    rows = []
    for row in root.iter(f"{_MAIN}row"):
        cells: dict[int, str | Decimal | None] = {}
        for cell in row:
            cells[_column(cell.attrib["r"])] = _value(cell, strings)
        rows.append(tuple(cells.get(n) for n in range(max(cells, default=-1) + 1)))
    pane = next(root.iter(f"{_MAIN}pane"), None)
    frozen = pane is not None and pane.attrib.get("state") == "frozen"
    return Sheet(tuple(rows), frozen, next(root.iter(f"{_MAIN}autoFilter"), None) is not None)


def _value(cell: ET.Element, strings: list[str]) -> str | Decimal | None:
    if cell.find(f"{_MAIN}f") is not None:
        raise Rejected(f"{cell.attrib['r']} is a formula")
    value, kind = cell.findtext(f"{_MAIN}v"), cell.attrib.get("t", "n")
    if kind == "inlineStr":
        return _text(cell)
    if kind == "s":
        return strings[int(value or "")]
    if kind != "n":
        raise Rejected(f"{cell.attrib['r']} is of type {kind}")
    return None if value is None else Decimal(value)


def _text(node: ET.Element) -> str:
    return "".join(part.text or "" for part in node.iter(f"{_MAIN}t"))


def _column(place: str) -> int:
    number = 0
    for letter in place.rstrip("0123456789"):
        number = number * 26 + ord(letter) - 64
    return number - 1
