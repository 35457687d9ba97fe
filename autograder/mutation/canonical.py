"""A normal form of programs: two that plainly do the same have equal forms."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

_LARGEST = 10**15  # beyond this a power is not worked out
_FOLDED: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_NO_CHANGE: dict[type[ast.operator], int] = {
    ast.Add: 0,
    ast.Sub: 0,
    ast.Mult: 1,
    ast.Div: 1,
    ast.Pow: 1,
}
# methods that leave the numbers as they are
_SAME = frozenset({"clone", "contiguous"})


def canonical(tree: ast.Module) -> str:
    """Constants worked out, ``x * 1``, ``x + 0``, ``range(0, n, 1)`` and ``.clone()`` undone,
    ``b * a`` and ``b == a`` in one order, what never runs left out."""
    copy = ast.parse(ast.unparse(tree))
    return ast.dump(_Canonical().visit(copy))


def is_symmetric(function: ast.FunctionDef) -> bool:
    """Whether a function of two parameters plainly gives the same when they are swapped."""
    names = [a.arg for a in function.args.args]
    if len(names) != 2:
        return False
    other = dict(zip(names, reversed(names), strict=True))
    copy = ast.parse("\n".join(ast.unparse(part) for part in function.body))
    for node in ast.walk(copy):
        if isinstance(node, ast.Name):
            node.id = other.get(node.id, node.id)
    before = ast.parse("\n".join(ast.unparse(part) for part in function.body))
    return ast.dump(_Canonical().visit(before)) == ast.dump(_Canonical().visit(copy))


class _Canonical(ast.NodeTransformer):
    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return _constant(node.value)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                return _constant(-value)
            case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not(), operand=inner)):
                return inner
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.BinOp(
                left=ast.Constant(value=int() | float() as left),
                right=ast.Constant(value=int() | float() as right),
            ):
                return _fold(node, left, right)
            case ast.BinOp(left=left, op=op, right=ast.Constant(value=int() | float() as one)):
                if _NO_CHANGE.get(type(op)) == one and not isinstance(one, bool):
                    return left
            case ast.BinOp(left=ast.Constant(value=int() | float() as one), op=op, right=right):
                if isinstance(op, ast.Add | ast.Mult) and _NO_CHANGE[type(op)] == one:
                    return right
        if isinstance(node.op, ast.Mult):
            node.left, node.right = sorted((node.left, node.right), key=ast.dump)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.Eq | ast.NotEq):
            node.left, node.comparators[0] = sorted((node.left, node.comparators[0]), key=ast.dump)
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        nothing: list[ast.stmt] = [ast.Pass()]
        if isinstance(node.test, ast.Constant):
            return (node.body if node.test.value else node.orelse) or nothing
        if not node.orelse and all(isinstance(part, ast.Pass) for part in node.body):
            return nothing
        return node

    def visit_Slice(self, node: ast.Slice) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.lower, ast.Constant) and node.lower.value == 0 and not node.step:
            node.lower = None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Attribute(value=inner, attr=name), args=[]) if name in _SAME:
                return inner
            case ast.Call(
                func=ast.Name(id="range") | ast.Attribute(attr="arange"),
                args=[start, stop, ast.Constant(value=1)],
            ):
                node.args = [start, stop]
        match node:
            case ast.Call(
                func=ast.Name(id="range") | ast.Attribute(attr="arange"),
                args=[ast.Constant(value=0), stop],
            ):
                node.args = [stop]
        return node


def _constant(value: object) -> ast.Constant:
    """3.0 and 3 are one number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _LARGEST:
        value = int(value)
    return ast.Constant(value=value)  # type: ignore[arg-type]


def _fold(node: ast.BinOp, left: float, right: float) -> ast.AST:
    fold = _FOLDED.get(type(node.op))
    if isinstance(node.op, ast.Pow) and abs(left) <= 10**4 and 0 <= right <= 3:
        fold = operator.pow
    by_zero = right == 0 and isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod)
    if fold is None or by_zero:
        return node
    return _constant(fold(left, right))
