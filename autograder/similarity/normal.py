"""Expressions and statements in a normal form that does not depend on how they are written.

Covered: own names, the order of operands of commutative operations and comparisons, the order of
keyword arguments, import aliases, ``x += y``, annotations, strings, the values of numbers. Not
covered: other ways to compute the same result; ``for`` against ``while``.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from autograder.similarity.naming import Naming

MAX_DEPTH = 100  # depth of an expression; deeper parts are all alike
EXACT = frozenset({0, 1, 2})  # numbers that affect the structure
FEWEST = 4  # numbers in a table that somebody may have made up

_COMMUTES = (ast.Add, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_TURNED: dict[type[ast.cmpop], str] = {ast.Gt: "Lt", ast.GtE: "LtE"}
_EITHER_WAY = (ast.Eq, ast.NotEq, ast.Is, ast.IsNot)


def digest(text: str) -> int:
    """A number of 63 bits for a text, the same on every machine."""
    made = hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(made, "big") >> 1


@dataclass(frozen=True, slots=True)
class Node:
    """A part of a statement. ``name`` is the author's own, else empty; ``size`` counts nodes;
    ``flat`` is a digest in which all own names are alike."""

    label: str
    kids: tuple[Node, ...]
    name: str
    size: int
    flat: int


def node(label: str, kids: Iterable[Node] = (), name: str = "") -> Node:
    """A node with its size and digest."""
    inside = tuple(kids)
    flat = digest(f"{label}({','.join(str(kid.flat) for kid in inside)})")
    return Node(label, inside, name, 1 + sum(kid.size for kid in inside), flat)


DEEP = node("deep")
OWN = "·"


class Normal:
    """Brings syntax trees of one submission into the normal form."""

    def __init__(self, naming: Naming) -> None:
        self._naming = naming

    def of(self, part: ast.AST, depth: int = 0) -> Node:
        """The normal form of an expression, or of a part that a statement has."""
        if depth > MAX_DEPTH:
            return DEEP
        match part:
            case ast.Name(id=name):
                return self.named(name)
            case ast.Attribute():
                return self._attribute(part, depth)
            case ast.Constant(value=value):
                return node(coarse(value))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)):
                return node(coarse(value))
            case ast.JoinedStr():
                return node("str")
            case ast.BinOp(left=left, op=op, right=right):
                kids = [self.of(left, depth + 1), self.of(right, depth + 1)]
                ordered = _sorted(kids) if isinstance(op, _COMMUTES) else kids
                return node(type(op).__name__, ordered)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(op, left, right, depth)
            case ast.Call(func=function, args=args, keywords=keywords):
                kids = [self.of(arg, depth + 1) for arg in (function, *args)]
                named = [
                    node(f"{keyword.arg}=", [self.of(keyword.value, depth + 1)])
                    for keyword in keywords
                ]
                return node("call", [*kids, *sorted(named, key=lambda one: one.label)])
            case ast.arg(arg=name):
                return self.named(name)
            case ast.arguments():
                return node("parameters", self.parameters(part, depth))
        inside = [x for x in ast.iter_child_nodes(part) if not isinstance(x, ast.expr_context)]
        return node(type(part).__name__, [self.of(one, depth + 1) for one in inside])

    def named(self, name: str) -> Node:
        """A name: the author's own, an imported one, or a common one."""
        if name in self._naming.own:
            return node(OWN, name=name)
        return node(self._naming.imported.get(name, name))

    def parameters(self, args: ast.arguments, depth: int = 0) -> list[Node]:
        """Parameters and their defaults, without annotations."""
        every = (*args.posonlyargs, *args.args, *args.kwonlyargs)
        kids = [self.named(one.arg) for one in every]
        kids += [node("*", [self.named(one.arg)]) for one in (args.vararg, args.kwarg) if one]
        defaults = (
            default for default in (*args.defaults, *args.kw_defaults) if default is not None
        )
        return [*kids, *(node("default", [self.of(default, depth + 1)]) for default in defaults)]

    def _attribute(self, part: ast.Attribute, depth: int) -> Node:
        path = self._path(part)
        if path:
            return node(path)
        attribute = OWN if part.attr in self._naming.attributes else part.attr
        return node(f".{attribute}", [self.of(part.value, depth + 1)])

    def _path(self, part: ast.AST) -> str:
        """``torch.nn.functional.relu`` for a chain that begins with an imported name, else ""."""
        names: list[str] = []
        while isinstance(part, ast.Attribute):
            names.append(part.attr)
            part = part.value
        if isinstance(part, ast.Name) and part.id in self._naming.imported:
            return ".".join([self._naming.imported[part.id], *reversed(names)])
        return ""

    def _compared(self, op: ast.cmpop, left: ast.expr, right: ast.expr, depth: int) -> Node:
        kids = [self.of(left, depth + 1), self.of(right, depth + 1)]
        if turned := _TURNED.get(type(op)):
            return node(turned, reversed(kids))
        return node(type(op).__name__, _sorted(kids) if isinstance(op, _EITHER_WAY) else kids)


def signature(root: Node) -> int:
    """A digest in which own names are numbered in the order in which they come."""
    numbers: dict[str, int] = {}
    parts: list[str] = []
    pending = [root]
    while pending:
        one = pending.pop()
        place = f"{numbers.setdefault(one.name, len(numbers))}" if one.name else ""
        parts.append(f"{one.label}{place}/{len(one.kids)}")
        pending.extend(reversed(one.kids))
    return digest(" ".join(parts))


def coarse(value: object) -> str:
    """A constant reduced to its kind, and its value if the structure depends on it."""
    if isinstance(value, bool) or value is None or value is ...:
        return repr(value)
    if isinstance(value, int | float) and value in EXACT:
        return str(int(value))
    return type(value).__name__


def numbers_in(part: ast.AST) -> tuple[float, ...]:
    """The numbers of a literal table, in order; none if it contains anything else."""
    found: list[float] = []
    pending: list[ast.AST] = [part]
    while pending:
        match pending.pop():
            case ast.List(elts=elements) | ast.Tuple(elts=elements):
                pending.extend(reversed(elements))
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
                found.append(-float(value))
            case ast.Constant(value=int() | float() as value):
                found.append(float(value))
            case _:
                return ()
    return tuple(found) if len(set(found)) >= FEWEST else ()


def _sorted(kids: list[Node]) -> list[Node]:
    return sorted(kids, key=lambda one: (one.flat, one.label))
