"""Damage by cutting and joining: cells split between statements, cells merged."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random
from typing import Literal

from tests.support.damage.hand_in import (
    Base,
    Cell,
    Change,
    Kind,
    Notebook,
    bare,
    code,
    given,
    harmless,
    new_code,
    own,
    place,
)

Keeps = Literal["first", "last", "all", "none"]
Choose = Callable[[Notebook, Random], Sequence[Cell]]

_KEEPS: dict[Keeps, str] = {
    "first": "the first",
    "last": "the last",
    "all": "each",
    "none": "none of them",
}


def blocks(source: str) -> list[str]:
    """The cell cut wherever a cut changes nothing when the parts are run one after the other.

    From the first statement that draws, all stays together: a cell's figure is shown and gone
    when the cell ends, in every notebook.
    """
    lines = source.split("\n")
    ends = [0]
    for node in ast.parse(source).body:
        begin = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", ()))])
        if begin <= ends[-1]:  # a second statement on one line
            ends.pop()
        elif "plt." in "\n".join(lines[ends[-1] : begin - 1]):
            break
        ends.append(node.end_lineno or begin)
        if "plt." in "\n".join(lines[ends[-2] : ends[-1]]):
            break
    ends[-1] = len(lines)
    return ["\n".join(lines[start:end]).strip("\n") for start, end in pairwise(ends)]


def split(
    notebook: Notebook, cell: Cell, parts: Sequence[str], keeps: Keeps, random: Random
) -> None:
    """Put new cells in the place of one."""
    last = len(parts) - 1
    marked = {"first": {0}, "last": {last}, "all": {*range(last + 1)}, "none": set[int]()}[keeps]
    made = [
        new_code(part, random, cell["metadata"] if at in marked else {})
        for at, part in enumerate(parts)
    ]
    at = place(notebook, cell)
    notebook["cells"][at : at + 1] = made


def _divisible(notebook: Notebook) -> list[Cell]:
    return [cell for cell in own(notebook) if len(blocks(cell["source"])) > 1]


def _split_one(keeps: Keeps) -> Change:
    """One answer in two parts."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        cell = random.choice(_divisible(notebook))
        found = blocks(cell["source"])
        at = random.randrange(1, len(found))
        parts = ["\n\n".join(found[:at]), "\n\n".join(found[at:])]
        split(notebook, cell, parts, keeps, random)

    return change


def _split_all(keeps: Keeps) -> Change:
    """Every answer in as many parts as it has."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for cell in _divisible(notebook):
            split(notebook, cell, blocks(cell["source"]), keeps, random)

    return change


# ------------------------------------------------------------------ merging


def merge(notebook: Notebook, cells: Sequence[Cell]) -> None:
    """All into the first of them, as an editor does: the others' metadata are lost."""
    source = "\n\n".join(cell["source"] for cell in cells)
    for cell in cells[1:]:
        del notebook["cells"][place(notebook, cell)]
    cells[0]["source"] = source


def _merge(choose: Choose) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        merge(notebook, choose(notebook, random))

    return change


def _neighbours(count: int) -> Choose:
    def choose(notebook: Notebook, random: Random) -> Sequence[Cell]:
        answers = own(notebook)
        at = random.randrange(len(answers) - count + 1)
        return answers[at : at + count]

    return choose


def _with_below(notebook: Notebook, random: Random) -> Sequence[Cell]:
    """An answer and the code below it."""
    cells = code(notebook)
    at = random.choice([at for at, cell in enumerate(cells[:-1]) if cell in own(notebook)])
    return cells[at : at + 2]


def _with_above(notebook: Notebook, random: Random) -> Sequence[Cell]:
    """An answer and the given code above it, whose metadata stay."""
    cells = code(notebook)
    mine = own(notebook)
    pairs = [at for at in range(1, len(cells)) if cells[at] in mine and cells[at - 1] not in mine]
    at = random.choice(pairs)
    return cells[at - 1 : at + 1]


def _given(notebook: Notebook, random: Random) -> Sequence[Cell]:
    """The first two given cells."""
    return given(notebook)[:2]


def _merge_parts(notebook: Notebook, random: Random, base: Base) -> None:
    """Two to four cells hold all the code."""
    cells = code(notebook)
    cuts = sorted(random.sample(range(1, len(cells)), random.randint(1, 3)))
    for start, end in pairwise([0, *cuts, len(cells)]):
        merge(notebook, cells[start:end])


def _merge_answers(notebook: Notebook, random: Random, base: Base) -> None:
    """All answers in the place of the last one, below all that is given before it."""
    answers = own(notebook)
    source = "\n\n".join(cell["source"] for cell in answers)
    for cell in answers[:-1]:
        del notebook["cells"][place(notebook, cell)]
    answers[-1]["source"] = source


def _merge_all(notebook: Notebook, random: Random, base: Base) -> None:
    merge(notebook, code(notebook))


def _merge_all_marked(notebook: Notebook, random: Random, base: Base) -> None:
    """The one cell says that it belongs to some exercise."""
    mark = random.choice(own(notebook))["metadata"]
    merge(notebook, code(notebook))
    code(notebook)[0]["metadata"] = mark


KINDS = (
    *(
        Kind(
            f"split-{keeps}",
            f"one answer split in two cells, metadata on {where}",
            harmless(_split_one(keeps)),
        )
        for keeps, where in _KEEPS.items()
    ),
    *(
        Kind(
            f"split-all-{keeps}",
            f"every answer cut after each statement, metadata on {where}",
            harmless(_split_all(keeps)),
        )
        for keeps, where in _KEEPS.items()
    ),
    Kind(
        "split-bare", "one answer split in two cells, no metadata at all", bare(_split_one("all"))
    ),
    Kind(
        "split-all-bare",
        "every answer cut after each statement, no metadata at all",
        bare(_split_all("all")),
    ),
    Kind("merge-below", "one answer merged with the code below it", harmless(_merge(_with_below))),
    Kind(
        "merge-above",
        "one answer merged into the given cell above it",
        harmless(_merge(_with_above)),
    ),
    Kind("merge-given", "the first two given cells merged", harmless(_merge(_given))),
    Kind("merge-2", "two answers merged", harmless(_merge(_neighbours(2)))),
    Kind("merge-3", "three answers merged", harmless(_merge(_neighbours(3)))),
    Kind("merge-2-bare", "two answers merged, no metadata at all", bare(_merge(_neighbours(2)))),
    Kind("merge-parts", "all code in two to four cells", harmless(_merge_parts)),
    Kind("merge-parts-bare", "the same, no metadata at all", bare(_merge_parts)),
    Kind("merge-answers", "all answers in the place of the last one", harmless(_merge_answers)),
    Kind("merge-all", "all code in one cell", harmless(_merge_all)),
    Kind(
        "merge-all-marked",
        "all code in one cell that is marked as one exercise's",
        harmless(_merge_all_marked),
    ),
    Kind("merge-all-bare", "all code in one cell, no metadata at all", bare(_merge_all)),
)
