"""Python source: which names it defines and uses, and how to write it in another way.

Names come from Python's own symbol tables: not the grader's way.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import symtable
import sys
import tokenize
from collections.abc import Callable, Mapping
from functools import lru_cache
from itertools import pairwise

from tests.support.cases import CASES
from tests.support.tables import read_table


def defined(source: str) -> set[str]:
    """Names that a cell binds at module level; none of a cell that is not Python."""
    top, inner = _tables(source)
    symbols = [*top.get_symbols(), *(s for s in inner if s.is_declared_global())]
    return {s.get_name() for s in symbols if s.is_assigned() or s.is_imported()}


def used(source: str) -> set[str]:
    """Names that a cell or a function in it takes from the module, its own ones too."""
    top, _ = _tables(source)
    return {s.get_name() for s in top.get_symbols() if s.is_referenced()} | used_inside(source)


def used_inside(source: str) -> set[str]:
    """Names that functions, classes and comprehensions of a cell take from the module."""
    _, inner = _tables(source)
    return {symbol.get_name() for symbol in inner if symbol.is_global() and symbol.is_referenced()}


def needed(source: str) -> set[str]:
    """Names that a cell uses before it has bound them itself."""
    found, bound = set[str](), set[str]()
    for node in ast.parse(source).body:
        statement = ast.unparse(node)
        found |= used(statement) - bound
        bound |= defined(statement)
    return found


@lru_cache(maxsize=4_096)
def _tables(source: str) -> tuple[symtable.SymbolTable, list[symtable.Symbol]]:
    """The table of a cell, and the symbols of all tables in it."""
    try:
        apart = ast.unparse(_Generators().visit(ast.parse(source)))
        top = symtable.symtable(apart, "cell", "exec")
    except SyntaxError:
        top = symtable.symtable("", "cell", "exec")
    inner, left = list[symtable.Symbol](), top.get_children()
    while left:
        table = left.pop()
        inner += table.get_symbols()
        left += table.get_children()
    return top, inner


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


# ------------------------------------------------------------------ layout


def each_line(source: str, change: Callable[[str], str]) -> str:
    """Every line changed that does not begin within a string."""
    inside = set[int]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr | ast.Constant):
            inside |= {*range(node.lineno + 1, (node.end_lineno or node.lineno) + 1)}
    lines = enumerate(source.split("\n"), start=1)
    return "\n".join(line if number in inside else change(line) for number, line in lines)


def indented(source: str) -> str:
    return each_line(source, lambda line: f"    {line}" if line.strip() else line)


def with_tabs(source: str) -> str:
    """Tabs for the blanks at the beginning of lines."""
    return each_line(
        source, lambda line: re.sub(r"^(    )+", lambda found: "\t" * (len(found[0]) // 4), line)
    )


def statement_ends(source: str) -> set[int]:
    """Numbers of the lines after which a line may be put: no bracket or string is open."""
    tokens = tokenize.generate_tokens(io.StringIO(source + "\n").readline)
    return {token.end[0] for token in tokens if token.type == tokenize.NEWLINE}


@lru_cache(maxsize=256)  # a process for each
def formatted(source: str) -> str:
    """As a formatter writes it, with short lines."""
    done = subprocess.run(
        [sys.executable, "-m", "ruff", "format", "--isolated", "--line-length", "60", "-"],
        input=source,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.rstrip("\n")


def annotated(source: str) -> str:
    """Type hints on everything; comments are lost."""
    tree, hint = ast.parse(source), ast.Constant("Any")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
                argument.annotation = argument.annotation or hint
            node.returns = node.returns or hint
    for at, statement in enumerate(tree.body):
        match statement:
            case ast.Assign(targets=[ast.Name() as target], value=value):
                tree.body[at] = ast.AnnAssign(target, hint, value, 1)
    return ast.unparse(ast.fix_missing_locations(tree))


def unparsed(source: str) -> str:
    """The same program without comments and layout."""
    return ast.unparse(ast.parse(source))


# ------------------------------------------------------------------ cutting


def blocks(source: str) -> list[str]:
    """The cell cut wherever a cut changes nothing when the parts are run one after the other.

    From the first statement that draws, all stays together: a cell's figure is shown and gone
    when the cell ends, in every notebook.
    """
    lines = source.split("\n")
    ends = [0]
    for node in ast.parse(source).body:
        begin = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        if begin <= ends[-1]:  # a second statement on one line
            ends.pop()
        elif "plt." in "\n".join(lines[ends[-1] : begin - 1]):
            break
        ends.append(node.end_lineno or begin)
        if "plt." in "\n".join(lines[ends[-2] : ends[-1]]):
            break
    ends[-1] = len(lines)
    return ["\n".join(lines[start:end]).strip("\n") for start, end in pairwise(ends)]


# ------------------------------------------------------------------ wrapping

WRAPS: Mapping[str, str] = read_table(CASES / "damage.yaml")["wraps"]


def wrapped(source: str, wrap: str) -> str:
    """A cell's code inside a function, a block or a class, with the same names in the end."""
    if not (names := sorted(defined(source))):
        source, names = f"{source}\ndone = True", ["done"]
    return WRAPS[wrap].format(
        body=indented(source),
        names=", ".join(names),
        pairs=", ".join(f"{name!r}: {name}" for name in names),
        items="\n".join(f"{name} = held[{name!r}]" for name in names),
        attributes="\n".join(f"{name} = Answer.{name}" for name in names),
    )


# ------------------------------------------------------------------ style


def trailing_blanks(source: str) -> str:
    ends = statement_ends(source)
    lines = enumerate(source.split("\n"), start=1)
    return "\n".join(f"{line}   \t" if number in ends else line for number, line in lines)


def prompts(source: str, first: str, others: str) -> str:
    """As if pasted from a shell."""
    return first + source.replace("\n", f"\n{others}")
