"""Splits a solution notebook into cells of which each defines at most one top-level function.

Covered: functions with decorators, comments above them, and bodies on the same line.
Not covered: functions in cells that begin with a ``%%`` magic, functions with magics, within ``if``
and ``try``, and classes: they stay as they are.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.notebook.structure.check_cells import GRADER
from autograder.notebook.structure.names import parse, parse_plain
from autograder.notebook.submission import Kind, NotebookCell

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter that a call must give. ``annotation`` is its text; empty if there is none."""

    name: str
    annotation: str = ""


@dataclass(frozen=True, slots=True)
class DraftFunction:
    """A top-level function. ``keywords``: whether a call must give some arguments by keyword.
    ``uses``: all names in its body."""

    name: str
    parameters: tuple[Parameter, ...]
    keywords: bool
    docstring: str
    uses: frozenset[str]


@dataclass(frozen=True, slots=True)
class DraftCell:
    """One cell. ``origin``: the number of the notebook's cell that it comes from."""

    kind: Kind
    source: str
    origin: int
    function: DraftFunction | None = None


@dataclass(frozen=True, slots=True)
class GivenDefinition:
    """A function or class that is given to students as it is, and why."""

    name: str
    why: str


def draft_cells(
    cells: Sequence[NotebookCell],
) -> tuple[tuple[DraftCell, ...], tuple[GivenDefinition, ...]]:
    """The notebook's cells, split, and the definitions that do not become exercises."""
    code = [cell for cell in cells if cell.kind == "code" and not cell.source.startswith("%%")]
    found = {cell.number: _definitions(cell) for cell in code}
    times = Counter(node.name for nodes in found.values() for node in nodes)
    made: list[DraftCell] = []
    given: list[GivenDefinition] = []
    for cell in cells:
        chosen: list[ast.FunctionDef] = []
        for node in found.get(cell.number, ()):
            why = _why_not(node, _text(cell, node), times)
            if isinstance(node, ast.FunctionDef) and not why:
                chosen.append(node)
            else:
                given.append(GivenDefinition(node.name, why))
        made += _split(cell, chosen)
    return tuple(made), tuple(given)


def solved(source: str) -> str:
    """A function's cell with marks around its answer: all of the body after the docstring."""
    node = _only_function(source)
    lines = source.split("\n")
    first = node.body[0]
    own = first.end_lineno or first.lineno
    head = own if _docstring_of(node) else _header_end(node, lines)
    if first.lineno == node.lineno or head == 0:  # a body on the line of its ``def``
        at = first.col_offset
        text = lines[first.lineno - 1].encode()
        lines[first.lineno - 1 : first.lineno] = [
            text[:at].decode().rstrip(),
            f"    {text[at:].decode()}",
        ]
        head = first.lineno
    answer = lines[head:]
    indent = " " * _indent_of(answer)
    return "\n".join([*lines[:head], indent + BEGIN, *answer, indent + END])


def _definitions(cell: NotebookCell) -> list[Definition]:
    """The functions and classes that a cell defines at its top level."""
    tree = parse(cell.source)
    return [] if tree is None else [node for node in tree.body if isinstance(node, Definition)]


def _why_not(node: Definition, text: str, times: Counter[str]) -> str:
    """Why a definition is not an exercise; empty for a function that can be one."""
    if not isinstance(node, ast.FunctionDef):
        is_class = isinstance(node, ast.ClassDef)
        return "a class; its checks are written by hand" if is_class else "it is asynchronous"
    parts = list(ast.walk(node))
    if node.name.startswith("_"):
        return "its name begins with _"
    if node.name in ("main", GRADER) or node.name.startswith("test_"):
        return "a name of scripts and tests"
    if times[node.name] > 1:
        return "it is defined more than once"
    if parse_plain(text) is None:
        return "it contains IPython's own syntax"
    if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts):
        return "it is a generator"
    if not any(isinstance(part, ast.Return) and part.value for part in parts):
        return "it returns nothing that could be compared"
    return ""


def _text(cell: NotebookCell, node: Definition) -> str:
    """The lines of a definition."""
    return "\n".join(cell.source.split("\n")[node.lineno - 1 : node.end_lineno])


def _split(cell: NotebookCell, functions: Sequence[ast.FunctionDef]) -> Iterator[DraftCell]:
    """The cell in parts: each function with the comments above it, and what is between them."""
    lines = cell.source.split("\n")
    done = 0
    for node in functions:
        start = min([node.lineno, *(part.lineno for part in node.decorator_list)]) - 1
        while start > done and lines[start - 1].startswith("#"):
            start -= 1
        yield from _part(cell, lines[done:start])
        done = node.end_lineno or node.lineno
        yield from _part(cell, lines[start:done], _function(node))
    yield from _part(cell, lines[done:])


def _part(
    cell: NotebookCell, lines: Sequence[str], function: DraftFunction | None = None
) -> Iterator[DraftCell]:
    source = "\n".join(lines).strip("\n").rstrip()
    if source:
        yield DraftCell(cell.kind, source, cell.number, function)


def _function(node: ast.FunctionDef) -> DraftFunction:
    given = node.args
    every = [*given.posonlyargs, *given.args]
    required = every[: len(every) - len(given.defaults)]
    return DraftFunction(
        node.name,
        tuple(
            Parameter(one.arg, ast.unparse(one.annotation) if one.annotation else "")
            for one in required
        ),
        any(default is None for default in given.kw_defaults),
        _docstring_of(node),
        frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name)),
    )


def _docstring_of(node: ast.FunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _only_function(source: str) -> ast.FunctionDef:
    tree = parse_plain(source)
    assert tree is not None, "it was chosen because it can be parsed"
    (node,) = tree.body
    assert isinstance(node, ast.FunctionDef)
    return node


def _header_end(node: ast.FunctionDef, lines: Sequence[str]) -> int:
    """The line (from 1) on which the header ends; 0 if the body begins on it."""
    for number in range(node.lineno, node.body[0].lineno):
        if lines[number - 1].split("#")[0].rstrip().endswith(":"):
            return number
    return 0


def _indent_of(lines: Sequence[str]) -> int:
    """The indentation of the first line that holds code."""
    code = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    first = code[0] if code else "    "
    return len(first) - len(first.lstrip())
