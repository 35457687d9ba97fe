"""Corners that a check asks are asked on the accelerator and in other dtypes as well."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.evidence.records import ProbeRun, Stop
from autograder.evidence.stops import TOO_MUCH
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.judging.checks.finding import Reference
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.sandbox.account import NOTHING
from autograder.sandbox.lazy import LazyBox
from autograder.student.public_evidence import public_bytes as packed
from autograder.student.public_evidence import public_evidence, read_public
from tests.support.changed_solution import graded, lost
from tests.support.courses import write_course

COURSE = {
    "assignments/corners/assignment.toml": """
format = 1
id = "corners"
title = "Corners"

[[exercise]]
id = "mean"
title = "A mean, and 0 of nothing"
defines = ["mean", "scaled"]

[[exercise.check]]
id = "some"
kind = "function"
title = "the mean of rows"
points = 2
public = true
call = "mean"
inputs = "rows"

[[exercise.check]]
id = "none"
kind = "relation"
title = "the mean of nothing is finite"
points = 1
relation = "is_finite"
calls = [{ call = "mean", inputs = "no_rows" }]

[[exercise.check]]
id = "devices"
kind = "device"
title = "mean works on the device of its input"
points = 1
public = true
call = "mean"
inputs = "rows"

[[exercise.check]]
id = "dtypes"
kind = "precision"
title = "mean keeps the type of its input"
points = 1
call = "mean"
inputs = "rows"
dtypes = ["float64"]

[[exercise]]
id = "scaled_mean"
title = "What uses the mean"
defines = ["scaled_mean"]

[[exercise.check]]
id = "values"
kind = "pipeline"
title = "twice the mean"
points = 2
call = "scaled_mean"
inputs = "all_rows"
parts = [{ name = "scaled", stand_in = "table" }]

[[exercise.check]]
id = "devices"
kind = "device"
title = "scaled_mean works on the device of its input"
points = 1
call = "scaled_mean"
inputs = "rows"

[[exercise]]
id = "steps"
title = "float32, whatever the default type is"
defines = ["steps"]

[[exercise.check]]
id = "values"
kind = "function"
title = "steps are right"
points = 1
call = "steps"
inputs = "counts"

[[exercise.check]]
id = "default"
kind = "relation"
title = "steps are float32"
points = 1
relation = "are_float32"
calls = [{ call = "steps", inputs = "counts", default_dtype = "float64" }]
""",
    "assignments/corners/inputs.py": """
import torch


def rows(rng):
    return [(torch.tensor([[1.0, 2.0], [4.0, 8.0]]),)]


def no_rows(rng):
    return [(torch.zeros(0, 2),), (torch.zeros(0, 3),)]


def all_rows(rng):
    return [*rows(rng), (torch.ones(1, 2),)]


def counts(rng):
    return [(3,), (5,)]
""",
    "assignments/corners/checks.py": """
import torch


def is_finite(seen):
    for call in seen.calls("mean", "no_rows"):
        if not torch.isfinite(call.tensor()).all():
            yield "The mean of nothing is not finite."


def are_float32(seen):
    for call in seen.calls("steps", "counts"):
        if call.tensor().dtype != torch.float32:
            yield "The steps are not float32."
""",
    "solutions/corners/solution.py": """# %% [markdown]
# # Corners

# %% locked=true
import torch

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
""",
}
CORNER = "return rows.new_zeros(rows.shape[1])"


@pytest.fixture(scope="module")
def ready(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    folder = tmp_path_factory.mktemp("corners")
    offer = Offer(None, "", frozenset(), ())
    context = make_context(
        write_course(folder, COURSE), offer, warm_box, seed=5, draw=False, evidence=folder / "kept"
    )
    return prepare_reference(context, Inline(), lambda what, total: None)


@pytest.mark.parametrize(
    ("corner", "said"),
    [
        ("return torch.zeros(rows.shape[1], dtype=rows.dtype)", "the CPU"),
        ("return torch.zeros(rows.shape[1], device=rows.device)", "returns float32"),
        ("return rows.sum(0) + torch.zeros(rows.shape[1], dtype=rows.dtype)", "RuntimeError"),
        ("return torch.from_numpy(rows.numpy().sum(0))", "TypeError"),
    ],
)
def test_a_corner_of_another_device_or_dtype_costs_the_check_of_that_corner(
    ready: PreparedClass, corner: str, said: str
) -> None:
    found = lost(graded(ready, (CORNER, corner)))
    assert set(found) == {"mean/none"} and said in found["mean/none"]


def test_corners_of_a_pipeline_are_asked_too(ready: PreparedClass) -> None:
    right = "return 2 * rows.mean(0)"
    left = f"if len(rows) == 1:\n        {right}.cpu()\n    {right}"
    found = lost(graded(ready, (right, left)))
    assert set(found) == {"scaled_mean/values"} and "the CPU" in found["scaled_mean/values"]


@pytest.mark.parametrize(
    "corner", [CORNER, "return rows.sum(0)", "return rows.new_ones(rows.shape[1])"]
)
def test_a_corner_of_the_same_device_and_dtype_is_right(ready: PreparedClass, corner: str) -> None:
    assert lost(graded(ready, (CORNER, corner))) == {}


def test_what_is_wrong_everywhere_else_is_not_charged_at_a_corner(ready: PreparedClass) -> None:
    whole = "return rows.mean(0)"
    moved = lost(graded(ready, (CORNER, f"{CORNER}.cpu()"), (whole, f"{whole}.cpu()")))
    assert set(moved) == {"mean/devices"}
    wide = lost(graded(ready, (CORNER, f"{CORNER}.float()"), (whole, f"{whole}.float()")))
    assert set(wide) == {"mean/dtypes"}


def test_a_corner_that_is_wrong_already_is_charged_once(ready: PreparedClass) -> None:
    found = lost(graded(ready, (CORNER, "return torch.zeros(rows.shape[1]) / 0")))
    assert list(found) == ["mean/none"] and "not finite" in found["mean/none"]


@pytest.mark.parametrize(
    ("stop", "status"),
    [(TOO_MUCH, Status.PASSED), (Stop("died", "it ended"), Status.UNGRADED)],
)
def test_a_corner_that_simulated_calls_had_no_share_left_for_costs_nothing(
    ready: PreparedClass, stop: Stop, status: Status
) -> None:
    simulated, context = "simulated=True", ready.context
    probes = tuple(
        ProbeRun(p.id, None, stop, NOTHING) if simulated in p.id and "/rows/" not in p.id else p
        for p in ready.expected.probes
    )
    assert probes != ready.expected.probes
    run = msgspec.structs.replace(ready.expected, probes=probes)
    spec, cases = context.loaded.spec, context.cases
    verdicts = judge(spec, run, Reference(ready.expected, cases, context.loaded.relations))
    (none,) = (v for v in verdicts if (v.exercise, v.check) == ("mean", "none"))
    assert none.status is status, none.message


def test_a_default_type_that_is_followed_is_seen(ready: PreparedClass) -> None:
    right = "torch.arange(count, dtype=torch.float32) / 2"
    assert set(lost(graded(ready, (right, "torch.arange(count) / 2")))) == {"steps/default"}
    assert lost(graded(ready, (right, "torch.arange(count).float() / 2"))) == {}


def test_hidden_corners_stay_hidden(ready: PreparedClass, tmp_path: Path) -> None:
    evidence = public_evidence(ready.context.loaded, ready.context.cases, ready.expected)
    assert set(read_public(packed(evidence)).cases) == {"rows"}
