"""Moves values between the CPU and the simulated accelerator; gradients move back."""

from __future__ import annotations

from typing import Any

import torch

from autograder.runner.simulated_device.faults import no_such_device
from autograder.runner.simulated_device.labels import (
    CPU,
    CUDA,
    device_of,
    label_of,
    put,
    students_line,
)

_Tensor, _Module, _Parameter = torch.Tensor, torch.nn.Module, torch.nn.Parameter
_plain, _undispatched = torch._C.DisableTorchFunction, torch._C._DisableTorchDispatch
_to = torch._C.TensorBase.to
_detach, _require = torch._C.TensorBase.detach, torch._C.TensorBase.requires_grad_
_grad_enabled = torch.is_grad_enabled
_device = torch.device
_disabled = torch._C._disabled_torch_function_impl
_in_transform = torch._C._functorch.peek_interpreter_stack


class _Across(torch.autograd.Function):
    """A copy on another device (and perhaps of another dtype)."""

    @staticmethod
    def forward(ctx: Any, tensor: torch.Tensor, device: torch.device, dtype: torch.dtype) -> Any:
        ctx.back = device_of(tensor), tensor.dtype
        return copied(tensor, device, dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        device, dtype = ctx.back
        return across(gradients[0], device, dtype), None, None


def copied(tensor: torch.Tensor, device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    """A copy of the numbers on ``device``."""
    with _plain(), _undispatched():  # a trusted move needs no student's call
        copy: torch.Tensor = _to(tensor, dtype, copy=True)
        put(copy, device, made=students_line())
    return copy


def across(tensor: torch.Tensor, device: torch.device, dtype: torch.dtype) -> torch.Tensor:
    """A copy on another device; gradients flow back to the original."""
    if tensor.requires_grad and _grad_enabled() and _in_transform() is None:
        made: torch.Tensor = _Across.apply(tensor, device, dtype)  # type: ignore[no-untyped-call]
        return made
    return copied(tensor, device, dtype)


def named(device: Any) -> torch.device:
    """The device that a name means here: every "cuda" is the simulated one.

    Raises ``Refused`` for a second one.
    """
    if isinstance(device, int) and not isinstance(device, bool):
        found = _device("cuda", device)
    else:
        found = device if isinstance(device, _device) else _device(device)
    if found.type != "cuda":
        return CPU if found.type == "cpu" else found
    if found.index not in (None, 0):
        raise no_such_device()
    return CUDA


def moved(
    tensor: torch.Tensor,
    device: Any = None,
    dtype: torch.dtype | None = None,
    *,
    copy: bool = False,
    **layout: Any,
) -> torch.Tensor:
    """``tensor.to(...)``: the tensor itself where nothing changes. Torch functions must be
    disabled."""
    here = device_of(tensor)
    there = here if device is None else named(device)
    dtype = dtype or tensor.dtype
    layout = {key: value for key, value in layout.items() if value is not None}
    if there == here:
        same: torch.Tensor = _to(tensor, dtype, copy=copy, **layout)
        return same
    if there not in (CPU, CUDA):
        elsewhere: torch.Tensor = _to(tensor, there, dtype)  # torch answers for these itself
        return elsewhere
    result = across(tensor, there, dtype)
    result = _to(result, dtype, **layout) if layout else result
    return result.as_subclass(type(tensor)) if _keeps_its_class(tensor) else result


def _keeps_its_class(tensor: torch.Tensor) -> bool:
    """Whether torch's own ``.to`` returns a tensor of the same class, which it does not for a
    parameter."""
    kind = type(tensor)
    return kind is not _Tensor and kind.__torch_function__ is not _disabled


def move(value: Any, device: str) -> Any:
    """Move a tensor, a module, or a list, tuple or dict of them to "cuda" or "cpu", as ``.to``
    would.

    For use by trusted code inside the simulation. Modules are moved in place by their own ``to``;
    containers are copied, other values are returned unchanged.
    """
    if isinstance(value, _Module):
        return value.to(device)
    if isinstance(value, _Tensor):
        with _plain():
            return _moved_leaf(value, named(device))
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(move(one, device) for one in value))
    if isinstance(value, list | tuple):
        return type(value)(move(one, device) for one in value)
    if isinstance(value, dict):
        return {key: move(one, device) for key, one in value.items()}
    return value


def _moved_leaf(tensor: torch.Tensor, device: torch.device) -> torch.Tensor:
    """Moved, and registered with the simulation even if it is not moved."""
    if device_of(tensor) != device:
        return moved(tensor, device)
    if label_of(tensor) is None:
        put(tensor, device)
    return tensor
