"""From a solution to the notebook that students get: without regions, with given cells locked and
check cells added.

Covered: a line of a region that occurs anywhere in the template stops the release. Not covered: a
solution that the author describes in other words in the surrounding text.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import nbformat

from autograder.assignment.model import Assignment
from autograder.errors import SpecError, SubmissionError
from autograder.notebook.formats.read import read
from autograder.notebook.structure.check_cells import GRADER, SET_UP_ID, ask, set_up, takes_the_name
from autograder.notebook.structure.regions import (
    MarkError,
    find_regions,
    outside,
    secrets,
    strip_regions,
    strip_text,
)
from autograder.notebook.structure.text_answers import text_cell_id
from autograder.notebook.submission import NotebookCell, Submission

MIN_SECRET = 13  # characters; shorter lines ("else:", "return x") reveal nothing

LOCKED = {"deletable": False, "editable": False, "locked": True}
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "pygments_lexer": "ipython3",
}


def template_bytes(path: Path, assignment: Assignment) -> bytes:
    """The student template of a solution file, ready to be written: the same bytes each time.

    Raises SpecError as ``read_template`` does.
    """
    return notebook_bytes(read_template(path, assignment))


def read_template(path: Path, assignment: Assignment) -> nbformat.NotebookNode:
    """The student template of a solution file.

    Raises SpecError when the file cannot be read, its marks are wrong or its answers leak.
    """
    try:
        solution = read(path)
        _check_file(path)
    except SubmissionError as bad:
        raise SpecError([bad.to_author()]) from None
    template = make_template(solution, assignment)
    if leaked := leaks(template, solution):
        raise SpecError(
            [f"{path}: the template contains a line of the solution: {line!r}" for line in leaked]
        )
    return template


def notebook_bytes(notebook: nbformat.NotebookNode) -> bytes:
    """A notebook as a file: keys in order, one newline at its end."""
    text: str = nbformat.writes(notebook, version=nbformat.NO_CONVERT)
    return (text.rstrip("\n") + "\n").encode()


def stamp_of(template: Mapping[str, Any]) -> str:
    """12 hexadecimal digits that identify a version of a template: the start of the SHA-256 of its
    cells' kinds, sources and exercises."""
    cells = [
        (cell["cell_type"], cell["source"], cell["metadata"].get("exercise", ""))
        for cell in template["cells"]
    ]
    text = json.dumps(cells, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def make_template(solution: Submission, assignment: Assignment) -> nbformat.NotebookNode:
    """The student notebook (nbformat 4.5) made from a solution.

    Raises SpecError with every problem: a wrong mark, an exercise that does not have exactly one
    solution cell, a region outside an exercise.
    """
    problems = [*_problems(solution, assignment)]
    cells: list[dict[str, Any]] = []
    taken: set[str] = set()
    asked = {exercise.id: ask(exercise) for exercise in assignment.exercise}
    texts = {exercise.id for exercise in assignment.exercise if exercise.in_markdown}
    first = next((cell.number for cell in solution.cells if cell.kind == "code"), 0)
    for cell in solution.cells:
        if cell.number == first:
            cells.append(_given_cell(set_up(assignment.id), SET_UP_ID, taken))
        try:
            cells.append(_template_cell(cell, taken, texts))
        except MarkError as bad:
            problems.append(_place(solution, cell, bad))
        if cell.kind == "code" and (question := asked.get(cell.exercise)):
            cells.append(_given_cell(question, f"check-{cell.exercise}", taken))
    if problems:
        raise SpecError(list(dict.fromkeys(problems)))
    made = {
        "cells": cells,
        "metadata": {
            "autograder": {
                "assignment": assignment.id,
                "format": 1,
                "version": stamp_of({"cells": cells}),
            },
            "kernelspec": dict(KERNEL),
            "language_info": dict(LANGUAGE),
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return nbformat.from_dict(made)


def leaks(template: Mapping[str, Any], solution: Submission) -> list[str]:
    """Lines of solution regions that occur in the template, each once.

    A line counts from ``MIN_SECRET`` characters on, unless the solution also shows it outside its
    regions. Marks of regions always count. Raises SpecError for wrong marks.
    """
    shown: set[str] = set()
    secret: dict[str, None] = {"BEGIN SOLUTION": None, "END SOLUTION": None}
    for cell in solution.cells:
        if cell.kind != "code" and not cell.exercise:
            shown.update(line.strip() for line in cell.source.split("\n"))
            continue
        try:
            shown.update(line.strip() for line in outside(cell.source))
            secret.update((line, None) for line in secrets(cell.source))
        except MarkError as bad:
            raise SpecError([_place(solution, cell, bad)]) from None
    text = "\n".join(str(cell["source"]) for cell in template["cells"])
    return [
        line
        for line in secret
        if (len(line) >= MIN_SECRET or line.endswith("SOLUTION"))
        and line not in shown
        and line in text
    ]


def _template_cell(cell: NotebookCell, taken: set[str], texts: Collection[str]) -> dict[str, Any]:
    """One cell as a JSON object; ``texts``: the exercises that are answered in Markdown. Raises
    MarkError."""
    source = cell.source
    mine = cell.exercise in texts if cell.kind != "code" else cell.exercise != ""
    if mine:
        strip = strip_regions if cell.kind == "code" else strip_text
        source = strip(source) if find_regions(source) else source
        metadata: dict[str, Any] = {"deletable": False, "exercise": cell.exercise}
    else:
        metadata = dict(LOCKED)
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": _own_id(cell, taken, mine=mine),
        "metadata": metadata,
        "source": source,
    }
    if cell.kind == "code":
        made |= {"execution_count": None, "outputs": []}
    return made


def _given_cell(source: str, wanted: str, taken: set[str]) -> dict[str, Any]:
    """One of our locked code cells as a JSON object."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _free_id(wanted, taken),
        "metadata": dict(LOCKED),
        "outputs": [],
        "source": source,
    }


def _own_id(cell: NotebookCell, taken: set[str], *, mine: bool) -> str:
    """An id that depends only on the cell, so that it stays the same when the cell moves."""
    if mine:
        return _free_id(
            cell.exercise if cell.kind == "code" else text_cell_id(cell.exercise), taken
        )
    digest = hashlib.sha256(f"{cell.kind}\n{cell.source}".encode()).hexdigest()[:8]
    return _free_id(f"{cell.kind}-{digest}", taken)


def _free_id(wanted: str, taken: set[str]) -> str:
    """An id of at most 64 characters that no other cell has."""
    made, number = wanted[:64], 2
    while made in taken:
        made, number = f"{wanted[:58]}-{number}", number + 1
    taken.add(made)
    return made


def _problems(solution: Submission, assignment: Assignment) -> Iterator[str]:
    """Problems with the positions of the regions, and with names that are reserved for us."""
    if number := takes_the_name(solution):  # the name grader is not the author's
        yield (
            f"{solution.file}, cell {number}: it defines {GRADER!r}, the name that students use "
            "to check their work; choose another one"
        )
    known = {exercise.id for exercise in assignment.exercise}
    wanted = [(e.id, "code") for e in assignment.exercise if e.in_code]
    wanted += [(e.id, "Markdown") for e in assignment.exercise if e.in_markdown]
    count = dict.fromkeys(wanted, 0)
    for cell in solution.cells:
        place = f"{solution.file}, cell {cell.number}"
        kind = "code" if cell.kind == "code" else "Markdown"
        if kind != "code" and not cell.exercise:
            if "BEGIN SOLUTION" in cell.source:
                yield f"{place}: a solution region in a cell without an exercise tag"
            continue
        try:
            marked = bool(find_regions(cell.source))
        except MarkError as bad:
            yield _place(solution, cell, bad)
            continue
        if not cell.exercise:
            if marked:
                yield f"{place}: a solution region in a cell without an exercise tag"
        elif cell.exercise not in known:
            yield (
                f"{place}: the cell is tagged {cell.exercise!r}, but the assignment has no such "
                "exercise"
            )
        elif not marked:
            yield f"{place}: the cell is tagged {cell.exercise!r} but contains no solution region"
        elif (cell.exercise, kind) not in count:
            yield f"{place}: exercise {cell.exercise!r} is not answered in a {kind} cell"
        else:
            count[cell.exercise, kind] += 1
    for (exercise, kind), found in count.items():
        if found != 1:
            yield (
                f"{solution.file}: exercise {exercise!r} has {found} {kind} cells with a solution "
                "region; there must be exactly one"
            )


def _place(solution: Submission, cell: NotebookCell, bad: MarkError) -> str:
    first = next((line for line in cell.source.split("\n") if line.strip()), "").strip()
    return f"{solution.file}, cell {cell.number} ({first[:40]!r}), line {bad.line}: {bad.what}"


def _check_file(path: Path) -> None:
    """Raise SpecError with the line of the file where marks do not match."""
    try:
        find_regions(path.read_bytes().decode(errors="replace").replace("\r\n", "\n"))
    except MarkError as bad:
        raise SpecError([f"{path}, line {bad.line}: {bad.what}"]) from None
    except OSError as bad:
        raise SpecError([f"{path}: cannot be read ({bad.strerror})"]) from None
