"""What a student's own notebook imports: ``from autograder.student import Grader``.

It contains the public part of an assignment and the code that judges with it; no solution, no
hidden input, and nothing that runs or grades submissions.
"""

from __future__ import annotations

from typing import Any

from autograder.student.grader import Grader
from autograder.student.magic import register

__all__ = ["Grader", "load_ipython_extension"]


def load_ipython_extension(shell: Any) -> None:
    """``%load_ext autograder.student``: the cell magic ``%%check``."""
    register(shell)
