"""The form of another tool's notebook in which it is run: cells, and the positions of each
exercise's tests."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.errors import SpecError, SubmissionError
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import GIVEN, Located
from autograder.notebook.submission import Submission
from autograder.wire.messages import Cell

FILES = "files"  # the folder of an assignment whose files are beside the notebook while it runs
MAX_FILES = 20_000_000  # bytes in total


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


def beside(folder: Path, number: int) -> tuple[Cell, ...]:
    """A cell with this number that writes the assignment's files; none if there are none.

    Raises ``SpecError`` if they are too large to be sent with every submission.
    """
    root = folder / FILES
    paths = [path for path in sorted(root.rglob("*")) if path.is_file()] if root.is_dir() else []
    if not paths:
        return ()
    size = sum(path.stat().st_size for path in paths)
    if size > MAX_FILES:  # guard: files beside a notebook are bounded
        raise SpecError(
            [
                f"{root}: {size:,} bytes in total; at most {MAX_FILES:,} are allowed next to a "
                "notebook. Remove files that the notebooks do not read"
            ]
        )
    return (Cell(number, "\n".join(_written(root, paths)) + "\n", GIVEN),)


def _written(root: Path, paths: list[Path]) -> Iterator[str]:
    yield "def _bring(files):"
    yield "    import base64, pathlib"
    yield "    for name, data in files:"
    yield "        path = pathlib.Path(name)"
    yield "        path.parent.mkdir(parents=True, exist_ok=True)"
    yield "        path.write_bytes(base64.b85decode(data))"
    yield "_bring(["
    for path in paths:
        data = base64.b85encode(path.read_bytes()).decode()
        yield f"    ({path.relative_to(root).as_posix()!r}, {data!r}),"
    yield "])"
    yield "del _bring"
