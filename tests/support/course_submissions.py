"""Submissions for one of our assignments: its template with the solution, and with mistakes."""

from __future__ import annotations

import json
from collections.abc import Mapping

from autograder.assignment.load import Loaded
from autograder.classroom.known_mistakes import read_solution
from autograder.notebook.structure.regions import without_marks
from autograder.notebook.template.variant import read_variants

Answers = Mapping[str, Mapping[str, str]]  # sources by student, then by exercise


def course_answers(loaded: Loaded) -> Answers:
    """Nothing, the solution, a known mistake in every exercise, and in every second one."""
    answers = {
        cell.exercise: without_marks(cell.source)
        for cell in read_solution(loaded).cells
        if cell.kind == "code" and cell.exercise
    }
    first: dict[str, str] = {}
    last: dict[str, str] = {}
    for mistake in read_variants(loaded.solutions / "mistakes"):
        first.setdefault(mistake.exercise, mistake.code)
        last[mistake.exercise] = mistake.code
    some = dict([*last.items()][::2])
    return {
        "blank": {},
        "solution": answers,
        "mistakes": answers | first,
        "some-mistakes": answers | some,
    }


def fill(template: str, sources: Mapping[str, str]) -> str:
    """The notebook with these sources in its exercises' cells."""
    notebook = json.loads(template)
    for cell in notebook["cells"]:
        exercise = cell["metadata"].get("exercise", "")
        if cell["cell_type"] == "code" and exercise in sources:
            cell["source"] = sources[exercise]
    return json.dumps(notebook)
