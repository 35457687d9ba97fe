"""Which lines of the student's cells run in a call, also where the student's code interferes."""

from __future__ import annotations

from functools import partial

import pytest
import torch

from autograder.grading.context import PreparedClass
from autograder.judging.verdict import RanLine
from autograder.runner.traced_call import MOST_EVENTS
from autograder.sandbox.box import Box
from autograder.wire.messages import MOST_LINES, Begin, Call, Limits, Outcome, RunCell
from autograder.wire.tensors import to_wire
from autograder.wire.values import ConstructedObject, Value
from tests.support.changed_solution import graded
from tests.support.tables import table_beside

ONE, TWO = to_wire(torch.ones(1)), to_wire(torch.ones(2))
MODEL = ConstructedObject("Model", ())

HELPER = """
def helper(x):
    if len(x) == 1:
        return x * 0
    return x
"""
FUNCTION = """%%time

def own(x):
    if len(x) == 1:
        x = helper(
            x
        )
    return torch.relu(x)
"""
MODULE = """import torch
class Model(torch.nn.Module):
    def forward(self, x):
        for size in x.shape:
            if size == 1:
                x = x + 1
        return [own(y[None]) for y in x]
"""
CELLS = (HELPER, MODULE, FUNCTION)

Lines = tuple[tuple[int, int], ...]


def asked(
    box: Box, cells: tuple[str, ...], *calls: tuple[str, Value], trace: bool = True
) -> list[Outcome]:
    """The outcomes of calls of a name with one argument, after these cells."""
    child = box.spawn(Limits())
    ask = partial(child.ask, cpu_s=20, wall_s=60)
    try:
        ask(Begin(1, 10_000, False))
        for number, cell in enumerate(cells, 1):
            assert ask(RunCell(number, cell)).answer.error is None  # type: ignore[union-attr]
        found = []
        for target, argument in calls:
            made = (MODEL,) if target == "Model.forward" else ()
            outcome = ask(Call("e", target, (*made, argument), trace=trace)).answer
            assert isinstance(outcome, Outcome)
            found.append(outcome)
        return found
    finally:
        child.end()


def test_the_lines_of_a_function_a_method_and_a_helper_elsewhere(plain_box: Box) -> None:
    calls = (("own", ONE), ("own", TWO), ("Model.forward", ONE))
    one, two, model = (outcome.lines for outcome in asked(plain_box, CELLS, *calls))
    assert two == ((3, 4), (3, 8))
    assert set(one) - set(two) == {(1, 3), (1, 4), (3, 5), (3, 6)}
    assert {line for cell, line in model if cell == 2} == {4, 5, 6, 7}
    assert set(model) >= set(one)


def test_a_branch_of_a_method_is_quoted(ready: PreparedClass) -> None:
    row = "        rows = self.table(ids)\n"
    branch = "        if ids.shape[1] == 3:\n            rows = rows * 1.5\n"
    grade = graded(ready, (row, row + branch))
    layer = next(exercise for exercise in grade.exercises if exercise.id == "Layer")
    ran = [check.smallest.ran for check in layer.checks if check.smallest is not None]
    assert ran == [(RanLine(4, 14, "    rows = rows * 1.5"),)]


def test_a_call_that_is_not_traced_reports_no_line(plain_box: Box) -> None:
    every = [asked(plain_box, CELLS, ("own", ONE), trace=trace)[0] for trace in (True, False)]
    with_lines, without = every
    assert with_lines.lines and not without.lines
    assert with_lines.value == without.value


def test_an_exception_leaves_the_lines_before_it(plain_box: Box) -> None:
    cell = "def f(x):\n    if len(x) == 1:\n        x = x / [][0]\n    return x"
    (outcome,) = asked(plain_box, (cell,), ("f", ONE))
    assert outcome.status == "raised" and outcome.lines == ((1, 2), (1, 3))


CALLS = f"def g():\n    pass\ndef f(x):\n    for _ in range({MOST_EVENTS}): g()"
MANY = "def f(x):\n" + "    x = x\n" * (MOST_LINES + 1)
INTERFERES = {
    **table_beside(__file__),
    "it runs too long": {"cell": CALLS, "lines": []},
    "it has too many lines": {"cell": MANY, "lines": []},
}


@pytest.mark.parametrize("how", INTERFERES)
def test_whoever_interferes_gets_no_line_that_did_not_run(plain_box: Box, how: str) -> None:
    (outcome,) = asked(plain_box, (INTERFERES[how]["cell"],), ("f", ONE))
    assert outcome.status == "returned", outcome.error
    assert outcome.lines == tuple(map(tuple, INTERFERES[how]["lines"]))
