"""What ``torch.cuda`` and its like answer a student while the simulation is on.

Torch's own library code still gets the true answers: it would go on to use the real device.
Covered: questions, memory figures (zero), seeds, device contexts, clocks, streams (in order).
Not covered: graphs, communication, profiling: ``NotSimulated``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch

from autograder.runner.simulated import devices
from autograder.runner.simulated.faults import (
    Met,
    NotSimulated,
    RefusedAssertion,
)
from autograder.runner.simulated.moving import named

_TORCH = os.path.dirname(torch.__file__) + os.sep  # noqa: PTH120
_MEMORY = 16 * 1024**3
_frame = sys._getframe


@dataclass(frozen=True, slots=True)
class Answer:
    """``owner.name`` is ``value`` while the simulation is on."""

    owner: Any
    name: str
    value: Any


def _for_students(real: Any, pretended: Callable[..., Any]) -> Callable[..., Any]:
    """The pretended answer for a student, the true one for torch's own code."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        if _frame(1).f_code.co_filename.startswith(_TORCH):
            return real(*args, **kwargs)
        return pretended(*args, **kwargs)

    return answer


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: value


def _checked(value: Any) -> Callable[..., Any]:
    """An answer about a device, which must be the one that is there."""

    def answer(device: Any = None, *args: Any, **kwargs: Any) -> Any:
        if device is not None and not isinstance(device, torch.cuda.device):
            named(device)
        return value

    return answer


def _properties(device: Any = None) -> Any:
    if isinstance(device, int) and device != 0:
        raise RefusedAssertion("Invalid device id", Met("ordinal", "get_device_properties"))
    return SimpleNamespace(
        name="simulated", major=8, minor=0, total_memory=_MEMORY, multi_processor_count=1,
        warp_size=32, is_integrated=False,
    )  # fmt: skip


def _missing(*args: Any, **kwargs: Any) -> Any:
    raise NotSimulated(f"torch.cuda.{_frame(1).f_code.co_name}")


def _same(model: Any = None, *args: Any, **kwargs: Any) -> Any:
    """``torch.compile`` and ``torch.jit.script``: the function as it is."""
    return model if model is not None else lambda function: function


def _no_trace(*args: Any, **kwargs: Any) -> Any:
    raise NotSimulated("torch.jit.trace")


def _cast(real: Any) -> Callable[..., None]:
    """``autocast("cuda")`` is the CPU's autocast, with CUDA's default dtype."""

    def init(self: Any, device_type: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> None:
        if device_type == "cuda":
            device_type, dtype = "cpu", dtype or torch.float16
        real(self, device_type, dtype, *args, **kwargs)

    return init


_ZERO = (
    "memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved",
    "memory_cached", "max_memory_cached", "utilization",
)  # fmt: skip
_NONE = (
    "synchronize", "empty_cache", "reset_peak_memory_stats", "reset_max_memory_allocated",
    "reset_accumulated_memory_stats", "manual_seed", "manual_seed_all", "seed", "seed_all",
    "init", "ipc_collect", "set_device", "set_rng_state", "set_rng_state_all",
    "set_per_process_memory_fraction",
)  # fmt: skip
_CUDA: dict[str, Callable[..., Any]] = {
    **{name: _checked(0) for name in _ZERO},
    **{name: _constant(None) for name in _NONE},
    "is_available": _constant(True),
    "is_initialized": _constant(True),
    "device_count": _constant(1),
    "current_device": _constant(0),
    "get_device_name": _checked("simulated"),
    "get_device_capability": _checked((8, 0)),
    "get_device_properties": _properties,
    "get_arch_list": lambda: ["sm_80"],
    "mem_get_info": _checked((_MEMORY, _MEMORY)),
    "memory_stats": lambda *args: {},
    "memory_summary": _checked(""),
    "is_bf16_supported": _constant(True),
    "initial_seed": torch.initial_seed,
    "get_rng_state": lambda *args: torch.get_rng_state(),
    "get_rng_state_all": lambda: [torch.get_rng_state()],
    "current_stream": lambda *args: devices.Stream(),
    "default_stream": lambda *args: devices.Stream(),
    "set_stream": _constant(None),
    "set_device": _checked(None),
}
_ACCELERATOR: dict[str, Callable[..., Any]] = {
    "is_available": _constant(True),
    "device_count": _constant(1),
    "current_accelerator": _constant(torch.device("cuda")),
    "current_device_index": _constant(0),
    "current_device_idx": _constant(0),
    "set_device_index": _checked(None),
    "set_device_idx": _checked(None),
    "synchronize": _constant(None),
    "empty_cache": _constant(None),
    "current_stream": lambda *args: devices.Stream(),
    "memory_allocated": _checked(0),
    "max_memory_allocated": _checked(0),
    "memory_reserved": _checked(0),
    "max_memory_reserved": _checked(0),
    "reset_peak_memory_stats": _constant(None),
}


def _answers() -> tuple[Answer, ...]:
    """All of them; what this version of torch lacks is left out."""
    cuda: Any = torch.cuda
    found: list[Answer] = []

    def add(owner: Any, name: str, value: Any) -> None:
        if owner is not None and hasattr(owner, name):
            found.append(Answer(owner, name, value))

    for owner, table in ((cuda, _CUDA), (getattr(torch, "accelerator", None), _ACCELERATOR)):
        for name, pretended in table.items():
            if hasattr(owner, name):
                add(owner, name, _for_students(getattr(owner, name), pretended))
    for kind in (devices.Stream, devices.Event, devices.OnDevice):
        add(cuda, {"OnDevice": "device"}.get(kind.__name__, kind.__name__), kind)
    add(cuda, "stream", devices.on_stream)
    add(cuda, "_lazy_init", _missing)
    for kind_name, legacy in devices.LEGACY.items():
        add(cuda, kind_name, legacy)
    add(torch, "Generator", devices.Generator)
    add(torch, "compile", _for_students(torch.compile, _same))
    for name, pretended in (("script", _same), ("trace", _no_trace), ("trace_module", _no_trace)):
        add(torch.jit, name, _for_students(getattr(torch.jit, name), pretended))
    add(torch.amp.autocast_mode.autocast, "__init__",
        _cast(torch.amp.autocast_mode.autocast.__init__))  # fmt: skip
    add(cuda.amp.common, "amp_definitely_not_available", _constant(False))
    cudnn: Any = torch.backends.cudnn
    add(cudnn, "is_acceptable", _constant(False))
    add(cudnn, "is_available", _for_students(cudnn.is_available, _constant(True)))
    built: Any = torch.backends.cuda
    add(built, "is_built", _for_students(built.is_built, _constant(True)))
    return tuple(found)


ANSWERS = _answers()
