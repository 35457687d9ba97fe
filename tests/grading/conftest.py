"""A short chain of exercises, ready for grading."""

from __future__ import annotations

import pytest

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import prepare
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox

TOML = """
format = 1
id = "chain"
title = "A short chain"

[limits]
cell_cpu_s = 2
cell_wall_s = 5

[[exercise]]
id = "start"
title = "The start"
defines = ["start"]
[[exercise.check]]
id = "start"
kind = "value"
title = "start is right"
points = 1
name = "start"

[[exercise]]
id = "middle"
title = "The middle"
defines = ["middle"]
[[exercise.check]]
id = "middle"
kind = "value"
title = "middle is right"
points = 2
name = "middle"

[[exercise]]
id = "alone"
title = "One that stands alone"
defines = ["alone"]
[[exercise.check]]
id = "alone"
kind = "value"
title = "alone is right"
points = 4
name = "alone"
"""
SOLUTION = """# %%
import math

# %% [markdown]
# Make the start.

# %% exercise="start"
# How it starts: with a square.
start = math.sqrt(9.0)  # SOLUTION

# %% [markdown]
# Make the middle.

# %% exercise="middle"
# In the middle: one more than the start.
# BEGIN SOLUTION
middle = start + 1
# END SOLUTION

# %%
print("given", start, middle)

# %% exercise="alone"
# Alone: any way to seven.
# BEGIN SOLUTION
alone = 7
# END SOLUTION
"""


@pytest.fixture(scope="module")
def chain(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    root = tmp_path_factory.mktemp("chain")
    files = {"assignments/chain/assignment.toml": TOML, "solutions/chain/solution.py": SOLUTION}
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True)
        (root / name).write_text(text)
    return load(root / "assignments" / "chain")


@pytest.fixture(scope="module")
def ready(
    chain: Loaded, warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory
) -> PreparedClass:
    folder = tmp_path_factory.mktemp("evidence")
    offer = prepare(chain)
    context = make_context(chain, offer, warm_box, seed=1, draw=False, evidence=folder)
    return prepare_reference(context, Local(1), lambda what, total: None, mistakes=False)
