"""Runs otter's exception-based test files as otter does, without otter: a program of its own.

    python otter_loader.py FOLDER NOTEBOOK ...

FOLDER has tests/ and what they need, and is where it runs. Each notebook's cells are run in one
namespace after another, then every test file in order; a line of JSON tells the points by file.
"""

from __future__ import annotations

import inspect
import json
import os
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


def run_notebook(path: Path) -> dict[str, Any]:
    """The names that its code cells leave."""
    names: dict[str, Any] = {"__name__": "__main__"}
    for cell in json.loads(path.read_text())["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), "<cell>", "exec"), names)
    return names


def main(folder: str, *notebooks: str) -> None:
    """As said above."""
    install()
    os.chdir(folder)
    for notebook in notebooks:
        names = run_notebook(Path(notebook))
        found = {p.stem: run_test(p, names) for p in sorted(Path("tests").glob("*.py"))}
        print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
