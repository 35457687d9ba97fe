"""``with Accelerator():`` simulates one device, "cuda:0", beside the CPU.

Every tensor remains an ordinary tensor of the CPU, with real numbers and real gradients. Two torch
modes see what a student does: ``functions`` answers questions about devices, ``dispatch`` applies
CUDA's rules to every operation.

Covered: which operation raises, with CUDA's text, and where results are; one device, one thread;
autograd with hooks, the student's own functions, checkpoints; optimizers; autocast and gradient
scaling; transforms of ``torch.func``; saving, loading and copying; generators. ``torch.compile``
and ``torch.jit.script`` return a function unchanged.

Not covered: numbers as a device would round them, its random streams (``manual_seed`` and a
generator on "cuda" use the CPU's), its memory, its time, asynchronous errors; a gradient on the
wrong device returned by a student's own ``Function.backward``; functions scripted or traced before,
graphs, several devices, distribution: ``NotSimulated``, or an error of torch that ``unsupported``
names. Torch's own modules have no memory of what a student replaced in them.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import torch
from torch import overrides

from autograder.runner.simulated_device import faults
from autograder.runner.simulated_device.answers import ANSWERS
from autograder.runner.simulated_device.dispatch import Operations
from autograder.runner.simulated_device.functions import Functions
from autograder.runner.simulated_device.labels import _ATTRIBUTE, CUDA, Label, device_of
from autograder.runner.simulated_device.moving import move
from autograder.runner.simulated_device.state import Frame, SimulationState

_push_mode: Any = overrides._push_mode
_pop_mode: Any = overrides._pop_mode
_Hooks: Any = torch.autograd.graph.saved_tensors_hooks
_hooks_init: Any = _Hooks.__init__
_mode_at: Any = torch._C._get_function_stack_at
_depth = torch._C._len_torch_function_stack
_dispatch_at: Any = torch._C._get_dispatch_stack_at
_dispatch_depth = torch._C._len_torch_dispatch_stack
_pop_dispatch = torch._C._pop_torch_dispatch_stack
_serialization: Any = torch.serialization
_autograd: Any = torch.autograd
_context: Any = torch._GLOBAL_DEVICE_CONTEXT
_set_default_device = torch.set_default_device
_run_engine: Any = getattr(torch.autograd, "_engine_run_backward", None)


class SimulatedAccelerator:
    """One simulated device. It may be entered repeatedly, but not while it is already entered.

    A default device that a student sets inside is not in effect outside, and is restored when the
    same object is entered again.
    """

    def __init__(self) -> None:
        state = SimulationState()
        self._state = state
        self._operations: Any = Operations(state)
        self._functions: Any = Functions(state)
        self._default: Any = None
        self._outside: Any = None
        self._before: list[tuple[Any, Mapping[str, Any]]] = []

    def __enter__(self) -> SimulatedAccelerator:
        if self._before:
            raise RuntimeError("the simulated accelerator is already active")
        try:
            self._begin()
        except BaseException:  # an interrupt in the middle
            self.__exit__()  # an interrupt on the way in leaves nothing
            raise
        return self

    def _begin(self) -> None:
        self._state.frames.clear()
        for owner, answers in ANSWERS:
            self._replace(owner, answers)
        if _run_engine is not None:
            self._replace(_autograd, {"_engine_run_backward": self._run_backward})
            self._replace(_autograd.graph, {"_engine_run_backward": self._run_backward})
        self._replace(_Hooks, {"__init__": self._make_hooks()})
        _serialization._package_registry.insert(0, (0, _location, _located))
        self._outside = getattr(_context, "device_context", None)
        self._operations.__enter__()
        self._functions.__enter__()
        if self._default is not None:
            _set_default_device(self._default)

    def __exit__(self, *exc: object) -> None:
        inside = getattr(_context, "device_context", None)
        self._default = None
        if inside is not self._outside:
            self._default = getattr(inside, "device", None)
            _set_default_device(getattr(self._outside, "device", None))
        if self._is_on():
            # Modes that a student left are taken away.
            while _pop_mode() is not self._functions:
                pass  # a mode that a student left above ours
        if any(_dispatch_at(n) is self._operations for n in range(_dispatch_depth())):
            # Dispatch modes that a student left are taken away.
            while _dispatch_at(_dispatch_depth() - 1) is not self._operations:
                _pop_dispatch(None)
            self._operations.__exit__(None, None, None)
        registry = _serialization._package_registry
        # The way storages are loaded is taken back.
        registry[:] = [entry for entry in registry if entry[1] is not _location]
        while self._before:
            _set(*self._before.pop())

    def _replace(self, owner: Any, values: Mapping[str, Any]) -> None:
        self._before.append((owner, {name: getattr(owner, name) for name in values}))
        _set(owner, values)

    def _run_backward(self, *args: Any, **kwargs: Any) -> Any:
        """The engine; its own operations belong to the call, not to the student's line."""
        frames = self._state.frames
        for n, (output, given) in enumerate(zip(args[0], args[1], strict=False)):
            both = isinstance(output, torch.Tensor) and isinstance(given, torch.Tensor)
            if both and given.dim() and device_of(given) != device_of(output):
                raise faults.foreign_root(n, output, given)
        frames.append(Frame("backward", None, args, kwargs))
        try:
            return self._seen(_run_engine)(*args, **kwargs)
        finally:
            frames.pop()

    def _is_on(self) -> bool:
        return any(_mode_at(n) is self._functions for n in range(_depth()))

    def _seen(self, function: Any) -> Any:
        """A function in which the simulation is active, also while a torch function is in
        progress."""

        def run(*args: Any, **kwargs: Any) -> Any:
            if self._is_on():
                return function(*args, **kwargs)
            _push_mode(self._functions)
            try:
                return function(*args, **kwargs)
            finally:
                _pop_mode()

        return run

    def _make_hooks(self) -> Any:
        """Hooks on saved tensors, which run while a torch function is in progress."""

        def init(hooks: Any, pack_hook: Any, unpack_hook: Any) -> None:
            _hooks_init(hooks, self._seen(pack_hook), self._seen(unpack_hook))

        return init


def _set(owner: Any, values: Mapping[str, Any]) -> None:
    """Set attributes; those of a module, which are many, all at once."""
    if isinstance(owner, ModuleType):
        vars(owner).update(values)
        return
    for name, value in values.items():
        setattr(owner, name, value)


def _location(storage: Any) -> str | None:
    """The tag with which ``torch.save`` marks a storage."""
    label = getattr(storage, _ATTRIBUTE, None)
    return str(CUDA) if label is not None and label.device == CUDA else None


def _located(storage: Any, location: str) -> Any:
    """A loaded storage, moved to where its tag or ``map_location`` says."""
    if not str(location).startswith("cuda"):
        return None
    setattr(storage, _ATTRIBUTE, Label(CUDA))
    return storage


def warm() -> None:
    """First uses of what is slow at first, before a process is forked."""
    with SimulatedAccelerator():
        layer = move(torch.nn.Linear(2, 2), "cuda")
        given = torch.ones(2, 2, device="cuda")
        with torch.autocast("cuda", dtype=torch.bfloat16):
            layer(given).float().sum().backward()
        torch.optim.SGD(layer.parameters(), lr=0.1).step()
        repr(given), copy.deepcopy(layer)
        given[torch.tensor([0])], torch.func.vmap(torch.sin)(given)
