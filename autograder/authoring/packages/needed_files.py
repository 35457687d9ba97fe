"""Which files of ours a package needs: what it imports, what that imports, and so on.

Covered: every import at any depth of a module, also inside functions; modules that a text in it
names (``python -m``, a program given as text); files that a text names, in the module's folder or
below, or in a folder beside it that a text names (templates, styles). Not covered: names that are
put together while it runs; docstrings, on purpose.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = ROOT.name
DISTRIBUTION = "boxgrader"  # what pip installs; `autograder` in its index is another project
_MODULE = re.compile(rf"\b{PROJECT}(?:\.\w+)+")


def modules_of(package: str) -> Mapping[str, bytes]:
    """The files of a package of ours with all that they import of ours, by relative name
    ("autograder/student/shell.py"), in order. Raises ``ModuleNotFoundError``."""
    pending = [package, *(_dotted(path) for path in _folder(package).rglob("*.py"))]
    needed: set[Path] = set()
    while pending:
        for path in _files(pending.pop()):
            if path not in needed:
                tree = ast.parse(path.read_bytes())
                texts = frozenset(_texts(tree))
                needed |= {path, *_named_files(path, texts)}
                ours = (name for name in imported(tree) if name.split(".")[0] == PROJECT)
                # Programs that are started by name are in the package.
                pending += [*ours, *_MODULE.findall("\n".join(texts))]
    named = {path.relative_to(ROOT.parent).as_posix(): path for path in needed}
    return {name: named[name].read_bytes() for name in sorted(named)}


def _folder(package: str) -> Path:
    folder = ROOT.parent.joinpath(*package.split("."))
    if not (folder / "__init__.py").is_file():
        raise ModuleNotFoundError(f"there is no package {package!r}", name=package)
    return folder


def _dotted(path: Path) -> str:
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts)


def _files(module: str) -> Iterator[Path]:
    """The file of a module and those of its packages; for a name in a module, that module's."""
    parts = module.split(".")
    for length in range(1, len(parts) + 1):
        place = ROOT.parent.joinpath(*parts[:length])
        for path in (place / "__init__.py", place.with_suffix(".py")):
            if path.is_file():
                yield path


def imported(tree: ast.AST) -> Iterator[str]:
    """What a module imports, at any depth; each imported name may itself be a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _texts(tree: ast.AST) -> Iterator[str]:
    """The texts of a module except its docstrings."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value


def _named_files(path: Path, texts: frozenset[str]) -> Iterator[Path]:
    """The files near a module, modules excluded, that one of its texts names."""
    beside = [path.parent.parent / text for text in texts if text.isidentifier()]
    for folder in (path.parent, *(place for place in beside if place.is_dir())):
        for file in folder.rglob("*"):
            if file.name in texts and file.suffix not in (".py", ".pyc") and file.is_file():
                yield file
