"""A known mistake is recognised when it was recorded on another processor, and no other one is."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from pydantic import TypeAdapter

from autograder.assignment.kinds import Check
from autograder.judging.checks.arrays import Bounds, measure, numeric
from autograder.judging.diagnosis.judged_check import ask
from autograder.judging.diagnosis.likeness import same_numbers
from autograder.judging.verdict import Status, Verdict
from autograder.wire.messages import Call
from autograder.wire.tensors import to_wire
from tests.support.made_diagnosis import diagnosed

FLOAT32 = 3e-7  # what two kernels differ by, of a number near 1


@pytest.mark.parametrize(
    ("moved", "named"), [(0.0, True), (FLOAT32, True), (1e-3, False), (float("nan"), False)]
)
def test_numbers_of_pythons_own_are_compared_as_what_they_came_from(
    moved: float, named: bool
) -> None:
    """They came out of float32 tensors, by ``item`` and ``tolist``."""
    right, wrong = [("throne", 0.9189), ("queen", 0.5)], [("throne", 4.6866), ("queen", 1.5)]
    student = [(word, score * (1 + moved)) for word, score in wrong]
    cause = diagnosed("value", right, wrong, student).cause
    assert cause is not None and bool(cause.mistakes) is named


def check(**plain: object) -> Check:
    found: Check = TypeAdapter(Check).validate_python({"id": "c", "title": "is right", **plain})
    return found


TRAINING = {
    "kind": "training",
    "call": "train",
    "inputs": "seeds",
    "statistic": "loss",
    "below": 0.1,
    "passing": 4,
    "false_alarm": 0.01,
    "miss": 0.01,
}
MAP = {"kind": "relation", "relation": "is_map", "figures": True}


@pytest.mark.parametrize("plain", [TRAINING, MAP])
@pytest.mark.parametrize(("spread", "same"), [(2e-4, True), (1e-2, False)])
def test_trainings_are_the_same_within_what_processors_make_of_them(
    plain: dict[str, object], spread: float, same: bool
) -> None:
    training = check(points=1, **plain)
    table = 5 * torch.linspace(-1, 1, 12).reshape(4, 3)
    one, other = (numeric(to_wire(t)) for t in (table, table + 5 * spread))
    assert one is not None and other is not None
    assert same_numbers(training, one, other) is same


def test_calls_that_only_help_to_judge_are_no_evidence_of_a_mistake() -> None:
    """They are of another exercise, and trained anew on every processor."""
    calls = [{"call": "train", "inputs": "seeds", "optional": True}]
    drawn = check(kind="relation", points=1, relation="is_map", calls=calls, figures=True)
    verdict = Verdict("map", "c", "relation", True, Status.FAILED, 0, 1000)
    for defines, called in (((), False), (("train",), True)):
        asked = ask(drawn, verdict, {"seeds": ((1,),)}, defines=defines)
        assert asked.probes
        assert any(isinstance(p.request, Call) for p in asked.probes) is called


@pytest.mark.parametrize("rounded", [3.0, 3.0000001, 2.9999999])
def test_of_differences_that_rounding_alone_tells_apart_the_first_is_quoted(rounded: float) -> None:
    actual = np.array([0.0, 3.0, rounded, 1.0])
    found = measure(actual, np.zeros(4), Bounds(0.0, 1e-9))
    assert found is not None and found.at == (1,)
    larger = measure(np.array([0.0, 3.0, 3.1]), np.zeros(3), Bounds(0.0, 1e-9))
    assert larger is not None and larger.at == (2,)
