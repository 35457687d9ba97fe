"""Rewriting rules as they are written: a piece of Python, and others that mean the same.

A rule is a block of text. Its parts are separated by lines that hold ``=>`` alone; the first is
what is looked for, each further one may replace it. A single capital letter stands for any
expression (as an attribute, for any name), the same letter for the same one throughout; ``F`` and
``T`` stand for themselves: they name ``torch.nn.functional`` and a transpose.
A part of several lines is matched against statements that follow one another.

Not covered: types. ``X[I]`` is an entry of a list as well as rows of a table, so only
running the rewritten program shows whether it means the same.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeVar

_THEMSELVES = frozenset({"F", "T"})
_UNSEEN = frozenset({"ctx", "type_comment", "kind"})  # fields that do not affect a node's meaning
_BODIES = ("body", "orelse", "finalbody")

Bound = dict[str, ast.expr | str]
Node = TypeVar("Node", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class RewriteRule:
    """What is looked for, and what means the same."""

    pattern: tuple[ast.stmt, ...]
    others: tuple[tuple[ast.stmt, ...], ...]


def rules(text: str) -> tuple[RewriteRule, ...]:
    """The rules of a text; blank lines separate them."""
    found = []
    for block in text.strip("\n").split("\n\n"):
        first, *others = (tuple(ast.parse(part).body) for part in block.split("\n=>\n"))
        found.append(RewriteRule(first, tuple(others)))
    return tuple(found)


def rewritten(tree: ast.Module, rule: RewriteRule) -> Iterator[ast.Module]:
    """The program with the rule applied at one place, for each place and each way."""
    for other in rule.others:
        expression, instead = _expression(rule.pattern), _expression(other)
        if expression is not None and instead is not None:
            yield from _expressions(tree, expression, instead)
        else:
            yield from _statements(tree, rule.pattern, other)


def _expression(part: tuple[ast.stmt, ...]) -> ast.expr | None:
    match part:
        case (ast.Expr(value=value),):
            return value
    return None


def _expressions(tree: ast.Module, pattern: ast.expr, instead: ast.expr) -> Iterator[ast.Module]:
    for place, node in enumerate(ast.walk(tree)):
        bound: Bound = {}
        if isinstance(node, ast.expr) and _is_read(node) and _matches(pattern, node, bound):
            changed = copy.deepcopy(tree)
            target = next(at for n, at in enumerate(ast.walk(changed)) if n == place)
            _Exchange(target, _filled(instead, bound)).visit(changed)
            yield changed


def _statements(
    tree: ast.Module, pattern: tuple[ast.stmt, ...], instead: tuple[ast.stmt, ...]
) -> Iterator[ast.Module]:
    for place, node in enumerate(ast.walk(tree)):
        for field in _BODIES:
            body = getattr(node, field, None)
            if not isinstance(body, list):
                continue
            for at in range(len(body) - len(pattern) + 1):
                bound: Bound = {}
                run = body[at : at + len(pattern)]
                if all(_matches(p, s, bound) for p, s in zip(pattern, run, strict=True)):
                    changed = copy.deepcopy(tree)
                    owner = next(held for n, held in enumerate(ast.walk(changed)) if n == place)
                    lines = getattr(owner, field)
                    lines[at : at + len(pattern)] = [_filled(one, bound) for one in instead]
                    yield changed


def _is_read(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", ast.Load()), ast.Load)


def _matches(pattern: object, node: object, bound: Bound) -> bool:
    """Whether a node has the pattern's form; what the letters stand for is noted in ``bound``."""
    if isinstance(pattern, ast.Name) and _is_letter(pattern.id):
        if not isinstance(node, ast.expr) or isinstance(node, ast.Slice | ast.Starred):
            return False
        return _bind(pattern.id, node, bound)
    if isinstance(pattern, ast.AST):
        if type(pattern) is not type(node):
            return False
        return all(
            _matches_field(name, value, getattr(node, name, None), bound)
            for name, value in ast.iter_fields(pattern)
            if name not in _UNSEEN
        )
    if isinstance(pattern, list):
        return (
            isinstance(node, list)
            and len(pattern) == len(node)
            and all(_matches(p, n, bound) for p, n in zip(pattern, node, strict=True))
        )
    return type(pattern) is type(node) and pattern == node


def _matches_field(name: str, pattern: object, node: object, bound: Bound) -> bool:
    if name == "attr" and isinstance(pattern, str) and _is_letter(pattern):
        return isinstance(node, str) and bound.setdefault(f".{pattern}", node) == node
    return _matches(pattern, node, bound)


def _bind(letter: str, node: ast.expr, bound: Bound) -> bool:
    before = bound.setdefault(letter, node)
    assert isinstance(before, ast.expr)
    return ast.unparse(before) == ast.unparse(node)


def _is_letter(name: str) -> bool:
    return len(name) == 1 and name.isupper() and name not in _THEMSELVES


def _filled(part: Node, bound: Bound) -> Node:
    """The part with what its letters stand for."""
    filled: Node = _Fill(bound).visit(copy.deepcopy(part))
    return filled


class _Fill(ast.NodeTransformer):
    def __init__(self, bound: Bound) -> None:
        self._bound = bound

    def visit_Name(self, node: ast.Name) -> ast.expr:
        held = self._bound.get(node.id) if _is_letter(node.id) else None
        return copy.deepcopy(held) if isinstance(held, ast.expr) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        held = self._bound.get(f".{node.attr}")
        node.attr = held if isinstance(held, str) else node.attr
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        held = self._bound.get(node.arg)
        node.arg = held.id if isinstance(held, ast.Name) else node.arg
        return node


class _Exchange(ast.NodeTransformer):
    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self._old, self._new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self._new if node is self._old else self.generic_visit(node)
