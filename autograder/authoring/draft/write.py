"""A draft as files: assignment.toml with what was guessed as comments, inputs.py, solution.py."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import tomli_w

from autograder.authoring.draft.arguments import head
from autograder.authoring.draft.exercises import GUESSED, DraftChecks, DraftExercise
from autograder.authoring.draft.functions import DraftCell, DraftDefinition, solved
from autograder.authoring.draft.source import STATE
from autograder.notebook.submission import NotebookCell
from autograder.notebook.template.editions import percent_bytes

ORDER = "id kind title points public call inputs number may_change_inputs error".split()
WIDTH = 90  # of a call in inputs.py
HIDDEN_POINTS, PUBLIC_POINTS = 2, 1
DRAFT = """# A draft: read every check, then remove the comments. Points and titles are guesses too.
# Add a `hint` to each check, and known mistakes in mistakes/NAME.py.
# Students see all of a public check, also its inputs and the right results."""


def draft_files(
    title: str,
    own_id: str,
    cells: Sequence[DraftCell],
    notes: Mapping[str, Sequence[str]],
    exercises: Sequence[DraftExercise],
    packages: Sequence[str],
) -> Mapping[str, bytes]:
    """The files of the assignment, by their names in its folder. ``notes``: sentences by exercise;
    ``packages``: what the notebook uses.

    Raises ``UsageError`` for a cell that a solution file cannot hold.
    """
    names = {exercise.definition.name for exercise in exercises}
    head = _keys({"format": 1, "id": own_id, "title": title, "packages": list(packages)})
    tables = (_table(one, notes[one.definition.name]) for one in exercises)
    return {
        "assignment.toml": "\n".join([DRAFT, head, *chain.from_iterable(tables)]).encode(),
        "inputs.py": _inputs(exercises).encode(),
        "solution.py": percent_bytes([_marked(cell, names) for cell in cells]),
    }


def guessed(exercise: DraftExercise, names: Sequence[str]) -> Iterator[str]:
    """What was guessed of an exercise, in clauses. ``names``: of all exercises."""
    own = exercise.definition
    for checks in exercise.checks:
        before = f"{checks.target}: " if own.is_class else ""
        yield from (f"{before}{clause}" for clause in _guesses(checks))
    for checks in exercise.left:
        yield f"{checks.target} has no check: {checks.problem}"
    if called := [f"`{name}`" for name in names if name in own.uses and name != own.name]:
        yield f"it uses {' and '.join(called)}: a mistake there costs points here too"


def _guesses(checks: DraftChecks) -> Iterator[str]:
    where = list(dict.fromkeys(example.where for example in checks.examples))
    if where == [GUESSED]:
        yield "arguments that it accepts; the notebook has no call to take them from"
    else:
        yield f"public calls as in {' and '.join(where)}"
    if checks.drawn:
        yield "hidden calls with random arguments of the same kinds"
    else:
        yield "no hidden calls: other arguments were not found, and a fixed answer would pass"
    if any(STATE in call.source for call in checks.examples):
        yield "its parameters are set to random numbers, and are found by their shapes"
    for error, place in dict.fromkeys((call.error, call.where) for call in checks.raising):
        how = "for arguments that were changed until it did"
        yield f"it must raise {error}" + (f" {how}" if place == GUESSED else f", as in {place}")
    if checks.changes:
        yield "it may change its arguments, as yours does"


def _table(exercise: DraftExercise, notes: Sequence[str]) -> Iterator[str]:
    """The exercise and its checks, below comments that say what was guessed."""
    for note in notes:
        yield f"# Guessed: {note}."
    name = exercise.definition.name
    table = {"id": name, "title": _title(exercise.definition), "defines": [name]}
    yield f"[[exercise]]\n{_keys(table)}"
    for checks in exercise.checks:
        for check in _checks(checks):
            ordered = {key: check[key] for key in ORDER if key in check}
            yield f"[[exercise.check]]\n{_keys(ordered)}"


def _keys(table: Mapping[str, Any]) -> str:
    """The keys of a table, each on one line."""
    return tomli_w.dumps(table).replace("[\n    ", "[").replace(",\n]", "]")


def _title(definition: DraftDefinition) -> str:
    """The first line of the docstring."""
    first = definition.docstrings[0].partition("\n")[0].strip().rstrip(".")
    return first or f"Write `{definition.name}`"


def _checks(checks: DraftChecks) -> Iterator[dict[str, Any]]:
    name = checks.target
    stem = name.partition(".")[2]
    before = f"{stem}-" if stem else ""
    own: dict[str, Any] = {"kind": "function", "call": name}
    own |= {"number": True} if checks.number else {}
    own |= {"may_change_inputs": True} if checks.changes else {}
    yield {
        "id": f"{before}examples",
        "title": f"`{name}` works on examples",
        "points": PUBLIC_POINTS,
        "public": True,
        "inputs": _generator_of(name, "examples"),
        **own,
    }
    if checks.drawn:
        yield {
            "id": f"{before}drawn",
            "title": f"`{name}` works on other arguments",
            "points": HIDDEN_POINTS,
            "inputs": _generator_of(name, "drawn"),
            **own,
        }
    for kind in dict.fromkeys(call.error for call in checks.raising):
        yield {
            "id": f"{before}raises-{kind}",
            "title": f"`{name}` raises {kind} where it should",
            "points": PUBLIC_POINTS,
            "public": True,
            "inputs": _generator_of(name, kind),
            "kind": "raises",
            "call": name,
            "error": [kind],
        }


def _inputs(exercises: Sequence[DraftExercise]) -> str:
    parts = []
    for checks in chain.from_iterable(exercise.checks for exercise in exercises):
        examples = [_line(call.source) for call in checks.examples]
        parts.append(_generator(_generator_of(checks.target, "examples"), examples))
        if checks.drawn:
            drawn = [_line(call.source, call.corner) for call in checks.drawn]
            parts.append(_generator(_generator_of(checks.target, "drawn"), drawn))
        for kind in dict.fromkeys(call.error for call in checks.raising):
            wrong = [_line(call.source) for call in checks.raising if call.error == kind]
            parts.append(_generator(_generator_of(checks.target, kind), wrong))
    text = "".join(parts)
    what = '"""Arguments for the calls: each function returns a list of calls."""'
    return f"{what}\n\n{head(text)}{text}"


def _generator_of(target: str, what: str) -> str:
    """The name of a function of inputs.py."""
    return f"{target.replace('.', '_')}_{what}"


def _generator(name: str, calls: Sequence[str]) -> str:
    return f"\n\ndef {name}(rng):\n    return [\n{''.join(calls)}    ]\n"


def _line(call: str, corner: str = "") -> str:
    """A call's arguments on one line, below what is special about them; if that is too long, each
    on its own."""
    above = f"        # {corner}\n" if corner else ""
    if len(call) <= WIDTH:
        return f"{above}        {call},\n"
    (statement,) = ast.parse(call).body
    assert isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Tuple)
    parts = (ast.get_source_segment(call, part) for part in statement.value.elts)
    inside = "".join(f"            {part},\n" for part in parts)
    return f"{above}        (\n{inside}        ),\n"


def _marked(cell: DraftCell, names: set[str]) -> NotebookCell:
    """The cell as it is in the solution: an exercise's with its marks, every other one locked."""
    name = cell.definition.name if cell.definition is not None else ""
    if name not in names:
        return NotebookCell(cell.origin, cell.kind, cell.source, locked=cell.kind == "code")
    return NotebookCell(cell.origin, cell.kind, solved(cell.source), exercise=name)


def title_of(cells: Sequence[DraftCell], otherwise: str) -> str:
    """The first heading of the notebook."""
    for cell in cells:
        if cell.kind == "markdown" and (found := re.search(r"^#+\s+(.{3,})$", cell.source, re.M)):
            return found[1].strip()
    return otherwise
