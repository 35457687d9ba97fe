"""The random generators and torch's settings: recorded before calls that change them, and restored.

Covered: the generators of NumPy and Python; where torch is used, those of ``torch_settings``.
"""

from __future__ import annotations

import contextlib
import importlib
import random
import sys
from collections.abc import Callable, Iterator, Sequence

import numpy as np

_TORCH = "autograder.student.torch_settings"
PutBack = Callable[[], object]


@contextlib.contextmanager
def settings_kept() -> Iterator[None]:
    """A context manager that restores all settings and generators at its end."""
    steps = list(_noted())
    try:
        yield
    finally:
        for put_back in steps:
            with contextlib.suppress(Exception):  # torch may refuse one, but not the others
                put_back()


def _noted() -> Iterator[PutBack]:
    for note in (_python, _numpy, *_of_torch()):
        with contextlib.suppress(Exception):  # a setting that this torch does not have
            yield note()


def _of_torch() -> Sequence[Callable[[], PutBack]]:
    """How torch's are recorded, if the notebook has imported it."""
    if "torch" not in sys.modules:
        return ()
    notes: Sequence[Callable[[], PutBack]] = importlib.import_module(_TORCH).NOTES
    return notes


def _python() -> PutBack:
    state = random.getstate()
    return lambda: random.setstate(state)


def _numpy() -> PutBack:
    state = np.random.get_state()
    return lambda: np.random.set_state(state)
