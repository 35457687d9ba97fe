"""Stands in for otter-grader in the sandbox, so that a notebook made for it runs there, too.

Every method of a Notebook does nothing and returns None. ``test_case`` marks a test function as the
real one does, so that a file of tests can be loaded. Not covered: plugins, and a notebook that
continues only when a check has passed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

NAMES = ("otter", "otter.test_files")


class Notebook:
    """Accepts whatever the real one accepts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _nothing


class test_case:
    """Returns the function that it decorates."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.test_func: Callable[..., Any] = _nothing

    def __call__(self, function: Callable[..., Any]) -> test_case:
        self.test_func = function
        return self


def install() -> None:
    """Make imports find the stand-ins from now on, whether or not the real package is installed."""
    sys.meta_path.insert(0, _Finder())


def _nothing(*args: Any, **kwargs: Any) -> None: ...


class _Finder:
    """Finds the two modules and loads them from here."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        package = name == NAMES[0]
        return ModuleSpec(name, self, is_package=package) if name in NAMES else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None: ...

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(Notebook=Notebook, test_case=test_case)
