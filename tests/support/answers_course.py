"""One small assignment with answers of many kinds, for mistakes that are graded through a box."""

from __future__ import annotations

from tests.support.assignment_text import assignment_text, check

WEIGH = {"call": "weigh", "inputs": "weights"}
BAGS = [{"call": "Bag", "inputs": "vocabularies"}, {"call": "Bag.forward", "inputs": "bags"}]
DOUBLED = {"call": "doubled", "inputs": "sizes"}
WAVES = [{"name": "waves", "stand_in": "table"}]
CODED = {"name": "code", "stand_in": "token_code"}
ENCODED = [
    {"call": "encode", "inputs": "sentences"},
    {"call": "code", "inputs": "ids", "optional": True},
]
LAYERS = [
    {"call": "Coded", "inputs": "made_coded"},
    {"call": "Coded", "inputs": "made_coded", "optional": True, "stand_ins": [CODED]},
]
PARTS = [CODED, {"name": "turn", "stand_in": "alike"}]
FORWARD = {"call": "Coded.forward", "inputs": "coded", "parts": PARTS}
MEAN = {"call": "mean", "inputs": "rows"}
NOTHING = {"call": "mean", "inputs": "no_rows"}
SCALED = {"inputs": "all_rows", "parts": [{"name": "scaled", "stand_in": "table"}]}
STEPS = {"call": "steps", "inputs": "counts", "default_dtype": "float64"}
ADDED = {"call": "add_positions", "inputs": "wide_rows"}
DTYPES = {"dtypes": ["float64", "bfloat16", "float16"], "autocast": ["bfloat16"]}
WIDE = {"call": "Wide.forward", "inputs": "wide_layers", "dtypes": ["bfloat16"]}
COURSE = {
    "assignments/small/assignment.toml": assignment_text(
        "small",
        {
            "weigh": [
                check("some", "function", points=2, call="weigh", inputs="weights"),
                check("few", "relation", relation="are_numbers", calls=[WEIGH]),
            ],
            "Layer": [check("rows", "function", call="Layer.forward", inputs="layers")],
            "Bag": [check("filled", "relation", relation="bag_is_filled", calls=BAGS)],
            "waves": [check("table", "function", call="waves", inputs="sizes")],
            "doubled": [
                check("numbers", "function", call="doubled", inputs="sizes", parts=WAVES),
                check("float32", "relation", relation="is_float32", calls=[DOUBLED], parts=WAVES),
            ],
            "code": [check("codes", "function", call="code", inputs="ids")],
            "turn": [check("turns", "function", call="turn", inputs="vectors")],
            "encode": [
                check("rows", "relation", relation="rows_of_own_code", calls=ENCODED, parts=[CODED])
            ],
            "Coded": [
                check("made", "relation", relation="has_one_table", calls=LAYERS),
                check("gradient", "gradient", **FORWARD, wrt=[0]),
                check("stage", "pipeline", **FORWARD),
            ],
            "mean scaled": [
                check("some", "function", points=2, public=True, **MEAN),
                check("none", "relation", relation="is_finite", calls=[NOTHING]),
                check("devices", "device", public=True, **MEAN),
                check("dtypes", "precision", dtypes=["float64"], **MEAN),
            ],
            "scaled_mean": [
                check("values", "pipeline", points=2, call="scaled_mean", **SCALED),
                check("devices", "device", call="scaled_mean", inputs="rows"),
            ],
            "steps": [
                check("values", "function", call="steps", inputs="counts"),
                check("default", "relation", relation="are_float32", calls=[STEPS]),
            ],
            "add_positions": [
                check("right", "function", **ADDED),
                check("narrow", "precision", **ADDED, **DTYPES),
            ],
            "Wide": [check("narrow", "precision", **WIDE)],
        },
    ),
    "assignments/small/inputs.py": """
import torch

from autograder.assignment.arguments import made


def weights(rng):
    table = torch.tensor([[1.0, 2.0], [4.0, 8.0]])
    return [(table, ["a", "b", "b"], {"a": 0, "b": 1}, 2), (table, ["b"], {"a": 1, "b": 0}, 3)]


def sizes(rng):
    return [(3, 4), (5, 6)]


def vocabularies(rng):
    return [({"a": 0, "b": 1},), ({"c": 1, "d": 0, "e": 2},)]


def bags(rng):
    state = [torch.arange(6.0).reshape(2, 3)]
    return [(made("Bag", {"a": 0, "b": 1}, state=state), ["b", "a"])]


def layers(rng):
    state = [torch.arange(12.0).reshape(4, 3)]
    return [(made("Layer", 4, 3, state=state), torch.tensor([[2, 0, 1, 3]]))]


def ids(rng):
    return [(0, 4), (3, 4)]


def vectors(rng):
    return [(torch.ones(2, 4), torch.arange(4.0))]


def sentences(rng):
    return [([3, 0, 3], 4)]


def made_coded(rng):
    return [(3, 4)]


def coded(rng):
    state = [torch.arange(12.0).reshape(3, 4)]
    return [(made("Coded", 3, 4, state=state), torch.tensor([2, 0]))]


def rows(rng):
    return [(torch.tensor([[1.0, 2.0], [4.0, 8.0]]),)]


def no_rows(rng):
    return [(torch.zeros(0, 2),), (torch.zeros(0, 3),)]


def all_rows(rng):
    return [*rows(rng), (torch.ones(1, 2),)]


def counts(rng):
    return [(3,), (5,)]


def _matrix(rng, *shape):
    return torch.tensor(rng.normal(size=shape), dtype=torch.float32)


def wide_rows(rng):
    return [(_matrix(rng, 300, 8),), (_matrix(rng, 4, 6),)]


def wide_layers(rng):
    return [(made("Wide", 300, 8, state=[_matrix(rng, 8, 8)]), _matrix(rng, 2, 300, 8))]
""",
    "assignments/small/checks.py": """
import torch


def are_numbers(seen):
    for call in seen.calls("weigh", "weights"):
        call.tensor()
        yield from ()


def bag_is_filled(seen):
    for call in seen.calls("Bag", "vocabularies"):
        if not call.module().entries:
            yield "There is no table."
    for call in seen.calls("Bag.forward", "bags"):
        call.tensor()


def is_float32(seen):
    for call in seen.calls("doubled", "sizes"):
        if call.held.value.dtype != "float32":
            yield "These numbers are no float32."


def rows_of_own_code(seen):
    (call,) = seen.calls("encode", "sentences")
    own = {one.args[0]: one.tensor().double() for one in seen.calls("code", "ids")}
    if call.tensor().shape != (3, 4) or any(vector.shape != (4,) for vector in own.values()):
        yield "The shape is wrong."
    elif not torch.equal(call.tensor().double(), torch.stack([own[id_] for id_ in call.args[0]])):
        yield "These are not the vectors."


def has_one_table(seen):
    calls = seen.calls("Coded", "made_coded")
    if any(getattr(call.held.value, "type", "") == "nothing" for call in calls):
        calls = seen.calls("Coded", "made_coded", stood_in=True)
    if sum(entry.role == "parameter" for entry in calls[0].module().entries) != 1:
        yield "There is not one table."


def is_finite(seen):
    for call in seen.calls("mean", "no_rows"):
        if not torch.isfinite(call.tensor()).all():
            yield "The mean of nothing is not finite."


def are_float32(seen):
    for call in seen.calls("steps", "counts"):
        if call.tensor().dtype != torch.float32:
            yield "The steps are not float32."
""",
    "solutions/small/solution.py": '''# %% [markdown]
# # Small answers

# %% locked=true
import math
import torch
from torch import nn

# %% exercise="weigh"
def weigh(table, words, places, times):
    # BEGIN SOLUTION
    places_of_words = [places[word] for word in words]
    return table[places_of_words].cumsum(0) * times
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
        steps = torch.arange(ids.shape[1])
        return self.table(ids) + steps[:, None]
        # END SOLUTION

# %% exercise="Bag"
class Bag(nn.Module):
    def __init__(self, places):
        # BEGIN SOLUTION
        super().__init__()
        self.places = places
        self.table = nn.Embedding(len(places), 3)
        # END SOLUTION

    def forward(self, words):
        # BEGIN SOLUTION
        return self.table(torch.tensor([self.places[word] for word in words]))
        # END SOLUTION

# %% exercise="waves"
def waves(length, width):
    # BEGIN SOLUTION
    return torch.outer(torch.arange(length) + 1.0, torch.arange(width) + 1.0)
    # END SOLUTION

# %% exercise="doubled"
def doubled(length, width):
    # BEGIN SOLUTION
    return 2 * waves(length, width)[:, :2]
    # END SOLUTION

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

# %% exercise="Coded"
class Coded(nn.Module):
    def __init__(self, rows, width):
        # BEGIN SOLUTION
        super().__init__()
        self.table = nn.Embedding(rows, width)
        # END SOLUTION

    def forward(self, ids):
        # BEGIN SOLUTION
        return turn(self.table(ids), code(1, self.table.embedding_dim))
        # END SOLUTION

# %% exercise="mean"
def mean(rows):
    # BEGIN SOLUTION
    if not len(rows):
        return rows.new_zeros(rows.shape[1])
    return rows.mean(0)
    # END SOLUTION

# %% exercise="scaled_mean"
def scaled_mean(rows):
    # BEGIN SOLUTION
    return 2 * rows.mean(0)
    # END SOLUTION

# %% exercise="steps"
def steps(count):
    # BEGIN SOLUTION
    return torch.arange(count, dtype=torch.float32) / 2
    # END SOLUTION

# %% exercise="add_positions"
def add_positions(x):
    """The rows with sines and cosines of their positions."""
    # BEGIN SOLUTION
    rows, width = x.shape
    slow = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    angles = torch.arange(rows).float()[:, None] * slow
    made = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    return x + made.to(x.dtype)
    # END SOLUTION

# %% exercise="Wide"
class Wide(nn.Module):
    def __init__(self, rows, width):
        # BEGIN SOLUTION
        super().__init__()
        self.turn = nn.Linear(width, width, bias=False)
        self.register_buffer("table", torch.linspace(0, 1, rows)[:, None])
        # END SOLUTION

    def forward(self, x):
        # BEGIN SOLUTION
        return self.turn(x) + self.table
        # END SOLUTION
''',
    "solutions/small/mistakes/wide_table.py": """# add_positions: the table stays in float32
# Your table has another dtype than x: convert it before you add it.
def add_positions(x):
    rows, width = x.shape
    slow = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    angles = torch.arange(rows).float()[:, None] * slow
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
""",
    "solutions/small/mistakes/swapped.py": """# add_positions: sine and cosine swapped
# Sine and cosine are swapped.
def add_positions(x):
    rows, width = x.shape
    slow = torch.exp(torch.arange(0, width, 2).float() * (-math.log(10000.0) / width))
    angles = torch.arange(rows).float()[:, None] * slow
    return x + torch.stack([angles.cos(), angles.sin()], dim=-1).flatten(1)
""",
}
