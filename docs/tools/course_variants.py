"""Submissions made from an assignment by rule: its solution, its release, one answer changed."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]
KINDS = ("blank", "raises", "wrong")
MOST = 10


def wrong(source: str) -> str:
    """An answer after which its names have other values, and its functions return None."""
    try:
        names = dict(_bound(ast.parse(source)))
    except SyntaxError:
        return "0"
    return "\n".join([source, *(f"{name} = {value}" for name, value in names.items())])


def _bound(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef):
            yield statement.name, "lambda *args, **kwargs: None"
        elif isinstance(statement, ast.Assign):
            targets = [node for target in statement.targets for node in ast.walk(target)]
            yield from (
                (node.id, "-1")
                for node in targets
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            )


def submissions(blank: Notebook, answers: Mapping[int, str]) -> Mapping[str, Notebook]:
    """By student: the solution, the blank release, and one answer changed, of ten at most."""
    made = {"solution": filled(blank, answers), "blank": blank}
    chosen = [*answers.items()][:: -(-len(answers) // MOST) or 1]
    for number, (index, answer) in enumerate(chosen):
        kind = KINDS[number % len(KINDS)]
        code = blank["cells"][index]["cell_type"] == "code"
        changed = {
            "blank": source_of(blank["cells"][index]),
            "raises": "raise ValueError('no answer')" if code else "I do not know.",
            "wrong": wrong(answer) if code else "Something else.",
        }[kind]
        made[f"{number + 1:02}-{kind}"] = filled(blank, {**answers, index: changed})
    return made


def filled(blank: Notebook, answers: Mapping[int, str]) -> Notebook:
    """The release with these sources in the cells of these numbers."""
    notebook = copy.deepcopy(blank)
    for index, answer in answers.items():
        notebook["cells"][index]["source"] = answer
    return notebook


def source_of(cell: Mapping[str, Any]) -> str:
    return "".join(cell["source"])


def read(path: Path) -> Notebook:
    """A notebook for whose kernel the tools' own Python stands in."""
    notebook: Notebook = json.loads(path.read_text(encoding="utf-8"))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    notebook["metadata"]["kernelspec"] = kernel
    return notebook
