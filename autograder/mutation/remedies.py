"""Edits that undo an ordinary fault where no operator is its own inverse: what was left out is put
back, and of several numbers, axes or names each other one is tried."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from autograder.mutation.faults.arithmetic import from_module, is_axis, is_quantity
from autograder.mutation.faults.calls import ONE_WAY, with_keyword
from autograder.mutation.page import Edit, Function, Page, called, number, parameters

_AXES = (0, 1, -1, -2)
_REDUCTIONS = frozenset(
    "all any argmax argmin logsumexp max mean min norm prod softmax std sum var".split()
)
_NUMPY = frozenset({"np", "numpy"})
_ADDED = {"Linear": "bias=False", "Embedding": "padding_idx=0"}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
}
_OTHER_SIGNS = {"*": ("@", "**"), "/": ("//",), "//": ("%",)}
_TURNED: dict[type[ast.cmpop], str] = {ast.Lt: ">", ast.LtE: ">=", ast.Gt: "<", ast.GtE: "<="}
# steps that only take something away: gradients, digits, an axis
_NEEDLESS = frozenset("cpu data detach floor int item long numpy round".split())
_MAKERS = frozenset("arange empty eye full linspace ones rand randn tensor zeros".split())
_BACK = {wrong: right for right, wrong in ONE_WAY.items() if wrong != "sum"}
_IN_PLACE = {"add_": "+", "sub_": "-", "mul_": "*", "div_": "/"}
_MOST_NAMES = 4  # other names that are tried in one place


def other_axis(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``dim=1`` -> ``dim=0``, ``dim=-1`` and so on."""
    value, up = number(node), page.parent(node)
    if isinstance(value, int) and is_axis(node, page):
        beside = [number(a) for a in up.args] if isinstance(up, ast.Call) else [value]
        yield from (page.put(node, str(axis)) for axis in _AXES if axis not in beside)


def missing_axis(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.sum()`` -> ``x.sum(dim=-1)``, ``np.mean(x)`` -> ``np.mean(x, axis=0)``."""
    for word, axis_given in _reduction(node, page):
        if not axis_given:
            assert isinstance(node, ast.Call)
            yield from (with_keyword(node, page, f"{word}={axis}", "") for axis in (-1, 0))


def kept_axis(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.sum(dim=1)`` -> ``x.sum(dim=1, keepdim=True)``."""
    for word, axis_given in _reduction(node, page):
        assert isinstance(node, ast.Call)
        kept = "keepdims" if word == "axis" else "keepdim"
        if axis_given and not any(k.arg == kept for k in node.keywords):
            yield with_keyword(node, page, f"{kept}=True", "")


def _reduction(node: ast.AST, page: Page) -> Iterator[tuple[str, bool]]:
    """The word for the axis of a call that works along one, and whether it names one."""
    if not isinstance(node, ast.Call) or called(node) not in _REDUCTIONS:
        return
    if not isinstance(node.func, ast.Attribute):
        return
    owner = node.func.value
    places = node.args[1:] if from_module(owner) else node.args
    by_name = any(k.arg in ("axis", "dim") for k in node.keywords)
    numpy = page.text(owner) in _NUMPY or any(k.arg == "axis" for k in node.keywords)
    yield ("axis" if numpy else "dim"), bool(places) or by_name


def other_function(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``exp2`` -> ``exp``, ``log10`` -> ``log``, ``square`` -> ``sqrt``."""
    name = called(node)
    if isinstance(node, ast.Call) and name in _BACK:
        end = page.span(node.func)[1]
        yield Edit(end - len(name), end, _BACK[name])


def missing_keyword(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``nn.Linear(n, m)`` -> ``nn.Linear(n, m, bias=False)``."""
    added = _ADDED.get(called(node))
    if not isinstance(node, ast.Call) or added is None:
        return
    if all(keyword.arg != added.split("=")[0] for keyword in node.keywords):
        yield with_keyword(node, page, added, "")


def missing_device(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``torch.zeros(n)`` -> ``torch.zeros(n, device=x.device)`` for a parameter ``x``."""
    function = page.function(node)
    if not isinstance(node, ast.Call) or called(node) not in _MAKERS or function is None:
        return
    if not isinstance(node.func, ast.Attribute) or page.text(node.func.value) != "torch":
        return
    if all(keyword.arg != "device" for keyword in node.keywords):
        for name in parameters(function)[:_MOST_NAMES]:
            yield with_keyword(node, page, f"device={name}.device", "")


def other_number(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Ten times or a tenth of a number, twice or half of it, 0 for 1."""
    value = number(node)
    if value is None or not is_quantity(node, page, value):
        return
    if value in (0, 1):
        yield page.put(node, repr(type(value)(1 - value)))
        return
    for factor in (10, 2):
        yield page.put(node, repr(value * factor))
        if isinstance(value, float) or value % factor == 0:
            yield page.put(node, repr(type(value)(value / factor)))


def one_less(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``range(1, n + 1)`` -> ``range(n)``; 7 -> 6."""
    match node:
        case ast.Call(args=[ast.Constant(value=1) as first, ast.BinOp(op=ast.Add()) as last]):
            if called(node) in ("arange", "range") and number(last.right) == 1:
                yield Edit(page.span(first)[0], page.span(last)[1], page.text(last.left))
        case ast.Constant(value=int() as value) if is_quantity(node, page, value) and value > 3:
            yield page.put(node, str(value - 1))


def other_operation(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a * b`` -> ``a @ b``, ``a / b`` -> ``a // b``, ``a - b`` -> ``b - a``."""
    if not isinstance(node, ast.BinOp) or (sign := _SIGNS.get(type(node.op))) is None:
        return
    left, right = page.operand(node.left), page.operand(node.right)
    for other in _OTHER_SIGNS.get(sign, ()):
        yield page.put(node, f"{left} {other} {right}")
    if sign in "-/":
        yield page.put(node, f"{right} {sign} {left}")


def missing_step(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a / d`` -> ``a / d ** 0.5``, ``a @ b`` -> ``a @ b.transpose(-2, -1)``, ``.T``."""
    match node:
        case ast.BinOp(op=ast.Div(), right=right) if number(right) is None:
            yield page.put(right, f"{page.operand(right)} ** 0.5")
        case ast.BinOp(op=ast.MatMult(), right=right):
            yield page.put(right, f"{page.operand(right)}.transpose(-2, -1)")
        case ast.Call() if called(node) in ("stack", "tensor"):
            yield page.put(node, f"{page.text(node)}.T")


def missing_sign(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``[b, a]`` -> ``[-b, a]``, ``y = x`` -> ``y = -x``."""
    up = page.parent(node)
    listed = isinstance(up, ast.List | ast.Tuple) and isinstance(up.ctx, ast.Load)
    if not listed and not (isinstance(up, ast.Assign) and node is up.value):
        return
    if isinstance(node, ast.Name | ast.Subscript | ast.BinOp):
        yield page.put(node, f"-{page.operand(node)}")


def needless_step(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.detach()`` -> ``x``, ``torch.no_grad()`` -> ``torch.enable_grad()``."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[], keywords=[]):
            if name in _NEEDLESS and not from_module(owner):
                yield page.put(node, page.text(owner))
            elif name in ("no_grad", "inference_mode"):
                yield page.put(node, "torch.enable_grad()")


def changed_in_place(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.add_(y)`` -> ``x + y``, ``x += y`` -> ``x = x + y``."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name), args=[other], keywords=[]):
            if name in _IN_PLACE:
                changed = f"{page.operand(owner)} {_IN_PLACE[name]} {page.operand(other)}"
                yield page.put(node, changed)
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            begin, end = page.span(node.target)[1], page.span(value)[0]
            sign = page.source[begin:end].decode().strip().removesuffix("=")
            yield page.put(node, f"{name} = {name} {sign} {page.operand(value)}")


def other_name(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x * n`` -> ``x * d``: another parameter or local name of the function."""
    function = page.function(node)
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load) or function is None:
        return
    names = _local_names(function)
    if node.id in names:
        others = [name for name in names if name != node.id]
        yield from (page.put(node, name) for name in others[:_MOST_NAMES])


def _local_names(function: Function) -> list[str]:
    stored = [
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    return list(dict.fromkeys([*parameters(function), *stored]))


def exchanged_pair(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a, b = f(x)`` -> ``b, a = f(x)``, ``stack([a, b])`` -> ``stack([b, a])``."""
    if isinstance(node, ast.Tuple | ast.List) and len(node.elts) == 2:
        first, second = node.elts
        (begin, first_end), (second_begin, end) = page.span(first), page.span(second)
        between = page.source[first_end:second_begin].decode()
        if "(" not in between and ")" not in between and page.text(first) != page.text(second):
            yield Edit(begin, end, page.text(second) + between + page.text(first))


def turned_comparison(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``a < b`` -> ``a > b``."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _TURNED:
            text = f"{page.operand(left)} {_TURNED[type(op)]} {page.operand(right)}"
            yield page.put(node, text)


def neighbouring_statements(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Two statements, one after the other, in the other order."""
    for body in (getattr(node, part, None) for part in ("body", "orelse")):
        for one, other in pairwise(body) if isinstance(body, list) else ():
            if not (_is_step(one) and _is_step(other)):
                continue
            if page.alone(one) and page.alone(other):
                (begin, middle), (other_begin, end) = page.span(one), page.span(other)
                between = page.source[middle:other_begin].decode()
                yield Edit(begin, end, f"{page.text(other)}{between}{page.text(one)}")


def _is_step(node: ast.stmt) -> bool:
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, ast.Assign | ast.AugAssign)


def missing_buffer(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``self.table = f(n)`` -> ``self.register_buffer("table", f(n))``."""
    match node:
        case ast.Assign(
            targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=ast.Call() as value
        ):
            kept = page.text(value)
            yield page.put(node, f'self.register_buffer("{name}", {kept})')
