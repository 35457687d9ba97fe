"""Lines of a submission that reach for the grader or other resources; read, never run.

Covered: the call stack and the insides of functions, functions of libraries that are replaced,
the grader's own modules, modules that start processes, open connections or touch memory.
Not covered: names that are built while the code runs. Such a line may be harmless: the sandbox
blocks what it tries, and a human must judge its purpose.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeGuard

from autograder.notebook.structure.names import parse
from autograder.similarity.model import CodeLines, HandInCode, ReachingLine
from autograder.similarity.naming import imports

MOST = 10  # per submission
LONGEST = 160  # characters of a line
MAX_CHARACTERS = 60_000  # of a cell that is read

STACK = "inspects the call stack or the inside of functions"
REPLACED = "replaces part of a library"
GRADER = "refers to the grader"
SYSTEM = "uses a module for processes, connections or memory"

_INSIDE = frozenset(
    """
    _getframe currentframe f_back f_globals f_locals tb_frame gi_frame get_objects get_referrers
    settrace setprofile __subclasses__ __builtins__ __globals__ __closure__ __code__
    """.split()
)
_MODULES = frozenset(
    {"ctypes", "mmap", "socket", "subprocess", "multiprocessing", "signal", "pty", "cffi"}
)
_OURS = "autograder"
# a cell is parsed only if it contains one of the names, or something set on an object
_WORTH = re.compile(
    rf"\b(?:{'|'.join(sorted(_INSIDE | _MODULES | {_OURS, 'setattr'}))})\b|[\w\]]\.\w+[ \t]*=(?!=)"
)


def reaches(code: HandInCode) -> tuple[ReachingLine, ...]:
    """The first ``MOST`` such lines of a submission, without given cells; never fails."""
    found: list[ReachingLine] = []
    for cell in code.cells:
        if cell.given or len(cell.source) > MAX_CHARACTERS or not _WORTH.search(cell.source):
            continue
        if (tree := parse(cell.source)) is None:
            continue
        lines = cell.source.split("\n")
        known = {n for one in ast.walk(tree) if _is_import(one) for n in imports(one)}
        for line, what in sorted({*_found(tree, known | _usual(code))}):
            text = lines[line - 1].strip()[:LONGEST] if line <= len(lines) else ""
            found.append(ReachingLine(code.student, what, CodeLines(cell.number, line, line), text))
    return tuple(found[:MOST])


def _usual(code: HandInCode) -> frozenset[str]:
    """The names of libraries that the notebook's given cells import."""
    given = (_bound(cell.source) for cell in code.cells if cell.given and "import" in cell.source)
    return frozenset().union(*given)


@lru_cache(maxsize=256)  # a class shares its template's cells
def _bound(source: str) -> frozenset[str]:
    """The names that the imports of a cell bind."""
    tree = parse(source) if len(source) <= MAX_CHARACTERS else None
    found = (one for one in tree.body if _is_import(one)) if tree else ()
    return frozenset(name for one in found for name in imports(one))


def _is_import(node: ast.AST) -> TypeGuard[ast.Import | ast.ImportFrom]:
    return isinstance(node, ast.Import | ast.ImportFrom)


def _found(tree: ast.Module, libraries: frozenset[str] | set[str]) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names, lineno=line):
                yield from _imported(line, [alias.name for alias in names])
            case ast.ImportFrom(module=str(module), lineno=line):
                yield from _imported(line, [module])
            case ast.Attribute(attr=name, lineno=line) | ast.Name(id=name, lineno=line):
                if name in _INSIDE:
                    yield line, STACK
            case ast.Assign(targets=targets, value=value, lineno=line):
                plain = isinstance(value, ast.Constant)  # a setting, such as a seed or a flag
                if not plain and any(_is_of(target, libraries) for target in targets):
                    yield line, REPLACED
            case ast.Call(func=ast.Name(id="setattr"), args=[ast.Name(id=name), *_], lineno=line):
                if name in libraries:
                    yield line, REPLACED


def _imported(line: int, names: list[str]) -> Iterator[tuple[int, str]]:
    for top in {name.split(".")[0] for name in names}:
        if top == _OURS:
            yield line, GRADER
        elif top in _MODULES:
            yield line, SYSTEM


def _is_of(target: ast.expr, libraries: frozenset[str] | set[str]) -> bool:
    """Whether an assignment changes an attribute of a library."""
    if not isinstance(target, ast.Attribute):
        return False
    part: ast.expr = target
    while isinstance(part, ast.Attribute):
        part = part.value
    return isinstance(part, ast.Name) and part.id in libraries
