"""Reads nbgrader's source notebooks: one file, or the folder of an assignment.

Covered: every problem of every notebook at once, each with its cell: metadata, markers, duplicate
ids, regions in cells of another purpose, tests not generated yet, other languages.
Not covered: what the code does, and whether it passes its own tests.
"""

from __future__ import annotations

import json
import re
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import nbformat

from autograder.errors import SpecError, SubmissionError
from autograder.interop.nbgrader.markers import DEFAULT, MarkerProblem, Markers, autotests, cut
from autograder.interop.nbgrader.marks import UNMARKED, Mark, MarkProblem, read_mark
from autograder.notebook.formats.cells import MAX_CELLS, check_language
from autograder.notebook.formats.read import MAX_BYTES, read_bytes
from autograder.notebook.formats.text import Repairs, clean, decode
from autograder.notebook.submission import Kind

_KINDS: Mapping[str, Kind] = {"code": "code", "markdown": "markdown", "raw": "raw"}
_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_ATTACHMENT = re.compile(r"!\[.*\]\(attachment:.+?\)")
_PLACES = {"solution": ("answer", "manual"), "hidden test": ("tests", "manual")}


@dataclass(frozen=True, slots=True)
class SourceCell:
    """One cell; ``number`` counts from 1. ``metadata`` is all of it, ``mark`` nbgrader's part.
    ``id``: the cell's own, empty if it has none."""

    number: int
    kind: Kind
    source: str
    mark: Mark
    metadata: Mapping[str, Any]
    attachments: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


@dataclass(frozen=True, slots=True)
class SourceNotebook:
    """A source notebook with valid marks and markers. ``data``: the file's bytes."""

    name: str
    cells: tuple[SourceCell, ...]
    metadata: Mapping[str, Any]
    data: bytes

    @property
    def graded(self) -> tuple[SourceCell, ...]:
        """The cells that have points."""
        return tuple(cell for cell in self.cells if cell.mark.grade or cell.mark.task)


@dataclass(frozen=True, slots=True)
class SourceAssignment:
    """An assignment's notebooks with graded cells, the names of those without (``ungraded``),
    and the other files of its folder, relative to it, without ``links``. ``alone``: one notebook
    was given, not the folder."""

    name: str
    notebooks: tuple[SourceNotebook, ...]
    ungraded: tuple[str, ...] = ()
    folder: Path | None = None
    files: tuple[Path, ...] = ()
    links: tuple[Path, ...] = ()
    alone: bool = False


def read_course(path: Path, markers: Markers = DEFAULT) -> SourceAssignment:
    """``source/<assignment>/`` or one notebook; raises ``SpecError`` with every problem."""
    whole = path.resolve()
    if not path.is_dir():
        of_course = whole.parent.parent.name in ("source", "source_with_tests")
        name = whole.parent.name if of_course else whole.stem
        read = SourceAssignment(name, _read_all([path], markers), folder=path.parent, alone=True)
        return _with_graded(path, read)
    found = sorted(file for file in path.glob("*.ipynb") if _is_own(file.relative_to(path)))
    if not found:
        raise SpecError(
            [
                f"{path}: there is no .ipynb file in this folder; give the folder "
                "source/<assignment>/ of a course, or one notebook"
            ]
        )
    others = sorted(_others(path))
    files = tuple(own for own in others if not _leads_out(path, own))
    links = tuple(own for own in others if own not in files)
    read = SourceAssignment(whole.name, _read_all(found, markers), (), path, files, links)
    return _with_graded(path, read)


def _with_graded(path: Path, read: SourceAssignment) -> SourceAssignment:
    """The assignment without ungraded notebooks; raises ``SpecError`` if no cell is graded."""
    graded = tuple(notebook for notebook in read.notebooks if notebook.graded)
    if not graded:
        raise SpecError(
            [
                f"{path}: no cell is graded, so there is nothing to import. Give the "
                "source notebooks, in which cells have nbgrader's metadata"
            ]
        )
    left = tuple(notebook.name for notebook in read.notebooks if not notebook.graded)
    return replace(read, notebooks=graded, ungraded=left)


def _others(folder: Path) -> Iterator[Path]:
    """The other files of the folder, relative to it."""
    for file in folder.rglob("*"):
        own = file.relative_to(folder)
        if file.is_file() and _is_own(own) and file.suffix != ".ipynb":
            yield own


def _leads_out(folder: Path, own: Path) -> bool:
    """Whether a file is a link, or in a folder that is one."""
    return (folder / own).resolve() != folder.resolve() / own


def read_source(path: Path, markers: Markers = DEFAULT) -> SourceNotebook:
    """One source notebook; raises ``SpecError`` with every problem."""
    data, notebook = _parsed(path)
    raw = notebook["cells"]
    if len(raw) > MAX_CELLS:
        raise SpecError([f"{path}: it has {len(raw):,} cells; at most {MAX_CELLS:,} are read"])
    problems: list[str] = []
    cells = tuple(_cell(path, *numbered, problems) for numbered in enumerate(raw, start=1))
    problems += _twice(path, cells)
    for cell in cells:
        problems += (f"{_place(path, cell)}: {said}" for said in _wrong_markers(cell, markers))
    if problems:
        raise SpecError(problems)
    return SourceNotebook(path.stem, cells, notebook["metadata"], data)


def cleared(cell: SourceCell, markers: Markers = DEFAULT) -> SourceCell:
    """The cell without the answer, but with hidden tests and mark schemes."""
    if not cell.mark.solution:
        return cell
    stub = markers.code_stub if cell.kind == "code" else markers.text_stub
    found = cut(cell.source, markers.begin_solution, markers.end_solution, stub)
    return replace(cell, source=found.text if found.regions else stub)


def released(cell: SourceCell, markers: Markers = DEFAULT) -> SourceCell:
    """The cell without the answer, hidden tests and mark schemes, for students."""
    text = cleared(cell, markers).source
    for name, begin, end in markers.pairs():
        text = text if name == "solution" else cut(text, begin, end).text
    return replace(cell, source=text)


def hidden(cell: SourceCell, markers: Markers = DEFAULT) -> bool:
    """Whether a cell has hidden tests."""
    return bool(cut(cell.source, markers.begin_tests, markers.end_tests).regions)


def scheme(cell: SourceCell, markers: Markers = DEFAULT) -> str:
    """The mark scheme in a cell; empty if there is none."""
    found = cut(cell.source, markers.begin_scheme, markers.end_scheme)
    return "\n\n".join(part.strip("\n") for part in found.regions)


def _read_all(paths: list[Path], markers: Markers) -> tuple[SourceNotebook, ...]:
    problems: list[str] = []
    notebooks = []
    for path in paths:
        try:
            notebooks.append(read_source(path, markers))
        except SpecError as bad:
            problems += bad.problems
    if problems:
        raise SpecError(problems)
    return tuple(notebooks)


def _is_own(path: Path) -> bool:
    """Whether a file belongs to the assignment and was not left by an editor or Jupyter."""
    return not any(part.startswith(".") or part == "__pycache__" for part in path.parts)


def _parsed(path: Path) -> tuple[bytes, Mapping[str, Any]]:
    """The bytes and the notebook in format 4; raises ``SpecError``."""
    try:
        data = read_bytes(path)
    except SubmissionError as bad:
        raise SpecError([bad.to_author()]) from None
    if not data.strip() or len(data) > MAX_BYTES:
        too_large = f"has more than {MAX_BYTES:,} bytes; clear its outputs"
        raise SpecError([f"{path}: the file {too_large if data.strip() else 'is empty'}"])
    try:
        notebook = _format_4(json.loads(decode(data, Repairs())))
    except Exception as bad:  # noqa: BLE001  the library may raise anything
        said = f"{type(bad).__name__}: {str(bad)[:200]}"
        raise SpecError([f"{path}: this cannot be read as a notebook ({said})"]) from None
    metadata = notebook["metadata"]
    kernel = metadata.get("kernelspec")
    kernel = kernel if isinstance(kernel, Mapping) else {}
    try:
        check_language((kernel.get("language"),), kernel.get("name"), str(path))
    except SubmissionError as bad:
        raise SpecError([bad.to_author()]) from None
    return data, notebook


def _format_4(raw: Any) -> Mapping[str, Any]:
    """The notebook in format 4, checked for cells and metadata; may raise anything."""
    if isinstance(raw, dict) and isinstance(raw.get("nbformat"), int) and raw["nbformat"] < 4:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            raw = nbformat.convert(nbformat.from_dict(raw), 4)
    if not isinstance(raw["cells"], list) or not isinstance(raw["metadata"], Mapping):
        raise TypeError("no list of cells, or no metadata")
    return raw  # type: ignore[no-any-return]


def _cell(path: Path, number: int, raw: Any, problems: list[str]) -> SourceCell:
    if not isinstance(raw, Mapping):
        problems.append(f"{path}, cell {number}: this is not a cell")
        return SourceCell(number, "raw", "", UNMARKED, {})
    kind = _KINDS.get(str(raw.get("cell_type")), "raw")
    source, metadata = raw.get("source", ""), raw.get("metadata", {})
    if isinstance(source, list) and all(isinstance(line, str) for line in source):
        source = "".join(source)
    if not isinstance(source, str) or not isinstance(metadata, Mapping):
        problems.append(f"{path}, cell {number}: its text or metadata has the wrong type")
        return SourceCell(number, kind, "", UNMARKED, {})
    source = clean(source, number, Repairs())
    attachments, own = raw.get("attachments"), raw.get("id")
    made = SourceCell(
        number,
        kind,
        source,
        UNMARKED,
        metadata,
        attachments if isinstance(attachments, Mapping) else {},
        own if isinstance(own, str) and _ID.fullmatch(own) else "",
    )
    try:
        return replace(made, mark=read_mark(kind, metadata))
    except MarkProblem as bad:
        problems += (f"{_place(path, made)}: {said}" for said in bad.problems)
        return made


def _twice(path: Path, cells: tuple[SourceCell, ...]) -> Iterator[str]:
    count = Counter(cell.mark.grade_id for cell in cells if cell.mark is not UNMARKED)
    for cell in cells:
        if cell.mark is not UNMARKED and count[cell.mark.grade_id] > 1:
            said = f"grade_id {cell.mark.grade_id!r} is used in {count[cell.mark.grade_id]} cells"
            yield f"{_place(path, cell)}: {said}; give each its own"


def _wrong_markers(cell: SourceCell, markers: Markers) -> Iterator[str]:
    """The problems of a cell's regions, one message each."""
    purpose = cell.mark.purpose(cell.kind)
    for name, begin, end in markers.pairs():
        try:
            found = cut(cell.source, begin, end)
        except MarkerProblem as bad:
            yield f"line {bad.line}: {bad.what}"
            continue
        if not found.regions:
            continue
        if name == "mark scheme":
            if purpose != "task":
                yield f"a {name} in a cell that is not a manually graded task"
            if any(map(_ATTACHMENT.search, found.regions)):
                yield f"a {name} with an attachment, which students would get; link to the picture"
        elif purpose not in _PLACES[name]:
            wanted = "a solution" if name == "solution" else "a graded"
            yield f"a {name} region in a cell that is not {wanted} cell"
    lines = [*autotests(cell.source, markers)] if cell.kind == "code" else []
    if lines:
        yield (
            f"line {', '.join(map(str, lines[:5]))}{' ...' if len(lines) > 5 else ''}: "
            f"{markers.autotest}: these tests are generated by running the solution; let nbgrader "
            "do that (`nbgrader generate_assignment NAME --source_with_tests`) and give the folder "
            "source_with_tests/NAME"
        )


def _place(path: Path, cell: SourceCell) -> str:
    first = next((line.strip() for line in cell.source.split("\n") if line.strip()), "")
    return f"{path}, cell {cell.number} ({first[:40]!r})"
