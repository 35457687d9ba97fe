"""The further run of small calls: which cells it has."""

from __future__ import annotations

from typing import Any

import pytest

from autograder.grading.small_run import needed_cells
from autograder.notebook.structure.locate import GIVEN, Located
from autograder.wire.messages import Cell

CELLS = (
    Cell(1, "import math", GIVEN),
    Cell(2, "def base(x):\n    return math.floor(x) + 1", "base"),
    Cell(3, "scale = base(2)", "scale"),
    Cell(4, "def scaled(x):\n    return base(x) * scale", "scaled"),
    Cell(5, "class Model:\n    def __call__(self, x):\n        return scaled(x)", "Model"),
    Cell(6, "raise RuntimeError('trained for an hour')", "training"),
    Cell(7, "def plain(x):\n    return x", "plain"),
    Cell(8, "shown = [plain(1)]", GIVEN),
)
NEEDED = {"plain": (1, 7, 8), "base": (1, 2, 7, 8), "Model": (1, 2, 3, 4, 5, 7, 8)}


@pytest.mark.parametrize("exercise", NEEDED)
def test_what_functions_need_when_they_are_called_is_there(exercise: str) -> None:
    located = Located((), {cell.exercise: (cell.number,) for cell in CELLS})
    cells = needed_cells(CELLS, located, [exercise])
    assert tuple(cell.number for cell in cells) == NEEDED[exercise]
    names: dict[str, Any] = {}
    for cell in cells:
        exec(cell.source, names)
    made = names[exercise]
    assert (made() if isinstance(made, type) else made)(1) > 0
