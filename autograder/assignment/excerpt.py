"""Extracts the part of a checks.py that some of its functions need, and no more.

A top-level statement is included if it binds a wanted name, or one that an included statement uses
at any depth; of an import, only the names that are used. Comments are left out.

Covered: private functions, classes, constants, decorators, annotations, statements under ``if`` and
``try``. Not covered: names that are looked up by text (``globals()[...]``), code that only acts
when the file is imported, what the docstring of an included function gives away.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator

from autograder.errors import SpecError

_FUTURE = "from __future__ import annotations"
_SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def excerpt(source: str, names: Iterable[str], *, file: str = "checks.py") -> str:
    """The statements of ``source`` that these names need, in their order; "" for no name.

    Raises ``SpecError`` for a file that is not valid Python, for ``import *``, and for a name that
    no statement binds.
    """
    try:
        tree = ast.parse(source)
        lines = _without_comments(source)
    except SyntaxError as bad:
        raise SpecError([unparsed(file, bad)]) from None
    except (ValueError, tokenize.TokenError) as bad:
        raise SpecError([f"{file}: not valid Python ({bad}); correct the file"]) from None
    binding = _bindings(tree, file)
    pending = list(dict.fromkeys(names))
    problems = [f"{file}: there is no function `{name}`" for name in pending if name not in binding]
    if problems:
        raise SpecError(problems)
    taken: set[int] = set()
    used: set[str] = set()
    while pending:
        name = pending.pop()
        new = {place for place in binding.get(name, ()) if name not in used} - taken
        used.add(name)
        taken |= new
        for place in new:
            pending += _uses(tree.body[place])
    parts = [_text(tree.body[place], lines, used) for place in sorted(taken)]
    if parts and any(_is_future(node) for node in tree.body):
        parts.insert(0, _FUTURE)
    return "".join(f"{part}\n\n" for part in parts)


def unparsed(file: str, error: SyntaxError) -> str:
    """The problem of a Python file with a syntax error: its line, Python's reason, the code."""
    quoted = f": `{error.text.strip()[:120]}`" if error.text and error.text.strip() else ""
    return f"{file}, line {error.lineno or 1}: {error.msg}{quoted}; correct this line"


def _bindings(tree: ast.Module, file: str) -> dict[str, list[int]]:
    """The numbers of the statements that bind each name at the top level."""
    found: dict[str, list[int]] = {}
    for place, node in enumerate(tree.body):
        if not _is_future(node):
            for name in _bound(node, file):
                found.setdefault(name, []).append(place)
    return found


def _bound(node: ast.AST, file: str) -> Iterator[str]:
    """Names that a statement binds, outside of functions and classes in it."""
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
            return
        case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
            if any(alias.name == "*" for alias in aliases):
                raise SpecError([f"{file}: list the imported names instead of `import *`"])
            yield from (_name(alias) for alias in aliases)
        case ast.Name(id=name, ctx=ast.Store()):
            yield name
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _bound(child, file)


def _uses(node: ast.stmt) -> set[str]:
    """Every name that a statement reads, at any depth; its own local names may be included."""
    names = (child for child in ast.walk(node) if isinstance(child, ast.Name))
    return {name.id for name in names if not isinstance(name.ctx, ast.Store)}


def _text(node: ast.stmt, lines: list[str], used: set[str]) -> str:
    """The source of a statement, with its decorators; of an import, only what is used."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        node.names = [alias for alias in node.names if _name(alias) in used]
        return ast.unparse(node)
    first, last = min([node.lineno, *_decorated(node)]), node.end_lineno or node.lineno
    own = [line.encode() for line in lines[first - 1 : last]]
    own[-1] = own[-1][: node.end_col_offset]
    own[0] = own[0][0 if _decorated(node) else node.col_offset :]
    return b"\n".join(own).decode()


def _decorated(node: ast.stmt) -> list[int]:
    """The lines of a function's or a class's decorators."""
    return [decorator.lineno for decorator in getattr(node, "decorator_list", ())]


def _name(alias: ast.alias) -> str:
    return alias.asname or alias.name.split(".")[0]


def _is_future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _without_comments(source: str) -> list[str]:
    """The lines of a file, each up to its comment."""
    lines = source.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            lines[row - 1] = lines[row - 1][:column].rstrip()
    return lines
