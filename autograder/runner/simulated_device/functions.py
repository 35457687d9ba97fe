"""Sees every torch function that a student calls: answers about devices, keeps the context."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _device as _contexts

from autograder.runner.simulated_device import tensors
from autograder.runner.simulated_device.faults import foreign_generator
from autograder.runner.simulated_device.labels import CPU, CUDA, device_of
from autograder.runner.simulated_device.moving import named
from autograder.runner.simulated_device.state import Frame, SimulationState, tensors_in

_FACTORIES = frozenset(_contexts._device_constructors())
_plain = torch._C.DisableTorchFunction


class Functions(TorchFunctionMode):
    """The simulated device, as Python code sees it."""

    def __init__(self, state: SimulationState) -> None:
        super().__init__()
        self._state = state

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs) if kwargs else {}
        question = tensors.QUESTIONS.get(func)
        if question is not None:
            return question(device_of(args[0]))
        special = tensors.SPECIAL.get(func)
        frames = self._state.frames
        frames.append(Frame(tensors.name_of(func), None, args, kwargs))
        try:
            if special is not None:
                return special(self, func, args, kwargs)
            return self.run(func, args, kwargs)
        finally:
            frames.pop()

    @property
    def frame(self) -> Frame:
        """The torch function in progress."""
        return self._state.frames[-1]

    def run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the real function; a requested device becomes a label."""
        frame = self.frame
        frame.args, frame.kwargs = args, kwargs
        asked = kwargs.get("device")
        if asked is None and func in _FACTORIES:
            asked = _contexts.CURRENT_DEVICE or (None if func in tensors.TAKING else CPU)
        if asked is not None:
            frame.asked = named(asked)
            if frame.asked in (CPU, CUDA):
                kwargs["device"] = CPU
            elif "device" not in kwargs:
                kwargs["device"] = frame.asked
        if kwargs.get("pin_memory"):
            kwargs["pin_memory"] = False
        if kwargs.get("generator") is not None:
            self._check_generator(frame, kwargs["generator"])
        return func(*args, **kwargs)

    def _check_generator(self, frame: Frame, generator: Any) -> None:
        own = frame.asked or next(map(device_of, tensors_in(frame.args)), CPU)
        found = CUDA if generator.device.type == "cuda" else CPU
        if own in (CPU, CUDA) and own != found:
            raise foreign_generator(own, found)
