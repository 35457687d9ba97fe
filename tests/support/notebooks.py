"""Notebooks as Jupyter writes them, from cells of code."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

Cell = dict[str, Any]
KERNEL = {"kernelspec": {"name": "python3", "language": "python", "display_name": "Python 3"}}


def code(source: str, exercise: str = "", *, id: str = "") -> Cell:
    """A cell that was never run, tagged with its exercise if there is one."""
    metadata = {"exercise": exercise} if exercise else {}
    cell = {"cell_type": "code", "metadata": metadata, "source": source}
    return {**cell, "id": id or exercise or "given", "outputs": [], "execution_count": None}


def written(cells: Iterable[Cell], **metadata: Any) -> str:
    """The notebook's file."""
    about = {"metadata": {**KERNEL, **metadata}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps({"cells": [*cells], **about})
