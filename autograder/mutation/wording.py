"""Words for the place of a fault, from what encloses it: never a name, a number or code.

A sentence is made from closed tables alone, so that it says how a mutant differs from the right
answer without quoting the right answer.
"""

from __future__ import annotations

import ast

from autograder.mutation.page import Page, called

_POWERS = frozenset({"exp", "exp2", "expm1"})
_ROOTS = frozenset({"sqrt", "rsqrt"})
_RANGES = frozenset({"arange", "range", "linspace"})
_DIVISIONS = (ast.Div, ast.FloorDiv, ast.Mod)
_SIZED = frozenset({"Embedding", "GRU", "LSTM", "LayerNorm", "Linear", "RNN"})
# what is worked out along an axis
_ALONG = {
    "all": "a test of all values were made",
    "any": "a test for any value were made",
    "argmax": "the index of the largest value were taken",
    "argmin": "the index of the smallest value were taken",
    "cat": "tensors were joined",
    "concat": "tensors were joined",
    "concatenate": "tensors were joined",
    "cumsum": "a running sum were taken",
    "flip": "the order were reversed",
    "log_softmax": "the softmax were taken",
    "logsumexp": "a sum were taken",
    "max": "the largest value were taken",
    "mean": "a mean were taken",
    "min": "the smallest value were taken",
    "norm": "a norm were taken",
    "normalize": "vectors were normalised",
    "prod": "a product were taken",
    "softmax": "the softmax were taken",
    "stack": "tensors were stacked",
    "std": "a standard deviation were taken",
    "sum": "a sum were taken",
    "var": "a variance were taken",
}


def enclosed(node: ast.AST, page: Page) -> str:
    """Where in its statement a part is, as the end of a clause: " in an exponent"; "" if nothing
    tells."""
    for up in page.above(node):
        match up:
            case ast.BinOp(op=ast.Pow(), right=right) if node is right:
                return " in an exponent"
            case ast.BinOp(op=op, right=right) if node is right and isinstance(op, _DIVISIONS):
                return " in a divisor"
            case ast.Call() if node is not up.func and (place := _argument_of(up)):
                return place
            case ast.Subscript(slice=place) if node is place:
                return " in an index"
            case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test) if node is test:
                return " in a condition"
            case ast.comprehension(ifs=tests) if node in tests:
                return " in a condition"
        if isinstance(up, ast.stmt):
            return ""
        node = up
    return ""


def _argument_of(call: ast.Call) -> str:
    name = called(call)
    if name in _POWERS:
        return " in an exponent"
    if name in _ROOTS:
        return " under a square root"
    return " in a range of numbers" if name in _RANGES else ""


def along_another_axis(call: ast.AST) -> str:
    """That a call worked along another axis."""
    match called(call):
        case "unsqueeze" | "expand_dims":
            return "a new axis of length 1 were inserted elsewhere"
        case "squeeze":
            return "a different axis of length 1 were removed"
        case "flatten":
            return "different axes were merged"
        case "size":
            return "the length of another axis were read"
        case name if name in _ALONG:
            return f"{_ALONG[name]} along another axis"
    if isinstance(call, ast.Subscript):  # of a shape
        return "the length of another axis were read"
    return ""


def role(node: ast.AST, page: Page) -> str:
    """What a number is for: "a factor", "an index"; "" if it is not plain."""
    up = page.parent(node)
    match up:
        case ast.BinOp(op=ast.Mult()):
            return "a factor"
        case ast.BinOp(op=ast.Add() | ast.Sub()):
            return "a number that is added or subtracted"
        case ast.BinOp(op=ast.Pow(), left=left):
            return "the base of a power" if node is left else "an exponent"
        case ast.BinOp(op=ast.Div() | ast.FloorDiv(), right=right) if node is right:
            return "a divisor"
        case ast.Subscript(slice=place) if node is place:
            return "an index"
        case ast.Tuple() if isinstance(page.parent(up), ast.Subscript):
            return "an index"
        case ast.Call() if called(up) in _SIZED:
            return "a size"
        case ast.Call(args=[ast.Constant()]) if called(up) == "tensor":
            return "a number"
    return ""
