"""Answers in Markdown cells are found, whole and without the question, however they were moved."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

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
    found = texts(msgspec.structs.replace(template, cells=tuple(less)), outline)
    assert found["double"] == "" and found.get("why", "") == ""


Cells = list[NotebookCell]


def _at(cells: Cells, exercise: str) -> int:
    return next(n for n, c in enumerate(cells) if c.exercise == exercise and c.kind != "code")


def filled(cells: Cells, exercise: str, text: str) -> Cells:
    at = _at(cells, exercise)
    source = cells[at].source.replace(YOUR_TEXT, text)
    return [*cells[:at], msgspec.structs.replace(cells[at], source=source), *cells[at + 1 :]]


def as_it_was(cells: Cells) -> Cells:
    return cells


def to_the_end(cells: Cells) -> Cells:
    at = _at(cells, "why")
    return [*cells[:at], *cells[at + 1 :], cells[at]]


def to_the_start(cells: Cells) -> Cells:
    at = _at(cells, "why")
    return [cells[at], *cells[:at], *cells[at + 1 :]]


def split(cells: Cells) -> Cells:
    at = _at(cells, "why")
    head, _, tail = cells[at].source.partition("\n\n|")
    parts = [
        msgspec.structs.replace(cells[at], source=head),
        msgspec.structs.replace(cells[at], source=f"|{tail}", id="", exercise=""),
    ]
    return [*cells[:at], *parts, *cells[at + 1 :]]


def copied(cells: Cells) -> Cells:
    at = _at(cells, "why")
    return [*cells, cells[at]]


def joined(cells: Cells) -> Cells:
    """With the question above it and the next one, as some converters join text cells."""
    at = _at(cells, "why")
    source = "\n\n".join(cell.source for cell in cells[at - 1 : at + 2])
    return [*cells[: at - 1], NotebookCell(0, "markdown", source), *cells[at + 2 :]]


def below_the_question(cells: Cells) -> Cells:
    at = _at(cells, "why")
    answer = cells[at].source.replace("**Your answer**", "").strip()
    source = f"{cells[at - 1].source}\n{answer}"
    return [*cells[: at - 1], NotebookCell(0, "markdown", source), *cells[at + 1 :]]


def in_a_new_cell(cells: Cells) -> Cells:
    at = _at(cells, "why")
    answer = cells[at].source.replace("**Your answer**", "").strip()
    blank = msgspec.structs.replace(cells[at], source=f"**Your answer**\n\n{YOUR_TEXT}")
    return [*cells[:at], blank, NotebookCell(0, "markdown", answer), *cells[at + 1 :]]


def of_kind(kind: str) -> Callable[[Cells], Cells]:
    def changed(cells: Cells) -> Cells:
        at = _at(cells, "why")
        cell = msgspec.structs.replace(cells[at], kind=kind)  # type: ignore[arg-type]
        return [*cells[:at], cell, *cells[at + 1 :]]

    return changed


as_raw, as_code = of_kind("raw"), of_kind("code")
as_raw.__name__, as_code.__name__ = "as_raw", "as_code"
MOVES = (
    as_it_was,
    to_the_end,
    to_the_start,
    split,
    copied,
    joined,
    below_the_question,
    in_a_new_cell,
    as_raw,
    as_code,
)


def untouched(cell: NotebookCell) -> NotebookCell:
    return cell


def no_tag(cell: NotebookCell) -> NotebookCell:
    return msgspec.structs.replace(cell, exercise="")


def no_metadata(cell: NotebookCell) -> NotebookCell:
    return msgspec.structs.replace(cell, exercise="", id="", locked=False)


@pytest.mark.parametrize(
    ("move", "loss"),
    [
        pair
        for pair in itertools.product(MOVES, (untouched, no_tag, no_metadata))
        # a cell of which nothing is left but prose, far from its question or run as code
        if pair not in ((to_the_start, no_metadata), (as_code, no_tag), (as_code, no_metadata))
    ],
    ids=lambda part: part.__name__,
)
def test_an_answer_is_found(
    move: Callable[[Cells], Cells],
    loss: Callable[[NotebookCell], NotebookCell],
    template: Submission,
    outline: Outline,
) -> None:
    cells = move(filled(filled(list(template.cells), "why", WHY), "double", COST))
    numbered = [
        msgspec.structs.replace(loss(cell), number=number) for number, cell in enumerate(cells, 1)
    ]
    submission = msgspec.structs.replace(template, cells=tuple(numbered))
    found = texts(submission, outline)
    assert found["why"].replace("**Your answer**", "").split() == WHY.split()
    assert found["double"] == COST
    located = locate(assignment(), submission, outline)
    run = [cell.number for cell in owned_cells(submission, located)]
    assert not set(run) & set(located.texts["why"].cells)
    assert set(located.texts["why"].cells) <= set(located.owners["why"])
