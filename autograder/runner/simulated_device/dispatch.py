"""Sees every operation before its kernel runs: checks devices, labels results."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.runner.simulated_device.faults import NotSimulated
from autograder.runner.simulated_device.labels import (
    CPU,
    CUDA,
    CodePlace,
    Label,
    device_of,
    label_of,
    put,
    students_line,
)
from autograder.runner.simulated_device.rules import Operation, learn, result_device
from autograder.runner.simulated_device.state import SimulationState, tensors_in
from autograder.wire.simulation import SCRIPT

_Tensor = torch.Tensor
_plain = torch._C.DisableTorchFunction
_dim = torch._C.TensorBase.dim


class _Inputs(NamedTuple):
    """The tensors among an operation's arguments, each with its label."""

    tensors: list[torch.Tensor]
    labels: list[Label]


class Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """CUDA's rules at every operation.

    Covered: what reaches the dispatcher from Python and from autograd.
    Not covered: TorchScript, whose factories name the real device: ``NotSimulated``.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # otherwise the first operation imports torch._dynamo: more than a second

    def __init__(self, state: SimulationState) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._state = state

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        op = learn(func)
        with _plain():
            tensors = list(tensors_in((*args, *kwargs.values())))
            inputs = _Inputs(tensors, [label_of(one) or self._meet(one, op) for one in tensors])
            device = self._device(op, args, inputs)
            result = func(*args, **kwargs)
            if isinstance(result, _Tensor):
                if label_of(result) is None:
                    self._label(result, device, inputs)
            elif isinstance(result, list | tuple):
                self._label_all(result, device, args, inputs, op.host_results)
        return result

    def _meet(self, tensor: torch.Tensor, op: Operation) -> Label:
        """Label a tensor from before the simulation, or one that no operation made."""
        own = device_of(tensor)
        if own != CPU:  # a meta tensor keeps its own
            return Label(own)
        if not op.lifts:
            return put(tensor, CPU)
        if self._state.frames:
            return put(tensor, self._state.frames[-1].inherited())
        return put(tensor, CPU, made=students_line())

    def _device(self, op: Operation, args: tuple[Any, ...], inputs: _Inputs) -> torch.device | None:
        frames = self._state.frames
        # A device that is asked for becomes the label.
        if op.makes and frames and frames[-1].asked is not None:
            return frames[-1].asked
        devices = [label.device for label in inputs.labels]
        if not devices:
            if not frames and op.name != "empty":  # ``empty``: old types, ``torch.FloatTensor(2)``
                raise NotSimulated(SCRIPT)
            return frames[-1].inherited() if frames else CPU
        first = devices[0]
        if devices.count(first) == len(devices):
            return first
        if not frames:  # a script's tensors are on the real device
            raise NotSimulated(SCRIPT)
        return result_device(
            op, args, inputs.tensors, devices, called=self._state.called or op.name
        )

    def _label(self, result: torch.Tensor, device: torch.device | None, inputs: _Inputs) -> None:
        device = device or CPU
        if device not in (CPU, CUDA):
            return
        frames = self._state.frames
        if not inputs.tensors and frames:  # made inside the function: as its inputs
            tensors = [tensor for tensor in frames[-1].tensors() if label_of(tensor) is not None]
            labels = [label for one in tensors if (label := label_of(one)) is not None]
            inputs = _Inputs(tensors, labels)
        parent = _parent(inputs, device)
        made: CodePlace | None = students_line() if parent is None else None
        put(result, device, made=made, parent=parent)

    def _label_all(
        self,
        results: Any,
        device: torch.device | None,
        args: tuple[Any, ...],
        inputs: _Inputs,
        host: tuple[int, ...] = (),
    ) -> None:
        for n, one in enumerate(results):
            if isinstance(one, list | tuple):
                self._label_all(one, device, args, inputs)
            elif isinstance(one, _Tensor) and label_of(one) is None:
                own = CPU if n in host else device
                if own is None and isinstance(args[0], list | tuple) and n < len(args[0]):
                    own = device_of(args[0][n])
                self._label(one, own, inputs)


def _parent(inputs: _Inputs, device: torch.device) -> Label | None:
    """The input whose history a result continues: the first on its device that is not a scalar."""
    first = None
    for tensor, label in zip(*inputs, strict=True):
        if label.device == device:
            if _dim(tensor):
                return label
            first = first or label
    return first
