"""A cell that is not Python, raises or is stopped: the reason, and the line as its author numbers
it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.sandbox.box import Box
from autograder.sandbox.child import Child
from autograder.wire.messages import Begin, Limits, RunCell
from tests.support.tables import read_table

ROWS = read_table(Path(__file__).with_suffix(".yaml"))
CELLS = {cell: tuple(said) for cell, *said in ROWS}
TWICE = """
from IPython.core.magic import register_cell_magic
@register_cell_magic
def twice(line, cell):
    get_ipython().run_cell(cell)
    get_ipython().run_cell(cell)
"""
ENDLESS = {  # a cell, and the call that never ends: the line and what stands there
    "%%time\n\nwhile True:\n    x = 1": (3, "while True:"),
    "%%capture\nx = 2\nwhile x: x = 3": (3, "while x: x = 3"),
}


@pytest.fixture(scope="module")
def child(plain_box: Box) -> Iterator[Child]:
    child = plain_box.spawn(Limits())
    child.ask(Begin(1, 1000, False), cpu_s=5, wall_s=20)
    child.ask(RunCell(1, TWICE), cpu_s=5, wall_s=20)
    yield child
    child.end()


def test_the_reason_and_the_line_are_those_of_the_cell(child: Child) -> None:
    found = {}
    for number, source in enumerate(CELLS, 1):
        error = child.ask(RunCell(number, source), cpu_s=20, wall_s=60).answer.error
        found[source] = (error.text, error.line, error.source) if error is not None else None
    assert found == CELLS


def test_a_function_of_a_timed_cell_names_its_line(child: Child) -> None:
    timed = "%%time\n\ndef f():\n    x = 2\n    return x / 0"
    child.ask(RunCell(90, timed), cpu_s=20, wall_s=60)
    error = child.ask(RunCell(91, "f()"), cpu_s=20, wall_s=60).answer.error
    assert error is not None and (error.line, error.source) == (5, "return x / 0")


@pytest.mark.parametrize("source", ENDLESS)
def test_a_loop_below_a_magic_is_named(plain_box: Box, source: str) -> None:
    child = plain_box.spawn(Limits())
    child.ask(Begin(1, 1000, False), cpu_s=5, wall_s=20)
    error = child.ask(RunCell(1, source), cpu_s=1, wall_s=20).answer.error
    child.end()
    assert error is not None and (error.line, error.source) == ENDLESS[source]
