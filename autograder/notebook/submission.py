"""A submission after reading: numbered cells, a digest, the repairs made."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from autograder.wire.messages import Cell, FileBeside

Kind = Literal["code", "markdown", "raw"]

_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


class NotebookCell(msgspec.Struct, frozen=True):
    """One cell. ``number`` counts all cells from 1; ``exercise`` is its tag, or empty. ``id`` is
    the cell's id in the file, if it is valid in the format. ``marks``: what other tools note in its
    metadata, as "nbgrader:ID", "otter:tests:NAME" and "otter:ignore"."""

    number: int
    kind: Kind
    source: str
    exercise: str = ""
    locked: bool = False
    id: str = ""
    marks: tuple[str, ...] = ()


class TemplateStamp(msgspec.Struct, frozen=True):
    """Which template a notebook was made from. The student can write anything there."""

    assignment: str
    version: str


class Submission(msgspec.Struct, frozen=True):
    """A submission. ``sha256`` is of the file's bytes; each repair is one sentence. ``beside``: the
    files that were submitted with the notebook and are beside it while it runs."""

    file: str
    sha256: str
    cells: tuple[NotebookCell, ...]
    repairs: tuple[str, ...] = ()
    stamp: TemplateStamp | None = None
    beside: tuple[FileBeside, ...] = ()


def make_stamp(assignment: object, version: object) -> TemplateStamp | None:
    """A stamp of two words of at most 100 characters; None for anything else."""
    words = [word for word in (assignment, version) if isinstance(word, str)]
    if len(words) == 2 and all(_WORD.fullmatch(word) for word in words):
        return TemplateStamp(*words)
    return None


def code_cells(submission: Submission) -> tuple[Cell, ...]:
    """The code cells in order, as they are sent into the sandbox, with their tags."""
    return tuple(
        Cell(number=cell.number, source=cell.source, exercise=cell.exercise)
        for cell in submission.cells
        if cell.kind == "code"
    )
