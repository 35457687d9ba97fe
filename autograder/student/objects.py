"""A student's own names and objects: recorded before calls that may change them, and restored.

Covered: what each name is bound to; parameters, buffers, gradients and modes of modules; numbers of
tensors and arrays; items of lists, dictionaries and sets. All of these only if a name refers to
them directly. Not covered: objects of other classes (an optimizer's own state), objects that only
other objects hold, numbers beyond ``MAX_BYTES`` in total, tensors on an accelerator.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch

MAX_BYTES = 256 * 1024**2
_Tensor, _Module = torch.Tensor, torch.nn.Module
PutBack = Callable[[], object]


@contextlib.contextmanager
def objects_kept(namespace: dict[str, Any]) -> Iterator[None]:
    """A context manager that restores the names and their objects at its end."""
    notes = _Notes(namespace)
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


class _Notes:
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
        if isinstance(value, _Module):
            self._module(value)
        elif isinstance(value, _Tensor):
            self._tensor(value)
        elif isinstance(value, np.ndarray):
            self._array(value)
        elif type(value) in (list, dict, set):
            self._container(value)

    def _module(self, module: torch.nn.Module) -> None:
        modes = [(one, one.training) for one in _Module.modules(module)]

        def put_back() -> None:
            for one, mode in modes:
                object.__setattr__(one, "training", mode)

        self.steps.append(put_back)
        for tensor in (*_Module.parameters(module), *_Module.buffers(module)):
            self.take(tensor)

    def _tensor(self, tensor: torch.Tensor) -> None:
        """Its gradient (the object and its numbers) and its own numbers."""
        gradient = tensor.grad if tensor.is_leaf else None
        needed = tensor.requires_grad
        numbers = self._numbers(gradient) if gradient is not None else None

        def put_back() -> None:
            if tensor.is_leaf:
                if tensor.requires_grad != needed:
                    tensor.requires_grad_(needed)
                tensor.grad = gradient
            if gradient is not None and numbers is not None:
                gradient.data.copy_(numbers)

        self.steps.append(put_back)
        self._values(tensor)

    def _values(self, tensor: torch.Tensor) -> None:
        """``data`` has its own version counter: a graph that waits for its backward does not
        notice."""
        version, numbers = tensor._version, self._numbers(tensor)

        def put_back() -> None:
            if numbers is not None and tensor._version != version:
                tensor.data.copy_(numbers)

        self.steps.append(put_back)

    def _numbers(self, tensor: torch.Tensor) -> torch.Tensor | None:
        size = tensor.numel() * tensor.element_size()
        if tensor.device.type != "cpu" or size > self._left:
            return None
        self._left -= size
        return tensor.detach().clone()

    def _array(self, array: Any) -> None:
        if array.dtype.hasobject or not array.flags.writeable or array.nbytes > self._left:
            return
        self._left -= array.nbytes
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
