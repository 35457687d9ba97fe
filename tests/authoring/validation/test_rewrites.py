"""Rewrites mean the same: patterns put what they found into what they promise, and functions,
classes and layouts still do what they did."""

from __future__ import annotations

import ast
import re
from typing import Any

import pytest
import torch

from autograder.authoring.validation.rewrites.families import CHECKED, PATTERNS, SURE
from autograder.authoring.validation.rewrites.functions import FUNCTIONS
from autograder.authoring.validation.rewrites.layouts import LAYOUTS, SCRATCH, laid_out
from autograder.authoring.validation.rewrites.pattern import RewriteRule, rewritten, rules
from autograder.notebook.submission import NotebookCell


@pytest.mark.parametrize(
    ("rule", "program", "expected"),
    [
        ("X @ Y\n=>\nX.matmul(Y)", "z = (a + b) @ w.T", ["z = (a + b).matmul(w.T)"]),
        ("X * X\n=>\nX ** 2", "y = a * a + a * b", ["y = a ** 2 + a * b"]),
        ("X[I]\n=>\nX.take(I)", "y = x[1:]; x[0] = y[2]", ["y = x[1:]\nx[0] = y.take(2)"]),
        ("self.A(I)\n=>\nself.A.weight[I]", "y = self.t(i)", ["y = self.t.weight[i]"]),
        ("F.relu(X)\n=>\nX.relu()", "F.relu(x); G.relu(x)", ["x.relu()\nG.relu(x)"]),
        ("X.T\n=>\nX.mT", "a.T; a.U", ["a.mT\na.U"]),
        (
            "if C:\n    return X\nreturn Y\n=>\nreturn X if C else Y",
            "def f(a):\n    a += 1\n    if a > 1:\n        return a\n    return 0",
            ["def f(a):\n    a += 1\n    return a if a > 1 else 0"],
        ),
        ("[E for V in S]\n=>\nmap(lambda V: E, S)", "[-v for v in s]", ["map(lambda v: -v, s)"]),
        (
            "X + Y\n=>\nY + X\n=>\nX - -Y",
            "a + b + c",
            ["c + (a + b)", "b + a + c", "a + b - -c", "a - -b + c"],
        ),
    ],
)
def test_a_rule_is_applied_at_each_place(rule: str, program: str, expected: list[str]) -> None:
    (made,) = rules(rule)
    assert [ast.unparse(tree) for tree in rewritten(ast.parse(program), made)] == expected


def letters(part: tuple[ast.stmt, ...]) -> set[str]:
    text = "\n".join(map(ast.unparse, part))
    return set(re.findall(r"(?<![\w'\"])[A-EG-SU-Z](?!\w)", text))


@pytest.mark.parametrize("rule", [rule for table in PATTERNS.values() for rule in table])
def test_whatever_a_rule_writes_it_has_found(rule: RewriteRule) -> None:
    assert rule.others
    for other in rule.others:
        assert letters(other) <= letters(rule.pattern)


PROGRAM = '''
import torch, math
import torch.nn as nn
import torch.nn.functional as F

def scaled(table, factor=2.0):
    """Doc."""
    total = table.sum()
    return table * factor + total

def counted(rows, columns):
    return torch.arange(rows)[:, None] * torch.ones(columns)

class Model(nn.Module):
    def __init__(self, size, width):
        super().__init__()
        self.width = width
        self.table = nn.Embedding(size, width)
        self.head = nn.Linear(width, size - 1, bias=False)
        self.register_buffer("mask", torch.arange(float(width)))

    def forward(self, ids):
        rows = self.table(ids) + self.mask * self.table.weight.shape[1]
        return self.head(rows) * math.sqrt(self.width) + self.table.num_embeddings
'''


def answers(code: str) -> list[torch.Tensor]:
    """What the names of the program do; every parameter is set by its shape."""
    held: dict[str, Any] = {}
    exec(compile(code, "<rewrite>", "exec"), held)  # our own text
    model = held["Model"](5, 3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.sin(torch.arange(float(parameter.numel()))).view_as(parameter))
    table = torch.arange(6.0).reshape(2, 3)
    twice = [held["counted"](2, 3), held["counted"](2, 3)]
    return [held["scaled"](table), held["scaled"](table, 3.0), *twice, model(torch.tensor([0, 4]))]


@pytest.mark.parametrize("family", [name for name in SURE if name != "training"])
def test_functions_and_classes_do_what_they_did(family: str) -> None:
    torch.manual_seed(0)
    expected = answers(PROGRAM)
    found = [ast.unparse(ast.fix_missing_locations(t)) for t in SURE[family](ast.parse(PROGRAM))]
    assert found and len(set(found)) == len(found)
    for code in found:
        assert code != ast.unparse(ast.parse(PROGRAM))
        assert all(map(torch.allclose, answers(code), expected))


PLAIN = """
class Tally:
    def __init__(self, start):
        self.numbers = list(start)
        self.counts = Counter(start)

    def mean(self):
        return sum(self.numbers) / len(self.numbers)
"""


@pytest.mark.parametrize("family", SURE)
def test_a_class_that_is_no_module_is_not_given_one(family: str) -> None:
    """Where torch is not imported, `nn` is not there."""
    assert all("nn." not in ast.unparse(tree) for tree in SURE[family](ast.parse(PLAIN)))


def test_each_family_has_a_name_of_its_own() -> None:
    assert not set(CHECKED) & set(SURE) and set(FUNCTIONS) < set(SURE)


CELLS = (
    NotebookCell(1, "markdown", "# Text"),
    NotebookCell(2, "code", "import math\n\n\ndef wait_for(action):\n    pass", locked=True),
    NotebookCell(3, "code", "# Define: one\nbase = 2\none = base + 1\n# end", "first"),
    NotebookCell(4, "code", "wait_for(lambda: one)", locked=True),
    NotebookCell(
        5,
        "code",
        "import json\n\ndef helper(x):\n    return x + one\n\ndef two(x):\n"
        "    return helper(x)\n\nthree = two(one)",
        "second",
    ),
    NotebookCell(6, "code", "text = 'a\\nb'\nfour = [text, three]", "third"),
)
DEFINES = {"first": ["one"], "second": ["two", "three"], "third": ["four"]}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_holds_the_same_answers(name: str) -> None:
    cells = laid_out(CELLS, DEFINES, name)
    assert [cell.number for cell in cells] == list(range(1, len(cells) + 1))
    assert cells != CELLS or name in ("no given cells", "pairs in one cell")
    held: dict[str, Any] = {"__name__": "__main__"}
    for cell in cells[: -1 if name == "names used again" else None]:
        lines = [line for line in cell.source.split("\n") if not line.startswith(("%", "!"))]
        if cell.kind == "code" and cell.source not in SCRATCH:
            exec(compile("\n".join(lines), name, "exec"), held)
    assert (held["one"], held["two"](1), held["three"]) == (3, 4, 6)
    assert held["four"] == ["a\nb", 6]
