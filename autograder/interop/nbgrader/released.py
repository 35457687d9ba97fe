"""The notebooks made from a source notebook: the one that students get, the one with tests.

Covered: released cells contain no marked regions, outputs, pictures of an answer or widget state.
Not covered: an answer outside every region.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import nbformat

from autograder.interop.nbgrader.markers import DEFAULT, Markers
from autograder.interop.nbgrader.marks import UNMARKED, as_metadata, flags
from autograder.interop.nbgrader.source import SourceCell, SourceNotebook, cleared, released
from autograder.notebook.template.release import KERNEL, LANGUAGE, stamp_of

_KEPT = ("kernelspec", "language_info")
_OF_OUTPUTS = {"collapsed", "scrolled", "execution", "ExecuteTime"}
_LEFT_OUT = frozenset({"nbgrader", "deletable", "editable", *_OF_OUTPUTS})


def release_notebook(
    notebook: SourceNotebook, markers: Markers = DEFAULT, *, assignment: str = "", version: str = ""
) -> nbformat.NotebookNode:
    """The notebook for students, with checksums, as `nbgrader generate_assignment` makes it.

    ``assignment``: our id, which identifies submissions; it is stored in the notebook's
    metadata, which nbgrader does not change. ``version``: of the template, if that is another
    notebook.
    """
    made = _made(notebook, lambda cell: released(cell, markers))
    if assignment:
        stamp = {"assignment": assignment, "format": 1, "version": version or stamp_of(made)}
        made["metadata"]["autograder"] = stamp
    return nbformat.from_dict(made)


def graded_notebook(notebook: SourceNotebook, markers: Markers = DEFAULT) -> nbformat.NotebookNode:
    """The release notebook with hidden tests and mark schemes, the source of locked cells."""
    return nbformat.from_dict(_made(notebook, lambda cell: cleared(cell, markers)))


def source_notebook_file(notebook: SourceNotebook) -> nbformat.NotebookNode:
    """The source itself, answers and all, as a notebook of format 4.5. Without checksums, which
    would tell nbgrader that nobody has answered."""
    made = _made(notebook, lambda cell: cell)
    for cell in made["cells"]:
        cell["metadata"].get("nbgrader", {}).pop("checksum", None)
    return nbformat.from_dict(made)


def _made(notebook: SourceNotebook, change: Callable[[SourceCell], SourceCell]) -> dict[str, Any]:
    taken: set[str] = set()
    kept = {name: notebook.metadata[name] for name in _KEPT if name in notebook.metadata}
    return {
        "cells": [_cell(change(cell), taken) for cell in notebook.cells],
        "metadata": {"kernelspec": dict(KERNEL), "language_info": dict(LANGUAGE), **kept},
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cell(cell: SourceCell, taken: set[str]) -> dict[str, Any]:
    metadata = {name: value for name, value in cell.metadata.items() if name not in _LEFT_OUT}
    if cell.mark is not UNMARKED:
        metadata |= flags(cell.mark)
        metadata["nbgrader"] = as_metadata(cell.kind, cell.source, cell.mark)
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": _free(cell.id or cell.mark.grade_id[:60] or f"cell-{cell.number}", taken),
        "metadata": metadata,
        "source": cell.source,
    }
    if cell.kind == "code":
        return made | {"execution_count": None, "outputs": []}
    used = _used(cell.attachments, cell.source)
    return made | {"attachments": used} if used else made


def _used(attachments: Mapping[str, Any], text: str) -> dict[str, Any]:
    """The attachments that the text still shows."""
    return {name: data for name, data in attachments.items() if f"attachment:{name}" in text}


def _free(wanted: str, taken: set[str]) -> str:
    choice, number = wanted, 2
    while choice in taken:
        choice, number = f"{wanted[:56]}-{number}", number + 1
    taken.add(choice)
    return choice
