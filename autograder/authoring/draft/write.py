"""A draft as files: assignment.toml with what was guessed as comments, inputs.py, solution.py."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import tomli_w

from autograder.authoring.draft.exercises import GUESSED, DraftExercise, imports
from autograder.authoring.draft.functions import DraftCell, solved
from autograder.notebook.submission import NotebookCell
from autograder.notebook.template.editions import percent_bytes

HIDDEN_POINTS, PUBLIC_POINTS = 2, 1
DRAFT = """# A draft: read every check, then remove the comments. Points and titles are guesses too.
# Add a `hint` to each check, and known mistakes in mistakes/NAME.py."""


def draft_files(
    title: str,
    own_id: str,
    cells: Sequence[DraftCell],
    notes: Mapping[str, Sequence[str]],
    exercises: Sequence[DraftExercise],
) -> Mapping[str, bytes]:
    """The files of the assignment, by their names in its folder. ``notes``: sentences by exercise.

    Raises ``UsageError`` for a cell that a solution file cannot hold.
    """
    names = {exercise.function.name for exercise in exercises}
    head = tomli_w.dumps({"format": 1, "id": own_id, "title": title})
    tables = (_table(one, notes[one.function.name]) for one in exercises)
    return {
        "assignment.toml": "\n".join([DRAFT, head, *chain.from_iterable(tables)]).encode(),
        "inputs.py": _inputs(exercises).encode(),
        "solution.py": percent_bytes([_marked(cell, names) for cell in cells]),
    }


def guessed(exercise: DraftExercise, names: Sequence[str]) -> Iterator[str]:
    """What was guessed of an exercise, in clauses. ``names``: of all exercises."""
    where = list(dict.fromkeys(example.where for example in exercise.examples))
    if where == [GUESSED]:
        yield "arguments that it accepts; the notebook has no call to take them from"
    else:
        yield f"public calls as in {' and '.join(where)}"
    if exercise.drawn:
        yield "hidden calls with drawn arguments of the same kinds"
    else:
        yield "no hidden calls: other arguments were not found, and a fixed answer would pass"
    for call in exercise.raising:
        yield f"it must raise {call.error}, as in {call.where}"
    if exercise.changes:
        yield "it may change its arguments, as yours does"
    others = [n for n in names if n in exercise.function.uses and n != exercise.function.name]
    if others:
        called = " and ".join(f"`{n}`" for n in others)
        yield f"it calls {called}: a mistake there costs points here too"


def _table(exercise: DraftExercise, notes: Sequence[str]) -> Iterator[str]:
    """The exercise and its checks, below comments that say what was guessed."""
    for note in notes:
        yield f"# Guessed: {note}."
    name = exercise.function.name
    table = {"id": name, "title": _title(exercise), "defines": [name]}
    yield f"[[exercise]]\n{_keys(table)}"
    for check in _checks(exercise):
        yield f"[[exercise.check]]\n{_keys(check)}"


def _keys(table: Mapping[str, Any]) -> str:
    """The keys of a table, each on one line."""
    return tomli_w.dumps(table).replace("[\n    ", "[").replace(",\n]", "]")


def _title(exercise: DraftExercise) -> str:
    """The first line of the docstring."""
    first = exercise.function.docstring.partition("\n")[0].strip().rstrip(".")
    return first or f"Write `{exercise.function.name}`"


def _checks(exercise: DraftExercise) -> Iterator[dict[str, Any]]:
    name = exercise.function.name
    more: dict[str, Any] = {"number": True} if exercise.number else {}
    more |= {"may_change_inputs": True} if exercise.changes else {}
    yield {
        "id": "examples",
        "kind": "function",
        "title": f"`{name}` works on examples",
        "points": PUBLIC_POINTS,
        "public": True,
        "call": name,
        "inputs": f"{name}_examples",
        **more,
    }
    if exercise.drawn:
        yield {
            "id": "drawn",
            "kind": "function",
            "title": f"`{name}` works on other arguments",
            "points": HIDDEN_POINTS,
            "call": name,
            "inputs": f"{name}_drawn",
            **more,
        }
    for kind in dict.fromkeys(call.error for call in exercise.raising):
        yield {
            "id": f"raises-{kind}",
            "kind": "raises",
            "title": f"`{name}` raises {kind} where it should",
            "points": PUBLIC_POINTS,
            "public": True,
            "call": name,
            "inputs": f"{name}_{kind}",
            "error": [kind],
        }


def _inputs(exercises: Sequence[DraftExercise]) -> str:
    parts = []
    for exercise in exercises:
        name = exercise.function.name
        parts.append(_generator(f"{name}_examples", [one.source for one in exercise.examples]))
        if exercise.drawn:
            parts.append(_generator(f"{name}_drawn", exercise.drawn))
        for kind in dict.fromkeys(call.error for call in exercise.raising):
            wrong = [call.source for call in exercise.raising if call.error == kind]
            parts.append(_generator(f"{name}_{kind}", wrong))
    text = "".join(parts)
    head = '"""Arguments for the calls: each function returns a list of calls."""'
    return f"{head}\n\n{imports(text)}{text}"


def _generator(name: str, calls: Sequence[str]) -> str:
    lines = "".join(f"        {call},\n" for call in calls)
    return f"\n\ndef {name}(rng):\n    return [\n{lines}    ]\n"


def _marked(cell: DraftCell, names: set[str]) -> NotebookCell:
    """The cell as it is in the solution: an exercise's with its marks, every other one locked."""
    name = cell.function.name if cell.function is not None else ""
    if name not in names:
        return NotebookCell(cell.origin, cell.kind, cell.source, locked=cell.kind == "code")
    return NotebookCell(cell.origin, cell.kind, solved(cell.source), exercise=name)


def title_of(cells: Sequence[DraftCell], otherwise: str) -> str:
    """The first heading of the notebook."""
    for cell in cells:
        if cell.kind == "markdown" and (found := re.search(r"^#+\s+(.{3,})$", cell.source, re.M)):
            return found[1].strip()
    return otherwise
