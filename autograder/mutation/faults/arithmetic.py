"""Faults of arithmetic: swapped and missing operations, off by one, other numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from autograder.mutation.page import Edit, Page, called, number
from autograder.mutation.silent import is_text

_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.Mod: "%",
}
_OTHER = {"+": "-", "-": "+", "*": "/", "/": "*", "//": "/", "**": "*", "@": "*", "%": "//"}
# what is left when an operand is forgotten; the rest of an `x @ w` would be a whole matrix
_LEFT_OVER: dict[str, tuple[str, ...]] = {
    "+": ("left", "right"),
    "*": ("left", "right"),
    "-": ("left", "right"),
    "/": ("left",),
    "//": ("left",),
    "**": ("left",),
    "%": ("left",),
    "@": ("left",),
}
_KEEPS_MINUS_ONE = frozenset({"expand", "reshape", "repeat", "view", "resize"})
_SMALL, _TINY = 3, 1e-4


def swap_operation(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a + b`` -> ``a - b``, ``a * b`` -> ``a / b`` and so on, also in ``a += b``."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if _numeric(left) and _numeric(right):
            sign = _SIGNS.get(type(op), "")
            if sign not in _OTHER or (sign == "//" and _made_whole(node, page)):
                return
            begin, end = page.span(left)[1], page.span(right)[0]
            if sign == "**":  # binds more tightly than its replacement
                text = f"{page.text(left)} * {page.operand(right)}"
                yield page.put(node, text)
            else:
                yield _sign(page, begin, end, sign, _OTHER[sign])
        case ast.AugAssign(target=target, op=op, value=value) if _numeric(value):
            sign = _SIGNS.get(type(op), "")
            if sign in _OTHER:
                begin, end = page.span(target)[1], page.span(value)[0]
                yield _sign(page, begin, end, f"{sign}=", f"{_OTHER[sign]}=")


def drop_operand(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a + b`` -> ``a`` and ``b``: a missing term, a missing scale."""
    if isinstance(node, ast.BinOp) and _numeric(node.left) and _numeric(node.right):
        for side in _LEFT_OVER.get(_SIGNS.get(type(node.op), ""), ()):
            yield page.put(node, page.text(getattr(node, side)))
    elif isinstance(node, ast.AugAssign) and _numeric(node.value):
        sign = f"{_SIGNS.get(type(node.op), '')}="
        if sign != "=":
            begin, end = page.span(node.target)[1], page.span(node.value)[0]
            yield _sign(page, begin, end, sign, "=")


def drop_sign(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``-x`` -> ``x``; negative indexes, axes and marks are numbers of their own."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand) if number(node) is None:
            yield page.put(node, page.text(operand))
        case ast.UnaryOp(op=ast.USub(), operand=operand) if isinstance(number(node), float):
            yield page.put(node, page.text(operand))


def shift_by_one(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Whole numbers off by one, and ranges that begin or end off by one.

    ``x[0]`` does not become ``x[-1]``: for a list of one, that is the same.
    """
    match node:
        case ast.Call(args=[end], keywords=_) if called(node) in ("arange", "range"):
            written = page.text(end)
            yield page.put(end, f"1, {page.operand(end)} + 1")
            if number(end) is None:
                yield page.put(end, f"{written} - 1")
                yield page.put(end, f"{written} + 1")
            return
        case ast.Slice(lower=lower, upper=upper):
            for bound in (lower, upper):
                if bound is not None and number(bound) is None:
                    yield page.put(bound, f"{page.text(bound)} + 1")
                    yield page.put(bound, f"{page.text(bound)} - 1")
            return
    value = number(node)
    if not isinstance(value, int) or not _is_quantity(node, page, value):
        return
    first = value == 0 and isinstance(page.parent(node), ast.Subscript)
    for step in (1, -1) if abs(value) <= _SMALL and not first else (1,):
        yield page.put(node, str(value + step))


def change_number(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A base of 1000 for 10000, 0.2 for 0.02, twice a number, 1 for 0."""
    value = number(node)
    if value is None or not _is_quantity(node, page, value) or not math.isfinite(value):
        return
    if isinstance(value, int) and (value < 100 or not _is_power_of_ten(value)):
        return
    if 0 < abs(value) <= _TINY:  # keeps a fraction finite: any size will do
        return
    if _is_power_of_ten(value):
        other = type(value)(value / 10)
    elif value == 0:
        other = 1.0
    else:
        other = value * 10 if abs(value) < 1 else value * 2
    yield page.put(node, repr(round(other, 12) if isinstance(other, float) else other))


def _numeric(node: ast.AST) -> bool:
    """Whether it may be a number: texts and lists are joined, not added."""
    joined = isinstance(node, ast.JoinedStr | ast.List | ast.ListComp | ast.Tuple)
    return not joined and not is_text(node)


def _made_whole(node: ast.AST, page: Page) -> bool:
    """Whether the quotient is rounded to a whole number right after."""
    return called(page.parent(node) or node) == "int"


def _sign(page: Page, begin: int, end: int, sign: str, other: str) -> Edit:
    """Replace an operator's sign between two places, skipping comments."""
    at = begin
    for line in page.source[begin:end].split(b"\n"):
        found = line.split(b"#")[0].find(sign.encode())
        if found >= 0:
            return Edit(at + found, at + found + len(sign), other)
        at += len(line) + 1
    raise AssertionError(f"no {sign!r} between two operands")  # the tree has one here


def _is_power_of_ten(value: float) -> bool:
    return value >= 100 and math.log10(value).is_integer()


def _is_quantity(node: ast.AST, page: Page, value: float) -> bool:
    """Whether a number counts something: no axis, no step, no row of data, no "the rest"."""
    up = page.parent(node)
    if up is None or number(up) is not None:  # the 1 of -1
        return False
    if isinstance(up, ast.Slice) and node is up.step:
        return False
    if is_axis(node, page):
        return False
    if isinstance(up, ast.Expr | ast.Lambda):
        return False
    if isinstance(up, ast.List | ast.Tuple | ast.Set):
        return _is_sample(node, up, page)
    if isinstance(up, ast.Dict):
        return node is up.values[0]
    return not (value == -1 and called(up) in _KEEPS_MINUS_ONE)


def _is_sample(node: ast.AST, display: ast.List | ast.Tuple | ast.Set, page: Page) -> bool:
    """Only the first number of written-out data is tried, and none of tables."""
    if len(display.elts) < 3:
        return not isinstance(page.parent(display), ast.List | ast.Tuple)
    nested = isinstance(page.parent(display), ast.List | ast.Tuple | ast.Dict)
    return node is display.elts[0] and not nested


# ---------------------------------------------------------------- which numbers are axes

AXIS_KEYWORDS = frozenset({"axis", "dim", "dim0", "dim1", "start_dim", "end_dim"})
_AXIS_METHODS = frozenset(
    """
    all any argmax argmin argsort cumprod cumsum flatten logsumexp max mean min permute prod
    size softmax log_softmax squeeze std sum swapaxes transpose unbind unsqueeze var
    """.split()
)
_AXIS_SECOND = _AXIS_METHODS | {"cat", "concat", "concatenate", "expand_dims", "stack", "flip"}
MODULES = frozenset({"F", "functional", "math", "nn", "np", "numpy", "plt", "torch", "init"})


def is_axis(node: ast.AST, page: Page) -> bool:
    """Whether a number names an axis: ``dim=1``, ``x.sum(0)``, ``cat(xs, 1)``, ``x.shape[0]``."""
    up = page.parent(node)
    match up:
        case ast.keyword(arg=str(name)):
            return name in AXIS_KEYWORDS
        case ast.Subscript(value=ast.Attribute(attr="shape"), slice=place):
            return node is place
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=args):
            of_module = from_module(owner)
            if of_module:
                return name in _AXIS_SECOND and node in args[1:]
            return name in _AXIS_METHODS and node in args
    return False


def from_module(owner: ast.AST) -> bool:
    """Whether ``owner.name`` is taken from a module (``torch``, ``nn.init``)."""
    name = owner.attr if isinstance(owner, ast.Attribute) else getattr(owner, "id", "")
    return name in MODULES
