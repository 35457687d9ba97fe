"""The torch functions in progress, the latest last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import torch

from autograder.runner.simulated_device.labels import CPU, device_of

_Tensor = torch.Tensor


@dataclass(slots=True)
class Frame:
    """One torch function in progress. ``asked``: the requested device, if any."""

    name: str
    asked: torch.device | None
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    own: torch.device | None = None

    def tensors(self) -> list[torch.Tensor]:
        """Tensors among the arguments."""
        return list(tensors_in((*self.args, *self.kwargs.values())))

    def inherited(self) -> torch.device:
        """The device of a tensor that torch's own code makes inside the function."""
        if self.own is None:
            devices = map(device_of, self.tensors())
            # Tensors made on the way lie with what the function was given.
            self.own = self.asked or next((device for device in devices if device != CPU), CPU)
        return self.own


@dataclass(slots=True)
class SimulationState:
    """Shared by the two modes of one simulation."""

    frames: list[Frame] = field(default_factory=list)

    @property
    def called(self) -> str:
        """The function that the student's line called, "" when none is in progress."""
        return self.frames[-1].name if self.frames else ""


class Running(Protocol):
    """Runs a torch function as CUDA would, for functions that need special handling."""

    @property
    def frame(self) -> Frame:
        """The torch function in progress."""
        ...

    def run(self, func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the real function; a requested device becomes a label."""
        ...


def tensors_in(values: Iterable[Any]) -> Iterator[torch.Tensor]:
    """Tensors among values and in lists and tuples of them."""
    for value in values:
        if isinstance(value, _Tensor):
            yield value
        elif isinstance(value, list | tuple):
            for one in value:
                if isinstance(one, _Tensor):
                    yield one
