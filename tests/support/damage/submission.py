"""A right submission to be damaged, and a draft of it that a kind of damage changes.

Seed 0 has the solution's answers. Other seeds have other right ones in the place of some.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from autograder.assignment.load import Loaded
from autograder.notebook.formats.read import read
from autograder.notebook.structure.regions import find_regions, without_marks
from autograder.notebook.template.release import template_bytes
from autograder.notebook.template.variant import read_variants
from tests.support.damage.sources import defined, needed

Notebook = dict[str, Any]
Cell = dict[str, Any]

FILE = "student-01.ipynb"
OTHER_ANSWERS = 0.5  # the share of answers that are not the solution's own, from seed 1 on


@dataclass(frozen=True)
class Base:
    """The right submission. ``blank``: an exercise's cell in the template. ``foreign``: code of
    other assignments that defines no name of this one."""

    notebook: Notebook
    blank: Mapping[str, str]
    foreign: tuple[str, ...]


def right_submission(loaded: Loaded, seed: int) -> Base:
    """The template with right answers, with every cell run once."""
    notebook = json.loads(template_bytes(loaded.solution, loaded.spec))
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    blank = {cell["metadata"]["exercise"]: cell["source"] for cell in answers(notebook)}
    names = {name.split(".")[0] for exercise in loaded.spec.exercise for name in exercise.defines}
    right = _right_answers(loaded, Random(f"answers {seed}"), OTHER_ANSWERS if seed else 0.0)
    for cell in answers(notebook):
        cell["source"] = right[cell["metadata"]["exercise"]]
    for count, cell in enumerate(code(notebook), start=1):
        cell["execution_count"] = count
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [f"ran {count}\n"]}]
    return Base(notebook, blank, _foreign(loaded, names))


def _right_answers(loaded: Loaded, random: Random, others: float) -> dict[str, str]:
    """Exercise -> the source of a right answer, in this share of them another than our own."""
    choices = {
        cell.exercise: [without_marks(cell.source)]
        for cell in read(loaded.solution).cells
        if cell.exercise and find_regions(cell.source)
    }
    for variant in read_variants(loaded.solutions / "equivalents"):
        choices[variant.exercise].append(variant.code.strip("\n"))
    return {
        exercise: random.choice(sources) if random.random() < others else sources[0]
        for exercise, sources in choices.items()
    }


def _foreign(loaded: Loaded, names: set[str]) -> tuple[str, ...]:
    sources = [
        without_marks(cell.source)
        for path in sorted(loaded.solutions.parent.glob("*/solution.py"))
        if path.parent != loaded.solutions
        for cell in read(path).cells
        if cell.kind == "code" and cell.exercise
    ]
    return tuple(source for source in sources if not names & defined(source))


# ------------------------------------------------------------------ cells


def code(notebook: Notebook) -> list[Cell]:
    """All code cells."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def answers(notebook: Notebook) -> list[Cell]:
    """The cells that hold answers."""
    return [cell for cell in code(notebook) if cell["metadata"].get("exercise")]


def given(notebook: Notebook) -> list[Cell]:
    """The code cells that the template gives."""
    return [cell for cell in code(notebook) if not cell["metadata"].get("exercise")]


def text(notebook: Notebook) -> list[Cell]:
    """The cells that hold text."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


def dependents(notebook: Notebook, gone: Iterable[str]) -> dict[str, str]:
    """Exercise -> the first name of a lost one that its answer uses, itself or by another."""
    sources = {cell["metadata"]["exercise"]: cell["source"] for cell in answers(notebook)}
    always = set[str]().union(*(defined(cell["source"]) for cell in given(notebook)))
    lost = set(gone)
    found: dict[str, str] = {}
    while True:
        out = lost | found.keys()
        missing = set[str]().union(*(defined(sources[exercise]) for exercise in out)) - always
        more = {}
        for exercise, source in sources.items():
            kept = (s for other, s in sources.items() if other not in {*out, exercise})
            lacking = needed(source) & missing - set[str]().union(*map(defined, kept))
            if exercise not in out and lacking:
                more[exercise] = f"uses `{min(lacking)}`"
        if not more:
            return found
        found |= more


# ------------------------------------------------------------------ damage


class Draft(dict[str, Any]):
    """A copy of the right notebook, to be changed. ``removed``: exercise -> how its own code was
    taken away."""

    def __init__(self, base: Base, random: Random) -> None:
        super().__init__(copy.deepcopy(base.notebook))
        self.base, self.random = base, random
        self.removed: dict[str, str] = {}

    @property
    def cells(self) -> list[Cell]:
        return self["cells"]  # type: ignore[no-any-return]

    def new(self, source: str, metadata: Mapping[str, Any] | None = None) -> Cell:
        """A code cell as an editor makes it."""
        return {
            "cell_type": "code",
            "execution_count": None,
            "id": f"{self.random.getrandbits(32):08x}",
            "metadata": dict(metadata or {}),
            "outputs": [],
            "source": source,
        }

    def place(self, cell: Cell) -> int:
        """The index of this very cell."""
        return next(at for at, other in enumerate(self.cells) if other is cell)

    def arrange(self, places: Sequence[Cell], cells: Sequence[Cell]) -> None:
        """Put cells into the places of these."""
        free = [self.place(cell) for cell in places]
        for at, cell in zip(free, cells, strict=True):
            self.cells[at] = cell

    def saved(self) -> Notebook:
        """The notebook with its sources as lists of lines, as Jupyter saves it."""
        cells = copy.copy(self.cells)
        for at, cell in enumerate(cells):
            if isinstance(cell, dict) and isinstance(cell.get("source"), str):
                cells[at] = cell | {"source": cell["source"].splitlines(keepends=True)}
        return {**self, "cells": cells}

    def written(self) -> str:
        """The file as Jupyter writes it."""
        return json.dumps(self.saved(), ensure_ascii=False, indent=1) + "\n"


@dataclass(frozen=True)
class Damaged:
    """A file, and what its damage took away. Every exercise not named keeps all its points.

    ``removed``: exercise -> how its own code was lost; it earns nothing. ``spoiled``: exercise
    -> what it builds on that is not there any more; it may lose.
    """

    data: bytes
    name: str = FILE
    removed: Mapping[str, str] = field(default_factory=dict)
    spoiled: Mapping[str, str] = field(default_factory=dict)


Change = Callable[[Draft], object]
Write = Callable[[Draft], bytes]


def as_saved(nb: Draft) -> bytes:
    return nb.written().encode()


@dataclass(frozen=True)
class Kind:
    """One kind of damage: a pure function of the right submission and a seed.

    ``change`` changes the notebook, ``write`` says how the file is written, and of ``files`` it has
    one as its name.
    """

    name: str
    change: Change = lambda nb: None
    write: Write = as_saved
    files: Sequence[str] = (FILE,)

    def make(self, base: Base, random: Random) -> Damaged:
        """The damaged file."""
        nb = Draft(base, random)
        self.change(nb)
        name = self.files[0] if len(self.files) == 1 else random.choice(self.files)
        spoiled = dependents(base.notebook, nb.removed) if nb.removed else {}
        return Damaged(self.write(nb), name, nb.removed, spoiled)
