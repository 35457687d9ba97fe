"""The student notebook of an exported assignment: our template with otter's cells."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from typing import Any

import nbformat

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.model import Assignment
from autograder.notebook.structure.check_cells import SET_UP_ID, ask
from autograder.notebook.structure.text_answers import text_cell_id
from autograder.notebook.template.release import LOCKED, notebook_bytes

BEGIN, END = "<!-- BEGIN QUESTION -->", "<!-- END QUESTION -->"  # otter's marks of manual questions
_SET_UP = """from autograder.student import cases

cases.listen()

import otter

grader = otter.Notebook("{file}")"""


def student_notebook(
    template: nbformat.NotebookNode, assignment: Assignment, tested: Collection[str]
) -> bytes:
    """The notebook. ``tested``: the exercises that have a test file."""
    made = copy.deepcopy(template)
    manual = {
        text_cell_id(exercise.id) if check.id in exercise.in_markdown else exercise.id
        for exercise in assignment.exercise
        for check in exercise.check
        if check.kind in BY_HAND
    }
    asked = {ask(exercise): exercise.id for exercise in assignment.exercise}
    checks = {source: exercise if exercise in tested else "" for source, exercise in asked.items()}
    made.cells = [
        cell for old in template.cells for cell in _cells(old, assignment.id, checks, manual)
    ]
    made.cells.append(_given("grader.export(pdf=False)", "otter-export"))
    return notebook_bytes(made)


def _cells(
    cell: Any, assignment: str, checks: Mapping[str, str], manual: Collection[str]
) -> Iterator[Any]:
    """The cells that replace one cell of the template. ``checks``: the exercise by the source of
    the cell that checks it; "" if otter has no test of it. ``manual``: ids of the cells that are
    graded by hand."""
    exercise = cell.metadata.get("exercise", "")
    if cell.id == SET_UP_ID:
        yield _given(_SET_UP.format(file=f"{assignment}.ipynb"), SET_UP_ID)
    elif cell.cell_type == "code" and not exercise and cell.source in checks:
        if tested := checks[cell.source]:
            yield _given(f'grader.check("{tested}")', cell.id)
    elif exercise and cell.id in manual:
        yield _text(BEGIN, f"begin-{cell.id}")
        yield copy.deepcopy(cell)
        yield _text(END, f"end-{cell.id}")
    else:
        yield copy.deepcopy(cell)


def _given(source: str, id_: str) -> Any:
    made = nbformat.v4.new_code_cell(source, id=id_)
    made.metadata.update(LOCKED)
    return made


def _text(source: str, id_: str) -> Any:
    made = nbformat.v4.new_markdown_cell(source, id=id_[:64])
    made.metadata.update(LOCKED)
    return made
