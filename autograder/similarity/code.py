"""The code of hand-ins by exercise, as the cells of each exercise are found."""

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
    """A hand-in's code cells, each with the exercises that it belongs to; empty copies of
    template cells belong to none. ``located``: where they are, if that is known already."""
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
    """The template's own code: the cells to fill in, then the given ones. Numbers are counted."""
    own = [(outline.cell(exercise.id), (exercise.id,)) for exercise in assignment.exercise]
    given: list[tuple[str, tuple[str, ...]]] = [(text, ()) for _, text in outline.given_cells()]
    cells = (
        CodeCell(number, source, exercises, not exercises)
        for number, (source, exercises) in enumerate([*own, *given], start=1)
    )
    return HandInCode("", tuple(cells))
