"""Sees every operation on its way to the kernels: checks devices, labels results."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.runner.simulated.faults import NotSimulated
from autograder.runner.simulated.labels import (
    CPU,
    CUDA,
    Label,
    Made,
    device_of,
    label_of,
    put,
    students_line,
)
from autograder.runner.simulated.rules import Operation, learn, result_device
from autograder.runner.simulated.state import State, tensors_in

_Tensor = torch.Tensor
_plain = torch._C.DisableTorchFunction


class Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """CUDA's rules at every operation.

    Covered: what reaches the dispatcher from Python and from autograd.
    Not covered: TorchScript, whose factories name the real device: ``NotSimulated``.
    """

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # else the first operation imports torch._dynamo: more than a second

    def __init__(self, state: State) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._state = state
        self._known: dict[Any, Operation] = {}

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        op = self._known.get(func)
        if op is None:
            op = self._known[func] = learn(func)
        with _plain():
            inputs = list(tensors_in((*args, *kwargs.values())))
            for one in inputs:
                if label_of(one) is None:
                    self._meet(one, op)
            device = self._device(op, args, inputs)
            result = func(*args, **kwargs)
            if isinstance(result, _Tensor):
                if label_of(result) is None:
                    self._label(result, device, inputs)
            elif isinstance(result, list | tuple):
                self._label_all(result, device, args, inputs, op.host_results)
        return result

    def _meet(self, tensor: torch.Tensor, op: Operation) -> None:
        """A tensor from before the simulation, or one that no operation made."""
        if device_of(tensor) != CPU:  # a meta tensor keeps its own
            return
        if not op.lifts:
            put(tensor, CPU)
        elif self._state.frames:
            put(tensor, self._state.frames[-1].inherited())
        else:
            put(tensor, CPU, made=students_line())

    def _device(
        self, op: Operation, args: tuple[Any, ...], inputs: list[torch.Tensor]
    ) -> torch.device | None:
        frames = self._state.frames
        if op.makes and frames and frames[-1].asked is not None:
            return frames[-1].asked
        if not inputs:
            return frames[-1].inherited() if frames else CPU
        if not frames and any(device_of(one) == CUDA for one in inputs):
            raise NotSimulated("TorchScript")
        return result_device(op, args, inputs, called=self._state.called or op.name)

    def _label(
        self, result: torch.Tensor, device: torch.device | None, inputs: list[torch.Tensor]
    ) -> None:
        device = device or CPU
        if device not in (CPU, CUDA):
            return
        frames = self._state.frames
        parent = _parent(inputs or (frames[-1].tensors() if frames else []), device)
        made: Made | None = students_line() if parent is None else None
        put(result, device, made=made, parent=parent)

    def _label_all(
        self, results: Any, device: torch.device | None, args: tuple[Any, ...],
        inputs: list[torch.Tensor], host: tuple[int, ...] = (),
    ) -> None:  # fmt: skip
        for n, one in enumerate(results):
            if isinstance(one, list | tuple):
                self._label_all(one, device, args, inputs)
            elif isinstance(one, _Tensor) and label_of(one) is None:
                own = CPU if n in host else device
                if own is None and isinstance(args[0], list | tuple) and n < len(args[0]):
                    own = device_of(args[0][n])
                self._label(one, own, inputs)


def _parent(inputs: list[torch.Tensor], device: torch.device) -> Label | None:
    """The input whose history a result takes over: the first of its device that is no scalar."""
    own = [one for one in inputs if device_of(one) == device]
    chosen = next((one for one in own if one.dim() > 0), own[0] if own else None)
    return label_of(chosen) if chosen is not None else None
