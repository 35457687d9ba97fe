"""Which names a cell defines and uses, by Python's own symbol tables: not the grader's way."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator
from functools import lru_cache


def defined(source: str) -> set[str]:
    """Names that a cell binds at module level; none of a cell that is not Python."""
    top = _table(source)
    if top is None:
        return set()
    own = {s.get_name() for s in top.get_symbols() if s.is_assigned() or s.is_imported()}
    return own | {
        symbol.get_name()
        for table in _inner(top)
        for symbol in table.get_symbols()
        if symbol.is_declared_global() and (symbol.is_assigned() or symbol.is_imported())
    }


def used(source: str) -> set[str]:
    """Names that a cell or a function in it takes from the module, its own ones too."""
    top = _table(source)
    if top is None:
        return set()
    own = {symbol.get_name() for symbol in top.get_symbols() if symbol.is_referenced()}
    return own | used_inside(source)


def needed(source: str) -> set[str]:
    """Names that a cell uses before it has bound them itself."""
    found: set[str] = set()
    bound: set[str] = set()
    for node in ast.parse(source).body:
        statement = ast.unparse(node)
        found |= used(statement) - bound
        bound |= defined(statement)
    return found


def used_inside(source: str) -> set[str]:
    """Names that functions, classes and comprehensions of a cell take from the module."""
    top = _table(source)
    return {
        symbol.get_name()
        for table in (_inner(top) if top is not None else ())
        for symbol in table.get_symbols()
        if symbol.is_global() and symbol.is_referenced()
    }


@lru_cache(maxsize=4_096)
def _table(source: str) -> symtable.SymbolTable | None:
    try:
        apart = ast.unparse(_Generators().visit(ast.parse(source)))
        return symtable.symtable(apart, "cell", "exec")
    except SyntaxError:
        return None


class _Generators(ast.NodeTransformer):
    """Every comprehension as a generator, which has a table of its own in all versions: from
    Python 3.12 on the others' variables are counted as their surroundings'."""

    def visit_ListComp(self, node: ast.ListComp | ast.SetComp) -> ast.AST:
        self.generic_visit(node)
        return ast.GeneratorExp(node.elt, node.generators)

    visit_SetComp = visit_ListComp

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        self.generic_visit(node)
        both = ast.Tuple([node.key, node.value], ast.Load())
        return ast.GeneratorExp(both, node.generators)


def _inner(table: symtable.SymbolTable) -> Iterator[symtable.SymbolTable]:
    for child in table.get_children():
        yield child
        yield from _inner(child)
