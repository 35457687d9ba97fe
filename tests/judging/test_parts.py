"""A wrong earlier part costs its own exercise alone, however a later answer builds on it."""

from __future__ import annotations

import pytest

from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.changed_solution import graded, lost
from tests.support.courses import write_course

COURSE = {
    "assignments/parts/assignment.toml": """
format = 1
id = "parts"
title = "Parts"

[[exercise]]
id = "code"
title = "A vector for each id"
defines = ["code"]

[[exercise.check]]
id = "codes"
kind = "function"
title = "vectors are right"
points = 1
call = "code"
inputs = "ids"

[[exercise]]
id = "turn"
title = "A change by a vector"
defines = ["turn"]

[[exercise.check]]
id = "turns"
kind = "function"
title = "turns are right"
points = 1
call = "turn"
inputs = "vectors"

[[exercise]]
id = "encode"
title = "A sentence"
defines = ["encode"]

[[exercise.check]]
id = "rows"
kind = "relation"
title = "a row for each id, of the own vectors"
points = 1
relation = "rows_of_own_code"
parts = [{ name = "code", stand_in = "token_code" }]
calls = [
    { call = "encode", inputs = "sentences" },
    { call = "code", inputs = "ids", optional = true },
]

[[exercise]]
id = "Layer"
title = "A layer"
defines = ["Layer"]

[[exercise.check]]
id = "made"
kind = "relation"
title = "a layer has one table"
points = 1
relation = "has_one_table"
calls = [
    { call = "Layer", inputs = "made_layers" },
    { call = "Layer", inputs = "made_layers", optional = true, stand_ins = [
        { name = "code", stand_in = "token_code" },
    ] },
]

[[exercise.check]]
id = "gradient"
kind = "gradient"
title = "gradients reach the table"
points = 1
call = "Layer.forward"
inputs = "layers"
wrt = [0]
parts = [{ name = "code", stand_in = "token_code" }, { name = "turn", stand_in = "alike" }]

[[exercise.check]]
id = "stage"
kind = "pipeline"
title = "right with whatever vectors and turns there are"
points = 1
call = "Layer.forward"
inputs = "layers"
parts = [{ name = "code", stand_in = "token_code" }, { name = "turn", stand_in = "alike" }]
""",
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
def ready(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    folder = tmp_path_factory.mktemp("parts")
    offer = Offer(None, "", frozenset(), ())
    context = make_context(
        write_course(folder, COURSE), offer, warm_box, seed=5, draw=False, evidence=folder / "kept"
    )
    return prepare_reference(context, Inline(), lambda what, total: None)


@pytest.mark.parametrize("right", [*RIGHT, "as in the solution"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_part_is_not_charged_again(ready: PreparedClass, wrong: str, right: str) -> None:
    changes = [BY_CODE, *([RIGHT[right]] if right in RIGHT else [])]
    assert lost(graded(ready, *changes)) == {}
    assert set(lost(graded(ready, WRONG[wrong], *changes))) == {"code/codes"}


def test_a_layer_that_leaves_one_part_out_is_right_with_the_other_stood_in(
    ready: PreparedClass,
) -> None:
    changes = (
        (TURN, "return x - by"),
        ("code(1, self.table.embedding_dim)", "torch.arange(self.table.embedding_dim) + 1.0"),
    )
    assert set(lost(graded(ready, *changes))) == {"turn/turns"}


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
