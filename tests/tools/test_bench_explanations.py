"""What `autograder bench` says that explanations cost."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.sandbox.lazy import LazyBox
from autograder.tools.bench.explanations import (
    ExplanationCost,
    ExplanationCosts,
    explanation_costs,
    explanation_figures,
)

FILES = {
    "assignments/sums/assignment.toml": """
format = 1
id = "sums"
title = "Sums"

[[exercise]]
id = "rows"
title = "The sum of each row"
defines = ["rows"]
[[exercise.check]]
id = "tables"
kind = "function"
title = "Tables"
points = 2
call = "rows"
inputs = "tables"
tolerance = { rtol = 1e-5, atol = 1e-5, why = "rounding of sums" }
""",
    "assignments/sums/inputs.py": """
import torch

def tables(rng):
    shapes = [(2, 3), (4, 4), (1, 5), (5, 1)]
    return [(torch.tensor(rng.uniform(1, 2, shape), dtype=torch.float32),) for shape in shapes]
""",
    "solutions/sums/solution.py": """# %% exercise="rows"
# BEGIN SOLUTION
def rows(x):
    return x.sum(dim=1)
# END SOLUTION
""",
    "solutions/sums/mistakes/columns.py": """# rows: the sums of columns
# You add along the wrong axis.
def rows(x):
    return x.sum(dim=0)
""",
}


def test_each_purpose_is_counted_by_itself(tmp_path: Path, warm_box: LazyBox) -> None:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    loaded = load(tmp_path / "assignments" / "sums")
    context = make_context(
        loaded, prepare(loaded), warm_box, seed=1, draw=False, evidence=tmp_path / "evidence"
    )
    prepared = prepare_reference(context, Local(1), lambda what, total: None)
    costs = explanation_costs(prepared, warm_box.box(), count=3)
    (wrong,) = costs.wrong
    assert min(wrong.judged_s, wrong.small_s, wrong.edits_s, wrong.compared_s) > 0
    assert 0 < wrong.calls <= 30
    assert costs.mutants_s > 0 and costs.right_jobs == 0


def test_the_figures_are_medians_and_the_largest() -> None:
    costs = [ExplanationCost(1.0, 0.1 * n, 1.0, 0.1, n) for n in (1, 2, 6)]
    figures = explanation_figures(ExplanationCosts(tuple(costs), 0.5, 0))
    assert figures == pytest.approx(
        {
            "explained_ms": 300,
            "explained_most_ms": 700,
            "edits_ms": 1000,
            "edits_most_ms": 1000,
            "mutants_ms": 500,
            "explained_calls": 6,
            "explained_ratio": 2.3,
            "right_jobs": 0,
        }
    )
