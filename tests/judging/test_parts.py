"""A wrong earlier part costs its own exercise alone, however a later answer builds on it."""

from __future__ import annotations

import pytest

from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.assignment_text import assignment_text, check
from tests.support.changed_solution import graded, lost, prepared_course

CODED = {"name": "code", "stand_in": "token_code"}
ENCODED = [
    {"call": "encode", "inputs": "sentences"},
    {"call": "code", "inputs": "ids", "optional": True},
]
LAYERS = [
    {"call": "Layer", "inputs": "made_layers"},
    {"call": "Layer", "inputs": "made_layers", "optional": True, "stand_ins": [CODED]},
]
PARTS = [CODED, {"name": "turn", "stand_in": "alike"}]
FORWARD = {"call": "Layer.forward", "inputs": "layers", "parts": PARTS}
COURSE = {
    "assignments/parts/assignment.toml": assignment_text(
        "parts",
        {
            "code": [check("codes", "function", call="code", inputs="ids")],
            "turn": [check("turns", "function", call="turn", inputs="vectors")],
            "encode": [
                check("rows", "relation", relation="rows_of_own_code", calls=ENCODED, parts=[CODED])
            ],
            "Layer": [
                check("made", "relation", relation="has_one_table", calls=LAYERS),
                check("gradient", "gradient", **FORWARD, wrt=[0]),
                check("stage", "pipeline", **FORWARD),
            ],
        },
    ),
    "assignments/parts/inputs.py": """
import torch

from autograder.assignment.arguments import made


def ids(rng):
    return [(0, 4), (3, 4)]


def vectors(rng):
    return [(torch.ones(2, 4), torch.arange(4.0))]


def sentences(rng):
    return [([3, 0, 3], 4)]


def made_layers(rng):
    return [(3, 4)]


def layers(rng):
    state = [torch.arange(12.0).reshape(3, 4)]
    return [(made("Layer", 3, 4, state=state), torch.tensor([2, 0]))]
""",
    "assignments/parts/checks.py": """
import torch


def rows_of_own_code(seen):
    (call,) = seen.calls("encode", "sentences")
    own = {one.args[0]: one.tensor().double() for one in seen.calls("code", "ids")}
    if call.tensor().shape != (3, 4) or any(vector.shape != (4,) for vector in own.values()):
        yield "The shape is wrong."
    elif not torch.equal(call.tensor().double(), torch.stack([own[id_] for id_ in call.args[0]])):
        yield "These are not the vectors."


def has_one_table(seen):
    calls = seen.calls("Layer", "made_layers")
    if any(getattr(call.held.value, "type", "") == "nothing" for call in calls):
        calls = seen.calls("Layer", "made_layers", stood_in=True)
    if sum(entry.role == "parameter" for entry in calls[0].module().entries) != 1:
        yield "There is not one table."
""",
    "solutions/parts/solution.py": """# %% [markdown]
# # Parts

# %% locked=true
import torch
from torch import nn

# %% exercise="code"
def code(token_id, size):
    # BEGIN SOLUTION
    return torch.arange(size) * 1.0 + token_id
    # END SOLUTION

# %% exercise="turn"
def turn(x, by):
    # BEGIN SOLUTION
    return x * by
    # END SOLUTION

# %% exercise="encode"
def encode(ids, size):
    # BEGIN SOLUTION
    return torch.stack([1.0 * torch.arange(token_id, token_id + size) for token_id in ids])
    # END SOLUTION

# %% exercise="Layer"
class Layer(nn.Module):
    def __init__(self, rows, columns):
        # BEGIN SOLUTION
        super().__init__()
        self.table = nn.Embedding(rows, columns)
        # END SOLUTION

    def forward(self, ids):
        # BEGIN SOLUTION
        return turn(self.table(ids), code(1, self.table.embedding_dim))
        # END SOLUTION
""",
}
CODE, TURN = "return torch.arange(size) * 1.0 + token_id", "return x * by"
WRONG = {
    "another size": (CODE, "return torch.zeros(size + 1)"),
    "an exception": (CODE, "raise KeyError(token_id)"),
    "nothing": (CODE, "pass"),
}
BY_CODE = (
    "torch.stack([1.0 * torch.arange(token_id, token_id + size) for token_id in ids])",
    "torch.stack([code(token_id, size) for token_id in ids])",
)
RIGHT = {
    "in a buffer": (
        "self.table = nn.Embedding(rows, columns)",
        "self.table = nn.Embedding(rows, columns)\n"
        '        self.register_buffer("kept", code(1, columns))',
    ),
    "at the first call": (
        "return turn(self.table(ids), code(1, self.table.embedding_dim))",
        'if not hasattr(self, "kept"):\n'
        '            self.register_buffer("kept", code(1, self.table.embedding_dim))\n'
        "        return turn(self.table(ids), self.kept)",
    ),
}


@pytest.fixture(scope="module")
def ready(course_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(COURSE, course_box, tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("right", [*RIGHT, "as in the solution"])
def test_a_wrong_part_is_not_charged_again(ready: PreparedClass, right: str) -> None:
    changes = [BY_CODE, *([RIGHT[right]] if right in RIGHT else [])]
    assert lost(graded(ready, *changes)) == {}
    for wrong in WRONG.values():
        assert set(lost(graded(ready, wrong, *changes))) == {"code/codes"}, wrong


def test_a_layer_that_leaves_one_part_out_is_right_with_the_other_stood_in(
    ready: PreparedClass,
) -> None:
    own = ("code(1, self.table.embedding_dim)", "torch.arange(self.table.embedding_dim) + 1.0")
    assert set(lost(graded(ready, (TURN, "return x - by"), own))) == {"turn/turns"}


def test_a_wrong_step_on_a_wrong_part_loses(ready: PreparedClass) -> None:
    changes = (
        WRONG["another size"],
        BY_CODE,
        ("torch.stack([code", "2 * torch.stack([code"),
        ("turn(self.table(ids)", "turn(1 + self.table(ids)"),
        (
            "self.table = nn.Embedding(rows, columns)",
            "self.table = nn.Embedding(rows, columns)\n        self.spare = nn.Linear(2, 2)",
        ),
    )
    assert set(lost(graded(ready, *changes))) == {
        "code/codes",
        "encode/rows",
        "Layer/made",
        "Layer/gradient",
        "Layer/stage",
    }
