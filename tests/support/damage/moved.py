"""Damage by order: cells swapped, moved, shuffled, reversed. Nothing is missing."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

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
    imports,
    own,
    place,
)


def _swap_neighbours(notebook: Notebook, random: Random, base: Base) -> None:
    answers = own(notebook)
    at = random.randrange(len(answers) - 1)
    _swap(notebook, answers[at], answers[at + 1])


def _swap_any(notebook: Notebook, random: Random, base: Base) -> None:
    _swap(notebook, *random.sample(own(notebook), 2))


def _swap_with_given(notebook: Notebook, random: Random, base: Base) -> None:
    """An answer and the code cell next to it."""
    cells = code(notebook)
    pairs = [
        at
        for at in range(len(cells) - 1)
        if (cells[at] in own(notebook)) != (cells[at + 1] in own(notebook))
    ]
    at = random.choice(pairs)
    _swap(notebook, cells[at], cells[at + 1])


def _swap(notebook: Notebook, one: Cell, other: Cell) -> None:
    first, second = place(notebook, one), place(notebook, other)
    notebook["cells"][first], notebook["cells"][second] = other, one


def _to(index: int) -> Change:
    """One answer to the top (0) or to the bottom (-1)."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        _move(notebook, random.choice(own(notebook)), index)

    return change


def _imports_to_end(notebook: Notebook, random: Random, base: Base) -> None:
    _move(notebook, imports(notebook), -1)


def _given_to_end(notebook: Notebook, random: Random, base: Base) -> None:
    """Any one given cell."""
    _move(notebook, random.choice(given(notebook)), -1)


def _move(notebook: Notebook, cell: Cell, index: int) -> None:
    cells = notebook["cells"]
    del cells[place(notebook, cell)]
    cells.insert(index if index >= 0 else len(cells), cell)


def _shuffle_answers(notebook: Notebook, random: Random, base: Base) -> None:
    """Answers shuffled among their places."""
    answers = own(notebook)
    _put(notebook, answers, random.sample(answers, len(answers)))


def _reverse_answers(notebook: Notebook, random: Random, base: Base) -> None:
    answers = own(notebook)
    _put(notebook, answers, answers[::-1])


def _put(notebook: Notebook, places: Sequence[Cell], cells: Sequence[Cell]) -> None:
    free = [place(notebook, cell) for cell in places]
    for at, cell in zip(free, cells, strict=True):
        notebook["cells"][at] = cell


def _answers_first(notebook: Notebook, random: Random, base: Base) -> None:
    answers = own(notebook)
    rest = [cell for cell in notebook["cells"] if cell not in answers]
    notebook["cells"] = answers + rest


def _answers_last(notebook: Notebook, random: Random, base: Base) -> None:
    answers = own(notebook)
    rest = [cell for cell in notebook["cells"] if cell not in answers]
    notebook["cells"] = rest + answers


def _reverse(notebook: Notebook, random: Random, base: Base) -> None:
    notebook["cells"].reverse()


def _shuffle(notebook: Notebook, random: Random, base: Base) -> None:
    random.shuffle(notebook["cells"])


def _shuffle_code(notebook: Notebook, random: Random, base: Base) -> None:
    """Code cells shuffled among their places; the texts stay."""
    cells = code(notebook)
    _put(notebook, cells, random.sample(cells, len(cells)))


KINDS = (
    Kind("swap-neighbours", "two neighbouring answers swapped", harmless(_swap_neighbours)),
    Kind("swap-any", "any two answers swapped", harmless(_swap_any)),
    Kind("swap-any-bare", "any two answers swapped, no metadata at all", bare(_swap_any)),
    Kind(
        "swap-with-given",
        "one answer swapped with the code cell beside it",
        harmless(_swap_with_given),
    ),
    Kind("to-top", "one answer moved to the top, above the imports", harmless(_to(0))),
    Kind("to-bottom", "one answer moved to the bottom", harmless(_to(-1))),
    Kind("imports-last", "the imports moved to the bottom", harmless(_imports_to_end)),
    Kind("given-last", "any one given cell moved to the bottom", harmless(_given_to_end)),
    Kind("answers-shuffled", "answers shuffled among their places", harmless(_shuffle_answers)),
    Kind("answers-shuffled-bare", "the same, no metadata at all", bare(_shuffle_answers)),
    Kind("answers-reversed", "answers in reverse order", harmless(_reverse_answers)),
    Kind("answers-first", "all answers above all that is given", harmless(_answers_first)),
    Kind("answers-last", "all answers below all that is given", harmless(_answers_last)),
    Kind("reversed", "every cell in reverse order", harmless(_reverse)),
    Kind("reversed-bare", "the same, no metadata at all", bare(_reverse)),
    Kind("code-shuffled", "all code cells shuffled among their places", harmless(_shuffle_code)),
    Kind("shuffled", "every cell shuffled", harmless(_shuffle)),
    Kind("shuffled-bare", "every cell shuffled, no metadata at all", bare(_shuffle)),
)
