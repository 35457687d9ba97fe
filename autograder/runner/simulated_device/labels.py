"""On which simulated device a tensor is, and which student's line made it.

The label belongs to the storage, so views, ``detach()``, ``.data`` and parameters share it, and it
is freed with the storage. A sparse tensor has no storage and carries the label itself.

Covered: ordinary, sparse and meta tensors, tensors inside ``torch.func`` transforms. Not covered:
tensors of a wrapper class that holds others (they count as being on the CPU).
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Final

import torch

from autograder.runner.cell_names import CELLS

CPU: Final = torch.device("cpu")
CUDA: Final = torch.device("cuda", 0)
MAX_FRAMES = 60
MAX_LINEAGE = 24
_ATTRIBUTE = "_simulated_label"
_plain = torch._C.DisableTorchFunction
_Tensor = torch.Tensor
_storage_of, _device_of = torch._C.TensorBase.untyped_storage, torch._C.TensorBase.device.__get__
_is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor
_unwrapped = torch._C._functorch.get_unwrapped
_frame = sys._getframe


@dataclass(frozen=True, slots=True)
class CodePlace:
    """A place in a student's code: which instruction of which code object."""

    code: CodeType
    instruction: int
    line: int


@dataclass(slots=True, eq=False)
class Label:
    """``parent``: the label of the tensor that this one was computed from."""

    device: torch.device
    made: CodePlace | None = None
    parent: Label | None = None
    depth: int = 0


def holder(tensor: torch.Tensor) -> Any:
    """What carries the label: the storage, or the tensor itself. Torch functions must be
    disabled."""
    try:
        return _storage_of(tensor)
    except (NotImplementedError, RuntimeError):
        pass
    for _ in range(MAX_LINEAGE):
        if not _is_wrapped(tensor):
            break
        tensor = _unwrapped(tensor)
    try:
        return _storage_of(tensor)
    except (NotImplementedError, RuntimeError):
        return tensor


def label_of(tensor: torch.Tensor) -> Label | None:
    """The label of a tensor, None when the simulation has not met it."""
    with _plain():
        return getattr(holder(tensor), _ATTRIBUTE, None)


def device_of(tensor: torch.Tensor) -> torch.device:
    """Where a tensor is: its label's device, else its real one. Works without a simulation."""
    with _plain():
        label = getattr(holder(tensor), _ATTRIBUTE, None)
        return label.device if label is not None else _device_of(tensor)


def put(
    tensor: torch.Tensor,
    device: torch.device,
    *,
    made: CodePlace | None = None,
    parent: Label | None = None,
) -> Label:
    """Give a tensor a new label. A long lineage is cut in the middle: its root stays."""
    depth = 0
    if parent is not None:
        depth = parent.depth + 1
        if depth > MAX_LINEAGE:
            parent = _root(parent)
            depth = 1
    label = Label(device, made, parent, depth)
    with _plain():
        setattr(holder(tensor), _ATTRIBUTE, label)
    return label


def lineage(label: Label | None) -> Iterator[Label]:
    """A label and those of the tensors that it was computed from, nearest first."""
    while label is not None:
        yield label
        label = label.parent


def made_of(label: Label | None) -> CodePlace | None:
    """The nearest place in a student's code from which a tensor came."""
    return next((one.made for one in lineage(label) if one.made is not None), None)


def students_line() -> CodePlace | None:
    """The innermost student's line that is running; None if there is none nearby."""
    frame: FrameType | None = _frame(1)
    for _ in range(MAX_FRAMES):
        if frame is None:
            return None
        if frame.f_code.co_filename.startswith(CELLS):
            return CodePlace(frame.f_code, frame.f_lasti, frame.f_lineno)
        frame = frame.f_back
    return None


def _root(label: Label) -> Label:
    while label.parent is not None:
        label = label.parent
    return label
