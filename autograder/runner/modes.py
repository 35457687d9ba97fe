"""Torch's function and dispatch modes, in which a notebook's functions see other code."""

from __future__ import annotations

from typing import Any

from torch import _C
from torch.utils._device import DeviceContext

from autograder.runner.toolkit import Steps

# bound here once: this runs before the notebook's changes to the libraries are undone
_FUNCTION_MODES, _DISPATCH_MODES = (
    tuple(getattr(_C, f"_{step}_torch_{sort}_stack") for step in ("len", "pop", "push_on"))
    for sort in ("function", "dispatch")
)
_type = type


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
