"""Which names in a submission the author chose, and what imported names stand for."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Naming:
    """``own``: names that the author chose. ``attributes``: those set on ``self``. ``imported``:
    a name and the dotted path that it stands for."""

    own: frozenset[str]
    attributes: frozenset[str]
    imported: Mapping[str, str]


def naming(trees: Iterable[ast.Module], kept: frozenset[str], given: Mapping[str, str]) -> Naming:
    """The names of a submission. ``kept``: names that the assignment or its template gives;
    ``given``: what the template imports. Methods keep their names: a framework calls them."""
    bound: set[str] = set()
    methods: set[str] = set()
    attributes: set[str] = set()
    imported = dict(given)
    for tree in trees:
        selves = _selves(tree)
        for node in ast.walk(tree):
            match node:
                case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                    bound.add(name)
                case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                    bound.add(name)
                case ast.ClassDef(name=name, body=body):
                    bound.add(name)
                    methods.update(x.name for x in body if isinstance(x, ast.FunctionDef))
                case ast.ExceptHandler(name=str(name)):
                    bound.add(name)
                case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    bound.add(name)
                case ast.Attribute(attr=name, ctx=ast.Store(), value=ast.Name(id=of)):
                    attributes.update([name] if of in selves else [])
                case ast.Import() | ast.ImportFrom():
                    imported.update(imports(node))
    own = bound - kept - methods - imported.keys()
    return Naming(frozenset(own), frozenset(attributes), imported)


def imports(node: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """The names that an import binds, with their dotted paths."""
    found = {}
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            found[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
        elif alias.asname:
            found[alias.asname] = alias.name
        else:
            top = alias.name.split(".")[0]
            found[top] = top
    return found


def _selves(tree: ast.Module) -> set[str]:
    """The names that methods of classes use for their object."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            methods = (one for one in node.body if isinstance(one, ast.FunctionDef))
            found.update(method.args.args[0].arg for method in methods if method.args.args)
    return found
