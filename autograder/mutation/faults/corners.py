"""Faults in a corner: recognised by the wrong sign, of another kind, or swallowed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from autograder.mutation.page import Edit, Function, Page, called, number, parameters

_MISSING = "0 or something empty counted as missing"
_TENSOR = "the result in a special case were a tensor instead of a Python number"
_MAKERS = frozenset({"zeros", "ones", "full", "tensor", "zeros_like", "ones_like", "new_zeros"})


def weaken_corner(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Zeros recognised by their sum, their largest or their first number; emptiness or None
    recognised by anything that is false."""
    match node:
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Gt() | ast.LtE()], comparators=[zero]):
            function = page.function(node)
            if number(zero) == 0 and function is not None and not isinstance(left, ast.Constant):
                for name in _vectors(left, function):
                    as_if = "a vector of zeros were recognised by its"
                    yield page.put(left, f"{name}.sum()", f"{as_if} sum")
                    yield page.put(left, f"{name}.max()", f"{as_if} largest number")
                    yield page.put(left, f"{name}.reshape(-1)[0]", f"{as_if} first number")
        case ast.Call(func=ast.Attribute(value=value, attr="any" | "all"), args=[]):
            as_if = "only the first value were tested"
            yield page.put(node, f"{page.operand(value)}.reshape(-1)[0]", as_if)
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            yield page.put(node, f"not {page.operand(left)}", _MISSING)
            if isinstance(left, ast.Name):  # of several numbers
                yield page.put(node, f"({left.id} is None or not {left.id}.any())", _MISSING)
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            yield page.put(node, page.text(left), _MISSING)


def _vectors(left: ast.expr, function: Function) -> list[str]:
    """The parameters whose length is plainly taken, there or in what is assigned before."""
    taken = [left]
    for node in reversed(function.body):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                if any(name in _names(one) for one in taken):
                    taken.append(value)
    if not any(word in ast.dump(one) for one in taken for word in ("norm", "sqrt")):
        return []
    inside = frozenset().union(*map(_names, taken))
    return [name for name in parameters(function) if name in inside]


def _names(expression: ast.expr) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(expression) if isinstance(node, ast.Name))


def change_corner(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A branch's result for a corner, on the CPU or in another type."""
    match node:
        case ast.IfExp(orelse=ast.Constant(value=float()) as value):
            yield page.put(value, f"torch.tensor({page.text(value)})", _TENSOR)
        case ast.Return(value=ast.Constant(value=float()) as value) if isinstance(
            page.parent(node), ast.If
        ):
            yield page.put(value, f"torch.tensor({page.text(value)})", _TENSOR)
    up = page.parent(node)
    if (
        isinstance(node, ast.Return)
        and isinstance(up, ast.If)
        and called(node.value or up) in _MAKERS
    ):
        assert node.value is not None
        made = page.text(node.value)
        yield page.put(node.value, f"{made}.cpu()", "the result in a special case were on the CPU")
        as_if = "the result in a special case had double precision"
        yield page.put(node.value, f"{made}.double()", as_if)


def key_by_value(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Pairs of which only one remains for each second part."""
    match node:
        case ast.Return(value=ast.ListComp(elt=ast.Tuple(elts=[_, _])) as value):
            as_if = "only one of several pairs with equal second items were kept"
            text = f"list({{one[1]: one for one in {page.text(value)}}}.values())"
            yield page.put(value, text, as_if)


def exchange_statements(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Two neighbouring calls in the other order; the first step of a loop as its last."""
    for body in (getattr(node, part, None) for part in ("body", "orelse")):
        if not isinstance(body, list):
            continue
        for one, other in pairwise(body):
            both = isinstance(one, ast.Expr) and isinstance(other, ast.Expr)
            both = both and _is_step(one) and _is_step(other) and "append" not in page.text(other)
            if both and page.alone(one) and page.alone(other):
                (begin, middle), (other_begin, end) = page.span(one), page.span(other)
                between = page.source[middle:other_begin].decode()
                exchanged = f"{page.text(other)}{between}{page.text(one)}"
                yield Edit(begin, end, exchanged, "two steps were done in the wrong order")
        if isinstance(node, ast.For | ast.While) and len(body) > 2 and page.alone(body[-1]):
            steps = [one for one in body[:-1] if _is_step(one) and page.alone(one)]
            for step in steps[:1] if _trains_what_is_given(node, page) else ():
                begin, end = page.span(step)[0], page.span(body[-1])[1]
                rest = page.source[page.span(step)[1] : end].decode()
                indent = " " * step.col_offset
                moved = f"pass{rest}\n{indent}{page.text(step)}"
                yield Edit(begin, end, moved, "the first step of a loop were done last")


def _trains_what_is_given(loop: ast.AST, page: Page) -> bool:
    """Whether a model comes from outside, and may have gradients before the first step."""
    function = page.function(loop)
    names = parameters(function) if function is not None else []
    return any(f"{name}.parameters" in page.source.decode() for name in names)


def _is_step(node: ast.stmt) -> bool:
    """Whether a statement is only there for its effect."""
    match node:
        case ast.Expr(value=ast.Call() as call):
            return called(call) not in ("print", "__init__")
        case ast.AugAssign() | ast.Assign(targets=[ast.Subscript() | ast.Attribute()]):
            return True
    return False
