"""Reads the JSON of a notebook without trusting it: no schema, every part may be missing.

Covered: nbformat 4 of any minor version, the worksheets of nbformat 2 and 3, sources as text or as
lists, parts that are missing or of the wrong type, ids that are missing or not unique, nesting,
sizes, slightly damaged JSON (``lenient``). Not covered: outputs, attachments and widget state; they
are never read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

from autograder.errors import SubmissionError
from autograder.notebook.formats.cells import (
    MAX_CELLS,
    UncheckedCell,
    check_language,
    make_cell,
    too_many,
)
from autograder.notebook.formats.lenient import load_json, unwrapped
from autograder.notebook.formats.text import Repairs
from autograder.notebook.submission import Kind, NotebookCell, TemplateStamp, make_stamp

MAX_BRACKETS = 3_000_000  # lists and objects: each costs some 60 bytes of memory, 2 in the file
IDS_SINCE = 5  # the minor version of nbformat 4 that requires ids

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_NUMBER = re.compile(r"[0-9]{1,9}")
_KINDS: dict[str, Kind] = {
    "code": "code",
    "markdown": "markdown",
    "raw": "raw",
    "heading": "markdown",
    "html": "markdown",
}


def read_ipynb(
    text: str, file: str, repairs: Repairs
) -> tuple[tuple[NotebookCell, ...], TemplateStamp | None]:
    """The cells of a notebook file and its stamp. Raises SubmissionError and nothing else."""
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise SubmissionError(
            f"{file}: the file contains more than {MAX_BRACKETS:,} lists and objects, more than "
            "any notebook needs. Clear the outputs in Jupyter, save the notebook and submit it "
            "again."
        )
    notebook = unwrapped(load_json(text, file, repairs), file, repairs)
    if not isinstance(notebook, dict):
        raise SubmissionError(
            f"{file}: this is JSON but not a notebook: its top level is a "
            f"{type(notebook).__name__}, not an object. Submit the .ipynb file itself."
        )
    raw = _raw_cells(notebook, file, repairs)
    metadata = _object(notebook.get("metadata"))
    kernelspec = _object(metadata.get("kernelspec"))
    info = _object(metadata.get("language_info"))
    check_language((kernelspec.get("language"), info.get("name")), kernelspec.get("name"), file)
    cells = json_cells(raw, file, repairs)
    _check_sources(raw, cells, file)  # a notebook that has lost its sources is damage
    minor = notebook.get("nbformat_minor")
    if notebook.get("nbformat") == 4 and isinstance(minor, int) and minor >= IDS_SINCE:
        _note_ids(raw, repairs)
    ours = _object(metadata.get("autograder"))
    return cells, make_stamp(ours.get("assignment"), ours.get("version"))


def json_cells(raw: Sequence[Any], file: str, repairs: Repairs) -> tuple[NotebookCell, ...]:
    """Cells from the JSON objects of a notebook; raises SubmissionError if there are too many or
    one is too long."""
    if len(raw) > MAX_CELLS:
        raise too_many(len(raw), file)
    return tuple(_cell(number, cell, repairs, file) for number, cell in enumerate(raw, start=1))


def _check_sources(raw: Sequence[Any], cells: Sequence[NotebookCell], file: str) -> None:
    """Raise SubmissionError if there are code cells and all have lost their source: then the
    program that wrote the file dropped it, and this is not a blank notebook."""
    code = [loose for loose, cell in zip(raw, cells, strict=True) if cell.kind == "code"]
    if code and not any(_has_source(cell) for cell in code):
        raise SubmissionError(
            f"{file}: the notebook could not be read: the 'source' of all its {len(code)} code "
            "cells is missing or null. Save it again in Jupyter and submit it again."
        )


def _has_source(cell: dict[str, Any]) -> bool:
    source = _written(cell)
    if isinstance(source, list):
        return not source or any(isinstance(line, str) for line in source)
    return isinstance(source, str)


def _written(cell: dict[str, Any]) -> object:
    """The text of a cell, where any of the formats keeps it."""
    key = next((key for key in ("source", "input", "code") if key in cell), "source")
    return cell.get(key)


def _object(part: object) -> dict[str, Any]:
    return part if isinstance(part, dict) else {}


def _raw_cells(notebook: dict[str, Any], file: str, repairs: Repairs) -> list[Any]:
    """The list of cells, wherever this version of the format keeps it."""
    cells = notebook.get("cells")
    version = notebook.get("nbformat")
    named = version if isinstance(version, int) and 0 <= version < 100 else "unknown"
    if isinstance(cells, dict) and cells and all(_NUMBER.fullmatch(key) for key in cells):
        repairs.note("The cells were an object with numeric keys; it was read as a list")
        cells = [cells[key] for key in sorted(cells, key=int)]
    sheets = notebook.get("worksheets")
    if cells is None and "cells" in notebook and not isinstance(sheets, list):
        cells = []
    if isinstance(cells, list):
        if version == "4":
            repairs.note("The notebook's format version was written as text")
        elif "nbformat" not in notebook:
            repairs.note("The notebook does not state its format version; it was read as format 4")
        elif version != 4:
            repairs.note(f"The notebook's format version is {named}; it was read as format 4")
        return cells
    if isinstance(sheets, list):
        repairs.note(f"The notebook has the old format {named}; it was converted to format 4")
        found: list[Any] = []
        for sheet in sheets:
            part = _object(sheet).get("cells")
            found.extend(part if isinstance(part, list) else [])
        return found
    raise SubmissionError(
        f"{file}: this is JSON but not a notebook: there is no list 'cells'. Submit the .ipynb "
        "file itself."
    )


def _cell(number: int, cell: object, repairs: Repairs, file: str) -> NotebookCell:
    if not isinstance(cell, dict):
        repairs.note("this entry is not a cell; it was left out", cell=number)
        return NotebookCell(number, "raw", "")
    metadata = _object(cell.get("metadata"))
    kind = _kind(number, cell, repairs)
    language = _object(metadata.get("vscode")).get("languageId", cell.get("language", "python"))
    if kind == "code" and isinstance(language, str) and "python" not in language.lower():
        repairs.note("the cell is marked as being in another language and was not run", cell=number)
        kind = "raw"
    source = _source(number, cell, repairs)
    ids = (cell.get("id"), metadata.get("id"))  # Colab keeps it in the metadata
    own = next((one for one in ids if isinstance(one, str) and _ID.fullmatch(one)), "")
    return make_cell(number, UncheckedCell(kind, source, metadata, own), repairs)


def _note_ids(raw: Sequence[Any], repairs: Repairs) -> None:
    """Note ids that the format forbids. Ids are not needed, so a missing one is not a repair."""
    ids = [cell.get("id") if isinstance(cell, dict) else None for cell in raw]
    count = Counter(one for one in ids if isinstance(one, str))
    for number, (cell, one) in enumerate(zip(raw, ids, strict=True), start=1):
        if isinstance(one, str) and _ID.fullmatch(one):
            if count[one] > 1:
                repairs.note("another cell has the same id; ids are not needed", cell=number)
        elif isinstance(cell, dict) and "id" in cell:
            repairs.note("the id is not valid in this format; it was ignored", cell=number)


def _kind(number: int, cell: dict[str, Any], repairs: Repairs) -> Kind:
    written = cell.get("cell_type")
    if isinstance(written, str) and written in _KINDS:
        return _KINDS[written]
    if written is None:
        repairs.note("the cell does not state its type; it was read as code", cell=number)
        return "code"
    repairs.note("the cell has an unknown type and was not run", cell=number)
    return "raw"


def _source(number: int, cell: dict[str, Any], repairs: Repairs) -> str:
    """The text of a cell: one string, or a list of lines with or without their ends."""
    source = _written(cell)
    if isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        if len(lines) != len(source):
            repairs.note("lines that are not text were left out", cell=number)
        if len(lines) > 1 and not any("\n" in line for line in lines):
            repairs.note("the lines had no line endings; they were added", cell=number)
            return "\n".join(lines)
        return "".join(lines)
    if isinstance(source, str):
        level = cell.get("level")
        if cell.get("cell_type") == "heading" and isinstance(level, int) and 1 <= level <= 6:
            return f"{'#' * level} {source}"
        return source
    repairs.note("the cell had no text", cell=number)
    return ""
