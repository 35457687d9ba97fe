"""A cell that is not Python, or raises: Python's reason, and the line as its author numbers it."""

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
}


@pytest.fixture(scope="module")
def child(plain_box: Box) -> Iterator[Child]:
    child = plain_box.spawn(Limits())
    child.ask(Begin(1, 1000, False), cpu_s=5, wall_s=20)
    yield child
    child.end()


def test_the_reason_and_the_line_are_those_of_the_cell(child: Child) -> None:
    found = {}
    for number, source in enumerate(CELLS, 1):
        error = child.ask(RunCell(number, source), cpu_s=20, wall_s=60).answer.error
        found[source] = (error.text, error.line, error.source) if error is not None else None
    assert found == CELLS
