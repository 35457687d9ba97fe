"""What a session does for a numeric library beside NumPy: all that differs where torch is used.

A ``Toolkit`` does nothing, which is right where the values of a notebook are NumPy's and Python's.
Torch's takes its place when torch is imported: before any cell runs, if the assignment uses torch,
or else when a notebook has imported it or a request cannot do without.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograder.wire.convert import to_wire
from autograder.wire.messages import Call, CallEnvironment
from autograder.wire.values import Array, ConstructedObject, Module, Slot, Value

Steps = list[Callable[[], object]]
Surroundings = contextlib.AbstractContextManager[Any]
SAMPLES, PARTS = 256, 64
GOLDEN = 0.6180339887498949  # its multiples spread evenly over the unit interval
_import, _modules = importlib.import_module, sys.modules
# capabilities: torch's name, and NumPy's own from 2.4 on and before
_WIDE = (("AVX512", "X86_V4", "AVX512_SKX"), ("AVX2", "X86_V3", "AVX2"))


class Toolkit:
    """Without a library of tensors: nothing to set, to move or to differentiate."""

    modules: frozenset[str] = frozenset()  # those that a test finds as they were before the cells

    def warm(self, *, device: bool) -> None:
        """First uses that are slow, in the process that is forked. ``device``: see
        ``warm.prepare``."""

    def capability(self) -> str:
        """The name, as torch has it, of the vector instructions that are used here."""
        features: Mapping[str, bool] = _import("numpy._core._multiarray_umath").__cpu_features__
        for name, newer, older in _WIDE:
            if features.get(newer, features.get(older, False)):
                return name
        return "DEFAULT"

    def made_context(self) -> str:
        """How the library has used a device in this process; "" if it has not."""
        return ""

    def seed(self, number: int) -> None:
        """Seed the library's generator."""

    def reset(self) -> None:
        """Set the library's global switches as in a fresh process."""

    def leave_modes(self, back: Steps) -> None:
        """Leave modes in which a notebook's functions see other code, and add to ``back`` what
        enters them again."""

    def surroundings(self, place: CallEnvironment | None) -> Surroundings:
        """The device and the threads of a call."""
        return contextlib.nullcontext()

    def cast(self, place: CallEnvironment | None) -> Surroundings:
        """The dtypes of a call."""
        return contextlib.nullcontext()

    def bring(
        self, request: Call, make: Callable[[Value], Any], call: Callable[[list[Any]], object]
    ) -> list[Any]:
        """Fresh arguments of a call, on their device. ``make`` builds one, ``call`` calls the
        target."""
        return [make(value) for value in request.args]

    def module(self, value: Module) -> Any:
        """A library module that holds these tensors."""

    def stand_in(self, wish: ConstructedObject, make: Callable[[Value], Any]) -> Any:
        """One of our objects."""

    def function(self, kind: str, own: object) -> Callable[..., Any]:
        """A stand-in for the student's ``own`` function or class."""
        raise NotImplementedError(kind)

    def fill(self, made: Any, slots: tuple[Slot, ...]) -> None:
        """Set the parameters of an object."""

    def state(self, thing: Any) -> bytes:
        """What can change in an object, so that changes are noticed."""
        return b""

    def track(self, argument: Any) -> None:
        """Ask for the gradient of an argument."""

    def gradients(self, result: Any, arguments: list[Any], request: Call) -> tuple[Value, ...]:
        """The gradients that a call asks for."""
        return ()

    def sampled(self, array: Array) -> Value:
        """Numbers that distinguish a large array from another; the places follow no row or
        column."""
        flat = np.frombuffer(array.data, array.dtype)
        if flat.dtype.kind == "c":
            flat = flat.view(flat.real.dtype)
        flat = flat.astype(np.float64)
        if flat.size <= SAMPLES:
            return to_wire(flat)
        places = ((np.arange(SAMPLES) + 1.0) * GOLDEN % 1 * flat.size).astype(np.int64)
        length = -(-flat.size // PARTS)
        means = [flat[at : at + length].mean() for at in range(0, flat.size, length)]
        return to_wire(np.concatenate([flat[places], means]))

    def located(self, value: Value, thing: Any) -> Value:
        """A wire value with the devices of its tensors; ``thing`` is what it was made of."""
        return value

    def undressed(self, thing: Any) -> Any:
        """The object of ours behind one of the student's class; any other unchanged."""
        return thing

    def lacking(self, error: BaseException) -> str:
        """What the simulated accelerator lacks, if that is why an exception was raised; or ""."""
        return ""

    def fault(self, error: BaseException, arguments: list[Any], names: dict[str, Any]) -> Any:
        """The rule of a simulated accelerator that was broken."""
        return None

    def accelerator(self) -> Surroundings:
        """A simulated accelerator."""
        return contextlib.nullcontext()

    def begin_device(self, device: str, device_mb: int) -> None:
        """Make a real accelerator's context."""

    def seed_device(self, device: str, number: int) -> None:
        """Seed a real accelerator's own generator."""

    def settle(self, device: str) -> None:
        """Wait until a real accelerator's work is done."""


_PLAIN = Toolkit()
_TORCH: list[Toolkit] = []  # torch's, once it is bound


def toolkit(*, needed: bool = False) -> Toolkit:
    """Torch's, if torch has been imported or is ``needed``. Raises ``ImportError`` if it is needed
    and not installed."""
    if not _TORCH and (needed or "torch" in _modules):
        try:
            _TORCH.append(_import("autograder.runner.torch_toolkit").TorchToolkit())
        except Exception:
            if needed:
                raise
            return _PLAIN  # a notebook's own module of that name
    return _TORCH[0] if _TORCH else _PLAIN


def needs_tensors(request: Call) -> bool:
    """Whether a call cannot be made without torch: for gradients, on a device, with modules or
    objects of ours."""
    if request.gradient or request.stand_ins or request.place is not None:
        return True
    return any(
        isinstance(value, Module)
        or (isinstance(value, ConstructedObject) and (value.ours or bool(value.slots)))
        for value in request.args
    )
