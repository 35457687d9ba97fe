"""The files of a new course, and of small assignments that work as they are."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path

from autograder.assignment.model import Assignment
from autograder.authoring.starter.place import Starter
from autograder.notebook.formats.read import read
from autograder.notebook.template.release import make_template, notebook_bytes

NOTEBOOK = ".ipynb"


def course_files(title: str) -> Mapping[str, bytes]:
    """The files of a new course folder, by their names in it."""
    return {name: _bytes(text.replace("COURSE", title)) for name, text in _texts("course").items()}


def sample_files(kind: Starter, own_id: str) -> Mapping[str, bytes]:
    """The files of a small assignment, by their names in its folder."""
    texts = {name: text.replace("ASSIGNMENT", own_id) for name, text in _texts(kind.value).items()}
    return {
        name: _answered(texts, text) if name.endswith(NOTEBOOK) else _bytes(text)
        for name, text in texts.items()
    }


def _answered(texts: Mapping[str, str], answer: str) -> bytes:
    """The students' notebook with an answer in the cell of its one exercise."""
    assignment = Assignment.model_validate(tomllib.loads(texts["assignment.toml"]))
    solution = read(Path("solution.py"), data=_bytes(texts["solution.py"]))
    notebook = make_template(solution, assignment)
    (cell,) = (cell for cell in notebook.cells if "exercise" in cell.metadata)
    cell.source = answer.strip("\n")
    return notebook_bytes(notebook)


def _texts(name: str) -> dict[str, str]:
    source = files("autograder.authoring.starter") / f"{name}.toml"
    texts: dict[str, str] = tomllib.loads(source.read_text("utf-8"))
    return texts


def _bytes(text: str) -> bytes:
    return text.encode()
