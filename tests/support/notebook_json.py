"""Notebooks as JSON, made cell by cell, and what reading them says."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import SubmissionError
from autograder.notebook.formats.converter import cells
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission

NAME = "student-01.ipynb"
SAMPLES = Path(__file__).resolve().parents[1] / "notebook/samples"


def code(source: Any = "x = 1\n", *, id_: Any = None, **metadata: Any) -> dict[str, Any]:
    cell = {"cell_type": "code", "metadata": metadata, "source": source}
    cell |= {"outputs": [], "execution_count": None}
    return cell if id_ is None else cell | {"id": id_}


def notebook(*cells: Any, minor: Any = 5, **metadata: Any) -> dict[str, Any]:
    return {"nbformat": 4, "nbformat_minor": minor, "metadata": metadata, "cells": list(cells)}


def read_data(data: Any, *, name: str = NAME) -> Submission:
    """The submission in bytes, in text, or in what is to be written as JSON."""
    if not isinstance(data, bytes | str):
        data = json.dumps(data)
    return read(Path(name), data=data.encode() if isinstance(data, str) else data)


def refusal(data: Any, *, name: str = NAME) -> str:
    """Why it is refused: text that begins with the file's name, and that can be encoded."""
    with pytest.raises(SubmissionError) as bad:
        read_data(data, name=name)
    assert str(bad.value).startswith(f"{name}: ")
    return str(bad.value).encode().decode()


def sources(submission: Submission) -> list[str]:
    return [cell.source for cell in submission.cells]


def converted_here(
    texts: Sequence[str], *, extension: str, form: str, limits: Any = None
) -> list[object] | None:
    """The work of the process that converts, in this one: the same cells, sooner."""
    return [cells(text, {"extension": extension, "format_name": form}) for text in texts]


def sample(name: str) -> str:
    """A text of tests/notebook/samples."""
    return (SAMPLES / f"{name}.txt").read_text("utf-8")


def samples(name: str) -> list[str]:
    """The texts of one of its files, which stand between lines "# ----"."""
    return sample(name).removesuffix("\n").split("\n# ----\n")
