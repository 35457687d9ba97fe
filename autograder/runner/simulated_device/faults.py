"""What the simulation raises: errors that look like CUDA's own, and one for what it lacks.

The classes have the names that students know, since the name is shown to them. The texts are those
of PyTorch 2.13. The tensors involved are kept for ``explain``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch

from autograder.runner.simulated_device.labels import CPU, CUDA, device_of

Rule = Literal["mixed", "numpy", "index", "grad", "ordinal", "host"]
# operations whose device check is generated with this name; others have an empty middle part
_STRUCTURED = frozenset(
    """
    addmm addmv baddbmm bmm mm cat gather index_add index_copy isin nll_loss_forward scatter
    scatter_add scatter_reduce triangular_solve
    """.split()
)
_INDEXED = {"embedding": ("index_select", "index")}  # computed by another operation


@dataclass(frozen=True, slots=True, eq=False)
class BrokenRule:
    """Which rule was broken by which operation, and the tensors on either side."""

    rule: Rule
    op: str
    on_cpu: torch.Tensor | None = None
    on_cuda: torch.Tensor | None = None


class RefusedOperation(RuntimeError):
    """An operation that CUDA refuses with a RuntimeError."""

    def __init__(self, text: str = "", met: BrokenRule | None = None) -> None:
        super().__init__(text)
        self.met = met


class RefusedType(TypeError):
    """An operation that CUDA refuses with a TypeError."""

    def __init__(self, text: str = "", met: BrokenRule | None = None) -> None:
        super().__init__(text)
        self.met = met


class RefusedAssertion(AssertionError):
    """A question that ``torch.cuda`` refuses with an AssertionError."""

    def __init__(self, text: str = "", met: BrokenRule | None = None) -> None:
        super().__init__(text)
        self.met = met


for _kind in (RefusedOperation, RefusedType, RefusedAssertion):
    _kind.__name__ = _kind.__qualname__ = _kind.__mro__[1].__name__
    _kind.__module__ = "builtins"
REFUSALS = (RefusedOperation, RefusedType, RefusedAssertion)


# Students' handlers do not hide what is lacking.
class NotSimulated(BaseException):
    """The simulation has no answer. Not an ``Exception``, so that students' handlers do not hide
    it."""

    def __init__(self, op: str) -> None:
        super().__init__(f"the simulated accelerator has no {op}")
        self.op = op


def met(rule: Rule, op: str, *tensors: torch.Tensor) -> BrokenRule:
    """Sort the tensors involved by their devices; the first of each counts."""
    on_cpu = next((tensor for tensor in tensors if device_of(tensor) == CPU), None)
    on_cuda = next((tensor for tensor in tensors if device_of(tensor) == CUDA), None)
    return BrokenRule(rule, op, on_cpu, on_cuda)


def mixed(op: str, main: torch.device, odd: torch.device, facts: BrokenRule) -> RefusedOperation:
    """Operands on several devices, in the words of the elementwise kernels."""
    return RefusedOperation(
        "Expected all tensors to be on the same device, but found at least two devices, "
        f"{main} and {odd}!",
        facts,
    )


def mixed_argument(
    name: str, argument: str, main: torch.device, odd: torch.device, facts: BrokenRule
) -> RefusedOperation:
    """Arguments on several devices, in the words of the generated checks."""
    method, argument = _INDEXED.get(name, (name, argument))
    middle = "" if method in _STRUCTURED else "_"
    return RefusedOperation(
        f"Expected all tensors to be on the same device, but got {argument} is on {odd}, "
        f"different from other tensors on {main} "
        f"(when checking argument in method wrapper_CUDA_{middle}{method})",
        facts,
    )


def foreign_index(own: torch.device, facts: BrokenRule) -> RefusedOperation:
    """``cpu_tensor[cuda_index]``."""
    return RefusedOperation(
        f"indices should be either on cpu or on the same device as the indexed tensor ({own})",
        facts,
    )


def foreign_mask(own: torch.device, mask: torch.device, facts: BrokenRule) -> RefusedOperation:
    """``masked_fill`` with a mask on another device."""
    return RefusedOperation(
        "expected self and mask to be on the same device, but got mask on "
        f"{mask} and self on {own}",
        facts,
    )


def foreign_gradient(facts: BrokenRule) -> RefusedOperation:
    """``tensor.grad = tensor_of_another_device``."""
    return RefusedOperation("assigned grad has data located on a different device", facts)


def foreign_root(n: int, output: torch.Tensor, gradient: torch.Tensor) -> RefusedOperation:
    """``output.backward(gradient_of_another_device)``."""
    return RefusedOperation(
        f"invalid gradient at index {n} - expected device {device_of(output)} "
        f"but got {device_of(gradient)}",
        met("mixed", "backward", output, gradient),
    )


def foreign_generator(wanted: torch.device, found: torch.device) -> RefusedOperation:
    """A random function with a generator of another device."""
    return RefusedOperation(
        f"Expected a '{wanted.type}' device type for generator but found '{found.type}'",
        BrokenRule("ordinal", "generator"),
    )


def foreign_grid(facts: BrokenRule) -> RefusedOperation:
    """``meshgrid`` of tensors on several devices."""
    return RefusedOperation("meshgrid expects all tensors to have the same device", facts)


def no_array(tensor: torch.Tensor, op: str) -> RefusedType:
    """A tensor on the device cannot be converted to an array."""
    return RefusedType(
        f"can't convert {device_of(tensor)} device type tensor to numpy. "
        "Use Tensor.cpu() to copy the tensor to host memory first.",
        met("numpy", op, tensor),
    )


def no_such_device() -> RefusedOperation:
    """Only one device exists."""
    return RefusedOperation("CUDA error: invalid device ordinal", BrokenRule("ordinal", "device"))
