"""Objects of students' classes, stand-ins, alternatives, training and figures, box included."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from autograder.assignment.load import Loaded
from autograder.grading.context import PreparedClass
from autograder.judging.checks.decoded_value import DecodedValue, Wrong
from autograder.notebook.formats.read import read
from autograder.notebook.submission import Submission
from autograder.runner.stand_ins import FUNCTIONS, table
from autograder.sandbox.lazy import LazyBox
from autograder.wire.values import ConstructedObject, Items
from tests.support.changed_solution import graded, lost, replace_source
from tests.support.courses import VERBS, prepare_course, write_course


def test_the_solution_passes_every_verb(ready: PreparedClass) -> None:
    assert lost(graded(ready)) == {}


def test_parameters_are_found_by_shape_whatever_they_are_called(ready: PreparedClass) -> None:
    grade = graded(ready, ("self.table", "self.rows_of_mine"), ("self.head", "self.aaa"))
    assert lost(grade) == {}


def test_two_parameters_of_one_shape_are_told_apart_by_their_owner(ready: PreparedClass) -> None:
    swapped = (
        "        self.table = nn.Embedding(rows, columns)\n"
        "        self.head = nn.Linear(columns, rows, bias=False)",
        "        self.head = nn.Linear(columns, rows, bias=False)\n"
        "        self.table = nn.Embedding(rows, columns)",
    )
    assert lost(graded(ready, swapped)) == {}


def test_an_owner_is_known_by_its_bases_and_another_ones_parameter_is_taken_last(
    ready: PreparedClass,
) -> None:
    """The head comes first, and neither table nor head is of the class itself."""
    own = (
        (
            "class Layer(nn.Module):",
            "class Rows(nn.Embedding):\n    pass\n\n\n"
            "class Head(nn.Linear):\n    pass\n\n\nclass Layer(nn.Module):",
        ),
        (
            "        self.table = nn.Embedding(rows, columns)\n"
            "        self.head = nn.Linear(columns, rows, bias=False)",
            "        self.head = Head(columns, rows, bias=False)\n"
            "        self.table = Rows(rows, columns)",
        ),
    )
    assert lost(graded(ready, *own)) == {}


def test_a_table_that_is_stored_turned_is_set_turned(ready: PreparedClass) -> None:
    turned = (
        (
            "self.table = nn.Embedding(rows, columns)",
            "self.table = nn.Parameter(torch.zeros(columns, rows))",
        ),
        ("rows = self.table(ids)", "rows = self.table.T[ids]"),
    )
    wrong = lost(graded(ready, *turned))
    assert wrong == {}


def test_a_table_with_a_leading_axis_of_one_is_set_and_has_its_gradient(
    ready: PreparedClass,
) -> None:
    leading = (
        (
            "self.table = nn.Embedding(rows, columns)",
            "self.table = nn.Parameter(torch.zeros(1, rows, columns))",
        ),
        ("rows = self.table(ids)", "rows = self.table[0][ids]"),
    )
    assert lost(graded(ready, *leading)) == {}


def test_a_missing_parameter_is_named_by_its_shape(ready: PreparedClass) -> None:
    wrong = lost(graded(ready, ("nn.Embedding(rows, columns)", "nn.Embedding(rows, columns + 1)")))
    assert "another learnable parameter of shape [7, 4]" in wrong["Layer/forward"]


def test_a_parameter_that_no_gradient_reaches_is_named(ready: PreparedClass) -> None:
    spare = (
        "        self.register_buffer",
        "        self.spare = nn.Parameter(torch.zeros(3))\n        self.register_buffer",
    )
    wrong = lost(graded(ready, spare))
    assert set(wrong) == {"Layer/gradient"}
    assert "no gradient reaches `spare`" in wrong["Layer/gradient"]


def test_a_frozen_parameter_of_the_students_own_needs_no_gradient(ready: PreparedClass) -> None:
    spare = (
        "        self.register_buffer",
        "        self.spare = nn.Parameter(torch.zeros(3), requires_grad=False)\n"
        "        self.register_buffer",
    )
    assert lost(graded(ready, spare)) == {}


def test_a_detached_table_has_no_gradient(ready: PreparedClass) -> None:
    wrong = lost(graded(ready, ("rows = self.table(ids)", "rows = self.table(ids).detach()")))
    assert set(wrong) == {"Layer/gradient"}
    said = wrong["Layer/gradient"]
    assert "gradient of its parameter of shape [7, 4]: no gradient reaches it" in said


def test_a_wrong_gradient_names_its_parameter(ready: PreparedClass) -> None:
    scaled = ("rows = self.table(ids)", "rows = self.table(ids) * 2 - self.table(ids).detach()")
    said = lost(graded(ready, scaled))["Layer/gradient"]
    assert "gradient of its parameter of shape [7, 4]: " in said
    assert "slots" not in said


def test_a_wrong_gradient_of_a_later_parameter_names_it_and_the_call(ready: PreparedClass) -> None:
    twice = "more = self.head(rows.detach())\n        return self.head(rows) + more - more.detach()"
    said = lost(graded(ready, ("return self.head(rows)", twice)))["Layer/gradient"]
    assert "`Layer(" in said.partition(" of its parameter of shape [")[0]


def test_a_change_in_place_of_the_weights_is_noticed(ready: PreparedClass) -> None:
    spoiled = (
        "        rows = self.table(ids)\n",
        "        rows = self.table(ids)\n        self.table.weight.data[0] += 1\n",
    )
    wrong = lost(graded(ready, spoiled))
    assert "changes the object's own numbers" in wrong["Layer/forward"]


def test_an_in_place_change_that_breaks_the_gradient_says_so(ready: PreparedClass) -> None:
    spoiled = (
        "rows = self.table(ids)\n",
        "rows = self.table(ids)\n        self.table.weight[0] += 1\n",
    )
    wrong = lost(graded(ready, spoiled))
    assert "An in-place change" in wrong["Layer/gradient"]


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


def test_a_buffer_that_is_not_saved_is_seen(ready: PreparedClass) -> None:
    unsaved = ('"scale", torch.tensor(2.0))', '"scale", torch.tensor(2.0), persistent=False)')
    assert set(lost(graded(ready, unsaved))) == {"Layer/fresh"}


def test_a_constructor_that_raises_is_no_call_that_raises(ready: PreparedClass) -> None:
    wrong = lost(graded(ready, ("self.register_buffer(", "raise ValueError(")))
    assert "(while the object was made)" in wrong["Layer/forward"]


def test_one_lucky_training_is_not_enough(ready: PreparedClass) -> None:
    lucky = ("    return losses", "    return losses if seed % 3 == 0 else [1.0]")
    wrong = lost(graded(ready, lucky))
    assert "at least 4 of 5" in wrong["train/train"]


def test_one_bad_training_of_five_is_no_mistake(ready: PreparedClass) -> None:
    first = ready.context.cases["trainings"][0][0]
    unlucky = ("    return losses", f"    return losses if seed != {first} else [float('nan')]")
    assert lost(graded(ready, unlucky)) == {}


def test_what_was_trained_counts_and_not_what_is_said_of_it(ready: PreparedClass) -> None:
    told = ("parameter *= 0.7", "parameter * 0.7")
    wrong = lost(graded(ready, told, ("sizes.append(float(", "sizes.append(0 * float(")))
    assert set(wrong) == {"fit/fit"}


def test_figures_and_what_was_printed_are_looked_at(ready: PreparedClass) -> None:
    silent = lost(graded(ready, ('print("explained variance: 0.5")', "pass")))
    assert silent == {"picture/scatter": "The variance is not printed."}
    empty = lost(graded(ready, ("plt.scatter([1, 2], [3, 4], c=[0, 1])", "plt.plot([1, 2])")))
    assert empty == {"picture/scatter": "There is no scatter."}


def test_a_given_model_keeps_its_limit(ready: PreparedClass) -> None:
    wrong = lost(graded(ready, ("model(ids[:, : model.max_seq_len])", "model(ids)")))
    assert "more than the limit" in wrong["others/cut"]


def test_another_accepted_signature_is_right_too_but_not_with_wrong_numbers(
    ready: PreparedClass,
) -> None:
    pair = ("return x * by.real + x * by.imag", "return x * by[0] + x * by[1]")
    assert lost(graded(ready, pair)) == {}
    wrong = ("return x * by.real + x * by.imag", "return x * by[0] - x * by[1] + 0 * by[1]")
    assert set(lost(graded(ready, wrong))) == {"others/turned"}


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


def test_arguments_are_read_as_one_writes_them(ready: PreparedClass) -> None:
    wrong = lost(graded(ready, ("self.head(rows)", "self.head(rows) + 1")))
    assert "`Layer(7, 4)(int64 [2, 3])`" in wrong["Layer/forward"]


def test_the_course_is_a_file_tree(course: Loaded) -> None:
    assert Path(course.solution).is_file()


PARTS = (
    'id = "forward"\nkind = "function"\n',
    'id = "forward"\nkind = "function"\nparts = [{ name = "waves", stand_in = "table" }]\n',
)


@pytest.fixture(scope="module")
def lenient(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    """The same, but an ordinary check names the earlier part as well."""
    course = write_course(tmp_path_factory.mktemp("course"), VERBS, assignment=PARTS)
    return prepare_course(course, warm_box, tmp_path_factory.mktemp("evidence"))


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


def test_a_function_that_is_to_be_compiled_runs_as_it_is(ready: PreparedClass) -> None:
    assert lost(graded(ready, ("def waves(", "@torch.compile\ndef waves("))) == {}


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


def test_printed_text_without_end_is_looked_at_only_so_far(ready: PreparedClass) -> None:
    late = ('print("explained variance: 0.5")', 'print("x" * 30_000, "explained variance: 0.5")')
    assert lost(graded(ready, late)) == {"picture/scatter": "The variance is not printed."}


def test_a_stand_in_refuses_a_table_that_is_too_large() -> None:
    with pytest.raises(ValueError, match="too large"):
        table(10_001, 5_000)
