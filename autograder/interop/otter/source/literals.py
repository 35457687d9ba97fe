"""Literal values of a Python file, found in its syntax tree; nothing is ever run.

Covered: numbers, text, truth values, None, lists, tuples, dictionaries, signs, sums of numbers and
of text, text times a number, names already bound to such a value, ``textwrap.dedent``,
``inspect.cleandoc`` and methods of text that return text. Size and nesting are bounded.
Not covered: everything else raises SourceFault with its line.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from autograder.interop.otter.source.model import SourceFault

MAX_SOURCE = 2_000_000  # characters of a test file
MAX_TEXT = 1_000_000  # characters of one value
MAX_DEPTH = 60

_FUNCTIONS: dict[str, Callable[[str], str]] = {
    "dedent": textwrap.dedent,
    "textwrap.dedent": textwrap.dedent,
    "cleandoc": inspect.cleandoc,
    "inspect.cleandoc": inspect.cleandoc,
}
_METHODS: dict[str, Callable[..., str]] = {
    "strip": str.strip,
    "lstrip": str.lstrip,
    "rstrip": str.rstrip,
    "expandtabs": str.expandtabs,
    "removeprefix": str.removeprefix,
    "removesuffix": str.removesuffix,
}


def parse_file(source: str) -> ast.Module:
    """The syntax tree of a file; raises SourceFault."""
    if len(source) > MAX_SOURCE:
        raise SourceFault(0, f"it has more than {MAX_SOURCE:,} characters, too large for a test")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as "\d" in a string
            return ast.parse(source)
    except SyntaxError as bad:
        raise SourceFault(bad.lineno or 0, f"this is not Python ({bad.msg})") from None
    except (ValueError, RecursionError, MemoryError) as bad:
        raise SourceFault(
            0, f"this is not Python ({str(bad)[:100] or type(bad).__name__})"
        ) from None


def source_of(node: ast.AST) -> str:
    """The code of a tree without comments; raises SourceFault if it cannot be written."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError) as bad:
        said = str(bad)[:100] or type(bad).__name__
        raise SourceFault(getattr(node, "lineno", 0), f"this cannot be read ({said})") from None


def value_of(node: ast.expr, names: Mapping[str, Any], *, depth: int = 0) -> Any:
    """The value of an expression; ``names`` holds known values by name. Raises SourceFault."""
    if depth > MAX_DEPTH:
        raise SourceFault(node.lineno, f"this is nested more than {MAX_DEPTH} deep")

    def inner(part: ast.expr) -> Any:
        return value_of(part, names, depth=depth + 1)

    match node:
        case ast.Constant(value=value) if not isinstance(value, bytes | complex):
            return value
        case ast.JoinedStr(values=parts) if all(isinstance(p, ast.Constant) for p in parts):
            return "".join(str(inner(part)) for part in parts)
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [inner(part) for part in parts]
        case ast.Dict(keys=keys, values=values) if None not in keys:
            both = zip(keys, values, strict=True)
            made = [(inner(key), inner(value)) for key, value in both if key is not None]
            return _dictionary(made, node)
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            number = inner(operand)
            if _is_number(number):
                return -number if isinstance(sign, ast.USub) else number
        case ast.BinOp():
            return _chained(node, inner)
        case ast.Call(func=function, args=arguments, keywords=[]):
            return _called(function, [inner(part) for part in arguments], names, node)
        case _:
            pass
    raise _unknown(node)


def _dictionary(pairs: list[tuple[Any, Any]], node: ast.expr) -> dict[Any, Any]:
    try:
        return dict(pairs)
    except TypeError:
        raise SourceFault(
            node.lineno, "a key of this dictionary is neither text nor a number"
        ) from None


def _chained(node: ast.BinOp, inner: Callable[[ast.expr], Any]) -> Any:
    """The value of a chain of operators, in a loop so that long sums do not count as nesting."""
    rest = [node]
    while isinstance(rest[-1].left, ast.BinOp):
        rest.append(rest[-1].left)
    value = inner(rest[-1].left)
    for step in reversed(rest):
        value = _combined(value, step.op, inner(step.right), step)
    return value


def _combined(left: Any, op: ast.operator, right: Any, node: ast.expr) -> Any:
    if isinstance(op, ast.Add) and type(left) is type(right) and isinstance(left, str | list):
        return _bounded(left, len(left) + len(right), node) + right
    if isinstance(op, ast.Mult):
        text, count = (right, left) if isinstance(right, str) else (left, right)
        if isinstance(text, str) and isinstance(count, int):
            return _bounded(text, len(text) * count, node) * count
    if _is_number(left) and _is_number(right):
        if isinstance(op, ast.Add):
            return left + right
        if isinstance(op, ast.Sub):
            return left - right
        if isinstance(op, ast.Mult) and max(abs(left), abs(right)) < MAX_TEXT:
            return left * right
        if isinstance(op, ast.Div) and right and max(abs(left), abs(right)) < MAX_TEXT:
            return left / right
    raise _unknown(node)


def _called(
    function: ast.expr, arguments: list[Any], names: Mapping[str, Any], node: ast.expr
) -> str:
    known = _FUNCTIONS.get(source_of(function)) if not _shadowed(function, names) else None
    if known is not None and len(arguments) == 1 and isinstance(arguments[0], str):
        return known(arguments[0])
    if isinstance(function, ast.Attribute):
        try:
            owner = value_of(function.value, names)
        except SourceFault:
            raise _unknown(node) from None
        if isinstance(owner, str) and all(isinstance(a, str) for a in arguments):
            method = _METHODS.get(function.attr)
            if method is not None and len(arguments) <= 1:
                try:
                    return method(owner, *arguments)
                except TypeError:
                    raise _unknown(node) from None
        if isinstance(owner, str) and function.attr == "join" and len(arguments) == 1:
            return _joined(owner, arguments[0], node)
    raise _unknown(node)


def _joined(between: str, parts: Any, node: ast.expr) -> str:
    if not isinstance(parts, list) or not all(isinstance(part, str) for part in parts):
        raise _unknown(node)
    size = sum(map(len, parts)) + len(between) * len(parts)
    return str(_bounded(between, size, node)).join(parts)


def _shadowed(function: ast.expr, names: Mapping[str, Any]) -> bool:
    """Whether the file rebinds the name of a library function."""
    return isinstance(function, ast.Name) and function.id in names


def _bounded(value: Any, size: int, node: ast.expr) -> Any:
    if size > MAX_TEXT:
        raise SourceFault(node.lineno, f"this value has more than {MAX_TEXT:,} characters")
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _unknown(node: ast.expr) -> SourceFault:
    said = " ".join(source_of(node).split())[:60]
    return SourceFault(
        node.lineno,
        f"the value of {said!r} is known only when the file runs, and test files are never run "
        "here; write the value out",
    )
