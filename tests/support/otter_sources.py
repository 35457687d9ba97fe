"""otter's assignments made by hand: cells, masters, test files, archives."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import SpecError
from autograder.interop.otter.source.read import read_otter
from tests.support.cases import CASES
from tests.support.tables import read_table

PYTHON = {"kernelspec": {"language": "python", "name": "python3", "display_name": "Python 3"}}


def code(source: str, *shown: str, run: bool = True, **metadata: Any) -> dict[str, Any]:
    """A cell of code; each of ``shown`` is an output: ``>text`` a stream, else a result."""
    outputs: list[dict[str, Any]] = []
    for text in shown:
        if text.startswith(">"):
            outputs.append({"output_type": "stream", "name": "stdout", "text": text[1:]})
        else:
            result = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
            outputs.append({**result, "data": {"text/plain": text}})
    cell = {"cell_type": "code", "source": source, "outputs": outputs, "metadata": metadata}
    return {**cell, "execution_count": 1 if run else None}


def raw(source: str) -> dict[str, Any]:
    return {"cell_type": "raw", "source": source, "metadata": {}}


def text(source: str, **metadata: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "source": source, "metadata": metadata}


def notebook(*cells: dict[str, Any], minor: int = 4, **metadata: Any) -> bytes:
    about = {"nbformat": 4, "nbformat_minor": minor, "metadata": {**PYTHON, **metadata}}
    whole = {**about, "cells": list(cells)}
    return json.dumps(whole, ensure_ascii=False).encode()


def question(
    *tests: dict[str, Any], name: str = "q1", more: str = "", solution: str = "x = 3 # SOLUTION"
) -> list[dict[str, Any]]:
    return [
        raw(f"# BEGIN QUESTION\nname: {name}\n{more}"),
        text(f"What is x in {name}?"),
        raw("# BEGIN SOLUTION"),
        code(solution),
        raw("# END SOLUTION"),
        raw("# BEGIN TESTS"),
        *tests,
        raw("# END TESTS"),
        raw("# END QUESTION"),
    ]


def config(yaml: str) -> dict[str, Any]:
    return raw(f"# ASSIGNMENT CONFIG\n{yaml}")


def archived(tmp_path: Path, members: dict[str, str | bytes], name: str = "hw.zip") -> Path:
    path = tmp_path / name
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for member, content in members.items():
            made.writestr(member, content)
    return path


def problems(path: Path) -> str:
    with pytest.raises(SpecError) as refused:
        read_otter(path)
    return "\n".join(refused.value.problems)


_TESTS = read_table(CASES / "otter_tests.yaml")
OK_TEXT, FUNCTIONS = _TESTS["ok"], _TESTS["functions"]


def ok_test(cases: str, name: str = "q1", more: str = "") -> str:
    return (
        f"OK_FORMAT = True\ntest = {{'name': {name!r}, {more}'suites': [{{'cases': [{cases}], "
        "'type': 'doctest', 'setup': '', 'teardown': ''}]}\n"
    )


def one_case(code_text: str = ">>> 1\n1", more: str = "") -> str:
    return f"{{'code': {code_text!r}, 'hidden': False, {more}}}"
