"""Faults of arithmetic: swapped and missing operations, off by one, other numbers."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import replace

from autograder.mutation.page import Edit, Page, called, number
from autograder.mutation.silent import is_text
from autograder.mutation.wording import enclosed, role

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
_SWAPPED = {
    "+": "values were subtracted instead of added",
    "-": "values were added instead of subtracted",
    "*": "values were divided instead of multiplied",
    "/": "values were multiplied instead of divided",
    "//": "a quotient were not rounded down",
    "**": "values were multiplied instead of raised to a power",
    "@": "values were multiplied elementwise instead of by a matrix product",
    "%": "a quotient were taken instead of a remainder",
}
_DROPPED = {
    "+": "a term of a sum were left out",
    "*": "a factor were left out",
    "-": "a subtraction were left out",
    "/": "a division were left out",
    "//": "a division were left out",
    "**": "a value were not raised to a power",
    "%": "a remainder were not taken",
    "@": "a matrix product were left out",
}
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
_RANGES = frozenset({"arange", "range"})


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
                yield page.put(node, text, _SWAPPED[sign] + enclosed(node, page))
            else:
                edit = _sign(page, begin, end, sign, _OTHER[sign])
                yield replace(edit, as_if=_SWAPPED[sign] + enclosed(node, page))
        case ast.AugAssign(target=target, op=op, value=value) if _numeric(value):
            sign = _SIGNS.get(type(op), "")
            if sign in _OTHER:
                begin, end = page.span(target)[1], page.span(value)[0]
                edit = _sign(page, begin, end, f"{sign}=", f"{_OTHER[sign]}=")
                yield replace(edit, as_if=f"{_SWAPPED[sign]} in an update of a value")


def drop_operand(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a + b`` -> ``a`` and ``b``: a missing term, a missing scale."""
    if isinstance(node, ast.BinOp) and _numeric(node.left) and _numeric(node.right):
        sign = _SIGNS.get(type(node.op), "")
        for side in _LEFT_OVER.get(sign, ()):
            dropped = _DROPPED[sign]
            if (sign, side) == ("-", "right"):
                dropped = "only the subtracted value were kept"
            as_if = dropped + enclosed(node, page)
            yield page.put(node, page.text(getattr(node, side)), as_if)
    elif isinstance(node, ast.AugAssign) and _numeric(node.value):
        sign = f"{_SIGNS.get(type(node.op), '')}="
        if sign != "=":
            begin, end = page.span(node.target)[1], page.span(node.value)[0]
            edit = _sign(page, begin, end, sign, "=")
            yield replace(edit, as_if="a new value replaced the earlier one instead of updating it")


def drop_sign(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``-x`` -> ``x``; negative indexes, axes and marks are numbers of their own."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(number(node), int):
            as_if = f"a minus sign were left out{enclosed(node, page)}"
            yield page.put(node, page.text(operand), as_if)


def shift_by_one(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Whole numbers off by one, and ranges that begin or end off by one.

    ``x[0]`` does not become ``x[-1]``: for a list of one, that is the same.
    """
    match node:
        case ast.Call(args=[end], keywords=_) if called(node) in _RANGES:
            written = page.text(end)
            yield page.put(end, f"1, {page.operand(end)} + 1", "counting began at 1 instead of 0")
            if number(end) is None:
                yield page.put(end, f"{written} - 1", "counting ended one too early")
                yield page.put(end, f"{written} + 1", "counting ended one too late")
            return
        case ast.Slice(lower=lower, upper=upper):
            for bound, what in ((lower, "began"), (upper, "ended")):
                if bound is not None and number(bound) is None:
                    as_if = f"a slice {what} one place"
                    yield page.put(bound, f"{page.text(bound)} + 1", f"{as_if} too late")
                    yield page.put(bound, f"{page.text(bound)} - 1", f"{as_if} too early")
            return
    value = number(node)
    if not isinstance(value, int) or not is_quantity(node, page, value):
        return
    first = value == 0 and isinstance(page.parent(node), ast.Subscript)
    for step in (1, -1) if abs(value) <= _SMALL and not first else (1,):
        yield page.put(node, str(value + step), _shifted(node, page, value, step))


def _shifted(node: ast.AST, page: Page, value: int, step: int) -> str:
    """How a whole number is wrong by one, by what it is for."""
    up, size = page.parent(node), "large" if step > 0 else "small"
    if isinstance(up, ast.Slice | ast.Subscript) and (value < 0) != (value + step < 0):
        return ""  # from the beginning to the end, or back
    match up:
        case ast.Slice(lower=lower) if lower is not None:
            late = "late" if step > 0 else "early"
            return f"a slice {'began' if node is lower else 'ended'} one place too {late}"
        case ast.Slice():
            return f"a slice ended one place too {'late' if step > 0 else 'early'}"
        case ast.Call(args=[start, _, *_]) if called(up) in _RANGES and node is start:
            return f"counting began one too {'late' if step > 0 else 'early'}"
        case ast.Call(args=[_, _, pace]) if called(up) in _RANGES and node is pace:
            return f"the step between numbers were one too {size}"
        case ast.Compare() if value in (0, 1) and step > 0:
            return f"a value were compared with {value + step} instead of {value}"
        case ast.Compare():
            return f"a number in a comparison were one too {size}"
        case ast.Assign(targets=[ast.Subscript()]):
            return f"an assigned number were one too {size}"
        case ast.List() | ast.Tuple() if not isinstance(page.parent(up), ast.Subscript):
            return f"the first number of a list were one too {size}"
    what = role(node, page)
    place = enclosed(up, page) if up is not None and what != "an index" else ""
    return f"{what} were one too {size}{place}" if what else ""


def change_number(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A base of 1000 for 10000, 0.2 for 0.02, twice a number, 1 for 0."""
    value = number(node)
    if value is None or not is_quantity(node, page, value) or not math.isfinite(value):
        return
    if isinstance(value, int) and (value < 100 or not _is_power_of_ten(value)):
        return
    if 0 < abs(value) <= _TINY:  # keeps a fraction finite: any size will do
        return
    if _is_power_of_ten(value):
        other, as_if = type(value)(value / 10), "a constant were ten times too small"
    elif value == 0:
        other, as_if = 1.0, "a 1 were used where a 0 belongs"
    elif abs(value) < 1:
        other, as_if = value * 10, "a constant were ten times too large"
    else:
        other, as_if = value * 2, "a constant were doubled"
    written = repr(round(other, 12) if isinstance(other, float) else other)
    up = page.parent(node)
    if value == 0 and isinstance(up, ast.Return):
        special = isinstance(page.parent(up), ast.If)
        as_if = f"1 were returned instead of 0{' in a special case' if special else ''}"
    yield page.put(node, written, as_if)


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


def is_quantity(node: ast.AST, page: Page, value: float) -> bool:
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
