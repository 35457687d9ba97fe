"""The gradients of a call, of any argument, as data."""

from __future__ import annotations

from typing import Any

import torch

from autograder.runner.parameters import is_turned, parameters_for
from autograder.wire.messages import Call
from autograder.wire.tensors import to_wire
from autograder.wire.values import ConstructedObject, Items, Mapping, Value

_Tensor, _Module, _float32 = torch.Tensor, torch.nn.Module, torch.float32
_named_parameters = _Module.named_parameters
_grad, _arange, _sin, _to = torch.autograd.grad, torch.arange, torch.sin, torch.Tensor.to


def gradients(result: Any, arguments: list[Any], request: Call) -> tuple[Value, ...]:
    """For each requested argument: the gradient of sum(result * pattern)."""
    if not request.gradient:
        return ()
    if isinstance(result, list | tuple):
        result = result[request.output] if request.output < len(result) else None
    return tuple(_gradient(result, arguments[i], request, i) for i in request.gradient)


def _gradient(result: Any, argument: Any, request: Call, index: int) -> Value:
    """Gradient for one argument; None when no gradient reaches it.

    The pattern sin(1.7 n + phase) over the flattened result has no symmetry that could hide a
    mistake. For a module: its parameters' gradients as a list. For an object of the student's
    class: those of its slots, in their order, and the names of other parameters that no gradient
    reaches.
    """
    sent = request.args[index]
    if isinstance(sent, ConstructedObject) and isinstance(argument, _Module):
        own = parameters_for(argument, sent.slots)
        named = [(name, one) for name, one in _named_parameters(argument)]
        free = [(name, one) for name, one in named if one.requires_grad]
        others = [(name, one) for name, one in free if not any(one is slot for slot in own)]
        found = _toward(result, [*own, *(one for _, one in others)], request.seed)
        rest = zip(others, found[len(own) :], strict=True)
        unreached = [name for (name, _), g in rest if g is None]
        turned = [
            _like_slot(g, slot.array.shape) for g, slot in zip(found, sent.slots, strict=False)
        ]
        slots = Items("list", tuple(turned))
        return Mapping((("slots", slots), ("unreached", Items("list", tuple(unreached)))))
    if isinstance(argument, _Module):
        several = _toward(result, list(argument.parameters()), request.seed)
        return Items("list", tuple(None if g is None else to_wire(g) for g in several))
    alone = _toward(result, [argument], request.seed)[0]
    return None if alone is None else to_wire(alone)


def _toward(result: Any, wanted: list[Any], seed: int) -> list[torch.Tensor | None]:
    """Dense gradients of sum(result * pattern) for each tensor, None where none reaches it."""
    if not isinstance(result, _Tensor) or not result.requires_grad:
        return [None] * len(wanted)
    learnable = [one for one in wanted if one.requires_grad]
    if not learnable:
        return [None] * len(wanted)
    pattern = _sin(1.7 * _arange(result.numel(), dtype=_float32) + 0.3 + seed % 1009)
    total = (result.reshape(-1) * _to(pattern, result)).sum()
    if total.is_complex():
        total = total.real
    found = iter(_grad(total, learnable, allow_unused=True, retain_graph=True))
    every = [next(found) if one.requires_grad else None for one in wanted]
    return [g.to_dense() if g is not None and g.is_sparse else g for g in every]


def _like_slot(gradient: torch.Tensor | None, shape: tuple[int, ...]) -> Value:
    if gradient is None:
        return None
    turned = is_turned(tuple(gradient.shape), shape)
    return to_wire(gradient.T if turned else gradient.reshape(shape))
