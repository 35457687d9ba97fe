"""Corners that a check asks are asked on the accelerator and in other dtypes as well."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from autograder.evidence.records import ProbeRun, Stop
from autograder.evidence.stops import TOO_MUCH
from autograder.grading.context import PreparedClass
from autograder.judging.checks.finding import Reference
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.sandbox.account import NOTHING as SPENT
from autograder.sandbox.lazy import LazyBox
from autograder.student.public_evidence import public_bytes as packed
from autograder.student.public_evidence import public_evidence, read_public
from tests.support.assignment_text import assignment_text, check
from tests.support.changed_solution import Mistake, assert_loses, prepared_course, submissions

MEAN = {"call": "mean", "inputs": "rows"}
NOTHING = {"call": "mean", "inputs": "no_rows"}
SCALED = {"inputs": "all_rows", "parts": [{"name": "scaled", "stand_in": "table"}]}
STEPS = {"call": "steps", "inputs": "counts", "default_dtype": "float64"}
COURSE = {
    "assignments/corners/assignment.toml": assignment_text(
        "corners",
        {
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
        },
    ),
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
CORNER, MEAN_OF_ROWS = "return rows.new_zeros(rows.shape[1])", "return rows.mean(0)"
TWICE = "return 2 * rows.mean(0)"
ARANGE = "torch.arange(count, dtype=torch.float32) / 2"


def corner(code: str, words: str = "") -> Mistake:
    """Another answer at the corner alone, which costs its check if words are given."""
    return Mistake(((CORNER, code),), {"mean/none": words} if words else {})


MISTAKES = {
    "mean": {
        "on the CPU": corner("return torch.zeros(rows.shape[1], dtype=rows.dtype)", "the CPU"),
        "float32": corner(
            "return torch.zeros(rows.shape[1], device=rows.device)", "returns float32"
        ),
        "added on two devices": corner(
            "return rows.sum(0) + torch.zeros(rows.shape[1], dtype=rows.dtype)", "RuntimeError"
        ),
        "NumPy": corner("return torch.from_numpy(rows.numpy().sum(0))", "TypeError"),
        "a sum": corner("return rows.sum(0)"),
        "ones": corner("return rows.new_ones(rows.shape[1])"),
        "wrong already": corner("return torch.zeros(rows.shape[1]) / 0", "not finite"),
        "on the CPU everywhere": Mistake(
            ((CORNER, f"{CORNER}.cpu()"), (f"    {MEAN_OF_ROWS}", f"    {MEAN_OF_ROWS}.cpu()")),
            {"mean/devices": ""},
        ),
        "float32 everywhere": Mistake(
            ((CORNER, f"{CORNER}.float()"), (f"    {MEAN_OF_ROWS}", f"    {MEAN_OF_ROWS}.float()")),
            {"mean/dtypes": ""},
        ),
    },
    "scaled_mean": {
        "a corner of a pipeline": Mistake(
            ((TWICE, f"if len(rows) == 1:\n        {TWICE}.cpu()\n    {TWICE}"),),
            {"scaled_mean/values": "the CPU"},
        )
    },
    "steps": {
        "a default type that is followed": Mistake(
            ((ARANGE, "torch.arange(count) / 2"),), {"steps/default": ""}
        ),
        "a stated type": Mistake(((ARANGE, "torch.arange(count).float() / 2"),), {}),
    },
}
SUBMISSIONS = submissions(MISTAKES)


@pytest.fixture(scope="module")
def ready(course_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(COURSE, course_box, tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("mistakes", SUBMISSIONS.values(), ids=SUBMISSIONS)
def test_what_is_wrong_at_a_corner_alone_is_charged_there_and_once(
    ready: PreparedClass, mistakes: list[Mistake]
) -> None:
    assert_loses(ready, mistakes)


@pytest.mark.parametrize(
    ("stop", "status"), [(TOO_MUCH, Status.PASSED), (Stop("died", "it ended"), Status.UNGRADED)]
)
def test_a_corner_that_simulated_calls_had_no_share_left_for_costs_nothing(
    ready: PreparedClass, stop: Stop, status: Status
) -> None:
    context = ready.context
    probes = tuple(
        p if "/rows/" in p.id or "simulated=True" not in p.id else ProbeRun(p.id, None, stop, SPENT)
        for p in ready.expected.probes
    )
    assert probes != ready.expected.probes
    run = msgspec.structs.replace(ready.expected, probes=probes)
    spec, cases = context.loaded.spec, context.cases
    verdicts = judge(spec, run, Reference(ready.expected, cases, context.loaded.relations))
    (none,) = (v for v in verdicts if (v.exercise, v.check) == ("mean", "none"))
    assert none.status is status, none.message


def test_hidden_corners_stay_hidden(ready: PreparedClass, tmp_path: Path) -> None:
    evidence = public_evidence(ready.context.loaded, ready.context.cases, ready.expected)
    assert set(read_public(packed(evidence)).cases) == {"rows"}
