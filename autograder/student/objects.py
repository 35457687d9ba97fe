"""A student's own names and objects: recorded before calls that may change them, and restored.

Covered: what each name is bound to; parameters, buffers, gradients and modes of modules; numbers of
tensors and arrays; items of lists, dictionaries and sets. All of these only if a name refers to
them directly. Not covered: objects of other classes (an optimizer's own state), objects that only
other objects hold, numbers beyond ``MAX_BYTES`` in total, tensors on an accelerator.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

MAX_BYTES = 256 * 1024**2
_TORCH = "autograder.student.torch_objects"
PutBack = Callable[[], object]


@contextlib.contextmanager
def objects_kept(namespace: dict[str, Any]) -> Iterator[None]:
    """A context manager that restores the names and their objects at its end."""
    notes = ObjectNotes(namespace)
    for value in list(namespace.values()):
        with contextlib.suppress(Exception):  # an object that cannot even be inspected
            notes.take(value)
    try:
        with bindings_kept(namespace):
            yield
    finally:
        for put_back in notes.steps:
            with contextlib.suppress(Exception):
                put_back()


@contextlib.contextmanager
def bindings_kept(namespace: dict[str, Any]) -> Iterator[None]:
    """A context manager that restores what each name is bound to at its end."""
    before = dict(namespace)
    try:
        yield
    finally:
        for name in [name for name in namespace if name not in before]:
            del namespace[name]
        for name, value in before.items():
            if name not in namespace or namespace[name] is not value:
                namespace[name] = value


class ObjectNotes:
    """The recorded state of objects, and the steps that restore it."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self.steps: list[PutBack] = []
        self._seen = {id(namespace)}  # its own names are kept separately
        self._left = MAX_BYTES

    def take(self, value: Any) -> None:
        """Record one object."""
        if id(value) in self._seen:
            return
        self._seen.add(id(value))
        if "torch" in sys.modules and importlib.import_module(_TORCH).take(value, self):
            return
        if isinstance(value, np.ndarray):
            self._array(value)
        elif type(value) in (list, dict, set):
            self._container(value)

    def has_room(self, size: int) -> bool:
        """Whether a copy of this many bytes may be kept; if so, they are taken off."""
        if size > self._left:
            return False
        self._left -= size
        return True

    def _array(self, array: Any) -> None:
        if array.dtype.hasobject or not array.flags.writeable or not self.has_room(array.nbytes):
            return
        before = array.copy()

        def put_back() -> None:
            if before.tobytes() != array.tobytes():
                np.copyto(array, before)

        self.steps.append(put_back)

    def _container(self, container: Any) -> None:
        before = container.copy()

        def put_back() -> None:
            if _items(container) == _items(before):
                return
            if isinstance(container, list):
                container[:] = before
            else:
                container.clear()
                container.update(before)

        self.steps.append(put_back)


def _items(container: Any) -> list[tuple[int, ...]]:
    """Which objects a container holds: their values may not be comparable."""
    if isinstance(container, dict):
        return [(id(key), id(value)) for key, value in container.items()]
    return [(id(item),) for item in container]
