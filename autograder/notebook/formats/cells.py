"""One cell from the untrusted parts of a file, and the rules for every file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.errors import SubmissionError
from autograder.notebook.formats.text import Repairs, clean
from autograder.notebook.structure.names import parse
from autograder.notebook.submission import Kind, NotebookCell

MAX_CELLS = 5_000
MAX_SOURCE = 1_000_000  # bytes of UTF-8 in one cell

_EXERCISE = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
_CONFLICT = re.compile(r"^(?:<{7}|>{7})(?: .*)?$", re.MULTILINE)
_PYTHON = re.compile(r"i?python[ 0-9.]*", re.IGNORECASE)
_OTHER_KERNEL = re.compile(
    r"(ir|julia|octave|imatlab|matlab|javascript|jslab|tslab|typescript|deno|bash|zsh|scala|"
    r"almond|java|ijava|kotlin|ruby|rust|evcxr|gophernotes|gonb|ihaskell|haskell|xcpp\w*|xr|"
    r"sagemath|stata|sas|sos|maxima|perl|iperl|lua|wolframlanguage\w*|\.net-\w+)"
    r"([-_.]?\d.*)?|conda-env-.+-i?r",
    re.IGNORECASE,
)
MAX_MARKS = 20

_GRADE_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_IGNORED = "otter_ignore"


@dataclass(frozen=True, slots=True)
class UncheckedCell:
    """A cell as a file has it. ``metadata``: anything, or what its mark in a script says; ``id``:
    its id in the file, "" without a valid one."""

    kind: Kind
    source: str
    metadata: object = None
    id: str = ""


def make_cell(number: int, cell: UncheckedCell, repairs: Repairs) -> NotebookCell:
    """Make a cell with clean text and the two marks of ours that its metadata may hold.

    A cell that is too long or contains merge conflict markers does not affect the others; it is
    noted as a repair.
    """
    kind, metadata = cell.kind, cell.metadata
    source = clean(cell.source, number, repairs)
    long = len(source.encode()) > MAX_SOURCE
    if long and kind == "code":
        source = ""
        repairs.note(
            f"the cell has more than {MAX_SOURCE:,} bytes of code and was left out; remove data "
            "or output that was pasted into it",
            cell=number,
        )
    elif long:  # a picture pasted into text; not part of any answer
        source = source.encode()[:MAX_SOURCE].decode(errors="ignore")
        repairs.note(f"text beyond {MAX_SOURCE:,} bytes was cut off", cell=number)
    # Marks of a merge within a string are no marks.
    if kind == "code" and _CONFLICT.search(source) and parse(source) is None:  # within a string
        repairs.note(
            "it contains an unresolved merge conflict marker (<<<<<<< or >>>>>>>); the cell was "
            "kept as it is and cannot run",
            cell=number,
        )
    exercise, locked = "", False
    if isinstance(metadata, Mapping):
        locked = metadata.get("locked") is True
        tag = metadata.get("exercise", "")
        if isinstance(tag, str) and (tag == "" or _EXERCISE.fullmatch(tag)):
            exercise = tag
        else:
            repairs.note("a tag that is not an exercise id was ignored", cell=number)
    return NotebookCell(number, kind, source, exercise, locked, cell.id, marks_of(metadata))


def check_cells(cells: Sequence[NotebookCell], file: str) -> None:
    """Raise SubmissionError if there are no cells, or none that can be graded: no code, and no cell
    that is marked as an answer."""
    if not cells:
        raise SubmissionError(
            f"{file}: the notebook has no cells. Check that the right file was submitted."
        )
    if not any(cell.kind == "code" or cell.exercise or cell.marks for cell in cells):
        raise SubmissionError(
            f"{file}: none of its {len(cells)} cells has code or is marked as an answer, so there "
            "is nothing to grade. Check that the right file was submitted."
        )


def too_many(count: int, file: str) -> SubmissionError:
    """The error for a file with more than ``MAX_CELLS`` cells."""
    return SubmissionError(
        f"{file}: the notebook has {count:,} cells; at most {MAX_CELLS:,} are read. Remove the "
        "cells that are not part of the work and submit it again."
    )


def check_language(languages: Sequence[object], kernel: object, file: str) -> None:
    """Raise SubmissionError if a file says that its code is not Python.

    ``languages`` are the names of its language in the file, ``kernel`` is the kernel's name. A file
    without a known language is assumed to be Python.
    """
    named = [word for word in languages if isinstance(word, str) and word.strip()]
    if any(_PYTHON.fullmatch(word.strip()) for word in named):
        return
    other = named[0].strip() if named else ""
    if not other and isinstance(kernel, str) and _OTHER_KERNEL.fullmatch(kernel.strip()[:200]):
        other = kernel.strip()
    if other:
        raise SubmissionError(
            f"{file}: according to metadata.kernelspec the notebook is for {other[:40]!r}, not "
            "for Python. Choose a Python kernel (in Jupyter: Kernel, Change kernel), run the "
            "notebook, save it and submit it again."
        )


def marks_of(metadata: object) -> tuple[str, ...]:
    """What other tools note in a cell, at most ``MAX_MARKS``; see ``NotebookCell``.

    The student can write anything there: it only chooses among the assignment's own tests and
    cells, and cannot add any.
    """
    if not isinstance(metadata, Mapping) or not {"nbgrader", "otter", "tags"} & metadata.keys():
        return ()
    found = (*_nbgrader(metadata.get("nbgrader")), *_otter(metadata))
    return found[:MAX_MARKS]


def _nbgrader(noted: object) -> Iterator[str]:
    own = noted.get("grade_id") if isinstance(noted, Mapping) else None
    if isinstance(own, str) and _GRADE_ID.fullmatch(own):
        yield f"nbgrader:{own}"


def _otter(metadata: Mapping[Any, Any]) -> Iterator[str]:
    noted, tags = metadata.get("otter"), metadata.get("tags")
    noted = noted if isinstance(noted, Mapping) else {}
    if noted.get("ignore") is True or (isinstance(tags, list) and _IGNORED in tags):
        yield "otter:ignore"
    tests = noted.get("tests")
    for name in tests[:MAX_MARKS] if isinstance(tests, list) else ():
        if isinstance(name, str) and len(name) <= 200:
            yield f"otter:tests:{name}"
