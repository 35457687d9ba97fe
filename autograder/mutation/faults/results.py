"""Faults of what a function returns: form without content, types, gradients, arguments."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.mutation.faults.gradients import carrying, sources
from autograder.mutation.page import Edit, Function, Page, called, number, parameters

_CHANGED = {"+": "add_", "-": "sub_", "*": "mul_", "/": "div_"}
_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
}
_TYPES = {
    "float16": "half precision were used",
    "float64": "double precision were used",
    "int64": "whole numbers were used instead of fractions",
}
_PLAIN = frozenset({"bool", "float", "int", "item", "len", "list", "sorted", "str", "tuple"})
_DTYPE = re.compile(r"\b(?:dtype|float(?:16|32|64)|complex(?:64|128)|half|bfloat16)\b")
_NO_ARRAYS = (ast.List, ast.ListComp, ast.Dict, ast.DictComp, ast.Tuple, ast.Constant)


def return_constant(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Zeros of the right form, nothing, or the first argument."""
    value = _result(node)
    if value is None:
        return
    yield page.put(value, "None")  # that nothing was returned is said by every check
    if not isinstance(value, ast.Tuple | ast.List | ast.Dict | ast.ListComp):
        yield page.put(value, f"{page.operand(value)} * 0", "the result were multiplied by 0")
    function = page.function(node)
    names = parameters(function) if function is not None else []
    if names and page.text(value) != names[0]:
        yield page.put(value, names[0], "the first argument were returned unchanged")


def return_negative(node: ast.AST, page: Page) -> Iterator[Edit]:
    """The right numbers with the wrong sign."""
    value = _result(node)
    if value is not None and (_is_array(value, page) or called(value) == "float"):
        yield page.put(value, f"-{page.operand(value)}", "the result had the opposite sign")


def return_transposed(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Rows and columns swapped."""
    value = _result(node)
    if value is not None and _is_array(value, page):
        as_if = "the first two axes of the result were swapped"
        yield page.put(value, f"{page.operand(value)}.swapaxes(0, 1)", as_if)


def return_squeezed(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Axes of length 1 left out, also where they are a batch of one or a single token."""
    value = _result(node)
    if value is not None and _is_array(value, page):
        as_if = "axes of length 1 were removed from the result"
        yield page.put(value, f"{page.operand(value)}.squeeze()", as_if)


def return_other_type(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Half precision; double precision where the exercise says which type it wants."""
    value = _result(node)
    if value is not None and _is_array(value, page):
        half, double = (
            (".half()", ".double()")
            if not _is_numpy(node, page)
            else ('.astype("float16")', '.astype("float64")')
        )
        as_if = "the result were converted to {} precision"
        yield page.put(value, page.operand(value) + half, as_if.format("half"))
        if _states_type(page):
            yield page.put(value, page.operand(value) + double, as_if.format("double"))


def change_type(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``dtype=torch.float32`` -> ``float16``; others only where it shows in the result."""
    match node:
        case ast.keyword(arg="dtype", value=ast.Attribute(attr=name) as written):
            pass
        case ast.Call(func=ast.Attribute(attr="to" | "astype"), args=[ast.Attribute() as written]):
            name = written.attr
        case _:
            return
    end = page.span(written)[1]
    others = {"float32": ["float16"], "float64": ["float16"], "complex64": []}.get(name, [])
    if name == "float32" and _states_type(page) and _is_returned(node, page):
        others = ["float16", "float64", "int64"]
    for other in others:
        yield Edit(end - len(name), end, other, _TYPES[other])


def detach(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A result, or a step on the way, that gradients do not pass."""
    function = page.function(node) if isinstance(node, ast.stmt) else None
    if function is None:
        return
    held = carrying(page, function)
    match node:
        case ast.Return(value=ast.Tuple(elts=parts)):
            for part in parts:
                if held.carries(part):
                    as_if = "part of the result were detached from the computation graph"
                    yield page.put(part, f"{page.operand(part)}.detach()", as_if)
        case ast.Return(value=ast.expr() as value) if held.carries(value):
            if _is_array(value, page):
                as_if = "the result were detached from the computation graph"
                yield page.put(value, f"{page.operand(value)}.detach()", as_if)
        case ast.Assign(value=value) if held.carries(value) and page.alone(node):
            if not isinstance(value, ast.Name):
                begin = page.span(node)[0]
                as_if = "an intermediate result were detached from the computation graph"
                yield Edit(begin, begin, "with torch.no_grad(): ", as_if)


def change_in_place(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x + y`` -> ``x.add_(y)`` for a parameter x; a weight that is changed on return."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
            if _is_own(left, page) and not isinstance(page.parent(node), ast.Subscript):
                change = _CHANGED[_SIGNS[type(op)]]
                text = f"{page.text(left)}.{change}({page.text(right)})"
                yield page.put(node, text, "an argument were changed in place")
        case ast.Return(value=ast.expr() as value):
            function = page.function(node)
            for name in sources(page, function) if function is not None else ():
                change = (
                    "[p.data.add_(1.0) for p in self.parameters()]"
                    if name == "self"
                    else f'getattr({name}, "weight", {name}).data.add_(1.0)'
                )
                text = page.text(value)
                whole = text if not isinstance(value, ast.Tuple) else f"({text})"
                whose = "the module's weights" if name == "self" else "an argument"
                yield page.put(value, f"({whole}, {change})[0]", f"each call changed {whose}")


def hold_otherwise(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A buffer that became a plain attribute or a parameter."""
    match node:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id="self"), attr="register_buffer"),
                args=[ast.Constant(value=str(name)), value, *_],
            )
        ):
            kept = f"self.{name} = "
            as_if = "a buffer were a plain attribute"
            yield page.put(node, kept + page.text(value), as_if)
            as_if = "a buffer were a learnable parameter"
            yield page.put(node, f"{kept}torch.nn.Parameter({page.text(value)})", as_if)
            keywords = node.value.keywords  # type: ignore[attr-defined]
            if not any(k.arg == "persistent" for k in keywords):
                end = page.span(node)[1] - 1
                as_if = "a buffer were left out of the state dict"
                yield Edit(end, end, ", persistent=False", as_if)


def _result(node: ast.AST) -> ast.expr | None:
    """The returned value, if it is computed."""
    if not isinstance(node, ast.Return) or isinstance(node.value, ast.Constant):
        return None
    return None if number(node.value) is not None else node.value


def _is_array(node: ast.AST, page: Page) -> bool:
    """Whether it may be a tensor, judging by the expression or by what the name was assigned."""
    if isinstance(node, ast.Name) and (function := page.function(node)) is not None:
        given = [
            part.value
            for part in ast.walk(function)
            if isinstance(part, ast.Assign) and node.id in map(page.text, part.targets)
        ]
        return not any(isinstance(value, _NO_ARRAYS) for value in given)
    if isinstance(node, ast.Name | ast.BinOp | ast.Subscript | ast.Attribute):
        return True
    return isinstance(node, ast.Call) and called(node) not in _PLAIN


def _is_numpy(node: ast.AST, page: Page) -> bool:
    """Whether a statement's function works with NumPy alone."""
    function = page.function(node)
    names = {n.id for n in ast.walk(function) if isinstance(n, ast.Name)} if function else set()
    return bool(names & {"np", "numpy"}) and not names & {"torch", "F", "nn"}


def _states_type(page: Page) -> bool:
    checks = page.exercise.check
    return any(
        getattr(c, "dtype", "any") != "any" or _DTYPE.search(f"{c.id} {c.title}") for c in checks
    )


def _is_returned(node: ast.AST, page: Page) -> bool:
    """Whether a call's value is returned, directly or by the name that it is given."""
    function = page.function(node)
    for up in page.above(node):
        if isinstance(up, ast.Return):
            return True
        if isinstance(up, ast.Assign) and function is not None:
            names = {t.id for t in up.targets if isinstance(t, ast.Name)}
            returned = [r.value for r in ast.walk(function) if isinstance(r, ast.Return)]
            return any(isinstance(r, ast.Name) and r.id in names for r in returned)
        if isinstance(up, ast.stmt | ast.BinOp):
            return False
    return False


def _is_own(node: ast.expr, page: Page) -> bool:
    """Whether a value belongs to the caller: a parameter that is not reassigned."""
    function = page.function(node)
    root = node.value if isinstance(node, ast.Attribute) and node.attr == "weight" else node
    if function is None or not isinstance(root, ast.Name) or root.id not in parameters(function):
        return False
    return not _is_rebound(function, root.id) and _is_tensor(function, root.id)


def _is_rebound(function: Function, name: str) -> bool:
    names = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
    return any(isinstance(n.ctx, ast.Store) for n in names)


def _is_tensor(function: Function, name: str) -> bool:
    """Whether the function treats a parameter as an array: a size cannot be written to."""
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=used)) | ast.Subscript(value=ast.Name(id=used)):
                if used == name:
                    return True
            case ast.BinOp(op=ast.MatMult(), left=left, right=right):
                if any(isinstance(n, ast.Name) and n.id == name for n in (left, right)):
                    return True
    return False
