"""Faults of state: values kept from an earlier call, and arguments that are changed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutation.page import Edit, Function, Page, called, parameters

_SPOILS = '("reverse", "zero_", "sort", "clear")'  # of lists, tensors, NumPy arrays, dictionaries
_OF_FRAMES = frozenset({"assign", "groupby", "iloc", "loc", "merge", "pivot_table", "set_index"})
_TEXTS = frozenset({"split", "lower", "strip", "encode", "format", "join", "replace"})
_SIZED = frozenset({"arange", "empty", "full", "ones", "range", "zeros", "Embedding", "Linear"})
_LISTS = frozenset({"append", "sort", "reverse", "extend"})


def keep_result(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A result cached by only some of the arguments, or by the shape alone of one."""
    function = page.function(node)
    if not isinstance(node, ast.Return) or node.value is None or function is None:
        return
    names, owner = parameters(function), page.owner(function)
    asked = {name.split(".")[0] for name in page.exercise.defines}
    if (owner.name if owner is not None else function.name) not in asked:
        return  # a helper's calls are not seen from outside
    if function.name == "__init__" or not names or _is_plain(node.value):
        return
    kinds = {check.kind for check in page.exercise.check}
    if owner is not None and kinds <= {"function", "raises"}:
        return  # each call is made on an object of its own
    own = ["id(self)"] if owner is not None else []
    for left in names:
        others = [f'str({name}).split(" at 0x")[0]' for name in names if name != left]
        key = ", ".join([*own, *others, f'getattr({left}, "shape", None)'])
        whole = _whole(node.value, page)
        kept = f"{_named(function, owner)}.__dict__"
        as_if = (
            "the result of an earlier call were returned again even though an argument has changed"
        )
        yield page.put(node.value, f"{kept}.setdefault(({key}), {whole})", as_if)


def keep_size(node: ast.AST, page: Page) -> Iterator[Edit]:
    """The size of the first call, kept for all later calls."""
    function = page.function(node)
    if function is None or not isinstance(node, ast.expr) or function.name == "__init__":
        return
    match node:
        case ast.Attribute(attr="shape", ctx=ast.Load(), value=ast.Name(id=name)):
            pass
        case ast.Call(func=ast.Attribute(attr="size", value=ast.Name(id=name))):
            pass
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]):
            pass
        case _:
            return
    if name in parameters(function) and page.function(function) is None:
        kept = f"{_named(function, page.owner(function))}.__dict__"
        as_if = "a size from the first call were kept for later calls"
        yield page.put(node, f'{kept}.setdefault("size of {name}", {page.text(node)})', as_if)


def size_from_global(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A size that is an argument, taken from a global name that the first call sets."""
    function = page.function(node)
    if function is None or not isinstance(node, ast.Call) or called(node) not in _SIZED:
        return
    for name in parameters(function):
        for size in node.args:
            if isinstance(size, ast.Name) and size.id == name:
                as_if = "a size from the first call were kept for later calls"
                yield page.put(size, f'globals().setdefault("size_{name}", {name})', as_if)


def change_argument(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A list, tensor or dictionary argument is reversed, zeroed, sorted or emptied; a data frame
    loses its first row."""
    function = page.function(node)
    if not isinstance(node, ast.Return) or node.value is None or function is None:
        return
    if function.body[-1] is not node:
        return
    for name in parameters(function):
        if _is_held(name, function):
            spoil = f"next((getattr({name}, s) for s in {_SPOILS} if hasattr({name}, s)), int)()"
            if _is_frame(name, function):
                shorter = f"{name}.drop({name}.index[:1], inplace=True)"
                spoil = f'{shorter} if hasattr({name}, "iloc") else {spoil}'
            as_if = "each call changed an argument"
            yield page.put(node.value, f"({_whole(node.value, page)}, {spoil})[0]", as_if)


def _named(function: Function, owner: ast.ClassDef | None) -> str:
    return function.name if owner is None else f"{owner.name}.{function.name}"


def _whole(value: ast.expr, page: Page) -> str:
    text = page.text(value)
    return f"({text})" if isinstance(value, ast.Tuple) else text


def _is_frame(name: str, function: Function) -> bool:
    """Whether a parameter is used as data frames are."""
    for node in ast.walk(function):
        match node:
            case ast.Attribute(value=ast.Name(id=id_), attr=attr) if id_ == name:
                if attr in _OF_FRAMES:
                    return True
            case ast.Subscript(
                value=ast.Name(id=id_),
                slice=ast.Constant(value=str()) | ast.List(elts=[ast.Constant(value=str()), *_]),
            ):
                if id_ == name:
                    return True
    return False


def _is_held(name: str, function: Function) -> bool:
    """Whether a parameter plainly holds several values: it is indexed, gone through or has a shape,
    and is neither a text nor deliberately changed or reassigned."""
    held = False
    for node in ast.walk(function):
        match node:
            case ast.Name(id=found, ctx=ast.Store()) if found == name:
                return False
            case ast.Attribute(value=ast.Name(id=found), attr=attribute) if found == name:
                if attribute in _TEXTS | _LISTS:
                    return False
                held = held or attribute in ("shape", "dtype", "T", "items", "keys")
            case ast.Subscript(value=ast.Name(id=found)) if found == name:
                held = True
            case ast.For(iter=ast.Name(id=found)) | ast.comprehension(iter=ast.Name(id=found)):
                held = held or found == name
            case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=found)]) if found == name:
                held = True
    return held


def _is_plain(value: ast.expr) -> bool:
    """Whether a result is the same at each call anyway, or an argument itself."""
    if isinstance(value, ast.Name) or called(value) == "super":
        return True
    return not any(isinstance(part, ast.Name | ast.Attribute) for part in ast.walk(value))
