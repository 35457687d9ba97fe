"""How many numbers a small call holds that a student reads."""

from __future__ import annotations

from autograder.authoring.validation.small_call_sizes import numbers_in
from autograder.judging.verdict import SmallestCall


def test_numbers_are_counted_in_the_call_and_in_both_results() -> None:
    for call, expected, actual, count in (
        ("rotate(torch.tensor([[1., 2.]]), 1)", "tensor([-2., 1.])", "tensor([2.0, 1e-05])", 7),
        ("f('a b')", "[0, 1]", "KeyError", 2),
        ("x2(torch.ones(1, dtype=torch.float32))", "None", "None", 1),
    ):
        assert numbers_in(SmallestCall(call, expected, actual)) == count
