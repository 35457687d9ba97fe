"""Objects of students' classes, stand-ins, alternatives, training and figures, box included."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
import torch

from autograder.grading.context import PreparedClass
from autograder.judging.checks.decoded_value import DecodedValue, Wrong
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.runner.stand_ins import FUNCTIONS, table
from autograder.sandbox.lazy import LazyBox
from autograder.wire.values import ConstructedObject, Items
from tests.support.changed_solution import (
    graded,
    lost,
    prepared_course,
    replace_source,
    submissions,
)
from tests.support.courses import VERBS
from tests.support.tables import table_beside

EVERY = table_beside(__file__)
RIGHT, WRONG = submissions(EVERY["right"]), submissions(EVERY["wrong"])
Change = dict[str, Any]


def changed(row: Change) -> tuple[str, str]:
    return row["where"], row["instead"]


@pytest.mark.parametrize("answers", RIGHT.values(), ids=RIGHT)
def test_a_right_answer_in_another_form_passes(
    ready: PreparedClass, answers: list[list[Change]]
) -> None:
    assert lost(graded(ready, *(changed(row) for answer in answers for row in answer))) == {}


@pytest.mark.parametrize("answers", WRONG.values(), ids=WRONG)
def test_a_wrong_answer_costs_its_check_and_is_told(
    ready: PreparedClass, answers: list[Change]
) -> None:
    messages = lost(graded(ready, *map(changed, answers)))
    for row in answers:
        check, words = row["check"], row["said"].split(" … ")
        assert re.search(".*".join(map(re.escape, words)), messages[check]), messages
        exercise = check.partition("/")[0]
        own = {name for name in messages if name.startswith(f"{exercise}/")}
        assert "also others" in row or own == {check}
        assert "slots" not in messages[check]
    if not any("also others" in row for row in answers):
        assert set(messages) == {row["check"] for row in answers}


def test_an_earlier_mistake_is_charged_once_and_its_part_is_blamed(ready: PreparedClass) -> None:
    grade = graded(ready, ("torch.arange(rows) + 1.0", "torch.arange(rows) + 2.0"))
    assert set(lost(grade)) == {"waves/waves", "Layer/forward", "Layer/gradient"}
    stage = next(c for e in grade.exercises for c in e.checks if c.id == "stage")
    assert "because of your `waves`" in stage.message
    assert [(one.way, one.right) for one in stage.blame] == [
        ("end to end", False),
        ("with a stand-in for your `waves`", True),
    ]


def test_a_part_that_raises_is_charged_once(ready: PreparedClass) -> None:
    grade = graded(ready, ("return torch.outer(", "raise ValueError("))
    assert "Layer/stage" not in lost(grade)
    assert "Layer/forward" in lost(grade)


def test_a_stage_that_is_wrong_itself_is_not_excused(ready: PreparedClass) -> None:
    grade = graded(ready, ("rows * self.scale +", "rows +"))
    assert {"Layer/stage", "Layer/forward"} <= set(lost(grade))


def test_a_stage_with_a_wrong_formula_of_its_own_is_not_excused(ready: PreparedClass) -> None:
    own = ("waves(ids.shape[-1], rows.shape[-1])", "torch.ones(ids.shape[-1], rows.shape[-1])")
    assert "Layer/stage" in lost(graded(ready, own))


def test_one_bad_training_of_five_is_no_mistake(ready: PreparedClass) -> None:
    first = ready.context.cases["trainings"][0][0]
    unlucky = ("    return losses", f"    return losses if seed != {first} else [float('nan')]")
    assert lost(graded(ready, unlucky)) == {}


def test_what_was_trained_counts_and_not_what_is_said_of_it(ready: PreparedClass) -> None:
    told = ("parameter *= 0.7", "parameter * 0.7")
    wrong = lost(graded(ready, told, ("sizes.append(float(", "sizes.append(0 * float(")))
    assert set(wrong) == {"fit/fit"}


def test_a_gradient_that_is_no_slope_is_found_where_the_reference_agrees(
    ready: PreparedClass,
) -> None:
    """By finite differences alone: the reference's gradient is taken from the same wrong code."""
    false = (
        "    return 2 * x**2",
        "    return 2 * (x**2).detach() + 4 * x.detach() * (x - x.detach()) * 1.5",
    )
    context, submission = ready.context, graded(ready, false)
    assert "gradient" in lost(submission)["others/square"]
    cells = tuple(replace_source(cell, *false) for cell in read(context.loaded.solution).cells)
    from autograder.grading.job import evidence, make_job

    wrong = Submission(file="y.py", sha256="y", cells=cells)
    run, _ = evidence(context, make_job(context, wrong)[0])
    both_wrong = replace(ready, expected=run)
    grade = graded(both_wrong, false)
    assert "does not match the slope of your own function" in lost(grade)["others/square"]


PARTS = (
    'id = "forward"\nkind = "function"\n',
    'id = "forward"\nkind = "function"\nparts = [{ name = "waves", stand_in = "table" }]\n',
)


@pytest.fixture(scope="module")
def lenient(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    """The same, but an ordinary check names the earlier part as well."""
    return prepared_course(VERBS, warm_box, tmp_path_factory.mktemp("course"), assignment=PARTS)


def test_any_check_may_name_its_parts(lenient: PreparedClass) -> None:
    wrong_part = graded(lenient, ("torch.arange(rows) + 1.0", "torch.arange(rows) + 2.0"))
    assert "Layer/forward" not in lost(wrong_part)
    no_part = graded(lenient, ("return torch.outer(", "return None\n    ("))
    assert "Layer/forward" not in lost(no_part)


def test_a_wrong_step_is_not_excused_by_its_parts(lenient: PreparedClass) -> None:
    both = (
        ("torch.arange(rows) + 1.0", "torch.arange(rows) + 2.0"),
        ("rows * self.scale +", "rows +"),
    )
    assert "Layer/forward" in lost(graded(lenient, *both))


def test_a_step_that_changes_its_arguments_is_not_excused(lenient: PreparedClass) -> None:
    both = (
        ("torch.arange(rows) + 1.0", "torch.arange(rows) + 2.0"),
        (
            "        return self.head(rows)",
            "        self.table.weight.data[0] += 1\n        return self.head(rows)",
        ),
    )
    assert "Layer/forward" in lost(graded(lenient, *both))


def test_a_check_that_only_stand_ins_can_explain_stops_no_diagnosis(lenient: PreparedClass) -> None:
    """As it is, "forward" raises what the template raises: there is nothing to explain. Another
    check of the exercise has no explanation, so all are looked at with stand-ins as well."""
    changes = (
        ("    return torch.outer(", "    raise NotImplementedError\n    return torch.outer("),
        ("        return self.head(rows)", "        return -self.head(rows)"),
        ('"scale", torch.tensor(2.0))', '"scale", torch.tensor(2.0), persistent=False)'),
    )
    grade = graded(lenient, *changes)
    assert grade.status == "graded", grade.reason
    layer = next(e for e in grade.exercises if e.id == "Layer")
    causes = {c.id: c.cause for c in layer.checks}
    assert causes["forward"] is None
    assert causes["fresh"] is not None and causes["fresh"].sure == "nothing"


def test_work_that_uses_no_part_is_explained_as_it_is(lenient: PreparedClass) -> None:
    own_and_negated = (
        (
            "waves(ids.shape[-1], rows.shape[-1])",
            "torch.outer(torch.arange(ids.shape[-1]) + 1.0, torch.arange(rows.shape[-1]) + 1.0)",
        ),
        ("return self.head(rows)", "return -self.head(rows)"),
    )
    grade = graded(lenient, *own_and_negated)
    said = {f"{e.id}/{c.id}": c.diagnosis for e in grade.exercises for c in e.checks}
    assert "opposite sign" in said["Layer/forward"]


@pytest.mark.parametrize("kind", ["token_rows", "position_rows"])
def test_what_stands_in_for_an_embedding_class_is_no_lookup(kind: str) -> None:
    rows = FUNCTIONS[kind](7, 4)
    ids = torch.tensor([[0, 1, 2], [0, 1, 2]])
    found, table = rows(ids)[..., :3, :], rows.weight[:3]
    assert [tuple(parameter.shape) for parameter in rows.parameters()] == [(7, 4)]
    assert found.shape[-2:] == table.shape
    shares = (found / table).reshape(-1, 4)
    assert not any(torch.allclose(shares[:, 0], shares[:, n]) for n in (1, 2, 3))


def test_an_object_to_be_made_is_no_answer() -> None:
    forged = ConstructedObject("Layer", (7, 4))
    with pytest.raises(Wrong):
        DecodedValue("result", Items("list", (forged,))).plain()
    assert DecodedValue("argument", forged, True).plain() == forged


def test_a_stand_in_refuses_a_table_that_is_too_large() -> None:
    with pytest.raises(ValueError, match="too large"):
        table(10_001, 5_000)
