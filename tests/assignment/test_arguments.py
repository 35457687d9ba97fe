"""Tensors that an assignment sends in another order in memory arrive in that order."""

from __future__ import annotations

import pytest
import torch

from autograder.assignment.arguments import by_columns
from autograder.judging.checks.explain import call_text
from autograder.runner.calls import call
from autograder.runner.objects import build
from autograder.wire.messages import Call


@pytest.mark.parametrize("shape", [(2, 3), (3, 5), (2, 3, 4), (4, 1, 3)])
@pytest.mark.parametrize("dtype", [torch.int64, torch.float32])
def test_the_same_numbers_arrive_not_contiguous(shape: tuple[int, ...], dtype: torch.dtype) -> None:
    numbers = torch.arange(torch.Size(shape).numel()).reshape(shape).to(dtype)
    arrived = build(by_columns(numbers), {})
    assert torch.equal(arrived, numbers) and not arrived.is_contiguous()
    with pytest.raises(RuntimeError):
        arrived.view(-1)


def test_a_change_in_place_is_noticed() -> None:
    request = Call("e", "f", (by_columns(torch.zeros(2, 3)),), seed=1)
    assert call({"f": lambda x: x.add_(1)}, request).changed == (0,)
    assert call({"f": lambda x: x + 1}, request).changed == ()


def test_a_message_says_that_it_is_not_contiguous() -> None:
    said = call_text("f", (by_columns(torch.zeros(2, 3)), 4))
    assert said == "f(float32 [2, 3] not contiguous, 4)"
