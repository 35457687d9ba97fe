"""Answers in Markdown cells are found, whole and without the question, however they were moved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from autograder.errors import SpecError
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import locate, owned_cells
from autograder.notebook.structure.outline import Outline, outline_of
from autograder.notebook.structure.regions import YOUR_TEXT
from autograder.notebook.structure.text_answers import text_answers
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.release import leaks, make_template, template_bytes
from tests.support.text_answer_material import SOLUTION, assignment

WHY = "Since $a + b = b + a$:\n\n| order | sum |\n|---|---|\n| a b | same |\n\nso it is *lost*."
COST = "It costs one operation per number."


@pytest.fixture
def solution(tmp_path: Path) -> Submission:
    path = tmp_path / "solution.py"
    path.write_text(SOLUTION)
    return read(path)


@pytest.fixture
def outline(solution: Submission) -> Outline:
    return Outline(outline_of(solution, assignment()))


@pytest.fixture
def template(solution: Submission, tmp_path: Path) -> Submission:
    path = tmp_path / "order.ipynb"
    path.write_bytes(template_bytes(tmp_path / "solution.py", assignment()))
    return read(path)


def texts(submission: Submission, outline: Outline) -> dict[str, str]:
    return {e: a.text for e, a in text_answers(assignment(), submission, outline).items()}


def test_students_get_a_prompt_in_place_of_the_text(solution: Submission) -> None:
    made = make_template(solution, assignment())
    own = [
        cell for cell in made.cells if cell.cell_type == "markdown" and "exercise" in cell.metadata
    ]
    assert [(cell.id, cell.metadata.exercise) for cell in own] == [
        ("why-text", "why"),
        ("double-text", "double"),
    ]
    assert own[0].source == f"**Your answer**\n\n{YOUR_TEXT}"
    assert "editable" not in own[0].metadata
    assert leaks(made, solution) == []
    made.cells[0].source += "\nWithout positions, every order has the same sum."
    assert leaks(made, solution) == ["Without positions, every order has the same sum."]


def test_the_text_cell_must_be_in_the_solution_once(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"

    def problems(text: str) -> str:
        path.write_text(text)
        with pytest.raises(SpecError) as bad:
            template_bytes(path, assignment())
        return "\n".join(bad.value.problems)

    without = SOLUTION.replace(' exercise="why"', "")
    assert "cell 4: a solution region in a cell without an exercise tag" in problems(without)
    assert "'why' has 0 Markdown cells" in problems(without)
    as_code = SOLUTION.replace('[markdown] exercise="why"', 'exercise="why"')
    assert "'why' is not answered in a code cell" in problems(as_code)


def test_two_checks_of_one_text_cell_are_refused() -> None:
    spec = assignment().model_dump(mode="json", exclude_defaults=True)
    checks = spec["exercise"][0]["check"]
    checks[0]["kind"] = "written"
    spec["exercise"][0]["check"] = [checks[0], {**checks[0], "id": "again"}]
    with pytest.raises(ValueError, match="w, again all read the exercise's Markdown cell"):
        type(assignment()).model_validate(spec)


def test_a_blank_template_has_no_answer(template: Submission, outline: Outline) -> None:
    assert texts(template, outline) == {"why": "", "double": ""}
    less = [c for c in template.cells if c.exercise != "why" or c.kind == "code"]
    found = texts(replace(template, cells=tuple(less)), outline)
    assert found["double"] == "" and found.get("why", "") == ""


Cells = list[NotebookCell]


def _at(cells: Cells, exercise: str) -> int:
    return next(n for n, c in enumerate(cells) if c.exercise == exercise and c.kind != "code")


def filled(cells: Cells, exercise: str, text: str) -> Cells:
    at = _at(cells, exercise)
    source = cells[at].source.replace(YOUR_TEXT, text)
    return [*cells[:at], replace(cells[at], source=source), *cells[at + 1 :]]


def moves(cells: Cells) -> dict[str, Cells]:
    """The cells with the answer to "why" in other places, in parts, and of other kinds."""
    at = _at(cells, "why")
    before, cell, after = cells[:at], cells[at], cells[at + 1 :]
    head, _, tail = cell.source.partition("\n\n|")
    parts = [replace(cell, source=head), replace(cell, source=f"|{tail}", id="", exercise="")]
    joined = "\n\n".join(part.source for part in (before[-1], cell, after[0]))
    answer = cell.source.replace("**Your answer**", "").strip()
    below = f"{before[-1].source}\n{answer}"
    blank = replace(cell, source=f"**Your answer**\n\n{YOUR_TEXT}")
    return {
        "as it was": cells,
        "at the end": [*before, *after, cell],
        "at the start": [cell, *before, *after],
        "split": [*before, *parts, *after],
        "copied": [*cells, cell],
        "joined as by some converters": [*before[:-1], text_cell(joined), *after[1:]],
        "below the question": [*before[:-1], text_cell(below), *after],
        "in a new cell": [*before, blank, text_cell(answer), *after],
        "as raw": [*before, replace(cell, kind="raw"), *after],
        "as code": [*before, replace(cell, kind="code"), *after],
    }


def text_cell(source: str) -> NotebookCell:
    return NotebookCell(0, "markdown", source)


# what a cell has lost, and where nothing is left but prose, far from its question or run as code
LOSSES: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "nothing": ({}, ()),
    "its tag": ({"exercise": ""}, ("as code",)),
    "its metadata": ({"exercise": "", "id": "", "locked": False}, ("as code", "at the start")),
}


@pytest.mark.parametrize("loss", LOSSES)
def test_an_answer_is_found(loss: str, template: Submission, outline: Outline) -> None:
    lost, left_out = LOSSES[loss]
    answered = filled(filled(list(template.cells), "why", WHY), "double", COST)
    for name, cells in moves(answered).items():
        if name in left_out:
            continue
        numbered = [replace(cell, number=number, **lost) for number, cell in enumerate(cells, 1)]
        submission = replace(template, cells=tuple(numbered))
        found = texts(submission, outline)
        assert found["why"].replace("**Your answer**", "").split() == WHY.split(), name
        assert found["double"] == COST, name
        located = locate(assignment(), submission, outline)
        run = [cell.number for cell in owned_cells(submission, located)]
        assert not set(run) & set(located.texts["why"].cells), name
        assert set(located.texts["why"].cells) <= set(located.owners["why"]), name
