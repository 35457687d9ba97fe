"""What is quoted of a submission: its own lines, and few."""

from __future__ import annotations

import numpy as np
import pytest

from autograder.grading.quoted_lines import MOST_LINES, MOST_STATEMENTS, MOST_TEXT, quoted
from autograder.judging.verdict import RanLine, SmallestCall, Status, Verdict
from autograder.notebook.structure.locate import GIVEN
from autograder.wire.messages import Cell

SOURCE = """%matplotlib inline
def f(x):  # the function
    try:
        if (len(x)
                == 1):
            x = torch.stack(
                [x],  # only one
            )
        elif len(x) == 2:
            # two of them

            return x
        else:
            y = 1; x = x + y
    except ValueError:
        pass
    return x"""
CELLS = (
    Cell(1, "import torch\ngiven = 1", GIVEN),
    Cell(2, "def helper(x):\n    return x * 0"),
    Cell(3, SOURCE, "f"),
    Cell(4, "this is no\n    Python", "f"),
)


def places(*ran: tuple[int, int]) -> list[tuple[int, int, str]]:
    """What is quoted for lines that are said to have run."""
    call = SmallestCall("f(1)", "1", "2", tuple(RanLine(*place) for place in sorted(ran)))
    verdict = Verdict("e", "c", "function", True, Status.FAILED, 0, 1, smallest=call)
    (shown,) = quoted([verdict], CELLS)
    assert shown.smallest is not None
    return [(one.cell, one.line, one.source) for one in shown.smallest.ran]


@pytest.mark.parametrize(
    ("line", "begin", "source"),
    [
        (4, 4, "    if (len(x)"),
        (6, 6, "    x = torch.stack(\n        [x],  # only one\n    )"),
        (7, 6, "    x = torch.stack(\n        [x],  # only one\n    )"),
        (9, 9, "    elif len(x) == 2:"),
        (12, 12, "    return x"),
        (14, 14, "    y = 1; x = x + y"),
        (15, 15, "    except ValueError:"),
    ],
)
def test_a_statement_is_quoted_whole_and_of_a_longer_one_its_line(
    line: int, begin: int, source: str
) -> None:
    assert places((3, line)) == [(3, begin, source)]


def test_a_statement_is_quoted_once() -> None:
    assert places((3, 6), (3, 7)) == places((3, 6))


def test_a_cell_that_is_no_python_is_quoted_by_its_lines() -> None:
    assert places((2, 2), (4, 2)) == [(2, 2, "    return x * 0"), (4, 2, "    Python")]


@pytest.mark.parametrize(
    "forged", [(1, 2), (3, 0), (3, -1), (3, 18), (3, 2**40), (9, 1), (3, 10), (3, 11)]
)
def test_what_is_not_the_students_own_code_is_not_quoted(forged: tuple[int, int]) -> None:
    """A given cell, no line, no cell, a comment, an empty line."""
    assert places(forged) == []
    assert places(forged, (2, 2)) == [(2, 2, "    return x * 0")]


def test_only_few_statements_are_quoted() -> None:
    several = [(3, 4), (3, 6), (3, 9), (3, 12)]
    assert len(places(*several[:MOST_STATEMENTS])) == MOST_STATEMENTS
    assert places(*several[: MOST_STATEMENTS + 1]) == []


@pytest.mark.parametrize("more", [0, 1])
def test_only_few_lines_of_bounded_length_are_quoted(
    monkeypatch: pytest.MonkeyPatch, more: int
) -> None:
    wide = "x" * 2 * MOST_TEXT
    long = "x = [\n" + f"{wide},\n" * (MOST_LINES - 2 + more) + "]"
    monkeypatch.setitem(globals(), "CELLS", (Cell(1, long, "f"),))
    found = places((1, 2))
    assert bool(found) == (not more)
    assert all(max(map(len, text.split("\n"))) <= MOST_TEXT + 4 for _, _, text in found)


def test_whatever_is_claimed_what_is_quoted_is_there() -> None:
    rng = np.random.default_rng(4)
    there = {cell.number: cell.source for cell in CELLS if cell.exercise != GIVEN}
    some = 0
    for _ in range(500):
        ran = {
            (int(c), int(n))
            for c, n in rng.integers(-2, 20, size=(rng.integers(1, 4), 2)) // (4, 1)
        }
        for cell, line, source in places(*ran):
            lines = there[cell].split("\n")[line - 1 :]
            wanted = source.split("\n")
            assert [text.strip() for text in lines[: len(wanted)]] == [t.strip() for t in wanted]
            some += 1
    assert some > 100
