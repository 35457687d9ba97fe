"""Small assignments that tests write into a folder, to be broken in one place at a time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox

VERBS = {
    "assignments/verbs/assignment.toml": """
format = 1
id = "verbs"
title = "Every verb once"

[[exercise]]
id = "waves"
title = "An earlier part"
defines = ["waves"]

[[exercise.check]]
id = "waves"
kind = "function"
title = "waves are right"
points = 1
call = "waves"
inputs = "sizes"

[[exercise]]
id = "Layer"
title = "A class that builds on it"
defines = ["Layer"]

[[exercise.check]]
id = "forward"
kind = "function"
title = "the layer is right"
points = 1
call = "Layer.forward"
inputs = "layers"

[[exercise.check]]
id = "gradient"
kind = "gradient"
title = "gradients reach the layer"
points = 1
call = "Layer.forward"
inputs = "layers"
wrt = [0]

[[exercise.check]]
id = "stage"
kind = "pipeline"
title = "the layer is right with whatever waves there are"
points = 1
call = "Layer.forward"
inputs = "layers"
parts = [{ name = "waves", stand_in = "table" }]

[[exercise.check]]
id = "fresh"
kind = "relation"
title = "a fresh layer has a table that learns and a saved buffer"
points = 1
relation = "fresh_layer"
calls = [{ call = "Layer", inputs = "fresh" }]

[[exercise]]
id = "train"
title = "Training"
defines = ["train"]

[[exercise.check]]
id = "train"
kind = "training"
title = "training ends well"
points = 1
call = "train"
inputs = "trainings"
statistic = "last_loss"
below = 0.5
passing = 4
false_alarm = 0.01
miss = 0.01

[[exercise]]
id = "fit"
title = "Training an object"
defines = ["fit"]

[[exercise.check]]
id = "fit"
kind = "training"
title = "what was trained is good, whatever is said of it"
points = 1
call = "fit"
inputs = "fits"
after = [0]
statistic = "size_after"
below = 0.1
passing = 4
false_alarm = 0.01
miss = 0.01

[[exercise]]
id = "picture"
title = "A picture"
defines = ["picture"]

[[exercise.check]]
id = "scatter"
kind = "relation"
title = "a scatter and a printed sentence"
points = 1
relation = "scatter_and_sentence"
figures = true

[[exercise]]
id = "others"
title = "Given objects, alternatives, slopes"
defines = ["cut", "turned", "square"]

[[exercise.check]]
id = "cut"
kind = "function"
title = "cut works with a given model"
points = 1
call = "cut"
inputs = "given_model"

[[exercise.check]]
id = "turned"
kind = "function"
title = "turned takes a complex number or a pair"
points = 1
call = "turned"
inputs = "complex_way"
alternatives = ["pair_way"]

[[exercise.check]]
id = "square"
kind = "gradient"
title = "the slope of square"
points = 1
call = "square"
inputs = "matrices"
wrt = [0]
gradcheck = true
""",
    "assignments/verbs/inputs.py": """
import torch

from autograder.assignment.arguments import made, slot, stand_in_model, stand_in_tokenizer


def _matrix(rng, *shape):
    return torch.tensor(rng.normal(size=shape), dtype=torch.float32)


def sizes(rng):
    return [(3, 4), (5, 2)]


def fresh(rng):
    return [(7, 4)]


def layers(rng):
    state = [_matrix(rng, 7, 4), slot(_matrix(rng, 7, 4), owner="Linear")]
    return [(made("Layer", 7, 4, state=state), torch.tensor([[1, 2, 6], [0, 0, 3]]))]


def trainings(rng):
    return [(int(seed),) for seed in rng.integers(0, 1000, size=5)]


def fits(rng):
    return [(made("Layer", 7, 4, state=[_matrix(rng, 7, 4)]), 30) for _ in range(5)]


def given_model(rng):
    ids = torch.tensor([[1, 2, 6, 4], [0, 0, 3, 1]])
    return [(stand_in_model(_matrix(rng, 7, 4), 3), ids, stand_in_tokenizer(["a", "b", "c d"]))]


def _angles(rng):
    return torch.tensor(rng.normal(size=5), dtype=torch.float32)


def complex_way(rng):
    angles = torch.arange(5.0)
    return [(torch.ones(5), torch.polar(torch.ones(5), angles))]


def pair_way(rng):
    angles = torch.arange(5.0)
    return [(torch.ones(5), (angles.cos(), angles.sin()))]


def matrices(rng):
    return [(_matrix(rng, 3, 4),)]
""",
    "assignments/verbs/checks.py": """
from autograder.wire.tensors import to_tensor


def last_loss(call):
    return float(call.tensor()[-1])


def size_after(call):
    entries = [e for e in call.after[0].module().entries if e.role == "parameter"]
    return max(float(to_tensor(e.array).abs().max()) for e in entries)


def fresh_layer(seen):
    (call,) = seen.calls("Layer", "fresh")
    entries = {entry.role: entry for entry in call.module().entries}
    if "buffer" not in entries or not entries["buffer"].saved:
        yield "The layer has no buffer in its state dict."
    if not entries["parameter"].learnable:
        yield "The table does not learn."
    if tuple(to_tensor(entries["parameter"].array).shape) != (7, 4):
        yield "The table has another shape."


def scatter_and_sentence(seen):
    panels = [panel for figure in seen.figures() for panel in figure.panels]
    if not any(panel.points and panel.point_colors for panel in panels):
        yield "There is no scatter."
    elif "variance" not in seen.printed():
        yield "The variance is not printed."
""",
    "solutions/verbs/solution.py": """# %% [markdown]
# # Every verb once

# %% locked=true
import matplotlib.pyplot as plt
import torch
from torch import nn

# %% exercise="waves"
def waves(rows, columns):
    # BEGIN SOLUTION
    return torch.outer(torch.arange(rows) + 1.0, torch.arange(columns) + 1.0)
    # END SOLUTION

# %% exercise="Layer"
class Layer(nn.Module):
    def __init__(self, rows, columns):
        # BEGIN SOLUTION
        super().__init__()
        self.table = nn.Embedding(rows, columns)
        self.head = nn.Linear(columns, rows, bias=False)
        self.register_buffer("scale", torch.tensor(2.0))
        # END SOLUTION

    def forward(self, ids):
        # BEGIN SOLUTION
        rows = self.table(ids)
        rows = rows * self.scale + waves(ids.shape[-1], rows.shape[-1])
        return self.head(rows)
        # END SOLUTION

# %% exercise="train"
def train(seed):
    # BEGIN SOLUTION
    torch.manual_seed(seed)
    number = torch.randn(1, requires_grad=True)
    losses = []
    for _ in range(20):
        loss = (number**2).sum()
        (slope,) = torch.autograd.grad(loss, number)
        number = (number - 0.3 * slope).detach().requires_grad_()
        losses.append(loss.item())
    return losses
    # END SOLUTION

# %% exercise="fit"
def fit(layer, steps):
    # BEGIN SOLUTION
    sizes = []
    with torch.no_grad():
        for _ in range(steps):
            for parameter in layer.parameters():
                parameter *= 0.7
            sizes.append(float(max(p.abs().max() for p in layer.parameters())))
    return sizes
    # END SOLUTION

# %% exercise="picture"
# BEGIN SOLUTION
picture = plt.figure()
plt.scatter([1, 2], [3, 4], c=[0, 1])
print("explained variance: 0.5")
# END SOLUTION

# %% exercise="others"
def cut(model, ids, tokenizer):
    # BEGIN SOLUTION
    return model(ids[:, : model.max_seq_len]) + tokenizer.encode("c d")[0] + len(tokenizer)
    # END SOLUTION


def turned(x, by):
    # BEGIN SOLUTION
    return x * by.real + x * by.imag
    # END SOLUTION


def square(x):
    # BEGIN SOLUTION
    return 2 * x**2
    # END SOLUTION
""",
}


def write_course(folder: Path, files: Mapping[str, str], **changes: tuple[str, str]) -> Loaded:
    """Write a small assignment with some texts replaced (each must be there), and load it.

    ``changes``: a file's stem -> (text, its replacement).
    """
    for name, text in files.items():
        path = folder / name
        change = changes.get(path.stem)
        if change is not None:
            assert change[0] in text, f"{name} does not hold {change[0]!r}"
            text = text.replace(*change)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"))
    first = next(name for name in files if name.endswith("assignment.toml"))
    return load((folder / first).parent, measuring=True)


def prepare_course(course: Loaded, box: LazyBox, evidence: Path) -> PreparedClass:
    """The reference and the known mistakes of a small assignment, without figures."""
    nothing = Offer(None, "", frozenset(), ())
    context = make_context(course, nothing, box, seed=5, draw=False, evidence=evidence)
    return prepare_reference(context, Inline(), lambda what, total: None)


MEASURED = "assignments/small/measured.toml"
SMALL = {
    "assignments/small/assignment.toml": """
format = 1
id = "small"
title = "Rows and their sizes"

[validate]
kill_rate = 0.9

[[exercise]]
id = "center"
title = "Rows with mean zero"
defines = ["center"]
large_loss = [{ mistakes = ["columns"], why = "Nothing else is asked." }]

[[exercise.check]]
id = "example"
kind = "function"
title = "center works on a table that can be read by eye"
points = 1
public = true
call = "center"
inputs = "small_table"

[[exercise.check]]
id = "tables"
kind = "function"
title = "center works on other tables"
points = 2
call = "center"
inputs = "tables"
tolerance = "measured"

[[exercise.check]]
id = "finite"
kind = "relation"
title = "center of large numbers is finite"
points = 1
needs = ["example"]
relation = "center_is_finite"
calls = [{ call = "center", inputs = "large" }]

[[exercise]]
id = "sizes"
title = "Sizes of centred rows"
defines = ["sizes"]
large_loss = [{ mistakes = ["no_*"], why = "Nothing else is asked." }]

[[exercise.check]]
id = "sizes"
kind = "function"
title = "sizes of rows"
points = 2
call = "sizes"
inputs = "tables"
tolerance = { rtol = 1e-6, atol = 1e-5, why = "Float32 sums of seven numbers." }

[[exercise]]
id = "shrink"
title = "A number made small by steps"
defines = ["shrink"]
large_loss = [{ mistakes = ["no_steps"], why = "Nothing else is asked." }]

[[exercise.check]]
id = "shrink"
kind = "training"
title = "the number becomes small"
points = 1
call = "shrink"
inputs = "seeds"
statistic = "end"
below = 0.1
passing = 4
false_alarm = 0.01
miss = 0.01
""",
    "assignments/small/promises.toml": """
[[promise]]
exercise = "center"
text = "the mean of each row"
checks = ["example", "tables"]
broken_by = "columns"

[[promise]]
exercise = "sizes"
text = "The sum of squares"
checks = ["sizes"]
broken_by = "no_square"

[[charged_again]]
exercise = "center"
also = "sizes"
text = "once its mean is taken away"
""",
    MEASURED: """
[center.tables]
rtol = 0.0
atol = 4e-6
why = "Measured once: float32 forms differ by 1e-6, the wrong ones by 0.1."
""",
    "assignments/small/inputs.py": """
import torch


def small_table(rng):
    return [(torch.tensor([[1.0, 2.0, 6.0], [4.0, 4.0, 4.0]]),)]


def _table(rng, *shape):
    return torch.tensor(rng.normal(size=shape) + 2, dtype=torch.float32)


def tables(rng):
    return [(_table(rng, 3, 5),), (_table(rng, 2, 7),)]


def large(rng):
    return [(1e18 * _table(rng, 2, 3),)]


def seeds(rng):
    return [(int(seed),) for seed in rng.integers(0, 10_000, size=5)]
""",
    "assignments/small/checks.py": """
import torch


def center_is_finite(seen):
    (call,) = seen.calls("center", "large")
    if not bool(torch.isfinite(call.tensor()).all()):
        yield "A number is not finite."


def end(call):
    numbers = call.tensor(shape=(13,)).abs()
    return float(numbers[-1] / numbers[0]) if numbers[0] == 1 + call.args[0] else 1.0
""",
    "solutions/small/solution.py": '''# %% [markdown]
# # Rows and their sizes

# %% locked=true
import torch

# %% exercise="center"
def center(table):
    """The table with the mean of each row taken away."""
    # BEGIN SOLUTION
    return table - table.mean(dim=1, keepdim=True)
    # END SOLUTION

# %% exercise="sizes"
def sizes(table):
    """The sum of squares of each row once its mean is taken away."""
    # BEGIN SOLUTION
    return (center(table) ** 2).sum(dim=1)
    # END SOLUTION

# %% exercise="shrink"
def shrink(seed):
    """A number that gets smaller in twelve steps, as a list of thirteen."""
    # BEGIN SOLUTION
    numbers = [1.0 + seed]
    while len(numbers) < 13:
        numbers.append(numbers[-1] * 0.75)
    return numbers
    # END SOLUTION
''',
    "solutions/small/mistakes/columns.py": """# center: the mean of each column
# also: sizes
# You took away the mean of each column.
def center(table):
    return table - table.mean(dim=0, keepdim=True)
""",
    "solutions/small/mistakes/overflow.py": """# center: through the third power
# Numbers get too large on the way.
def center(table):
    mean = (table.sum(dim=1, keepdim=True) / table.shape[1])
    return table - (mean * 1e30) / 1e30
""",
    "solutions/small/mistakes/no_square.py": """# sizes: the square is missing
# Square the centred numbers before you add them up.
def sizes(table):
    return center(table).sum(dim=1)
""",
    "solutions/small/mistakes/no_steps.py": """# shrink: no step is made
# The number stays what it was.
def shrink(seed):
    return [1.0 + seed] * 13
""",
    "solutions/small/equivalents/wide.py": """# center: in float64
# Wide numbers on the way, narrow ones at the end.
def center(table):
    wide = table.double()
    return (wide - wide.sum(1)[:, None] / wide.shape[1]).float()
""",
    "solutions/small/equivalents/listed.py": """# sizes: by a loop
# Row by row.
def sizes(table):
    return torch.stack([((row - row.mean()) ** 2).sum() for row in table])
""",
}
