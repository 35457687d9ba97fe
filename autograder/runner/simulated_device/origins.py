"""Finds who holds a tensor: an argument, an attribute, a layer outside its module, a global.

Covered: what ``reading`` can see, four containers deep, the first 200 entries of each, some
thousand objects in all.
Not covered: what only a closure, a generator or a cache of ``functools`` holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import FrameType, FunctionType, ModuleType

import torch

from autograder.runner.simulated_device.labels import device_of, holder, label_of, lineage
from autograder.runner.simulated_device.reading import (
    all_parts,
    attributes,
    class_name,
    is_a,
    is_container,
    is_students,
    items,
    parameters,
    parts,
    submodules,
)

MAX_DEPTH, MAX_NAMES = 4, 1000
MAX_VISITS, MAX_LOOSE = 3000, 1000  # objects of one search, values of one name
_Tensor, _Module = torch.Tensor, torch.nn.Module
_plain = torch._C.DisableTorchFunction
_ATOMS = (str, bytes, int, float, complex, type(None), type, ModuleType, FunctionType)
_NOT_THEIRS = re.compile(r"__.*|_i*|_i?\d+|_[iod]h")  # IPython's own names
Found = tuple[str, str]
_Held = tuple[str, str, torch.Tensor]  # the kind of holder, the holder's name, the tensor


def search(
    odd: torch.Tensor,
    *,
    arguments: Sequence[object],
    names: Mapping[str, object],
    frames: Sequence[FrameType],
    direct: bool,
) -> Found | None:
    """The origin and name of what holds a tensor, or one that it was computed from.

    The nearest holder counts; of equally near ones an argument, then an attribute or a layer, then
    a global. ``frames``: the student's, innermost first. ``direct``: only the tensor itself and
    views of it.
    """
    near = _Nearness(odd, direct=direct)
    best: tuple[int, Found] | None = None
    for kind, name, tensor in _held(odd, arguments, names, frames):
        distance = near.of(tensor)
        if distance is not None and (best is None or distance < best[0]):
            best = (distance, (kind, name))
            if distance == 0:
                break
    return best[1] if best is not None else None


class _Nearness:
    """How far a held tensor is from the odd one: 0 for the same storage, then steps of its
    history."""

    def __init__(self, odd: torch.Tensor, *, direct: bool) -> None:
        with _plain():
            self._holder = holder(odd)
        labels = list(lineage(label_of(odd)))
        self._steps = {id(one): n for n, one in enumerate(labels[:1] if direct else labels)}

    def of(self, tensor: torch.Tensor) -> int | None:
        """Distance of a tensor; None if it is unrelated."""
        with _plain():
            if holder(tensor) is self._holder:
                return 0
        label = label_of(tensor)
        return self._steps.get(id(label)) if label is not None else None


def tensors_within(values: Sequence[object]) -> Iterator[torch.Tensor]:
    """Tensors among arguments, and the parameters and buffers of modules among them."""
    for value in values:
        yield from _loose(value)
        if is_a(value, _Module):
            yield from all_parts(value)


def _held(
    odd: torch.Tensor,
    arguments: Sequence[object],
    names: Mapping[str, object],
    frames: Sequence[FrameType],
) -> Iterator[_Held]:
    """Every tensor in reach, the most informative holders first."""
    seen: set[int] = set()
    for n, argument in enumerate(arguments):
        name = _called(n, arguments, frames)
        for tensor in (*_loose(argument), *_unmoved(argument, odd)):
            yield "argument", name, tensor
    for root in (*arguments, *_selves(frames)):
        yield from _walk(root, class_name(type(root)), 0, seen)
    several = [
        (name, value)
        for name, value in islice(list(names.items()), MAX_NAMES)
        if not _NOT_THEIRS.fullmatch(name) and not issubclass(type(value), _ATOMS)
    ]
    for _, value in several:
        if not is_container(value):
            yield from _walk(value, class_name(type(value)), 0, seen)
    for name, value in several:
        for tensor in (*_loose(value), *(all_parts(value) if is_a(value, _Module) else ())):
            yield "global", name, tensor


def _unmoved(argument: object, odd: torch.Tensor) -> list[torch.Tensor]:
    """The parts of a module all of whose parts are where the odd tensor is."""
    found = list(all_parts(argument)) if is_a(argument, _Module) else []
    place = device_of(odd)
    return found if all(device_of(one) == place for one in found) else []


def _called(place: int, arguments: Sequence[object], frames: Sequence[FrameType]) -> str:
    """The student's outermost function's name for an argument; its position if the name is gone."""
    for frame in reversed(frames):
        for name in parameters(frame):
            if frame.f_locals.get(name) is arguments[place]:
                return name
    if frames:
        named = parameters(frames[-1])
        if named[:1] == ["self"] and frames[-1].f_locals.get("self") is not arguments[0]:
            named = named[1:]
        if place < len(named):
            return named[place]
    return f"argument {place + 1}"


def _selves(frames: Sequence[FrameType]) -> Iterator[object]:
    """The objects whose methods are in progress, innermost first."""
    for frame in frames:
        for name in parameters(frame)[:1]:
            own = frame.f_locals.get(name)
            if not is_container(own) and not issubclass(type(own), (*_ATOMS, _Tensor)):
                yield own


def _loose(value: object) -> Iterator[torch.Tensor]:
    """Tensors that are the value or are in lists, tuples and dictionaries of it."""
    todo = [(value, 0)]
    for _ in range(MAX_LOOSE):  # how much of a name is looked at
        if not todo:
            return
        one, depth = todo.pop()
        if is_a(one, _Tensor):
            yield one
        elif depth < MAX_DEPTH and is_container(one):
            todo += [(below, depth + 1) for _, below in reversed(items(one))]


def _walk(value: object, path: str, depth: int, seen: set[int]) -> Iterator[_Held]:
    """Tensors that an object holds, with their names.

    Parts of a module count only if the module itself is loose: ``depth`` is not 0.
    """
    if is_a(value, _Tensor):
        if depth:
            yield "attribute", path, value
        return
    known = id(value) in seen or issubclass(type(value), _ATOMS)
    if known or len(seen) > MAX_VISITS or depth > MAX_DEPTH:
        return
    seen.add(id(value))
    if is_container(value):
        for key, one in items(value):
            yield from _walk(one, f"{path}[{_shown(key)}]", depth + 1, seen)
        return
    if not is_students(value):
        return
    if is_a(value, _Module):
        yield from _walk_module(value, path, depth, seen)
    for name, one in attributes(value):
        yield from _walk(one, f"{path}.{name}", depth + 1, seen)


def _walk_module(module: torch.nn.Module, path: str, depth: int, seen: set[int]) -> Iterator[_Held]:
    """Parts of a loose module; of one in its place, its submodules, each named from the start
    again."""
    if depth:
        for name, tensor in parts(module):
            yield "layer", f"{path}.{name}", tensor
    for name, below in submodules(module):
        if depth:
            yield from _walk(below, f"{path}.{name}", depth, seen)
        else:
            yield from _walk(below, class_name(type(below)), 0, seen)


def _shown(key: object) -> str:
    if type(key) in (str, int, bool, float):
        return repr(key)[:60]
    return class_name(type(key))[:60]
