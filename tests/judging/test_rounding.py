"""Whether a tolerance leaves room for rounding, for results of every kind."""

from __future__ import annotations

import math
from typing import Any

import pytest
import torch

from autograder.assignment.kinds import Check
from autograder.judging.checks.arrays import default_bounds
from autograder.judging.diagnosis.rounding import UNITS, room_for_rounding
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_wire
from tests.support.local_answers import assignment_of


def check(**more: Any) -> Check:
    one: dict[str, Any] = {"id": "f", "kind": "function", "call": "f", "inputs": "cases"}
    return assignment_of(one | more).exercise[0].check[0]


def room(result: object, **more: Any) -> bool:
    value = to_wire(result)
    both = (Outcome("returned", value), Outcome("returned", None, gradients=(value,)))
    found = {room_for_rounding(check(**more), outcome) for outcome in both}
    assert len(found) == 1, "gradients as results"
    return found.pop()


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_the_largest_number_bounds_what_rounding_leaves_of_the_smallest(dtype: str) -> None:
    kind = getattr(torch, dtype)
    most = default_bounds(dtype, dtype).atol / (UNITS * torch.finfo(kind).eps)
    for factor, expected in ((0.9, True), (1.1, False)):
        large = torch.tensor([0.0, -most * factor], dtype=kind)
        assert room(large) is expected
        assert room([torch.zeros(1), (large,)]) is expected
        assert room(large, tolerance={"rtol": 0.0, "atol": 1e9, "why": "wide for this test"})
    assert room(large[1:]), "alone it has the relative tolerance"


def test_what_is_not_rounded_has_room() -> None:
    exact = {"tolerance": {"rtol": 0.0, "atol": 0.0, "why": "exact for this test"}}
    for result in (torch.tensor([3e8, 0.0]), torch.tensor([2**60]), "text", None, [1, True]):
        assert room(result, **exact)
    for nothing in (torch.zeros(0, 3), torch.tensor([math.nan, math.inf])):
        assert room(nothing)


def test_a_plain_number_may_come_from_float32() -> None:
    narrow = {"tolerance": {"rtol": 0.0, "atol": 1e-6, "why": "narrow for this test"}}
    assert room([0.5, 2.0], **narrow) and not room([0.5, 554.24], **narrow)


def test_a_relation_knows_its_own_tolerance() -> None:
    calls = [{"call": "f", "inputs": "cases"}]
    one = {"id": "f", "kind": "relation", "relation": "any", "calls": calls}
    asked = assignment_of(one).exercise[0].check[0]
    assert room_for_rounding(asked, Outcome("returned", to_wire(torch.tensor([0.0, 1e6]))))
