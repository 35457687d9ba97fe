"""Tells, as JSON, what nbgrader itself gives. Runs with nbgrader's Python.

    nbgrader_scores.py gradebook ASSIGNMENT     scores in ./gradebook.db
    nbgrader_scores.py cells NOTEBOOK ...       scores of the graded cells of executed notebooks

A score is null where nbgrader waits for a person.
"""

from __future__ import annotations

import json
import sys

import nbformat
from nbgrader.api import Gradebook
from nbgrader.utils import determine_grade, is_grade


def in_gradebook(assignment: str) -> dict[str, dict[str, float | None]]:
    """Automatic scores by "STUDENT/NOTEBOOK", then by cell."""
    with Gradebook("sqlite:///gradebook.db") as gradebook:
        return {
            f"{submission.student.id}/{notebook.name}": {
                grade.cell.name: grade.auto_score for grade in notebook.grades
            }
            for submission in gradebook.assignment_submissions(assignment)
            for notebook in submission.notebooks
        }


def in_cells(path: str) -> dict[str, float | None]:
    """What nbgrader reads from the outputs of a notebook's graded cells."""
    notebook = nbformat.read(path, as_version=4)
    cells = [cell for cell in notebook.cells if is_grade(cell)]
    return {cell.metadata.nbgrader.grade_id: determine_grade(cell)[0] for cell in cells}


def main(command: str, *arguments: str) -> None:
    """As said above."""
    if command == "gradebook":
        print(json.dumps(in_gradebook(*arguments)))
    else:
        print(json.dumps({path: in_cells(path) for path in arguments}))


if __name__ == "__main__":
    main(*sys.argv[1:])
