"""Finds who holds a tensor: an argument, an attribute, a layer outside its module, a global.

Only plain dictionaries are read, never a student's properties or methods; every search is
bounded in depth and breadth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import FrameType, FunctionType, ModuleType
from typing import Any

import torch

from autograder.runner.simulated.labels import Label, holder, label_of, lineage

MAX_DEPTH, MAX_ITEMS, MAX_VISITS = 4, 200, 20_000
_Tensor, _Module = torch.Tensor, torch.nn.Module
_plain = torch._C.DisableTorchFunction
_OWN = frozenset(vars(_Module())) | {"training"}  # what every module has: hooks, its parts
_PARTS = ("_parameters", "_buffers")
_ATOMS = (str, bytes, int, float, complex, bool, type(None), type, ModuleType, FunctionType)
Found = tuple[str, str]
_Visit = Callable[[torch.Tensor, str, str], None]


def search(
    odd: torch.Tensor, *, arguments: Sequence[object], names: Mapping[str, object],
    frames: Sequence[FrameType], direct: bool,
) -> Found | None:  # fmt: skip
    """The origin and name of what holds a tensor, or one that it was computed from.

    The nearest holder counts; of equally near ones an argument, then an attribute or a layer,
    then a global. ``direct``: only the tensor itself and views of it.
    """
    near = _Nearness(odd, direct=direct)
    best: tuple[int, int, Found] | None = None
    for rank, kind, name, tensor in _held(arguments, names, frames):
        distance = near.of(tensor)
        if distance is not None and (best is None or (distance, rank) < best[:2]):
            best = (distance, rank, (kind, name))
            if (distance, rank) == (0, 0):
                break
    return best[2] if best is not None else None


class _Nearness:
    """How far a held tensor is from the odd one: 0 the same storage, then steps of its history."""

    def __init__(self, odd: torch.Tensor, *, direct: bool) -> None:
        with _plain():
            self._holder = holder(odd)
        labels: list[Label] = list(lineage(label_of(odd)))
        self._steps = {id(one): n for n, one in enumerate(labels[:1] if direct else labels)}

    def of(self, tensor: torch.Tensor) -> int | None:
        """None for a tensor that has nothing to do with it."""
        with _plain():
            if holder(tensor) is self._holder:
                return 0
        label = label_of(tensor)
        return self._steps.get(id(label)) if label is not None else None


def _held(
    arguments: Sequence[object], names: Mapping[str, object], frames: Sequence[FrameType]
) -> Iterator[tuple[int, str, str, torch.Tensor]]:
    """Every tensor in reach: the rank and kind of its holder, the holder's name, the tensor."""
    seen: set[int] = set()
    for n, argument in enumerate(arguments):
        name = _called(argument, frames) or f"argument {n + 1}"
        for tensor in _loose(argument, 0):
            yield 0, "argument", name, tensor
    for root in (*arguments, *_selves(frames)):
        for kind, name, tensor in _walk(root, type(root).__name__, 0, seen, inside=False):
            yield 1, kind, name, tensor
    for name, value in islice(list(names.items()), 20 * MAX_ITEMS):
        if name.startswith("_") or isinstance(value, _ATOMS):
            continue
        if isinstance(value, _Module) or hasattr(value, "__dict__"):
            for kind, attribute, tensor in _walk(value, type(value).__name__, 0, seen,
                                                 inside=False):
                yield 2, kind, attribute, tensor
        for tensor in _loose(value, 0):
            yield 3, "global", name, tensor
        if isinstance(value, _Module):
            for tensor in _parts(value):
                yield 4, "global", name, tensor


def _called(argument: object, frames: Sequence[FrameType]) -> str:
    """What the student's outermost function calls an argument."""
    for frame in reversed(frames):
        code = frame.f_code
        for name in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]:
            if frame.f_locals.get(name) is argument:
                return name
    return ""


def _selves(frames: Sequence[FrameType]) -> Iterator[object]:
    """The objects whose methods are in progress, innermost first."""
    for frame in frames:
        code = frame.f_code
        if code.co_argcount:
            own = frame.f_locals.get(code.co_varnames[0])
            if own is not None and not isinstance(own, (*_ATOMS, _Tensor, list, tuple, dict)):
                yield own


def _loose(value: object, depth: int) -> Iterator[torch.Tensor]:
    """Tensors that are a value or lie in lists, tuples and dictionaries of it."""
    if isinstance(value, _Tensor):
        yield value
    elif depth < MAX_DEPTH and isinstance(value, list | tuple | dict):
        for _, one in _items(value):
            yield from _loose(one, depth + 1)


def tensors_within(values: Sequence[object]) -> Iterator[torch.Tensor]:
    """Tensors among arguments, and the parameters and buffers of modules among them."""
    for value in values:
        yield from _loose(value, 0)
        if isinstance(value, _Module):
            yield from _parts(value)


def _parts(module: Any) -> Iterator[torch.Tensor]:
    """Parameters and buffers of a module and of its registered submodules."""
    todo, seen = [module], set()
    while todo and len(seen) < MAX_ITEMS:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        own = _dictionary(one)
        for part in _PARTS:
            for tensor in list(_pairs(own.get(part)).values()):
                if isinstance(tensor, _Tensor):
                    yield tensor
        todo += [sub for sub in _pairs(own.get("_modules")).values() if isinstance(sub, _Module)]


def _walk(
    value: object, path: str, depth: int, seen: set[int], *, inside: bool
) -> Iterator[tuple[str, str, torch.Tensor]]:
    """Tensors that an object holds, with their names.

    ``inside``: the object is held outside the registered parts, so its own parts count too.
    """
    if isinstance(value, _Tensor):
        if depth:
            yield "attribute", path, value
        return
    if isinstance(value, _ATOMS) or len(seen) > MAX_VISITS or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, list | tuple | dict):
        if depth <= MAX_DEPTH:
            for key, one in _items(value):
                yield from _walk(one, f"{path}[{_shown(key)}]", depth + 1, seen, inside=inside)
        return
    if depth > MAX_DEPTH:
        return
    lies_loose = depth > 0
    if isinstance(value, _Module):
        yield from _walk_module(value, path, depth, seen, loose=lies_loose)
    for name, one in attributes(value):
        yield from _walk(one, f"{path}.{name}", depth + 1, seen, inside=inside)


def _walk_module(
    module: Any, path: str, depth: int, seen: set[int], *, loose: bool
) -> Iterator[tuple[str, str, torch.Tensor]]:
    """Registered submodules, which start a path of their own; parts of a loose module."""
    own = _dictionary(module)
    if loose:
        for part in _PARTS:
            for name, tensor in _pairs(own.get(part)).items():
                if isinstance(tensor, _Tensor):
                    yield "layer", f"{path}.{name}", tensor
    for name, sub in list(_pairs(own.get("_modules")).items()):
        if not isinstance(sub, _Module) or id(sub) in seen:
            continue
        if loose:
            yield from _walk(sub, f"{path}.{name}", depth, seen, inside=True)
        elif len(seen) < MAX_VISITS:
            yield from _walk(sub, type(sub).__name__, 0, seen, inside=False)


def attributes(value: Any) -> list[tuple[str, object]]:
    """What an object and its classes hold by name, without what every module has."""
    found = [
        (name, one) for name, one in islice(list(_dictionary(value).items()), MAX_ITEMS)
        if isinstance(name, str) and not (isinstance(value, _Module) and name in _OWN)
    ]  # fmt: skip
    for kind in type.__getattribute__(type(value), "__mro__"):
        if kind in (_Module, object) or kind.__module__.split(".")[0] in ("torch", "builtins"):
            continue
        members = list(type.__getattribute__(kind, "__dict__").items())
        found += [
            (name, one) for name, one in islice(members, MAX_ITEMS)
            if isinstance(one, _Tensor | list | tuple | dict | _Module)
            and not name.startswith("__")
        ]  # fmt: skip
    return found


def _dictionary(value: object) -> dict[Any, Any]:
    """An object's own dictionary, read past any ``__getattribute__`` of its class."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except Exception:  # noqa: BLE001  slots, or a descriptor of the student's
        return {}
    return found if type(found) is dict else {}


def _pairs(value: object) -> dict[Any, Any]:
    return value if isinstance(value, dict) else {}


def _items(value: Any) -> list[tuple[object, object]]:
    """The first entries of a container, by its base class's own methods."""
    if isinstance(value, dict):
        return list(islice(dict.items(value), MAX_ITEMS))
    base = list if isinstance(value, list) else tuple
    return list(enumerate(islice(base.__iter__(value), MAX_ITEMS)))


def _shown(key: object) -> str:
    if type(key) in (str, int, bool, float):
        return repr(key)[:60]
    return type(key).__name__[:60]
