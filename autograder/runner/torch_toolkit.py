"""What a session does for torch; bound at import, which is before any cell if the assignment uses
torch."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch import _C
from torch.utils._device import DeviceContext

from autograder.runner import places, real_device
from autograder.runner.dressed import undressed
from autograder.runner.gradients import gradients
from autograder.runner.parameters import module_of, parameters_for, stand_in
from autograder.runner.pinned import pin
from autograder.runner.simulated_device import accelerator
from autograder.runner.simulated_device.explain import fault_of
from autograder.runner.simulated_device.unsupported import not_simulated
from autograder.runner.stand_ins import FUNCTIONS, called_like, state_of
from autograder.runner.toolkit import GOLDEN, PARTS, SAMPLES, Steps, Surroundings, Toolkit
from autograder.wire.convert import bind
from autograder.wire.messages import Call, CallEnvironment
from autograder.wire.tensors import to_tensor, to_wire
from autograder.wire.values import Array, ConstructedObject, Module, Slot, Value

MAX_THREADS = 4
_Tensor, _float32, _float64 = torch.Tensor, torch.float32, torch.float64
_arange, _cat, _stack, _view_as_real = torch.arange, torch.cat, torch.stack, torch.view_as_real
_set_dtype, _set_device, _set_grad = (
    torch.set_default_dtype,
    torch.set_default_device,
    torch.set_grad_enabled,
)
_set_autocast, _CAST = torch.set_autocast_enabled, ("cpu", "cuda")
# torch.manual_seed asks every backend that could exist: 80 times the cost, 100 times per run
_seed = torch.default_generator.manual_seed
# bound here once: this runs before the notebook's changes to the libraries are undone
_FUNCTION_MODES, _DISPATCH_MODES = (
    tuple(getattr(_C, f"_{step}_torch_{sort}_stack") for step in ("len", "pop", "push_on"))
    for sort in ("function", "dispatch")
)
_type = type


class TorchToolkit(Toolkit):
    """Torch's tensors, modules, gradients, switches and devices."""

    modules = frozenset(
        {
            "torch",
            "torch._tensor",
            "torch.functional",
            "torch.linalg",
            "torch.nn.functional",
            "torch.overrides",
            "torch.testing",
            "torch.utils._device",
            "torch.utils._python_dispatch",
        }
    )

    def __init__(self) -> None:
        bind("torch")

    def warm(self, *, device: bool) -> None:
        torch.set_num_threads(1)
        _use_torch(gradients=not device)
        if not device:
            accelerator.warm()
        _refuse_worker_processes()
        _bound_threads()

    def capability(self) -> str:
        return str(torch.backends.cpu.get_cpu_capability())

    def made_context(self) -> str:
        if torch.cuda.is_initialized():  # type: ignore[no-untyped-call]
            return "torch created a CUDA context"
        return ""

    def seed(self, number: int) -> None:
        _seed(number)

    def reset(self) -> None:
        _set_device(None)
        _set_dtype(_float32)
        _set_grad(True)
        for device in _CAST:
            _set_autocast(device, False)
        pin()

    def leave_modes(self, back: Steps) -> None:
        leave_modes(back)

    def surroundings(self, place: CallEnvironment | None) -> Surroundings:
        return places.surroundings(place)

    def cast(self, place: CallEnvironment | None) -> Surroundings:
        return places.cast(place)

    def bring(
        self, request: Call, make: Callable[[Value], Any], call: Callable[[list[Any]], object]
    ) -> list[Any]:
        return places.bring(request, make, call)

    def module(self, value: Module) -> Any:
        return module_of(value)

    def stand_in(self, wish: ConstructedObject, make: Callable[[Value], Any]) -> Any:
        return stand_in(wish, make)

    def function(self, kind: str, own: object) -> Callable[..., Any]:
        # A stand-in takes keywords as the student's own function does.
        return called_like(FUNCTIONS[kind], own)

    def fill(self, made: Any, slots: tuple[Slot, ...]) -> None:
        parameters_for(made, slots, load=True)

    def state(self, thing: Any) -> bytes:
        return state_of(thing)

    def track(self, argument: Any) -> None:
        if isinstance(argument, _Tensor):
            argument.requires_grad_(True)

    def gradients(self, result: Any, arguments: list[Any], request: Call) -> tuple[Value, ...]:
        return gradients(result, arguments, request)

    def sampled(self, array: Array) -> Value:
        tensor = to_tensor(array)
        flat = (_view_as_real(tensor) if tensor.is_complex() else tensor).reshape(-1)
        if flat.numel() <= SAMPLES:
            return to_wire(flat.double())
        places = ((_arange(SAMPLES, dtype=_float64) + 1) * GOLDEN % 1 * flat.numel()).long()
        means = [part.mean(dtype=_float64) for part in flat.chunk(PARTS)]
        return to_wire(_cat([flat[places].double(), _stack(means)]))

    def located(self, value: Value, thing: Any) -> Value:
        return places.located(value, thing)

    def undressed(self, thing: Any) -> Any:
        return undressed(thing)

    def lacking(self, error: BaseException) -> str:
        return not_simulated(error)

    def fault(self, error: BaseException, arguments: list[Any], names: dict[str, Any]) -> Any:
        return fault_of(error, arguments=arguments, names=names)

    def accelerator(self) -> Surroundings:
        return accelerator.SimulatedAccelerator()

    def begin_device(self, device: str, device_mb: int) -> None:
        real_device.begin(device, device_mb)

    def seed_device(self, device: str, number: int) -> None:
        real_device.seed(device, number)

    def settle(self, device: str) -> None:
        real_device.settle(device)


def _use_torch(*, gradients: bool) -> None:
    """First uses that are slow: an optimizer, backward, one_hot, repr, einsum, generators.

    Without ``gradients`` none is computed: the first ``backward`` counts the devices, which are
    hidden here, and torch and CUDA keep that number, in every child as well.
    """
    layer = torch.nn.Embedding(4, 4)
    optimizer = torch.optim.Adam(layer.parameters())
    ids = torch.arange(4)
    logits = layer(ids) @ torch.nn.functional.one_hot(ids, 4).float()
    loss = torch.nn.functional.cross_entropy(logits, ids)
    if gradients:
        loss.backward()  # type: ignore[no-untyped-call]
    else:
        layer.weight.grad = torch.ones(4, 4)
    optimizer.step()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()
    repr(layer(ids)), str(torch.randn(2, 2)), torch.einsum("ij->ji", logits)
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)


def _bound_threads() -> None:
    """More threads than this cost memory and gain nothing at a course's sizes."""
    original = torch.set_num_threads

    def set_num_threads(nthreads: int) -> None:
        original(max(1, min(int(nthreads), MAX_THREADS)))

    torch.set_num_threads = set_num_threads


def _refuse_worker_processes() -> None:
    """Processes are refused in the sandbox, so a DataLoader always loads in the child itself."""
    original = torch.utils.data.DataLoader.__init__

    @functools.wraps(original)
    def load_here(self: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("num_workers"):
            kwargs["num_workers"] = 0
            kwargs.pop("prefetch_factor", None)
            kwargs.pop("persistent_workers", None)
        original(self, *args, **kwargs)

    torch.utils.data.DataLoader.__init__ = load_here  # type: ignore[method-assign]


def leave_modes(back: Steps) -> None:
    """Leave all of them; adds to ``back`` the steps that enter them again."""
    _pop(_DISPATCH_MODES, back, None)  # torch's dispatch modes are off during a test
    _pop(_FUNCTION_MODES, back)  # torch's function modes are off during a test


def _pop(stack: tuple[Any, ...], back: Steps, *key: None) -> None:
    """Leave torch's modes of one kind, except for the default device that a notebook has set."""
    length, pop, push = stack
    modes: list[Any] = []
    while length():
        modes.insert(0, pop(*key))
    kept = [mode for mode in modes if _type(mode) is DeviceContext]
    for mode in kept:
        push(mode)

    def again() -> None:
        while length():
            pop(*key)
        for mode in modes:
            push(mode)

    back.append(again)
