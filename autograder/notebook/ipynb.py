"""Reads the JSON of a notebook without trusting it: no schema, every part may be missing.

Covered: nbformat 4 of any minor version, the worksheets of nbformat 2 and 3, sources as text
or as lists, parts that are missing or of the wrong type, nesting, sizes, damaged JSON.
Not covered: outputs, attachments and widget state; they are never looked at.
"""

from __future__ import annotations

import json
import re
from typing import Any

from autograder.errors import SubmissionError
from autograder.notebook.cells import MAX_CELLS, check_language, make_cell, too_many
from autograder.notebook.submission import Kind, NotebookCell
from autograder.notebook.text import Repairs

MAX_BRACKETS = 3_000_000  # lists and objects: each costs some 60 bytes of memory, 2 in the file
SAVE_AGAIN = "Open it in Jupyter, save it and hand in again."

_CONFLICT = re.compile(r"^(?:<{7} |<{7}$|>{7} |>{7}$)", re.MULTILINE)
_KINDS: dict[str, Kind] = {
    "code": "code",
    "markdown": "markdown",
    "raw": "raw",
    "heading": "markdown",
    "html": "markdown",
}


def read_ipynb(text: str, file: str, repairs: Repairs) -> tuple[NotebookCell, ...]:
    """The cells of a notebook file. Raises SubmissionError and nothing else."""
    notebook = _load(text, file)
    if not isinstance(notebook, dict):
        raise SubmissionError(
            f"{file}: this is JSON but not a notebook: its top level is a "
            f"{type(notebook).__name__}, not an object. Hand in the .ipynb file itself."
        )
    raw = _raw_cells(notebook, file, repairs)
    if len(raw) > MAX_CELLS:
        raise too_many(len(raw), file)
    metadata = _object(notebook.get("metadata"))
    kernelspec = _object(metadata.get("kernelspec"))
    info = _object(metadata.get("language_info"))
    check_language((kernelspec.get("language"), info.get("name")), kernelspec.get("name"), file)
    return tuple(_cell(number, cell, repairs, file) for number, cell in enumerate(raw, start=1))


def _object(part: object) -> dict[str, Any]:
    return part if isinstance(part, dict) else {}


def _load(text: str, file: str) -> Any:
    text = text.rstrip("\0")  # some file systems pad a file that was not written to the end
    if text.count("[") + text.count("{") > MAX_BRACKETS:
        raise SubmissionError(
            f"{file}: it holds more than {MAX_BRACKETS:,} lists and objects, more than any "
            "notebook needs. Clear the outputs in Jupyter, save it and hand in again."
        )
    try:
        return json.loads(text)
    except json.JSONDecodeError as bad:
        raise SubmissionError(_damage(text, bad, file)) from None
    except RecursionError:
        raise SubmissionError(
            f"{file}: its lists and objects are nested too deeply for a notebook. {SAVE_AGAIN}"
        ) from None
    except (ValueError, MemoryError) as bad:  # an integer of thousands of digits
        raise SubmissionError(f"{file}: not a notebook ({bad}). {SAVE_AGAIN}") from None


def _damage(text: str, bad: json.JSONDecodeError, file: str) -> str:
    """Why the text is not JSON, where, and what to do about it."""
    place = f"line {bad.lineno}, column {bad.colno}"
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        return (
            f"{file}: line {line} is a mark of an unsolved merge conflict (<<<<<<< or >>>>>>>). "
            "Keep one of the two versions, delete the marks, check that the notebook opens in "
            "Jupyter and hand in again."
        )
    if text.lstrip()[:1] == "<":
        return (
            f"{file}: this is a web page, not a notebook. Download the .ipynb file itself "
            "(in Jupyter: File, Download) and hand in again."
        )
    if bad.pos >= len(text.rstrip()) or bad.msg.startswith("Unterminated string"):
        return (
            f"{file}: the notebook breaks off: what begins at {place} never ends ({bad.msg}). "
            f"The file was probably not saved or uploaded completely. {SAVE_AGAIN}"
        )
    return f"{file}: damaged JSON at {place} ({bad.msg}). {SAVE_AGAIN}"


def _raw_cells(notebook: dict[str, Any], file: str, repairs: Repairs) -> list[Any]:
    """The list of cells, wherever this version of the format keeps it."""
    cells = notebook.get("cells")
    version = notebook.get("nbformat")
    named = version if isinstance(version, int) and 0 <= version < 100 else "of no known number"
    if isinstance(cells, list):
        if version != 4:
            repairs.note(f"The notebook has format {named}; it was read as format 4")
        return cells
    sheets = notebook.get("worksheets")
    if isinstance(sheets, list):
        repairs.note(f"The notebook has the old format {named}; it was converted to format 4")
        found: list[Any] = []
        for sheet in sheets:
            part = _object(sheet).get("cells")
            found.extend(part if isinstance(part, list) else [])
        return found
    raise SubmissionError(
        f"{file}: this is JSON but not a notebook: it has no list 'cells'. "
        "Hand in the .ipynb file itself."
    )


def _cell(number: int, cell: object, repairs: Repairs, file: str) -> NotebookCell:
    if not isinstance(cell, dict):
        repairs.note("what stood here was not a cell; it was left out", cell=number)
        return NotebookCell(number, "raw", "")
    metadata = _object(cell.get("metadata"))
    kind = _kind(number, cell, repairs)
    language = _object(metadata.get("vscode")).get("languageId", cell.get("language", "python"))
    if kind == "code" and isinstance(language, str) and "python" not in language.lower():
        repairs.note("the cell is marked as another language and was not run", cell=number)
        kind = "raw"
    source = _source(number, cell, repairs)
    return make_cell(number, kind, source, metadata, repairs, file=file)


def _kind(number: int, cell: dict[str, Any], repairs: Repairs) -> Kind:
    written = cell.get("cell_type")
    if isinstance(written, str) and written in _KINDS:
        return _KINDS[written]
    if written is None:
        repairs.note("the cell does not say its type; it was read as code", cell=number)
        return "code"
    repairs.note("the cell has an unknown type and was not run", cell=number)
    return "raw"


def _source(number: int, cell: dict[str, Any], repairs: Repairs) -> str:
    """The text of a cell: one string, or a list of lines with or without their ends."""
    key = next((key for key in ("source", "input", "code") if key in cell), "source")
    source = cell.get(key)
    if isinstance(source, list):
        lines = [line for line in source if isinstance(line, str)]
        if len(lines) != len(source):
            repairs.note("lines that are not text were left out", cell=number)
        if len(lines) > 1 and not any("\n" in line for line in lines):
            repairs.note("the lines lacked their line ends; they were added", cell=number)
            return "\n".join(lines)
        return "".join(lines)
    if isinstance(source, str):
        level = cell.get("level")
        if cell.get("cell_type") == "heading" and isinstance(level, int) and 1 <= level <= 6:
            return f"{'#' * level} {source}"
        return source
    repairs.note("the cell had no text", cell=number)
    return ""
