"""Assignments of other tools: their tests run where they stand, what examples should print stays
outside, and a hidden test is seen by nothing that a student gets to read."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autograder.assignment.kinds import BROUGHT
from autograder.assignment.load import load
from autograder.errors import SpecError
from autograder.gradebook.grade import ExerciseGrade
from autograder.grading.context import FoundSubmission, GradedSubmission, PreparedClass
from autograder.grading.job import make_job
from autograder.judging.checks.registry import KINDS
from autograder.judging.verdict import Status
from autograder.notebook.formats.find import FoundFile
from autograder.notebook.formats.read import read
from autograder.pipeline import grade_submission
from autograder.sandbox import account, driver
from autograder.sandbox.account import RunAccount
from autograder.sandbox.box import Box
from autograder.sandbox.child import Child, ChildAnswer
from autograder.wire import messages
from autograder.wire.messages import Request, RunCell, encode
from tests.support.cases import write_files
from tests.support.imported import context_of, prepared, runner_in
from tests.support.tables import read_table, rows_beside

HEAD = 'format = 1\nid = "hw"\ntitle = "A homework"\n\n[brought]\ntool = "{tool}"\n{more}\n'
ROWS = rows_beside(__file__)
CASES = read_table(Path(__file__).with_name("imported_notebooks.yaml"))
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


@pytest.fixture(scope="module")
def grader(tmp_path_factory: pytest.TempPathFactory, plain_box: Box) -> Grader:
    """Grades a notebook by an assignment.toml, with the instructor's notebook beside it, and what
    students got; what is known of an assignment is kept."""
    known: dict[tuple[str, ...], PreparedClass] = {}

    def grade(toml: str, text: str, source_ipynb: str = "", template: str = "") -> GradedSubmission:
        root = tmp_path_factory.mktemp("hw")
        (root / "hw.ipynb").write_text(text)
        key = (toml, source_ipynb, template)
        if key not in known:
            folder = root / "assignments/hw"
            texts = {folder / "assignment.toml": toml, folder / "source.ipynb": source_ipynb}
            texts[root / "student_templates/hw.ipynb"] = template
            write_files(root, {path: data.encode() for path, data in texts.items() if data})
            context = context_of(load(folder), runner_in(plain_box), root / "evidence")
            known[key] = prepared(context)
        found = FoundFile(student="student-01", path=root / "hw.ipynb", name="hw.ipynb")
        return grade_submission(known[key], FoundSubmission(found), 0.0)

    return grade


def one(graded: GradedSubmission, id_: str = "q1") -> ExerciseGrade:
    assert graded.grade.status == "graded", graded.grade.reason
    return next(exercise for exercise in graded.grade.exercises if exercise.id == id_)


def otter(*exercises: str, more: str = "") -> str:
    return HEAD.format(tool="otter", more=more) + "".join(exercises)


def nbgrader(*exercises: str, more: str = "") -> str:
    return HEAD.format(tool="nbgrader", more=more) + "".join(exercises)


INIT = 'import otter\ngrader = otter.Notebook("hw.ipynb")'


# ---------------------------------------------------------------- examples


def asked_in_turn(grader: Grader, rows: list[tuple[Any, ...]], checks: list[str]) -> None:
    """One notebook: the cell and the check of every row, which ends as the row says."""
    ids = [f"q{number}" for number in range(len(rows))]
    toml = otter(*(exercise(id_, check) for id_, check in zip(ids, checks, strict=True)))
    cells = [INIT]
    for id_, (source, *_) in zip(ids, rows, strict=True):
        cells += [source, f'grader.check("{id_}")']
    graded = grader(toml, notebook(*cells))
    for id_, (source, *_, status) in zip(ids, rows, strict=True):
        (found,) = one(graded, id_).checks
        assert found.status.value == status, (source, found.message)


def test_examples_are_compared_as_doctest_does(grader: Grader) -> None:
    rows = ROWS["examples"]
    asked_in_turn(grader, rows, [check("examples", examples=examples(row[1])) for row in rows])


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


# ---------------------------------------------------------------- what earns what


@pytest.mark.parametrize("name", CASES)
def test_what_a_notebook_earns(grader: Grader, name: str) -> None:
    case = CASES[name]
    exercises = [
        exercise(id_, *(check_of(keys) for keys in checks))
        for id_, checks in case["exercises"].items()
    ]
    tool = nbgrader if "source" in case else otter
    toml = tool(*exercises, more="\n".join(case.get("brought", ())))
    if "limits" in case:
        toml = toml.replace("[brought]", f"limits = {{ {case['limits']} }}\n\n[brought]")
    cells = case.get("source", ())
    if cells == "each":  # an empty cell for every exercise
        cells = [{"source": "", "id": id_, "grade": True} for id_ in case["exercises"]]
    source = notebook(*map(cell_of, cells)) if cells else ""
    submitted = notebook(*map(cell_of, case["cells"])) if "cells" in case else source
    grade = grader(toml, submitted, source).grade
    if "ungraded" in case:
        (message,) = (check.message for each in grade.exercises for check in each.checks)
        assert grade.status == "ungraded" and case["ungraded"] in message
        return
    assert grade.status == "graded", grade.reason
    found = {each.id: each for each in grade.exercises}
    for id_, score in case.get("scores", {}).items():
        assert found[id_].score == score, found[id_].checks
    for id_, statuses in case.get("statuses", {}).items():
        assert [check.status.value for check in found[id_].checks] == statuses, id_
    for id_, most in case.get("by_hand", {}).items():
        assert found[id_].manual_max == most
    for id_, parts in case.get("messages", {}).items():
        assert [part for part in parts if part not in found[id_].checks[0].message] == []


def check_of(keys: dict[str, Any]) -> str:
    """A check of imported_notebooks.yaml."""
    if "examples" in keys:
        keys = {"kind": "examples", **keys, "examples": examples(*keys["examples"])}
    return check(**keys)


def cell_of(entry: str | dict[str, Any]) -> dict[str, Any]:
    """A cell of imported_notebooks.yaml."""
    if isinstance(entry, str):
        return {"source": entry}
    keys = dict(entry)
    return cell(keys.pop("source"), keys.pop("id"), **keys)


# ---------------------------------------------------------------- test functions

FUNCTION = CASES["a failed function says which line"]["exercises"]["q1"][0]["code"]


def test_a_test_function_passes_when_it_raises_nothing(grader: Grader) -> None:
    rows = ROWS["functions"]
    same = check("test_function", code=FUNCTION, function="test_it")
    asked_in_turn(grader, rows, [same] * len(rows))


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


# ---------------------------------------------------------------- nbgrader

SHARED = CASES["test cells and locked cells are the instructor's"]
SOURCE = notebook(*map(cell_of, SHARED["source"]))
NB = nbgrader(*(exercise(id_, check(**keys)) for id_, (keys,) in SHARED["exercises"].items()))


def kept(answer: str = "x = 7", essay: str = "Write here.") -> list[Any]:
    sources = {"answer": {"source": answer}, "essay": {"source": essay}}
    return [cell_of(entry | sources.get(entry["id"], {})) for entry in SHARED["cells"]]


def test_what_an_imported_template_holds_is_folded(grader: Grader) -> None:
    template = [cell("# Text", kind="markdown"), *kept(answer="x = ..."), cell("y = 2")]
    own = [cell("# Text", kind="markdown"), *kept(essay="My words."), cell("my own")]
    graded = grader(NB, notebook(*own), SOURCE, notebook(*template))
    assert graded.located is not None
    assert graded.located.untouched == {1, 2, 4, 6}
    assert graded.located.answers == {"test": 3, "essay": 5, "code-essay": 6}
    toml = otter(exercise("q1", check("examples", examples=examples(("x\n", "7\n")))))
    graded = grader(toml, notebook(INIT, "x = 7", 'grader.check("q1")', "y = 3"))
    assert graded.located is not None
    assert (graded.located.untouched, graded.located.answers) == ({3}, {"q1": 2})
    assert graded.located.owners == {"q1": (1, 2, 3)}, "the cells up to its check"


def test_all_tests_of_one_answer_are_beside_it(grader: Grader) -> None:
    toml = nbgrader(*(exercise(id_, check("test_cell", code="assert x")) for id_ in ("a", "b")))
    tests = [cell("assert x", id_, grade=True, locked=True) for id_ in ("a", "b")]
    source = notebook(cell("...", "own", solution=True), *tests)
    graded = grader(toml, notebook(cell("x = (7", "own"), *tests), source)
    assert {one(graded, id_).status for id_ in ("a", "b")} == {Status.BROKEN}
    assert graded.located is not None and graded.located.answers == {"a": 1, "b": 1}


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


def test_the_time_of_a_notebook_counts_for_each_of_its_two_runs(
    grader: Grader, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By a clock on which the solution's cell takes 200 seconds."""
    later, ask, runs = [0.0], driver._ask, list[Request]()
    clock = SimpleNamespace(monotonic=lambda: time.monotonic() + later[0])
    monkeypatch.setattr(driver, "time", clock)
    monkeypatch.setattr(account, "time", clock)

    def slow(child: Child, state: RunAccount, request: Request, *limits: float) -> ChildAnswer:
        answered = ask(child, state, request, *limits)
        if isinstance(request, RunCell) and "x = 1" in request.source:
            later[0] += 200.0
            runs.append(request)
        return answered

    monkeypatch.setattr(driver, "_ask", slow)
    hidden = check("test_cell", public=False, code="assert x == 1")
    toml = nbgrader(exercise("t", hidden)).replace(
        "[brought]", "limits = { submission_wall_s = 300 }\n\n[brought]"
    )
    source = notebook(cell("x = 1", "s", solution=True), cell("", "t", grade=True))
    assert one(grader(toml, source, source_ipynb=source), "t").score == 1000
    assert len(runs) == 2
