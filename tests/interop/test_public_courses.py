"""The comparison with public courses: its submissions, and its end without a network."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from docs.tools import course_variants, public_courses
from docs.tools.public_course_list import COURSES
from tests.support import nbgrader_cells as nb


def test_without_a_network_every_course_is_not_reached(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        host = f"http://127.0.0.1:{closed.getsockname()[1]}"  # bound, and nobody listens
        assert public_courses.main(["--into", str(tmp_path), "--host", host]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert rows == [f"| {course.repository} | not reached | | | | |" for course in COURSES]
    assert [*(tmp_path / "clones").iterdir()] == []


def test_every_answer_is_changed_in_turn() -> None:
    cells = [nb.answer("x = 0", "x"), nb.cell("print(x)"), nb.answer("...", "f")]
    blank = {"metadata": {}, "cells": [*cells, nb.manual("Why?")]}
    answers = {0: "x = y = 3", 2: "def f(z):\n    return z", 3: "So."}
    made = course_variants.submissions(blank, answers)
    sources = {student: [cell["source"] for cell in it["cells"]] for student, it in made.items()}
    right = ["x = y = 3", "print(x)", "def f(z):\n    return z", "So."]
    assert sources == {
        "solution": right,
        "blank": ["x = 0", "print(x)", "...", "Why?"],
        "01-blank": ["x = 0", *right[1:]],
        "02-raises": [*right[:2], "raise ValueError('no answer')", right[3]],
        "03-wrong": [*right[:3], "Something else."],
    }


def test_a_wrong_answer_binds_the_same_names() -> None:
    values: dict[str, object] = {}
    exec(course_variants.wrong("a, b = 1, 2\ndef f(x):\n    return x"), values)
    assert (values["a"], values["b"]) == (-1, -1)
    assert values["f"](5) is None  # type: ignore[operator]
    assert course_variants.wrong("%matplotlib inline") == "0"
