"""An exception-based test file: functions under ``@test_case``, found in its syntax tree.

Covered: the file is never run here; its functions are found by their decorators, whose arguments
must be literals. Any other way to make or change a test case raises SourceFault.
Not covered: what the functions do. They run in the sandbox and pass if they raise nothing.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from autograder.interop.otter.source.literals import parse_file, source_of, value_of
from autograder.interop.otter.source.model import OtterCase, Question, SourceFault
from autograder.interop.otter.source.ok_file import case_points, read_points, text_of

_SETTINGS = ("name", "points", "all_or_nothing", "OK_FORMAT")
_PARAMETERS = ("name", "points", "hidden", "success_message", "failure_message")
_HOMES = ("otter.test_files", "otter.test_files.exception_test")
_MAKER = "test_case"
_RUNS = "gets a value that is known only when the file runs; write it out as a literal"


def is_ok_format(source: str) -> bool:
    """Whether a test file sets OK_FORMAT to a true value; raises SourceFault."""
    settings = _settings(parse_file(source), ("OK_FORMAT",))
    if "OK_FORMAT" not in settings:
        raise SourceFault(
            0,
            "OK_FORMAT is not set, and otter refuses such a file; write 'OK_FORMAT = True' "
            "(a dictionary 'test') or 'OK_FORMAT = False' (functions) on its first line",
        )
    return bool(settings["OK_FORMAT"])


def read_exception_file(source: str, *, name: str, place: str) -> Question:
    """The question of an exception-based test file; raises SourceFault."""
    tree = parse_file(source)
    settings = _settings(tree)
    title = settings.get("name")
    if not isinstance(title, str) or not title.strip():
        raise SourceFault(0, "'name' is missing or is not text")
    makers = _makers(tree)
    cases: dict[str, OtterCase] = {}
    decorators: set[ast.AST] = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            maker = _maker_of(node, makers)
            if maker is None:
                cases.pop(node.name, None)
                continue
            if not isinstance(node, ast.FunctionDef):
                raise SourceFault(
                    node.lineno, f"{node.name} is not a plain function, so it is not a test"
                )
            decorators.update(ast.walk(maker.func if isinstance(maker, ast.Call) else maker))
            cases[node.name] = _case(node, maker, settings)
    for other in _other_uses(tree, makers, decorators):
        raise SourceFault(
            getattr(other, "lineno", 0),
            f"the effect of this use of {_MAKER} is known only when the file "
            "runs; use it as the first decorator of a function in this file",
        )
    return Question(
        name=name,
        title=title,
        cases=tuple(
            case if case.title else replace(case, title=f"{title} - {number}")
            for number, case in enumerate(cases.values(), start=1)
        ),
        points=read_points(settings.get("points")),
        all_or_nothing=bool(settings.get("all_or_nothing", False)),
        source=source,
        place=place,
    )


def _settings(tree: ast.Module, ours: tuple[str, ...] = _SETTINGS) -> dict[str, Any]:
    """The file's literal values by name. Raises SourceFault if one of ``ours`` is not a literal."""
    found: dict[str, Any] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Global) and {*node.names} & {*ours}:
            raise SourceFault(node.lineno, f"{node.names[0]!r} {_RUNS}")
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if not isinstance(target, ast.Name):
                    _refuse(target, ours)
                    continue
                try:
                    found[target.id] = value_of(node.value, found)
                except SourceFault:
                    found.pop(target.id, None)
                    if target.id in ours:
                        raise
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _refuse(node, ours)
    return found


def _refuse(node: ast.AST, ours: tuple[str, ...]) -> None:
    """Raise SourceFault if a statement binds one of ``ours`` other than to a literal."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in ours and not isinstance(part.ctx, ast.Load):
            raise SourceFault(part.lineno, f"{part.id!r} {_RUNS}")


def _makers(tree: ast.Module) -> set[str]:
    """The names of the decorator in this file: ``test_case`` or its aliases."""
    names = set()
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module in _HOMES:
            names |= {alias.asname or alias.name for alias in node.names if alias.name == _MAKER}
        elif isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name in _HOMES or alias.name == "otter":
                    shown = alias.asname or "otter.test_files"
                    names.add(f"{shown}.{_MAKER}")
    return names or {_MAKER}


def _maker_of(
    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef, makers: set[str]
) -> ast.expr | None:
    """The decorator that makes a test case of this definition, if it is the first."""
    if not node.decorator_list:
        return None
    first = node.decorator_list[0]
    called = first.func if isinstance(first, ast.Call) else first
    return first if source_of(called) in makers else None


def _case(node: ast.FunctionDef, maker: ast.expr, names: dict[str, Any]) -> OtterCase:
    if not isinstance(maker, ast.Call):
        raise SourceFault(maker.lineno, f"@{_MAKER} needs parentheses: @{_MAKER}()")
    if len(maker.args) > len(_PARAMETERS):
        raise SourceFault(maker.lineno, f"@{_MAKER} takes at most {len(_PARAMETERS)} arguments")
    given: dict[str, Any] = {}
    for name, part in zip(_PARAMETERS, maker.args, strict=False):
        given[name] = value_of(part, names)
    for keyword in maker.keywords:
        if keyword.arg not in _PARAMETERS or keyword.arg in given:
            raise SourceFault(maker.lineno, f"@{_MAKER} does not take {keyword.arg or '**'!r} here")
        given[keyword.arg] = value_of(keyword.value, names)
    try:
        points = case_points(given.get("points"))
    except SourceFault as bad:
        raise SourceFault(maker.lineno, bad.what) from None
    return OtterCase(
        title=text_of(given.get("name")),
        hidden=bool(given.get("hidden", False)),
        points=points,
        hint=text_of(given.get("failure_message")),
        praise=text_of(given.get("success_message")),
        function=node.name,
    )


def _other_uses(tree: ast.Module, makers: set[str], decorators: set[ast.AST]) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        named = isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)
        if named and node not in decorators and source_of(node) in makers:
            yield node
