"""Damage by copies: cells that are there twice, blank ones, old attempts, whole notebooks."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

from tests.support.damage.hand_in import (
    Base,
    Cell,
    Change,
    Kind,
    Notebook,
    bare,
    harmless,
    new_code,
    own,
    place,
)

Twin = Callable[[Cell, Random, Base], Cell]


def _same(cell: Cell, random: Random, base: Base) -> Cell:
    return copy.deepcopy(cell)


def _without_mark(cell: Cell, random: Random, base: Base) -> Cell:
    return new_code(cell["source"], random)


def _blank(cell: Cell, random: Random, base: Base) -> Cell:
    return cell | {"source": base.blank[cell["metadata"]["exercise"]]}


def _blank_without_mark(cell: Cell, random: Random, base: Base) -> Cell:
    return new_code(base.blank[cell["metadata"]["exercise"]], random)


def _failing(cell: Cell, random: Random, base: Base) -> Cell:
    """An earlier attempt that stops before it has defined anything."""
    return new_code(f"assert 1 == 2, 'not yet'\n{cell['source']}", random)


def _twin(make: Twin, *, after: bool = True) -> Change:
    """A twin beside one answer."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        cell = random.choice(own(notebook))
        at = place(notebook, cell) + after
        notebook["cells"].insert(at, make(cell, random, base))

    return change


def _at_end(make: Twin) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        notebook["cells"].append(make(random.choice(own(notebook)), random, base))

    return change


def _of_each(make: Twin, *, after: bool) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for cell in own(notebook):
            notebook["cells"].insert(place(notebook, cell) + after, make(cell, random, base))

    return change


def _twice(notebook: Notebook, random: Random, base: Base) -> None:
    notebook["cells"] += copy.deepcopy(notebook["cells"])


def _template_in_front(notebook: Notebook, random: Random, base: Base) -> None:
    """The blank template in front of the finished notebook."""
    blank = base.copy()
    for cell in own(blank):
        cell["source"] = base.blank[cell["metadata"]["exercise"]]
    notebook["cells"][:0] = blank["cells"]


def _template_behind(notebook: Notebook, random: Random, base: Base) -> None:
    """The blank template below the finished notebook."""
    blank = base.copy()
    for cell in own(blank):
        cell["source"] = base.blank[cell["metadata"]["exercise"]]
    notebook["cells"] += blank["cells"]


KINDS = (
    Kind("copy-below", "one answer's cell copied below itself", harmless(_twin(_same))),
    Kind(
        "copy-below-unmarked", "the same, the copy without metadata", harmless(_twin(_without_mark))
    ),
    Kind("copy-at-end", "one answer's cell copied to the end", harmless(_at_end(_same))),
    Kind(
        "copy-at-end-unmarked",
        "the same, the copy without metadata",
        harmless(_at_end(_without_mark)),
    ),
    Kind(
        "copy-blank-above",
        "the template's empty cell left above one answer",
        harmless(_twin(_blank, after=False)),
    ),
    Kind(
        "copy-blank-below",
        "the template's empty cell left below one answer",
        harmless(_twin(_blank)),
    ),
    Kind(
        "copy-blank-below-unmarked",
        "the same, the empty cell without metadata",
        harmless(_twin(_blank_without_mark)),
    ),
    Kind(
        "copy-blank-at-end",
        "the template's empty cell of one answer at the end",
        harmless(_at_end(_blank)),
    ),
    Kind(
        "copy-blank-above-bare",
        "empty cells of all answers above them, no metadata at all",
        bare(_of_each(_blank, after=False)),
    ),
    Kind(
        "copy-blank-below-bare",
        "empty cells of all answers below them, no metadata at all",
        bare(_of_each(_blank, after=True)),
    ),
    Kind(
        "copy-failed-above",
        "an older attempt above one answer that fails at once",
        harmless(_twin(_failing, after=False)),
    ),
    Kind(
        "copy-failed-below",
        "an older attempt below one answer that fails at once",
        harmless(_twin(_failing)),
    ),
    Kind("notebook-twice", "the whole notebook twice in one", harmless(_twice)),
    Kind("notebook-twice-bare", "the same, no metadata at all", bare(_twice)),
    Kind(
        "template-in-front",
        "the blank template in front of the finished notebook",
        harmless(_template_in_front),
    ),
    Kind(
        "template-behind",
        "the blank template behind the finished notebook",
        harmless(_template_behind),
    ),
    Kind("template-behind-bare", "the same, no metadata at all", bare(_template_behind)),
)
