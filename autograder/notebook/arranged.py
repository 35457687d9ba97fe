"""The form of another tool's notebook in which it is run: cells, and the positions of each
exercise's tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.errors import SubmissionError
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import Located
from autograder.notebook.submission import Submission
from autograder.wire.messages import Cell


@dataclass(frozen=True, slots=True)
class ArrangedNotebook:
    """``cells`` in the order in which they are run; ``located`` says where tests are run and which
    cells belong to an exercise; ``texts``: of the cells that are graded by hand, None for a missing
    one."""

    cells: tuple[Cell, ...]
    located: Located
    texts: Mapping[str, str | None] = field(default_factory=dict)


def texts_of(template: Path) -> frozenset[str]:
    """The cells of a student notebook, to recognise them in submissions; none without the file."""
    try:
        cells = read(template).cells if template.is_file() else ()
    except SubmissionError:
        return frozenset()
    return frozenset(_words(cell.source) for cell in cells)


def with_given(located: Located, submission: Submission, texts: frozenset[str]) -> Located:
    """The places, with the cells whose text is among ``texts`` as given ones."""
    same = {cell.number for cell in submission.cells if _words(cell.source) in texts}
    return replace(located, given=located.given | same)


def _words(source: str) -> str:
    return " ".join(source.split())
