"""Edits of a student's own cell: each kind undoes its fault, and few are tried."""

from __future__ import annotations

import ast
from collections import Counter

import pytest

from autograder.mutation.edits import REMEDIES, edits_of
from autograder.mutation.mutants import mutate
from autograder.notebook.formats.read import read
from autograder.notebook.structure.names import read_names
from tests.mutation.test_mutants import SOLUTION, exercise
from tests.support.tables import table_beside

# of each kind: wrong lines of `f(x, n)`, and the right ones
FAULTS = table_beside(__file__)


def cell(line: str) -> str:
    return f"def f(x, n):\n    {line}\n"


def test_every_kind_undoes_its_faults() -> None:
    assert FAULTS.keys() == REMEDIES.keys()
    for kind, pairs in FAULTS.items():
        for wrong, right in pairs:
            edits = edits_of(cell(wrong), exercise(), {"f"}, 10**6)
            found = [edit for edit in edits if edit.code == cell(right)]
            assert found, (kind, right)
            assert (wrong, right) != pairs[0] or found[0].words == REMEDIES[kind].words
            assert found[0].line == 2
            assert [line.strip() for line in found[0].after.split("\n")] == [
                line.strip() for line in right.split("\n")
            ]


def test_edits_are_of_what_the_function_reaches_and_can_be_parsed() -> None:
    source = (
        "def g(x):\n    return x.sum(0)\ndef f(x):\n    return g(x)\ndef h(x):\n    return x.sum(0)"
    )
    edits = edits_of(source, exercise(), {"f"}, 10**6)
    assert {edit.line for edit in edits} == {2, 4}
    for edit in edits:
        ast.parse(edit.code)
        lines = edit.code.split("\n")
        assert lines[edit.line - 1] == edit.after.split("\n")[0] != edit.before.split("\n")[0]


@pytest.mark.parametrize("source", ["%matplotlib inline\ndef f(x):\n    return x + 1", "def f(:"])
def test_a_cell_that_is_not_plain_python_has_no_edits(source: str) -> None:
    assert edits_of(source, exercise(), {"f"}, 60) == ()


def test_no_kind_takes_all_places() -> None:
    body = "\n".join(f"    a{n} = x + {n + 2}" for n in range(40))
    source = f"def f(x):\n{body}\n    return x.sum(0)"
    edits = edits_of(source, exercise(), {"f"}, 60)
    kinds = Counter(edit.words for edit in edits)
    assert len(edits) == 60 and max(kinds.values()) < 20
    assert any(edit.after == "    return x.sum(1)" for edit in edits)


@pytest.mark.slow
def test_most_mutants_of_an_assignment_have_an_edit_back() -> None:
    """Of the operators that are their own inverses: every eighth mutant."""
    own = ("off-by-one", "swapped-function", "swapped-operation", "wrong-axis", "other-number")
    back = Counter[bool]()
    for answer in [cell for cell in read(SOLUTION).cells if "def " in cell.source]:
        names, right = read_names(answer.source).defined, ast.unparse(ast.parse(answer.source))
        inverse = [m for m in mutate(answer.source, exercise()) if m.operator in own]
        for mutant in inverse[::8]:
            edits = edits_of(mutant.code, exercise(), names, 10**6)
            back[right in {ast.unparse(ast.parse(edit.code)) for edit in edits}] += 1
    assert back[True] > max(20, 4 * back[False])
