"""otter's assignments become ours: masters, autograder.zip, tests in metadata; all that is wrong is
told with its place, and nothing of them is run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.assignment.load import load
from autograder.assignment.model import Assignment
from autograder.errors import SpecError
from autograder.interop.otter.source import archive, cells
from autograder.interop.otter.source.model import ImportedAssignment
from autograder.interop.otter.source.notes import summary
from autograder.interop.otter.source.read import read_otter
from autograder.interop.otter.source.settings import AssignmentSettings, GraderSettings
from autograder.interop.otter.source.write import as_id, files
from tests.support.otter_sources import (
    FUNCTIONS,
    OK_TEXT,
    archived,
    code,
    config,
    notebook,
    ok_test,
    one_case,
    problems,
    question,
    raw,
    text,
)
from tests.support.tables import read_table

MASTERS = read_table(Path(__file__).with_name("masters.yaml"))


@pytest.fixture
def master(tmp_path: Path) -> Any:
    """Reads a master of these cells, written as hw01.ipynb."""

    def read(*cells: dict[str, Any], **metadata: Any) -> ImportedAssignment:
        path = tmp_path / "hw01.ipynb"
        path.write_bytes(notebook(*cells, **metadata))
        return read_otter(path)

    return read


# ---------------------------------------------------------------- masters


@pytest.mark.parametrize("name", MASTERS)
def test_a_master_is_read_or_refused_as_described(master: Any, tmp_path: Path, name: str) -> None:
    case = dict(MASTERS[name])
    for file, content in case.pop("files", {}).items():
        (tmp_path / file).write_text(content)
    cells = [each for cell in case.pop("cells") for each in cells_of(cell)]
    if "problems" in case:
        with pytest.raises(SpecError) as refused:
            master(*cells)
        assert [part for part in case["problems"] if part not in str(refused.value)] == []
        return
    imported = master(*cells)
    described = description(imported)
    for key, expected in case.items():
        if key == "is":
            assert {attribute: getattr(imported, attribute) for attribute in expected} == expected
        elif key in ("told", "has"):
            assert [part for part in expected if part not in described[key]] == []
        elif key == "lacks":
            assert [part for part in expected if part in described["has"]] == []
        elif key == "metadata":
            for place, wanted in expected.items():
                assert wanted.items() <= described[key][place].items()
        elif isinstance(expected, dict):
            assert {place: described[key][place] for place in expected} == expected
        else:
            assert described[key] == expected


def cells_of(cell: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of one entry of masters.yaml."""
    if "question" in cell:
        keys = dict(cell["question"])
        usual = [{"code": f"x + {n}", "shows": [str(3 + n)]} for n in range(keys.pop("count", 1))]
        tests = [each for test in keys.pop("tests", usual) for each in cells_of(test)]
        return question(*tests, **keys)
    if "essay" in cell:
        prompt = [raw("# BEGIN PROMPT"), text(cell["prompt"]), raw("# END PROMPT")]
        return [raw(f"# BEGIN QUESTION\nname: essay\n{cell['essay']}"), *essay(*prompt)]
    if "code" in cell:
        return [code(cell["code"], *cell.get("shows", ()), run=cell.get("run", True))]
    ((kind, source),) = cell.items()
    return [{"raw": raw, "text": text, "config": config}[kind](source)]


def description(imported: ImportedAssignment) -> dict[str, Any]:
    """What a master was read as, as masters.yaml says it."""
    student = imported.template or b""
    notebook = json.loads(student)
    cells = notebook["cells"]
    questions = [scored.question for scored in imported.questions]
    cases = [case for each in questions for case in each.cases]
    exports = [cell["source"].split("\n")[-1] for cell in cells if "export(" in cell["source"]]
    noted = notebook["metadata"]["otter"]
    return {
        "points": [list(scored.points) for scored in imported.questions],
        "hidden": [case.hidden for case in cases],
        "hints": [case.hint for case in cases],
        "praise": [case.praise for case in cases],
        "functions": [case.function for case in cases],
        "shown": [[[e.code, e.shows] for e in case.examples] for case in cases],
        "told": "\n".join(imported.told),
        "has": student.decode(),
        "template": [cell["source"] for cell in cells],
        "kinds": [cell["cell_type"] for cell in cells],
        "metadata": [cell["metadata"] for cell in cells],
        "noted": noted,
        "kept_tests": {
            name: [case["code"] for case in test["suites"][0]["cases"]]
            for name, test in noted["tests"].items()
            if isinstance(test, dict)
        },
        "exports": exports[0] if exports else "",
    }


EVERY_KEY: dict[str, Any] = yaml.safe_load("""
name: hw
requirements: [pandas]
overwrite_requirements: true
environment: environment.yml
run_tests: false
solutions_pdf: filtered
template_pdf: true
init_cell: false
check_all_cell: true
export_cell: {instructions: i, pdf: false, filtering: false, force_save: true, run_tests: false,
  files: [a.txt], require_no_pdf_ack: {message: m}, ignore_log: true}
seed: {variable: rng_seed, autograder_value: 42, student_value: 7}
generate: {points_possible: 2, pdf: true, plugins: [a.B], show_hidden: true}
save_environment: true
ignore_modules: [numpy]
files: []
autograder_files: []
student_files: [made.csv]
plugins: [c.D, {e.F: {k: 1}}]
tests: {files: true, ok_format: true, url_prefix: "https://example.org"}
show_question_points: true
runs_on: colab
python_version: 3.12
channel_priority_strict: false
strip_solutions_from_all_cells: true
suppress_no_tests_warning: true
config_file: null
""")


def test_every_key_of_an_assignment_and_of_the_grader_is_known(master: Any, tmp_path: Path) -> None:
    assert EVERY_KEY.keys() == AssignmentSettings.model_fields.keys()
    for key, value in EVERY_KEY.items():
        brought = master(config(json.dumps({key: value})), *question(code("x", "3")))
        assert len(brought.questions) == 1, key
    values = {"score_threshold": 0.5, "points_possible": 4, "seed": 1, "seed_variable": "s"}
    values |= {"plugins": ["a.B"], "assignment_name": "hw", "lang": "python"}
    for key in GraderSettings.model_fields:
        settings = json.dumps({key: values.get(key, True)})
        members = {"tests/q1.py": OK_TEXT, "otter_config.json": settings}
        told = read_otter(archived(tmp_path, members)).told
        assert not [line for line in told if "otter ignores" in line], key


@pytest.mark.parametrize(
    ("name", "course", "title"),
    [
        ("../../shared.yml", ".", "shared"),
        ("../../shared.yml", "hw", None),
        ("../../shared.yml", None, None),
        ("../../link.yml", ".", None),
        ("../../../passwd", ".", None),
        ("own.yml", ".", "own"),
    ],
)
def test_settings_that_a_course_shares_are_read_in_the_named_course_alone(
    tmp_path: Path, name: str, course: str | None, title: str | None
) -> None:
    root = tmp_path / "course"
    master = root / "hw/hw1/hw1.ipynb"
    master.parent.mkdir(parents=True)
    master.write_bytes(notebook(config(f"config_file: {name}"), *question(code("x", "3"))))
    (root / "shared.yml").write_text("name: shared")
    (root / "hw/hw1/own.yml").write_text("name: own")
    (tmp_path / "passwd").write_text("name: secret")
    (root / "link.yml").symlink_to(tmp_path / "passwd")
    given = root / course if course else None
    if title:
        assert read_otter(master, given).title == title
        return
    with pytest.raises(SpecError, match=r"outside the .* folder; move it .* --course"):
        read_otter(master, given)


def essay(*prompt: dict[str, Any]) -> list[dict[str, Any]]:
    """The cells of a written question after the one that begins it."""
    solution = (raw("# BEGIN SOLUTION"), text("Because."), raw("# END SOLUTION"))
    return [text("Say why."), *prompt, *solution, raw("# END QUESTION")]


def test_what_is_not_done_is_told(master: Any) -> None:
    brought = master(
        config(json.dumps({key: EVERY_KEY[key] for key in EVERY_KEY if key != "runs_on"})),
        *question(code("x", "3")),
        raw("# BEGIN PLUGIN\nplugin: g.H\nargs: [1]\n# END PLUGIN"),
        raw("# BEGIN QUESTION\nname: essay\nmanual: true\n"),
        *essay(),
    )
    assert brought.plugins == ("a.B", "c.D", "e.F", "g.H")
    assert (brought.seed, brought.seed_variable) == (42, "rng_seed")
    said = "\n".join(brought.told)
    words = "PDF packages save_environment 'essay' hidden assignment_name".split()
    for part in ("a.B, c.D, e.F, g.H", *words):
        assert part in said
    assert brought.student_files == ("made.csv",)
    made = (brought.template or b"").decode()
    assert "Because." not in made
    assert "_Type your answer here, replacing this text._" in made
    assert 'grader.run_plugin(\\"g.H\\", 1)' in made


def test_files_beside_the_master_are_brought_and_none_from_outside(
    master: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("1,2")
    (tmp_path / "b.csv").write_text("3")
    (tmp_path / "data" / "link").symlink_to("/etc/passwd")
    brought = master(config("files: [data, b.csv, none.csv]"), *question(code("x", "3")))
    assert brought.supports == {"data/a.csv": b"1,2", "b.csv": b"3"}
    assert any("'none.csv'" in line for line in brought.told)
    (tmp_path / "data.csv").symlink_to("/etc/passwd")
    with pytest.raises(SpecError, match="outside"):
        master(config("files: [data.csv]"), *question(code("x", "3")))
    monkeypatch.setattr("autograder.interop.otter.source.support_files.MAX_BYTES", 0)
    with pytest.raises(SpecError, match="at most 0"):
        master(config("files: [b.csv]"), *question(code("x", "3")))


def test_masters_in_other_languages_and_formats_are_refused(tmp_path: Path, master: Any) -> None:
    for name in ("a.qmd", "a.Rmd", "a.R", "a.py"):
        (tmp_path / name).write_text("x")
        assert "give a master notebook" in problems(tmp_path / name)
    with pytest.raises(SpecError, match="'r'"):
        master(*question(code("x", "3")), kernelspec={"language": "R", "name": "ir"})
    (tmp_path / "wrong.ipynb").write_bytes(b"[" * 100_000)
    assert "wrong.ipynb" in problems(tmp_path / "wrong.ipynb")
    assert "none.ipynb" in problems(tmp_path / "none.ipynb")


@pytest.mark.parametrize(
    "part",
    [
        {"cells": [None, 3, {}, {"cell_type": "code"}, {"cell_type": "code", "source": 5}]},
        {"cells": "none"},
        {"metadata": []},
        {"metadata": {"otter": []}},
        {"nbformat": 3, "worksheets": [{"cells": []}]},
        {"nbformat": "four"},
    ],
)
def test_a_notebook_of_any_shape_is_read_or_refused(tmp_path: Path, part: dict[str, Any]) -> None:
    whole = {"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []} | part
    (tmp_path / "a.ipynb").write_text(json.dumps(whole))
    assert "a.ipynb" in problems(tmp_path / "a.ipynb")


def test_metadata_of_any_shape_is_read(master: Any, tmp_path: Path) -> None:
    wild = [code("y", tags=3, otter=[1]), text("z", tags=[None, "a"], otter="x")]
    brought = master(*wild, *question(code("# hidden\nx", "3")), *wild, otter=7)
    assert len(json.loads(brought.template or b"")["cells"]) == 10
    test = {"name": "q1", "suites": [{"cases": [{"code": ">>> x\n3"}]}]}
    noted = {"OK_FORMAT": True, "tests": {"q1": test}, "assignment_name": {}}
    (tmp_path / "b.ipynb").write_bytes(notebook(*wild, otter=noted))
    assert read_otter(tmp_path / "b.ipynb").title == "b"


HUGE = "0x" + "f" * 6000


def test_numbers_of_very_many_digits_are_refused(master: Any, tmp_path: Path) -> None:
    usual = question(code("x", "3"))
    plugin = raw(f"# BEGIN PLUGIN\nplugin: a\nargs: [{HUGE}]\n# END PLUGIN")
    function = question(code(f"def t(x):\n    assert x < {HUGE}"))
    for made in (
        question(code(f"x == {HUGE}", "True")),
        question(code("x", "3"), more=f"points: {HUGE}"),
        question(code("x", "3"), more=f"manual: {HUGE}"),
        [config(f"generate: {{seed: {HUGE}}}"), *usual],
        [config(f"{HUGE}: 1"), *usual],
        [plugin, *usual],
        [config("tests: {ok_format: false}"), *function],
    ):
        with pytest.raises(SpecError):
            master(*made)
    for source in (
        ok_test(one_case(more=f"'points': {HUGE}")),
        ok_test("", more=f"'points': {HUGE}, "),
        f"OK_FORMAT = True\ntest = ({HUGE}).bit_length()\n",
        f"OK_FORMAT = False\nname = 'q'\n@test_case(points={HUGE})\ndef a(): pass\n",
    ):
        assert "tests/q1.py" in problems(archived(tmp_path, {"tests/q1.py": source}))


def test_text_that_cannot_be_encoded_is_written_all_the_same(tmp_path: Path) -> None:
    source = ok_test(one_case(">>> '\\ud800'", "'failure_message': '\\ud800'"))
    members = {"tests/q1.py": source, "otter_config.json": '{"assignment_name": "\\ud800 hw"}'}
    assert written(read_otter(archived(tmp_path, members)), tmp_path).title == "\ufffd hw"


def test_a_notebook_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "MAX_CELLS", 3)
    (tmp_path / "a.ipynb").write_bytes(notebook(*[code("x")] * 4))
    assert "at most 3" in problems(tmp_path / "a.ipynb")
    monkeypatch.setattr(cells, "MAX_BRACKETS", 3)
    assert "lists and objects" in problems(tmp_path / "a.ipynb")


# ---------------------------------------------------------------- autograder.zip


def test_an_archive_is_read(tmp_path: Path) -> None:
    functions = FUNCTIONS.replace('"q1"', '"q2"')
    settings = {"points_possible": 10, "seed": 7, "seed_variable": "s", "score_threshold": 0.5}
    settings |= {"plugins": ["a.B"], "assignment_name": "Homework", "token": "t", "of_mine": 1}
    tests = {"tests/q2.py": functions, "tests/q1.py": OK_TEXT, "tests/old/q3.py": "no test"}
    others = {"run_autograder": "#!/bin/sh", "setup.sh": "", "environment.yml": "name: e"}
    others |= {"files/data/a.csv": "1,2", "otter_config.json": json.dumps(settings)}
    members = {**tests, **others}
    path = archived(tmp_path, members)
    brought = read_otter(path)
    assert (brought.title, brought.seed, brought.seed_variable) == ("Homework", 7, "s")
    assert [s.question.name for s in brought.questions] == ["q1", "q2"]
    assert brought.total == 10_000
    assert brought.supports == {"data/a.csv": b"1,2"}
    said = "\n".join(brought.told)
    for part in ("a.B", "score_threshold", "scaled from 5", "'of_mine'", "PDF"):
        assert part in said


def test_a_folder_is_read_as_its_archive(tmp_path: Path) -> None:
    members = {"otter_config.json": "{}", "tests/q1.py": OK_TEXT, "files/a/b.csv": "1"}
    for name, content in members.items():
        (tmp_path / "hw" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "hw" / name).write_text(content)
    (tmp_path / "hw" / "tests" / "__pycache__").mkdir()
    (tmp_path / "hw" / "tests" / "__pycache__" / "q1.cpython.pyc").write_bytes(b"\0")
    there = read_otter(archived(tmp_path, members))
    assert files(read_otter(tmp_path / "hw"), "hw", tmp_path) == files(there, "hw", tmp_path)
    (tmp_path / "hw" / "tests" / "q2.py").symlink_to("/etc/passwd")
    assert "points outside the folder" in problems(tmp_path / "hw")


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("tests/../../q1.py", OK_TEXT, "points outside the archive"),
        ("otter_config.json", "{", "not JSON"),
        ("otter_config.json", "[]", "an object"),
        ("otter_config.json", "[" * 100_000, "not JSON"),
        ("otter_config.json", '{"seed": "x"}', "seed: write a whole number"),
        ("otter_config.json", '{"lang": "r"}', "only Python"),
        ("tests/q2.py", "test = {}", "tests/q2.py: OK_FORMAT is not set"),
        ("tests/q2.py", "import os\nos.system('x')\nOK_FORMAT = True", "tests/q2.py, line 2"),
        ("tests/q2.py", " " * 3_000_000, "too large for a test"),
        ("tests/q2.py", OK_TEXT, "another test has the name"),
    ],
)
def test_an_archive_with_one_wrong_file_is_told(
    tmp_path: Path, name: str, content: str, said: str
) -> None:
    assert said in problems(archived(tmp_path, {"tests/q1.py": OK_TEXT, name: content}))


def test_an_archive_may_be_packed_in_a_folder_under_otters_stamp(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "hw/tests/q1.py": OK_TEXT,
        "hw/otter_config.json": "{}",
        "__MACOSX/hw/._q1": b"\0",
        "hw/.DS_Store": b"\0",
    }
    name = "hw 1-autograder_2026_01_02T03_04_05_678901.zip"
    brought = read_otter(archived(tmp_path, members, name))
    assert (brought.total, brought.title) == (2000, "hw 1")


def test_archives_that_are_none_and_all_their_test_files_are_told(tmp_path: Path) -> None:
    sources = {"a": "x", "b": "test = f(", "c": "OK_FORMAT = True\ntest = f()"}
    path = archived(tmp_path, {f"tests/{name}.py": source for name, source in sources.items()})
    said = problems(path)
    assert said.count("\n") == 2
    assert all(f"tests/{name}.py" in said for name in "abc")
    path.write_bytes(path.read_bytes()[:-30])
    assert "cannot be read" in problems(path)
    assert "tests are in R" in problems(archived(tmp_path, {"tests/q1.R": "x"}))
    assert "not an otter autograder.zip" in problems(archived(tmp_path, {"hw.ipynb": "{}"}))


def test_the_files_of_an_archive_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "MAX_BYTES", 10)
    path = archived(tmp_path, {"tests/q1.py": OK_TEXT, "files/a": "x" * 6, "files/b": "x" * 6})
    assert "more than 10 bytes" in problems(path)


# ---------------------------------------------------------------- tests in a notebook's metadata


def test_tests_in_metadata_are_read(tmp_path: Path) -> None:
    test = {"name": "q1", "points": 2, "suites": [{"cases": [{"code": ">>> x\n3"}]}]}
    noted = {"OK_FORMAT": True, "tests": {"q1": test}, "assignment_name": "hw"}
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook(code("x = ..."), otter=noted))
    brought = read_otter(path)
    assert (brought.title, brought.total, brought.solution) == ("hw", 2000, None)
    assert any("student notebook" in line for line in brought.told)

    solved = code("x = 3 # SOLUTION", "3", tags=["otter_assign_solution_cell"])
    path.write_bytes(notebook(solved, otter=noted))
    brought = read_otter(path)
    assert brought.solution == path.read_bytes()
    assert b"x = ..." in (brought.template or b"")
    assert b">>> x" not in (brought.template or b"")  # its one case is hidden


def test_functions_in_metadata_are_read_and_what_is_wrong_is_told(tmp_path: Path) -> None:
    path = tmp_path / "functions.ipynb"
    path.write_bytes(notebook(otter={"OK_FORMAT": False, "tests": {"q1": FUNCTIONS}}))
    kept = json.loads(read_otter(path).template or b"")["metadata"]["otter"]["tests"]["q1"]
    assert "test_small" in kept and "test_large" not in kept
    for noted in (
        {"OK_FORMAT": True, "tests": {"q1": "text"}},
        {"OK_FORMAT": False, "tests": {"q1": {}}},
        {"tests": {"q1": {}}},
        {"OK_FORMAT": True, "tests": ["q1"]},
    ):
        (tmp_path / "hw.ipynb").write_bytes(notebook(otter=noted))
        assert "hw.ipynb" in problems(tmp_path / "hw.ipynb"), noted


# ---------------------------------------------------------------- what is written


def written(brought: ImportedAssignment, root: Path, wanted: str = "hw") -> Assignment:
    for path, data in files(brought, wanted, root).items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return load(root / "assignments" / wanted).spec


def test_the_assignment_says_everything(master: Any, tmp_path: Path) -> None:
    brought = master(
        config("seed: {variable: s, autograder_value: 4, student_value: 5}\nplugins: [a.B]"),
        *question(
            code("x", "3"), code("# hidden\n1 / 0"), name="q 1.ä", more="all_or_nothing: true"
        ),
    )
    spec = written(brought, tmp_path)
    assert spec.brought is not None
    brought_from = {"assignment": "", "tool": "otter", "notebook": "hw01"}
    seeded = {"seed": 4, "seed_variable": "s", "plugins": ("a.B",)}
    assert spec.brought.model_dump() == brought_from | seeded
    (only,) = spec.exercise
    assert (only.id, only.name, only.title) == ("q-1", "q 1.ä", "q 1.ä")
    first, last = only.check
    assert (first.points, first.public, last.points, last.public) == (0, True, 1, False)
    assert last.needs == ("case-1",)


NASTY = ["'''\n\"\"\"", "a\\b\r\n\tc", "\x00\x1f\x7f", "{{x}} [a] # b", "\\", " ", ""]
NASTY.append("😀 é ü\u2028")


def test_what_is_written_is_what_was_read(tmp_path: Path) -> None:
    cases = "".join(
        one_case(f">>> {text!r}\n{text!r}", f"'failure_message': {text!r}") + ", " for text in NASTY
    )
    path = archived(tmp_path, {"tests/q1.py": ok_test(cases)})
    brought = read_otter(path)
    spec = written(brought, tmp_path)
    found = [check.examples[0].code for check in spec.exercise[0].check if check.kind == "examples"]
    assert found == [f"{text!r}\n" for text in NASTY]
    assert [check.hint for check in spec.exercise[0].check] == [text.strip() for text in NASTY]
    path = archived(tmp_path, {"tests/q1.py": ok_test(one_case("no prompt"))})  # it asks nothing
    (check,) = written(read_otter(path), tmp_path, "other").exercise[0].check
    assert check.kind == "examples"
    assert [(e.code, e.shows) for e in check.examples] == [("pass\n", "")]


def test_functions_are_written_with_their_whole_file(tmp_path: Path) -> None:
    spec = written(read_otter(archived(tmp_path, {"tests/q1.py": FUNCTIONS})), tmp_path)
    first, last = spec.exercise[0].check
    assert first.kind == last.kind == "test_function"
    assert (last.code, first.function, last.function) == (FUNCTIONS, "test_small", "test_large")
    assert first.code.count("\n") == FUNCTIONS.count("\n") and "limit = 4" in first.code
    assert "large" not in first.code and "env" not in first.code  # what it calls can read its file
    assert first.done_well == "Well done"
    assert (first.points, last.points) == (2, 1)


def test_ids_are_ids_and_none_is_there_twice(tmp_path: Path) -> None:
    names = ["q1", "Q1", "q 1", "q-1", "1", "问题", "答え", "q" * 80, "q" * 81, "007", "-", "_a"]
    members: dict[str, str | bytes] = {
        f"tests/{name}.py": ok_test(one_case(), name=name) for name in names
    }
    spec = written(read_otter(archived(tmp_path, members)), tmp_path)
    ids = [exercise.id for exercise in spec.exercise]
    assert len({own.lower() for own in ids}) == len(names)
    assert sorted(exercise.name for exercise in spec.exercise) == sorted(names)


def test_an_id_that_is_none_is_refused(tmp_path: Path) -> None:
    brought = read_otter(archived(tmp_path, {"tests/q1.py": OK_TEXT}))
    for wanted in ("../x", "a b", "1a", "a" * 65, "a/b", "ä"):
        with pytest.raises(SpecError, match="not a valid assignment id"):
            files(brought, wanted, tmp_path)
    titles = {
        "Homework 1: Sums!": "Homework-1-Sums",
        "01 a": "assignment-01-a",
        "宿題": "assignment",
    }
    assert {title: as_id(title, "assignment") for title in titles} == titles


# ---------------------------------------------------------------- the student notebook


@pytest.mark.parametrize("minor", [2, 5])
def test_the_student_notebook_is_the_same_each_time(tmp_path: Path, minor: int) -> None:
    path = tmp_path / "hw.ipynb"
    cells = question(code("x", "3"))
    if minor >= 5:
        cells = [cell | {"id": f"c{n}"} for n, cell in enumerate(cells)]
    path.write_bytes(notebook(*cells, minor=minor))
    first = read_otter(path).template or b""
    assert first == read_otter(path).template
    ids = [cell.get("id") for cell in json.loads(first)["cells"]]
    assert len({*ids}) == (len(ids) if minor >= 5 else 1)


# ---------------------------------------------------------------- what is said of it


def test_what_was_brought_is_summed_up(tmp_path: Path) -> None:
    functions = FUNCTIONS.replace('"q1"', '"q2"')
    settings = '{"plugins": ["a.B"]}'
    members = {"tests/q1.py": OK_TEXT, "tests/q2.py": functions, "otter_config.json": settings}
    said = "\n".join(summary(read_otter(archived(tmp_path, members))))
    for part in (
        "questions: 2, points: 5, hidden cases: 2 of 4",
        "compared outside the sandbox with the expected output: 2 of 4",
        "can tamper with its own process: q2",
    ):
        assert part in said


# ---------------------------------------------------------------- what anybody can forge


@pytest.mark.parametrize(
    ("examples", "forged", "asked"),
    [
        (">>> x == 3\nTrue", 1, 1),
        (">>> bool(x)\nFalse", 1, 1),
        (">>> print(f(3))\nNone", 1, 1),
        (">>> np.allclose(x, 3)\nnp.True_", 1, 1),
        (">>> assert x == 3", 1, 1),
        (">>> import math\n>>> y = x\n>>> y\n3", 0, 1),
        (">>> y = f(x)", 1, 1),  # all that it asks is that nothing is raised
        (">>> x # doctest: +ELLIPSIS\n...", 1, 1),
        (">>> x\n3\n>>> x > 2\nTrue", 1, 2),
        (">>> x\n'True'", 0, 1),
        (">>> f(0)\nTraceback (most recent call last):\n    ...\nValueError: none", 0, 1),
    ],
)
def test_expectations_that_anybody_can_forge_are_counted(
    tmp_path: Path, examples: str, forged: int, asked: int
) -> None:
    path = archived(tmp_path, {"tests/q1.py": ok_test(one_case(examples))})
    said = [line for line in summary(read_otter(path)) if "expected outputs" in line]
    assert len(said) == bool(forged)
    if forged:
        assert said[0].startswith(f"{forged} of {asked} expected outputs are True, False, None")
        assert f": q1 ({forged}). " in said[0]


def test_of_many_questions_with_such_expectations_eight_are_named(tmp_path: Path) -> None:
    case = one_case(">>> x == 3\nTrue")
    names = [f"q{n:02}" for n in range(30)]
    path = archived(tmp_path, {f"tests/{name}.py": ok_test(case, name=name) for name in names})
    (said,) = (line for line in summary(read_otter(path)) if "expected outputs" in line)
    assert said.startswith("30 of 30") and "q07 (1) and 22 more" in said and "q08" not in said
