"""Notebooks in other forms: the template for Colab and in jupytext's light format, and a solution
in the percent format."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import jupytext
import nbformat

from autograder.errors import UsageError
from autograder.notebook.formats.read import read
from autograder.notebook.structure.check_cells import SET_UP_ID, set_up_in_colab
from autograder.notebook.submission import NotebookCell
from autograder.notebook.template.release import notebook_bytes

_ADDRESS = re.compile(r'%pip install -q \\"(https?://[^"\\]+)\\"')
_FORMAT = "jupytext.text_representation"
_KEPT = {  # metadata in the light format; without jupytext's version, to keep the bytes
    "notebook_metadata_filter": (
        f"autograder,kernelspec,{_FORMAT}.extension,{_FORMAT}.format_name,-all"
    ),
    "cell_metadata_filter": "exercise,locked,-all",
}
_PERCENT = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "exercise,locked,-all"}


def colab_bytes(template: nbformat.NotebookNode, *, package_url: str = "") -> bytes:
    """The template as Colab itself would have saved it (nbformat 4.0, no raw cells), whose first
    code cell installs the student package from ``package_url`` or from an uploaded file.

    Raises ``UsageError`` for an address that cannot be used there.
    """
    assignment = template.metadata.autograder.assignment
    cells = [_colab_cell(cell, assignment, package_url) for cell in template.cells]
    made = {
        "cells": cells,
        "metadata": {
            "autograder": template.metadata.autograder,
            "colab": {"name": f"{assignment}.colab.ipynb", "provenance": [], "toc_visible": True},
            "kernelspec": {"display_name": "Python 3", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 0,
    }
    return notebook_bytes(nbformat.from_dict(made))


def light_bytes(template: nbformat.NotebookNode) -> bytes:
    """The template as a .py file; a cell of an exercise begins with ``# + exercise="id"``."""
    plain = copy.deepcopy(template)
    plain.metadata["jupytext"] = dict(_KEPT)
    for cell in plain.cells:
        if cell.cell_type != "code":
            cell.metadata = nbformat.from_dict({})  # then it is an ordinary comment
    text: str = jupytext.writes(plain, fmt="py:light")
    return (text.rstrip("\n") + "\n").encode()


def _colab_cell(cell: nbformat.NotebookNode, assignment: str, package_url: str) -> dict[str, Any]:
    made = {**copy.deepcopy(cell)}
    own = made.pop("id")
    made["metadata"] = {**cell.metadata, "id": own}
    if own == SET_UP_ID:
        made["source"] = set_up_in_colab(assignment, package_url)
    if cell.cell_type == "raw":
        made |= {"cell_type": "markdown", "source": f"```\n{cell.source}\n```"}
    return made


def package_url_in(notebook: bytes) -> str:
    """The address from which a notebook made for Colab installs the student package, or ""."""
    found = _ADDRESS.search(notebook.decode())
    return found[1] if found else ""


def percent_bytes(cells: Sequence[NotebookCell]) -> bytes:
    """Cells as a solution file: a .py file in the percent format.

    Raises ``UsageError`` for a cell that contains a line with which a cell begins in this format.
    """
    made = [_percent_cell(cell) for cell in cells]
    notebook = nbformat.from_dict(
        {"cells": made, "metadata": {"jupytext": _PERCENT}, "nbformat": 4, "nbformat_minor": 5}
    )
    written = (str(jupytext.writes(notebook, fmt="py:percent")).rstrip("\n") + "\n").encode()
    again = read(Path("solution.py"), data=written).cells
    for cell, other in zip_longest(cells, again):
        # A cell that looks like two is not written.
        if cell is None or other is None or cell.source.strip() != other.source.strip():
            place = f"cell {cell.number}" if cell is not None else "the notebook"
            raise UsageError(
                f"{place} cannot be written in the percent format: it contains a line such as "
                "'# %%', with which a cell begins there; change that line"
            )
    return written


def _percent_cell(cell: NotebookCell) -> dict[str, Any]:
    kept = {"exercise": cell.exercise} if cell.exercise else {}
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "metadata": {**kept, "locked": True} if cell.locked else kept,
        "source": cell.source,
    }
    if cell.kind == "code":
        made |= {"outputs": [], "execution_count": None}
    return made
