"""Trivial answers: the form of right results, their content gone."""

from __future__ import annotations

import ast
import contextlib
import io
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
import torch
from torch import nn

from autograder.assignment.kinds import NO_WRONG_ANSWER
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.authoring.validation.trivial import KINDS, names_of, trivial_answers
from autograder.notebook.formats.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.variant import Variant, apply_variant
from tests.support.tables import table_beside

SOLUTION = Path(__file__).resolve().parents[3] / "solutions/embeddings-and-position/solution.py"
FUNCTION = {"kind": "function", "call": "f", "inputs": "cases"}

FORMS: Any = table_beside(__file__, "forms")


def answers(source: str, *checks: dict[str, Any], defines: tuple[str, ...]) -> dict[str, Variant]:
    """The trivial answers to one exercise, by what they are."""
    spec = [
        {"id": f"c{n}", "title": "A check", "points": 1, **check} for n, check in enumerate(checks)
    ]
    entry = {"id": "ex", "title": "An exercise", "defines": defines, "check": spec}
    assignment = Assignment.model_validate(
        {"format": 1, "id": "a", "title": "A title", "exercise": [entry]}
    )
    submission = Submission("s.py", "0" * 64, (NotebookCell(1, "code", source, "ex"),))
    found = trivial_answers(submission, assignment)
    return {variant.name.removeprefix("ex-trivial-"): variant for variant in found}


def run(variant: Variant) -> dict[str, Any]:
    """What the variant's code leaves."""
    scope: dict[str, Any] = {"__name__": "__main__"}
    exec(variant.code, scope)
    return scope


def forms(kind: str) -> dict[str, Any]:
    names = ("f", "g", "Table", "table", "number", "word")
    return run(answers(FORMS, FUNCTION, defines=names)[kind])


IDS, PAIR = torch.tensor([1, 2]), (torch.ones(2), torch.zeros(2))
# what is true of the names that an answer leaves, by the kind of answer
TRUE_OF = (
    ("zeros", "torch.equal(g(3)['t'], torch.zeros(3, 2, dtype=torch.float64))"),
    ("zeros", "g(3)['a'].dtype == np.int64 and g(3)['a'].tolist() == [0, 0, 0]"),
    ("zeros", "(g(3)['l'], g(3)['b'], g(3)['n']) == ([0.0, (0, '')], False, None)"),
    ("ones", "torch.equal(g(3)['t'], torch.ones(3, 2, dtype=torch.float64))"),
    ("ones", "g(3)['l'] == [1.0, (1, '')] and g(3)['b'] is True"),
    ("ones", "not f(X * 1, X).requires_grad"),
    ("first-argument", "f(*PAIR) is PAIR[0] and Table(9)(IDS) is IDS"),
    ("last-argument", "f(*PAIR) is PAIR[1] and Table(9)(IDS) is IDS"),
    ("noise", "g(3)['t'].shape == (3, 2) and g(3)['t'].dtype == torch.float64"),
    ("noise", "not torch.equal(g(3)['t'], g(3)['t']) and g(3)['t'].abs().max() <= 1"),
    ("same-noise", "torch.equal(g(3)['t'], g(3)['t']) and g(3)['t'].abs().min() > 0"),
    # an object of a class answers in form only
    ("zeros", "all(torch.equal(made(IDS), torch.zeros(2, 4)) for made in (Table(9), table))"),
    (
        "zeros",
        "all(torch.equal(made.rows.weight, torch.zeros(9, 4)) for made in (Table(9), table))",
    ),
    (
        "zeros",
        "all(made.scale() == 0.0 and not [*made.parameters()] for made in (Table(9), table))",
    ),
)


@pytest.mark.parametrize(("kind", "condition"), TRUE_OF)
def test_an_answer_keeps_the_form_and_not_the_content(kind: str, condition: str) -> None:
    names = {"np": np, "torch": torch, "IDS": IDS, "PAIR": PAIR}
    names["X"] = torch.ones(3, requires_grad=True)
    assert eval(condition, forms(kind) | names)


@pytest.mark.parametrize(
    ("kind", "constant"),
    [("nothing", None), ("constant-zero", 0.0), ("constant-one", 1), ("constant-true", True)],
)
def test_a_constant_is_given_by_functions_objects_and_values_alike(
    kind: str, constant: object
) -> None:
    scope = forms(kind)
    called = (scope["f"](1, 2), scope["g"](-1), scope["Table"](9)(torch.tensor(1)))
    results = (*called, scope["number"], scope["word"], scope["table"])
    assert [(type(r), r) for r in results] == [(type(constant), constant)] * len(results)


@pytest.mark.parametrize("kind", KINDS)
def test_no_answer_raises_where_the_right_one_does(kind: str) -> None:
    scope = forms(kind)
    scope["g"](-1)
    scope["Table"](1000)(torch.tensor([1]))
    scope["Table"](9)(torch.tensor([99]))


def test_arguments_stay_as_they_were() -> None:
    a = torch.zeros(2)
    forms("zeros")["f"](a, a)  # the right one adds to its argument
    assert a.tolist() == [0, 0]


@pytest.mark.parametrize("kind", ["zeros", "noise", "first-argument"])
def test_a_class_becomes_a_module_of_that_name_without_parameters(kind: str) -> None:
    made = forms(kind)["Table"](9)
    assert isinstance(made, nn.Module)
    assert type(made).__name__ == "Table"
    assert type(made).__mro__[1] is nn.Module
    assert list(made.parameters()) == list(made.modules())[1:] == []
    assert made.state_dict() == {}


def test_noise_never_repeats_a_right_number_or_truth() -> None:
    source = "count = 3\ntruth = True"
    scope = run(answers(source, FUNCTION, defines=("count", "truth"))["noise"])
    assert scope["count"] != 3
    assert scope["truth"] is False


def test_names_that_checks_ask_for_are_transformed_when_the_cell_binds_them() -> None:
    relation = {
        "kind": "relation",
        "relation": "r",
        "reads": ["own", "others"],
        "calls": [{"call": "Table.scale", "inputs": "cases"}],
    }
    source = "own = 3\nmine = 4\nclass Table:\n    def scale(self):\n        return 2"
    variant = answers(source, relation, defines=("mine",))["zeros"]
    assert "('mine', 'own', 'Table')" in variant.code
    scope = run(variant)
    assert (scope["own"], scope["mine"], scope["Table"]().scale()) == (0, 0, 0)


def test_values_alone_have_no_answers_that_need_a_call() -> None:
    kinds = set(answers("y = 3", FUNCTION, defines=("y",)))
    assert kinds == set(KINDS) - {"first-argument", "last-argument", "same-noise"}
    one = set(answers("def f(x):\n    return x + 1", FUNCTION, defines=("f",)))
    assert one == set(KINDS) - {"last-argument"}


@pytest.mark.parametrize(("right", "offered"), [("last", True), ("first", False)])
def test_the_first_option_is_offered_only_where_it_is_wrong(right: str, offered: bool) -> None:
    choice = {"kind": "choice", "name": "order", "options": ["first", "last"]}
    found = answers(f"order = {right!r}", choice, defines=("order",))
    assert ("first-option-order" in found) is offered
    assert run(found["zeros"])["order"] == ""
    if offered:
        assert run(found["first-option-order"])["order"] == "first"


@pytest.mark.parametrize("kind", ["zeros", "ones", "noise"])
def test_figures_are_closed_and_neither_shown_nor_printed(
    kind: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[int] = []

    def show() -> None:
        shown.extend(len(plt.figure(n).axes[0].images) for n in plt.get_fignums())
        plt.close("all")

    monkeypatch.setattr(plt, "show", show)
    source = (
        "import matplotlib.pyplot as plt\npe = [[3.0]]\nplt.imshow(pe)\nplt.show()\n"
        "plt.imshow(pe)\nprint('explained: 0.9')"
    )
    figure = {"kind": "figure", "shows": "pe", "aspects": ["data"]}
    scope = run(answers(source, figure, defines=("pe",))[kind])
    assert plt.get_fignums() == []
    assert shown == ([] if kind == "zeros" else [0])  # one figure without an image
    assert capsys.readouterr().out == ""
    assert plt.show is show
    assert scope["pe"] != [[3.0]]


def test_written_exercises_have_no_trivial_answers() -> None:
    written = {"kind": "written", "name": "y", "rubric": "a point for each reason"}
    assert answers("y = 'text'", written, defines=("y",)) == {}


def test_the_flagship_has_trivial_answers_to_every_automatic_exercise(flagship: Loaded) -> None:
    solution = read(SOLUTION)
    found = trivial_answers(solution, flagship.spec)
    automatic = {e.id for e in flagship.spec.exercise if e.check[0].kind not in NO_WRONG_ANSWER}
    assert {v.exercise for v in found} == automatic
    assert len({v.name for v in found}) == len(found)
    for variant in found:
        ast.parse(variant.code)
        apply_variant(solution, variant)


def test_a_name_of_another_exercise_is_left_alone(flagship: Loaded) -> None:
    sources = {c.exercise: c.source for c in read(SOLUTION).cells if c.kind == "code"}
    lookup = next(e for e in flagship.spec.exercise if e.id == "one_hot_equivalence")
    names = names_of(lookup, sources[lookup.id])
    assert "via_matmul" in names
    assert "one_hot_lookup" in names
    assert "embedding" not in names  # read by its checks, made by exercise 1


def test_trivial_answers_of_the_flagship_run_in_their_cells(flagship: Loaded) -> None:
    solution = read(SOLUTION)
    found = trivial_answers(solution, flagship.spec)
    (variant,) = [v for v in found if v.name == "positional_encoding-trivial-ones"]
    scope: dict[str, Any] = {}
    cells = apply_variant(solution, variant).cells
    for cell in cells[: 1 + next(n for n, c in enumerate(cells) if c.source == variant.code)]:
        if cell.kind == "code":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(cell.source, scope)
    table = scope["sinusoidal_positional_encoding"](3, 5)
    assert torch.equal(table, torch.ones(3, 5))
