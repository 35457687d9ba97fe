"""A cell that is not Python, raises or is stopped: the reason, and the line as its author numbers
it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.sandbox.box import Box
from autograder.sandbox.child import Child
from autograder.wire.messages import Begin, Limits, RunCell

CELLS = {  # the cell: the reason, the line and what stands there
    "x = 1\ny = = 2": ("invalid syntax", 2, "y = = 2"),
    "\n\nx = 1\ny = = 2": ("invalid syntax", 4, "y = = 2"),
    "  \n\n%matplotlib inline\nx = 1\ny = = 2": ("invalid syntax", 5, "y = = 2"),
    "!ls \\\n  -l\nx = 1\ny = = 2": ("invalid syntax", 4, "y = = 2"),
    "for _ in ():\n    %time \\\n      x = 1\n\ny = = 2": ("invalid syntax", 5, "y = = 2"),
    "x = (1,\ny = 2": ("'(' was never closed", 1, "x = (1,"),
    "x = !ls\nprint(x\n": ("'(' was never closed", 2, "print(x"),
    'x = """a\n\nb': (
        "unterminated triple-quoted string literal (detected at line 3)",
        1,
        'x = """a',
    ),
    "%%time\nx = 1\ny = = 2": ("invalid syntax", 3, "y = = 2"),
    "\n%%capture out\nx = 1\ny = = 2": ("invalid syntax", 4, "y = = 2"),
    "%%capture\n%%time\nx = = 3": ("invalid syntax", 3, "x = = 3"),
    "\n%time x = = 3": ("invalid syntax", 2, "%time x = = 3"),
    "x = 1\neval('1 +')": ("invalid syntax", 2, "eval('1 +')"),
    "x = 1\nreturn x": ("'return' outside function", 2, "return x"),
    "a = 1\n  b = 2": ("unexpected indent", 2, "b = 2"),
    "\n\n%matplotlib inline\n1 / 0": ("division by zero", 4, "1 / 0"),
    "%%capture\nx = 2\n1 / 0": ("division by zero", 3, "1 / 0"),
    "\n\n%time 1 / 0": ("division by zero", 3, "%time 1 / 0"),
    "%%time\n%time x = 2\n1 / 0": ("division by zero", 3, "1 / 0"),
    "\n%%time\n\nx = 2\n1 / 0": ("division by zero", 5, "1 / 0"),
    "%%time\nx = 2\nx / 0": ("division by zero", 3, "x / 0"),
    "%%time\ndef f():\n    return 1 / 0\n%time f()": ("division by zero", 3, "return 1 / 0"),
    "%%timeit -n1 -r1 q = 0\nx = 2\nx / q": ("division by zero", 3, "x / q"),
    "\n%%prun -q\nx = 2\nx / 0": ("division by zero", 4, "x / 0"),
    "%%capture\n%%time\nx = 2\n1 / 0": ("division by zero", 4, "1 / 0"),
    "%%twice\nx = 2\nx / 0": ("division by zero", 3, "x / 0"),
    "if __name__ == '__main__':\n    x = 2\n    x / 0": ("division by zero", 3, "x / 0"),
    "x = 2\nexec('x = 3\\n1 / 0')": ("division by zero", 2, "exec('x = 3\\n1 / 0')"),
}
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
