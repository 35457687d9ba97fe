"""The cells of an otter notebook with their outputs; fences become raw cells.

Covered: any version of the format; parts that are missing or of the wrong type. A Markdown cell
with ``otter`` fences is split into several cells with the same number.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import nbformat

from autograder.interop.otter.source.model import SourceFault
from autograder.notebook.formats.text import Repairs, decode, without_surrogates

VERSION = 4  # of the format
MAX_CELLS = 10_000
MAX_BRACKETS = 1_000_000  # lists and objects in the file
_FENCE = "```otter"
_END = "```"
_IGNORED = re.compile(r"##\s*ignore\s*##|#\s*ignore", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class NotebookFileCell:
    """A cell of the file: ``number`` from 1, ``shown`` the text of its outputs, ``run`` whether it
    was ever run. Lines end in newlines only."""

    number: int
    kind: str
    source: str
    shown: str = ""
    run: bool = True
    metadata: Any = None
    id: str = ""

    @property
    def tags(self) -> list[str]:
        """The tags in its metadata."""
        noted = (self.metadata or {}).get("tags")
        return [tag for tag in noted if isinstance(tag, str)] if isinstance(noted, list) else []

    @property
    def first(self) -> str:
        """Its first line."""
        return self.source.split("\n", 1)[0]


@dataclass(frozen=True, slots=True)
class NotebookFile:
    """A notebook file: its metadata, its minor version of format 4, its cells."""

    metadata: dict[str, Any]
    minor: int
    cells: tuple[NotebookFileCell, ...]

    @property
    def otter(self) -> dict[str, Any]:
        """Otter's part of the metadata; empty if there is none."""
        kept = self.metadata.get("otter")
        return kept if isinstance(kept, dict) else {}

    @property
    def language(self) -> str:
        """The language of its kernel in lower case; python if it is not stated."""
        kernel = self.metadata.get("kernelspec")
        info = self.metadata.get("language_info")
        said = (kernel if isinstance(kernel, dict) else {}).get("language")
        said = said or (info if isinstance(info, dict) else {}).get("name")
        return str(said or "python").lower()


def read_notebook(data: bytes) -> NotebookFile:
    """A notebook from its bytes; raises SourceFault."""
    text = without_surrogates(decode(data, Repairs()))
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise SourceFault(0, f"it contains more than {MAX_BRACKETS:,} lists and objects")
    try:
        held = json.loads(text)
        if not isinstance(held, dict) or "nbformat" not in held:
            raise SourceFault(0, "this is not a notebook: it has no 'nbformat'")
        old = held["nbformat"] != VERSION
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what it repairs
            made = nbformat.reads(text, as_version=VERSION) if old else held
    except SourceFault:
        raise
    except Exception as bad:  # noqa: BLE001  the library may raise anything
        said = str(bad).split("\n")[0][:200] or type(bad).__name__
        raise SourceFault(0, f"it cannot be read as a notebook ({said})") from None
    raw = made.get("cells")
    cells = [cell for cell in raw if isinstance(cell, dict)] if isinstance(raw, list) else []
    if len(cells) > MAX_CELLS:
        raise SourceFault(0, f"it has {len(cells):,} cells; at most {MAX_CELLS:,} are read")
    metadata = made.get("metadata")
    minor = made.get("nbformat_minor")
    return NotebookFile(
        metadata if isinstance(metadata, dict) else {},
        minor if isinstance(minor, int) else 4,
        tuple(_cell(cell, number) for number, cell in enumerate(cells, start=1)),
    )


def unfenced(
    cells: tuple[NotebookFileCell, ...], problems: list[str], file: str
) -> tuple[NotebookFileCell, ...]:
    """The cells with each otter fence as a raw cell of its own; adds to ``problems``."""
    made: list[NotebookFileCell] = []
    for cell in cells:
        lines = cell.source.split("\n")
        if cell.kind != "markdown" or not any(line.strip() == _FENCE for line in lines):
            made.append(cell)
            continue
        try:
            made += _cut(cell, lines)
        except SourceFault as bad:
            problems.append(bad.at(f"{file}, cell {cell.number}"))
    return tuple(made)


def is_ignored(cell: NotebookFileCell) -> bool:
    """Whether the first line makes otter leave the cell out."""
    return _IGNORED.match(cell.first) is not None


def is_raw(cell: NotebookFileCell, words: str) -> bool:
    """Whether a raw cell's first line is a comment that begins with these words."""
    pattern = r"#\s+" + r"\s+".join(words.split())
    return cell.kind == "raw" and re.match(pattern, cell.first, re.IGNORECASE) is not None


def _cut(cell: NotebookFileCell, lines: list[str]) -> Iterator[NotebookFileCell]:
    text: list[str] = []
    inside: list[str] | None = None
    begun = 0
    skip = False
    for number, line in enumerate(lines, start=1):
        word = line.strip()
        if inside is None and word == _FENCE:
            yield from _kept(cell, "markdown", text)
            text, inside, begun = [], [], number
        elif inside is not None and word == _FENCE:
            raise SourceFault(number, f"a fence begins inside the fence opened on line {begun}")
        elif inside is not None and word == _END:
            yield from _kept(cell, "raw", inside)
            inside, skip = None, True
        elif inside is not None:
            inside.append(line)
        elif word or not skip:  # one empty line after a fence goes with it
            text.append(line)
            skip = False
        else:
            skip = False
    if inside is not None:
        raise SourceFault(begun, f"the fence {_FENCE!r} is never closed")
    yield from _kept(cell, "markdown", text)


def _kept(cell: NotebookFileCell, kind: str, lines: list[str]) -> Iterator[NotebookFileCell]:
    if any(line.strip() for line in lines):
        yield replace(cell, kind=kind, source="\n".join(lines), metadata={}, id="")


def _cell(cell: dict[str, Any], number: int) -> NotebookFileCell:
    kind = cell.get("cell_type")
    outputs = cell.get("outputs")
    metadata = cell.get("metadata")
    return NotebookFileCell(
        number=number,
        kind=kind if kind in ("code", "markdown") else "raw",
        source=re.sub(r"\r\n?", "\n", _text(cell.get("source"))),
        shown="".join(_shown(out) for out in outputs if isinstance(out, dict))
        if isinstance(outputs, list)
        else "",
        run=bool(outputs) or cell.get("execution_count") is not None,
        metadata=metadata if isinstance(metadata, dict) else {},
        id=cell["id"] if isinstance(cell.get("id"), str) else "",
    )


def _shown(output: dict[str, Any]) -> str:
    data = output.get("data")
    plain = data.get("text/plain") if isinstance(data, dict) else None
    return _text(output.get("text")) + _text(plain)


def _text(part: Any) -> str:
    if isinstance(part, list):
        return "".join(item for item in part if isinstance(item, str))
    return part if isinstance(part, str) else ""
