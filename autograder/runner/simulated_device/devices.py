"""Objects that belong to an accelerator: generators, streams, events, old tensor types.

Work is done at once and in order, so streams do nothing and events read the host's clock.
A generator "on cuda" is a generator of the CPU: its numbers are not those of a real one.
"""

from __future__ import annotations

import time
from typing import Any

import torch

from autograder.runner.simulated_device.labels import CPU, CUDA, device_of
from autograder.runner.simulated_device.moving import move, named
from autograder.wire.simulation import OLD_TYPES

_Generator: Any = torch.Generator
_Tensor = torch.Tensor
_clock = time.perf_counter


class _GeneratorKind(type(_Generator)):  # type: ignore[misc]
    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _Generator)


class Generator(_Generator, metaclass=_GeneratorKind):  # type: ignore[misc]
    """``torch.Generator`` that may be asked to be on the accelerator."""

    _on: torch.device

    def __new__(cls, device: Any = "cpu") -> Any:
        made: Any = _Generator.__new__(cls, CPU)
        made._on = named(device)
        return made

    def __init__(self, device: Any = "cpu") -> None:
        pass

    @property
    def device(self) -> torch.device:
        """The simulated device of the generator."""
        return self._on


class Stream:
    """A stream; work is done in order anyway."""

    device = CUDA
    cuda_stream = 0

    def __init__(self, device: Any = None, priority: int = 0, **kwargs: Any) -> None:
        self.priority = priority

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *exc: object) -> None:
        pass

    def synchronize(self) -> None:
        """Does nothing: all work is done."""

    def query(self) -> bool:
        """All work is done."""
        return True

    def wait_stream(self, stream: Any) -> None:
        """Does nothing: all work is done."""

    def wait_event(self, event: Any) -> None:
        """Does nothing: all work is done."""

    def record_event(self, event: Any = None) -> Any:
        """The event, or a new one, recorded now."""
        event = event if event is not None else Event()
        event.record()
        return event


class Event:
    """A time on the host's clock."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._at = 0.0

    def record(self, stream: Any = None) -> None:
        """Read the clock."""
        self._at = _clock()

    def elapsed_time(self, end_event: Any) -> float:
        """Milliseconds until another event."""
        return float((end_event._at - self._at) * 1000)

    def synchronize(self) -> None:
        """Does nothing: all work is done."""

    def wait(self, stream: Any = None) -> None:
        """Does nothing: all work is done."""

    def query(self) -> bool:
        """All work is done."""
        return True


class OnDevice:
    """``torch.cuda.device(0)``: a context for the only device."""

    def __init__(self, device: Any) -> None:
        self.idx = named(device).index if device is not None else 0
        self.prev_idx = 0

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        pass


def on_stream(stream: Any) -> Any:
    """``torch.cuda.stream(stream)``."""
    return stream if stream is not None else Stream()


class _LegacyKind(type):
    """``isinstance(x, torch.cuda.FloatTensor)`` and ``torch.cuda.FloatTensor(data)``."""

    dtype: torch.dtype

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, _Tensor) and value.dtype == cls.dtype and device_of(value) == CUDA

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        return move(getattr(torch, cls.__name__)(*args, **kwargs), "cuda")


LEGACY = {
    name: _LegacyKind(name, (), {"__module__": "torch.cuda", "dtype": getattr(torch, dtype)})
    for name, dtype in OLD_TYPES.items()
}
