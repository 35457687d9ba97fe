"""nbgrader's source notebooks become assignments of ours: cells, points, releases."""

from __future__ import annotations

import csv
import json
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.load import load
from autograder.errors import SpecError
from autograder.interop.nbgrader import write
from autograder.interop.nbgrader.markers import DEFAULT, MarkerProblem, Markers, cut
from autograder.interop.nbgrader.marks import Mark, MarkProblem, checksum, read_mark
from autograder.interop.nbgrader.released import graded_notebook, release_notebook
from autograder.interop.nbgrader.source import read_course, read_source
from autograder.interop.nbgrader.write import bring, in_thousandths, slug
from tests.support import nbgrader_cells as nb
from tests.support.cases import write_files
from tests.support.in_process import done
from tests.support.strict_readers import nbgrader as strict
from tests.support.tables import rows_beside

ROWS = rows_beside(__file__)
BLANK = "def g():\n    # YOUR CODE HERE\n    raise NotImplementedError()"


def problems(path: Path) -> tuple[str, ...]:
    with pytest.raises(SpecError) as bad:
        read_source(path)
    return bad.value.problems


def files(path: Path) -> Mapping[Path, bytes]:
    (one,) = bring(read_course(path))
    return one.files


def toml(path: Path) -> dict[str, Any]:
    (text,) = (data for file, data in files(path).items() if file.name == "assignment.toml")
    return tomllib.loads(text.decode())


# ---------------------------------------------------------------- metadata


def test_every_version_of_the_schema_is_read() -> None:
    for kind, noted, mark in ROWS["schema"]:
        assert read_mark(kind, {"nbgrader": noted}) == Mark(**mark), noted
    with pytest.raises(MarkProblem) as bad:
        read_mark("code", {"nbgrader": {"schema_version": 1, "grade": True}})
    assert len(bad.value.problems) == 4  # from version 1 on: solution, locked, grade_id, points


@pytest.mark.parametrize(("kind", "change", "said"), ROWS["refused"])
def test_wrong_metadata_is_refused(kind: str, change: Any, said: str) -> None:
    whole = {"schema_version": 3, "grade": True, "solution": False, "locked": True}
    with pytest.raises(MarkProblem) as bad:
        read_mark(kind, {"nbgrader": whole | {"grade_id": "q", "points": 1} | change})
    assert any(said in problem for problem in bad.value.problems), bad.value.problems


def test_checksums_are_nbgraders() -> None:
    for kind, source, mark, digest in ROWS["checksums"]:
        assert checksum(kind, source, Mark(**mark)) == digest, mark


# ---------------------------------------------------------------- markers


def test_a_region_becomes_the_stub_with_its_indentation() -> None:
    found = cut(nb.SOLUTION + "\nafter", DEFAULT.begin_solution, DEFAULT.end_solution, nb.STUB)
    assert found.text == (
        "def area(r):\n    # YOUR CODE HERE\n    raise NotImplementedError()\nafter"
    )
    assert found.regions == ("    return r * r",)


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        ("BEGIN X\nBEGIN X\nEND X", 2, "inside the region opened on line 1"),
        ("a\nBEGIN X\nb", 2, "without an END X"),
        ("a\nEND X", 2, "without a BEGIN X"),
    ],
)
def test_markers_that_do_not_pair_up_are_told_with_their_line(
    source: str, line: int, what: str
) -> None:
    with pytest.raises(MarkerProblem) as bad:
        cut(source, "BEGIN X", "END X")
    assert bad.value.line == line
    assert what in bad.value.what


# ---------------------------------------------------------------- source notebooks


def test_every_problem_of_a_notebook_is_told_at_once_with_its_cell(tmp_path: Path) -> None:
    path = nb.written(
        tmp_path / "p.ipynb",
        nb.tests("assert 1", "twice"),
        nb.tests("assert 2", "twice"),
        nb.cell("### BEGIN SOLUTION\nx = 1\n### END SOLUTION"),
        nb.answer("### BEGIN HIDDEN TESTS\nx\n### END HIDDEN TESTS", "sol"),
        nb.manual("### BEGIN MARK SCHEME\nx\n### END MARK SCHEME", "man"),
        nb.answer("### BEGIN SOLUTION\nx = 1", "open"),
        nb.tests("### AUTOTEST x\n# HASHED AUTOTEST y", "auto"),
        nb.tests("assert 3", "bad id"),
        nb.task("### BEGIN MARK SCHEME\n![x](attachment:x.png)\n### END MARK SCHEME", "task"),
    )
    said = problems(path)
    for number, what in [
        (1, "used in 2 cells"),
        (2, "used in 2 cells"),
        (3, "not a solution cell"),
        (4, "not a graded cell"),
        (5, "not a manually graded task"),
        (6, "without an END SOLUTION"),
        (7, "line 1, 2: AUTOTEST"),
        (8, "characters besides"),
        (9, "with an attachment"),
    ]:
        assert any(f"p.ipynb, cell {number} " in one and what in one for one in said), (what, said)
    assert len(said) == 9 and any("--source_with_tests" in one for one in said)


def test_what_is_wrong_in_one_cell_or_notebook_hides_no_other_problem(tmp_path: Path) -> None:
    path = tmp_path / "p.ipynb"
    whole = json.loads(nb.notebook(nb.tests("assert 1", "bad id")))
    whole["cells"] += [7, {"cell_type": "markdown", "metadata": [], "source": "x"}]
    path.write_text(json.dumps(whole))
    said = problems(path)
    assert [any(f"cell {n}" in one for one in said) for n in (1, 2, 3)] == [True] * 3
    nb.written(path, nb.tests("1", "bad id"))
    nb.written(tmp_path / "b.ipynb", nb.tests("1", "also bad"))
    with pytest.raises(SpecError) as bad:
        read_course(tmp_path)
    assert len(bad.value.problems) == 2


def test_a_source_of_an_old_notebook_format_is_read(tmp_path: Path) -> None:
    path = tmp_path / "p.ipynb"
    noted = {"grade": True, "grade_id": "q", "points": 1}
    code = {"cell_type": "code", "collapsed": False, "input": "assert 1", "language": "python"}
    code |= {"metadata": {"nbgrader": noted}, "outputs": []}
    sheets = [{"cells": [code], "metadata": {}}]
    old = {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": sheets}
    path.write_text(json.dumps(old))
    (own,) = read_source(path).cells
    assert (own.source, own.mark.grade_id, own.mark.points) == ("assert 1", "q", 1.0)


# ---------------------------------------------------------------- what a folder becomes


def test_every_kind_of_cell_becomes_its_check(tmp_path: Path) -> None:
    spec = toml(nb.written(tmp_path / "shapes.ipynb", *nb.every_kind()))
    brought = {"tool": "nbgrader", "notebook": "shapes", "assignment": "shapes"}
    assert (spec["id"], spec["brought"]) == ("shapes", brought)
    checks = {e["name"]: e["check"][0] for e in spec["exercise"]}
    assert list(checks) == ["area-tests", "seen", "why", "own", "essay"]
    assert checks["area-tests"]["code"] == nb.TESTS
    assert [checks[n].get("public") for n in ("area-tests", "seen")] == [False, True]
    assert [checks[n]["points"] for n in checks] == ["1.5", "0.5", "2", "2", "4"]
    assert checks["why"]["unchanged"] == "YOUR ANSWER HERE"
    assert "Because squares." in checks["why"]["rubric"]
    assert checks["own"]["unchanged"] == BLANK
    assert checks["essay"]["always"] is True
    assert (checks["essay"]["unchanged"], checks["essay"]["rubric"]) == ("Write.", "4 for rhyme")
    assert all(checks[n]["stderr_fails"] for n in ("area-tests", "seen"))
    write_files(tmp_path, files(tmp_path / "shapes.ipynb"))
    loaded = load(tmp_path / "assignments" / "shapes").spec
    assert loaded.limits.cell_cpu_s == 30
    assert sum(exercise.max_score for exercise in loaded.exercise) == 10_000


def test_students_get_no_answer_no_hidden_test_and_no_mark_scheme(tmp_path: Path) -> None:
    shown = {"output_type": "stream", "name": "stdout", "text": "r * r"}
    picture = nb.manual(
        "![](attachment:kept.png)\n### BEGIN SOLUTION\n![](attachment:gone.png)\n### END SOLUTION",
        "pic",
    )
    picture["attachments"] = {"kept.png": {"image/png": "AAAA"}, "gone.png": {"image/png": "BBBB"}}
    solved = {**nb.answer(nb.SOLUTION), "outputs": [shown], "execution_count": 3}
    path = nb.written(
        tmp_path / "p.ipynb",
        solved,
        nb.tests(nb.TESTS),
        nb.task(nb.TASK),
        picture,
        nb.manual("my own answer", "why"),
    )
    release = release_notebook(read_source(path))
    text = json.dumps(release)
    for secret in ("r * r", "area(3)", "rhyme", "SOLUTION", "HIDDEN", "SCHEME", "BBBB", "my own"):
        assert secret not in text
    assert "kept.png" in text
    found = strict.check(release)
    assert found["area"]["source"].count("raise NotImplementedError()") == 1
    kept = graded_notebook(read_source(path))
    assert "area(3)" in json.dumps(kept)
    assert "rhyme" in json.dumps(kept)
    assert "r * r" not in json.dumps(kept)


def test_a_release_has_valid_metadata_and_says_what_may_not_be_changed(tmp_path: Path) -> None:
    path = nb.written(tmp_path / "p.ipynb", *nb.every_kind())
    found = strict.check(release_notebook(read_source(path)))
    assert list(found) == ["given", "area", "area-tests", "seen", "why", "own", "essay"]
    assert found["seen"]["metadata"]["editable"] is False
    assert "editable" not in found["area"]["metadata"]
    before = found["area-tests"]["metadata"]["nbgrader"]["checksum"]
    kept = strict.check(graded_notebook(read_source(path)))
    assert kept["area-tests"]["metadata"]["nbgrader"]["checksum"] != before


def test_other_markers_and_stubs_can_be_given(tmp_path: Path) -> None:
    path = nb.written(tmp_path / "p.ipynb", nb.answer("# {{\nx = 1\n# }}"), nb.tests("assert x"))
    own = Markers(begin_solution="{{", end_solution="}}", code_stub="...")
    assert release_notebook(read_source(path, own), own)["cells"][0]["source"] == "..."


def test_every_notebook_of_a_folder_becomes_an_assignment(tmp_path: Path) -> None:
    source = tmp_path / "source" / "Übung 1"
    nb.written(source / "b.ipynb", nb.tests("assert 1"))
    nb.written(source / "a.ipynb", nb.tests("assert 1"))
    nb.written(source / "readme.ipynb", nb.cell("print()"))
    nb.written(source / ".ipynb_checkpoints" / "c.ipynb", nb.tests("1"))
    (source / "data").mkdir()
    (source / "data" / "x.csv").write_text("1,2")
    (source / "link.txt").symlink_to("/etc/passwd")
    made = bring(read_course(source))
    assert [one.id for one in made] == ["Ubung-1-a", "Ubung-1-b"]
    assert any("readme" in note for note in made[0].notes)
    names = {path.as_posix(): data for path, data in made[0].files.items()}
    assert names["assignments/Ubung-1-a/files/data/x.csv"] == b"1,2"
    assert not any("link" in name or "checkpoints" in name for name in names)
    spec = tomllib.loads(names["assignments/Ubung-1-a/assignment.toml"].decode())
    assert (spec["title"], spec["brought"]["notebook"]) == ("Übung 1: a", "a")
    assert names["solutions/Ubung-1-a/solution.ipynb"] == (source / "a.ipynb").read_bytes()


def test_files_beside_a_notebook_that_are_too_large_are_refused(tmp_path: Path) -> None:
    nb.written(tmp_path / "p.ipynb", nb.tests("1"))
    with (tmp_path / "data.bin").open("wb") as file:
        file.truncate(50_000_001)
    with pytest.raises(SpecError, match=r"data.bin: 50,000,001 bytes.*at most 50,000,000.*sample"):
        bring(read_course(tmp_path))


def test_what_has_nothing_to_grade_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="there is no"):
        read_course(tmp_path)
    for cells in ((), (nb.cell("x = 1"),), (nb.answer("x = 1"),)):
        with pytest.raises(SpecError, match="no cell is graded"):
            read_course(nb.written(tmp_path / "p.ipynb", *cells))


def test_names_that_give_the_same_id_are_told_apart(tmp_path: Path) -> None:
    path = nb.written(
        tmp_path / "p.ipynb", nb.tests("1", "1x"), nb.tests("1", "c-1x"), nb.tests("1", "_1x")
    )
    ids = [exercise["id"] for exercise in toml(path)["exercise"]]
    assert ids == ["c-1x", "c-1x-2", "c-1x-3"]
    assert [e["name"] for e in toml(path)["exercise"]] == ["1x", "c-1x", "_1x"]
    ids = {"hw1": "hw1", "1. Übung (Teil 2)": "a-1-Ubung-Teil-2", "数学": "a", "../../etc": "etc"}
    ids |= {"a" * 99: "a" * 64, "-x-": "x"}
    assert {name: slug(name) for name in ids} == ids


def test_points_of_many_decimals_keep_their_sum_and_are_told(tmp_path: Path) -> None:
    thirds = [nb.tests("1", f"q{n}", 1 / 3) for n in range(3)]
    (one,) = bring(read_course(nb.written(tmp_path / "p.ipynb", *thirds)))
    assert any("q0" in note and "0.334" in note for note in one.notes)
    assert any("deceive" in note for note in one.notes)
    for points, made in (
        ("1 0.5", "1 0.5"),
        ("0.3333333333333333 0.3333333333333333 0.3333333333333333", "0.334 0.333 0.333"),
        ("0.1666 0.1666 0.6668", "0.167 0.166 0.667"),
        ("0.0004", "0"),
        ("", ""),
    ):
        found = in_thousandths([*map(Decimal, points.split())])
        assert list(found) == [*map(Decimal, made.split())]


def test_text_of_any_sign_comes_through_the_toml(tmp_path: Path) -> None:
    odd = 'x = """a\\b"""\t\x07\u2028 \U0001f600\n\'\'\' # "'
    path = nb.written(tmp_path / "p.ipynb", nb.tests(odd + "\r\ny = 1"))
    assert toml(path)["exercise"][0]["check"][0]["code"] == odd + "\ny = 1"
    values = {"a": "one\r\ntwo\n", "b": "one\ntwo\n", "c": "\udcfcbung", "d": ["\ud800"]}
    read = tomllib.loads(write._toml(values).decode())
    assert read == values | {"c": "\ufffdbung", "d": ["\ufffd"]}


# ---------------------------------------------------------------- graded


@pytest.mark.usefixtures("lent_box")
def test_a_notebook_of_text_alone_waits_for_a_person_with_its_answers(tmp_path: Path) -> None:
    source = (nb.manual(""), nb.manual("", "own"), nb.task("Write.", "essay"))
    path = nb.written(tmp_path / "texts.ipynb", *source)
    done("import", "nbgrader", path, "--into", tmp_path)
    stub = "YOUR ANSWER HERE"
    answered = (nb.manual("First words"), nb.manual(stub, "own"), nb.task("Written.", "essay"))
    nb.written(tmp_path / "in" / "student-01.ipynb", *answered, nb.manual("My words"))
    nb.written(tmp_path / "in" / "student-02.ipynb", nb.manual(stub), nb.manual(stub, "own"))
    nb.written(tmp_path / "in" / "student-03.ipynb", nb.cell("no answer", kind="markdown"))
    out, sheet = tmp_path / "out", tmp_path / "points.csv"
    done("grade", tmp_path / "assignments" / "texts", tmp_path / "in", "--out", out)
    with (out / "gradebook.csv").open(encoding="utf-8-sig") as book:
        rows = {row["student"]: row for row in csv.DictReader(book)}
    assert [row["status"] for row in rows.values()] == ["graded", "graded", "rejected"]
    assert "6 points pending" in rows["student-01"]["note"]
    assert "4 points pending" in rows["student-02"]["note"], "a task always waits"
    page = (out / "feedback" / "student-01.html").read_text(encoding="utf-8")
    assert "every check passed" not in page and "of 0 points" not in page
    done("gradebook", "export-sheet", out, sheet)
    with sheet.open(encoding="utf-8-sig") as table:
        (first, *_) = csv.DictReader(table)
    assert first["student"] == "student-01"
    assert first["why/answer answer"] == "My words", "of several cells of one id the last counts"
    assert first["essay/answer answer"] == "Written."


def test_points_and_ids_beyond_every_measure_are_told(tmp_path: Path) -> None:
    path = nb.written(tmp_path / "a.ipynb", nb.tests("assert x", points=10**400))
    for version in (3, 0):
        text = path.read_text().replace('"schema_version": 3', f'"schema_version": {version}')
        path.write_text(text)
        with pytest.raises(SpecError, match="write a number from 0"):
            read_course(path)
    with pytest.raises(SpecError, match=r"grade_id|id"):
        read_course(nb.written(path, nb.tests("assert x", grade_id="a" * 201)))
