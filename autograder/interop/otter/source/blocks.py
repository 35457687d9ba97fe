"""Divides a master notebook of `otter assign` into questions with prompts, solutions and tests.

Delimiters are raw cells, or fences in Markdown cells. Blocks nest at most two deep.

Covered: every problem is reported with its cell number: unpaired or misplaced blocks, invalid
settings.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from autograder.interop.otter.source.cells import NotebookFileCell, is_ignored, is_raw
from autograder.interop.otter.source.model import SourceFault
from autograder.interop.otter.source.settings import (
    QuestionSettings,
    make,
    merged,
    read_yaml,
    unknown_keys,
)

Kind = Literal["question", "prompt", "solution", "tests"]
_KINDS: tuple[Kind, ...] = ("question", "prompt", "solution", "tests")
_NAME = re.compile(r"[^\"\\/\x00-\x1f\x7f]{1,200}")


@dataclass(slots=True)
class MasterReading:
    """Collected while a master is read: problems, notes for the instructor (``told``), and keys
    that otter ignores, with the numbers of their cells."""

    file: str
    problems: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)
    passed_over: dict[str, list[int]] = field(default_factory=dict)

    def place(self, cell: NotebookFileCell) -> str:
        """The file and number of a cell, for messages."""
        return f"{self.file}, cell {cell.number}"

    def known(
        self, kind: type[BaseModel], given: dict[str, Any], cell: NotebookFileCell
    ) -> dict[str, Any]:
        """The keys that otter knows; the others are noted."""
        for key in unknown_keys(kind, given):
            self.passed_over.setdefault(key, []).append(cell.number)
        return {key: value for key, value in given.items() if key in kind.model_fields}


@dataclass(slots=True)
class SourceBlock:
    """A block that is being read: its first cell and its contents in order."""

    kind: Kind
    cell: NotebookFileCell
    settings: QuestionSettings | None = None
    parts: list[NotebookFileCell | SourceBlock] = field(default_factory=list)

    def cells(self, kind: Kind) -> list[NotebookFileCell]:
        """The cells of the inner blocks of one kind."""
        blocks = [p for p in self.parts if isinstance(p, SourceBlock) and p.kind == kind]
        return [
            cell for block in blocks for cell in block.parts if isinstance(cell, NotebookFileCell)
        ]


Part = NotebookFileCell | SourceBlock


def is_master(cells: tuple[NotebookFileCell, ...]) -> bool:
    """Whether any cell is a delimiter of `otter assign`."""
    words = [f"{word} {kind}" for kind in _KINDS for word in ("begin", "end")]
    return any(is_raw(cell, word) for cell in cells for word in ("assignment config", *words))


def read_config(cells: tuple[NotebookFileCell, ...], reading: MasterReading) -> dict[str, Any]:
    """The assignment's settings, merged from its config cells in order."""
    made: dict[str, Any] = {}
    for cell in cells:
        if is_raw(cell, "assignment config") and not is_ignored(cell):
            made = merged(made, _yaml_of(cell, reading))
    return made


def read_blocks(cells: tuple[NotebookFileCell, ...], reading: MasterReading) -> list[Part]:
    """The cells as a tree of blocks, without settings and ignored cells."""
    top: list[Part] = []
    open_blocks: list[SourceBlock] = []
    for cell in cells:
        if is_ignored(cell) or is_raw(cell, "assignment config"):
            continue
        place = reading.place(cell)
        begins = next((kind for kind in _KINDS if is_raw(cell, f"begin {kind}")), None)
        ends = next((kind for kind in _KINDS if is_raw(cell, f"end {kind}")), None)
        if ends:
            reading.problems += _closed(ends, open_blocks, place)
        elif begins:
            reading.problems += _misplaced(begins, open_blocks, place)
            block = SourceBlock(begins, cell, _settings_of(begins, cell, reading))
            (open_blocks[-1].parts if open_blocks else top).append(block)
            open_blocks.append(block)
        else:
            if open_blocks and open_blocks[-1].kind == "tests" and cell.kind != "code":
                reading.problems.append(
                    f"{place}: a {cell.kind} cell among tests; only code cells are allowed there"
                )
            (open_blocks[-1].parts if open_blocks else top).append(cell)
    for block in open_blocks:
        reading.problems.append(
            f"{reading.place(block.cell)}: this {block.kind} block is never closed; "
            f"add a raw cell '# END {block.kind.upper()}'"
        )
    return top


def _settings_of(
    kind: Kind, cell: NotebookFileCell, reading: MasterReading
) -> QuestionSettings | None:
    if kind != "question":
        return None
    place = reading.place(cell)
    given = reading.known(QuestionSettings, _yaml_of(cell, reading), cell)
    settings = make(QuestionSettings, given, place, reading.problems)
    if settings is not None and not _NAME.fullmatch(settings.name):
        reading.problems.append(
            f"{place}: {settings.name[:60]!r} cannot be a question name, because it is also used "
            "as a file name; remove quotes, slashes and line breaks"
        )
        return None
    return settings


def _yaml_of(cell: NotebookFileCell, reading: MasterReading) -> dict[str, Any]:
    try:
        return read_yaml(cell.source)
    except SourceFault as bad:
        reading.problems.append(bad.at(reading.place(cell)))
        return {}


def _closed(kind: Kind, open_blocks: list[SourceBlock], place: str) -> list[str]:
    """Close the innermost block of this kind; returns the problems."""
    if not any(block.kind == kind for block in open_blocks):
        return [f"{place}: this ends a {kind} block that was never opened"]
    told = []
    while open_blocks[-1].kind != kind:
        inner = open_blocks.pop()
        told.append(
            f"{place}: this ends a {kind} block, but the {inner.kind} block of cell "
            f"{inner.cell.number} inside it is not closed"
        )
    open_blocks.pop()
    return told


def _misplaced(kind: Kind, open_blocks: list[SourceBlock], place: str) -> list[str]:
    """The problems of opening a block of this kind here."""
    if kind == "question":
        return [f"{place}: a question begins inside another block"] if open_blocks else []
    if not open_blocks:
        return [f"{place}: a {kind} block begins outside a question"]
    if len(open_blocks) > 1:
        return [f"{place}: a {kind} block begins inside a {open_blocks[-1].kind} block"]
    before = [part.kind for part in open_blocks[0].parts if isinstance(part, SourceBlock)]
    if kind == "prompt" and "prompt" in before:
        return [f"{place}: a second prompt in one question"]
    if kind == "prompt" and "solution" in before:
        return [f"{place}: a prompt after the solution; it must come first"]
    return []
