"""Turns the bytes of a submission into clean text, with a list of the repairs.

Covered: byte order marks, UTF-16 and UTF-32, Windows code page 1252, lone surrogates, NUL
characters, Windows and old Mac line ends. The result can always be encoded as UTF-8. Not covered:
other old encodings; they are read as code page 1252.
"""

from __future__ import annotations

import codecs
from collections.abc import Sequence

SAMPLE = 400  # bytes looked at to recognise UTF-16 without a mark
NAMED_CELLS = 10  # cells named in one repair sentence before "and N more"

_MARKS = (  # the marks of UTF-32 begin with those of UTF-16, so they come first
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Repairs:
    """Collects repairs while a file is read; the same repair in many cells becomes one sentence."""

    def __init__(self) -> None:
        self._cells: dict[str, list[int]] = {}

    def note(self, what: str, *, cell: int = 0) -> None:
        """Record a repair of a cell, or of the whole file when ``cell`` is 0."""
        numbers = self._cells.setdefault(what, [])
        if cell:
            numbers.append(cell)

    def sentences(self) -> tuple[str, ...]:
        """One sentence for each kind of repair, in order of occurrence."""
        return tuple(_sentence(what, cells) for what, cells in self._cells.items())


def _sentence(what: str, cells: list[int]) -> str:
    if not cells:
        return f"{what}."
    named = first_of([str(number) for number in cells], NAMED_CELLS)
    return f"{'Cell' if len(cells) == 1 else 'Cells'} {named}: {what}."


def first_of(names: Sequence[str], most: int) -> str:
    """Names for a sentence, at most ``most`` of them, and how many more there are."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")


def decode(data: bytes, repairs: Repairs) -> str:
    """The text of a file in any of the encodings named above; never fails."""
    for mark, name in _MARKS:
        if data.startswith(mark):
            return _foreign(data[len(mark) :], name, repairs)
    if data.startswith(codecs.BOM_UTF8):
        data = data[len(codecs.BOM_UTF8) :]
        repairs.note("A byte order mark at the start of the file was removed")
    sample = data[:SAMPLE]
    if sample[1::2].count(0) * 4 > len(sample):
        return _foreign(data, "utf-16-le", repairs)
    if sample[0::2].count(0) * 4 > len(sample):
        return _foreign(data, "utf-16-be", repairs)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _not_utf8(data, repairs)


def _foreign(data: bytes, encoding: str, repairs: Repairs) -> str:
    repairs.note(f"The file was read as {encoding.upper()}; notebooks should be UTF-8")
    return data.decode(encoding, "replace").removeprefix("\ufeff")


def _not_utf8(data: bytes, repairs: Repairs) -> str:
    """Damaged UTF-8 where most of it is well formed, else Windows code page 1252."""
    text = data.decode("utf-8", "replace")
    bad = text.count("\ufffd")
    if len(text) - len(text.encode("ascii", "ignore")) > 2 * bad:
        repairs.note("Bytes that are not UTF-8 were replaced by the character U+FFFD")
        return text
    repairs.note("The file was not UTF-8 and was read as Windows-1252")
    return data.decode("cp1252", "replace")


def clean(source: str, number: int, repairs: Repairs) -> str:
    """Text of a cell with Unix line ends, no NUL, no lone surrogate and no leading mark."""
    if "\r" in source:
        source = source.replace("\r\n", "\n").replace("\r", "\n")
        repairs.note("Windows line endings were changed to Unix ones", cell=number)
    if "\0" in source:
        source = source.replace("\0", "")
        repairs.note("NUL characters were removed", cell=number)
    if source.startswith("\ufeff"):
        source = source.lstrip("\ufeff")
        repairs.note("a byte order mark at the start was removed", cell=number)
    whole = without_surrogates(source)
    if whole != source:
        repairs.note("half characters (lone surrogates) were joined or replaced", cell=number)
    return whole


def without_surrogates(text: str) -> str:
    """Surrogate pairs joined, lone surrogates replaced by U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
