"""Damage that takes an answer's code away, or a given cell: here points may be lost."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.support.damage.hand_in import (
    Base,
    Cell,
    Damaged,
    Kind,
    Make,
    Notebook,
    bare,
    dependents,
    given,
    harmless,
    imports,
    own,
    place,
    text,
    written,
)
from tests.support.damage.names import defined, used

Spoil = Callable[[Notebook, Cell, Base], None]


def _losing(spoil: Spoil, how: str, *, share: float = 0.0) -> Make:
    """One answer is lost, or a share of all."""

    def make(base: Base, random: Random) -> Damaged:
        notebook = base.copy()
        cells = own(notebook)
        chosen = random.sample(cells, k=max(1, round(share * len(cells))))
        removed = {cell["metadata"]["exercise"]: how for cell in chosen}
        for cell in chosen:
            spoil(notebook, cell, base)
        return written(notebook, removed=removed, spoiled=dependents(base.notebook, removed))

    return make


def _delete(notebook: Notebook, cell: Cell, base: Base) -> None:
    del notebook["cells"][place(notebook, cell)]


def _empty(notebook: Notebook, cell: Cell, base: Base) -> None:
    cell["source"] = ""


def _leave_blank(notebook: Notebook, cell: Cell, base: Base) -> None:
    cell["source"] = base.blank[cell["metadata"]["exercise"]]


def _comment_out(notebook: Notebook, cell: Cell, base: Base) -> None:
    cell["source"] = "\n".join(f"# {line}" for line in cell["source"].split("\n"))


def _turn_to(kind: str) -> Spoil:
    def spoil(notebook: Notebook, cell: Cell, base: Base) -> None:
        cell["cell_type"] = kind
        del cell["outputs"], cell["execution_count"]

    return spoil


def _begin_with(line: str) -> Spoil:
    def spoil(notebook: Notebook, cell: Cell, base: Base) -> None:
        cell["source"] = f"{line}\n{cell['source']}"

    return spoil


def _end_with_syntax_error(notebook: Notebook, cell: Cell, base: Base) -> None:
    cell["source"] += "\nprint('done'"


# ------------------------------------------------------------------ given cells


def _without_text(notebook: Notebook, random: Random, base: Base) -> None:
    for cell in text(notebook):
        del notebook["cells"][place(notebook, cell)]


def _without_unneeded(notebook: Notebook, random: Random, base: Base) -> None:
    needed = set().union(*(used(cell["source"]) for cell in own(notebook)))
    for cell in given(notebook):
        if not defined(cell["source"]) & needed:
            del notebook["cells"][place(notebook, cell)]


def _needed(notebook: Notebook, random: Random) -> Cell:
    """The imports or another given cell whose names answers use."""
    names = set().union(*(used(cell["source"]) for cell in own(notebook)))
    return random.choice([cell for cell in given(notebook) if defined(cell["source"]) & names])


def _without_needed(notebook: Notebook, random: Random, base: Base) -> None:
    _delete(notebook, _needed(notebook, random), base)


def _needed_as_text(notebook: Notebook, random: Random, base: Base) -> None:
    _turn_to("markdown")(notebook, _needed(notebook, random), base)


def _needed_emptied(notebook: Notebook, random: Random, base: Base) -> None:
    _needed(notebook, random)["source"] = ""


def _needed_fails_first(notebook: Notebook, random: Random, base: Base) -> None:
    line = random.choice(
        [
            "import seaborn as sns",
            "from google.colab import drive",
            "data = open('/home/student/data.csv').read()",
        ]
    )
    _begin_with(line)(notebook, _needed(notebook, random), base)


def _given_as_text(notebook: Notebook, random: Random, base: Base) -> None:
    for cell in given(notebook):
        _turn_to("markdown")(notebook, cell, base)


def _answers_alone(notebook: Notebook, random: Random, base: Base) -> None:
    notebook["cells"] = own(notebook)


def _own_imports(notebook: Notebook, random: Random, base: Base) -> None:
    """The given imports are gone; the first answer has them instead."""
    cell = imports(notebook)
    first = own(notebook)[0]
    first["source"] = f"{cell['source']}\n\n\n{first['source']}"
    _delete(notebook, cell, base)


def _imports_in_each(notebook: Notebook, random: Random, base: Base) -> None:
    """Each answer imports for itself; what else the given cell defines stays there."""
    cell = imports(notebook)
    lines = cell["source"].split("\n")
    taken = [line for line in lines if line.startswith(("import ", "from "))]
    cell["source"] = "import torch\n" + "\n".join(line for line in lines if line not in taken)
    for answer in own(notebook):
        answer["source"] = "\n".join([*taken, answer["source"]])


KINDS = (
    Kind("answer-deleted", "one answer's cell deleted", _losing(_delete, "deleted")),
    Kind(
        "answers-deleted-half",
        "half of the answers' cells deleted",
        _losing(_delete, "deleted", share=0.5),
    ),
    Kind(
        "answers-deleted-all", "every answer's cell deleted", _losing(_delete, "deleted", share=1)
    ),
    Kind("answer-emptied", "one answer's cell emptied", _losing(_empty, "emptied")),
    Kind(
        "answer-blank",
        "one answer never written: the template's cell as it was",
        _losing(_leave_blank, "never written"),
    ),
    Kind(
        "answer-commented-out",
        "every line of one answer commented out",
        _losing(_comment_out, "commented out"),
    ),
    Kind(
        "answer-as-text",
        "one answer's cell turned into text",
        _losing(_turn_to("markdown"), "is text"),
    ),
    Kind(
        "answer-as-raw",
        "one answer's cell turned into a raw cell",
        _losing(_turn_to("raw"), "is raw"),
    ),
    Kind(
        "answer-syntax-error",
        "a bracket that never closes, at the end of one answer",
        _losing(_end_with_syntax_error, "is not Python"),
    ),
    Kind(
        "answer-fails-first",
        "one answer begins with a file that is only on the student's disk",
        _losing(_begin_with("data = open('/home/student/data.csv').read()"), "never reached"),
    ),
    Kind(
        "answer-loops-first",
        "one answer begins with a loop that never ends",
        _losing(_begin_with("while True:\n    pass"), "never reached"),
    ),
    Kind("text-deleted", "every text cell deleted", harmless(_without_text)),
    Kind(
        "given-deleted",
        "every given cell deleted that no answer needs",
        harmless(_without_unneeded),
    ),
    Kind(
        "given-needed-deleted",
        "a given cell deleted whose names answers use",
        harmless(_without_needed),
    ),
    Kind("given-needed-emptied", "the same emptied", harmless(_needed_emptied)),
    Kind("given-needed-as-text", "the same turned into text", harmless(_needed_as_text)),
    Kind(
        "given-needed-fails",
        "the same, with a line on top that fails here",
        harmless(_needed_fails_first),
    ),
    Kind("given-as-text", "every given cell turned into text", harmless(_given_as_text)),
    Kind("answers-alone", "nothing left but the answers' cells", harmless(_answers_alone)),
    Kind("answers-alone-bare", "the same, no metadata at all", bare(_answers_alone)),
    Kind(
        "imports-moved",
        "the given imports deleted, the same at the top of the first answer",
        harmless(_own_imports),
    ),
    Kind(
        "imports-in-each",
        "the given imports deleted, each answer imports for itself",
        harmless(_imports_in_each),
    ),
)
