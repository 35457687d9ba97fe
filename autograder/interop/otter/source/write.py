"""An ``ImportedAssignment`` to the files of an assignment folder, as bytes by path.

Covered: before anything is returned, the TOML is read back, compared with the data, and validated
as an assignment.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any

import tomli_w

from autograder.assignment.document import checked
from autograder.assignment.kinds import ID_PATTERN
from autograder.assignment.model import SUBMITTED_FILES, Assignment
from autograder.errors import SpecError
from autograder.interop.otter.source.model import (
    Example,
    ImportedAssignment,
    OtterCase,
    Question,
    ScoredQuestion,
)
from autograder.notebook.formats.text import without_surrogates

_POINT = 1000  # thousandths
MIN_TITLE = 3  # characters of an assignment's title


def id_of(brought: ImportedAssignment, wanted: str) -> str:
    """The wanted id, or if that is empty, one made from the title. Raises SpecError."""
    own = wanted or as_id(brought.title, "assignment")
    if not ID_PATTERN.fullmatch(own):
        raise SpecError(
            [
                f"{own!r} is not a valid assignment id: it begins with a letter (a to z), "
                "followed by at most 63 letters, digits, - and _; give one with --id"
            ]
        )
    return own


def files(brought: ImportedAssignment, wanted: str, root: Path) -> Mapping[Path, bytes]:
    """The files of the assignment with the id that ``id_of`` gives, under ``root``.

    Raises SpecError for an invalid id or an invalid assignment.
    """
    own = id_of(brought, wanted)
    made = {root / "assignments" / own / "assignment.toml": _toml(brought, own)}
    for name, data in brought.supports.items():
        made[root / "assignments" / own / "files" / name] = data
    if brought.solution is not None:
        made[root / "solutions" / own / "solution.ipynb"] = brought.solution
    if brought.template is not None:
        made[root / "student_templates" / f"{own}.ipynb"] = brought.template
    return made


def as_id(name: str, otherwise: str) -> str:
    """An id made from a name: each run of invalid characters becomes one "-"."""
    made = re.sub(r"[^A-Za-z0-9_-]+", "-", name).strip("-")
    if not made:
        return otherwise
    return (made if made[0].isalpha() else f"{otherwise}-{made.lstrip('_')}")[:64]


def _toml(brought: ImportedAssignment, own: str) -> bytes:
    meant = _writable(_document(brought, own))
    for multiline in (True, False):
        text = tomli_w.dumps(meant, multiline_strings=multiline)
        if tomllib.loads(text) == meant:
            break
    else:
        raise SpecError([f"{brought.title}: its tests cannot be written as TOML"])
    _, problems = checked(Assignment, meant)
    if problems:
        raise SpecError([f"{brought.title}: {problem}" for problem in problems])
    return text.encode()


def _writable(part: Any) -> Any:
    """A copy in which all text can be encoded as UTF-8."""
    if isinstance(part, dict):
        return {key: _writable(value) for key, value in part.items()}
    if isinstance(part, list):
        return [_writable(value) for value in part]
    return without_surrogates(part) if isinstance(part, str) else part


def _document(brought: ImportedAssignment, own: str) -> dict[str, Any]:
    tool: dict[str, Any] = {"tool": "otter", "notebook": brought.notebook}
    if brought.seed is not None:
        tool["seed"] = brought.seed
    if brought.seed_variable:
        tool["seed_variable"] = brought.seed_variable
    if brought.plugins:
        tool["plugins"] = list(brought.plugins)
    ids = _ids([scored.question for scored in brought.questions])
    more = tuple(name for name in brought.student_files if name not in SUBMITTED_FILES)
    return {
        "format": 1,
        "id": own,
        "title": brought.title if len(brought.title) >= MIN_TITLE else f"Assignment {own}",
        **({"submitted_files": [*SUBMITTED_FILES, *more]} if more else {}),
        "brought": tool,
        "exercise": [_exercise(s, i) for s, i in zip(brought.questions, ids, strict=True)],
    }


def _exercise(scored: ScoredQuestion, own: str) -> dict[str, Any]:
    question = scored.question
    checks = []
    both = zip(question.cases, scored.points, strict=True)
    for number, (case, points) in enumerate(both, start=1):
        check: dict[str, Any] = {"id": f"case-{number}", "title": case.title}
        check["points"] = _points(points)
        check |= {"public": not case.hidden}
        check |= {"hint": case.hint} if case.hint else {}
        check |= {"done_well": case.praise} if case.praise else {}
        if question.all_or_nothing and number == len(question.cases) > 1:
            check["needs"] = [f"case-{n}" for n in range(1, number)]
        checks.append(_kind(case, question) | check)
    return {
        "id": own,
        "title": question.title,
        "name": question.name,
        "defines": [],
        "check": checks,
    }


def _kind(case: OtterCase, question: Question) -> dict[str, Any]:
    if case.function:
        # Hidden test functions are not in the file of a public one.
        code = question.source if case.hidden else without_hidden(question)
        return {"kind": "test_function", "code": code, "function": case.function}
    shown = case.examples or (Example("pass\n", ""),)  # otter passes a case without examples
    return {"kind": "examples", "examples": [_example(example) for example in shown]}


def without_hidden(question: Question) -> str:
    """The test file with blank lines in place of hidden test functions, because code called by a
    public one can read its own file."""
    hidden = {case.function for case in question.cases if case.hidden}
    lines = question.source.split("\n")
    for node in ast.walk(ast.parse(question.source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in hidden:
            first = min([node.lineno, *(one.lineno for one in node.decorator_list)])
            lines[first - 1 : node.end_lineno] = [""] * ((node.end_lineno or first) - first + 1)
    return "\n".join(lines)


def _example(example: Example) -> dict[str, Any]:
    made: dict[str, Any] = {"code": example.code, "shows": example.shows}
    if example.raises:
        made["raises"] = example.raises
    if example.options:
        made["options"] = list(example.options)
    return made


def _points(thousandths: int) -> str:
    return f"{(Decimal(thousandths) / _POINT).normalize():f}"


def _ids(questions: list[Question]) -> Iterator[str]:
    """A unique id for each question."""
    taken: set[str] = set()
    for number, question in enumerate(questions, start=1):
        own = as_id(question.name, "q")
        made = own if own != "q" or question.name == "q" else f"q{number}"
        stem, again = made, 2
        while made.lower() in taken:
            made, again = f"{stem[:60]}-{again}", again + 1
        taken.add(made.lower())
        yield made
