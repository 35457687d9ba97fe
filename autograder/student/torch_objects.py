"""Tensors and modules of a student, recorded before calls that change them: see ``objects``."""

from __future__ import annotations

from typing import Any

import torch

from autograder.student.objects import ObjectNotes

_Tensor, _Module = torch.Tensor, torch.nn.Module


def take(value: Any, notes: ObjectNotes) -> bool:
    """Record a tensor or a module; False for anything else."""
    if isinstance(value, _Module):
        _take_module(value, notes)
        return True
    if isinstance(value, _Tensor):
        _take_tensor(value, notes)
        return True
    return False


def _take_module(module: torch.nn.Module, notes: ObjectNotes) -> None:
    modes = [(one, one.training) for one in _Module.modules(module)]

    def put_back() -> None:
        for one, mode in modes:
            object.__setattr__(one, "training", mode)

    notes.steps.append(put_back)
    for tensor in (*_Module.parameters(module), *_Module.buffers(module)):
        notes.take(tensor)


def _take_tensor(tensor: torch.Tensor, notes: ObjectNotes) -> None:
    """Its gradient (the object and its numbers) and its own numbers."""
    gradient = tensor.grad if tensor.is_leaf else None
    needed = tensor.requires_grad
    numbers = _numbers(gradient, notes) if gradient is not None else None

    def put_back() -> None:
        if tensor.is_leaf:
            if tensor.requires_grad != needed:
                tensor.requires_grad_(needed)
            tensor.grad = gradient
        if gradient is not None and numbers is not None:
            gradient.data.copy_(numbers)

    notes.steps.append(put_back)
    _take_values(tensor, notes)


def _take_values(tensor: torch.Tensor, notes: ObjectNotes) -> None:
    """``data`` has its own version counter: a graph that waits for its backward does not notice."""
    version, numbers = tensor._version, _numbers(tensor, notes)

    def put_back() -> None:
        if numbers is not None and tensor._version != version:
            tensor.data.copy_(numbers)

    notes.steps.append(put_back)


def _numbers(tensor: torch.Tensor, notes: ObjectNotes) -> torch.Tensor | None:
    if tensor.device.type != "cpu" or not notes.has_room(tensor.numel() * tensor.element_size()):
        return None
    return tensor.detach().clone()
