"""A course's own modules, inputs.py and checks.py, imported from their source text.

Modules and names of ours that have moved since the previous release can still be imported under
their old names, so that assignments and public evidence written for it keep working.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.abc
import importlib.util
import inspect
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

_MOVED = {  # packages and modules that an assignment may import: old and new names
    "autograder.checks": "autograder.judging.checks",
    "autograder.spec": "autograder.assignment",
    "autograder.verdict": "autograder.judging.verdict",
}
_NAMES = {  # by current module: old and new names
    "autograder.judging.checks.relation": {
        "CallSeen": "CallView",
        "Held": "DecodedValue",
        "Seen": "RelationView",
    },
    "autograder.wire.values": {"Made": "ConstructedObject"},
}

Functions = Mapping[str, Callable[..., Any]]


def functions_of(source: bytes, path: str) -> Functions:
    """The public functions that a module defines itself, by name. Raises whatever it raises."""
    name = f"autograder_course_{hashlib.sha256(path.encode() + source).hexdigest()[:12]}"
    loader = _Loader(path, source)
    spec = importlib.util.spec_from_loader(name, loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    members = inspect.getmembers(module, inspect.isfunction)
    return {n: f for n, f in members if f.__module__ == name and not n.startswith("_")}


def on_arrays(relations: Functions) -> Functions:
    """Relations as they are called in an assignment without torch: what they look at has NumPy
    arrays in place of tensors."""
    return {name: _on_arrays(relation) for name, relation in relations.items()}


def _on_arrays(relation: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(relation)
    def called(seen: Any) -> Any:
        return relation(seen.with_arrays())

    return called


class _Loader(importlib.abc.SourceLoader):
    """Loads one module from source text. Bytecode files are not used: they are matched to a text
    only by its size and the second in which it was written."""

    def __init__(self, path: str, source: bytes) -> None:
        self._path, self._source = path, source

    def get_filename(self, fullname: str) -> str:
        return self._path

    def get_data(self, path: str | bytes) -> bytes:
        return self._source

    def source_to_code(self, data: Any, path: Any = "") -> CodeType:  # type: ignore[override]
        tree = ast.parse(data, filename=path)
        return compile(_Moved().visit(tree), path, "exec", dont_inherit=True)


class _Moved(ast.NodeTransformer):
    """Replaces the old names of moved modules in imports."""

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            if alias.asname:  # without it, the packages in between are used too
                alias.name = _now(alias.name)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        node.module = _now(node.module or "")
        names = _NAMES.get(node.module, {})
        for alias in node.names:
            if alias.name in names:
                alias.name, alias.asname = names[alias.name], alias.asname or alias.name
        return node


def _now(module: str) -> str:
    """The current name of a module."""
    for before, now in _MOVED.items():
        if f"{module}.".startswith(f"{before}."):
            return now + module.removeprefix(before)
    return module
