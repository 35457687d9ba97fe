"""Runs otter's exception-based test files as otter does, without otter."""

from __future__ import annotations

import inspect
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any


class test_case:
    """The decorator."""

    def __init__(
        self,
        name: str | None = None,
        points: float | None = None,
        hidden: bool = False,
        success_message: str | None = None,
        failure_message: str | None = None,
    ) -> None:
        self.name, self.points, self.hidden = name, points, hidden
        self.function: Callable[..., None] = lambda: None

    def __call__(self, function: Callable[..., None]) -> test_case:
        self.function = function
        return self

    def passes(self, names: dict[str, Any]) -> str:
        """Why it does not; "" when it does."""
        wanted = inspect.signature(self.function).parameters
        given = {name: names if name == "env" else names.get(name) for name in wanted}
        try:
            self.function(**given)
        except Exception as bad:
            return f"{type(bad).__name__}: {bad}"
        return ""


def install() -> None:
    """``otter.test_files.test_case`` can be imported from now on."""
    otter, files = types.ModuleType("otter"), types.ModuleType("otter.test_files")
    files.test_case = test_case  # type: ignore[attr-defined]
    sys.modules |= {"otter": otter, "otter.test_files": files}


def run_test(path: Path, names: dict[str, Any]) -> dict[str, Any]:
    """One test file against a namespace."""
    env: dict[str, Any] = {}
    exec(compile(path.read_text(), str(path), "exec"), env)
    assert env["OK_FORMAT"] is False
    cases = [value for value in env.values() if isinstance(value, test_case)]
    said = {case.name: case.passes(names) for case in cases}
    earned = sum(case.points for case in cases if not said[case.name])
    return {"points": earned, "said": said}
