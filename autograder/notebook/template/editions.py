"""The template in other forms: for Colab, and as a plain Python file in jupytext's light format."""

from __future__ import annotations

import copy
import re
from typing import Any

import jupytext
import nbformat

from autograder.notebook.structure.check_cells import SET_UP_ID, set_up_in_colab
from autograder.notebook.template.release import notebook_bytes

_ADDRESS = re.compile(r'%pip install -q \\"(https?://[^"\\]+)\\"')
_FORMAT = "jupytext.text_representation"
_KEPT = {  # metadata in the light format; without jupytext's version, to keep the bytes
    "notebook_metadata_filter": (
        f"autograder,kernelspec,{_FORMAT}.extension,{_FORMAT}.format_name,-all"
    ),
    "cell_metadata_filter": "exercise,locked,-all",
}


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
