"""A command's arguments and options without what it does: completion, help and the refusal of wrong
options need no more, and importing a command takes seconds."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from autograder.assignment.course_code import functions_of


def interface_of(source: str, name: str) -> Callable[..., None]:
    """The function ``name`` of a module's source without its body, except its docstring.

    Of the rest of the module, only what annotations and defaults refer to is run.
    """
    tree = ast.parse(source)
    (function,) = (
        node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name
    )
    function.body = function.body[:1]  # its docstring
    kept: list[ast.stmt] = [function]
    wanted = {"annotations", *_names(function)}
    for statement in reversed(tree.body[: tree.body.index(function)]):
        if isinstance(statement, ast.Import | ast.ImportFrom):
            statement.names = [
                alias for alias in statement.names if (alias.asname or alias.name) in wanted
            ]
            kept += [statement] if statement.names else []
        elif wanted.intersection(_defined(statement)):
            kept.append(statement)
            wanted.update(_names(statement))
    return functions_of(ast.unparse(ast.Module(kept[::-1], [])).encode(), "<interface>")[name]


def _names(node: ast.AST) -> Iterator[str]:
    return (found.id for found in ast.walk(node) if isinstance(found, ast.Name))


def _defined(statement: ast.stmt) -> Iterator[str]:
    """The names that a statement defines."""
    if isinstance(statement, ast.ClassDef | ast.FunctionDef):
        yield statement.name
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement]
    for target in (getattr(target, "target", target) for target in targets):
        if isinstance(target, ast.Name):
            yield target.id
