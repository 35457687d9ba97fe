"""The pieces of a cell in the order in which they run, and whether a piece surely runs.

Covered as not sure: what is under a test for a name (``if "x" in globals()``) or one that never
holds (``if False``, ``TYPE_CHECKING``), and what may fail because a name is missing (``try`` with
``except NameError``, ``suppress(NameError)``). Not covered: any other branch or loop; they count as
run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_NAMESPACES = frozenset({"globals", "locals", "vars", "dir"})
_CATCHES = frozenset({"NameError", "Exception", "BaseException"})  # a missing name

Piece = tuple[ast.AST, bool]


def in_order(body: list[ast.stmt]) -> Iterator[Piece]:
    """Simple statements, definitions and the heads of blocks, each with whether it surely runs."""
    pending: list[Piece] = [(node, True) for node in reversed(body)]
    while pending:
        node, sure = pending.pop()
        parts: list[Piece]
        match node:
            case ast.If(test=test) | ast.While(test=test):
                inside = sure and not _dead(test) and not asks_for_names(test)
                parts = [(test, sure), *_all([*node.body, *node.orelse], inside)]
            case ast.For() | ast.AsyncFor():
                parts = _all([node.iter, node.target, *node.body, *node.orelse], sure)
            case ast.With() | ast.AsyncWith():
                forgiven = any(_suppresses(item.context_expr) for item in node.items)
                parts = [*_all(node.items, sure), *_all(node.body, sure and not forgiven)]
            case ast.Try() | ast.TryStar():
                caught = any(_catches(handler.type) for handler in node.handlers)
                inner = [part for handler in node.handlers for part in _handler(handler)]
                rest = _all([*inner, *node.orelse, *node.finalbody], sure)
                parts = [*_all(node.body, sure and not caught), *rest]
            case ast.Match():
                parts = _all([node.subject, *(p for c in node.cases for p in _case(c))], sure)
            case _:
                yield node, sure
                continue
        pending.extend(reversed(parts))


def asks_for_names(node: ast.AST) -> bool:
    """Whether this looks a name up in a namespace: ``"x" in globals()``."""
    return any(
        isinstance(part, ast.Call)
        and isinstance(part.func, ast.Name)
        and part.func.id in _NAMESPACES
        for part in ast.walk(node)
    )


def _all(nodes: list[ast.AST] | list[ast.stmt] | list[ast.withitem], sure: bool) -> list[Piece]:
    return [(node, sure) for node in nodes]


def _handler(handler: ast.ExceptHandler) -> Iterator[ast.AST]:
    if handler.type is not None:
        yield handler.type
    if handler.name:
        yield ast.Name(id=handler.name, ctx=ast.Store())
    yield from handler.body


def _case(case: ast.match_case) -> Iterator[ast.AST]:
    yield case.pattern
    if case.guard is not None:
        yield case.guard
    yield from case.body


def _dead(test: ast.AST) -> bool:
    match test:
        case ast.Constant(value=value):
            return not value
        case ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"):
            return True
    return False


def _catches(kind: ast.AST | None) -> bool:
    """Whether ``except kind`` catches a missing name."""
    match kind:
        case None:
            return True
        case ast.Name(id=name):
            return name in _CATCHES
        case ast.Tuple(elts=elements):
            return any(
                isinstance(element, ast.Name) and element.id in _CATCHES for element in elements
            )
    return False


def _suppresses(context: ast.AST) -> bool:
    match context:
        case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=kinds):
            return any(_catches(kind) for kind in kinds)
    return False
