"""Arranges a notebook of an imported assignment as the original tool would run it."""

from __future__ import annotations

from pathlib import Path

from autograder.assignment.model import Assignment
from autograder.interop.nbgrader import arrange as nbgrader
from autograder.interop.otter import arrange as otter
from autograder.notebook.arranged import ArrangedNotebook
from autograder.notebook.submission import Submission


def arrange(assignment: Assignment, submission: Submission, folder: Path) -> ArrangedNotebook:
    """The cells to run and the places of the tests, for an assignment with ``brought``.

    ``folder`` is the assignment's. Raises ``SpecError`` when a file in it is invalid.
    """
    assert assignment.brought is not None, "only for imported assignments"
    if assignment.brought.tool == "otter":
        return otter.arranged(assignment, submission)
    return nbgrader.arranged(assignment, submission, folder)
