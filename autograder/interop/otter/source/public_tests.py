"""The public tests of an assignment in the form of otter's notebook metadata."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from autograder.interop.otter.source.model import ScoredQuestion
from autograder.interop.otter.source.settings import AssignmentSettings, ExportSettings, NoPdf

_POINT = 1000  # thousandths


def otter_metadata(
    settings: AssignmentSettings, questions: Sequence[ScoredQuestion]
) -> dict[str, Any]:
    """Otter's metadata of a student notebook: the assignment's name and the public tests."""
    functions = any(scored.question.source for scored in questions)
    made: dict[str, Any] = {"OK_FORMAT": not functions}
    if settings.name:
        made["assignment_name"] = settings.name
    export = settings.export_cell
    if isinstance(export, ExportSettings) and export.require_no_pdf_ack:
        made["require_no_pdf_confirmation"] = True
        if isinstance(export.require_no_pdf_ack, NoPdf):
            made["export_pdf_failure_message"] = export.require_no_pdf_ack.message
    made["tests"] = {scored.question.name: public_test(scored) for scored in questions}
    return made


def public_test(scored: ScoredQuestion) -> Any:
    """The test of a question without its hidden cases: an OK dictionary, or a file's text."""
    question = scored.question
    kept = [
        (case, points)
        for case, points in zip(question.cases, scored.points, strict=True)
        if not case.hidden
    ]
    if question.source:
        return public_source(question.source, {case.function for case, _ in kept})
    made: dict[str, Any] = {"name": question.title, "points": [p / _POINT for _, p in kept]}
    if question.all_or_nothing:
        made["all_or_nothing"] = True
    cases = []
    for case, _ in kept:
        code = "".join(_prompted(example.code, example.shows) for example in case.examples)
        one = {"code": code.rstrip("\n"), "hidden": False, "locked": False}
        one |= {"success_message": case.praise} if case.praise else {}
        one |= {"failure_message": case.hint} if case.hint else {}
        cases.append(one)
    suite = {"cases": cases, "scored": True, "setup": "", "teardown": "", "type": "doctest"}
    return made | {"suites": [suite]}


def public_source(source: str, kept: set[str]) -> str:
    """A file of test functions without the decorated functions that are not in ``kept``."""
    lines = source.split("\n")
    gone: set[int] = set()
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.decorator_list and node.name not in kept:
            first = min(part.lineno for part in node.decorator_list)
            gone |= set(range(first - 1, node.end_lineno or first))
    return "\n".join(line for number, line in enumerate(lines) if number not in gone)


def _prompted(code: str, shows: str) -> str:
    first, *rest = code.rstrip("\n").split("\n")
    return "\n".join([f">>> {first}", *(f"... {line}" for line in rest)]) + "\n" + shows
