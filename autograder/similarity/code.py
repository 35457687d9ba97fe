"""The code of submissions, by the exercises that its cells belong to."""

from __future__ import annotations

from autograder.assignment.model import Assignment
from autograder.notebook.structure.locate import Located, locate
from autograder.notebook.structure.outline import Outline
from autograder.notebook.submission import Submission
from autograder.similarity.model import CodeCell, HandInCode


def hand_in_code(
    student: str,
    submission: Submission,
    assignment: Assignment,
    outline: Outline,
    located: Located | None = None,
) -> HandInCode:
    """A submission's code cells, each with the exercises that it belongs to; cells that were
    not filled in belong to none. ``located``: the cells of each exercise, if already known."""
    located = located or locate(assignment, submission, outline)
    owners: dict[int, list[str]] = {}
    for exercise, numbers in located.owners.items():
        for number in numbers:
            owners.setdefault(number, []).append(exercise)
    return HandInCode(
        student,
        tuple(
            CodeCell(
                cell.number,
                cell.source,
                () if cell.number in located.blank else tuple(owners.get(cell.number, ())),
                cell.number in located.given,
            )
            for cell in submission.cells
            if cell.kind == "code"
        ),
    )


def template_code(assignment: Assignment, outline: Outline) -> HandInCode:
    """The template's own code: the cells to fill in, then the given ones, numbered from 1."""
    own = [(outline.cell(exercise.id), (exercise.id,)) for exercise in assignment.exercise]
    given: list[tuple[str, tuple[str, ...]]] = [(text, ()) for _, text in outline.given_cells()]
    cells = (
        CodeCell(number, source, exercises, not exercises)
        for number, (source, exercises) in enumerate([*own, *given], start=1)
    )
    return HandInCode("", tuple(cells))
