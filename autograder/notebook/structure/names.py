"""Which names a cell defines or changes, read from its text without running it.

Covered: assignments of every form (tuples, annotated, augmented, walrus, also within
comprehensions), loop and ``with`` targets, imports, ``def`` and ``class``, patterns of ``match``,
all also inside ``if``, ``try``, ``with``, ``for`` and ``while`` at the top level. Cells with
IPython magics; cells with syntax errors (by the look of their lines); ``global`` in functions.
Places left empty define nothing: ``x = ...``, a function that reaches ``raise NotImplementedError``
before any ``return``, a class with such a method. Not covered: ``import *``, ``exec``,
``globals()[...]``; whether a function is ever called.
"""

from __future__ import annotations

import ast
import contextlib
import re
import threading
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeGuard

TRIES = 3
MAX_PARSED = 200_000  # characters; a longer cell is read line by line only
MAX_REMEMBERED = 20_000  # characters; of longer cells the last few results are kept
LARGE = 10  # how many of them

_ONE_AT_A_TIME = threading.Lock()  # changes to warnings affect all threads
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PYTHON_MAGIC = re.compile(r"(\s*)%(?:time|prun)(?:\s+-\w+)*\s+(\S.*)")
_ESCAPED = re.compile(r"(\s*)(?:[%!?].*|[\w.%]+\?{1,2}\s*)")
_CAPTURED = re.compile(r"([ \t]*\w[\w, \t.]*=[ \t]*)[%!].*")
_PYTHON_CELL = re.compile(r"%%(?:time|capture|check|prun)\b.*")
# Python's parser keeps every beginning of "import a.b.c": a long one takes gigabytes
_CHAIN = re.compile(r"(?<!\w)(?:[^\W\d]\w*+[ \t\f\\\n]*+\.[ \t\f\\\n]*+){500}")
_DEFINITION = re.compile(r"(?:async[ \t]+def|def|class)[ \t]+(\w+)")
_ASSIGNMENT = re.compile(r"(\w+(?:[ \t]*,[ \t]*\w+)*)[ \t]*(?::[^=]*)?=(?!=)")


@dataclass(frozen=True, slots=True)
class CellNames:
    """``defined``: bound at module level. ``changed``: objects changed through the name.
    ``left``: bound, but left empty."""

    defined: frozenset[str]
    changed: frozenset[str] = frozenset()
    left: frozenset[str] = frozenset()


def parse(source: str) -> ast.Module | None:
    """The syntax tree of a cell, its magics blanked out line by line; None if it has none."""
    return parse_plain(source) or parse_plain(without_magics(source))


def not_python(source: str) -> tuple[int, str]:
    """Where Python stops reading a cell that has no syntax tree: the line, and Python's reason."""
    if len(source) > MAX_PARSED or _CHAIN.search(source):
        return 1, "too long to be read"
    try:
        with _ONE_AT_A_TIME, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            _tree(without_magics(source))
    except SyntaxError as bad:
        return bad.lineno or 1, bad.msg
    except (ValueError, RecursionError, MemoryError) as bad:
        return 1, str(bad) or "nested too deeply"
    return 1, "it cannot be read as one cell"


def parse_plain(source: str) -> ast.Module | None:
    """The syntax tree of code without magics; None if it is too long or not Python."""
    if len(source) > MAX_PARSED or _CHAIN.search(source):
        return None
    try:
        with _ONE_AT_A_TIME, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _tree(source: str) -> ast.Module:
    """Python 3.11 counts the depth of a tree in one place for all threads: if another thread parses
    at the same time, the parser may report a false error, and a second try succeeds."""
    for _ in range(TRIES):
        with contextlib.suppress(SystemError):
            return ast.parse(source)
    raise ValueError("no tree can be made of it")


def without_magics(source: str) -> str:
    """The cell with the same number of lines, IPython's own syntax turned into plain Python."""
    lines = source.split("\n")
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    if lines[first].startswith("%%"):
        if not _PYTHON_CELL.fullmatch(lines[first]):
            return ""
        lines[first] = ""
    return "\n".join(_plain(line) for line in lines)


def _plain(line: str) -> str:
    if found := _PYTHON_MAGIC.fullmatch(line):
        return found[1] + found[2]
    if found := _ESCAPED.fullmatch(line):
        return found[1] + "pass"
    if found := _CAPTURED.fullmatch(line):
        return found[1] + "None"
    return line


def read_names(source: str) -> CellNames:
    """What a cell defines and changes; never fails, whatever the cell contains."""
    if len(source) <= MAX_REMEMBERED:
        return _remembered(source)
    return _large(source) if len(source) <= MAX_PARSED else _read_names(source)


def look_at(source: str) -> CellNames:
    """What a cell seems to define, from its lines alone: for cells that are too large to parse."""
    return CellNames(frozenset(_names_by_line(without_magics(source))))


@lru_cache(maxsize=2_048)  # a class shares its template's cells
def _remembered(source: str) -> CellNames:
    return _read_names(source)


@lru_cache(maxsize=LARGE)
def _large(source: str) -> CellNames:
    return _read_names(source)


def _read_names(source: str) -> CellNames:
    tree = parse(source)
    if tree is None:
        return look_at(source)
    defined: set[str] = set()
    changed: set[str] = set()
    left: set[str] = set()
    pending: list[tuple[ast.AST, bool]] = [(tree, False)]
    while pending:
        node, inside = pending.pop()  # only walrus targets are bound outside a comprehension
        if empty := tuple(_empty(node)):
            left.update(empty)
            continue
        defined.update(_bound(node, inside))
        changed.update(_changed(node))
        if isinstance(node, _SCOPES) or (isinstance(node, ast.AnnAssign) and not node.value):
            continue
        inside = inside or isinstance(node, _COMPREHENSIONS)
        pending.extend((child, inside) for child in ast.iter_child_nodes(node))
    return CellNames(frozenset(defined), frozenset(changed), frozenset(left - defined))


def _empty(node: ast.AST) -> Iterator[str]:
    """Names that this node binds to a place left empty."""
    match node:
        case ast.Assign(targets=targets, value=ast.Constant(value=value)) if value is ...:
            yield from (name.id for t in targets for name in ast.walk(t) if _is_name(name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.Constant(value=value)):
            if value is ...:
                yield name
        case ast.FunctionDef(name=name, body=body) if _left_empty(body):
            yield name
        case ast.ClassDef(name=name, body=body):
            methods = (one for one in body if isinstance(one, ast.FunctionDef))
            if any(_left_empty(method.body) for method in methods) or _left_empty(body):
                yield name


def _is_name(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name)


def _bound(node: ast.AST, inside: bool) -> Iterator[str]:
    """Names that this node alone binds at module level."""
    match node:
        case ast.NamedExpr(target=ast.Name(id=name)):
            yield name
        case ast.Name(id=name, ctx=ast.Store()) if not inside:
            yield name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
            yield from _shared(node)
        case ast.ClassDef(name=name):
            yield name
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            yield from (alias.asname or alias.name.split(".")[0] for alias in aliases)
        case ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


def _shared(function: ast.AST) -> Iterator[str]:
    """Names that a function declares global and binds when it is called."""
    inside = list(ast.walk(function))
    declared = {name for node in inside if isinstance(node, ast.Global) for name in node.names}
    if declared:
        yield from (n.id for n in inside if isinstance(n, ast.Name) and n.id in declared)


def _left_empty(body: list[ast.stmt]) -> bool:
    """Whether statements reach ``raise NotImplementedError`` without a ``return`` before it."""
    for statement in body:
        match statement:
            case ast.Raise(exc=ast.Name(id=name) | ast.Call(func=ast.Name(id=name))):
                return name == "NotImplementedError"
        if any(isinstance(node, ast.Return) for node in ast.walk(statement)):
            return False
    return False


def _changed(node: ast.AST) -> Iterator[str]:
    """Names whose object this node alone changes: ``x[i] = ``, ``x.a = ``, ``x.a.copy_(...)``,
    ``setattr(x, ...)``."""
    match node:
        case (
            ast.Attribute(ctx=ast.Store() | ast.Del()) | ast.Subscript(ctx=ast.Store() | ast.Del())
        ):
            yield from _root(node)
        case ast.Call(func=ast.Name(id="setattr"), args=[changed, *_]):
            yield from _root(changed)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner) as function, args=args)):
            yield from _root(function)
            if isinstance(owner, ast.Attribute | ast.Name) and _last(owner) == "init":
                for argument in args:  # nn.init.normal_(x.weight)
                    yield from _root(argument)


def _last(node: ast.Attribute | ast.Name) -> str:
    """``c`` of ``a.b.c``."""
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _root(node: ast.AST) -> Iterator[str]:
    """``x`` of ``x.a[0].b``; nothing where the chain begins with something else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id


def _names_by_line(source: str) -> Iterator[str]:
    """Names that the lines of an unparsable cell seem to define, at no indentation."""
    for line in source.split("\n"):
        if found := _DEFINITION.match(line):
            yield found[1]
        elif found := _ASSIGNMENT.match(line):
            yield from (name.strip() for name in found[1].split(","))
