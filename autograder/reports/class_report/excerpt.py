"""Student code as an anonymous example.

Covered: comments, docstrings, texts (file paths, mail addresses, names in them), names of the
class in identifiers, numbers of many digits; the layout, because the code is regenerated.
Not covered: a way of writing that somebody recognises. Code that cannot be parsed is not shown.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection

MAX_CHARACTERS = 20_000
MAX_LINES, MAX_WIDTH = 24, 110
SHORTEST = 3  # letters of a name that is looked for inside of identifiers
LONGEST_NUMBER = 6  # digits
_WORD = re.compile(r"[^\W\d_]+")
_DIGITS = re.compile(r"\d+")


def anonymous(source: str, names: Collection[str]) -> str:
    """The code without comments, strings and names; "" where it cannot be shown.

    ``names`` are ids and names of the class, in any form.
    """
    if len(source) > MAX_CHARACTERS or source.count(".") > 2_000:
        return ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _Nameless(names).visit(ast.parse(source))
            text = ast.unparse(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    return bounded(text)


def bounded(text: str) -> str:
    """The text cut to ``MAX_LINES`` lines of ``MAX_WIDTH`` characters."""
    lines = [
        line if len(line) <= MAX_WIDTH else f"{line[:MAX_WIDTH]} ..." for line in text.split("\n")
    ]
    if len(lines) > MAX_LINES:
        more = len(lines) - MAX_LINES
        lines = [*lines[:MAX_LINES], f"... {more} more {'line' if more == 1 else 'lines'}"]
    return "\n".join(lines)


class _Nameless(ast.NodeTransformer):
    """Removes texts and names from a tree."""

    def __init__(self, names: Collection[str]) -> None:
        words = {word.casefold() for name in names for word in _WORD.findall(name)}
        self._words = frozenset(word for word in words if len(word) >= SHORTEST)
        self._numbers = frozenset(number for name in names for number in _DIGITS.findall(name))
        self._known: dict[str, str] = {}

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if isinstance(node.value, str | bytes):
            return ast.Constant("…")
        number = str(node.value)
        long = len(number) >= LONGEST_NUMBER and number in self._numbers
        return ast.Constant(0) if long else node

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return ast.Constant("…")

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        """Removes docstrings and other bare texts; a body is never left empty."""
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.Pass() if text else self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> ast.AST:
        for field, value in ast.iter_fields(node):
            if isinstance(value, str) and field in (
                "id",
                "arg",
                "attr",
                "name",
                "module",
                "asname",
            ):
                setattr(node, field, self._renamed(value))
        super().generic_visit(node)
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and isinstance(body[0], ast.Pass):
            del body[0]
        return node

    def _renamed(self, name: str) -> str:
        if not self._tells(name):
            return name
        return self._known.setdefault(name, f"name_{len(self._known) + 1}")

    def _tells(self, name: str) -> bool:
        """Whether an identifier holds a name of the class: ``jana_table``, ``tableOfJana``."""
        parts = re.sub(r"(?<=[^\W\d_A-Z])(?=[A-Z])", "_", name)
        if any(word.casefold() in self._words for word in _WORD.findall(parts)):
            return True
        digits = _DIGITS.findall(name)
        return any(len(digit) >= LONGEST_NUMBER and digit in self._numbers for digit in digits)
