"""Faults of calls: another function, other arguments, a missing keyword, a missing step."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from autograder.mutation.canonical import is_symmetric
from autograder.mutation.faults.arithmetic import from_module
from autograder.mutation.page import Edit, Page, called, number, parameters
from autograder.mutation.silent import LABEL_CALLS, STYLE_KEYWORDS, is_text

_PAIRS = (
    ("sin", "cos"),
    ("sum", "mean"),
    ("max", "min"),
    ("argmax", "argmin"),
    ("maximum", "minimum"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
    ("zeros_", "ones_"),
    ("any", "all"),
    ("softmax", "log_softmax"),
    ("xlabel", "ylabel"),
    ("set_xlabel", "set_ylabel"),
    ("lower", "upper"),
    ("floor", "ceil"),
    ("rand", "randn"),
    ("cat", "stack"),
    ("tril", "triu"),
    ("real", "imag"),
    ("add", "sub"),
    ("mul", "div"),
    ("mul_", "div_"),
    ("add_", "sub_"),
)
_ONE_WAY = {
    "exp": "exp2",
    "log": "log10",
    "norm": "sum",
    "sqrt": "square",
    "cumsum": "cumprod",
    "cosine_similarity": "pairwise_distance",
    "outer": "inner",
    "cross_entropy": "multi_margin_loss",
    "float": "half",
}
_OTHER = dict(_PAIRS) | {b: a for a, b in _PAIRS} | _ONE_WAY
_BUILTIN = frozenset({"all", "any", "max", "min"})
_ORDERED = {"sorted": "reverse", "sort": "descending", "argsort": "descending", "topk": "largest"}
_EITHER_WAY = frozenset(
    """
    add allclose array_equal dot equal isinstance hasattr gcd inner logical_and logical_or max
    maximum min minimum mul scatter swapaxes transpose vdot cosine_similarity isclose setattr
    """.split()
)
# methods whose absence is a mistake; dropping others changes nothing, or even breaks the form
_STEPS = frozenset(
    """
    T abs clamp clamp_min conj cos cumsum double exp flatten flip float half lower log mT
    masked_fill mean neg norm permute repeat sin softmax sqrt square squeeze strip sum swapaxes
    t tanh transpose type type_as unsqueeze upper requires_grad_ repeat_interleave roll to
    astype
    """.split()
)
_WRAPPERS = frozenset(
    """
    abs clip cos cumsum deg2rad exp flip log log_softmax normalize relu sin softmax sorted sqrt
    square tanh Parameter clamp squeeze
    """.split()
)
# a keyword that only states the default
_USUAL: dict[str, object] = {
    "bias": True,
    "keepdim": False,
    "keepdims": False,
    "largest": True,
    "descending": False,
    "reverse": False,
    "ignore_index": -100,
    "persistent": True,
    "freeze": True,
    "sorted": True,
    "requires_grad": False,
    "start": 0,
    "p": 2,
    "reduction": "mean",
    "eps": None,
    "sparse": False,
    "inplace": False,
}
_KEPT = STYLE_KEYWORDS | {
    "cmap",
    "dtype",
    "device",
    "vmin",
    "vmax",
    "non_blocking",
    "errors",
    "encoding",
    "key",
}


def swap_function(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``sin`` <-> ``cos``, ``sum`` <-> ``mean``, an order reversed."""
    if not isinstance(node, ast.Call):
        return
    name = called(node)
    other = _OTHER.get(name)
    if other is not None and not (other == "half" and (node.args or node.keywords)):
        match node.func:
            case ast.Attribute(value=owner) if (page.text(owner), other) != ("math", "square"):
                end = page.span(node.func)[1]
                yield Edit(end - len(name), end, other)
            case ast.Name() if name in _BUILTIN or name not in dir(builtins):
                yield page.put(node.func, other)
    if name in _ORDERED and not any(k.arg == _ORDERED[name] for k in node.keywords):
        value = "False" if name == "topk" else "True"
        yield from _with_keyword(node, page, f"{_ORDERED[name]}={value}")


def _with_keyword(node: ast.Call, page: Page, keyword: str) -> Iterator[Edit]:
    """The call with one keyword more."""
    match node.args:
        case [ast.GeneratorExp() as only]:  # its text has the parentheses of the call
            yield page.put(node, f"{page.text(node.func)}({page.text(only)}, {keyword})")
        case _:
            place = page.span(node)[1] - 1
            comma = ", " if node.args or node.keywords else ""
            yield Edit(place, place, f"{comma}{keyword}")


def swap_distribution(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``normal_(w, std=s)`` -> ``uniform_`` of the same spread: only the shape differs."""
    match node:
        case ast.Call(func=ast.Attribute(attr="normal_"), args=[table], keywords=[keyword]):
            if keyword.arg == "std":
                name = page.text(node.func)[: -len("normal_")] + "uniform_"
                half = f"{page.operand(keyword.value)} * 3**0.5"
                yield page.put(node, f"{name}({page.text(table)}, -{half}, {half})")


def swap_arguments(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``f(a, b)`` -> ``f(b, a)`` where the order matters."""
    if not isinstance(node, ast.Call) or len(node.args) != 2 or called(node) in _EITHER_WAY:
        return
    first, second = node.args
    if any(
        isinstance(f, ast.FunctionDef) and f.name == called(node) and is_symmetric(f)
        for f in page.tree.body
    ):
        return
    if any(isinstance(a, ast.Starred | ast.GeneratorExp) or is_text(a) for a in node.args):
        return
    begin, end = page.span(first)[0], page.span(second)[1]
    between = page.source[page.span(first)[1] : page.span(second)[0]].decode()
    if "(" not in between and ")" not in between:
        yield Edit(begin, end, page.text(second) + between + page.text(first))


def drop_keyword(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``bias=False``, ``keepdim=True``, ``padding_idx=0`` forgotten."""
    if not isinstance(node, ast.Call):
        return
    for at, keyword in enumerate(node.keywords):
        if keyword.arg is None or keyword.arg in _KEPT or _says_nothing(node, keyword):
            continue
        begin, end = page.span(keyword)
        if at or node.args:
            begin = _back_to_comma(page, begin)
        elif len(node.keywords) > 1:
            end = page.span(node.keywords[1])[0]
        if begin >= 0:
            yield Edit(begin, end, "")
    if any("diverging" in getattr(c, "aspects", ()) for c in page.exercise.check):
        for keyword in node.keywords:
            if keyword.arg == "cmap":
                yield page.put(keyword, "cmap=None")


def _back_to_comma(page: Page, begin: int) -> int:
    """Where the comma before an argument is; -1 when a comment is in between."""
    comma = page.source.rfind(b",", 0, begin)
    return comma if not page.source[comma + 1 : begin].strip() else -1


def _says_nothing(node: ast.Call, keyword: ast.keyword) -> bool:
    name = keyword.arg or ""
    value = number(keyword.value)
    if value is None and isinstance(keyword.value, ast.Constant):
        value = keyword.value.value  # type: ignore[assignment]
    if name == "dim" and called(node) in ("normalize", "cosine_similarity"):
        return value == 1
    if name == "dim" and called(node) in ("cat", "concat", "stack"):
        return value == 0
    if isinstance(value, bool) and name not in _USUAL:
        return True  # flip_flag covers it
    return name in _USUAL and value == _USUAL[name]


def flip_flag(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``True`` <-> ``False`` wherever it is written, except where leaving it out means the same."""
    if not isinstance(node, ast.Constant) or not isinstance(node.value, bool):
        return
    up = page.parent(node)
    known = isinstance(up, ast.keyword) and (up.arg in _USUAL or up.arg in _KEPT)
    if not known and not isinstance(up, ast.Expr):
        yield page.put(node, str(not node.value))


def drop_step(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.sqrt()`` -> ``x``, ``F.normalize(x)`` -> ``x``, ``x.T`` -> ``x``."""
    up = page.parent(node)
    if isinstance(up, ast.Expr):
        return
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if not from_module(owner):
            if name in _STEPS and not _is_device(node, name):
                yield page.put(node, page.text(owner))
        case ast.Attribute(value=owner, attr="T" | "mT", ctx=ast.Load()):
            if not (isinstance(up, ast.Call) and node is up.func):
                yield page.put(node, page.text(owner))
        case ast.Call(args=[first, *_]) if called(node) in _WRAPPERS:
            if not isinstance(first, ast.Starred | ast.GeneratorExp):
                yield page.put(node, page.text(first))


def leave_device(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.to(y.device)`` -> ``x``, ``device=ids.device`` forgotten."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="to")) if _is_device(node, "to"):
            if not isinstance(page.parent(node), ast.Expr):
                yield page.put(node, page.text(owner))
        case ast.Call(keywords=keywords):
            for keyword in keywords:
                if keyword.arg == "device":
                    yield page.put(keyword, "device=None")


def _is_device(node: ast.Call, name: str) -> bool:
    texts = [ast.unparse(part) for part in (*node.args, *(k.value for k in node.keywords))]
    return name == "to" and any("device" in text for text in texts)


def take_other_parameter(node: ast.AST, page: Page) -> Iterator[Edit]:
    """A parameter of the function where another one belongs."""
    if not isinstance(node, ast.Name) or not isinstance(node.ctx, ast.Load):
        return
    function = page.function(node)
    names = parameters(function) if function is not None else []
    if node.id in names and len(names) > 1 and node not in ast.walk(function.args):  # type: ignore[union-attr]
        yield page.put(node, names[(names.index(node.id) + 1) % len(names)])


def swap_labels(node: ast.AST, page: Page) -> Iterator[Edit]:
    """An axis label that says nothing."""
    if isinstance(node, ast.Call) and called(node) in LABEL_CALLS:
        for argument in node.args:
            if is_text(argument):
                yield page.put(argument, '""')
