"""What torch was built for, without importing it: an import takes seconds, and the processes of a
scheduler or worker need no torch of their own.

The file read is the one from which torch gets its own ``__version__``. The version in the package's
metadata may differ: on some platforms it lacks what follows the plus sign.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

NONE, NO_TORCH = "none", "torch is not installed"


@dataclass(frozen=True, slots=True)
class TorchBuild:
    """``version``: "none" if torch is not installed. ``cuda`` and ``hip``: the versions that it was
    built for, None if not."""

    version: str
    cuda: str | None = None
    hip: str | None = None


@cache
def torch_build() -> TorchBuild:
    """The build of the torch that this Python would import; only its version if it is unusual."""
    found = find_spec("torch")
    if found is None:
        return TorchBuild(NONE)
    said = constants(Path(found.origin).with_name("version.py")) if found.origin else {}
    own = said.get("__version__") or version("torch")
    return TorchBuild(own, said.get("cuda"), said.get("hip"))


def constants(path: Path) -> dict[str, str]:
    """The text constants of a Python module; empty if it cannot be read."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, SyntaxError):
        return {}
    found: dict[str, str] = {}
    for node in tree.body:
        names = node.targets if isinstance(node, ast.Assign) else []
        names = [node.target] if isinstance(node, ast.AnnAssign) else names
        value = node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            found.update({name.id: value.value for name in names if isinstance(name, ast.Name)})
    return found
