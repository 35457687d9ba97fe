"""What is done to a notebook: the functions that tests/cases/damage.yaml names, and all changes.

docs/notebooks.md says in words what each kind is.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from inspect import signature
from itertools import pairwise
from typing import Any

from tests.support.cases import CASES, read_files
from tests.support.damage import sources
from tests.support.damage.sources import blocks, defined, needed, used, used_inside
from tests.support.damage.submission import Cell, Change, Draft, answers, code, given, text
from tests.support.tables import read_table

TABLE = read_table(CASES / "damage.yaml")
CELLS = {name: code.removesuffix("\n") for name, code in read_files("damage_cells.txt").items()}

# ------------------------------------------------------------------ which cells


def others(nb: Draft) -> list[Cell]:
    own = answers(nb)
    return [cell for cell in nb.cells if cell not in own]


def imports(nb: Draft) -> list[Cell]:
    """The given cell with the imports: the one that the most answers use."""
    users = [used(cell["source"]) for cell in answers(nb)]
    return [max(given(nb), key=lambda cell: sum(bool(defined(cell["source"]) & n) for n in users))]


def template(nb: Draft) -> list[Cell]:
    """The cells of the blank template."""
    found = Draft(nb.base, nb.random)
    for cell in answers(found):
        cell["source"] = nb.base.blank[cell["metadata"]["exercise"]]
    return found.cells


WHICH: Mapping[str, Callable[[Draft], list[Any]]] = {
    "all": lambda nb: list(nb.cells),
    "all again": lambda nb: copy.deepcopy(nb.cells),
    "answers": answers,
    "code": code,
    "given": given,
    "imports": imports,
    "notebook": lambda nb: [nb],
    "others": others,
    "template": template,
    "text": text,
}


def names_of(found: Sequence[Cell], names: Callable[[str], set[str]]) -> set[str]:
    return set[str]().union(*(names(cell["source"]) for cell in found))


def is_needed(nb: Draft, cell: Cell) -> bool:
    """Whether answers use names of this cell."""
    return bool(defined(cell["source"]) & names_of(answers(nb), used))


def keeps_nothing(nb: Draft, cell: Cell) -> bool:
    """Whether it binds no name anew that it uses: a local one would not be there before."""
    return not needed(cell["source"]) & defined(cell["source"])


def is_untrained(nb: Draft, cell: Cell) -> bool:
    """Whether it neither trains nor calls what trains: nothing learns without gradients."""
    training = [c for c in answers(nb) if "grad" in c["source"] or "backward" in c["source"]]
    return cell not in training and not used(cell["source"]) & names_of(training, defined)


def fits_a_class(nb: Draft, cell: Cell) -> bool:
    """Functions see nothing of a class around them."""
    inside = used_inside(cell["source"]) & defined(cell["source"])
    return not inside and keeps_nothing(nb, cell)


SUITS: Mapping[str, Callable[[Draft, Cell], bool]] = {
    "": lambda nb, cell: True,
    "divisible": lambda nb, cell: len(blocks(cell["source"])) > 1,
    "fits a class": fits_a_class,
    "keeps nothing": keeps_nothing,
    "needed": is_needed,
    "unneeded": lambda nb, cell: not is_needed(nb, cell),
    "untrained": is_untrained,
}


def some(nb: Draft, found: list[Cell]) -> list[Cell]:
    """Half of the cells or more, in their order."""
    count = nb.random.randint((len(found) + 1) // 2, len(found))
    return [found[at] for at in sorted(nb.random.sample(range(len(found)), count))]


PICK: Mapping[str, Callable[[Draft, list[Cell]], list[Cell]]] = {
    "all": lambda nb, found: found,
    "every third": lambda nb, found: found[1::3],
    "first two": lambda nb, found: found[:2],
    "half": lambda nb, found: nb.random.sample(found, max(1, round(0.5 * len(found)))),
    "one": lambda nb, found: [nb.random.choice(found)],
    "some": some,
    "two": lambda nb, found: nb.random.sample(found, 2),
}


def neighbours(nb: Draft, found: list[Cell], runs: Sequence[str]) -> list[Cell]:
    """Cells one after the other that are answers (a) and given (g) as one of these says."""
    own, count = answers(nb), len(runs[0])
    signs = "".join("a" if cell in own else "g" for cell in found)
    starts = [at for at in range(len(found)) if signs[at : at + count] in runs]
    start = nb.random.choice(starts)
    return found[start : start + count]


# ------------------------------------------------------------------ what is done to each cell


def put(
    nb: Draft,
    cell: Cell,
    values: Mapping[str, Any] = {},
    one_of: Mapping[str, Sequence[Any]] = {},
    drop: Sequence[str] = (),
) -> None:
    """Other values of these keys, or one of several; without those of ``drop``."""
    cell |= {key: nb.random.choice(choices) for key, choices in one_of.items()}
    cell |= copy.deepcopy(values)
    for key in drop:
        del cell[key]


def mark(nb: Draft, cell: Cell, **more: Any) -> None:
    """More metadata."""
    cell["metadata"] = dict(cell["metadata"])
    put(nb, cell["metadata"], **more)


def nest(nb: Draft, cell: Cell) -> None:
    for _ in range(60):
        cell["metadata"]["deep"] = {"more": [cell["metadata"].get("deep", 1)]}


def retype(nb: Draft, cell: Cell, kind: str) -> None:
    """No code any more."""
    put(nb, cell, values={"cell_type": kind}, drop=["outputs", "execution_count"])


def filled(nb: Draft, cell: Cell, source: str | Sequence[str]) -> str:
    """Code in which words stand for parts of this cell; of several one."""
    made = source if isinstance(source, str) else nb.random.choice(source)
    exercise = cell["metadata"].get("exercise", "")
    made = made.replace("EXERCISE", exercise).replace("BLANK", nb.base.blank.get(exercise, ""))
    return made.replace("SOURCE", cell["source"])


def write(nb: Draft, cell: Cell, source: str | Sequence[str]) -> None:
    cell["source"] = filled(nb, cell, source)


def place_of(nb: Draft, cell: Cell, where: str) -> int:
    match where:
        case "top":
            return 0
        case "end":
            return len(nb.cells)
    return nb.place(cell) + (where == "below")


def insert(
    nb: Draft, cell: Cell, where: str, source: str | Sequence[str] = "SOURCE", new: bool = False
) -> None:
    """A copy with this source, or a new cell without metadata."""
    made = filled(nb, cell, source)
    other = nb.new(made) if new else copy.deepcopy(cell) | {"source": made}
    nb.cells.insert(place_of(nb, cell, where), other)


def move(nb: Draft, cell: Cell, where: str) -> None:
    delete(nb, [cell])
    nb.cells.insert(place_of(nb, cell, where), cell)


def split(nb: Draft, cell: Cell, keeps: str, fully: bool = False) -> None:
    """New cells in the place of one: two, or as many as it can be cut into. ``keeps``: which of
    them keep its metadata."""
    made = blocks(cell["source"])
    if not fully:
        at = nb.random.randrange(1, len(made))
        made = ["\n\n".join(made[:at]), "\n\n".join(made[at:])]
    marked = {"first": made[:1], "last": made[-1:], "all": made, "none": []}[keeps]
    new = [nb.new(part, cell["metadata"] if part in marked else {}) for part in made]
    at = nb.place(cell)
    nb.cells[at : at + 1] = new


def rename(nb: Draft, cell: Cell) -> None:
    cell["id"] = f"{nb.random.getrandbits(64):016x}"


def unlock(nb: Draft, cell: Cell) -> None:
    cell["metadata"] = {k: value for k, value in cell["metadata"].items() if k == "exercise"}


def foreign_tag(nb: Draft, cell: Cell) -> None:
    cell["metadata"] = {"exercise": f"week-{cell['id']}"}


def odd_metadata(nb: Draft, cell: Cell) -> None:
    """The keys are there, what they hold is of no sensible type."""
    odd: list[Any] = [None, 3, [], {}, ["a"], True, "", "no such exercise", "x" * 500]
    keys = ("exercise", "locked", "tags", "deletable", "jupyter", "vscode")
    cell["metadata"] = {
        key: nb.random.choice([*odd, "yes", 1] if key == "locked" else odd) for key in keys
    }


def picture(nb: Draft, size: int) -> str:
    return base64.b64encode(nb.random.randbytes(size)).decode()


def huge_output(nb: Draft, cell: Cell) -> None:
    data = {"image/png": picture(nb, 400_000)}
    cell["outputs"] = [{"output_type": "display_data", "metadata": {}, "data": data}]


def paste_picture(nb: Draft, cell: Cell) -> None:
    """As text and as an attachment."""
    data = picture(nb, 600_000)
    cell["source"] += f"\n\n![mine](data:image/png;base64,{data})"
    cell["attachments"] = {"mine.png": {"image/png": data}}


def wrap(nb: Draft, cell: Cell, by: Sequence[str]) -> None:
    """The last one is the outermost."""
    for name in by:
        cell["source"] = sources.wrapped(cell["source"], name)


def restyle(nb: Draft, cell: Cell, style: str, **more: Any) -> None:
    cell["source"] = vars(sources)[style](cell["source"], **more)


def put_between(nb: Draft, cell: Cell, lines: Sequence[str]) -> None:
    """One of the lines put between statements, about every second time."""
    ends = sources.statement_ends(cell["source"])
    made = []
    for number, line in enumerate(cell["source"].split("\n"), start=1):
        made.append(line)
        if number in ends and nb.random.random() < 0.5:
            made.append(nb.random.choice(lines))
    cell["source"] = "\n".join(made)


def long_comment(nb: Draft, cell: Cell) -> None:
    """More text than a parser is given, with what looks like code in it."""
    count = nb.random.randint(2_000, 6_000)
    lines = [f"# {nb.random.getrandbits(200):060x} = 1" for _ in range(count)]
    cell["source"] = "\n".join([*lines, cell["source"]])


# ------------------------------------------------------------------ what is done to several


def delete(nb: Draft, cells: list[Cell]) -> None:
    for cell in cells:
        del nb.cells[nb.place(cell)]


def merge(nb: Draft, cells: list[Cell], into: int = 0) -> None:
    """All into one of them, as an editor does: the others' metadata are lost."""
    kept = cells[into]
    kept["source"] = "\n\n".join(cell["source"] for cell in cells)
    delete(nb, [cell for cell in cells if cell is not kept])


def reverse(nb: Draft, cells: list[Cell]) -> None:
    nb.arrange(cells, cells[::-1])


def shuffle(nb: Draft, cells: list[Cell]) -> None:
    """Among their places."""
    nb.arrange(cells, nb.random.sample(cells, len(cells)))


def deal(nb: Draft, cells: list[Cell], key: str) -> None:
    """What they have there, shuffled among them."""
    values = [cell[key] for cell in cells]
    nb.random.shuffle(values)
    for cell, value in zip(cells, values, strict=True):
        cell[key] = value


def swap_metadata(nb: Draft, cells: list[Cell]) -> None:
    one, other = cells
    one["metadata"], other["metadata"] = other["metadata"], one["metadata"]


# ------------------------------------------------------------------ what is done to the notebook


def order(nb: Draft, groups: Sequence[str]) -> None:
    """These cells one after the other, and no others."""
    nb["cells"] = [cell for name in groups for cell in WHICH[name](nb)]


def shuffle_all(nb: Draft) -> None:
    nb.random.shuffle(nb.cells)


def move_imports(nb: Draft) -> None:
    """The first answer has them instead."""
    (cell,), first = imports(nb), answers(nb)[0]
    first["source"] = f"{cell['source']}\n\n\n{first['source']}"
    delete(nb, [cell])


def import_in_each(nb: Draft) -> None:
    """Each answer imports for itself; what else the given cell defines stays there."""
    (cell,) = imports(nb)
    lines = cell["source"].split("\n")
    taken = [line for line in lines if line.startswith(("import ", "from "))]
    cell["source"] = "import torch\n" + "\n".join(line for line in lines if line not in taken)
    for answer in answers(nb):
        answer["source"] = "\n".join([*taken, answer["source"]])


def merge_parts(nb: Draft) -> None:
    """Two to four cells hold all the code."""
    found = code(nb)
    cuts = sorted(nb.random.sample(range(1, len(found)), nb.random.randint(1, 3)))
    for start, end in pairwise([0, *cuts, len(found)]):
        merge(nb, found[start:end])


def tag_all_as_one(nb: Draft) -> None:
    chosen = nb.random.choice(answers(nb))["metadata"]
    for cell in code(nb):
        cell["metadata"] = chosen


def parts_missing(nb: Draft) -> None:
    """Cells that lack what the format asks for, and things that are no cells."""
    for cell in nb.cells:
        for key in nb.random.sample(["id", "outputs", "execution_count"], 2):
            cell.pop(key, None)
    for thing in (None, "text", 3, [], {}):
        nb.cells.insert(nb.random.randrange(len(nb.cells) + 1), thing)


def tool(
    nb: Draft, minor: int, each: dict[str, Any], metadata: dict[str, Any], first: str = ""
) -> None:
    """Through a tool that marks each cell and the notebook, and puts a cell of its own first."""
    nb.update(nbformat_minor=minor, metadata=copy.deepcopy(metadata))
    nb.cells[:0] = [nb.new(CELLS[first])] if first else []
    for cell in nb.cells:
        mark(nb, cell, values=each)
        del cell["id"]


def any_tool(nb: Draft, marks: Sequence[Mapping[str, Any]]) -> None:
    """Deepnote, Databricks or PyCharm: their own marks, and none of ours."""
    chosen = nb.random.choice(marks)
    for cell in nb.cells:
        cell["metadata"] = chosen
    nb["metadata"] = {"language_info": {"name": "python"}}


# ------------------------------------------------------------------ cells of no exercise

ENDLESS = ("stray-sleep", "stray-memory", "stray-loop", "stray-loop-caught")  # they cost a limit


def stray(nb: Draft, source: str) -> None:
    """At any place."""
    made = source.replace("{assignment}", nb["metadata"]["autograder"]["assignment"])
    at = nb.random.randrange(len(nb.cells) + 1)
    nb.cells.insert(at, nb.new(made))


def stray_ten(nb: Draft) -> None:
    quick = [*(name for name in CELLS if name.startswith("stray-")), "stray-empty"]
    for name in nb.random.sample([name for name in quick if name not in ENDLESS], 10):
        CHANGES[name](nb)


def append(nb: Draft, source: str) -> None:
    nb.cells.append(nb.new(source))


def end_overwritten(nb: Draft, each: str) -> None:
    """What all answers but the last define. By the rule, what stands below the last one and
    defines its names again is its answer."""
    *before, last = answers(nb)
    names = sorted(names_of(before, defined) - defined(last["source"]))
    append(nb, "\n".join(each.replace("NAME", name) for name in names).rstrip())


def end_deleted(nb: Draft) -> None:
    append(nb, f"del {', '.join(sorted(names_of(answers(nb), defined)))}")


def end_trained(nb: Draft) -> None:
    """Every table and tensor of the answers is changed in place. Not what a function of theirs
    reads by its name: that function then says what the table says now."""
    right = answers(nb.base.notebook)
    names = sorted(names_of(right, defined) - names_of(right, used_inside))
    append(nb, CELLS["training"].replace("NAMES", repr(names)))


def end_foreign(nb: Draft) -> None:
    for source in nb.random.sample(nb.base.foreign, min(6, len(nb.base.foreign))):
        append(nb, source)


def delete_once_used(nb: Draft) -> None:
    """After each answer, what it defines and nothing below uses."""
    found = code(nb)
    for at, cell in reversed(list(enumerate(found))):
        names = sorted(defined(cell["source"]) - names_of(found[at + 1 :], used))
        if cell in answers(nb) and names:
            nb.cells.insert(nb.place(cell) + 1, nb.new(f"del {', '.join(names)}"))


def delete_too_early(nb: Draft) -> None:
    """A stray cell deletes what one answer defines and a later one uses."""
    own = answers(nb)
    choices = [
        (cell, name)
        for at, cell in enumerate(own)
        for other in own[at + 1 :]
        for name in sorted(defined(cell["source"]) & used(other["source"]))
    ]
    cell, name = nb.random.choice(choices)
    nb.cells.insert(nb.place(cell) + 1, nb.new(f"del {name}"))


# ------------------------------------------------------------------ several at once

STEPS = [name for names in TABLE["steps"] for name in names]


def bad_day(nb: Draft) -> None:
    """Three to six steps, and at last what a tool leaves."""
    chosen = sorted(nb.random.sample(range(len(STEPS)), nb.random.randint(3, 6)))
    for name in [*(STEPS[at] for at in chosen), nb.random.choice(TABLE["last"])]:
        CHANGES[name](nb)


def bad_week(nb: Draft) -> None:
    for name in STEPS:
        CHANGES[name](nb)


# ------------------------------------------------------------------ the table


def done(
    do: str,
    cells: str = "all",
    suits: str = "",
    pick: str = "all",
    runs: Sequence[str] = (),
    lost: str = "",
    **more: Any,
) -> Change:
    """One row of the table, as it explains itself. The function ``do`` takes ``cell``, and is
    called for each, or ``cells``, or the notebook alone."""
    act = globals()[do]
    takes = signature(act).parameters

    def change(nb: Draft) -> None:
        found = [cell for cell in WHICH[cells](nb) if SUITS[suits](nb, cell)]
        found = neighbours(nb, found, runs) if runs else PICK[pick](nb, found)
        if lost:
            nb.removed |= {cell["metadata"]["exercise"]: lost for cell in found}
        if "cells" in takes:
            act(nb, found, **more)
        else:
            for cell in found:
                act(nb, cell, **more)

    return change if takes.keys() & {"cell", "cells"} else partial(act, **more)


def together(*changes: Change) -> Change:
    """One after the other."""

    def change(nb: Draft) -> None:
        for one in changes:
            one(nb)

    return change


def all_done(rows: Sequence[Mapping[str, Any]]) -> Change:
    return together(*(done(**row) for row in rows))


def read_changes(table: Mapping[str, Any]) -> dict[str, Change]:
    """Name -> change, in the order of the table."""
    found: dict[str, Change] = {}
    for name, row in table.items():
        if name.endswith("*"):
            frame = row.get("source", "CODE")
            for own, code in CELLS.items():
                if own.startswith(name[:-1]):
                    found[own] = done(**row | {"source": frame.replace("CODE", code)})
        else:
            found[name] = all_done([row] if "do" in row else row)
    return found


CHANGES = read_changes(TABLE["changes"])
STRIPPED = CHANGES["metadata-stripped"]
