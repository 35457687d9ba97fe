"""Doctest text to examples, and a test cell of a master notebook to doctest text.

The standard library's parser finds the examples and their expected output. The text of a test cell
is made by otter's rules: without comments and annotations, one prompt for each statement, and after
the last line everything that the cell showed when it was saved.
"""

from __future__ import annotations

import ast
import doctest
import re
from textwrap import dedent
from typing import Any

from autograder.interop.otter.source.literals import parse_file, source_of
from autograder.interop.otter.source.model import Example, SourceFault

_GOES_ON = re.compile(r"except[\s\w]*:|elif |else:|finally:|[ \t]")
_FLAGS = tuple((flag, name) for name, flag in sorted(doctest.OPTIONFLAGS_BY_NAME.items()))


def read_examples(text: str) -> tuple[Example, ...]:
    """The examples of a doctest text in order; raises SourceFault."""
    try:
        parts = doctest.DocTestParser().parse(dedent(text))
    except (ValueError, RecursionError) as bad:
        raise SourceFault(0, f"this is not doctest text ({_first_line(bad)})") from None
    return tuple(_example(part) for part in parts if isinstance(part, doctest.Example))


def _example(one: doctest.Example) -> Example:
    said = ((name, one.options.get(flag)) for flag, name in _FLAGS)
    options = tuple(name if on else f"-{name}" for name, on in said if on is not None)
    return Example(one.source, one.want, one.exc_msg or "", options)


def made_doctest(source: str, shown: str) -> str:
    """The doctest text of a test cell's source and output; raises SourceFault."""
    tree = parse_file(source)
    if not tree.body:
        raise SourceFault(0, "this test cell contains no code")
    lines: list[str] = []
    for line in source_of(_plain(tree)).split("\n"):
        if not line:
            continue
        goes_on = _GOES_ON.match(line) or (lines and lines[-1].rstrip().endswith("\\"))
        lines.append(f"{'...' if goes_on else '>>>'} {line}")
    return "\n".join([*lines, *shown.split("\n")])


def _plain(tree: ast.Module) -> ast.AST:
    try:
        made: ast.AST = _Plain().visit(tree)
    except RecursionError:
        raise SourceFault(0, "this is nested too deeply") from None
    return made


class _Plain(ast.NodeTransformer):
    """Removes every annotation from a tree."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return ast.copy_location(ast.Assign([node.target], node.value), node)

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.AnnAssign):
            node = self.visit_AnnAssign(node)
        self.generic_visit(node)
        for field, empty in (("annotation", None), ("returns", None), ("type_params", [])):
            if hasattr(node, field):
                setattr(node, field, empty)
        return node


def _first_line(bad: BaseException) -> str:
    return (str(bad) or type(bad).__name__).split("\n")[0][:200]
