"""Two changed versions of one cell are put together if their changes stand side by side."""

from __future__ import annotations

import ast
import itertools
import random

from docs.tools.merging import apart, merged

CELL = """
# The table.
table = make(3)

def first(x: int) -> int:
    \"\"\"One more.\"\"\"
    y = x + 1
    z = y + 1
    return z

class Both(Base):
    def __init__(self):
        super().__init__()

    def forward(self, ids):
        return self.table(ids)
"""
NAMES = ("table", "first", "Both")
CHANGES = (
    ("table = make(3)", "table = make(4)"),
    ("y = x + 1", "y = x - 1"),
    ("return z", "return -z"),
    ("super().__init__()", "pass"),
    ("self.table(ids)", "self.table(-ids)"),
)
IN_ONE = {(1, 2)}  # different lines of one function


def test_changes_in_different_places_are_merged() -> None:
    for one, other in itertools.combinations(range(len(CHANGES)), 2):
        first, second = (CELL.replace(*CHANGES[n]) for n in (one, other))
        expected = first.replace(*CHANGES[other])
        for written in (second, _plain(second)):  # comments and annotations are no change
            both = merged(CELL, first, written)
            assert both is not None and same(both, expected), (one, other)
            assert apart(CELL, first, written, NAMES) is ((one, other) not in IN_ONE)
        assert not apart(CELL, first, second, ()) or {one, other} == {3, 4}  # methods are


def test_what_both_add_or_take_away() -> None:
    helper, method = "def helper():\n    pass\n", "\n    def also(self):\n        pass\n"
    without = CELL[: CELL.index("    def forward")]
    assert merged(CELL, helper + CELL, CELL + method) is not None
    assert same(merged(CELL, helper + CELL, helper + CELL) or "", helper + CELL)
    assert same(merged(CELL, helper + CELL, without) or "", helper + without)
    assert same(merged(CELL, CELL + method, helper + CELL) or "", helper + CELL + method)
    assert merged(CELL, without, CELL.replace(*CHANGES[4])) is None


def test_lines_of_one_function_are_merged_unless_they_touch() -> None:
    draw = random.Random(3)
    base = [f"    line{n}()" for n in range(9)]
    for _ in range(100):
        first, second = sorted(draw.sample(range(9), 2))
        one, other = (
            [line.replace("line", "new") if at == place else line for at, line in enumerate(base)]
            for place in (first, second)
        )
        found = merged(*("\n".join(["def f():", *lines]) for lines in (base, one, other)))
        assert (found is None) is (second - first == 1)
        if found is not None:
            expected = [a if b == c else b for a, b, c in zip(other, one, base, strict=True)]
            assert found.split("\n")[1:] == expected


def same(one: str, other: str) -> bool:
    return _plain(one) == _plain(other)


def _plain(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            del node.body[0]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)
