"""Stands in for ``autograder.student`` in the sandbox, so that a notebook that checks itself runs
there, too.

Nothing is checked here: every public method of a Grader except ``data`` does nothing and returns
None.
``%load_ext`` is quiet anyway, and the shell runs a ``%%check`` cell as an ordinary one. Not
covered: a notebook that continues only when a check has passed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, ClassVar

from autograder.wire.convert import data_from_wire
from autograder.wire.values import Value

NAME = "autograder.student"


class Grader:
    """Accepts whatever the real one accepts. ``values``: the student's own, by exercise."""

    values: ClassVar[dict[str, tuple[Value, ...]]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

    def data(self, exercise: str) -> Any:
        """A fresh copy of the student's own values for an exercise."""
        if exercise not in self.values:
            raise KeyError(f"there are no values of your own for {exercise!r}")
        return data_from_wire(self.values[exercise])

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("_"):
            raise AttributeError(name)
        return _nothing


def load_ipython_extension(shell: object) -> None:
    """Does nothing: the shell already knows its magic."""


def install() -> None:
    """Make imports find the stand-in from now on; until then no module of that name exists."""
    sys.meta_path.append(_Finder())


def _nothing(*args: Any, **kwargs: Any) -> None: ...


class _Finder:
    """Finds the module and loads it from here."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        return ModuleSpec(name, self) if name == NAME else None  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None: ...

    def exec_module(self, module: ModuleType) -> None:
        module.__dict__.update(Grader=Grader, load_ipython_extension=load_ipython_extension)
