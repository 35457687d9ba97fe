"""A notebook that checks itself runs in the box as any other: the stand-in does nothing there."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.notebook.structure.names import read_names
from autograder.sandbox.box import Box
from autograder.sandbox.child import Child
from autograder.wire.messages import Begin, CellDone, Limits, RunCell
from autograder.wire.values import Items

LIMITS = Limits(cell_cpu_s=5, cell_wall_s=20, submission_wall_s=60, memory_mb=512, disk_mb=16)


@pytest.fixture
def child(plain_box: Box) -> Iterator[Child]:
    child = plain_box.spawn(LIMITS)
    child.ask(Begin(1, 10_000, False), cpu_s=5, wall_s=20)
    yield child
    child.end()


def run(child: Child, source: str) -> CellDone:
    answer = child.ask(RunCell(1, source), cpu_s=5, wall_s=20).answer
    assert isinstance(answer, CellDone)
    return answer


def printed(done: CellDone) -> str:
    assert done.error is None
    return b"".join(output.content for output in done.outputs).decode()


def test_every_method_of_a_grader_gives_none(child: Child) -> None:
    done = run(
        child,
        "import autograder.student\n"
        "from autograder.student import Grader\n"
        "grader = Grader('small', public='x.agw')\n"
        "print(grader.check('a'), grader.check_all(), grader.progress(), grader.reveal('b'))\n"
        "print(autograder.student.Grader is Grader, grader.another_one(1, two=2))\n",
    )
    assert printed(done) == "None None None None\nTrue None\n"


def test_data_gives_fresh_values_of_the_job_and_a_solution_finds_a_grader(plain_box: Box) -> None:
    child = plain_box.spawn(LIMITS)
    data = (("one", (Items("list", (1, 2.5)),)), ("two", ("a", None)))
    child.ask(Begin(1, 10_000, False, data=data), cpu_s=5, wall_s=20)
    source = "grader.data('one').append(3)\nprint(grader.data('one'), grader.data('two'))\n"
    assert printed(run(child, source)) == "[1, 2.5] ('a', None)\n"
    made = "from autograder.student import Grader\nprint(Grader('small').data('two'))"
    assert printed(run(child, made)) == "('a', None)\n"
    failed = run(child, "grader.data('three')").error
    assert failed is not None and "there are no values of your own for 'three'" in failed.text
    child.end()


def test_a_job_without_values_defines_no_grader(child: Child) -> None:
    failed = run(child, "grader").error
    assert failed is not None and failed.types[0] == "NameError"


def test_the_extension_loads_and_a_checked_cell_runs_as_it_is(child: Child) -> None:
    assert printed(run(child, "%load_ext autograder.student")) == ""
    assert printed(run(child, "\n  %%check a\nx = 1\nprint(x)")) == "1\n"
    assert "2\n" in printed(run(child, "%%check a\n%%time\nx = 2\nprint(x)"))
    assert "3\n" in printed(run(child, "%%time\n%%check a\nx = 3\nprint(x)"))


def test_an_error_in_a_checked_cell_has_its_own_line(child: Child) -> None:
    done = run(child, "%%check a\nx = 1\n1 / 0\n")
    assert done.error is not None
    assert (done.error.types[0], done.error.line, done.error.source) == (
        "ZeroDivisionError",
        3,
        "1 / 0",
    )


def test_the_stand_in_is_no_part_of_the_grader(child: Child) -> None:
    done = run(
        child,
        "import sys, autograder.student as s\n"
        "print(sorted(n for n in vars(s) if not n.startswith('__')), hasattr(s, '__file__'))\n"
        "try:\n    import autograder.student.public_evidence\n"
        "except ImportError as e:\n    print(e.name)\n",
    )
    assert (
        printed(done)
        == "['Grader', 'load_ipython_extension'] False\nautograder.student.public_evidence\n"
    )


def test_the_names_of_a_checked_cell_are_read() -> None:
    assert read_names("%%check a\nx = 1\n").defined == {"x"}
