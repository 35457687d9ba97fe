"""Assignments of other tools: their tests run where they stand, what examples should print stays
outside, and a hidden test is seen by nothing that a student gets to read."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.kinds import BROUGHT
from autograder.assignment.load import load
from autograder.errors import SpecError
from autograder.gradebook.grade import CheckGrade, ExerciseGrade
from autograder.grading.context import GradedSubmission
from autograder.grading.job import make_job
from autograder.judging.checks.registry import KINDS
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.sandbox.box import Box
from autograder.wire import messages
from autograder.wire.messages import encode
from tests.support.imported import context_of, graded_there, runner_in
from tests.support.rows import rows_beside

HEAD = 'format = 1\nid = "hw"\ntitle = "A homework"\n\n[brought]\ntool = "{tool}"\n{more}\n'
ROWS = rows_beside(__file__)
Grader = Callable[..., GradedSubmission]


def exercise(name: str, *checks: str) -> str:
    return f'[[exercise]]\nid = "{name}"\ntitle = "{name}"\ndefines = []\n' + "".join(checks)


def check(
    kind: str, *, points: object = 1, public: bool = True, id_: str = "c", **keys: Any
) -> str:
    lines = [f'[[exercise.check]]\nkind = "{kind}"\nid = "{id_}"\ntitle = "{id_}"']
    lines += [f'points = "{points}"', f"public = {str(public).lower()}"]
    lines += [
        f"{key} = {value if key == 'examples' else json.dumps(value)}"
        for key, value in keys.items()
    ]
    return "\n".join(lines) + "\n"


def examples(*pairs: tuple[str, str] | dict[str, Any]) -> str:
    tables = []
    for pair in pairs:
        table = pair if isinstance(pair, dict) else {"code": pair[0], "shows": pair[1]}
        tables.append("{" + ", ".join(f"{k} = {json.dumps(v)}" for k, v in table.items()) + "}")
    return f"[{', '.join(tables)}]"


def notebook(*cells: str | dict[str, Any]) -> str:
    usual = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    made = [usual | (cell if isinstance(cell, dict) else {"source": cell}) for cell in cells]
    return json.dumps({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": made})


def cell(source: str, grade_id: str = "", *, kind: str = "code", **flags: bool) -> dict[str, Any]:
    """A cell with nbgrader's metadata; without an id it is the student's own."""
    plain = {"schema_version": 3, "grade": False, "solution": False, "locked": False}
    metadata = {"nbgrader": {"grade_id": grade_id, **plain, **flags}} if grade_id else {}
    return {"cell_type": kind, "source": source, "metadata": metadata}


@pytest.fixture
def grader(tmp_path: Path, plain_box: Box) -> Grader:
    """Grades a notebook by an assignment.toml, with the instructor's notebook beside it."""

    def grade(toml: str, text: str, source_ipynb: str = "") -> GradedSubmission:
        folder = tmp_path / "assignments" / "hw"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "assignment.toml").write_text(toml)
        if source_ipynb:
            (folder / "source.ipynb").write_text(source_ipynb)
        (tmp_path / "hw.ipynb").write_text(text)
        return graded_there(folder, tmp_path / "hw.ipynb", plain_box)

    return grade


def one(graded: GradedSubmission, id_: str = "q1") -> ExerciseGrade:
    assert graded.grade.status == "graded", graded.grade.reason
    return next(exercise for exercise in graded.grade.exercises if exercise.id == id_)


def otter(*exercises: str, more: str = "") -> str:
    return HEAD.format(tool="otter", more=more) + "".join(exercises)


def nbgrader(*exercises: str) -> str:
    return HEAD.format(tool="nbgrader", more="") + "".join(exercises)


X_IS_3 = check("examples", examples=examples(("x\n", "3\n")))
INIT = 'import otter\ngrader = otter.Notebook("hw.ipynb")'


# ---------------------------------------------------------------- examples


@pytest.mark.parametrize(("source", "given", "status"), ROWS["examples"])
def test_examples_are_compared_as_doctest_does(
    grader: Grader, source: str, given: Any, status: str
) -> None:
    toml = otter(exercise("q1", check("examples", examples=examples(given))))
    found = one(grader(toml, notebook(INIT, source, 'grader.check("q1")')))
    assert found.checks[0].status.value == status, found.checks[0].message


def test_a_case_changes_no_name_for_the_next_one(grader: Grader) -> None:
    first = check("examples", id_="a", examples=examples(("x = 5\n", ""), ("x\n", "5\n")))
    second = check("examples", id_="b", examples=examples(("x\n", "3\n")))
    found = one(grader(otter(exercise("q1", first, second)), notebook("x = 3")))
    assert [c.status for c in found.checks] == [Status.PASSED, Status.PASSED]


def test_what_an_example_should_print_never_enters_the_box(tmp_path: Path, plain_box: Box) -> None:
    folder = tmp_path / "assignments" / "hw"
    folder.mkdir(parents=True)
    toml = otter(exercise("q1", check("examples", examples=examples(("x\n", "ANSWER-9000\n")))))
    (folder / "assignment.toml").write_text(toml)
    context = context_of(load(folder), runner_in(plain_box), tmp_path)
    (tmp_path / "hw.ipynb").write_text(notebook("x = 3"))
    job, _ = make_job(context, read(tmp_path / "hw.ipynb"))
    assert any(isinstance(p.request, messages.Test) for p in job.probes)
    assert b"ANSWER-9000" not in encode(job)


def test_a_check_is_made_where_it_stands_and_else_at_the_end(grader: Grader) -> None:
    toml = otter(exercise("q1", X_IS_3), exercise("q2", X_IS_3))
    graded = grader(toml, notebook(INIT, "x = 3", 'grader.check("q1")', "x = 4"))
    assert (one(graded, "q1").score, one(graded, "q2").score) == (1000, 0)


def test_the_last_check_of_a_question_counts(grader: Grader) -> None:
    toml = otter(exercise("q1", X_IS_3))
    cells = (INIT, "x = 1", 'grader.check("q1")', "x = 3", "grader.check('q1')", "x = 5")
    assert one(grader(toml, notebook(*cells))).score == 1000


def test_seeds_are_set_before_every_cell(grader: Grader) -> None:
    drawn = check("examples", examples=examples(("a == b\n", "True\n")))
    cells = ("import numpy as np\na = np.random.rand()", "b = np.random.rand()")
    assert (
        one(grader(otter(exercise("q1", drawn), more="seed = 42"), notebook(*cells))).score == 1000
    )
    assert one(grader(otter(exercise("q1", drawn)), notebook(*cells))).score == 0
    named = otter(
        exercise("q1", check("examples", examples=examples(("s\n", "42\n")))),
        more='seed = 42\nseed_variable = "s"',
    )
    assert one(grader(named, notebook("s = 7\nt = s"))).score == 0  # as otter: before, not after
    assert one(grader(named, notebook("t = s"))).score == 1000


# ---------------------------------------------------------------- test functions

FUNCTION = """
from otter.test_files import test_case
import numpy as np

OK_FORMAT = False
name = "q1"

@test_case(points=1)
def test_it(f, missing, env):
    assert missing is None
    assert np.allclose(f([1, 2]), 3), "the sum is wrong"
"""


def function_toml() -> str:
    return otter(exercise("q1", check("test_function", code=FUNCTION, function="test_it")))


@pytest.mark.parametrize(("source", "status"), ROWS["functions"])
def test_a_test_function_passes_when_it_raises_nothing(
    grader: Grader, source: str, status: str
) -> None:
    found = one(grader(function_toml(), notebook(INIT, source, 'grader.check("q1")')))
    assert found.checks[0].status.value == status, found.checks[0].message


def test_a_notebook_has_its_own_functions_again_after_a_test(grader: Grader) -> None:
    mine = check("examples", id_="mine", examples=examples(("np.allclose(1, 2)\n", "'mine'\n")))
    toml = function_toml() + exercise(
        "q2", check("examples", examples=examples(("kept\n", "'mine'\n")))
    )
    cells = (
        INIT,
        "import numpy as np\nnp.allclose = lambda *a: 'mine'\nf = sum",
        'grader.check("q1")',
        "kept = np.allclose(1, 2)",
    )
    assert one(grader(toml, notebook(*cells)), "q2").score == 1000
    assert one(grader(otter(exercise("q2", mine)), notebook(*cells)), "q2").score == 0


# ---------------------------------------------------------------- what hidden tests give away

SPY = """
seen = []
def f(v):
    import sys
    frame = sys._getframe(1)
    while frame:
        seen.append(repr(frame.f_code.co_consts) + repr(list(frame.f_locals.values())))
        frame = frame.f_back
    return sum(v)
"""


def test_nothing_a_hidden_test_says_is_in_what_a_student_gets_back(grader: Grader) -> None:
    code = FUNCTION.replace("the sum is wrong", "SECRET-4711")
    hidden = check("test_function", public=False, code=code, function="test_it")
    public = check(
        "test_function", code=code.replace("SECRET-4711", "PUBLIC-1"), function="test_it"
    )
    cells = (INIT, SPY, 'grader.check("q1")', 'grader.check("q2")', "print(seen)")
    graded = grader(otter(exercise("q1", public), exercise("q2", hidden)), notebook(*cells))
    assert (one(graded, "q1").score, one(graded, "q2").score) == (1000, 1000)
    assert graded.run is not None
    shown = b"".join(o.content for c in graded.run.cells if c.claim for o in c.claim.outputs)
    assert b"PUBLIC-1" in shown  # the spy does see the tests that it meets
    assert b"SECRET-4711" not in shown


def solved(answer: str, *tests: str) -> str:
    """An answer, and behind it test cells whose code is not in them."""
    cells = [cell("", id_, grade=True) for id_ in tests]
    return notebook(cell(answer, "s", solution=True), *cells)


def test_hidden_tests_meet_what_the_tests_before_them_left(grader: Grader) -> None:
    first = check("test_cell", id_="a", code="helper = 41")
    second = check("test_cell", id_="b", public=False, code="assert helper == 41")
    toml = nbgrader(exercise("t1", first), exercise("t2", second))
    source = notebook(
        cell("helper = 41", "t1", grade=True, locked=True),
        cell("assert helper == 41", "t2", grade=True, locked=True),
    )
    graded = grader(toml, source, source)
    assert (one(graded, "t1").score, one(graded, "t2").score) == (1000, 1000)


def test_a_hidden_test_that_never_ends_costs_its_own_points_alone(grader: Grader) -> None:
    endless = check("test_cell", public=False, code="while True: pass")
    fine = check("test_cell", public=False, code="assert x == 1")
    toml = nbgrader(exercise("t1", endless), exercise("t2", fine)).replace(
        "[brought]", "limits = { call_cpu_s = 0.5 }\n\n[brought]"
    )
    source = solved("x = 1", "t1", "t2")
    graded = grader(toml, source, source)
    assert one(graded, "t1").checks[0].status is Status.STOPPED
    assert one(graded, "t2").score == 1000


# ---------------------------------------------------------------- nbgrader

SOURCE = notebook(
    cell("import math\nsecret_constant = 7", "setup", locked=True),
    cell("...", "answer", solution=True),
    cell("assert x == secret_constant", "test", grade=True, locked=True),
    cell("Write here.", "essay", kind="markdown", grade=True, solution=True),
    cell("y = 1", "code-essay", grade=True, solution=True),
)
NB = nbgrader(
    exercise("test", check("test_cell", points=2, code="assert x == secret_constant, 'not 7'")),
    exercise("essay", check("answer_cell", points=3, unchanged="Write here.")),
    exercise("code-essay", check("answer_cell", points=4, unchanged="y = 1")),
)


def kept(*, answer: str = "x = 7", essay: str = "Write here.", test: str = "pass") -> list[Any]:
    return [
        cell("secret_constant = 0", "setup"),
        cell(answer, "answer"),
        cell(test, "test"),
        cell(essay, "essay", kind="markdown"),
        cell("y = 1", "code-essay"),
    ]


def test_locked_and_test_cells_are_the_instructors(grader: Grader) -> None:
    right = one(grader(NB, notebook(*kept()), SOURCE), "test")
    assert right.score == 2000
    cheated = kept(answer="x = 8", test="pass")
    wrong = one(grader(NB, notebook(*cheated), SOURCE), "test")
    assert wrong.score == 0 and "not 7" in wrong.checks[0].message


@pytest.mark.parametrize("missing", [(0,), (2,), (0, 2)])
def test_a_deleted_locked_cell_is_put_back_where_it_stood(
    grader: Grader, missing: Sequence[int]
) -> None:
    cells = [c for i, c in enumerate(kept()) if i not in missing]
    assert one(grader(NB, notebook(*cells, "x = 0"), SOURCE), "test").score == 2000


def test_a_person_grades_what_was_changed_and_nothing_else(grader: Grader) -> None:
    graded = grader(NB, notebook(*kept(essay="Mine.")), SOURCE)
    assert one(graded, "essay").status is Status.MANUAL
    assert one(graded, "essay").manual_max == 3000
    assert one(graded, "code-essay").status is Status.BLANK
    gone = grader(NB, notebook(*kept()[:3]), SOURCE)
    assert one(gone, "essay").status is Status.MISSING


@pytest.mark.parametrize("cell_of_answer", ["x = (7", "x = 1 / 0", "1 / 0\nx = 7"])
def test_a_test_of_a_name_whose_cell_raised_says_so(grader: Grader, cell_of_answer: str) -> None:
    found = one(grader(NB, notebook(*kept(answer=cell_of_answer)), SOURCE), "test")
    toml = otter(exercise("q1", check("examples", examples=examples(("x\n", "7\n")))))
    other = one(grader(toml, notebook(INIT, cell_of_answer, 'grader.check("q1")')))
    for check_ in (found.checks[0], other.checks[0]):
        assert check_.status is Status.BROKEN
        assert "NameError: name 'x' is not defined" in check_.message
        assert "raised SyntaxError" in check_.message or "ZeroDivisionError" in check_.message


def test_what_an_imported_template_holds_is_folded(grader: Grader, tmp_path: Path) -> None:
    template = [cell("# Text", kind="markdown"), *kept(answer="x = ..."), cell("y = 2")]
    place = tmp_path / "student_templates" / "hw.ipynb"
    place.parent.mkdir()
    place.write_text(notebook(*template))
    own = [cell("# Text", kind="markdown"), *kept(essay="My words."), cell("my own")]
    graded = grader(NB, notebook(*own), SOURCE)
    assert graded.located is not None
    assert graded.located.untouched == {1, 2, 4, 6}
    assert graded.located.answers == {"test": 3, "essay": 5, "code-essay": 6}
    toml = otter(exercise("q1", check("examples", examples=examples(("x\n", "7\n")))))
    graded = grader(toml, notebook(INIT, "x = 7", 'grader.check("q1")', "y = 3"))
    assert graded.located is not None
    assert (graded.located.untouched, graded.located.answers) == ({3}, {"q1": 2})


def test_all_tests_of_one_answer_are_beside_it(grader: Grader) -> None:
    toml = nbgrader(*(exercise(id_, check("test_cell", code="assert x")) for id_ in ("a", "b")))
    tests = [cell("assert x", id_, grade=True, locked=True) for id_ in ("a", "b")]
    source = notebook(cell("...", "own", solution=True), *tests)
    graded = grader(toml, notebook(cell("x = (7", "own"), *tests), source)
    assert {one(graded, id_).status for id_ in ("a", "b")} == {Status.BROKEN}
    assert graded.located is not None and graded.located.answers == {"a": 1, "b": 1}


def test_a_task_is_graded_by_a_person_in_any_case(grader: Grader) -> None:
    toml = nbgrader(exercise("task", check("answer_cell", unchanged="Do it.", always=True)))
    source = notebook(
        cell("Do it.", "task", kind="markdown", task=True, locked=True), cell("x = 1")
    )
    assert one(grader(toml, source, source), "task").status is Status.MANUAL


def of_test_cell(grader: Grader, code: str, **keys: Any) -> CheckGrade:
    """What a test cell of this code gives that has nothing to test."""
    toml = nbgrader(exercise("t", check("test_cell", code=code, **keys)))
    source = notebook(cell("", "t", grade=True, locked=True))
    (only,) = grader(toml, source, source).grade.exercises
    return only.checks[0]


@pytest.mark.parametrize(
    ("code", "score", "status"),
    [
        ("0.5", 500, "failed"),
        ("2", 2000, "passed"),
        ("0", 0, "failed"),
        ("'text'", 2000, "passed"),
        ("print(0.5)", 2000, "passed"),
        ("import warnings\nwarnings.warn('careful')", 2000, "passed"),
        ("-1", 2000, "passed"),
        ("%%capture\nassert 1 == 2", 0, "failed"),  # no magic hides a failure
        ("%%time\nassert 1 == 2", 0, "failed"),
        *((f"float('{word}')", None, "ungraded") for word in ("nan", "inf")),
        ("3", None, "ungraded"),  # a number that cannot be a score
    ],
)
def test_a_test_cell_can_give_a_part(
    grader: Grader, code: str, score: int | None, status: str
) -> None:
    found = of_test_cell(grader, code, points=2)
    assert (found.score, found.status.value) == (score, status)
    assert ("not a possible score" in found.message) == (score is None)


def test_the_error_stream_counts_only_where_it_is_asked_to(grader: Grader) -> None:
    code = "import sys\nprint('careful', file=sys.stderr)"
    scores = [of_test_cell(grader, code, stderr_fails=fails).score for fails in (False, True)]
    assert scores == [1000, 0]


def test_of_cells_with_one_id_the_last_counts(grader: Grader) -> None:
    cells = [*kept(answer="x = 7"), cell("x = 8", "answer")]
    assert one(grader(NB, notebook(*cells), SOURCE), "test").score == 2000


# ---------------------------------------------------------------- the specification


def test_kinds_of_other_tools_stand_only_in_their_assignments(tmp_path: Path) -> None:
    assert KINDS.keys() >= BROUGHT
    toml = otter(exercise("q1", check("examples", examples=examples(("x\n", "1\n")))))
    (tmp_path / "assignment.toml").write_text(toml.replace('[brought]\ntool = "otter"', ""))
    with pytest.raises(SpecError, match=r"examples need the section \[brought\]"):
        load(tmp_path)
    written = check("written", name="x", rubric="ten characters and more")
    (tmp_path / "assignment.toml").write_text(otter(exercise("q1", written)))
    with pytest.raises(SpecError, match="cannot be of kind written"):
        load(tmp_path)


def test_a_broken_source_says_what_to_do(grader: Grader) -> None:
    with pytest.raises(SpecError, match=r"source\.ipynb: cannot be read .*import the assignment"):
        grader(NB, notebook(*kept()), source_ipynb="{}")


def test_a_failed_test_says_which_line_of_it(grader: Grader) -> None:
    found = one(grader(function_toml(), notebook("f = len")))
    assert "`assert np.allclose(f([1, 2]), 3)" in found.checks[0].message
    found = of_test_cell(grader, "x = 1\nassert x == 2, 'no'")
    assert found.message == "The test failed at `assert x == 2, 'no'`: no."


def test_a_question_has_the_cells_up_to_its_check(grader: Grader) -> None:
    toml = otter(exercise("q1", check("examples", examples=examples(("x\n", "1\n")))))
    graded = grader(toml, notebook(INIT, "x = 1", "grader.check('q1')", "y = 2"))
    assert graded.located is not None
    assert graded.located.owners == {"q1": (1, 2, 3)}


def test_what_students_have_of_a_hidden_test_runs_where_it_may_not(grader: Grader) -> None:
    whole = "from math import isclose\nassert isclose(x, 1)\nassert x == 1  # HIDDEN"
    first = check("test_cell", public=False, code=whole, shown=whole.rpartition("\n")[0])
    second = check("test_cell", code="assert isclose(y, 2)")
    toml = nbgrader(exercise("t1", first), exercise("t2", second))
    source = solved("x, y = 1, 2", "t1", "t2")
    graded = grader(toml, source, source)
    assert (one(graded, "t1").score, one(graded, "t2").score) == (1000, 1000)


def test_a_shown_part_that_ends_the_process_costs_nothing_else(grader: Grader) -> None:
    first = check("test_cell", public=False, code="assert f() == 1", shown="f()")
    second = check("test_cell", code="assert y == 2")
    toml = nbgrader(exercise("t1", first), exercise("t2", second))
    source = solved("import os\ny = 2\ndef f(): os._exit(1)", "t1", "t2")
    graded = grader(toml, source, source)
    assert (one(graded, "t1").score, one(graded, "t2").score) == (0, 1000)


def test_the_time_of_a_notebook_counts_for_each_of_its_two_runs(grader: Grader) -> None:
    hidden = check("test_cell", public=False, code="assert x == 1")
    toml = nbgrader(exercise("t", hidden)).replace(
        "[brought]", "limits = { submission_wall_s = 4 }\n\n[brought]"
    )
    source = solved("import time\ntime.sleep(2.5)\nx = 1", "t")
    assert one(grader(toml, source, source), "t").score == 1000


def test_a_prompt_that_was_replaced_prints_nothing_that_counts(grader: Grader) -> None:
    patch = "import code\ncode.InteractiveInterpreter.runcode = lambda self, c: print(True)"
    toml = otter(exercise("q1", check("examples", examples=examples(("x == 3\n", "True\n")))))
    assert one(grader(toml, notebook(INIT, patch, "x = 4"))).score == 0
