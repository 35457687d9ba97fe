"""A cell's statements in normal form, without those that only show or explain something.

Left out: comments, docstrings, imports, annotations, ``print`` and ``display``, bare names that
show a value, ``pass``. A block gives its head, then the statements inside it.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.similarity.model import CodeLines
from autograder.similarity.naming import Naming
from autograder.similarity.normal import Node, Normal, node, numbers_in

_SHOWS = frozenset({"print", "display"})
_NOWHERE: frozenset[str] = frozenset()
_SILENT = (ast.Pass, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal)


@dataclass(frozen=True, slots=True)
class CodePiece:
    """One statement, or the head of a block. ``stores`` and ``loads``: own names that it binds and
    reads. ``idle``: it does nothing but bind them. ``tables``: the numbers of each table in it.
    ``inside``: the names of the own functions that contain it."""

    root: Node
    place: CodeLines
    stores: frozenset[str]
    loads: frozenset[str]
    idle: bool
    tables: tuple[tuple[float, ...], ...] = ()
    inside: frozenset[str] = frozenset()


def pieces(tree: ast.Module, cell: int, naming: Naming) -> Iterator[CodePiece]:
    """The pieces of a cell in the order of its lines."""
    normal = Normal(naming)
    pending: list[tuple[ast.AST, frozenset[str]]] = [(one, _NOWHERE) for one in tree.body[::-1]]
    while pending:
        part, functions = pending.pop()
        head, inside = _head(part, normal)
        within = functions
        if isinstance(part, ast.FunctionDef) and part.name in naming.own:
            within = functions | {part.name}
        pending.extend((one, within) for one in reversed(inside))
        if head is not None:
            place = CodeLines(cell, *_lines(part, inside))
            yield CodePiece(head, place, *_uses(part, inside, naming.own), functions)


def in_use(found: Sequence[CodePiece]) -> list[CodePiece]:
    """The pieces that have an effect: without values that are never read and functions that are
    never called."""
    kept = list(found)
    while True:
        readers = Counter(name for one in kept for name in one.loads - one.stores)
        inner = Counter(name for one in kept for name in (one.loads & one.inside) - one.stores)
        live = {name for name, count in readers.items() if count > inner[name]}
        left = [
            one
            for one in kept
            if one.inside <= live and not (one.idle and one.stores and not one.stores & live)
        ]
        if len(left) == len(kept):
            return left
        kept = left


def _head(part: ast.AST, normal: Normal) -> tuple[Node | None, Sequence[ast.AST]]:
    """The normal form of a statement without its block, and the block."""
    match part:
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            kids = [normal.named(part.name), *normal.parameters(part.args)]
            return node("def", [*kids, *map(normal.of, part.decorator_list)]), part.body
        case ast.ClassDef():
            kids = [normal.named(part.name), *map(normal.of, part.bases)]
            return node("class", kids), part.body
        case ast.For() | ast.AsyncFor():
            kids = [normal.of(part.target), normal.of(part.iter)]
            return node("for", kids), [*part.body, *part.orelse]
        case ast.While(test=test):
            return node("while", [normal.of(test)]), [*part.body, *part.orelse]
        case ast.If(test=test):
            return node("if", [normal.of(test)]), [*part.body, *part.orelse]
        case ast.With(items=items) | ast.AsyncWith(items=items):
            return node("with", map(normal.of, items)), part.body
        case ast.Try() | ast.TryStar():
            return None, [*part.body, *part.handlers, *part.orelse, *part.finalbody]
        case ast.ExceptHandler(type=kind):
            return node("except", [normal.of(kind)] if kind else []), part.body
        case ast.Match(subject=subject, cases=cases):
            return node("match", [normal.of(subject)]), cases
        case ast.match_case(pattern=pattern):
            return node("case", [normal.of(pattern)]), part.body
    return (None if _is_silent(part) else _simple(part, normal)), ()


def _simple(part: ast.AST, normal: Normal) -> Node:
    match part:
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return node("=", [normal.of(target), normal.of(value)])
        case ast.Assign(targets=targets, value=value):
            return node("=", [*map(normal.of, targets), normal.of(value)])
        case ast.AugAssign(target=target, op=op, value=value):
            load = normal.of(target)
            return node("=", [load, normal.of(ast.BinOp(left=target, op=op, right=value))])
    return normal.of(part)


def _is_silent(part: ast.AST) -> bool:
    """Whether a statement only shows, explains or declares names."""
    match part:
        case ast.Expr(value=ast.Constant() | ast.Name() | ast.Attribute() | ast.JoinedStr()):
            return True
        case ast.Expr(value=ast.Call(func=ast.Name(id=name))):
            return name in _SHOWS
        case ast.AnnAssign(value=None):
            return True
    return isinstance(part, _SILENT)


def _uses(
    part: ast.AST, inside: Sequence[ast.AST], own: frozenset[str]
) -> tuple[frozenset[str], frozenset[str], bool, tuple[tuple[float, ...], ...]]:
    """What a statement does without its block: ``stores``, ``loads``, ``idle`` and ``tables`` of
    its piece."""
    stores, loads, tables = set(), set(), []
    idle = isinstance(part, ast.Assign | ast.AnnAssign | ast.FunctionDef)
    skipped = {id(one) for one in inside}
    pending: list[ast.AST] = [part]
    while pending:
        one = pending.pop()
        match one:
            case ast.Name(id=name, ctx=ast.Load()):
                loads.add(name)
            case ast.Name(id=name) | ast.arg(arg=name):
                stores.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                stores.add(name)
                idle = idle and name in own
            case ast.Attribute(ctx=ast.Store()) | ast.Subscript(ctx=ast.Store()):
                idle = False
            case ast.List() | ast.Tuple():
                if numbers := numbers_in(one):
                    tables.append(numbers)
                    continue
        pending.extend(kid for kid in ast.iter_child_nodes(one) if id(kid) not in skipped)
    idle = idle and stores <= own and not isinstance(getattr(part, "value", None), ast.Call)
    return frozenset(stores & own), frozenset(loads & own), idle, tuple(tables)


def _lines(part: ast.AST, inside: Sequence[ast.AST]) -> tuple[int, int]:
    """The first and last line of a statement without its block."""
    first = _line([part])
    last = _line(inside) - 1 if inside else getattr(part, "end_lineno", None) or first
    return first, max(first, last)


def _line(inside: Sequence[ast.AST]) -> int:
    """The line on which a block begins; 1 if there is none."""
    match inside[0] if inside else None:
        case ast.stmt(lineno=line) | ast.excepthandler(lineno=line):
            return line
        case ast.match_case(pattern=ast.pattern(lineno=line)):
            return line
    return 1
