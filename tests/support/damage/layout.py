"""Python source laid out anew without a change of what it does."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import lru_cache


def indented(source: str) -> str:
    """Four blanks in front of every line, but none inside a string of several lines."""
    inside = _inside_strings(source)
    lines = source.split("\n")
    return "\n".join(
        f"    {line}" if line.strip() and number not in inside else line
        for number, line in enumerate(lines, start=1)
    )


def with_tabs(source: str) -> str:
    """Tabs for the blanks at the beginning of lines."""
    inside = _inside_strings(source)
    made = []
    for number, line in enumerate(source.split("\n"), start=1):
        bare = line.lstrip(" ")
        depth, rest = divmod(len(line) - len(bare), 4)
        made.append(line if number in inside else "\t" * depth + " " * rest + bare)
    return "\n".join(made)


def statement_ends(source: str) -> list[int]:
    """Numbers of the lines after which a line may be put: no bracket or string is open."""
    ends = {token.end[0] for token in _tokens(source) if token.type == tokenize.NEWLINE}
    return sorted(ends)


def _inside_strings(source: str) -> set[int]:
    """Numbers of the lines that begin within a string."""
    return {number for first, last in _strings(source) for number in range(first + 1, last + 1)}


def _strings(source: str) -> Iterator[tuple[int, int]]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr) or (
            isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
        ):
            yield node.lineno, node.end_lineno or node.lineno


def _tokens(source: str) -> Iterator[tokenize.TokenInfo]:
    return tokenize.generate_tokens(io.StringIO(source + "\n").readline)


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


class _Annotated(ast.NodeTransformer):
    def visit_Module(self, node: ast.Module) -> ast.Module:
        self.generic_visit(node)
        node.body = [_annotated(statement) for statement in node.body]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            argument.annotation = argument.annotation or ast.Constant("Any")
        node.returns = node.returns or ast.Constant("Any")
        return node


def _annotated(node: ast.stmt) -> ast.stmt:
    match node:
        case ast.Assign(targets=[ast.Name() as target], value=value):
            return ast.AnnAssign(target, ast.Constant("Any"), value, 1)
    return node


def annotated(source: str) -> str:
    """Type hints on everything; comments are lost."""
    return ast.unparse(ast.fix_missing_locations(_Annotated().visit(ast.parse(source))))


def unparsed(source: str) -> str:
    """The same program without comments and layout."""
    return ast.unparse(ast.parse(source))
