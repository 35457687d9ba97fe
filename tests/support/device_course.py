"""An assignment with checks of devices."""

from __future__ import annotations

from autograder.gradebook.grade import CheckGrade, Grade
from tests.support.assignment_text import assignment_text, check, read_files

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
    **read_files(__file__),
}


def check_of(grade: Grade, exercise: str) -> CheckGrade:
    """The device check of an exercise."""
    (found,) = (e for e in grade.exercises if e.id == exercise)
    return next(c for c in found.checks if c.id == "devices")
