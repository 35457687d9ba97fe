"""An OK test: the dictionary ``test`` of a Python file, or one from a notebook's metadata.

Covered: the file is parsed and never run; a value that is not a literal raises SourceFault with
its line. Statements that could change ``test`` afterwards are refused.
Not covered: several suites, suites other than doctests, set-up and tear-down code; otter has none
either.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from autograder.interop.otter.source.doctests import read_examples
from autograder.interop.otter.source.literals import parse_file, value_of
from autograder.interop.otter.source.model import Given, OtterCase, Question, SourceFault, shown

MAX_CASES = 1_000
HIGHEST = 1_000_000  # points of one question


def file_names(tree: ast.Module) -> dict[str, Any]:
    """The literal values of a file by name; raises SourceFault.

    A name without a literal value is left out, unless it is one of otter's.
    """
    names: dict[str, Any] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if not isinstance(target, ast.Name):
                    raise SourceFault(node.lineno, _RUNS)
                try:
                    names[target.id] = value_of(node.value, names)
                except SourceFault:
                    if target.id in _OURS or any(uses(node.value, "test")):
                        raise
                    names.pop(target.id, None)
        elif not isinstance(node, _HARMLESS) and not _is_text(node):
            raise SourceFault(node.lineno, _RUNS)
    return names


def read_ok_file(source: str, *, name: str, place: str) -> Question:
    """The question of an OK file; raises SourceFault."""
    names = file_names(parse_file(source))
    if "test" not in names:
        raise SourceFault(0, "it defines no dictionary 'test', so it is not an OK test")
    return read_ok(names["test"], name=name, place=place)


def read_ok(test: Any, *, name: str, place: str) -> Question:
    """The question of an OK dictionary; raises SourceFault."""
    if not isinstance(test, dict):
        raise SourceFault(0, "'test' must be a dictionary")
    title = test.get("name")
    if not isinstance(title, str) or not title.strip():
        raise SourceFault(0, "'test' needs a 'name', which is text")
    suites = test.get("suites")
    if not isinstance(suites, list) or len(suites) != 1 or not isinstance(suites[0], dict):
        raise SourceFault(0, "'suites' must be a list of exactly one dictionary")
    suite = suites[0]
    if suite.get("type", "doctest") != "doctest":
        raise SourceFault(
            0, f"the suite is of type {shown(suite['type'])}; only 'doctest' is supported"
        )
    if suite.get("setup") or suite.get("teardown"):
        raise SourceFault(0, "'setup' and 'teardown' of the suite must be empty, as in otter")
    cases = suite.get("cases")
    if not isinstance(cases, list) or len(cases) > MAX_CASES:
        raise SourceFault(0, f"'cases' must be a list of at most {MAX_CASES:,} dictionaries")
    return Question(
        name=name,
        title=title,
        cases=tuple(_case(case, title, number) for number, case in enumerate(cases, start=1)),
        points=read_points(test.get("points")),
        all_or_nothing=bool(test.get("all_or_nothing", False)),
        place=place,
    )


def read_points(given: Any) -> Given:
    """A question's points as written: a number, a list, or None; raises SourceFault."""
    if given is None:
        return None
    if isinstance(given, list):
        return tuple(case_points(item) for item in given)
    if isinstance(given, bool):
        return Fraction(int(given))
    if isinstance(given, int | float):
        return case_points(given)
    raise SourceFault(0, f"'points' is {shown(given)}; give a number or a list of numbers")


def case_points(given: Any) -> Fraction | None:
    """The points of one case, exactly as written; raises SourceFault."""
    if given is None:
        return None
    if type(given) not in (int, float) or not -HIGHEST <= given <= HIGHEST:
        raise SourceFault(0, f"points are {shown(given)}; give a number up to {HIGHEST:,}")
    if given < 0:
        raise SourceFault(0, f"points of {given} are negative; a case cannot deduct points here")
    return Fraction(str(given))


def text_of(given: Any) -> str:
    """A message for students: text, or nothing."""
    if given is None:
        return ""
    return given.strip() if isinstance(given, str) else shown(given)


def _case(case: Any, title: str, number: int) -> OtterCase:
    place = f"case {number}"
    if not isinstance(case, dict) or not isinstance(case.get("code"), str):
        raise SourceFault(0, f"{place} must be a dictionary with 'code', which is text")
    try:
        examples = read_examples(case["code"])
        points = case_points(case.get("points"))
    except SourceFault as bad:
        raise SourceFault(bad.line, f"{place}: {bad.what}") from None
    return OtterCase(
        title=text_of(case.get("name")) or f"{title} - {number}",
        hidden=bool(case.get("hidden", True)),
        points=points,
        hint=text_of(case.get("failure_message")),
        praise=text_of(case.get("success_message")),
        examples=examples,
    )


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def uses(tree: ast.AST, name: str) -> Iterator[ast.Name]:
    """Every node that reads a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
            yield node


_OURS = ("test", "OK_FORMAT")
_HARMLESS = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.Pass, ast.AnnAssign)
_RUNS = (
    "the effect of this statement on the test is known only when the file runs, and test files are "
    "never run here; write the test out as one dictionary"
)
