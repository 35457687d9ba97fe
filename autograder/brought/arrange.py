"""A notebook of another tool, as that tool would run it."""

from __future__ import annotations

from pathlib import Path

from autograder.brought import nbgrader, otter
from autograder.notebook.arranged import Arranged
from autograder.notebook.submission import Submission
from autograder.spec.model import Assignment


def arrange(assignment: Assignment, submission: Submission, folder: Path) -> Arranged:
    """The cells to run and where tests have their place, for an assignment with ``brought``.

    ``folder`` is the assignment's. Raises ``SpecError`` when something in it is broken.
    """
    assert assignment.brought is not None, "only an assignment of another tool"
    if assignment.brought.tool == "otter":
        return otter.arranged(assignment, submission, folder)
    return nbgrader.arranged(assignment, submission, folder)
