"""The cell magic ``%%check exercise``: runs the cell normally, then checks the exercise."""

from __future__ import annotations

from typing import Any, Protocol

from autograder.student.errors import GraderError

KEY = "autograder grader"  # our key in the shell's dictionary for extensions


class Checks(Protocol):
    """The part of a Grader that the magic uses."""

    def check(self, exercise: str) -> None: ...
    def belongs(self, exercise: str) -> None: ...
    def exercise_of(self, source: str) -> str: ...


class CellFailed(Exception):
    """Ends the cell; the cell's own error has already been shown."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows in place of a traceback."""
        return [str(self)]


def register(shell: Any, grader: Checks | None = None) -> None:
    """Register ``%%check`` with a shell, with the Grader that it uses from now on."""
    if grader is not None:
        shell.meta[KEY] = grader

    def checked_cell(line: str, cell: str) -> None:
        """%%check EXERCISE: run the cell, then check the exercise."""
        _run(shell, line.strip(), cell)

    shell.register_magic_function(checked_cell, "cell", "check")


def _run(shell: Any, exercise: str, cell: str) -> None:
    """Raises ``GraderError`` without a Grader or an exercise, ``CellFailed``."""
    grader: Checks | None = shell.meta.get(KEY)
    if grader is None:
        raise GraderError(
            "there is no Grader yet: run the notebook's first code cell, or\n"
            'from autograder.student import Grader; grader = Grader("your assignment")'
        )
    exercise = exercise or grader.exercise_of(cell)
    grader.belongs(exercise)
    result = shell.run_cell(cell)
    if not result.success:
        raise CellFailed("The cell ended with an error, so nothing was checked.")
    grader.check(exercise)
