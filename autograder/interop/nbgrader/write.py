"""Converts a source assignment to assignments of ours, one for each notebook.

Covered: ids from any notebook or cell name, points with more than three decimals, files next to the
notebooks. Not covered: nbgrader_config.py; it is a program and is never run.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli_w

from autograder.assignment.data_files import FOLDER, excess, refused
from autograder.errors import SpecError, UsageError
from autograder.interop.folder_files import FolderFiles, opened_files
from autograder.interop.nbgrader.released import graded_notebook, release_notebook
from autograder.interop.nbgrader.source import (
    SourceAssignment,
    SourceCell,
    SourceNotebook,
    cleared,
    hidden,
    released,
    scheme,
)
from autograder.notebook.formats.text import without_surrogates
from autograder.notebook.template.release import notebook_bytes

CELL_CPU_S = 30  # nbgrader's own limit for one cell
MAX_ID, MIN_TITLE = 64, 3
UNIT = Decimal("0.001")
TAMPERING = (
    "Test cells run inside the sandbox, among the student's own names: code written to deceive "
    "its tests can pass them, as in nbgrader"
)


@dataclass(frozen=True, slots=True)
class ConvertedAssignment:
    """One assignment of ours: its files by path, relative to the folder that holds
    ``assignments/``; ``notes`` are sentences for the instructor."""

    id: str
    files: Mapping[Path, bytes]
    notes: tuple[str, ...] = ()


def bring(
    source: SourceAssignment, *, own_id: str = "", stderr_fails: bool = True
) -> tuple[ConvertedAssignment, ...]:
    """One assignment of ours for each notebook.

    ``own_id`` replaces the assignment's name in their ids. ``stderr_fails``: a test cell that
    writes to the error stream, such as a warning, loses its points, as in nbgrader. Raises
    ``UsageError`` for an invalid ``own_id``, ``SpecError`` if the other files cannot be read or
    are too large.
    """
    ids = _ids(source, own_id)
    beside = _beside(source)
    return tuple(
        _brought(id_, source, notebook, beside, stderr_fails)
        for id_, notebook in zip(ids, source.notebooks, strict=True)
    )


def slug(name: str, *, start: str = "a") -> str:
    """A valid id made from a name; ``start`` is prepended if it does not begin with a letter."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    kept = re.sub(r"[^A-Za-z0-9_-]+", "-", plain).strip("-_")
    return (kept if kept[:1].isalpha() else f"{start}-{kept}".rstrip("-"))[:MAX_ID]


def in_thousandths(points: Sequence[Decimal]) -> tuple[Decimal, ...]:
    """Points rounded to three decimals by largest remainder, so that their sum is the rounded sum
    of the exact points."""
    below = [int(one / UNIT) for one in points]
    left = [one / UNIT - low for one, low in zip(points, below, strict=True)]
    missing = int((sum(points) / UNIT).to_integral_value()) - sum(below)
    for at in sorted(range(len(points)), key=lambda at: (-left[at], at))[:missing]:
        below[at] += 1
    return tuple(low * UNIT for low in below)


def _beside(source: SourceAssignment) -> FolderFiles:
    """The files next to the notebooks: all of a folder, those that the code of a single notebook
    opens. Raises ``SpecError``."""
    cells = [
        (f"{notebook.name}.ipynb, cell {cell.number}", cell.source)
        for notebook in source.notebooks
        for cell in notebook.cells
        if cell.kind == "code"
    ]
    folder, whole = source.folder or Path(), f"autograder import nbgrader {source.folder}"
    try:
        if source.alone:
            return opened_files(folder, cells, taken=_notebooks(source), remedy=whole)
        paths = {path.as_posix(): folder / path for path in source.files}
        problems = [
            f"{folder / name}: {why}"
            for name in paths
            if (why := refused(name, _notebooks(source)))
        ]
        size = sum(path.stat().st_size for path in paths.values())
        if too_much := excess(folder, size, paths):
            problems.append(too_much)
        if problems:
            raise SpecError(problems)
        brought = {name: path.read_bytes() for name, path in paths.items()}
        made = opened_files(folder, cells, taken=_notebooks(source), brought=brought)
    except OSError as bad:
        raise SpecError([f"{bad.filename}: cannot be read ({bad.strerror})"]) from None
    links = f"Links in {folder} are left out: {', '.join(map(str, source.links))}. Copy the files."
    return replace(made, notes=(*([links] if source.links else []), *made.notes))


def _notebooks(source: SourceAssignment) -> list[str]:
    return [f"{name}.ipynb" for name in (*(n.name for n in source.notebooks), *source.ungraded)]


def _ids(source: SourceAssignment, own_id: str) -> list[str]:
    if own_id and slug(own_id) != own_id:
        raise UsageError(
            f"--id {own_id!r}: an id must begin with a letter and consist of at most {MAX_ID} "
            "letters, digits, '_' and '-'"
        )
    made: list[str] = []
    name = own_id or source.name
    for notebook in source.notebooks:
        alone = len(source.notebooks) == 1 and (own_id or notebook.name == source.name)
        made.append(_free(slug(name if alone else f"{name}-{notebook.name}"), made))
    return made


def _title(name: str) -> str:
    return name if len(name) >= MIN_TITLE else f"Assignment {name}"


def _toml(spec: Mapping[str, Any]) -> bytes:
    """The text of assignment.toml, with multi-line strings if they can be read back unchanged."""
    meant = _encodable(spec)
    text = tomli_w.dumps(meant, multiline_strings=True)
    if tomllib.loads(text) != meant:
        text = tomli_w.dumps(meant, multiline_strings=False)
    return text.encode()


def _encodable(node: Any) -> Any:
    """A copy without lone surrogates, which file names and JSON may contain."""
    if isinstance(node, str):
        return without_surrogates(node)
    if isinstance(node, Mapping):
        return {key: _encodable(value) for key, value in node.items()}
    return [_encodable(one) for one in node] if isinstance(node, list | tuple) else node


def _brought(
    id_: str,
    source: SourceAssignment,
    notebook: SourceNotebook,
    beside: FolderFiles,
    stderr_fails: bool,
) -> ConvertedAssignment:
    folder, points = (
        Path("assignments", id_),
        in_thousandths([cell.mark.exact_points for cell in notebook.graded]),
    )
    alone = notebook.name == source.name
    spec: dict[str, Any] = {
        "format": 1,
        "id": id_,
        "title": _title(source.name if alone else f"{source.name}: {notebook.name}"),
        "limits": {"cell_cpu_s": CELL_CPU_S, "call_cpu_s": CELL_CPU_S},
        "brought": {"tool": "nbgrader", "notebook": notebook.name, "assignment": source.name},
        "exercise": list(_exercises(notebook, points, stderr_fails)),
    }
    template = release_notebook(notebook, assignment=id_)
    files = {
        folder / "assignment.toml": _toml(spec),
        folder / "source.ipynb": notebook_bytes(graded_notebook(notebook)),
        Path("solutions", id_, "solution.ipynb"): notebook.data,
        Path("student_templates", f"{id_}.ipynb"): notebook_bytes(template),
    }
    files |= {folder / FOLDER / path: data for path, data in beside.contents.items()}
    notes = (*_notes(source, notebook, points), *beside.notes)
    return ConvertedAssignment(id_, files, notes)


def _exercises(
    notebook: SourceNotebook, points: Sequence[Decimal], stderr_fails: bool
) -> Iterator[dict[str, Any]]:
    taken: list[str] = []
    for cell, worth in zip(notebook.graded, points, strict=True):
        own = _free(slug(cell.mark.grade_id, start="c"), taken)
        taken.append(own)
        yield {
            "id": own,
            "title": cell.mark.grade_id,
            "name": cell.mark.grade_id,
            "defines": [],
            "check": [_check(cell, worth, stderr_fails)],
        }


def _check(cell: SourceCell, worth: Decimal, stderr_fails: bool) -> dict[str, Any]:
    head = {"title": cell.mark.grade_id, "points": str(worth.normalize() + 0)}
    if cell.mark.purpose(cell.kind) == "tests":
        made = {"kind": "test_cell", "id": "tests", **head, "public": not hidden(cell)}
        made |= {"shown": released(cell).source} if hidden(cell) else {}
        return made | {"code": cell.source, "stderr_fails": stderr_fails}
    made = {"kind": "answer_cell", "id": "answer", **head, "public": True}
    made |= {"unchanged": released(cell).source, "rubric": _rubric(cell)}
    return made if cell.mark.solution else made | {"always": True}


def _rubric(cell: SourceCell) -> str:
    """The text for the grader: the mark scheme, or the instructor's own answer."""
    if not cell.mark.solution:
        return scheme(cell)
    own = cleared(cell).source
    return "" if cell.source == own else f"The instructor's answer:\n{cell.source}"


def _notes(
    source: SourceAssignment, notebook: SourceNotebook, points: Sequence[Decimal]
) -> Iterator[str]:
    if any(cell.mark.purpose(cell.kind) == "tests" for cell in notebook.graded):
        yield f"{TAMPERING}."
    exact = [cell.mark.exact_points for cell in notebook.graded]
    changed = [
        f"{cell.mark.grade_id} {was} -> {now.normalize() + 0}"
        for cell, was, now in zip(notebook.graded, exact, points, strict=True)
        if was != now
    ]
    if changed:
        yield f"Points have three decimals here; the sum is kept: {', '.join(changed)}."
    if source.ungraded:
        yield f"Left out, because nothing in it is graded: {', '.join(source.ungraded)}."


def _free(wanted: str, taken: Sequence[str]) -> str:
    choice, number = wanted, 2
    while choice in taken:
        choice, number = f"{wanted[: MAX_ID - 4]}-{number}", number + 1
    return choice
