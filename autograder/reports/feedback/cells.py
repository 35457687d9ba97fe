"""An executed notebook reduced to what a page can show: known cell and output kinds, bounded sizes.

Everything else about the notebook (metadata, attachments, widgets, other output kinds)
is dropped, so that nbconvert's template gets only what it was written for.
"""

from __future__ import annotations

import base64
import binascii
import struct
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode, from_dict

from autograder.reports.feedback.cleaning import plain_text

SOURCE_LIMIT = 30_000
TEXT_LIMIT = 20_000
PAGE_TEXT_LIMIT = 400_000
PAGE_COLOURED_LIMIT = 60_000  # characters of code; what follows has one colour
COLOURED_LINE = 2_000  # characters: on a line, colouring may cost the square of its length
OUTPUTS_LIMIT = 40
CELLS_LIMIT = 1_000
IMAGE_BYTES_LIMIT = 2_000_000
PAGE_IMAGES_LIMIT = 12_000_000
IMAGE_SIDE_LIMIT = 6_000
_RICH = ("text/html", "text/markdown", "image/png", "image/jpeg", "text/latex", "text/plain")


Node = dict[str, Any]


class _Budget:
    """What one page may still hold; shrinks as cells are added."""

    def __init__(self) -> None:
        self.text = PAGE_TEXT_LIMIT
        self.images = PAGE_IMAGES_LIMIT
        self.coloured = PAGE_COLOURED_LIMIT

    def cut(self, text: str, limit: int) -> str:
        """The text, or its two ends with a note about what was cut."""
        room = max(min(limit, self.text), 200)
        if len(text) > room:
            head, tail = room * 3 // 4, room // 4
            note = f"\n\n[... {len(text) - head - tail} characters cut ...]\n\n"
            text = text[:head] + note + text[-tail:]
        self.text -= len(text)
        return text


def page_notebook(executed: Mapping[str, Any], plain: Collection[int] = ()) -> NotebookNode:
    """A new notebook of clean cells; each has its number in metadata ``ag_number`` (0: none). Code
    with numbers in ``plain`` is not coloured."""
    budget = _Budget()
    cells = list(executed.get("cells", ()))
    kept = [_cell(cell, budget, plain) for cell in cells[:CELLS_LIMIT]]
    if len(cells) > CELLS_LIMIT:
        kept.append(_made("raw", f"[... {len(cells) - CELLS_LIMIT} cells cut ...]", 0))
    kept = [{"id": f"c{index}", **cell} for index, cell in enumerate(kept)]
    return from_dict({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": kept})


def cell_numbers(notebook: Mapping[str, Any]) -> frozenset[int]:
    """The numbers of the cells that a page notebook has."""
    return frozenset(cell["metadata"].get("ag_number", 0) for cell in notebook["cells"])


def _cell(cell: Mapping[str, Any], budget: _Budget, plain: Collection[int]) -> Node:
    number = cell.get("metadata", {}).get("ag_number", 0)
    number = number if isinstance(number, int) else 0
    source = budget.cut(_joined(cell.get("source", "")), SOURCE_LIMIT)
    if cell.get("cell_type") == "markdown":
        return _made("markdown", source, number)
    if cell.get("cell_type") != "code":
        return _made("raw", plain_text(source), number)
    found = list(cell.get("outputs", ()))
    outputs = [_output(output, budget, number) for output in found[:OUTPUTS_LIMIT]]
    if len(found) > OUTPUTS_LIMIT:
        outputs.append(_text(f"[... {len(found) - OUTPUTS_LIMIT} outputs cut ...]"))
    made = _made("code", plain_text(source), number, outputs)
    if number not in plain:
        budget.coloured -= len(source)
        longest = max(map(len, source.split("\n")))
        made["metadata"]["ag_coloured"] = budget.coloured >= 0 and longest <= COLOURED_LINE
    return made


def _made(kind: str, source: str, number: int, outputs: Sequence[Node] | None = None) -> Node:
    made: Node = {"cell_type": kind, "metadata": {"ag_number": number}, "source": source}
    return made if outputs is None else {**made, "execution_count": None, "outputs": list(outputs)}


def _output(output: Mapping[str, Any], budget: _Budget, number: int) -> Node:
    kind = output.get("output_type")
    if kind == "stream":
        name = "stderr" if output.get("name") == "stderr" else "stdout"
        text = plain_text(budget.cut(_joined(output.get("text", "")), TEXT_LIMIT))
        return {"output_type": "stream", "name": name, "text": text}
    if kind == "error":
        lines = "\n".join(str(line) for line in output.get("traceback", ()))
        said = lines or f"{output.get('ename', '')}: {output.get('evalue', '')}"
        text = plain_text(budget.cut(said, TEXT_LIMIT))
        return {"output_type": "error", "ename": "", "evalue": "", "traceback": [text]}
    data = output.get("data", {})
    return _display(data if isinstance(data, Mapping) else {}, budget, number)


def _display(data: Mapping[str, Any], budget: _Budget, number: int) -> Node:
    """The richest form that a page can hold, with its plain text in case that turns out empty."""
    mime = next((known for known in _RICH if known in data), "")
    content = _joined(data.get(mime, ""))
    if mime in ("image/png", "image/jpeg"):
        return _image(mime, content, budget, number)
    if mime == "text/latex":
        return _text(plain_text(budget.cut(content, TEXT_LIMIT)))
    plain = plain_text(budget.cut(_joined(data.get("text/plain", "")), TEXT_LIMIT))
    if mime in ("text/html", "text/markdown") and len(content) <= budget.text:
        budget.text -= len(content)
        return _shown({mime: content}, plain=plain)
    return _text(plain)


def _image(mime: str, content: str, budget: _Budget, number: int) -> Node:
    try:
        raw = base64.b64decode("".join(content.split()), validate=True)
    except (binascii.Error, ValueError):
        return _text("[unreadable image]")
    if len(raw) > min(IMAGE_BYTES_LIMIT, budget.images) or not _has_fair_size(mime, raw):
        return _text(f"[image of {len(raw)} bytes removed]")
    budget.images -= len(raw)
    alt = f"Figure shown by cell {number}" if number else "Figure"
    return _shown({mime: base64.b64encode(raw).decode("ascii")}, alt=alt)


def _has_fair_size(mime: str, raw: bytes) -> bool:
    """Whether the bytes begin as their kind does and, for PNG, neither side is huge."""
    if mime == "image/jpeg":
        return raw.startswith(b"\xff\xd8\xff")
    if len(raw) < 24 or not raw.startswith(b"\x89PNG\r\n\x1a\n"):
        return False
    width, height = struct.unpack(">II", raw[16:24])
    return bool(max(width, height) <= IMAGE_SIDE_LIMIT)


def _text(text: str) -> Node:
    return _shown({"text/plain": text})


def _shown(data: Mapping[str, str], **metadata: str) -> Node:
    return {"output_type": "display_data", "data": dict(data), "metadata": metadata}


def _joined(text: Any) -> str:
    """Notebook text, which may be a list of lines."""
    if isinstance(text, list | tuple):
        return "".join(str(part) for part in text)
    return text if isinstance(text, str) else ""
