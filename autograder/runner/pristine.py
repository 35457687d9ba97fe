"""The functions of libraries as they were before any student code, for the time of a test.

Covered: names of modules and of tensor classes that a notebook bound to something else, such as
an ``allclose`` that is always true. Not covered: code objects that were changed in place, names
of the notebook itself that hide a builtin, what a test's own arguments say when compared.
"""

from __future__ import annotations

import builtins
import code
import contextlib
import math
import operator
import sys
import unittest
from collections.abc import Iterator
from typing import Any

import numpy as np
import torch

_BY_NAME = (
    "numpy.testing", "numpy.linalg", "numpy.ma", "torch.testing", "torch.nn.functional", "doctest",
    "inspect", "statistics", "itertools", "functools", "re",
)  # fmt: skip
_vars, _setattr, _callable = vars, setattr, callable
_ABSENT = object()


class Originals:
    """What each of the modules and classes held when this was made."""

    def __init__(self) -> None:
        owners: list[Any] = [builtins, math, operator, np, torch, torch.Tensor, unittest.TestCase]
        owners += [contextlib, code.InteractiveInterpreter, sys.modules["autograder.runner.tests"]]
        owners += [sys.modules[name] for name in _BY_NAME if name in sys.modules]
        self._held = [
            (owner, {name: one for name, one in _vars(owner).items() if _callable(one)})
            for owner in owners
        ]

    @contextlib.contextmanager
    def in_place(self) -> Iterator[None]:
        """Put back what was bound anew; afterwards the notebook has its own again."""
        changed: list[tuple[Any, str, Any]] = []
        for owner, held in self._held:
            now = _vars(owner)
            for name, original in held.items():
                if now.get(name) is not original:
                    changed.append((owner, name, now.get(name, _ABSENT)))
                    _setattr(owner, name, original)
        try:
            yield
        finally:
            for owner, name, theirs in changed:
                if theirs is not _ABSENT:
                    _setattr(owner, name, theirs)
