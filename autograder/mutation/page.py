"""A cell as a tree whose every node knows its text, its parent and its place in the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from autograder.assignment.model import Exercise
from autograder.notebook.structure.names import parse

Function = ast.FunctionDef | ast.AsyncFunctionDef
_ATOMS = (
    ast.Name,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.Constant,
    ast.List,
    ast.Dict,
    ast.Set,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.JoinedStr,
)
# where an expression of any precedence needs no parentheses
_ROOMY = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr, ast.keyword, ast.If)
_BRACKETS = (ast.List, ast.Set, ast.Dict, ast.Slice, ast.Tuple)


@dataclass(frozen=True, slots=True)
class Edit:
    """Bytes ``begin`` to ``end`` of the cell become ``text``. ``as_if`` completes "It is as if
    ...", without anything of the cell; "" where that would be vague.
    """

    begin: int
    end: int
    text: str
    as_if: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """The source of an exercise's solution cell, parsed."""

    exercise: Exercise
    source: bytes
    tree: ast.Module
    starts: tuple[int, ...]  # where each line begins
    parents: Mapping[ast.AST, ast.AST]

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First byte of a node, and the one after its last."""
        at = node
        assert isinstance(at, ast.expr | ast.stmt | ast.keyword | ast.alias | ast.arg)
        assert at.end_lineno is not None and at.end_col_offset is not None
        return (
            self.starts[at.lineno - 1] + at.col_offset,
            self.starts[at.end_lineno - 1] + at.end_col_offset,
        )

    def text(self, node: ast.AST) -> str:
        """A node as it is written, without parentheses around it."""
        begin, end = self.span(node)
        return self.source[begin:end].decode()

    def operand(self, node: ast.AST) -> str:
        """A node as it may be written before a dot or an operator."""
        return self.text(node) if isinstance(node, _ATOMS) else f"({self.text(node)})"

    def parent(self, node: ast.AST) -> ast.AST | None:
        """The node that directly contains a node."""
        return self.parents.get(node)

    def above(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes that contain a node, nearest first."""
        at = self.parents.get(node)
        while at is not None:
            yield at
            at = self.parents.get(at)

    def function(self, node: ast.AST) -> Function | None:
        """The nearest function that a node is in."""
        return next((up for up in self.above(node) if isinstance(up, Function)), None)

    def owner(self, function: Function) -> ast.ClassDef | None:
        """The class whose method a function is."""
        up = self.parents.get(function)
        return up if isinstance(up, ast.ClassDef) else None

    def alone(self, node: ast.stmt) -> bool:
        """Whether a statement shares its lines with no other code."""
        begin, end = self.span(node)
        before = self.source[self.starts[node.lineno - 1] : begin]
        after = self.source[end:].split(b"\n", 1)[0].strip()
        return not before.strip() and (not after or after.startswith(b"#"))

    def put(self, node: ast.AST, text: str, as_if: str = "") -> Edit:
        """Write ``text`` in place of a node, in parentheses where precedence requires them."""
        begin, end = self.span(node)
        if isinstance(node, ast.expr) and self._falls_apart(node, text):
            text = f"({text})"
        return Edit(begin, end, text, as_if)

    def _falls_apart(self, node: ast.expr, text: str) -> bool:
        up = self.parents.get(node)
        if isinstance(node, ast.Slice) or isinstance(up, _BRACKETS):
            return False
        if isinstance(up, _ROOMY):
            return "\n" in text
        if isinstance(up, ast.Call) and node is not up.func:
            return False
        if isinstance(up, ast.Subscript) and node is up.slice:
            return False
        begin, end = self.span(node)
        if self.source[begin - 1 : begin] == b"(" and self.source[end : end + 1] == b")":
            return False  # its own parentheses: those of a call are seen above
        return not isinstance(ast.parse(f"({text})", mode="eval").body, _ATOMS)

    def apply(self, edit: Edit) -> str:
        """The source with one edit made."""
        return (self.source[: edit.begin] + edit.text.encode() + self.source[edit.end :]).decode()

    def line(self, place: int) -> int:
        """The line (from 1) of a byte."""
        return sum(start <= place for start in self.starts)


def open_page(source: str, exercise: Exercise) -> Page | None:
    """Read a cell; None when it is not Python, or only without its magics."""
    tree = parse(source)
    if tree is None or not _plain(source):
        return None
    held = source.encode()
    starts = [0]
    starts += [at + 1 for at, byte in enumerate(held) if byte == 10]
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    return Page(exercise, held, tree, tuple(starts), parents)


def _plain(source: str) -> bool:
    try:
        ast.parse(source)
    except (SyntaxError, ValueError):
        return False
    return True


def called(node: ast.AST) -> str:
    """``c`` of the call ``a.b.c(...)``; empty for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name
    return ""


def number(node: ast.AST | None) -> int | float | None:
    """The value of a number as written, sign included; None for anything else."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return None if isinstance(value, bool) else -value
    return None


def parameters(function: Function) -> list[str]:
    """The names of a function's parameters in order, ``self`` and ``cls`` left out."""
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    return [name for name in names if name not in ("self", "cls")]
