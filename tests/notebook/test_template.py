"""Solutions become templates without a line of the answer; variants and outputs go back in."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import nbformat
import pytest

from autograder.assignment.model import Assignment
from autograder.errors import SpecError
from autograder.evidence.records import CellRun, Measured, Run, Stop, TimeSpent
from autograder.notebook.executed import PNG, executed_notebook
from autograder.notebook.formats.read import Submission, read
from autograder.notebook.structure.names import parse
from autograder.notebook.structure.regions import (
    MarkError,
    Region,
    answers_in,
    find_regions,
    strip_regions,
    without_marks,
)
from autograder.notebook.template.release import leaks, make_template, stamp_of, template_bytes
from autograder.notebook.template.variant import Variant, apply_variant, read_variant, read_variants
from autograder.wire.messages import CellDone, Error, Output

SOLUTION = '''# %% [markdown]
# # Lesson
# Read this.

# %%
import torch

# %% exercise="double"
def double(x):
    """Twice the number."""
    # BEGIN SOLUTION
    # PROMPT: add, or multiply
    twice_the_number = x + x
    return twice_the_number
    # END SOLUTION

# %% exercise="answer"
# BEGIN SOLUTION
answer_to_all = 6 * 7
# END SOLUTION
shape = (4, answer_to_all)  # SOLUTION

# %%
print(double(2))
'''


def assignment() -> Assignment:
    check = {"kind": "value", "id": "c", "title": "is right", "points": 1, "name": "x"}
    return Assignment.model_validate(
        {
            "format": 1,
            "id": "small",
            "title": "Small",
            "exercise": [
                {"id": "double", "title": "Double", "defines": ["double"], "check": [check]},
                {"id": "answer", "title": "Answer", "defines": ["answer_to_all"], "check": [check]},
            ],
        }
    )


def solution(text: str = SOLUTION) -> Submission:
    return read(Path("solution.py"), data=text.encode())


def problems(text: str) -> str:
    with pytest.raises(SpecError) as bad:
        make_template(solution(text), assignment())
    return str(bad.value)


# ---------------------------------------------------------------- regions


def strip(source: str) -> str:
    stripped = strip_regions(source)
    assert parse(stripped) is not None
    return stripped


TODO = 'raise NotImplementedError("Write your code here, then delete this line.")'


def region(indent: int = 0, body: str = "secret = 1") -> str:
    pad = " " * indent
    return f"{pad}# BEGIN SOLUTION\n{pad}{body}\n{pad}# END SOLUTION"


@pytest.mark.parametrize("head", ["def f(x):", "async def f(x):", "class A:\n  def f(\n  a):"])
def test_a_function_that_would_end_there_raises(head: str) -> None:
    indent = "    "
    assert strip(f"{head}\n{region(4)}") == f"{head}\n{indent}# YOUR CODE HERE\n{indent}{TODO}"
    start = f'{head}\n{indent}"""Text."""\n{indent}b = 1'
    assert strip(f"{start}\n{region(4)}") == f"{start}\n{indent}# YOUR CODE HERE\n{indent}{TODO}"


def test_only_the_last_of_two_regions_in_a_function_raises() -> None:
    stripped = strip(f"def f(x):\n{region(4)}\n    b = 1\n{region(4)}")
    assert stripped.count("NotImplementedError") == 1
    assert stripped.endswith(TODO)


def test_other_blocks_stay_valid_python() -> None:
    assert strip(f"class A:\n    '''T'''\n{region(4)}").endswith(f"    {TODO}")
    assert strip(f"class A:\n    b = 1\n{region(4)}").endswith("    # YOUR CODE HERE")
    assert strip(f"with a:\n{region(4)}") == "with a:\n    # YOUR CODE HERE\n    pass"
    assert strip(f"try:\n    a\nexcept E:\n{region(4)}").endswith("    pass")
    assert strip(f"def f():\n    for a in b:\n{region(8)}\n    return a").count("pass") == 1
    assert "raise" not in strip(f"def f():\n    if a:\n{region(8)}\n    return a")
    assert strip("a = [\n    # BEGIN SOLUTION\n    1,\n    # END SOLUTION\n]").startswith("a = [")


PROMPTS = "# BEGIN SOLUTION\n# PROMPT: a\n# PROMPT: b\n# no\n# PROMPT: c\n# END SOLUTION"


@pytest.mark.parametrize(
    ("source", "stub"),
    [
        (f"a = 1\n{region()}\nb = 2", "a = 1\n# YOUR CODE HERE\nb = 2"),
        (PROMPTS, "# a\n# b\n# YOUR CODE HERE"),
        (f"def f():\n{region(4)}\n    return a", "def f():\n    # YOUR CODE HERE\n    return a"),
        ("x = 1 + 1  # SOLUTION", "x = ...  # YOUR CODE HERE"),
        ("x = (1 + 1)  # SOLUTION", "x = ...  # YOUR CODE HERE"),
        ("é['é'] = f(a=1)  # SOLUTION", "é['é'] = ...  # YOUR CODE HERE"),
        ("x: int = 2  # SOLUTION", "x: int = ...  # YOUR CODE HERE"),
        ("def f():\n    return a  # SOLUTION", "def f():\n    return ...  # YOUR CODE HERE"),
        ("y = x @ w.T + b  # SOLUTION: y = x @ ... + b", "y = x @ ... + b  # YOUR CODE HERE"),
        ("if a > 1:  # SOLUTION: if ...:\n    b = 1", "if ...:  # YOUR CODE HERE\n    b = 1"),
        ("f(a, b + c)  # SOLUTION: f(a, ...)", "f(a, ...)  # YOUR CODE HERE"),
        ("t = [\n    a + 1,  # SOLUTION: ...,\n]", "t = [\n    ...,  # YOUR CODE HERE\n]"),
        ("def f():\n    return a  # SOLUTION: pass", "def f():\n    pass  # YOUR CODE HERE"),
        (
            f"{region()}\nx.a = 1  # SOLUTION: x.a = ...",
            "# YOUR CODE HERE\nx.a = ...  # YOUR CODE HERE",
        ),
    ],
)
def test_what_is_marked_becomes_a_stub(source: str, stub: str) -> None:
    assert strip(source) == stub


@pytest.mark.parametrize(
    "line",
    [
        "y = x @ w.T  # SOLUTION: y = x @ w.T",
        "y = x @ w.T  # SOLUTION: y = (x@w.T) + 0",
        "y = x @ w.T  # SOLUTION: z = x @ w.T",
        "f(a, b)  # SOLUTION: g(f(a, b))",
        "if a > 1:  # SOLUTION: if  a  >  1:\n    b = 1",
        "import numpy  # SOLUTION: import numpy",
    ],
)
def test_code_after_the_mark_may_not_say_what_the_line_says(line: str) -> None:
    with pytest.raises(MarkError, match="still contains the answer") as bad:
        strip_regions(f"{region()}\n{line}")
    assert bad.value.line == 4


def test_marks_are_taken_off_and_answers_are_read() -> None:
    source = (
        "def f(x):\n    # BEGIN SOLUTION\n    # PROMPT: think\n    a = 1\n    # END SOLUTION\n"
        "    b = a + x  # SOLUTION\n    return b * 2  # SOLUTION: return ..."
    )
    plain = "def f(x):\n    # think\n    a = 1\n    b = a + x\n    return b * 2"
    assert without_marks(source) == plain
    assert [*answers_in(source)] == [("a = 1",), ("b = a + x",), ("return b * 2",)]
    assert without_marks(plain) == plain


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("# BEGIN SOLUTION\na = 1", 1),
        ("a = 1\n# END SOLUTION", 2),
        ("# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION", 2),
        ("# BEGIN SOLUTION\na = 1  # SOLUTION\n# END SOLUTION", 2),
        ("# begin solution\na = 1\n# END SOLUTION", 1),
        ("a = 1\n# BEGIN SOLUTIONS", 2),
        ("# BEGIN SOLUTION: here", 1),
        ("a = 1  #SOLUTION", 1),
        ("a = 1 # END SOLUTION", 1),
        ("print(1)  # SOLUTION", 1),
        ("a = 1  # SOLUTION:", 1),
        ("# SOLUTION: a = 1", 1),
        ("a = 1  # SOLUTION: a = = 2", 1),
        ("# BEGIN SOLUTION\na = 1  # SOLUTION: a = 2\n# END SOLUTION", 2),
        ("a = (\n    1)  # SOLUTION", 2),
        ("# BEGIN SOLUTION\nif a:\n    # END SOLUTION\n    b = 1", 1),
        ("# BEGIN SOLUTION\na = = 1\n# END SOLUTION", 2),
    ],
)
def test_wrong_marks_are_refused_with_their_line(source: str, line: int) -> None:
    with pytest.raises(MarkError) as bad:
        strip_regions(source)
    assert bad.value.line == line


def test_ordinary_comments_about_solutions_are_no_marks() -> None:
    assert find_regions("# a solution of the equation\nx = 1  # the solution\n") == ()
    assert find_regions("# BEGIN SOLUTION\n# Solution: as in the paper\n# END SOLUTION") == (
        Region(1, 3),
    )


# ---------------------------------------------------------------- the template


def test_a_template_asks_where_the_solution_answers() -> None:
    template = make_template(solution(), assignment())
    double, answer = template.cells[3], template.cells[4]
    assert double.source == (
        'def double(x):\n    """Twice the number."""\n    # add, or multiply\n'
        f"    # YOUR CODE HERE\n    {TODO}"
    )
    assert answer.source == "# YOUR CODE HERE\nshape = ...  # YOUR CODE HERE"
    assert double.metadata == {"exercise": "double", "deletable": False}


def test_what_is_given_is_locked_and_nothing_has_outputs() -> None:
    template = make_template(solution(), assignment())
    for number in (0, 1, 2, 5):
        metadata = template.cells[number].metadata
        assert metadata == {"locked": True, "editable": False, "deletable": False}
    code = [cell for cell in template.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    stamp = {"assignment": "small", "format": 1, "version": stamp_of(template)}
    assert template.metadata.autograder == stamp
    assert template.metadata.kernelspec.name == "python3"


def test_template_bytes_are_a_valid_notebook_and_always_the_same(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(SOLUTION)
    made = template_bytes(path, assignment())
    assert made == template_bytes(path, assignment())
    assert made.endswith(b"}\n")
    nbformat.validate(nbformat.reads(made.decode(), as_version=4))
    plain = json.loads(made)
    assert list(plain) == sorted(plain)
    assert (plain["nbformat"], plain["nbformat_minor"]) == (4, 5)
    assert [c.exercise for c in read(tmp_path / "t.ipynb", data=made).cells].count("double") == 1


def test_cell_ids_move_with_their_cells() -> None:
    ids = [cell.id for cell in make_template(solution(), assignment()).cells]
    longer = "# %%\nimport torch\n\n# %%\nimport torch\n\n" + SOLUTION
    moved = [cell.id for cell in make_template(solution(longer), assignment()).cells]
    assert len(set(moved)) == len(moved)
    assert ids[1] == "autograder-setup" and ids[3:5] == ["double", "answer"]
    assert set(ids) <= set(moved)


def test_marks_are_refused_with_the_line_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "solution.py"
    path.write_text(SOLUTION.replace("    # END SOLUTION\n", ""))
    with pytest.raises(SpecError, match=r"solution\.py, line 17: BEGIN SOLUTION inside"):
        template_bytes(path, assignment())
    path.unlink()
    with pytest.raises(SpecError, match="no such file"):
        template_bytes(path, assignment())


def test_a_region_across_cells_is_refused() -> None:
    text = SOLUTION.replace("    # END SOLUTION\n", "").replace(
        "# BEGIN SOLUTION\nanswer", "answer"
    )
    assert "cell 3 ('def double(x):'), line 3: BEGIN SOLUTION without" in problems(text)


def test_every_exercise_needs_its_one_solution_cell() -> None:
    assert "exercise 'double' has 0 code cells" in problems(
        SOLUTION.replace('"double"', '"triple"')
    )
    assert "the assignment has no such exercise" in problems(
        SOLUTION.replace('"double"', '"triple"')
    )
    assert "exercise 'answer' has 2 code cells" in problems(
        SOLUTION.replace('"double"', '"answer"')
    )
    text = SOLUTION.replace(' exercise="double"', "")
    assert "cell 3: a solution region in a cell without an exercise tag" in problems(text)
    text = SOLUTION.replace("# Read this.", "# # BEGIN SOLUTION")
    assert "cell 1: a solution region in a cell without an exercise tag" in problems(text)
    text = SOLUTION + '\n# %% exercise="answer"\nprint(1)\n'
    assert "cell 6: the cell is tagged 'answer' but contains no solution region" in problems(text)


def test_a_line_of_the_answer_in_the_text_stops_the_release(tmp_path: Path) -> None:
    template = make_template(solution(), assignment())
    assert leaks(template, solution()) == []
    template.cells[0].source += "\nHint: answer_to_all = 6 * 7!"
    assert leaks(template, solution()) == ["answer_to_all = 6 * 7"]
    template.cells[0].source += "\nshape = (4, answer_to_all)\n# BEGIN SOLUTION"
    assert len(leaks(template, solution())) == 3
    path = tmp_path / "solution.py"
    path.write_text(SOLUTION.replace("Read this.", "Try `answer_to_all = 6 * 7`."))
    with pytest.raises(SpecError, match="the template contains a line"):
        template_bytes(path, assignment())


def test_lines_that_the_author_shows_anyway_do_not_leak() -> None:
    text = SOLUTION.replace("print(double(2))", "answer_to_all = 6 * 7")
    assert leaks(make_template(solution(text), assignment()), solution(text)) == []


# ---------------------------------------------------------------- variants

MISTAKE = """# double: squares instead
# You multiply the number by itself.
# What happens for 3?

def double(x):
    return x * x
"""


def test_a_variant_is_read_and_replaces_one_cell(tmp_path: Path) -> None:
    path = tmp_path / "squares.py"
    path.write_text(MISTAKE)
    variant = read_variant(path)
    assert variant == Variant(
        name="squares",
        exercise="double",
        title="squares instead",
        tell="You multiply the number by itself. What happens for 3?",
        code="def double(x):\n    return x * x\n",
    )
    changed = apply_variant(solution(), variant)
    assert changed.cells[2].source == variant.code
    assert changed.cells[2].exercise == "double"
    assert changed.cells[:2] + changed.cells[3:] == solution().cells[:2] + solution().cells[3:]
    assert changed.sha256 != solution().sha256
    assert changed.file == "squares.py"


def test_a_variant_of_an_unknown_exercise_is_refused() -> None:
    with pytest.raises(SpecError, match="0 solution cells"):
        apply_variant(solution(), Variant("a", "triple", "t", "t", "x = 1"))


def test_wrong_variant_files_are_all_named(tmp_path: Path) -> None:
    for name, text in {
        "a": "double: no comment\nx = 1\n",
        "b": "# double: nothing told\nx = 1\n",
        "c": "# double: no code\n# You forgot it.\n",
        "d": "# double: not Python\n# You.\nx = = 1\n",
        "e": MISTAKE,
    }.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "f.py").write_bytes(b"\xff")
    with pytest.raises(SpecError) as bad:
        read_variants(tmp_path)
    assert [Path(p.split(",")[0].split(": ")[0]).name for p in bad.value.problems] == [
        f"{name}.py" for name in "abcdf"
    ]


def test_variants_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name in "ba":
        (tmp_path / f"{name}.py").write_text(MISTAKE)
    assert [variant.name for variant in read_variants(tmp_path)] == ["a", "b"]
    assert read_variants(tmp_path / "gone") == ()


# ---------------------------------------------------------------- with outputs


def run(*cells: CellRun) -> Run:
    return Run(cells, (), Measured(0.0, 0.0, 0.0, 1, "none", ()))


def cell_run(number: int, *outputs: Output, stop: Stop | None = None, **claim: object) -> CellRun:
    done = CellDone(outputs=outputs, **claim)  # type: ignore[arg-type]
    return CellRun(number, None if stop else done, stop, TimeSpent(0.0, 0.0))


def test_recorded_outputs_stand_at_their_cells_and_old_ones_are_gone() -> None:
    data = {
        "nbformat": 4,
        "cells": [
            {"cell_type": "markdown", "source": "a"},
            {
                "cell_type": "code",
                "source": "print(1)",
                "metadata": {"exercise": "double"},
                "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}],
            },
            {"cell_type": "code", "source": "b"},
            {"cell_type": "code", "source": "c"},
            {"cell_type": "code", "source": "never run", "outputs": [{"text": "old"}]},
        ],
    }
    submission = read(Path("student-01.ipynb"), data=json.dumps(data).encode())
    made = executed_notebook(
        submission,
        run(
            cell_run(
                2,
                Output("stdout", "text/plain", b"1\n"),
                Output("stdout", "text/plain", b"2\n"),
                Output("stderr", "text/plain", b"w\xff"),
                Output("display", "image/png", PNG + b"x"),
                Output("display", "text/html", b"<b>"),
                Output("result", "text/latex", b"$x$"),
                dropped=5,
            ),
            cell_run(3, error=Error(("ValueError", "Exception"), "bad", trace="line 1\nline 2\n")),
            cell_run(4, stop=Stop("cpu", "it computed for more than 20 seconds.")),
        ),
    )
    nbformat.validate(made)
    assert "old" not in json.dumps(made)
    first = made.cells[1]
    assert first.metadata == {"ag_number": 2, "exercise": "double"}
    kinds = [output.output_type for output in first.outputs]
    assert kinds == "stream stream display_data display_data execute_result stream".split()
    assert first.outputs[0].text == "1\n2\n"
    assert first.outputs[1].text == "w\ufffd"
    assert base64.b64decode(first.outputs[2].data["image/png"]) == PNG + b"x"
    assert first.outputs[3].data == {"text/html": "<b>"}
    assert first.outputs[4].execution_count == first.execution_count == 1
    assert "5 more bytes" in first.outputs[5].text
    (error,) = made.cells[2].outputs
    assert (error.ename, error.evalue, error.traceback) == (
        "ValueError",
        "bad",
        ["line 1", "line 2", "ValueError: bad"],
    )
    assert made.cells[3].outputs[0].text == "Stopped: it computed for more than 20 seconds.\n"
    assert [cell.metadata.ag_number for cell in made.cells] == [1, 2, 3, 4, 5]
    assert made.cells[4].execution_count is None


def test_kinds_of_output_that_are_not_known_are_not_shown() -> None:
    made = executed_notebook(
        solution(),
        run(
            cell_run(
                2,
                Output("display", "application/javascript", b"alert(1)"),
                Output("display", "image/svg+xml", b"<svg onload=alert(1)>"),
                Output("display", "image/png", b"<svg onload=alert(1)>"),
            )
        ),
    )
    assert "alert" not in json.dumps(made)
    assert all(list(output.data) == ["text/plain"] for output in made.cells[1].outputs)
    assert len(made.cells[1].outputs) == 3


def test_an_error_without_a_class_is_shown_and_outputs_without_end_are_counted() -> None:
    made = executed_notebook(solution(), run(cell_run(2, error=Error((), "text"))))
    assert made.cells[1].outputs[0].traceback == ["Error: text"]
    many = tuple(Output("display", "text/plain", b"x") for _ in range(1_200))
    made = executed_notebook(solution(), run(cell_run(2, *many)))
    outputs = made.cells[1].outputs
    assert len(outputs) == 1_001
    assert outputs[-1].text == "[200 more outputs omitted]\n"
