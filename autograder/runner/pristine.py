"""The libraries as they were before any student code, for the time of a test.

Covered, for the modules below and the classes in them: names that were bound to something else (an
``allclose`` that is always true), added names that hide a builtin or an inherited method, functions
whose code was changed in place; what the import system finds; the builtins among the notebook's
names. Not covered: names of the notebook itself that hide a builtin or a module, what a value says
when a test compares it, code that searches for the objects of this module.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograder.runner.toolkit import toolkit

PACKAGES = ("IPython", "autograder.runner", "numpy", "pandas", "torch.testing", "traitlets")
OWN = ("autograder.runner.", "autograder.wire.")
MODULES = frozenset(
    {
        "ast",
        "asyncio",
        "builtins",
        "cmath",
        # What runs examples is as it was.
        "code",
        "codeop",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "doctest",
        "fractions",
        "functools",
        "gc",
        "inspect",
        "io",
        "itertools",
        "json",
        "linecache",
        "math",
        "numbers",
        "numpy.linalg",
        "numpy.ma",
        "numpy.testing",
        "operator",
        "os",
        "random",
        "re",
        "signal",
        "statistics",
        "string",
        "sys",
        "textwrap",
        "threading",
        "time",
        "tokenize",
        "traceback",
        "types",
        "typing",
        "unittest",
        "unittest.case",
        "unittest.mock",
        "unittest.util",
        "warnings",
    }
)
_KEPT = (ModuleType, float, complex, np.generic)  # of what cannot be called: modules, constants
_ABSENT = object()
_setattr, _delattr, _set_class = type.__setattr__, type.__delattr__, object.__setattr__
_list, _vars_of_class = list, type.__dict__["__dict__"].__get__
_system = vars(sys)
_FINDERS = ("meta_path", "path_hooks")
_HEAP = 1 << 9  # the flag of a class that was not made in C

_Body = tuple[CodeType, Any, dict[str, Any]]  # code, defaults, defaults of keywords
Change = tuple[Any, MutableMapping[str, Any], str, Any]  # owner, its names, which, its value


@dataclass(frozen=True, slots=True)
class _Owner:
    """A module or a class, the live mapping of its names, and what these were bound to."""

    owner: Any
    now: MutableMapping[str, Any]
    held: Mapping[str, Any]
    names: frozenset[str]
    hideable: frozenset[str]  # names that something added here would hide

    def differences(self) -> Iterator[tuple[str, Any]]:
        """Each name that has changed, and its original value."""
        now = self.now
        for name, original in self.held.items():
            if now.get(name) is not original:
                yield name, original
        for name in (now.keys() - self.names) & self.hideable:
            if _works(now[name]):  # what was added hides no builtin or method
                yield name, _ABSENT


class Own:
    """The grader's own functions here as they were: what is said of a call rests on them.

    Against code that replaces one by its name. What runs in one process with student code can only
    claim.
    """

    def __init__(self) -> None:
        modules = {name: one for name, one in sys.modules.items() if f"{name}.".startswith(OWN)}
        self._owners = [*map(_of_module, modules.values())]
        self._owners += [
            _of_class(found) for found in dict.fromkeys(_classes(self._owners, modules.keys()))
        ]
        self._bodies = dict(_bodies(self._owners))

    def restore(self) -> None:
        """Put back what was bound anew, for good."""
        for owner in self._owners:
            for name, original in _list(owner.differences()):
                _bind(owner.owner, owner.now, name, original)
        _restore_bodies(self._bodies)


class Originals:
    """The original state of the modules, their classes and functions, and the import system."""

    def __init__(self) -> None:
        names = MODULES | toolkit().modules
        for name in names:  # otherwise a notebook could import and change it first
            importlib.import_module(name)
        modules = {
            name: module
            for name, module in sys.modules.items()
            if (name in names or f"{name}.".startswith(tuple(f"{p}." for p in PACKAGES)))
            and isinstance(module, ModuleType)
        }
        self._owners = [_of_module(builtins), *map(_of_module, modules.values())]
        self._owners += [
            _of_class(found) for found in dict.fromkeys(_classes(self._owners, modules.keys()))
        ]
        self._bodies = dict(_bodies(self._owners))
        self._kinds = [(module, type(module)) for module in modules.values()]
        self._imported = (sys.modules, dict(sys.modules))
        self._finders = [(name, _system[name], [*_system[name]]) for name in _FINDERS]

    def restore(self, names: dict[str, Any], own: Mapping[str, Any]) -> list[Change]:
        """Put back what was bound anew, and bind ``own`` and the builtins among ``names``.

        Returns what was there, for ``give_back``.

        Builtins come first: nothing uses them before.
        """
        changed: list[Change] = []
        for owner in self._owners:
            for name, original in _list(owner.differences()):
                _put(changed, owner.owner, owner.now, name, original)
        for name, value in {**own, "__builtins__": builtins}.items():
            _put(changed, None, names, name, value)
        modules, imported = self._imported
        _put(changed, sys, _system, "modules", modules)
        for name, module in imported.items():
            _put(changed, None, modules, name, module)
        for name, finders, original in self._finders:
            _put(changed, sys, _system, name, finders)
            finders[:] = original
        for module, kind in self._kinds:
            if type(module) is not kind:
                _set_class(module, "__class__", kind)
        _restore_bodies(self._bodies)
        return changed


def give_back(changed: list[Change]) -> None:
    """Undo ``restore``: bind again what it found."""
    for owner, now, name, theirs in reversed(changed):
        _bind(owner, now, name, theirs)


def _put(
    changed: list[Change], owner: Any, now: MutableMapping[str, Any], name: str, original: Any
) -> None:
    theirs = now.get(name, _ABSENT)
    if theirs is not original:
        changed.append((owner, now, name, theirs))
        _bind(owner, now, name, original)


def _bind(owner: Any, now: MutableMapping[str, Any], name: str, value: Any) -> None:
    if isinstance(owner, type):
        if value is _ABSENT:
            _delattr(owner, name)
        else:
            _setattr(owner, name, value)
    elif value is _ABSENT:
        del now[name]
    else:
        now[name] = value


def _works(value: Any) -> bool:
    """Whether a name bound to this does something when it is used: a call or a descriptor."""
    return callable(value) or hasattr(type(value), "__get__")


def _restore_bodies(bodies: Mapping[FunctionType, _Body]) -> None:
    for function, (code, defaults, keywords) in bodies.items():
        if function.__code__ is not code:
            function.__code__ = code
        if function.__defaults__ is not defaults:
            function.__defaults__ = defaults
        if keywords:
            # Defaults of keywords that were changed in place.
            function.__kwdefaults__ = dict(keywords)


def _of_module(module: ModuleType) -> _Owner:
    now = vars(module)
    held = {n: value for n, value in now.items() if callable(value) or isinstance(value, _KEPT)}
    return _Owner(module, now, held, frozenset(now), frozenset(vars(builtins)))


def _of_class(found: type) -> _Owner:
    now = _vars_of_class(found)
    held = {name: value for name, value in now.items() if _works(value)}
    inherited = frozenset().union(*(_vars_of_class(base) for base in found.__mro__[1:]))
    return _Owner(found, now, held, frozenset(now), inherited)


def _classes(owners: list[_Owner], modules: Any) -> Iterator[type]:
    """The classes made by Python code, which it may change, where they are defined."""
    for owner in owners:
        for value in owner.held.values():
            if isinstance(value, type) and value.__flags__ & _HEAP and value.__module__ in modules:
                yield value


def _bodies(owners: list[_Owner]) -> Iterator[tuple[FunctionType, _Body]]:
    """The code and the defaults of each function, including those inside a wrapper or a
    property."""
    for owner in owners:
        for value in owner.held.values():
            if isinstance(value, ModuleType | type):
                continue
            inner = (getattr(value, "__wrapped__", None), getattr(value, "fget", None))
            for body in (value, *inner):
                if isinstance(body, FunctionType):
                    keywords = dict(body.__kwdefaults__ or {})
                    yield body, (body.__code__, body.__defaults__, keywords)
