"""The texts of written answers, from the cells of the submissions that were graded.

Covered: cells that are answers as they are; texts in any quotes, joined by `+` or one after the
other, and lists of them; of several assignments to a name the last one that is not empty. Of
several cells for one answer the last one counts. Not covered: answers that code puts together;
the statement is shown instead.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator

from autograder.assignment.kinds import BY_HAND, Check, WrittenCheck
from autograder.assignment.model import Assignment, Exercise
from autograder.classroom.results_folder import KeptSubmission
from autograder.notebook.structure.names import parse
from autograder.notebook.submission import Submission


def written_answers(
    kept: Iterable[KeptSubmission], assignment: Assignment
) -> dict[tuple[str, str, str], str]:
    """(student, exercise, check) -> the text; without answers that are not there."""
    asked = [
        (exercise.id, check.id, _place(exercise, check))
        for exercise in assignment.exercise
        for check in exercise.check
        if check.kind in BY_HAND
    ]
    places = frozenset(filter(None, (place for _, _, place in asked)))
    found = {}
    for entry in kept:
        texts = _texts(entry.submission, places) if entry.submission is not None and asked else {}
        for exercise, check, place in asked:
            if text := texts.get(place, "") if place else entry.texts.get(exercise, ""):
                found[entry.student, exercise, check] = text
    return found


def _place(exercise: Exercise, check: Check) -> str:
    """Where an answer is: the name that holds it, or the mark of its cell; "" for a Markdown cell,
    whose text is kept."""
    if isinstance(check, WrittenCheck):
        return check.name
    return f"nbgrader:{exercise.name or exercise.id}"


def _texts(submission: Submission, places: frozenset[str]) -> dict[str, str]:
    """What these names and cells hold, as text."""
    texts: dict[str, str] = {}
    for cell in submission.cells:
        texts |= dict.fromkeys(places.intersection(cell.marks), cell.source.strip())
        if cell.kind == "code" and any(name in cell.source for name in places):
            for name, text in _assigned(cell.source):
                if name in places and text.strip():
                    texts[name] = text.strip()
    return texts


def _assigned(source: str) -> Iterator[tuple[str, str]]:
    """Every name that a statement of the cell sets, and its text."""
    tree = parse(source)
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            targets = [node.target]
        else:
            continue
        text = _text(node.value)
        if text is None:
            text = ast.unparse(node)
        for target in targets:
            if isinstance(target, ast.Name):
                yield target.id, text


def _text(node: ast.expr | None) -> str | None:
    """The text of a literal; None for anything else."""
    match node:
        case ast.Constant(value=None | types.EllipsisType()):
            return ""
        case ast.Constant(value=str(text)):
            return text
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            parts = [_text(left), _text(right)]
            return None if None in parts else "".join(map(str, parts))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            parts = [_text(item) for item in items]
            return None if None in parts else "\n".join(map(str, parts))
    return None
