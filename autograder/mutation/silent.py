"""What in a solution cannot matter to a check: texts for people, styling, types, output.

Covered: docstrings, printed and formatted text, messages of exceptions, annotations,
decorators, imports, defaults of parameters, the styling of figures, seeds that are written as
a number, ``if __name__``, predictions, and everything outside of the solution regions.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from autograder.assignment.kinds import PredictionCheck
from autograder.mutation.page import Page, called
from autograder.notebook.structure.regions import MarkError, find_regions

STYLE_CALLS = frozenset(
    """
    annotate axhline axis axvline close figure grid legend savefig set_aspect set_title set_xlim
    set_xticklabels set_xticks set_ylim set_yticklabels set_yticks show subplots subplots_adjust
    suptitle text tick_params tight_layout title xlim xticks ylim yticks
    """.split()
)
LABEL_CALLS = frozenset({"colorbar", "set_label", "set_xlabel", "set_ylabel", "xlabel", "ylabel"})
STYLE_KEYWORDS = frozenset(
    """
    alpha aspect color constrained_layout dpi edgecolors end extent figsize file flush fontsize
    fontweight fraction ha interpolation label layout linestyle linewidth loc lw marker
    markersize origin pad rotation s sep sharex sharey shrink strict title va
    """.split()
)
OUTPUT_CALLS = frozenset({"display", "print"})
SEED_CALLS = frozenset({"manual_seed", "seed"})


def places(page: Page) -> Iterator[ast.AST]:
    """Every node that an operator may look at, in the order of the source."""
    try:
        regions = find_regions(page.source.decode())
    except MarkError:
        regions = ()
    free = {c.name for c in page.exercise.check if isinstance(c, PredictionCheck)}
    pending: list[ast.AST] = [page.tree]
    while pending:
        node = pending.pop()
        if _is_prediction(node, free):
            continue
        if not regions or any(r.begin <= _line(node) <= r.end for r in regions):
            yield node
        pending.extend(reversed(_heard(node)))


def is_text(node: ast.AST) -> bool:
    """Whether a node is a text constant."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_fixed_seed(node: ast.Call) -> bool:
    """Whether a call sets a seed that is written as a number."""
    return called(node) in SEED_CALLS and all(isinstance(a, ast.Constant) for a in node.args)


def _line(node: ast.AST) -> int:
    if isinstance(node, ast.comprehension):
        node = node.target
    return getattr(node, "lineno", 0)


def _heard(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that can matter."""
    match node:
        case ast.FunctionDef(body=body) | ast.AsyncFunctionDef(body=body) | ast.ClassDef(body=body):
            return [part for part in body if not _is_remark(part)]
        case ast.Module(body=body):
            return [part for part in body if not _is_remark(part)]
        case ast.AnnAssign(value=value):
            return [value] if value is not None else []
        case ast.Raise() | ast.Import() | ast.ImportFrom() | ast.JoinedStr() | ast.Global():
            return []
        case ast.Assert(test=test):
            return [test]
        case ast.Lambda(body=inner):
            return [inner]
        case ast.keyword(arg=str(name)) if name in STYLE_KEYWORDS:
            return []
        case ast.keyword(arg="cmap", value=value) if is_text(value):
            return []
        case ast.keyword(arg="c", value=value) if is_text(value):
            return []
        case ast.Call() if _is_silent(node):
            return []
    return [part for part in ast.iter_child_nodes(node) if not _is_remark(part)]


def _is_silent(node: ast.Call) -> bool:
    return is_fixed_seed(node) or called(node) in STYLE_CALLS | OUTPUT_CALLS | LABEL_CALLS


def _is_prediction(node: ast.AST, free: Set[str]) -> bool:
    """An assignment to names that hold a prediction: any option is fine."""
    match node:
        case ast.Assign(targets=targets):
            return all(isinstance(name, ast.Name) and name.id in free for name in targets)
        case ast.AnnAssign(target=ast.Name(id=name)):
            return name in free
    return False


def _is_remark(node: ast.AST) -> bool:
    """A docstring or another bare text; code that only runs as a program."""
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.If(test=ast.Compare(left=ast.Name(id="__name__"))):
            return True
    return False
