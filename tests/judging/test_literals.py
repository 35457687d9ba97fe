"""Values as text: code gives the value when it is typed in, and two results differ to the eye."""

from __future__ import annotations

import copy
import itertools
from typing import Any

import numpy as np
import torch

from autograder.assignment.arguments import by_columns, made
from autograder.judging.diagnosis.literals import (
    MOST_NUMBERS,
    both_written,
    call_code,
    code,
    written,
)
from autograder.wire.messages import Call
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array, Value
from tests.support.made_calls import KINDS, anything, wire

TORCH = (torch.float32, torch.float64, torch.float16, torch.bfloat16, torch.complex64)
WHOLE = (torch.int64, torch.int32, torch.uint8, torch.bool)
NAMESPACE = {"torch": torch, "np": np, "nan": float("nan"), "inf": float("inf")}


def test_code_gives_the_value_that_was_sent() -> None:
    """Small whole numbers, halves and quarters, as small calls have them; and any others."""
    rng = np.random.default_rng(2)
    values: list[Any] = [0, -3, 1.0, 0.5, -0.25, True, None, "", "a b", "it's", [], (), (1,), [[2]]]
    for dtype in (*TORCH, *WHOLE):
        for _ in range(6):
            shape = tuple(int(n) for n in rng.integers(1, 4, size=rng.integers(0, 3)))
            values.append(torch.from_numpy(np.array(rng.integers(0, 9, shape) / 4)).to(dtype))
    values += [v.numpy() for v in values if isinstance(v, torch.Tensor) and v.dtype != TORCH[3]]
    values += [[torch.ones(2), 3, "x"], (torch.zeros(1, dtype=torch.int64), [1.5])]
    values += [torch.randn(2, 3, dtype=dtype) for dtype in (*TORCH, torch.complex128)]
    values += [torch.randn(4).double().numpy(), [0.1 + 0.2]]
    for value in values:
        sent = to_wire(value)
        assert to_wire(eval(code(sent), dict(NAMESPACE))) == sent, code(sent)


def test_a_call_is_typed_in_as_the_student_would() -> None:
    class Layer:
        def __init__(self, rows: int) -> None:
            self.rows = rows

        def __call__(self, ids: torch.Tensor) -> int:
            return self.rows + int(ids.sum())

        def shown(self, ids: torch.Tensor, by: int) -> int:
            return self(ids) * by

    layer, ids = made("Layer", 3, state=[torch.ones(1, 2)]), torch.tensor([1, 2])
    called = call_code(Call("ex", "Layer.forward", wire(layer, ids)))
    assert called == "Layer(3)(torch.tensor([1, 2]))"
    shown = call_code(Call("ex", "Layer.shown", wire(layer, ids, 4)))
    namespace = {**NAMESPACE, "Layer": Layer}
    assert eval(called, namespace) == 6 and eval(shown, namespace) == 24
    assert call_code(Call("ex", "f", wire(1, "a", None))) == "f(1, 'a', None)"


def test_a_tensor_by_columns_is_typed_in_as_a_transpose() -> None:
    for numbers in (torch.tensor([[1, 0, 2]]), torch.randn(3, 2), torch.ones(2, 2).bfloat16()):
        typed = eval(code(by_columns(numbers)), dict(NAMESPACE))
        assert torch.equal(typed, numbers) and typed.dtype == numbers.dtype
    assert code(by_columns(torch.tensor([[1, 2], [3, 4]]))) == "torch.tensor([[1, 3], [2, 4]]).T"


def _nudged(value: torch.Tensor, by: float) -> torch.Tensor:
    other = copy.deepcopy(value)
    other.view(-1)[-1] += by
    return other


def test_as_many_digits_as_it_takes_to_see_a_difference() -> None:
    rng = np.random.default_rng(6)
    for by in (1.0, 1e-2, 1e-4, 1e-6, 1e-9, 1e-13):
        for dtype, shape in itertools.product((torch.float64, torch.complex128), [(2, 3), (9, 9)]):
            right = torch.from_numpy(rng.standard_normal(shape)).to(dtype)
            wrong = _nudged(right, by)
            texts = both_written(*wire(right, wrong))
            assert texts[0] != texts[1], by
            several = both_written(*wire([right, right], [right, wrong]))
            assert several[0] != several[1], by
        assert len(both_written(*wire(right, _nudged(right, 1.0)))[0]) < 90
    for one, other in (
        (torch.ones(2), torch.ones(2, dtype=torch.float64)),
        (torch.ones(2), np.ones(2, np.float32)),
        (torch.ones(1), [1.0]),
        ([1.0], (1.0,)),
        (1, 1.0),
        (1, True),
    ):
        texts = both_written(*wire(one, other))
        assert texts[0] != texts[1]


def test_what_is_too_large_is_told_by_the_place_that_differs_most() -> None:
    right = torch.zeros(2, 3, 8)
    for number, told in ((float("nan"), "nan"), (float("inf"), "inf"), (0.5, "0.5")):
        wrong = _nudged(right, 0.0)
        wrong[0, 1, 2], wrong[1, 0, 3] = 1e-6, number
        assert both_written(*wire(right, wrong)) == (
            "float32 [2, 3, 8] with 0. at [1, 0, 3]",
            f"float32 [2, 3, 8] with {told} at [1, 0, 3]",
        )
    for same in (right, right.bool(), right.long(), right / 0):
        assert " at " not in both_written(*wire(same, same.clone()))[0]


def test_numbers_are_written_as_torch_and_numpy_write_them() -> None:
    assert written(to_wire(torch.tensor([[1.0, -0.0], [0.5, 1e-7]]))) == "[[1., 0.], [0.5, 1e-07]]"
    assert written(to_wire(torch.tensor([1 - 2j, complex(0, 0.5)]))) == "[1.-2.j, 0.+0.5j]"
    assert written(to_wire(np.array([True, False]))) == "[True, False]"
    assert written(to_wire(torch.zeros(0, 3))) == "[] of shape [0, 3]"
    assert written(to_wire({"a": [1, 2.5]})) == "{'a': [1, 2.5]}"
    assert written(to_wire(torch.tensor([float("nan"), float("-inf")]))) == "[nan, -inf]"


def test_what_is_large_is_abbreviated_and_no_value_is_an_error() -> None:
    rng = np.random.default_rng(12)
    several: list[Value] = [anything(rng) for _ in range(250)]
    several += [value for kind in KINDS.values() for value in kind(rng)]
    several += wire(torch.zeros(9, 9), [0] * 1000, "x" * 5000, {n: n for n in range(99)})
    several += wire(made("Layer", torch.zeros(2, 2)), by_columns(torch.zeros(40, 40)))
    for one, other in zip(several, reversed(several), strict=True):
        for text in (code(one), written(one), *both_written(one, other)):
            assert isinstance(text, str)
        if isinstance(one, Array) and np.prod(one.shape, dtype=object) > MOST_NUMBERS:
            assert len(written(one)) < 200
    call_code(Call("ex", "f", tuple(several)))
