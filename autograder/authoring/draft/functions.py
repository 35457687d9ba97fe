"""Splits a solution notebook into cells of which each defines at most one exercise: a top-level
function, or a class without decorators.

Covered: decorators of functions, comments above, and bodies on the same line.
Not covered: cells that begin with a ``%%`` magic, definitions that contain magics, or that are
within ``if`` and ``try``: they stay as they are.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from autograder.notebook.structure.check_cells import GRADER
from autograder.notebook.structure.names import parse, parse_plain
from autograder.notebook.submission import Kind, NotebookCell

BEGIN, END = "# BEGIN SOLUTION", "# END SOLUTION"

_Node = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter. ``annotation`` and ``default`` are their texts; empty if there is none."""

    name: str
    annotation: str = ""
    default: str = ""


@dataclass(frozen=True, slots=True)
class DraftFunction:
    """A function or method. ``target``: its name in calls, such as "f" or "Class.method".
    ``parameters``: those that a call must give; ``optional``: those that it may give by position.
    ``keywords``: whether a call must give some arguments by keyword. ``compared``: names that it
    compares with what it computes; ``positions``: names from which it computes indices."""

    target: str
    parameters: tuple[Parameter, ...]
    optional: tuple[Parameter, ...]
    keywords: bool
    compared: frozenset[str] = frozenset()
    positions: frozenset[str] = frozenset()

    @property
    def names(self) -> list[str]:
        """The names of the arguments that a call may give by position."""
        own = [parameter.name for parameter in (*self.parameters, *self.optional)]
        return ["self", *own] if "." in self.target else own


@dataclass(frozen=True, slots=True)
class DraftDefinition:
    """A function, or a class with its methods. ``docstrings``: its own first. ``uses``: all names
    in it."""

    name: str
    functions: tuple[DraftFunction, ...]
    docstrings: tuple[str, ...]
    uses: frozenset[str]
    is_class: bool


@dataclass(frozen=True, slots=True)
class DraftCell:
    """One cell. ``origin``: the number of the notebook's cell that it comes from."""

    kind: Kind
    source: str
    origin: int
    definition: DraftDefinition | None = None


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
        chosen: list[_Node] = []
        for node in found.get(cell.number, ()):
            if why := _why_not(node, _text(cell, node), times):
                given.append(GivenDefinition(node.name, why))
            else:
                chosen.append(node)
        made += _split(cell, chosen)
    return tuple(made), tuple(given)


def solved(source: str) -> str:
    """A definition's cell with marks around its answers: function bodies after the docstring."""
    tree = parse_plain(source)
    assert tree is not None, "it was chosen because it can be parsed"
    lines = source.split("\n")
    for node in reversed([*_methods(tree.body[0])]):
        _mark(lines, node)
    return "\n".join(lines)


def _mark(lines: list[str], node: ast.FunctionDef) -> None:
    """Put marks around the answer of a function that ends on a line of its own."""
    first, end = node.body[0], node.end_lineno or node.lineno
    own = first.end_lineno or first.lineno
    head = own if _docstring_of(node) else _header_end(node, lines)
    if first.lineno == node.lineno or head == 0:  # a body on the line of its ``def``
        at, indent = first.col_offset, " " * (node.col_offset + 4)
        text = lines[first.lineno - 1].encode()
        before, after = text[:at].decode().rstrip(), text[at:].decode()
        lines[first.lineno - 1 : first.lineno] = [before, f"{indent}{after}"]
        head, end = first.lineno, end + 1
    answer = lines[head:end]
    indent = _indent_of(answer)
    lines[head:end] = [indent + BEGIN, *answer, indent + END]


def _methods(node: ast.stmt) -> Iterator[ast.FunctionDef]:
    """The function itself, or the methods of the class, that have more than a docstring."""
    for part in node.body if isinstance(node, ast.ClassDef) else [node]:
        if isinstance(part, ast.FunctionDef) and len(part.body) > bool(_docstring_of(part)):
            yield part


def _definitions(cell: NotebookCell) -> list[_Node]:
    """The functions and classes that a cell defines at its top level."""
    tree = parse(cell.source)
    return [] if tree is None else [node for node in tree.body if isinstance(node, _Node)]


def _why_not(node: _Node, text: str, times: Counter[str]) -> str:
    """Why a definition is not an exercise; empty for one that can be."""
    if node.name.startswith("_"):
        return "its name begins with _"
    if node.name in ("main", GRADER) or node.name.startswith("test_"):
        return "a name of scripts and tests"
    if not _ID.fullmatch(node.name):
        return "its name is not an id of an exercise"
    if times[node.name] > 1:
        return "it is defined more than once"
    if parse_plain(text) is None:
        return "it contains IPython's own syntax"
    if isinstance(node, ast.AsyncFunctionDef):
        return "it is asynchronous"
    if isinstance(node, ast.ClassDef):
        if node.keywords or node.decorator_list:
            return "a class with decorators or a metaclass; its checks are written by hand"
        return "" if _functions(node) else "a class without methods that return something"
    return _why_not_called(node)


def _why_not_called(node: ast.FunctionDef) -> str:
    """Why the calls of a function cannot be compared; empty if they may be."""
    parts = list(ast.walk(node))
    if any(isinstance(part, ast.Yield | ast.YieldFrom) for part in parts):
        return "it is a generator"
    if not any(isinstance(part, ast.Return) and part.value for part in parts):
        return "it returns nothing that could be compared"
    return ""


def _text(cell: NotebookCell, node: _Node) -> str:
    """The lines of a definition."""
    return "\n".join(cell.source.split("\n")[node.lineno - 1 : node.end_lineno])


def _split(cell: NotebookCell, nodes: Sequence[_Node]) -> Iterator[DraftCell]:
    """The cell in parts: each definition with the comments above it, and what is between them."""
    lines = cell.source.split("\n")
    done = 0
    for node in nodes:
        start = min([node.lineno, *(part.lineno for part in node.decorator_list)]) - 1
        while start > done and lines[start - 1].startswith("#"):
            start -= 1
        yield from _part(cell, lines[done:start])
        done = node.end_lineno or node.lineno
        yield from _part(cell, lines[start:done], _definition(node))
    yield from _part(cell, lines[done:])


def _part(
    cell: NotebookCell, lines: Sequence[str], definition: DraftDefinition | None = None
) -> Iterator[DraftCell]:
    source = "\n".join(lines).strip("\n").rstrip()
    if source:
        yield DraftCell(cell.kind, source, cell.number, definition)


def _definition(node: _Node) -> DraftDefinition:
    own = ast.get_docstring(node) or ""
    inner = [_docstring_of(method) for method in _methods(node)]
    names = frozenset(part.id for part in ast.walk(node) if isinstance(part, ast.Name))
    is_class = isinstance(node, ast.ClassDef)
    return DraftDefinition(
        node.name, _functions(node), (own, *(inner if is_class else ())), names, is_class
    )


def _functions(node: _Node) -> tuple[DraftFunction, ...]:
    """The function itself; of a class, its own public methods whose results may be compared."""
    if isinstance(node, ast.FunctionDef):
        return (_function(node, node.name, 0),)
    return tuple(
        _function(part, f"{node.name}.{part.name}", 1)
        for part in _methods(node)
        if not part.name.startswith("_")
        and not part.decorator_list
        and not _why_not_called(part)
        and part.args.args
    )


def _function(node: ast.FunctionDef, target: str, left_out: int) -> DraftFunction:
    given = node.args
    every = [*given.posonlyargs, *given.args]
    first = max(len(every) - len(given.defaults), left_out)
    optional = zip(reversed(every[first:]), reversed(given.defaults), strict=False)
    return DraftFunction(
        target,
        tuple(_parameter(one) for one in every[left_out:first]),
        tuple(_parameter(one, ast.unparse(default)) for one, default in optional)[::-1],
        any(default is None for default in given.kw_defaults),
        frozenset(_compared(node)),
        frozenset(_positions(node)),
    )


def _compared(node: ast.FunctionDef) -> Iterator[str]:
    """Names that a function compares with something that is no constant."""
    for part in ast.walk(node):
        sides: list[ast.expr] = []
        if isinstance(part, ast.Compare):
            sides = [part.left, *part.comparators]
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            sides = part.args if part.func.id in ("min", "max") else []
        names = [_names(side) for side in sides]
        if sum(map(bool, names)) > 1:
            yield from set().union(*names)


def _positions(node: ast.FunctionDef) -> Iterator[str]:
    """Names in indices, without those that are how many items a slice takes from one end."""
    subscripts = (part.slice for part in ast.walk(node) if isinstance(part, ast.Subscript))
    for index in subscripts:
        for part in index.elts if isinstance(index, ast.Tuple) else [index]:
            names = _names(part)
            if isinstance(part, ast.Slice):
                first = isinstance(part.upper, ast.Name) and part.lower is None
                last = isinstance(part.lower, ast.UnaryOp) and part.upper is None
                names -= _names(part.upper) if first else set()
                names -= _names(part.lower) if last else set()
            yield from names


def _names(node: ast.AST | None) -> set[str]:
    parts = ast.walk(node) if node is not None else ()
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _parameter(given: ast.arg, default: str = "") -> Parameter:
    annotation = ast.unparse(given.annotation) if given.annotation else ""
    return Parameter(given.arg, annotation, default)


def _docstring_of(node: ast.FunctionDef) -> str:
    return ast.get_docstring(node) or ""


def _header_end(node: ast.FunctionDef, lines: Sequence[str]) -> int:
    """The line (from 1) on which the header ends; 0 if the body begins on it."""
    for number in range(node.lineno, node.body[0].lineno):
        if lines[number - 1].split("#")[0].rstrip().endswith(":"):
            return number
    return 0


def _indent_of(lines: Sequence[str]) -> str:
    """The indentation of the first line that holds code."""
    first = next(line for line in lines if line.strip() and not line.lstrip().startswith("#"))
    return first[: len(first) - len(first.lstrip())]
