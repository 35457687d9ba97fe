"""Whoever imports or writes an assignment is told what is wrong with a notebook, and not to submit
it again."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.assignment.load import load
from autograder.assignment.model import Assignment
from autograder.authoring.draft.draft import make_draft
from autograder.errors import AutograderError, SubmissionError
from autograder.interop.nbgrader.source import read_course
from autograder.interop.otter.source.read import read_otter
from autograder.notebook.formats.read import read
from autograder.notebook.template.release import read_template
from autograder.sandbox.box import Box
from tests.support import nbgrader_cells as nb
from tests.support.imported import runner_in
from tests.support.in_process import command, done
from tests.support.otter_sources import code, notebook, question

ROOT = Path(__file__).resolve().parents[2]
WHOLE = notebook(code("x = 1"), code("print(x)"))


def changed(**fields: Any) -> bytes:
    return json.dumps({**json.loads(WHOLE), **fields}).encode()


BROKEN = {
    "nothing": b"",
    "blanks": b" \n",
    "cut off": WHOLE[: len(WHOLE) // 2],
    "cut off early": WHOLE[:9],
    "cells are null": changed(cells=None),
    "a cell is null": changed(cells=[None]),
    "cells are a number": changed(cells=3),
    "no cells": changed(cells=[]),
    "another language": changed(metadata={"kernelspec": {"name": "julia", "language": "julia"}}),
    "a later format": changed(nbformat=9),
    "a list": b"[]",
    "nested without end": b"[" * 100_000,
    "an archive that is cut off": b"PK\x03\x04abc",
    "a page": b"<!DOCTYPE html><html></html>",
    "too many cells": notebook(*[code("x")] * 5001),
}


@pytest.fixture(scope="module")
def spec() -> Assignment:
    return load(ROOT / "assignments/embedding-layer").spec


@pytest.mark.parametrize("reader", ["otter", "nbgrader", "template", "draft"])
def test_no_author_is_told_to_submit_again(
    tmp_path: Path, plain_box: Box, spec: Assignment, reader: str
) -> None:
    readers: dict[str, Callable[[Path], object]] = {
        "otter": read_otter,
        "nbgrader": read_course,
        "template": lambda path: read_template(path, spec),
        "draft": lambda path: make_draft(path, "a", runner_in(plain_box)),
    }
    for name, data in BROKEN.items():
        path = tmp_path / "hw1.ipynb"
        path.write_bytes(data)
        with pytest.raises(AutograderError) as told:
            readers[reader](path)
            pytest.fail(name)
        assert "hw1" in str(told.value) and "submit" not in str(told.value), name


def test_students_are_told_to_submit_again(tmp_path: Path) -> None:
    path = tmp_path / "hw1.ipynb"
    path.write_bytes(BROKEN["cut off"])
    with pytest.raises(SubmissionError, match="submit it again"):
        read(path)


@pytest.mark.usefixtures("lent_box")
@pytest.mark.parametrize("tool", ["nbgrader", "otter"])
def test_an_import_does_not_write_over_an_assignment(tmp_path: Path, tool: str) -> None:
    path = tmp_path / "source" / "hw" / "p.ipynb"
    if tool == "nbgrader":
        nb.written(path, *nb.every_kind())
    else:
        path.parent.mkdir(parents=True)
        path.write_bytes(notebook(*question(code("x", "3"))))
    arguments = ["import", tool, path, "--into", tmp_path, "--id", "own"]
    done(*arguments)
    kept = tmp_path / "assignments/own/assignment.toml"
    assert (tmp_path / "student_templates/own.ipynb").is_file()
    kept.write_text("mine")
    refused = command(*arguments)
    assert refused.code == 2 and "--replace" in refused.err
    assert kept.read_text() == "mine"
    done(*arguments, "--replace")
    assert kept.read_text() != "mine"
    assert command(*arguments[:-1], "../x").code == 2
