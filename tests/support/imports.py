"""The package's modules and the imports between them."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "autograder"


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


@cache
def modules() -> dict[Path, str]:
    """Every file of ours and the name of its module, without the package's own."""
    paths = sorted(ROOT.rglob("*.py"))
    return {p: ".".join(p.relative_to(ROOT).with_suffix("").parts) for p in paths}


def room(module: str) -> str:
    return module.partition(".")[0]


@cache
def imports(path: Path) -> set[str]:
    """Every import, at any depth: hiding one in a function does not hide it here."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


@cache
def imported_modules() -> dict[str, set[str]]:
    """The modules of ours that each module imports."""
    names = set(modules().values())
    graph: dict[str, set[str]] = {}
    for path, module in modules().items():
        needed = {name.partition(".")[2] for name in imports(path) if room(name) == "autograder"}
        either = needed | {name.rpartition(".")[0] for name in needed}  # a module, or a name in it
        graph[module] = either & names
    return graph
