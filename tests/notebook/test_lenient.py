"""Notebook files as tools and mishaps leave them: read all the same, and every repair is said."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest

from autograder.errors import SubmissionError
from autograder.notebook.formats import lenient
from autograder.notebook.submission import TemplateStamp, make_stamp
from tests.support.effort import costs_at_most
from tests.support.notebook_json import SAMPLES, code, notebook, read_data, refusal, sources

WHOLE = json.dumps(notebook(code("x = ',]'\n", id_="a"), code("y = 2", id_="b")), indent=1)


def test_code_cells_without_any_source_are_damage_and_empty_ones_are_not() -> None:
    for lost in (None, [None, 1], 7, {"0": "x = 1"}):
        assert "could not be read" in refusal(notebook(code(lost), code(lost)))
        text = {"cell_type": "markdown", "metadata": {}, "source": "# Tasks"}
        assert "all its 1 code cells" in refusal(notebook(text, code(lost)))
        assert sources(read_data(notebook(code(lost), code("x = 1"))))[1:] == ["x = 1"]
    missing = [{"cell_type": kind, "metadata": {}} for kind in ("code", "markdown")]
    assert "missing or null" in refusal(notebook(*missing))
    old = {"nbformat": 3, "worksheets": [{"cells": [{"cell_type": "code", "input": None}]}]}
    assert "could not be read" in refusal(old)
    for blank in ("", [], [""], ["", None]):
        assert sources(read_data(notebook(code(blank)))) == [""]


# ---------------------------------------------------------------- damaged JSON


def test_commas_before_closing_brackets_are_taken_out_and_counted() -> None:
    one = WHOLE.replace("\n ]", ",\n ]", 1)
    assert sources(read_data(one)) == ["x = ',]'\n", "y = 2"]  # a comma within a text stays
    assert read_data(one).repairs == ("A comma before a closing bracket was removed.",)
    many = WHOLE.replace("}\n ]", "}, \t\n ]").replace('"outputs": []', '"outputs": [,]')
    submission = read_data(many)
    assert sources(submission) == ["x = ',]'\n", "y = 2"]
    assert submission.repairs == ("3 commas before a closing bracket were removed.",)


def test_more_commas_than_any_tool_leaves_are_not_taken_out() -> None:
    head = WHOLE.rstrip()[:-1] + ', "more": ['
    assert read_data(head + "[1,]," * lenient.MAX_COMMAS + "1]}").cells
    assert "damaged JSON" in refusal(head + "[1,]," * (lenient.MAX_COMMAS + 1) + "1]}")


def test_control_characters_and_no_numbers_are_accepted_and_named() -> None:
    text = WHOLE.replace("y = 2", "y = [\n\t2]")
    submission = read_data(text)
    assert sources(submission)[1] == "y = [\n\t2]"
    assert "Control characters" in submission.repairs[0]
    (repair,) = read_data(WHOLE.replace("{}", '{"a": [NaN, -Infinity, NaN]}', 1)).repairs
    assert "-Infinity, NaN" in repair
    both = read_data(text.replace("\n ]", ",\n ]", 1))
    assert [repair.split()[0] for repair in both.repairs] == ["A", "Control"]


def test_text_after_the_end_is_left_out_and_counted() -> None:
    for tail in ("}", '\n  "nbformat_minor": 5\n}\n', "\n// saved\n"):
        submission = read_data(WHOLE + tail)
        assert sources(submission)[1] == "y = 2"
        assert f"({len(tail.strip())} characters)" in submission.repairs[0]


def test_a_conflict_is_refused_even_where_the_rest_could_be_mended() -> None:
    marks = "\n=======\n>>>>>>> theirs\n"
    assert "merge conflict" in refusal(WHOLE + marks)
    assert "line 3" in refusal("{,\n\n<<<<<<< HEAD\n}")


def test_the_place_of_what_cannot_be_mended_is_told_with_the_line_of_the_file() -> None:
    text = WHOLE.replace('"cells": [', '"cells": [,', 1)
    assert "line 5, column 12" in refusal(text)
    text = WHOLE.replace("\n ]", ",\n ]", 1).replace('"nbformat_minor"', "nbformat_minor")
    line = next(at for at, line in enumerate(text.split("\n"), 1) if "nbformat_minor" in line)
    assert f"line {line}" in refusal(text)
    assert "is cut off" in refusal(WHOLE[: len(WHOLE) // 2].rstrip() + ",")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda whole: {"ipynb": whole},
        lambda whole: {"type": "notebook", "name": "a.ipynb", "content": whole},
        lambda whole: json.dumps(json.dumps(whole)),
        lambda whole: {"notebook": json.dumps(whole)},
        lambda whole: [whole],
        lambda whole: [{"ipynb": whole}],
    ],
)
def test_a_notebook_within_other_json_is_found(wrap: Any) -> None:
    submission = read_data(wrap(json.loads(WHOLE)))
    assert sources(submission)[1] == "y = 2"
    assert submission.repairs == ("The notebook was wrapped in other JSON, which was removed.",)


def test_other_json_is_no_notebook() -> None:
    assert "top level is a list" in refusal([1, 2])
    assert "no list 'cells'" in refusal({"content": {"a": 1}})
    assert "top level is a str" in refusal(json.dumps("some text"))
    deep = json.loads(WHOLE)
    for _ in range(lenient.MAX_WRAPPED):
        deep = {"content": deep}
    assert read_data(deep).cells
    assert "no list 'cells'" in refusal({"content": deep})


@pytest.mark.parametrize(
    "text",
    [
        WHOLE[:-2] + ', "a": "' + '\\"' * 2_500_000,
        WHOLE[:-2] + ', "a": ["' + '\\"' * 2_500_000 + '",],',
        WHOLE[:-2] + ', "a": [' + '"",' * 1_600_000 + "]}",
        WHOLE[:-2] + "," * 5_000_000,
        WHOLE[:-2] + ",]" * 2_500_000,
        WHOLE[:-2] + ', "a": 1,' + " " * 5_000_000 + "]}",
        WHOLE + " x" * 2_500_000,
        WHOLE[:-2] + ', "a": "' + "\n" * 5_000_000 + '"}',
        "<<<<<<< \n" * 500_000,
        '"' * 5_000_000,
        "[" + "1 " * 60_000 + '"' + "\\" * 120_001,
    ],
)
def test_hostile_json_is_read_or_refused_in_linear_time(text: str) -> None:
    with costs_at_most(4):
        try:
            read_data(text)
        except SubmissionError as bad:
            assert "student-01.ipynb" in str(bad)


# ---------------------------------------------------------------- versions, parts and ids


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"nbformat": "4"}, "written as text"),
        ({"nbformat": 5}, "format version is 5; it was read as format 4"),
        ({"nbformat": None}, "format version is unknown"),
        ({"nbformat_minor": "x"}, ""),
        ({"nbformat_minor": 4}, ""),
        ({"metadata": None}, ""),
    ],
)
def test_other_versions_are_read(change: dict[str, Any], words: str) -> None:
    submission = read_data(notebook(code(id_="a")) | change)
    assert sources(submission) == ["x = 1\n"]
    assert words in "".join(submission.repairs)
    assert bool(submission.repairs) == bool(words)


def test_a_notebook_that_does_not_say_its_format_is_read() -> None:
    bare = {"cells": [{"source": "x = 1"}, {"cell_type": "code"}]}
    submission = read_data(bare)
    assert [(cell.kind, cell.source) for cell in submission.cells] == [
        ("code", "x = 1"),
        ("code", ""),
    ]
    assert "does not state its format version" in submission.repairs[0]


def test_cells_under_numbers_are_a_list_and_no_cells_are_none() -> None:
    numbered = {str(at): code(f"x = {at}") for at in (10, 2, 1)}
    submission = read_data({"nbformat": 4, "nbformat_minor": 4, "cells": numbered})
    assert sources(submission) == ["x = 1", "x = 2", "x = 10"]
    assert "an object with numeric keys" in submission.repairs[0]
    assert "no list 'cells'" in refusal({"cells": {"a": code()}})
    assert "no list 'cells'" in refusal({"cells": {"9" * 30: code()}})
    assert "has no cells" in refusal({"cells": None})


def test_ids_are_kept_where_the_format_allows_them_and_faults_are_told_where_it_asks() -> None:
    cells = [
        code(id_="first"),
        code(id_="first"),
        code(id_=""),
        code(id_="a b"),
        code(id_="x" * 65),
        code(id_=5),
        code(),
        code(id_="-_" * 32),
    ]
    new = read_data(notebook(*cells))
    ids = [cell.id for cell in new.cells]
    assert ids == ["first", "first", "", "", "", "", "", "-_" * 32]
    assert new.repairs == (
        "Cells 1, 2: another cell has the same id; ids are not needed.",
        "Cells 3, 4, 5, 6: the id is not valid in this format; it was ignored.",
    )
    old = read_data(notebook(*cells, minor=4))
    assert [cell.id for cell in old.cells] == ids
    assert old.repairs == ()


def test_the_fields_that_were_there_stay_where_they_were() -> None:
    (cell,) = read_data(notebook(code(exercise="first", locked=True))).cells
    assert msgspec.structs.astuple(cell) == (1, "code", "x = 1\n", "first", True, "", ())


# ---------------------------------------------------------------- the stamp


def test_the_stamp_of_the_template_is_kept() -> None:
    ours = {"assignment": "embedding-layer", "format": 1, "version": "0123456789ab"}
    stamp = read_data(notebook(code(), autograder=ours)).stamp
    assert stamp == TemplateStamp("embedding-layer", "0123456789ab")


@pytest.mark.parametrize(
    "ours",
    [
        None,
        5,
        [],
        {},
        {"assignment": "a"},
        {"version": "b"},
        {"assignment": "a", "version": 5},
        {"assignment": "a", "version": "b\n"},
        {"assignment": "a", "version": "b" * 101},
        {"assignment": "", "version": "b"},
        {"assignment": "../a", "version": "b"},
    ],
)
def test_a_malformed_stamp_is_none(ours: Any) -> None:
    assert read_data(notebook(code(), autograder=ours)).stamp is None
    assert read_data(notebook(code())).stamp is None


def test_a_stamp_is_two_short_words() -> None:
    assert make_stamp("a", "b" * 100) == TemplateStamp("a", "b" * 100)
    assert make_stamp("a b", "c") is None


# ---------------------------------------------------------------- what tools write

TOOLS = json.loads((SAMPLES / "tools.json").read_text("utf-8"))
READ = {
    "colab": [
        ("markdown", "view-in-github", ""),
        ("code", "embedding_lookup", "embedding_lookup"),
        ("code", "Zq3_-x", ""),
    ],
    "vs code": [("code", "", "first"), ("markdown", "", ""), ("raw", "", "")],
    "kaggle": [("code", "", "")],
    "databricks": [("code", "", "")],
    "nbgrader": [("code", "c1", "")],
}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_notebook_of_another_tool_is_read_without_repairs(tool: str) -> None:
    submission = read_data(TOOLS[tool])
    assert [(cell.kind, cell.id, cell.exercise) for cell in submission.cells] == READ[tool]
    assert not any(cell.locked for cell in submission.cells)
    other_language = "Cell 3: the cell is marked as being in another language and was not run."
    assert submission.repairs == ((other_language,) if tool == "vs code" else ())
