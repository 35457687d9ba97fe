"""Faults of shape: the wrong axis, transposed tables, other slices."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutation.faults.arithmetic import is_axis
from autograder.mutation.page import Edit, Page, called, number
from autograder.mutation.wording import along_another_axis

# One other axis each: for tables of two axes -1 and 1 are the same, and so are 0 and -2.
_OTHER_AXIS = {0: 1, 1: 0, 2: 1, 3: 2, -1: -2, -2: -1, -3: -2}
_STEPPED = {
    ("0", "2"): "odd positions were used instead of even ones",
    ("", "2"): "odd positions were used instead of even ones",
    ("1", "2"): "even positions were used instead of odd ones",
}
_TURNS = frozenset({"permute", "swapaxes", "transpose"})


def change_axis(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``dim=1`` -> ``dim=0``, ``unsqueeze(0)`` -> ``unsqueeze(1)``, ``shape[-1]`` -> ``[-2]``."""
    value = number(node)
    up = page.parent(node)
    if not isinstance(value, int) or up is None or not is_axis(node, page):
        return
    if called(up) not in _TURNS and value in _OTHER_AXIS:
        call = page.parent(up) if isinstance(up, ast.keyword) else up
        as_if = along_another_axis(call) if call is not None else ""
        yield page.put(node, str(_OTHER_AXIS[value]), as_if)


def move_new_axis(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x[:, None]`` -> ``x[None, :]``: the new axis one place to the left."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Tuple):
        return
    parts = node.slice.elts
    for at, part in enumerate(parts):
        if not _is_new_axis(part):
            continue
        other = (
            at - 1
            if at
            else next((i for i, later in enumerate(parts) if not _is_new_axis(later)), at)
        )
        if other != at and not _is_new_axis(parts[other]):
            texts = [page.text(part) for part in parts]
            texts[at], texts[other] = texts[other], texts[at]
            yield page.put(node.slice, ", ".join(texts), "a new axis were inserted elsewhere")


def turn_other_axes(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.transpose(1, 2)`` -> ``x.transpose(0, 2)``, ``permute(0, 2, 1)`` -> ``(2, 0, 1)``."""
    if not isinstance(node, ast.Call) or called(node) not in _TURNS:
        return
    axes = [a for a in node.args if number(a) is not None]
    if called(node) == "permute" and len(axes) > 1:
        begin, end = page.span(axes[0])[0], page.span(axes[1])[1]
        exchanged = f"{page.text(axes[1])}, {page.text(axes[0])}"
        yield Edit(begin, end, exchanged, "two axes were swapped")
    elif len(axes) == 2:
        first, second = (int(number(a) or 0) for a in axes)
        spare = next(a for a in (_OTHER_AXIS.get(first, 0), first + 1, first - 1) if a != second)
        yield page.put(axes[0], str(spare), "a different pair of axes were swapped")


def change_slice(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``0::2`` <-> ``1::2``, ``:n`` -> ``:`` and ``n:``, ``n:`` -> ``:`` and ``:n``."""
    if not isinstance(node, ast.Slice):
        return
    lower, upper, step = (
        page.text(part) if part is not None else "" for part in (node.lower, node.upper, node.step)
    )
    if step:
        start = {"": "1", "0": "1", "1": "0"}.get(lower)
        if start is not None and number(node.step) != -1:
            yield page.put(node, f"{start}:{upper}:{step}", _STEPPED.get((lower, step), ""))
        if number(node.step) == -1:
            yield page.put(node, f"{lower}:{upper}", "the order were not reversed")
        return
    if upper:
        yield page.put(node, f"{lower}:", "nothing were cut off at the end")
    if lower and lower != "0":
        yield page.put(node, f":{upper}", "nothing were cut off at the beginning")
    if bool(lower) != bool(upper):
        parts = ("before", "after") if lower else ("after", "before")
        as_if = "the part {} the cut were taken instead of the part {} it".format(*parts)
        yield page.put(node, f"{upper}:{lower}", as_if)


def _is_new_axis(node: ast.AST) -> bool:
    match node:
        case ast.Constant(value=None) | ast.Attribute(attr="newaxis"):
            return True
    return False
