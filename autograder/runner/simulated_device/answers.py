"""What ``torch.cuda`` and similar modules answer a student while the simulation is active.

Torch's own library code still gets the true answers: otherwise it would go on to use the real
device. Every other public function or class of ``torch.cuda`` and its modules raises
``NotSimulated``, whatever the installed build of torch would do: one with CUDA and without a driver
answers some questions, and refuses others from C++.

Covered: questions, memory figures (zero), seeds, device contexts, clocks, streams (in order). Not
covered: graphs, communication, profiling: ``NotSimulated``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch

from autograder.runner.simulated_device import devices
from autograder.runner.simulated_device.faults import BrokenRule, NotSimulated, RefusedAssertion
from autograder.runner.simulated_device.moving import named
from autograder.wire import lacking, simulation

_TORCH = os.path.dirname(torch.__file__) + os.sep  # noqa: PTH120
_frame = sys._getframe


@dataclass(frozen=True, slots=True)
class Answer:
    """``owner.name`` is ``value`` while the simulation is active."""

    owner: Any
    name: str
    value: Any


def _for_students(real: Any, pretended: Callable[..., Any]) -> Callable[..., Any]:
    """The simulated answer for a student, the true one for torch's own code."""

    def answer(*args: Any, **kwargs: Any) -> Any:
        # Torch's own code gets the true answer.
        if _frame(1).f_code.co_filename.startswith(_TORCH):
            return real(*args, **kwargs)
        return pretended(*args, **kwargs)

    return answer


def _constant(value: Any) -> Callable[..., Any]:
    return lambda *args, **kwargs: value


def _checked(value: Any) -> Callable[..., Any]:
    """An answer about a device, which must be the simulated one."""

    def answer(device: Any = None, *args: Any, **kwargs: Any) -> Any:
        if device is not None and not isinstance(device, torch.cuda.device):
            named(device)
        return value

    return answer


def _properties(device: Any = None) -> Any:
    if isinstance(device, int) and device != 0:
        raise RefusedAssertion("Invalid device id", BrokenRule("ordinal", "get_device_properties"))
    return SimpleNamespace(
        name="simulated",
        major=8,
        minor=0,
        total_memory=simulation.MEMORY,
        multi_processor_count=1,
        warp_size=32,
        is_integrated=False,
    )


def _missing(*args: Any, **kwargs: Any) -> Any:
    raise NotSimulated(simulation.REAL_DEVICE)


def _absent(real: Any, name: str) -> Any:
    """Replaces a function or class that is not simulated. A class is replaced by a class, so that
    ``isinstance`` still works."""

    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise NotSimulated(name)

    if isinstance(real, type):
        parts = {"__new__": refuse, "__module__": real.__module__}
        return type(real)(real.__name__, (real,), parts)
    return _for_students(real, refuse)


def _same(model: Any = None, *args: Any, **kwargs: Any) -> Any:
    """``torch.compile`` and ``torch.jit.script``: return the function unchanged."""
    return model if model is not None else lambda function: function


def _no_trace(*args: Any, **kwargs: Any) -> Any:
    raise NotSimulated(simulation.TRACE)


def _cast(real: Any) -> Callable[..., None]:
    """``autocast("cuda")`` is the CPU's autocast, with CUDA's default dtype."""

    def init(self: Any, device_type: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> None:
        if device_type == "cuda":
            device_type, dtype = "cpu", dtype or torch.float16
        real(self, device_type, dtype, *args, **kwargs)

    return init


_CUDA: dict[str, Any] = {
    **{name: _constant(value) for name, value in simulation.CUDA_CONSTANT.items()},
    **{name: _checked(value) for name, value in simulation.CUDA_CHECKED.items()},
    "get_device_properties": _properties,
    "get_arch_list": lambda: ["sm_80"],
    "memory_stats": lambda *args: {},
    "memory_stats_as_nested_dict": lambda *args: {},
    "initial_seed": torch.initial_seed,
    "get_rng_state": lambda *args: torch.get_rng_state(),
    "get_rng_state_all": lambda: [torch.get_rng_state()],
    "current_stream": lambda *args: devices.Stream(),
    "default_stream": lambda *args: devices.Stream(),
}
_OBJECTS: dict[str, Any] = {
    "Stream": devices.Stream,
    "Event": devices.Event,
    "device": devices.OnDevice,
    "stream": devices.on_stream,
    **devices.LEGACY,
}
_ACCELERATOR: dict[str, Any] = {
    **{name: _constant(value) for name, value in simulation.ACCELERATOR_CONSTANT.items()},
    **{name: _checked(value) for name, value in simulation.ACCELERATOR_CHECKED.items()},
    "current_accelerator": _constant(torch.device("cuda")),
    "current_stream": lambda *args: devices.Stream(),
}


def _surface() -> Iterator[Answer]:
    """Every public function and class about accelerators: answered, or absent."""
    for package, answered in lacking.PACKAGES:
        answers = _CUDA | _OBJECTS if package is torch.cuda else _ACCELERATOR
        for one in lacking.surface(package, answered):
            real = getattr(one.owner, one.name)
            if not one.answered:
                # What is not simulated does not reach the real library.
                yield Answer(one.owner, one.name, _absent(real, one.text))
            elif one.name in _OBJECTS:
                yield Answer(one.owner, one.name, answers[one.name])
            else:
                yield Answer(one.owner, one.name, _for_students(real, answers[one.name]))


def _answers() -> tuple[Answer, ...]:
    """All answers, except those for what this version of torch lacks."""
    cuda: Any = torch.cuda
    found: list[Answer] = []

    def add(owner: Any, name: str, value: Any) -> None:
        if owner is not None and hasattr(owner, name):
            found.append(Answer(owner, name, value))

    found += _surface()
    add(cuda, "_lazy_init", _missing)  # what torch.cuda lacks here is said
    add(torch, "Generator", devices.Generator)
    add(torch, "Stream", devices.Stream)
    add(torch, "Event", devices.Event)
    add(torch.Tensor, "record_stream", _constant(None))  # nothing is freed early
    add(torch, "compile", _for_students(torch.compile, _same))
    for name, pretended in (("script", _same), ("trace", _no_trace), ("trace_module", _no_trace)):
        add(torch.jit, name, _for_students(getattr(torch.jit, name), pretended))
    add(
        torch.amp.autocast_mode.autocast,
        "__init__",
        _cast(torch.amp.autocast_mode.autocast.__init__),
    )
    add(cuda.amp.common, "amp_definitely_not_available", _constant(False))
    cudnn: Any = torch.backends.cudnn
    add(cudnn, "is_acceptable", _constant(False))
    add(cudnn, "is_available", _for_students(cudnn.is_available, _constant(True)))
    built: Any = torch.backends.cuda
    add(built, "is_built", _for_students(built.is_built, _constant(True)))
    for name in lacking.KERNELS:
        add(built, name, _absent(getattr(built, name), f"torch.backends.cuda.{name}"))
    return tuple(found)


def _by_owner() -> tuple[tuple[Any, Mapping[str, Any]], ...]:
    """The answers of each owner, for the names that it has."""
    found: dict[int, tuple[Any, dict[str, Any]]] = {}
    for answer in _answers():
        found.setdefault(id(answer.owner), (answer.owner, {}))[1][answer.name] = answer.value
    return tuple(found.values())


ANSWERS = _by_owner()
