"""What a hand-in is once it has been read: numbered cells, a digest, the repairs made."""

from __future__ import annotations

from typing import Literal

import msgspec

from autograder.wire.messages import Cell

Kind = Literal["code", "markdown", "raw"]


class NotebookCell(msgspec.Struct, frozen=True):
    """One cell. ``number`` counts all cells from 1; ``exercise`` is its tag, or empty."""

    number: int
    kind: Kind
    source: str
    exercise: str = ""
    locked: bool = False


class Submission(msgspec.Struct, frozen=True):
    """A hand-in. ``sha256`` is of the file's bytes; each repair is one sentence."""

    file: str
    sha256: str
    cells: tuple[NotebookCell, ...]
    repairs: tuple[str, ...] = ()


def code_cells(submission: Submission) -> tuple[Cell, ...]:
    """The code cells in order, as they are sent into the box, with the tags they carry."""
    return tuple(
        Cell(number=cell.number, source=cell.source, exercise=cell.exercise)
        for cell in submission.cells
        if cell.kind == "code"
    )
