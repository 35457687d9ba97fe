"""What ``torch.cuda`` and its like answer a student while the simulation is on.

Torch's own library code still gets the true answers: it would go on to use the real device.
Every other public function or class of ``torch.cuda`` and its modules raises ``NotSimulated``,
whatever the installed build of torch would do: one with CUDA and without a driver answers some
questions, and refuses others from C++.
Covered: questions, memory figures (zero), seeds, device contexts, clocks, streams (in order).
Not covered: graphs, communication, profiling: ``NotSimulated``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType, SimpleNamespace
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
_ABOUT = ("torch.cuda", "torch.accelerator")  # modules whose functions are about devices


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


def _absent(real: Any, name: str) -> Any:
    """What stands for a function or class that is not simulated. A class stays one, so that
    values can be asked whether they are of it."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotSimulated(name)

    if isinstance(real, type):
        parts = {"__new__": refuse, "__module__": real.__module__}
        return type(real)(real.__name__, (real,), parts)
    return _for_students(real, refuse)


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
    "reset_accumulated_memory_stats", "reset_max_memory_cached", "manual_seed",
    "manual_seed_all", "seed", "seed_all",
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
    "memory_stats_as_nested_dict": lambda *args: {},
    "get_per_process_memory_fraction": _checked(1.0),
    "is_tf32_supported": _constant(True),
    "is_current_stream_capturing": _constant(False),
    "get_sync_debug_mode": _constant(0),
    "set_sync_debug_mode": _constant(None),
}
_OBJECTS: dict[str, Any] = {
    "Stream": devices.Stream, "Event": devices.Event, "device": devices.OnDevice,
    "stream": devices.on_stream, **devices.LEGACY,
}  # fmt: skip
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


# what asks no device: exceptions, and constants
_HOST = ("AcceleratorError", "OutOfMemoryError", "DeferredCudaCallError", "cudaStatus",
         "classproperty")  # fmt: skip
_KERNELS = ("blas_workspace_size", "cublas_workspace_size", "cublaslt_workspace_size",
            "can_use_cudnn_attention", "can_use_efficient_attention", "can_use_flash_attention",
            "is_flash_attention_available")  # fmt: skip


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """A package and the public modules in it that have been imported. Automatic mixed precision
    works on the CPU."""
    yield package
    for name, value in vars(package).items():
        own = isinstance(value, ModuleType) and value.__name__ == f"{package.__name__}.{name}"
        if own and not name.startswith("_") and name not in ("amp", "sparse"):
            yield value


def _asking(module: ModuleType) -> Iterator[str]:
    """The public functions and classes that would ask the real device."""
    for name in dir(module):
        value = getattr(module, name)
        ours = str(getattr(value, "__module__", "")).startswith(_ABOUT)
        if ours and callable(value) and not name.startswith("_") and name not in _HOST:
            yield name


def _surface(package: ModuleType, answers: Mapping[str, Any]) -> Iterator[Answer]:
    """Every public function and class of a package: answered, or absent."""
    for owner in _modules(package):
        for name in _asking(owner):
            real = getattr(owner, name)
            same = getattr(package, name, None) is real  # else another function of that name
            if not same or name not in answers:
                yield Answer(owner, name, _absent(real, f"{owner.__name__}.{name}"))
            elif name in _OBJECTS:
                yield Answer(owner, name, answers[name])
            else:
                yield Answer(owner, name, _for_students(real, answers[name]))


def _answers() -> tuple[Answer, ...]:
    """All of them; what this version of torch lacks is left out."""
    cuda: Any = torch.cuda
    found: list[Answer] = []

    def add(owner: Any, name: str, value: Any) -> None:
        if owner is not None and hasattr(owner, name):
            found.append(Answer(owner, name, value))

    found += _surface(cuda, _CUDA | _OBJECTS)
    if hasattr(torch, "accelerator"):
        found += _surface(torch.accelerator, _ACCELERATOR)
    add(cuda, "_lazy_init", _missing)
    add(torch, "Generator", devices.Generator)
    add(torch, "Stream", devices.Stream)
    add(torch, "Event", devices.Event)
    add(torch.Tensor, "record_stream", _constant(None))  # nothing is freed before its time
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
    for name in _KERNELS:
        add(built, name, _absent(getattr(built, name, None), f"torch.backends.cuda.{name}"))
    return tuple(found)


def _by_owner() -> tuple[tuple[Any, Mapping[str, Any]], ...]:
    """The answers of each owner, the names that it has."""
    found: dict[int, tuple[Any, dict[str, Any]]] = {}
    for one in _answers():
        found.setdefault(id(one.owner), (one.owner, {}))[1][one.name] = one.value
    return tuple(found.values())


ANSWERS = _by_owner()
