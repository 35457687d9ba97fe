"""Faults of calls: another function, other arguments, a missing keyword, a missing step."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from autograder.mutation.canonical import is_symmetric
from autograder.mutation.faults.arithmetic import from_module
from autograder.mutation.page import Edit, Page, called, number, parameters
from autograder.mutation.silent import LABEL_CALLS, STYLE_KEYWORDS, is_text
from autograder.mutation.wording import enclosed

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
ONE_WAY = {
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
_OTHER = dict(_PAIRS) | {b: a for a, b in _PAIRS} | ONE_WAY
# what a function gives, where its name alone would not be a good word for it
_WORDS = {
    "sin": "the sine",
    "cos": "the cosine",
    "sum": "the sum",
    "mean": "the mean",
    "max": "the largest value",
    "min": "the smallest value",
    "argmax": "the index of the largest value",
    "argmin": "the index of the smallest value",
    "maximum": "the larger value",
    "minimum": "the smaller value",
    "zeros": "zeros",
    "ones": "ones",
    "zeros_like": "zeros",
    "ones_like": "ones",
    "zeros_": "zeros",
    "ones_": "ones",
    "any": "a test for any value",
    "all": "a test of all values",
    "softmax": "the softmax",
    "log_softmax": "the logarithm of the softmax",
    "lower": "lowercase letters",
    "upper": "uppercase letters",
    "floor": "the next lower whole number",
    "ceil": "the next higher whole number",
    "rand": "uniform random numbers",
    "randn": "normal random numbers",
    "cat": "joining along an existing axis",
    "stack": "stacking along a new axis",
    "tril": "the lower triangle",
    "triu": "the upper triangle",
    "real": "the real part",
    "imag": "the imaginary part",
    "exp": "the exponential",
    "exp2": "a power of 2",
    "log": "the natural logarithm",
    "log10": "the logarithm to base 10",
    "sqrt": "the square root",
    "square": "the square",
    "cumsum": "a running sum",
    "cumprod": "a running product",
    "cosine_similarity": "the cosine of the angle",
    "pairwise_distance": "the distance",
    "outer": "the outer product",
    "inner": "the inner product",
    "float": "single precision",
    "half": "half precision",
}
_LABELS = frozenset({"xlabel", "ylabel", "set_xlabel", "set_ylabel"})
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
# how a step that was left out shows, where it can be said plainly
_WITHOUT = {
    "T": "rows and columns were not swapped",
    "mT": "rows and columns were not swapped",
    "Parameter": "a tensor were not made a parameter",
    "abs": "the absolute value were not taken",
    "clamp": "values were not clipped",
    "clamp_min": "values were not clipped from below",
    "clip": "values were not clipped",
    "conj": "the conjugate were not taken",
    "cos": "the cosine were left out",
    "cumsum": "a running sum were left out",
    "deg2rad": "degrees were not converted to radians",
    "double": "a conversion to another dtype were left out",
    "exp": "an exponential were left out",
    "flatten": "axes were not merged",
    "flip": "the order were not reversed",
    "float": "a conversion to another dtype were left out",
    "half": "a conversion to another dtype were left out",
    "log": "a logarithm were left out",
    "log_softmax": "the softmax were left out",
    "lower": "a text were not converted to lowercase",
    "masked_fill": "a mask were not applied",
    "mean": "a mean were not taken",
    "neg": "a minus sign were left out",
    "norm": "a norm were not taken",
    "normalize": "vectors were not normalised",
    "permute": "axes were not reordered",
    "relu": "negative values were not set to 0",
    "repeat": "values were not repeated",
    "repeat_interleave": "values were not repeated",
    "requires_grad_": "a tensor did not require gradients",
    "roll": "values were not shifted",
    "sin": "the sine were left out",
    "softmax": "the softmax were left out",
    "sorted": "values were not sorted",
    "sqrt": "a square root were left out",
    "square": "a value were not squared",
    "squeeze": "an axis of length 1 were not removed",
    "strip": "spaces around a text were not removed",
    "sum": "a sum were left out",
    "swapaxes": "two axes were not swapped",
    "t": "rows and columns were not swapped",
    "tanh": "the tanh were left out",
    "to": "a conversion to another dtype or device were left out",
    "transpose": "two axes were not swapped",
    "type": "a conversion to another dtype were left out",
    "type_as": "a conversion to another dtype were left out",
    "astype": "a conversion to another dtype were left out",
    "unsqueeze": "a new axis of length 1 were not added",
    "upper": "a text were not converted to uppercase",
}
# how a forgotten keyword shows
_FORGOTTEN = {
    "bias": "a layer had a bias",
    "ignore_index": "no target were ignored",
    "keepdim": "an axis of length 1 were not kept",
    "keepdims": "an axis of length 1 were not kept",
    "num_classes": "the number of classes were inferred from the largest id",
    "padding_idx": "no id were set aside for padding",
    "std": "the standard deviation were left at its default",
}
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
                yield Edit(end - len(name), end, other, _instead(name, other, node, page))
            case ast.Name() if name in _BUILTIN or name not in dir(builtins):
                yield page.put(node.func, other, _instead(name, other, node, page))
    if name in _ORDERED and not any(k.arg == _ORDERED[name] for k in node.keywords):
        smallest = name == "topk"
        as_if = "the smallest values came first" if smallest else "the order were reversed"
        yield with_keyword(node, page, f"{_ORDERED[name]}={not smallest}", as_if)


def _instead(name: str, other: str, node: ast.Call, page: Page) -> str:
    """That another function was used, in words from the table of pairs."""
    if name in _LABELS:
        return "a label were on the wrong axis of the figure"
    if name not in _WORDS or other not in _WORDS:
        return ""
    return f"{_WORDS[other]} were used instead of {_WORDS[name]}{enclosed(node, page)}"


def with_keyword(node: ast.Call, page: Page, keyword: str, as_if: str) -> Edit:
    """The call with one keyword more."""
    match node.args:
        case [ast.GeneratorExp() as only]:  # its text has the parentheses of the call
            return page.put(node, f"{page.text(node.func)}({page.text(only)}, {keyword})", as_if)
        case _:
            place = page.span(node)[1] - 1
            comma = ", " if node.args or node.keywords else ""
            return Edit(place, place, f"{comma}{keyword}", as_if)


def swap_distribution(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``normal_(w, std=s)`` -> ``uniform_`` of the same spread: only the shape differs."""
    match node:
        case ast.Call(func=ast.Attribute(attr="normal_"), args=[table], keywords=[keyword]):
            if keyword.arg == "std":
                name = page.text(node.func)[: -len("normal_")] + "uniform_"
                half = f"{page.operand(keyword.value)} * 3**0.5"
                as_if = "numbers were drawn from a uniform distribution instead of a normal one"
                yield page.put(node, f"{name}({page.text(table)}, -{half}, {half})", as_if)


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
        text = page.text(second) + between + page.text(first)
        yield Edit(begin, end, text, "the two arguments of a call were swapped")


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
            yield Edit(begin, end, "", _FORGOTTEN.get(keyword.arg, ""))
    if any("diverging" in getattr(c, "aspects", ()) for c in page.exercise.check):
        for keyword in node.keywords:
            if keyword.arg == "cmap":
                yield page.put(keyword, "cmap=None", "the default colour map were used")


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
        returned = isinstance(up, ast.Return)
        as_if = f"{not node.value} were returned instead of {node.value}" if returned else ""
        yield page.put(node, str(not node.value), as_if)


def drop_step(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.sqrt()`` -> ``x``, ``F.normalize(x)`` -> ``x``, ``x.T`` -> ``x``."""
    up = page.parent(node)
    if isinstance(up, ast.Expr):
        return
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr=name)) if not from_module(owner):
            if name in _STEPS and not _is_device(node, name):
                yield page.put(node, page.text(owner), _without(name, node, page))
        case ast.Attribute(value=owner, attr="T" | "mT" as name, ctx=ast.Load()):
            if not (isinstance(up, ast.Call) and node is up.func):
                yield page.put(node, page.text(owner), _without(name, node, page))
        case ast.Call(args=[first, *_]) if called(node) in _WRAPPERS:
            if not isinstance(first, ast.Starred | ast.GeneratorExp):
                yield page.put(node, page.text(first), _without(called(node), node, page))


def _without(name: str, node: ast.AST, page: Page) -> str:
    """That a step was left out, in words from the table of steps."""
    return _WITHOUT[name] + enclosed(node, page) if name in _WITHOUT else ""


def leave_device(node: ast.AST, page: Page) -> Iterator[Edit]:
    """``x.to(y.device)`` -> ``x``, ``device=ids.device`` forgotten."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="to")) if _is_device(node, "to"):
            if not isinstance(page.parent(node), ast.Expr):
                as_if = "a tensor or module were not moved to the device of the others"
                yield page.put(node, page.text(owner), as_if)
        case ast.Call(keywords=keywords):
            for keyword in keywords:
                if keyword.arg == "device":
                    as_if = "a tensor were always created on the CPU"
                    yield page.put(keyword, "device=None", as_if)


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
        other = names[(names.index(node.id) + 1) % len(names)]
        as_if = f"one argument of the function were used in place of another{enclosed(node, page)}"
        yield page.put(node, other, as_if)


def swap_labels(node: ast.AST, page: Page) -> Iterator[Edit]:
    """An axis label that says nothing."""
    if isinstance(node, ast.Call) and called(node) in LABEL_CALLS:
        for argument in node.args:
            if is_text(argument):
                yield page.put(argument, '""', "an axis label of the figure were empty")
