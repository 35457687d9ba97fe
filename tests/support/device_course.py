"""An assignment with checks of devices."""

from __future__ import annotations

from autograder.gradebook.grade import CheckGrade, Grade
from tests.support.assignment_text import assignment_text, check

LAYERS = {"inputs": "layers", "parts": [{"name": "steps", "stand_in": "table"}]}
DEVICES = {
    "assignments/devices/assignment.toml": assignment_text(
        "devices",
        {
            "waves": [
                check("numbers", "function", call="waves", inputs="more"),
                check("devices", "device", public=True, call="waves", inputs="ids"),
            ],
            "Layer": [check("devices", "device", call="Layer.forward", wrt=[0], **LAYERS)],
            "move": [
                check("devices", "device", public=True, call="move", inputs="moves", stays=[0, 1])
            ],
        },
        limits={"cell_cpu_s": 2, "call_cpu_s": 1},
    ),
    "assignments/devices/inputs.py": """
import torch

from autograder.assignment.arguments import device, made, stand_in_model


def ids(rng):
    return [(torch.tensor([[3, 1, 4], [1, 5, 9]]),), (torch.tensor([[2, 7]]),)]


def more(rng):
    return [(torch.tensor([[5, 3, 2, 8]]),), (torch.tensor([[1], [6]]),)]


def layers(rng):
    table = torch.from_numpy(rng.normal(size=(9, 4))).float()
    return [(made("Layer", 9, 4, state=[table]), torch.tensor([[3, 1, 4], [1, 5, 8]]))]


def moves(rng):
    table = torch.from_numpy(rng.normal(size=(9, 4))).float()
    return [(stand_in_model(table, 8), torch.tensor([[3, 1, 4]]), device())]
""",
    "solutions/devices/solution.py": '''# %% [markdown]
# # Devices

# %%
import torch
from torch import nn

# %%
def steps(rows, columns):
    """Rows of numbers."""
    return torch.arange(rows * columns, dtype=torch.float32).reshape(rows, columns)

# %% exercise="waves"
def waves(ids):
    """ids [B, T] -> [B, T, 2]."""
    # BEGIN SOLUTION
    scale = torch.arange(1, 3, device=ids.device)
    return torch.sin(ids[..., None] * scale)
    # END SOLUTION

# %% exercise="Layer"
class Layer(nn.Module):
    """ids [B, T] -> [B, T, columns]."""

    # BEGIN SOLUTION
    def __init__(self, rows, columns):
        super().__init__()
        self.table = nn.Embedding(rows, columns)
        self.register_buffer("added", steps(rows, columns), persistent=False)

    def forward(self, ids):
        return self.table(ids) + self.added[: ids.shape[1]]
    # END SOLUTION

# %% exercise="move"
def move(model, ids, device):
    """The model's result on a device."""
    # BEGIN SOLUTION
    return model.to(device)(ids.to(device))
    # END SOLUTION
''',
    "solutions/devices/mistakes/from_zero.py": """# waves: the steps begin with 0
# Begin with 1.
def waves(ids):
    return torch.sin(ids[..., None] * torch.arange(0, 2, device=ids.device))
""",
    "solutions/devices/mistakes/device_steps.py": """# waves: the steps are made on the CPU
# Your steps are not where the ids are.
def waves(ids):
    scale = torch.arange(1, 3)
    return torch.sin(ids[..., None] * scale)
""",
}


def check_of(grade: Grade, exercise: str) -> CheckGrade:
    """The device check of an exercise."""
    (found,) = (e for e in grade.exercises if e.id == exercise)
    return next(c for c in found.checks if c.id == "devices")
