"""A right hand-in to be damaged: the template with right answers in it, and what a damage says.

Seed 0 has the solution's answers. Other seeds have other right ones in the place of some.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from autograder.assignment.load import Loaded
from autograder.notebook.formats.read import read
from autograder.notebook.structure.regions import find_regions
from autograder.notebook.template.release import template_bytes
from autograder.notebook.template.variant import read_variants
from tests.support.damage.names import defined, needed, used

Notebook = dict[str, Any]
Cell = dict[str, Any]

FILE = "student-01.ipynb"
OTHER_ANSWERS = 0.5  # the share of answers that are not the solution's own, from seed 1 on


@dataclass(frozen=True)
class Base:
    """The right hand-in. ``blank``: an exercise's cell in the template. ``foreign``: code of
    other assignments that defines no name of this one."""

    notebook: Notebook
    blank: Mapping[str, str]
    foreign: tuple[str, ...]

    def copy(self) -> Notebook:
        """A notebook that may be changed."""
        return copy.deepcopy(self.notebook)


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


Make = Callable[[Base, Random], Damaged]
Change = Callable[[Notebook, Random, Base], None]


@dataclass(frozen=True)
class Kind:
    """One kind of damage: a pure function of the right hand-in and a seed."""

    name: str
    about: str
    make: Make


# ------------------------------------------------------------------ making the right one


def right_hand_in(loaded: Loaded, seed: int) -> Base:
    """The template with right answers, with every cell run once."""
    template = json.loads(template_bytes(loaded.solution, loaded.spec))
    for cell in template["cells"]:
        cell["source"] = "".join(cell["source"])
    blank = {cell["metadata"]["exercise"]: cell["source"] for cell in own(template)}
    names = {name.split(".")[0] for exercise in loaded.spec.exercise for name in exercise.defines}
    answers = _answers(loaded, Random(f"answers {seed}") if seed else None)
    notebook = copy.deepcopy(template)
    for cell in own(notebook):
        cell["source"] = answers[cell["metadata"]["exercise"]]
    for count, cell in enumerate(code(notebook), start=1):
        cell["execution_count"] = count
        cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": [f"ran {count}\n"]}]
    return Base(notebook, blank, _foreign(loaded, names))


def _answers(loaded: Loaded, random: Random | None) -> dict[str, str]:
    """Exercise -> the source of a right answer."""
    choices = {
        cell.exercise: [without_marks(cell.source)]
        for cell in read(loaded.solution).cells
        if cell.exercise and find_regions(cell.source)
    }
    for variant in read_variants(loaded.solutions / "equivalents"):
        choices[variant.exercise].append(variant.code.strip("\n"))
    if random is None:
        return {exercise: sources[0] for exercise, sources in choices.items()}
    return {
        exercise: random.choice(sources) if random.random() < OTHER_ANSWERS else sources[0]
        for exercise, sources in choices.items()
    }


def without_marks(source: str) -> str:
    """A solution's cell as a student would have written it."""
    lines = source.split("\n")
    marks = {number for region in find_regions(source) for number in (region.begin, region.end)}
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in marks)


def _foreign(loaded: Loaded, names: set[str]) -> tuple[str, ...]:
    others: Sequence[Path] = sorted(loaded.solutions.parent.glob("*/solution.py"))
    sources = [
        without_marks(cell.source)
        for path in others
        if path.parent != loaded.solutions
        for cell in read(path).cells
        if cell.kind == "code" and cell.exercise
    ]
    return tuple(source for source in sources if not names & defined(source))


# ------------------------------------------------------------------ cells


def code(notebook: Notebook) -> list[Cell]:
    """All code cells."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def own(notebook: Notebook) -> list[Cell]:
    """The cells that hold answers."""
    return [cell for cell in code(notebook) if cell["metadata"].get("exercise")]


def given(notebook: Notebook) -> list[Cell]:
    """The code cells that the template gives."""
    return [cell for cell in code(notebook) if not cell["metadata"].get("exercise")]


def text(notebook: Notebook) -> list[Cell]:
    """The cells that hold text."""
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "markdown"]


def imports(notebook: Notebook) -> Cell:
    """The given cell with the imports: the one that the most answers use."""
    needed = [used(cell["source"]) for cell in own(notebook)]
    return max(
        given(notebook),
        key=lambda cell: sum(bool(defined(cell["source"]) & names) for names in needed),
    )


def new_code(source: str, random: Random, metadata: Mapping[str, Any] | None = None) -> Cell:
    """A code cell as an editor adds it."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": f"{random.getrandbits(32):08x}",
        "metadata": dict(metadata or {}),
        "outputs": [],
        "source": source,
    }


def place(notebook: Notebook, cell: Cell) -> int:
    """The index of this very cell."""
    return next(at for at, other in enumerate(notebook["cells"]) if other is cell)


def some(cells: Sequence[Cell], random: Random) -> list[Cell]:
    """Half of the cells or more, in their order."""
    chosen = random.sample(range(len(cells)), random.randint((len(cells) + 1) // 2, len(cells)))
    return [cells[at] for at in sorted(chosen)]


def strip_metadata(notebook: Notebook) -> None:
    """Cells without any metadata, as many tools leave them."""
    for cell in notebook["cells"]:
        cell["metadata"] = {}


# ------------------------------------------------------------------ what follows from a loss


def dependents(notebook: Notebook, gone: Iterable[str]) -> dict[str, str]:
    """Exercise -> the first name of a lost one that its answer uses, itself or by another."""
    sources = {cell["metadata"]["exercise"]: cell["source"] for cell in own(notebook)}
    always = set().union(*map(_defines, given(notebook)))
    lost = set(gone)
    found: dict[str, str] = {}
    while True:
        out = lost | found.keys()
        missing = set().union(*(defined(sources[exercise]) for exercise in out)) - always
        more = {}
        for exercise, source in sources.items():
            kept = (s for other, s in sources.items() if other not in {*out, exercise})
            lacking = needed(source) & missing - set().union(*map(defined, kept))
            if exercise not in out and lacking:
                more[exercise] = f"uses `{min(lacking)}`"
        if not more:
            return found
        found |= more


def _defines(cell: Cell) -> set[str]:
    return defined(cell["source"])


# ------------------------------------------------------------------ writing


def written(
    notebook: Notebook,
    *,
    removed: Mapping[str, str] | None = None,
    spoiled: Mapping[str, str] | None = None,
) -> Damaged:
    """The notebook as Jupyter saves it: sources as lists of lines."""
    data = (json.dumps(saved(notebook), ensure_ascii=False, indent=1) + "\n").encode()
    return Damaged(data, removed=removed or {}, spoiled=spoiled or {})


def saved(notebook: Notebook) -> Notebook:
    """A copy whose sources are lists of lines."""
    notebook = copy.deepcopy(notebook)
    for cell in notebook["cells"]:
        if isinstance(cell, dict) and isinstance(cell.get("source"), str):
            cell["source"] = cell["source"].splitlines(keepends=True)
    return notebook


@dataclass(frozen=True)
class Harmless:
    """A damage that takes no code of an answer away: a change of the notebook, in place.

    ``bare``: and then all metadata of cells is lost on top of it.
    """

    change: Change
    bare: bool = False

    def __call__(self, base: Base, random: Random) -> Damaged:
        notebook = base.copy()
        self.change(notebook, random, base)
        if self.bare:
            strip_metadata(notebook)
        return written(notebook)


def harmless(change: Change) -> Make:
    """No code of an answer is taken away."""
    return Harmless(change)


def bare(change: Change) -> Make:
    """The same, and all metadata of cells is lost on top of it."""
    return Harmless(change, bare=True)
