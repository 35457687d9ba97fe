"""Reads students' objects without calling any of their code: no property, no method, no ``==``.

Covered: classes that misreport themselves, metaclasses, cycles (by the caller), size. Not covered:
objects with slots and no dictionary; they count as holding nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from types import FrameType, SimpleNamespace
from typing import Any, TypeGuard, TypeVar

import torch

MAX_ITEMS = 200
_Kind = TypeVar("_Kind")
_Tensor, _Module = torch.Tensor, torch.nn.Module
_OWN = frozenset(vars(_Module())) | {"training"}  # what every module has: hooks, its parts
_PARTS = ("_parameters", "_buffers")
_LIBRARY = ("torch", "builtins")
# bypasses a student's metaclass
class_name: Callable[[type], str] = type.__dict__["__name__"].__get__
_mro: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_members: Callable[[type], Mapping[str, Any]] = type.__dict__["__dict__"].__get__


def is_a(value: object, kind: type[_Kind]) -> TypeGuard[_Kind]:
    """``isinstance`` without asking the object, whose class may misreport itself or have side
    effects."""
    return issubclass(type(value), kind)  # a class is not asked what it is


def is_container(value: object) -> TypeGuard[list[Any] | tuple[Any, ...] | dict[Any, Any]]:
    """A list, a tuple or a dictionary."""
    return issubclass(type(value), list | tuple | dict)


def dictionary(value: object) -> dict[Any, Any]:
    """An object's own dictionary, bypassing any ``__getattribute__`` of its class."""
    try:
        found = object.__getattribute__(value, "__dict__")
    except BaseException:  # noqa: BLE001  slots, or a descriptor of the student's
        return {}
    return found if type(found) is dict else {}


def is_students(value: object) -> bool:
    """Whether an object is of a class that a notebook defines, a module, or a plain namespace."""
    kind = type(value)
    if issubclass(kind, _Module | SimpleNamespace):
        return True
    return _members(kind).get("__module__") == "__main__"


def items(value: list[Any] | tuple[Any, ...] | dict[Any, Any]) -> list[tuple[object, object]]:
    """The first entries of a container, by its base class's own methods."""
    if is_a(value, dict):
        return list(islice(dict.items(value), MAX_ITEMS))
    walk: Any = list.__iter__ if is_a(value, list) else tuple.__iter__
    return list(enumerate(islice(walk(value), MAX_ITEMS)))


def parts(module: object) -> list[tuple[str, torch.Tensor]]:
    """Parameters and buffers that are registered with a module itself."""
    return [
        (name, one)
        for part in _PARTS
        for name, one in list(_registered(module, part).items())
        if is_a(one, _Tensor)
    ]


def submodules(module: object) -> list[tuple[str, torch.nn.Module]]:
    """Modules that are registered with a module itself."""
    found = list(_registered(module, "_modules").items())
    return [(name, one) for name, one in found if is_a(one, _Module)]


def all_parts(module: torch.nn.Module) -> Iterator[torch.Tensor]:
    """Parameters and buffers of a module and of the modules below it."""
    todo = [module]
    seen: set[int] = set()
    while todo and len(seen) < MAX_ITEMS:
        one = todo.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield from (tensor for _, tensor in parts(one))
            todo += [below for _, below in submodules(one)]


def attributes(value: object) -> list[tuple[str, object]]:
    """What an object and its classes hold by name, without what every module has."""
    is_module = is_a(value, _Module)
    found = [
        (name, one)
        for name, one in islice(list(dictionary(value).items()), MAX_ITEMS)
        if type(name) is str and not (is_module and name in _OWN)
    ]
    for kind in _mro(type(value)):
        members = _members(kind)
        if str(members.get("__module__")).partition(".")[0] in _LIBRARY:
            continue
        found += [
            (name, one)
            for name, one in islice(list(members.items()), MAX_ITEMS)
            if type(name) is str
            and not name.startswith("__")
            and (is_a(one, _Tensor) or is_a(one, _Module) or is_container(one))
        ]
    return found


def parameters(frame: FrameType) -> list[str]:
    """The names of a function's parameters, without ``*args`` and ``**kwargs``."""
    code = frame.f_code
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def _registered(module: object, part: str) -> dict[Any, Any]:
    found = dictionary(module).get(part)
    return found if is_a(found, dict) else {}
