"""otter's assignments become ours: masters, autograder.zip, tests in metadata; all that is wrong is
told with its place, nothing of them is run, and the scores are otter's."""

from __future__ import annotations

import io
import json
import stat
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from autograder.assignment.load import load
from autograder.assignment.model import Assignment
from autograder.commands.bringing import app
from autograder.errors import AutograderError, SpecError
from autograder.interop.otter.source import archive, cells
from autograder.interop.otter.source.model import ImportedAssignment
from autograder.interop.otter.source.notes import summary
from autograder.interop.otter.source.read import read_otter
from autograder.interop.otter.source.settings import AssignmentSettings, GraderSettings
from autograder.interop.otter.source.write import as_id, files
from autograder.sandbox.box import Box
from tests.support.imported import graded_there
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
    shown,
    text,
)
from tests.support.rows import rows_beside

ROWS = rows_beside(__file__)


@pytest.fixture
def master(tmp_path: Path) -> Any:
    """Reads a master of these cells, written as hw01.ipynb."""

    def read(*cells: dict[str, Any], **metadata: Any) -> ImportedAssignment:
        path = tmp_path / "hw01.ipynb"
        path.write_bytes(notebook(*cells, **metadata))
        return read_otter(path)

    return read


# ---------------------------------------------------------------- masters


def test_a_master_is_read(master: Any) -> None:
    brought = master(
        config("name: Homework 1\n"),
        *question(
            code("x", "3"),
            code("# HIDDEN\nx + 1", "4"),
            code(
                '""" # BEGIN TEST CONFIG\nhidden: true\npoints: 2\nsuccess_message: Good\n'
                'failure_message: Look at x\n""" # END TEST CONFIG\nprint(x)\nx',
                ">3\n",
                "3",
            ),
            more="points: 3",
        ),
    )
    assert (brought.title, brought.notebook, brought.total) == ("Homework 1", "hw01", 3000)
    (only,) = brought.questions
    assert only.points == (500, 500, 2000)
    assert [c.hidden for c in only.question.cases] == [False, True, True]
    assert shown(brought)[:2] == [[("x\n", "3\n")], [("x + 1\n", "4\n")]]
    assert shown(brought)[2] == [("print(x)\n", ""), ("x\n", "3\n3\n")]
    assert (only.question.cases[2].hint, only.question.cases[2].praise) == ("Look at x", "Good")


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


def test_every_key_of_an_assignment_is_known(master: Any) -> None:
    assert EVERY_KEY.keys() == AssignmentSettings.model_fields.keys()
    for key, value in EVERY_KEY.items():
        brought = master(config(json.dumps({key: value})), *question(code("x", "3")))
        assert len(brought.questions) == 1, key


def test_every_key_of_the_grader_is_known(tmp_path: Path) -> None:
    values = {"score_threshold": 0.5, "points_possible": 4, "seed": 1, "seed_variable": "s"}
    values |= {"plugins": ["a.B"], "assignment_name": "hw", "lang": "python"}
    for key in GraderSettings.model_fields:
        settings = json.dumps({key: values.get(key, True)})
        members = {"tests/q1.py": OK_TEXT, "otter_config.json": settings}
        told = read_otter(archived(tmp_path, members)).told
        assert not [line for line in told if "otter ignores" in line], key


@pytest.mark.parametrize(("settings", "said"), ROWS["settings_refused"])
def test_settings_that_are_wrong_are_told_with_their_key(
    master: Any, settings: str, said: str
) -> None:
    with pytest.raises(SpecError) as bad:
        master(config(settings), *question(code("x", "3")))
    assert said in str(bad.value)


def test_settings_may_stand_in_several_cells_and_in_a_file(master: Any, tmp_path: Path) -> None:
    (tmp_path / "config.yml").write_text("name: from the file\ngenerate: {seed: 3, pdf: true}")
    brought = master(
        config("config_file: config.yml\ngenerate: {seed: 4}"),
        *question(code("x", "3")),
        config("name: from the notebook"),
    )
    assert (brought.title, brought.seed) == ("from the notebook", 4)
    assert any("PDF" in line for line in brought.told)


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


@pytest.mark.parametrize(
    ("more", "cases", "earned"),
    [
        ("points: 3", 2, (1500, 1500)),
        ("points: [1, 2]", 2, (1000, 2000)),
        ("points: {each: 2}", 3, (2000, 2000, 2000)),
        ("points: {}", 2, (1000, 1000)),
        ("all_or_nothing: true\npoints: 2", 2, (0, 2000)),
        ("check_cell: false\nexport: true", 1, (1000,)),
    ],
)
def test_every_key_of_a_question_is_known(
    master: Any, more: str, cases: int, earned: tuple[int, ...]
) -> None:
    tests = [code(f"x + {n}", str(3 + n)) for n in range(cases)]
    assert master(*question(*tests, more=more)).questions[0].points == earned


@pytest.mark.parametrize(("name", "more", "said"), ROWS["questions_refused"])
def test_a_question_that_is_wrong_is_told_with_its_cell(
    master: Any, name: str, more: str, said: str
) -> None:
    with pytest.raises(SpecError) as bad:
        master(*question(code("x", "3"), name=name, more=more))
    assert said in str(bad.value)
    assert "cell 1" in str(bad.value)


def test_keys_that_otter_passes_over_are_told(master: Any) -> None:
    told = master(
        *question(
            code('""" # BEGIN TEST CONFIG\nname: a\n""" # END TEST CONFIG\nx', "3"),
            more="private_points: 2",
        )
    ).told
    assert any("'private_points'" in line for line in told)
    assert any("'name'" in line for line in told)


Q, PROMPT, SOLUTION = "BEGIN QUESTION\nname: q", "BEGIN PROMPT", "BEGIN SOLUTION"
TEST_CONFIG = '""" # BEGIN TEST CONFIG\nhidden: true\n'


def raws(*sources: str) -> list[dict[str, Any]]:
    return [raw(f"# {source}") for source in sources]


def one_test(source: str) -> list[dict[str, Any]]:
    """A question whose one test, in cell 7, has this source."""
    return question(code(source, "3"))


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (raws("END QUESTION"), "cell 1: this ends a question block that was never"),
        (raws("BEGIN TESTS"), "cell 1: a tests block begins outside"),
        (raws(Q, "BEGIN QUESTION\nname: r"), "cell 2: a question begins inside"),
        (raws(Q, "BEGIN TESTS", SOLUTION), "cell 3: a solution block begins inside a tests block"),
        (
            raws(Q, "BEGIN TESTS", "END QUESTION"),
            "cell 3: this ends a question block, but the tests block of cell 2",
        ),
        (raws(Q), "cell 1: this question block is never closed"),
        (
            raws(Q, SOLUTION, "END SOLUTION", PROMPT, "END PROMPT", "END QUESTION"),
            "cell 4: a prompt after the solution",
        ),
        (
            raws(Q, PROMPT, "END PROMPT", PROMPT, "END PROMPT", "END QUESTION"),
            "cell 4: a second prompt",
        ),
        (raws("BEGIN QUESTION", "END QUESTION"), "cell 1: name: this key is required"),
        (raws("BEGIN QUESTION\nname: [q", "END QUESTION"), "cell 1, line"),
        (question(text("no code")), "cell 7: a markdown cell among tests"),
        (one_test("x ="), "cell 7, line 1: this is not Python"),
        (one_test("# hidden"), "cell 7: this test cell contains no code"),
        (one_test(f"{TEST_CONFIG}x"), "cell 7"),
        (one_test(f'{TEST_CONFIG}""" \nx'), "cell 7, line 1: BEGIN TEST CONFIG without"),
        (question(code("x", "3"), solution="# BEGIN SOLUTION\n1"), "cell 4, line 1"),
        ([text("```otter\n# BEGIN QUESTION\nname: q")], "cell 1, line 1: the fence"),
        ([text("```otter\n```otter\n```")], "cell 1, line 2: a fence begins inside"),
    ],
)
def test_blocks_that_are_wrong_are_told_with_their_cell(
    master: Any, cells: list[dict[str, Any]], said: str
) -> None:
    with pytest.raises(SpecError) as bad:
        master(*cells)
    assert said in str(bad.value)


def test_all_problems_are_told_at_once(master: Any) -> None:
    with pytest.raises(SpecError) as bad:
        master(
            config("nmae: hw"),
            raw("# END TESTS"),
            *question(code("x =", "3")),
            *question(code("", "3"), name="q2", more="manual: perhaps"),
        )
    said = "\n".join(bad.value.problems)
    for part in ("nmae", "cell 2", "not Python", "manual"):
        assert part in said


def test_fences_stand_for_raw_cells(master: Any) -> None:
    brought = master(
        text("Before\n\n```otter\n# BEGIN QUESTION\nname: q1\n```\n\nThe question"),
        text("```otter\n# BEGIN SOLUTION\n```"),
        code("x = 3 # SOLUTION"),
        text("```otter\n# END SOLUTION\n```\n```otter\n# BEGIN TESTS\n```"),
        code("x", "3"),
        text("```otter\n# END TESTS\n```\n```otter\n# END QUESTION\n```\nAfter"),
    )
    assert shown(brought) == [[("x\n", "3\n")]]
    made = json.loads(brought.template or b"")
    sources = [cell["source"] for cell in made["cells"]]
    assert sources[1:5] == ["Before\n", "The question", "x = ...", 'grader.check("q1")']
    assert sources[5] == "After"


def test_cells_that_begin_with_ignore_are_nowhere(master: Any) -> None:
    brought = master(
        code("# IGNORE\nsecret()"),
        text("## IGNORE ##\nsecret"),
        *question(code("# ignore\nx", "3"), code("x", "3")),
    )
    assert len([*brought.cases()]) == 1
    assert b"secret" not in (brought.template or b"")


def test_a_master_of_functions(master: Any) -> None:
    brought = master(
        config("tests: {ok_format: false}"),
        *question(
            code("def test_a(x: int):\n    # a comment\n    assert x == 3\ntest_a(x)"),
            code(
                '""" # BEGIN TEST CONFIG\nhidden: true\npoints: 2\nsuccess_message: \'a "b" c\'\n'
                'failure_message: Ä\n""" # END TEST CONFIG\ndef test_b(env):\n    assert env'
            ),
            more="points: 3",
        ),
    )
    (only,) = brought.questions
    assert only.points == (1000, 2000)
    assert [c.function for c in only.question.cases] == ["test_a", "test_b"]
    assert (only.question.cases[1].praise, only.question.cases[1].hint) == ('a "b" c', "Ä")
    assert "comment" not in only.question.source
    assert compile(only.question.source, "q1.py", "exec")


@pytest.mark.parametrize(
    "source", ["x = 1", "def a(): pass\ndef b(): pass\na()", "a()\ndef a(): pass", "# hidden"]
)
def test_a_test_of_functions_is_one_function(master: Any, source: str) -> None:
    with pytest.raises(SpecError, match="one function"):
        master(config("tests: {ok_format: false}"), *question(code(source)))


def test_functions_that_hide_each_other_are_told(master: Any) -> None:
    same = code("def test(x):\n    assert x")
    brought = master(config("tests: {ok_format: false}"), *question(same, same))
    assert len([*brought.cases()]) == 1
    assert any("1 of 2 count" in line for line in brought.told)


def test_tests_that_were_never_run_are_told_together(master: Any) -> None:
    told = master(*question(code("x", run=False), code("x", run=False))).told
    (line,) = (line for line in told if "without having been run" in line)
    assert "cells 7, 8: tests" in line


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


def test_seeds_that_are_asked_for_must_be_there(master: Any) -> None:
    seeded = question(code("x", "3"), solution="np.random.seed(4) # SEED\nx = 3 # SOLUTION")
    with pytest.raises(SpecError, match=r"cell 4.*seed"):
        master(*seeded)
    assert master(config("generate: {seed: 4}"), *seeded).seed == 4


def test_files_beside_the_master_are_brought(master: Any, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("1,2")
    (tmp_path / "b.csv").write_text("3")
    (tmp_path / "data" / "link").symlink_to("/etc/passwd")
    brought = master(config("files: [data, b.csv, none.csv]"), *question(code("x", "3")))
    assert brought.supports == {"data/a.csv": b"1,2", "b.csv": b"3"}
    assert any("'none.csv'" in line for line in brought.told)


def test_a_link_in_place_of_a_named_file_is_not_followed(master: Any, tmp_path: Path) -> None:
    (tmp_path / "data.csv").symlink_to("/etc/passwd")
    with pytest.raises(SpecError, match="outside"):
        master(config("files: [data.csv]"), *question(code("x", "3")))


def test_files_beside_the_master_are_bounded(
    master: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("autograder.interop.otter.source.support_files.MAX_BYTES", 10)
    (tmp_path / "a.csv").write_text("1" * 11)
    with pytest.raises(SpecError, match="at most 10"):
        master(config("files: [a.csv]"), *question(code("x", "3")))


def test_masters_in_other_languages_and_formats_are_refused(tmp_path: Path, master: Any) -> None:
    for name in ("a.qmd", "a.Rmd", "a.R", "a.py"):
        (tmp_path / name).write_text("x")
        assert "give a master notebook" in problems(tmp_path / name)
    with pytest.raises(SpecError, match="'r'"):
        master(*question(code("x", "3")), kernelspec={"language": "R", "name": "ir"})
    with pytest.raises(SpecError, match="before otter 4"):
        master(text("```\nBEGIN QUESTION\nname: q1\n```"))
    for wrong in (b"", b"{", b"[]", b"\xff\xfe\x00", b'{"cells": []}', b"[" * 100_000):
        (tmp_path / "wrong.ipynb").write_bytes(wrong)
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


@pytest.mark.parametrize(
    "cells",
    [
        question(code(f"x == {HUGE}", "True")),
        question(code("x", "3"), more=f"points: {HUGE}"),
        question(code("x", "3"), more=f"manual: {HUGE}"),
        [config(f"generate: {{seed: {HUGE}}}"), *question(code("x", "3"))],
        [config(f"{HUGE}: 1"), *question(code("x", "3"))],
        [raw(f"# BEGIN PLUGIN\nplugin: a\nargs: [{HUGE}]\n# END PLUGIN"), *question(code("x"))],
        [config("tests: {ok_format: false}"), *question(code(f"def t(x):\n    assert x < {HUGE}"))],
    ],
)
def test_numbers_of_very_many_digits_are_refused(master: Any, cells: list[dict[str, Any]]) -> None:
    with pytest.raises(SpecError):
        master(*cells)


def test_files_with_numbers_of_very_many_digits_are_refused(tmp_path: Path) -> None:
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


def test_an_archive_may_be_packed_in_a_folder(tmp_path: Path) -> None:
    members: dict[str, str | bytes] = {
        "hw/tests/q1.py": OK_TEXT,
        "hw/otter_config.json": "{}",
        "__MACOSX/hw/._q1": b"\0",
        "hw/.DS_Store": b"\0",
    }
    assert read_otter(archived(tmp_path, members)).total == 2000


def test_the_name_of_an_archive_loses_otters_stamp(tmp_path: Path) -> None:
    name = "hw 1-autograder_2026_01_02T03_04_05_678901.zip"
    assert read_otter(archived(tmp_path, {"tests/q1.py": OK_TEXT}, name)).title == "hw 1"


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("tests/../../q1.py", OK_TEXT, "points outside the archive"),
        ("/tests/q1.py", OK_TEXT, "points outside the archive"),
        ("files/../../x", "1", "points outside the archive"),
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


def test_archives_without_tests_in_python_are_told(tmp_path: Path) -> None:
    assert "tests are in R" in problems(archived(tmp_path, {"tests/q1.R": "x"}))
    assert "not an otter autograder.zip" in problems(archived(tmp_path, {"hw.ipynb": "{}"}))


def test_all_test_files_are_told_at_once(tmp_path: Path) -> None:
    sources = {"a": "x", "b": "test = f(", "c": "OK_FORMAT = True\ntest = f()"}
    members = {f"tests/{name}.py": source for name, source in sources.items()}
    said = problems(archived(tmp_path, members))
    assert said.count("\n") == 2
    assert all(f"tests/{name}.py" in said for name in "abc")


def test_a_link_in_an_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "hw.zip"
    with zipfile.ZipFile(path, "w") as made:
        link = zipfile.ZipInfo("tests/q1.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        made.writestr(link, "/etc/passwd")
    assert "a link" in problems(path)


def test_an_archive_that_unpacks_to_far_more_is_refused(tmp_path: Path) -> None:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("tests/q1.py", OK_TEXT)
        made.writestr("files/zeros", b"\0" * 40_000_000)
    (tmp_path / "hw.zip").write_bytes(held.getvalue())
    assert "times its packed size" in problems(tmp_path / "hw.zip")
    (tmp_path / "hw.zip").write_bytes(held.getvalue()[:200])
    assert "cannot be read" in problems(tmp_path / "hw.zip")


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


def test_functions_in_metadata_are_read(tmp_path: Path) -> None:
    path = tmp_path / "hw.ipynb"
    path.write_bytes(notebook(otter={"OK_FORMAT": False, "tests": {"q1": FUNCTIONS}}))
    brought = read_otter(path)
    assert [case.function for case in brought.cases()] == ["test_small", "test_large"]
    kept = json.loads(brought.template or b"")["metadata"]["otter"]["tests"]["q1"]
    assert "test_small" in kept
    assert "test_large" not in kept


def test_metadata_that_is_wrong_is_told(tmp_path: Path) -> None:
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


NASTY = [
    "'''\n\"\"\"",
    "a\\b\r\n\tc",
    "\x00\x1f\x7f",
    "{{x}} [a] # b",
    "😀 é ü\u2028",
    "\\",
    " ",
    "",
]


def test_what_is_written_is_what_was_read(tmp_path: Path) -> None:
    cases = "".join(
        one_case(f">>> {text!r}\n{text!r}", f"'failure_message': {text!r}") + ", " for text in NASTY
    )
    path = archived(tmp_path, {"tests/q1.py": ok_test(cases)})
    brought = read_otter(path)
    spec = written(brought, tmp_path)
    found = [check.examples[0].code for check in spec.exercise[0].check if check.kind == "examples"]
    assert found == [f"{text!r}\n" for text in NASTY]
    hints = [check.hint for check in spec.exercise[0].check]
    assert hints == [text.strip() for text in NASTY]


def test_functions_are_written_with_their_whole_file(tmp_path: Path) -> None:
    spec = written(read_otter(archived(tmp_path, {"tests/q1.py": FUNCTIONS})), tmp_path)
    first, last = spec.exercise[0].check
    assert first.kind == last.kind == "test_function"
    assert (last.code, first.function, last.function) == (FUNCTIONS, "test_small", "test_large")
    assert first.code.count("\n") == FUNCTIONS.count("\n") and "limit = 4" in first.code
    assert "large" not in first.code and "env" not in first.code  # what it calls can read its file
    assert first.done_well == "Well done"
    assert (first.points, last.points) == (2, 1)


def test_a_case_that_asks_nothing_is_passed(tmp_path: Path) -> None:
    path = archived(tmp_path, {"tests/q1.py": ok_test(one_case("no prompt"))})
    (check,) = written(read_otter(path), tmp_path).exercise[0].check
    assert check.kind == "examples"
    assert [(e.code, e.shows) for e in check.examples] == [("pass\n", "")]


def test_ids_are_ids_and_none_is_there_twice(tmp_path: Path) -> None:
    names = ["q1", "Q1", "q 1", "q-1", "1", "问题", "答え", "q" * 80, "q" * 81, "007", "-", "_a"]
    members: dict[str, str | bytes] = {
        f"tests/{name}.py": ok_test(one_case(), name=name) for name in names
    }
    spec = written(read_otter(archived(tmp_path, members)), tmp_path)
    ids = [exercise.id for exercise in spec.exercise]
    assert len({own.lower() for own in ids}) == len(names)
    assert sorted(exercise.name for exercise in spec.exercise) == sorted(names)


@pytest.mark.parametrize("wanted", ["../x", "a b", "1a", "a" * 65, "a/b", "ä"])
def test_an_id_that_is_none_is_refused(tmp_path: Path, wanted: str) -> None:
    brought = read_otter(archived(tmp_path, {"tests/q1.py": OK_TEXT}))
    with pytest.raises(SpecError, match="not a valid assignment id"):
        files(brought, wanted, tmp_path)


def test_a_title_becomes_an_id() -> None:
    assert as_id("Homework 1: Sums!", "assignment") == "Homework-1-Sums"
    assert as_id("01 sums", "assignment") == "assignment-01-sums"
    assert as_id("宿題", "assignment") == "assignment"


# ---------------------------------------------------------------- the student notebook


def test_the_student_notebook_is_what_assign_writes(master: Any) -> None:
    brought = master(
        config("name: hw\ncheck_all_cell: true\nshow_question_points: true"),
        text("Title"),
        code("import numpy", "output"),
        *question(code("x", "3"), code("# hidden\nx", "4")),
        *question(code("# hidden\nx", "3"), name="q2"),
        raw("# BEGIN QUESTION\nname: essay\nmanual: true\npoints: 5"),
        *essay(raw("# BEGIN PROMPT"), text("_Here._"), raw("# END PROMPT")),
        text("Last"),
    )
    made = json.loads(brought.template or b"")
    cells = [(cell["cell_type"], cell["source"]) for cell in made["cells"]]
    assert cells[:3] == [
        ("code", '# Initialize Otter\nimport otter\ngrader = otter.Notebook("hw01.ipynb")'),
        ("markdown", "Title"),
        ("code", "import numpy"),
    ]
    assert cells[3:6] == [
        ("markdown", "What is x in q1?\n\n_Points:_ 1"),
        ("code", "x = ..."),
        ("code", 'grader.check("q1")'),
    ]
    assert cells[7] == ("code", "x = ...")  # only hidden tests: no check cell, but a note
    assert made["cells"][7]["metadata"]["otter"] == {"tests": ["q2"]}
    assert cells[8:11] == [
        ("markdown", "<!-- BEGIN QUESTION -->\n\nSay why.\n\n_Points:_ 5"),
        ("markdown", "_Here._"),
        ("markdown", "<!-- END QUESTION -->\n\nLast"),
    ]
    assert cells[12] == ("code", "grader.check_all()")
    assert cells[14][1].endswith("grader.export(run_tests=True)")
    for at in (0, 3, 5, 12, 14):
        assert made["cells"][at]["metadata"]["editable"] is False
    assert made["cells"][4]["metadata"]["tags"] == ["otter_answer_cell"]
    assert not any(cell.get("outputs") for cell in made["cells"])
    noted = made["metadata"]["otter"]
    assert (noted["OK_FORMAT"], noted["assignment_name"]) == (True, "hw")
    assert [case["code"] for case in noted["tests"]["q1"]["suites"][0]["cases"]] == [">>> x\n3"]
    assert noted["tests"]["q2"]["suites"][0]["cases"] == []
    assert b"Because" not in (brought.template or b"")


@pytest.mark.parametrize(("export", "call"), ROWS["export_cells"])
def test_the_export_cell_asks_for_what_is_set(master: Any, export: str, call: str) -> None:
    brought = master(config(f"export_cell: {export}"), *question(code("x", "3")))
    sources = [cell["source"] for cell in json.loads(brought.template or b"")["cells"]]
    found = [source.split("\n")[-1] for source in sources if "export(" in source]
    assert found == ([call] if call else [])


def test_the_students_seed_stands_in_their_notebook(master: Any) -> None:
    seed = "seed: {variable: s, autograder_value: 4, student_value: 5}"
    brought = master(config(seed), code("s = 0\nt = s"), *question(code("x", "3")))
    sources = [cell["source"] for cell in json.loads(brought.template or b"")["cells"]]
    assert "s = 5\nt = s" in sources


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


def test_solutions_of_all_cells_go_where_that_is_set(master: Any) -> None:
    plain = code("y = 4 # SOLUTION")
    assert b"y = 4" in master(plain, *question(code("x", "3"))).template
    stripped = master(
        config("strip_solutions_from_all_cells: true"), plain, *question(code("x", "3"))
    )
    assert b"y = 4" not in stripped.template


# ---------------------------------------------------------------- from the command to a grade


def test_the_command_says_what_was_brought(tmp_path: Path) -> None:
    functions = FUNCTIONS.replace('"q1"', '"q2"')
    settings = '{"plugins": ["a.B"]}'
    members = {"tests/q1.py": OK_TEXT, "tests/q2.py": functions, "otter_config.json": settings}
    path = archived(tmp_path, members)
    run = CliRunner().invoke(app, ["otter", str(path), "--into", str(tmp_path), "--id", "hw"])
    assert run.exit_code == 0, run.output
    for part in (
        "questions: 2, points: 5, hidden cases: 2 of 4",
        "compared outside the sandbox with the expected output: 2 of 4",
        "can tamper with its own process: q2",
        "a.B",
    ):
        assert part in run.output
    assert tomllib.loads((tmp_path / "assignments" / "hw" / "assignment.toml").read_text())
    again = CliRunner().invoke(app, ["otter", str(path), "--into", str(tmp_path), "--id", "hw"])
    assert isinstance(again.exception, AutograderError)
    assert "--replace" in str(again.exception)


def score(root: Path, box: Box, *sources: str) -> list[int]:
    """Thousandths of each exercise of the assignment hw for a notebook of these cells."""
    (root / "hw.ipynb").write_bytes(notebook(*[code(source) for source in sources]))
    graded = graded_there(root / "assignments/hw", root / "hw.ipynb", box).grade
    assert graded.status == "graded", graded.reason
    return [exercise.score for exercise in graded.exercises]


def test_a_master_that_was_brought_grades_as_otter_would(
    master: Any, tmp_path: Path, plain_box: Box
) -> None:
    (tmp_path / "a.csv").write_text("3")
    brought = master(
        config("files: [a.csv]"),
        *question(code("x", "3"), code("# hidden\nx * 2", "6"), more="points: 2"),
        *question(code("y", "4"), code("z", "5"), name="q2", more="all_or_nothing: true"),
    )
    written(brought, tmp_path)
    init = 'import otter\ngrader = otter.Notebook("hw01.ipynb")'
    right = (init, "x = int(open('a.csv').read())", 'grader.check("q1")', "x = 9", "y, z = 4, 5")
    assert score(tmp_path, plain_box, *right) == [2000, 1000]
    assert score(tmp_path, plain_box, init, "x = 3.0", "y, z = 4, 6") == [0, 0]


def test_functions_that_were_brought_grade_as_otter_would(tmp_path: Path, plain_box: Box) -> None:
    written(read_otter(archived(tmp_path, {"tests/q1.py": FUNCTIONS})), tmp_path)
    assert score(tmp_path, plain_box, "x = 3") == [3000]
    assert score(tmp_path, plain_box, "x = 9") == [1000]


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
    tests = {
        f"tests/q{n:02}.py": ok_test(one_case(">>> x == 3\nTrue"), name=f"q{n:02}")
        for n in range(30)
    }
    path = archived(tmp_path, tests)
    (said,) = (line for line in summary(read_otter(path)) if "expected outputs" in line)
    assert said.startswith("30 of 30") and "q07 (1) and 22 more" in said and "q08" not in said
