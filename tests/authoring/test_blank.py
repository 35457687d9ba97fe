"""A blank notebook that cannot be run from top to bottom is not released."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded
from autograder.authoring.blank_run import blank_problems
from autograder.authoring.release import made_release
from autograder.errors import SpecError
from autograder.evidence.records import CellRun, Measured, Run, Stop, TimeSpent
from autograder.execution.engines.local import Inline
from autograder.notebook.formats.read import read
from autograder.notebook.template.release import template_bytes
from autograder.wire.messages import CellDone, Error
from tests.support.courses import SMALL, write_course

GIVEN = "# %% locked=true\nimport torch\n"
BASES = {
    "ModuleNotFoundError": ("ImportError",),
    "UnboundLocalError": ("NameError",),
    "LocalError": ("NotImplementedError", "RuntimeError"),
}


@pytest.fixture
def course(tmp_path: Path) -> Loaded:
    return write_course(tmp_path, SMALL)


def said(
    course: Loaded,
    error: Error | None,
    stop: Stop | None = None,
    unavailable: frozenset[str] = frozenset(),
    claim: bool = True,
) -> list[str]:
    """What is said of a template whose third cell ends so."""
    template = read(course.template, data=template_bytes(course.solution, course.spec))
    done = CellDone((), error) if claim else None
    cells = (
        CellRun(2, CellDone(()), None, TimeSpent(0, 0)),
        CellRun(3, done, stop, TimeSpent(0, 0)),
    )
    run = Run(cells, (), Measured(0.0, 0.0, 0.0, 1, "none", ()))
    return [*blank_problems(course, template, read(course.solution), run, unavailable=unavailable)]


def error(kind: str, text: str) -> Error:
    return Error((kind, *BASES.get(kind, ()), "Exception"), text, 2, "  center(x)")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("NotImplementedError", "Write your code here, then delete this line."),
        ("LocalError", "anything"),
        ("NameError", "name 'center' is not defined"),
        ("NameError", "name 'numbers' is not defined. Did you mean: 'number'?"),
        ("TypeError", "unsupported operand type(s) for +: 'ellipsis' and 'int'"),
        ("AttributeError", "'ellipsis' object has no attribute 'shape'"),
        ("TypeError", "mean(): argument 'input' must be Tensor, not Ellipsis"),
    ],
)
def test_a_missing_answer_may_stop_a_cell(course: Loaded, kind: str, text: str) -> None:
    changed = course.solution.read_text().replace("def shrink", "numbers = 1\ndef shrink")
    course.solution.write_text(changed)
    assert said(course, error(kind, text)) == []


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("NameError", "name 'centre' is not defined"),
        ("UnboundLocalError", "cannot access local variable 'center' where it is not defined"),
        ("NameError", "name 'math' is not defined"),
        ("ValueError", "'ellipsis' is no number"),
        ("TypeError", "unsupported operand type(s) for +: 'str' and 'int'"),
        ("ZeroDivisionError", "division by zero"),
        ("SyntaxError", "invalid syntax"),
        ("ModuleNotFoundError", "No module named 'transformers'"),
    ],
)
def test_anything_else_is_told_with_cell_and_remedy(course: Loaded, kind: str, text: str) -> None:
    (problem,) = said(course, error(kind, text))
    assert problem == (
        "small.ipynb, cell 3 ('import torch'): in the blank notebook the cell raises "
        f"{kind} in line 2 (center(x)): {text}; make the cell report what is missing "
        "instead of failing, or move what it needs above it"
    )


def test_a_cell_without_an_end_is_told(course: Loaded) -> None:
    (problem,) = said(course, None, Stop("cpu", "it computed for more than 20 seconds."))
    assert "the cell is stopped: it computed for more than 20 seconds." in problem
    (problem,) = said(course, None, claim=False)
    assert "the cell yields no result" in problem
    assert said(course, None) == []


def test_a_package_that_is_not_here_is_excused_for_its_exercise_alone(course: Loaded) -> None:
    first, *others = course.spec.exercise
    needing = first.model_copy(update={"requires": ("transformers",)})
    spec = course.spec.model_copy(update={"exercise": (needing, *others)})
    changed = replace(course, spec=spec)
    missing = error("ModuleNotFoundError", "No module named 'transformers'")
    assert said(changed, missing, unavailable=frozenset({first.id})) == []
    assert len(said(changed, missing)) == 1
    other = error("ModuleNotFoundError", "No module named 'plotly'")
    assert len(said(changed, other, unavailable=frozenset({first.id}))) == 1


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
def test_a_template_with_a_given_cell_that_fails_is_not_released(tmp_path: Path) -> None:
    """It runs in the solution; in the blank notebook the table of the answer is not there."""
    broken = "# %%\nprint([1, 2][len(globals().get('center', '12')) + 1])\n"
    text = (GIVEN.rstrip("\n"), f"{GIVEN}\n{broken}")
    course = write_course(tmp_path, SMALL, solution=text)
    with pytest.raises(SpecError) as bad:
        made_release(course, Inline(), lambda what, total: None)
    (problem,) = bad.value.problems
    assert problem.startswith('small.ipynb, cell 4 ("print([1, 2]')
    assert "in the blank notebook the cell raises IndexError in line 1" in problem
