"""Faults of control: conditions, loops, statements left out, exceptions, texts that are data."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograder.mutation.faults.arithmetic import from_module
from autograder.mutation.page import Edit, Page, called, number
from autograder.mutation.silent import OUTPUT_CALLS, STYLE_CALLS, is_fixed_seed

_COMPARED: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
    ast.Is: ("is", "is not"),
    ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"),
    ast.NotIn: ("not in", "in"),
}
_COMPARISONS = {
    "<": "a comparison were also true for equal values",
    "<=": "a comparison were false for equal values",
    ">": "a comparison were also true for equal values",
    ">=": "a comparison were false for equal values",
    "==": "a test for equality were the wrong way round",
    "!=": "a test for inequality were the wrong way round",
    "is": "a test for a special value were the wrong way round",
    "is not": "a test for a special value were the wrong way round",
    "in": "a test for membership were the wrong way round",
    "not in": "a test for absence were the wrong way round",
}
# how a call for its effect shows when it was left out
_LEFT_OUT = {
    "append": "values were not appended to a list",
    "add_": "an update were left out",
    "backward": "no gradients were computed",
    "colorbar": "the figure had no colour bar",
    "copy_": "values were not copied into a tensor",
    "kaiming_uniform_": "weights kept their default initial values",
    "normal_": "weights kept their default initial values",
    "manual_seed": "the seed were not set",
    "register_buffer": "a buffer were not registered",
    "step": "the optimizer took no step",
    "uniform_": "weights kept their default initial values",
    "xavier_uniform_": "weights kept their default initial values",
    "xlabel": "the horizontal axis of the figure had no label",
    "ylabel": "the vertical axis of the figure had no label",
    "zero_grad": "gradients were not reset before a step",
    "zeros_": "weights kept their default initial values",
}
# leaving these out changes nothing, or fails at the first line that is run
_KEEP = STYLE_CALLS | OUTPUT_CALLS | {"__init__", "eval", "train"}
_READERS = frozenset(
    """
    count endswith get index join pop replace setdefault split startswith
    """.split()
)


def swap_comparison(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``<`` -> ``<=``, ``==`` -> ``!=``, ``in`` -> ``not in``."""
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        return
    sign, other = _COMPARED[type(node.ops[0])]
    begin, end = page.span(node.left)[1], page.span(node.comparators[0])[0]
    between = page.source[begin:end].decode()
    if between.count(sign) == 1 and "#" not in between:
        yield Edit(begin, end, between.replace(sign, other), _COMPARISONS[sign])


def change_condition(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A test that is always or never true; one that is negated; ``and`` <-> ``or``."""
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            always, never = _treated(node)
            yield page.put(test, "True", always)
            yield page.put(test, "False", never)
            if not isinstance(test, ast.Compare | ast.BoolOp) and not _is_not(test):
                yield page.put(test, f"not {page.operand(test)}", _REVERSED)
        case ast.While(test=test):  # an endless loop shows nothing, slowly
            yield page.put(test, "False", "a loop never ran")
        case ast.comprehension(ifs=ifs):
            for test in ifs:
                yield page.put(test, "True", "no item were left out")
                if not isinstance(test, ast.Compare) and not _is_not(test):
                    yield page.put(test, f"(not {page.operand(test)})", _REVERSED)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield page.put(node, page.text(operand), _REVERSED)
        case ast.BoolOp(op=op, values=[left, right]):
            begin, end = page.span(left)[1], page.span(right)[0]
            between = page.source[begin:end].decode()
            word, other = ("and", "or") if isinstance(op, ast.And) else ("or", "and")
            if between.count(word) == 1 and "#" not in between:
                as_if = "one of two conditions were enough"
                if word == "or":
                    as_if = "both of two conditions were required"
                yield Edit(begin, end, between.replace(word, other), as_if)
            yield page.put(node, page.text(left), _UNTESTED)
            yield page.put(node, page.text(right), _UNTESTED)


_REVERSED = "a condition were the wrong way round"
_UNTESTED = "one of two conditions were not tested"


def _treated(node: ast.If | ast.IfExp) -> tuple[str, str]:
    """How a test shows that is always true, and one that is never true."""
    match node:
        case ast.If(body=[ast.Raise()]):
            return "valid input were also refused", "some invalid input were not refused"
        case ast.If(body=[ast.Return()], orelse=[]):
            return "every case were treated as a special one", "a special case were not handled"
    return "a condition were always true", "a condition were never true"


def _is_not(node: ast.AST) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def drop_statement(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A call for its effect, an assignment into a table, ``+=``, ``raise``: left out."""
    match node:
        case ast.Expr(value=ast.Call() as call):
            if called(call) not in _KEEP and not _is_super(call) and not is_fixed_seed(call):
                yield page.put(node, "pass", _LEFT_OUT.get(called(call), ""))
        case ast.Assign(targets=[ast.Subscript()]):
            yield page.put(node, "pass", "an assignment to part of a tensor or list were left out")
        case ast.Assign(targets=[ast.Attribute(value=ast.Attribute())]):
            yield page.put(node, "pass")
        case ast.AugAssign():
            yield page.put(node, "pass", "an update of a value were left out")
        case ast.Raise():
            yield page.put(node, "pass", "some invalid input were not refused")


def _is_super(node: ast.Call) -> bool:
    match node.func:
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super"))):
            return True
    return False


def raise_another(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``raise ValueError`` -> ``raise RuntimeError``."""
    match node:
        case ast.Raise(exc=ast.Name() as name) | ast.Raise(exc=ast.Call(func=ast.Name() as name)):
            other = "ValueError" if name.id == "RuntimeError" else "RuntimeError"
            yield page.put(name, other, "a different exception were raised")


def leave_loop(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A loop that ends after one turn or does nothing, a comprehension that misses the first."""
    match node:
        case ast.For(body=body) | ast.While(body=body):
            last, first = body[-1], body[0]
            indent = " " * first.col_offset
            if page.alone(last) and not isinstance(last, ast.Return | ast.Raise | ast.Break):
                end = page.span(last)[1]
                yield Edit(end, end, f"\n{indent}break", "a loop ended after its first iteration")
            if page.alone(first) and isinstance(node, ast.For):
                begin = page.span(first)[0]
                yield Edit(begin, begin, f"continue\n{indent}", "a loop did nothing")
        case ast.comprehension(iter=iterable):
            as_if = "the first item were skipped"
            yield page.put(iterable, f"list({page.text(iterable)})[1:]", as_if)


def change_text(node: ast.AST, page: Page) -> Iterator[Edit]:
    """Keys, texts that are compared, and choices."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
        return
    up = page.parent(node)
    if isinstance(up, ast.Assign) and up.value is node:
        for check in page.exercise.check:
            held = {page.text(target) for target in up.targets}
            if check.kind == "choice" and check.name in held:
                others = [o for o in check.options if o != node.value]
                yield from (page.put(node, f'"{o}"') for o in others)
                return
    if _is_data(node, up):
        written = page.text(node)
        plain = not written.endswith(('"""', "'''"))
        other = f"{written[:-1]}x{written[-1]}" if plain else repr(f"{node.value}x")
        as_if = "a text were compared with the wrong one" if isinstance(up, ast.Compare) else ""
        yield page.put(node, other, as_if)


def _is_data(node: ast.Constant, up: ast.AST | None) -> bool:
    match up:
        case ast.Subscript(slice=place):
            return place is node
        case ast.Compare():
            return True
        case ast.Dict(keys=keys):  # a longer one is data, whose words do not matter
            return node in keys and len(keys) < 3
        case ast.Call(func=ast.Attribute(value=owner), args=args):
            return node in args and called(up) in _READERS and not from_module(owner)
    return False


def shift_mark(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A mark such as -1 for "none" that another number takes over in a keyword."""
    match node:
        case ast.keyword(arg="ignore_index" | "padding_idx" as name, value=value):
            if number(value) is not None:
                ignored = name == "ignore_index"
                as_if = (
                    "a different target were ignored"
                    if ignored
                    else "a different id were the padding"
                )
                yield page.put(value, str(int(number(value) or 0) + 2), as_if)
