"""Damage of a notebook: tables of names and of what is done, by actions on chosen cells.

docs/notebooks.md says in words what each kind is.
"""

from __future__ import annotations

import base64
import copy
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from tests.support.cases import CASES, read_files
from tests.support.damage import sources
from tests.support.damage.sources import blocks, defined, needed, used, used_inside
from tests.support.damage.submission import (
    Cell,
    Change,
    Draft,
    answers,
    code,
    given,
    text,
)
from tests.support.tables import read_table

Choose = Callable[[Draft], Sequence[Cell]]


TABLE = read_table(CASES / "damage.yaml")

# ------------------------------------------------------------------ which cells


def everything(nb: Draft) -> list[Cell]:
    return list(nb.cells)


def one(choose: Choose) -> Choose:
    return lambda nb: [nb.random.choice(choose(nb))]


def share(part: float, choose: Choose) -> Choose:
    """So large a part of the cells, at any places, and at least one."""

    def chosen(nb: Draft) -> list[Cell]:
        found = choose(nb)
        return nb.random.sample(found, max(1, round(part * len(found))))

    return chosen


def some(choose: Choose) -> Choose:
    """Half of the cells or more, in their order."""

    def chosen(nb: Draft) -> list[Cell]:
        found = choose(nb)
        count = nb.random.randint((len(found) + 1) // 2, len(found))
        return [found[at] for at in sorted(nb.random.sample(range(len(found)), count))]

    return chosen


def only(choose: Choose, suits: Callable[[Draft, Cell], bool]) -> Choose:
    return lambda nb: [cell for cell in choose(nb) if suits(nb, cell)]


def names_of(found: Sequence[Cell], names: Callable[[str], set[str]]) -> set[str]:
    return set[str]().union(*(names(cell["source"]) for cell in found))


def is_needed(nb: Draft, cell: Cell) -> bool:
    """Whether answers use names of this cell."""
    return bool(defined(cell["source"]) & names_of(answers(nb), used))


def is_unneeded(nb: Draft, cell: Cell) -> bool:
    return not is_needed(nb, cell)


def is_divisible(nb: Draft, cell: Cell) -> bool:
    return len(blocks(cell["source"])) > 1


def imports(nb: Draft) -> list[Cell]:
    """The given cell with the imports: the one that the most answers use."""
    users = [used(cell["source"]) for cell in answers(nb)]
    return [max(given(nb), key=lambda cell: sum(bool(defined(cell["source"]) & n) for n in users))]


# A needed cell: the imports or another given cell whose names answers use.
NEEDED = one(only(given, is_needed))
DIVISIBLE = only(answers, is_divisible)


# ------------------------------------------------------------------ what is done to them

DROP: Any = object()


def on(
    choose: Choose, act: Callable[..., object], *args: Any, lost: str = "", **more: Any
) -> Change:
    """Call ``act(nb, cell, *args, **more)`` for each of these cells.

    ``lost``: how the code of their exercises is taken away by it.
    """

    def change(nb: Draft) -> None:
        for cell in choose(nb):
            if lost:
                nb.removed[cell["metadata"]["exercise"]] = lost
            act(nb, cell, *args, **more)

    return change


def together(*changes: Change) -> Change:
    """One after the other."""

    def change(nb: Draft) -> None:
        for one in changes:
            one(nb)

    return change


def order(*groups: Choose) -> Change:
    """These cells one after the other, and no others."""
    return lambda nb: nb.update(cells=[cell for choose in groups for cell in choose(nb)])


def any_of(*values: Any) -> Callable[..., Any]:
    return lambda nb, cell=None: nb.random.choice(values)


def put(nb: Draft, cell: Cell, **values: Any) -> None:
    """Other values of these keys: what a function says for the cell, or ``DROP`` for none."""
    for key, value in values.items():
        if value is DROP:
            del cell[key]
        else:
            cell[key] = value(nb, cell) if callable(value) else value


def mark(nb: Draft, cell: Cell, **values: Any) -> None:
    """More metadata: what is there, or what a function says for the cell."""
    made = {key: make(nb, cell) if callable(make) else make for key, make in values.items()}
    cell["metadata"] = cell["metadata"] | made


def write(nb: Draft, cell: Cell, *codes: str) -> None:
    """One of these in the place of the source, for which SOURCE stands in them."""
    made = nb.random.choice(codes) if len(codes) > 1 else codes[0]
    cell["source"] = made.replace("SOURCE", cell["source"])


def insert(nb: Draft, cell: Cell, make: Callable[[Draft, Cell], Cell], where: int | None) -> None:
    """A cell above (0), below (1) or at the end (None)."""
    at = len(nb.cells) if where is None else nb.place(cell) + where
    nb.cells.insert(at, make(nb, cell))


def move(nb: Draft, cell: Cell, where: int | None) -> None:
    """To the top (0) or to the end (None)."""
    nb.delete(cell)
    nb.cells.insert(len(nb.cells) if where is None else where, cell)


# ------------------------------------------------------------------ answers taken away

TEXT: dict[str, Any] = {"cell_type": "markdown", "outputs": DROP, "execution_count": DROP}
CODE: dict[str, Any] = {"cell_type": "code", "outputs": [], "execution_count": None}
ON_COLAB = "from google.colab import drive\nSOURCE"
ON_DISK = "data = open('/home/student/data.csv').read()\nSOURCE"
ANSWER = share(0, answers)


def comment_out(nb: Draft, cell: Cell) -> str:
    return sources.prompts(cell["source"], "# ", "# ")


LOST: dict[str, Change] = {
    "answer-deleted": on(ANSWER, Draft.delete, lost="deleted"),
    "answers-deleted-half": on(share(0.5, answers), Draft.delete, lost="deleted"),
    "answers-deleted-all": on(answers, Draft.delete, lost="deleted"),
    "answer-emptied": on(ANSWER, put, source="", lost="emptied"),
    "answer-blank": on(ANSWER, put, source=Draft.blank, lost="never written"),
    "answer-commented-out": on(ANSWER, put, source=comment_out, lost="commented out"),
    "answer-as-text": on(ANSWER, put, **TEXT, lost="is text"),
    "answer-as-raw": on(ANSWER, put, **TEXT | {"cell_type": "raw"}, lost="is raw"),
    "answer-syntax-error": on(ANSWER, write, "SOURCE\nprint('done'", lost="is not Python"),
    "answer-fails-first": on(ANSWER, write, ON_DISK, lost="never reached"),
    "answer-loops-first": on(ANSWER, write, "while True:\n    pass\nSOURCE", lost="never reached"),
}


# ------------------------------------------------------------------ given cells


def move_imports(nb: Draft) -> None:
    """The first answer has them instead."""
    (cell,), first = imports(nb), answers(nb)[0]
    first["source"] = f"{cell['source']}\n\n\n{first['source']}"
    nb.delete(cell)


def import_in_each(nb: Draft) -> None:
    """Each answer imports for itself; what else the given cell defines stays there."""
    (cell,) = imports(nb)
    lines = cell["source"].split("\n")
    taken = [line for line in lines if line.startswith(("import ", "from "))]
    cell["source"] = "import torch\n" + "\n".join(line for line in lines if line not in taken)
    for answer in answers(nb):
        answer["source"] = "\n".join([*taken, answer["source"]])


GIVEN: dict[str, Change] = {
    "text-deleted": on(text, Draft.delete),
    "given-deleted": on(only(given, is_unneeded), Draft.delete),
    "given-needed-deleted": on(NEEDED, Draft.delete),
    "given-needed-emptied": on(NEEDED, put, source=""),
    "given-needed-as-text": on(NEEDED, put, **TEXT),
    "given-needed-fails": on(NEEDED, write, "import seaborn as sns\nSOURCE", ON_COLAB, ON_DISK),
    "given-as-text": on(given, put, **TEXT),
    "answers-alone": order(answers),
    "imports-moved": move_imports,
    "imports-in-each": import_in_each,
}


# ------------------------------------------------------------------ copies

TOP, ABOVE, BELOW, END = 0, 0, 1, None


def same(nb: Draft, cell: Cell) -> Cell:
    return copy.deepcopy(cell)


def unmarked(nb: Draft, cell: Cell) -> Cell:
    return nb.new(cell["source"])


def blank(nb: Draft, cell: Cell) -> Cell:
    return cell | {"source": nb.blank(cell)}


def unmarked_blank(nb: Draft, cell: Cell) -> Cell:
    return nb.new(nb.blank(cell))


def failing(nb: Draft, cell: Cell) -> Cell:
    """An earlier attempt that stops before it has defined anything."""
    return nb.new(f"assert 1 == 2, 'not yet'\n{cell['source']}")


def twice(nb: Draft) -> list[Cell]:
    return copy.deepcopy(nb.cells)


def template(nb: Draft) -> list[Cell]:
    """The cells of the blank template."""
    found = Draft(nb.base, nb.random)
    on(answers, put, source=Draft.blank)(found)
    return found.cells


COPIES: dict[str, Change] = {
    "copy-below": on(one(answers), insert, same, BELOW),
    "copy-below-unmarked": on(one(answers), insert, unmarked, BELOW),
    "copy-at-end": on(one(answers), insert, same, END),
    "copy-at-end-unmarked": on(one(answers), insert, unmarked, END),
    "copy-blank-above": on(one(answers), insert, blank, ABOVE),
    "copy-blank-below": on(one(answers), insert, blank, BELOW),
    "copy-blank-below-unmarked": on(one(answers), insert, unmarked_blank, BELOW),
    "copy-blank-at-end": on(one(answers), insert, blank, END),
    "copy-blank-above-bare": on(answers, insert, blank, ABOVE),
    "copy-blank-below-bare": on(answers, insert, blank, BELOW),
    "copy-failed-above": on(one(answers), insert, failing, ABOVE),
    "copy-failed-below": on(one(answers), insert, failing, BELOW),
    "notebook-twice": order(everything, twice),
    "template-in-front": order(template, everything),
    "template-behind": order(everything, template),
}


# ------------------------------------------------------------------ cells cut and joined

KEEPS = ("first", "last", "all", "none")  # which parts of a cell keep its metadata


def split(nb: Draft, cell: Cell, keeps: str, *, parts: int | None = 2) -> None:
    """New cells in the place of one: two, or as many as it can be cut into."""
    made = blocks(cell["source"])
    if parts == 2:
        at = nb.random.randrange(1, len(made))
        made = ["\n\n".join(made[:at]), "\n\n".join(made[at:])]
    marked = {"first": made[:1], "last": made[-1:], "all": made, "none": []}[keeps]
    new = [nb.new(part, cell["metadata"] if part in marked else {}) for part in made]
    at = nb.place(cell)
    nb.cells[at : at + 1] = new


def neighbours(count: int, choose: Choose, suits: Callable[[list[bool]], bool] = any) -> Choose:
    """So many of the cells one after the other. ``suits``: which of them are answers."""

    def chosen(nb: Draft) -> list[Cell]:
        found, own = choose(nb), answers(nb)
        runs = [found[at : at + count] for at in range(len(found) - count + 1)]
        return nb.random.choice([run for run in runs if suits([cell in own for cell in run])])

    return chosen


def merge(choose: Choose) -> Change:
    return lambda nb: nb.merge(choose(nb))


def merge_parts(nb: Draft) -> None:
    """Two to four cells hold all the code."""
    found = code(nb)
    cuts = sorted(nb.random.sample(range(1, len(found)), nb.random.randint(1, 3)))
    for start, end in pairwise([0, *cuts, len(found)]):
        nb.merge(found[start:end])


def merge_answers(nb: Draft) -> None:
    """All answers in the place of the last one, below all that is given before it."""
    *before, last = answers(nb)
    last["source"] = "\n\n".join(cell["source"] for cell in (*before, last))
    nb.delete(*before)


def merge_all_marked(nb: Draft) -> None:
    """The one cell says that it belongs to some exercise."""
    mark = nb.random.choice(answers(nb))["metadata"]
    nb.merge(code(nb))
    code(nb)[0]["metadata"] = mark


CUT: dict[str, Change] = {
    **{f"split-{keeps}": on(one(DIVISIBLE), split, keeps) for keeps in KEEPS},
    **{f"split-all-{keeps}": on(DIVISIBLE, split, keeps, parts=None) for keeps in KEEPS},
    "split-bare": on(one(DIVISIBLE), split, "all"),
    "split-all-bare": on(DIVISIBLE, split, "all", parts=None),
    "merge-below": merge(neighbours(2, code, lambda own: own[0])),
    "merge-above": merge(neighbours(2, code, lambda own: own == [False, True])),
    "merge-given": merge(lambda nb: given(nb)[:2]),
    "merge-2": merge(neighbours(2, answers)),
    "merge-3": merge(neighbours(3, answers)),
    "merge-parts": merge_parts,
    "merge-answers": merge_answers,
    "merge-all": merge(code),
    "merge-all-marked": merge_all_marked,
}


# ------------------------------------------------------------------ another order


def swap(choose: Choose) -> Change:
    """Two cells."""

    def change(nb: Draft) -> None:
        pair = choose(nb)
        nb.arrange(pair, pair[::-1])

    return change


def shuffle(choose: Choose) -> Change:
    """Cells among their places."""

    def change(nb: Draft) -> None:
        found = choose(nb)
        nb.arrange(found, nb.random.sample(found, len(found)))

    return change


def others(nb: Draft) -> list[Cell]:
    own = answers(nb)
    return [cell for cell in nb.cells if cell not in own]


MOVED: dict[str, Change] = {
    "swap-neighbours": swap(neighbours(2, answers)),
    "swap-any": swap(lambda nb: nb.random.sample(answers(nb), 2)),
    "swap-with-given": swap(neighbours(2, code, lambda own: own[0] != own[1])),
    "to-top": on(one(answers), move, TOP),
    "to-bottom": on(one(answers), move, END),
    "imports-last": on(imports, move, END),
    "given-last": on(one(given), move, END),
    "answers-shuffled": shuffle(answers),
    "answers-reversed": lambda nb: nb.arrange(answers(nb), answers(nb)[::-1]),
    "answers-first": order(answers, others),
    "answers-last": order(others, answers),
    "reversed": lambda nb: nb.cells.reverse(),
    "code-shuffled": shuffle(code),
    "shuffled": lambda nb: nb.random.shuffle(nb.cells),
}


# ------------------------------------------------------------------ ids, metadata, types


def deal(key: str) -> Change:
    """What the answers have there, shuffled among them."""

    def change(nb: Draft) -> None:
        values = [cell[key] for cell in answers(nb)]
        nb.random.shuffle(values)
        for cell, value in zip(answers(nb), values, strict=True):
            cell[key] = value

    return change


def swap_tags(nb: Draft) -> None:
    one, other = nb.random.sample(answers(nb), 2)
    one["metadata"], other["metadata"] = other["metadata"], one["metadata"]


def odd_metadata(nb: Draft, cell: Cell) -> Any:
    """The keys are there, what they hold is of no sensible type."""
    odd: list[Any] = [None, 3, [], {}, ["a"], True, "", "no such exercise", "x" * 500]
    keys = ("exercise", "locked", "tags", "deletable", "jupyter", "vscode")
    return {key: nb.random.choice([*odd, "yes", 1] if key == "locked" else odd) for key in keys}


def other_kernel(nb: Draft) -> None:
    """A Python of another name."""
    name = nb.random.choice(TABLE["kernels"])
    nb["metadata"]["kernelspec"] = {"display_name": name, "language": "python", "name": name}


def exercise_alone(nb: Draft, cell: Cell) -> dict[str, Any]:
    return {key: value for key, value in cell["metadata"].items() if key == "exercise"}


def parts_missing(nb: Draft) -> None:
    """Cells that lack what the format asks for, and things that are no cells."""
    for cell in nb.cells:
        for key in nb.random.sample(["id", "outputs", "execution_count"], 2):
            cell.pop(key, None)
    for thing in (None, "text", 3, [], {}):
        nb.cells.insert(nb.random.randrange(len(nb.cells) + 1), thing)


ODD_IDS = any_of("", "a b", "ü", "x" * 200, 7, ["id"], {"id": 1}, "a/b", True)
ODD_METADATA = any_of(None, [], "exercise", 3, True, [{"locked": True}], 1.5, {})
NO_METADATA = any_of({}, None, [], "metadata", {"kernelspec": None, "language_info": []})
BARE_NOTEBOOK: Change = lambda nb: nb.update(metadata={})  # noqa: E731
MARKS: dict[str, Change] = {
    "ids-renamed": on(everything, put, id=lambda nb, cell: f"{nb.random.getrandbits(64):016x}"),
    "ids-removed": on(everything, put, id=DROP),
    "ids-equal": on(everything, put, id="cell"),
    "ids-invalid": on(everything, put, id=ODD_IDS),
    "ids-swapped": deal("id"),
    "metadata-stripped": Draft.strip,
    "code-alone": together(BARE_NOTEBOOK, order(code), on(code, put, metadata={}, id=DROP)),
    "metadata-wrong": on(everything, put, metadata=ODD_METADATA),
    "metadata-odd": on(everything, put, metadata=odd_metadata),
    "metadata-more": on(everything, mark, collapsed=any_of(True, False), **TABLE["extensions"]),
    "unlocked": on(everything, put, metadata=exercise_alone),
    "locked": on(everything, mark, locked=True, editable=False),
    "locked-untagged": on(answers, put, metadata={"locked": True}),
    "notebook-metadata": lambda nb: nb.update(metadata=NO_METADATA(nb, None)),
    "other-kernel": other_kernel,
    "tags-swapped": swap_tags,
    "tags-shuffled": deal("metadata"),
    "tags-all-one": lambda nb: on(code, put, metadata=one(answers)(nb)[0]["metadata"])(nb),
    "tags-half-lost": on(share(0.5, answers), put, metadata={}),
    "tags-foreign": on(answers, put, metadata=lambda nb, cell: {"exercise": f"week-{cell['id']}"}),
    "text-as-code": on(share(0, text), put, **CODE),
    "all-text-as-code": on(text, put, **CODE),
    "text-as-raw": on(text, put, cell_type="raw"),
    "types-missing": on(code, put, cell_type=DROP),
    "parts-missing": parts_missing,
}


# ------------------------------------------------------------------ cells of no exercise


CELLS = {name: code.removesuffix("\n") for name, code in read_files("damage_cells.txt").items()}


def named(prefix: str) -> dict[str, str]:
    return {name: source for name, source in CELLS.items() if name.startswith(prefix)}


def stray(source: str) -> Change:
    def change(nb: Draft) -> None:
        made = source.replace("{assignment}", nb["metadata"]["autograder"]["assignment"])
        at = nb.random.randrange(len(nb.cells) + 1)
        nb.cells.insert(at, nb.new(made))

    return change


def stray_ten(nb: Draft) -> None:
    quick = [change for name, change in STRAY.items() if name not in ENDLESS]
    together(*nb.random.sample(quick, 10))(nb)


def last(make: Callable[[Draft], str]) -> Change:
    """A cell at the end."""
    return lambda nb: nb.cells.append(nb.new(make(nb)))


def overwritten(nb: Draft) -> list[str]:
    """What all answers but the last define. By the rule, what stands below the last one and
    defines its names again is its answer."""
    *before, last = answers(nb)
    return sorted(names_of(before, defined) - defined(last["source"]))


def trained(nb: Draft) -> str:
    """Every table and tensor of the answers is changed in place. Not what a function of theirs
    reads by its name: that function then says what the table says now."""
    right = answers(nb.base.notebook)
    names = sorted(names_of(right, defined) - names_of(right, used_inside))
    return CELLS["training"].replace("NAMES", repr(names))


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


def add_foreign(nb: Draft) -> None:
    found = nb.random.sample(nb.base.foreign, min(6, len(nb.base.foreign)))
    nb.cells.extend([nb.new(source) for source in found])


FAILING = any_of("1 / 0", "undefined_name", "x =")
STRAY = {name: stray(source) for name, source in named("stray-").items()}
STRAY["stray-empty"] = stray("\n\n   \n")
ENDLESS = ("stray-sleep", "stray-memory", "stray-loop", "stray-loop-caught")  # they cost a limit
ADDED: dict[str, Change] = {
    **STRAY,
    **{name: last(lambda nb, source=source: source) for name, source in named("end-").items()},
    "stray-ten": stray_ten,
    "stray-everywhere": on(everything, insert, lambda nb, cell: nb.new(FAILING(nb)), BELOW),
    "end-overwritten": last(lambda nb: "\n".join(f"{name} = None" for name in overwritten(nb))),
    "end-functions": last(
        lambda nb: "\n\n\n".join(f"def {n}(*args):\n    return 0" for n in overwritten(nb))
    ),
    "end-deleted": last(lambda nb: f"del {', '.join(sorted(names_of(answers(nb), defined)))}"),
    "end-trained": last(trained),
    "deleted-once-used": delete_once_used,
    "deleted-too-early": delete_too_early,
    "end-foreign": add_foreign,
}


# ------------------------------------------------------------------ outputs


def picture(nb: Draft, size: int) -> str:
    return base64.b64encode(nb.random.randbytes(size)).decode()


def display(data: dict[str, Any]) -> list[Any]:
    return [{"output_type": "display_data", "metadata": {}, "data": data}]


def huge(nb: Draft, cell: Cell) -> list[Any]:
    return display({"image/png": picture(nb, 400_000)})


def widgets(nb: Draft) -> None:
    """Views in the outputs and the state of many widgets in the notebook."""
    state = {}
    for cell in code(nb):
        model = f"{nb.random.getrandbits(128):032x}"
        view = {"model_id": model, "version_major": 2, "version_minor": 0}
        cell["outputs"] = display({"application/vnd.jupyter.widget-view+json": view})
        state[model] = {"model_module": "@jupyter-widgets/controls", "state": {"value": 0.5}}
    held = {"application/vnd.jupyter.widget-state+json": {"state": state, "version_major": 2}}
    nb["metadata"]["widgets"] = held


def paste_picture(nb: Draft, cell: Cell) -> None:
    """As text and as an attachment."""
    data = picture(nb, 600_000)
    cell["source"] += f"\n\n![mine](data:image/png;base64,{data})"
    cell["attachments"] = {"mine.png": {"image/png": data}}


ODD_OUTPUTS = any_of(None, "text", 3, {}, [None], [[]], ["out"], [{"output_type": "new"}])
ODD_COUNTS = any_of(None, 0, -3, "7", 10**12, 2.5)

OUTPUTS: dict[str, Change] = {
    "outputs-none": on(code, put, outputs=[], execution_count=None),
    "outputs-error": on(code, put, outputs=TABLE["outputs"]["error"]),
    "outputs-stale": on(code, put, outputs=TABLE["outputs"]["stale"]),
    "outputs-huge": on(code, put, outputs=huge),
    "outputs-wrong": on(code, put, outputs=ODD_OUTPUTS),
    "widget-state": widgets,
    "counts-odd": on(code, put, execution_count=ODD_COUNTS),
    "pictures-in-text": on(lambda nb: text(nb)[1::3], paste_picture),
}


# ------------------------------------------------------------------ how answers are written


def wrap(nb: Draft, cell: Cell, *names: str) -> None:
    """The last one is the outermost."""
    for name in names:
        cell["source"] = sources.wrapped(cell["source"], name)


def restyle(nb: Draft, cell: Cell, style: str) -> None:
    cell["source"] = sources.STYLES[style](cell["source"], nb.random)


def check_on_top(nb: Draft, cell: Cell) -> None:
    cell["source"] = f"%%check {cell['metadata']['exercise']}\n{cell['source']}"


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


SUITED = {
    "returned": only(answers, keeps_nothing),
    "dictionary": only(answers, keeps_nothing),
    "no-grad": only(answers, is_untrained),
    "class": only(answers, fits_a_class),
}
WRITTEN: dict[str, Change] = {
    **{f"wrap-{n}": on(some(SUITED.get(n, answers)), wrap, n) for n in sources.WRAPS},
    "wrap-nested": on(some(answers), wrap, "try", "if"),
    **{f"style-{name}": on(some(answers), restyle, name) for name in sources.STYLES},
    **{name: on(some(answers), write, f"{line}\nSOURCE") for name, line in named("top-").items()},
    "top-check": on(some(answers), check_on_top),
    **{
        name: on(one(answers), write, f"SOURCE\n{lines}")
        for name, lines in named("answer-ends-").items()
    },
}


# ------------------------------------------------------------------ other tools


def tool(*, minor: int, each: dict[str, Any], metadata: dict[str, Any], first: str = "") -> Change:
    """Through a tool that marks each cell and the notebook, and puts a cell of its own first."""

    def change(nb: Draft) -> None:
        nb.update(nbformat_minor=minor, metadata=copy.deepcopy(metadata))
        nb.cells[:0] = [nb.new(CELLS[first])] if first else []
        on(everything, mark, **each)(nb)
        on(everything, put, id=DROP)(nb)

    return change


def version(minor: int) -> Change:
    return together(lambda nb: nb.update(nbformat_minor=minor), on(everything, put, id=DROP))


def any_tool(nb: Draft) -> None:
    """Deepnote, Databricks or PyCharm: their own marks, and none of ours."""
    marks: list[Any] = [
        lambda nb, cell: {"cell_id": "0f", "deepnote_cell_type": cell["cell_type"]},
        {"application/vnd.databricks.v1+cell": {"inputWidgets": {}, "title": ""}},
        {"collapsed": False, "pycharm": {"name": "#%%\n"}},
    ]
    on(everything, put, metadata=nb.random.choice(marks))(nb)
    nb["metadata"] = {"language_info": {"name": "python"}}


def odd_version(nb: Draft) -> None:
    nb.update(nbformat=nb.random.choice(["4", None, 5, 4.5]))
    nb.pop("nbformat_minor")


COLAB, VSCODE, KAGGLE = (tool(**TABLE["tools"][name]) for name in ("colab", "vscode", "kaggle"))
TOOLS: dict[str, Change] = {
    **{f"nbformat-4.{minor}": version(minor) for minor in range(6)},
    "nbformat-4.4-ids": lambda nb: nb.update(nbformat_minor=4),
    "nbformat-number": odd_version,
    "colab": COLAB,
    "colab-copy": together(Draft.strip, COLAB),
    "vscode": VSCODE,
    "kaggle": KAGGLE,
    "other-tools": any_tool,
}


# ------------------------------------------------------------------ several at once

STEPS = [name for names in TABLE["steps"] for name in names]


def bad_day(nb: Draft) -> None:
    """Three to six steps, and at last what a tool leaves."""
    chosen = sorted(nb.random.sample(range(len(STEPS)), nb.random.randint(3, 6)))
    names = [*(STEPS[at] for at in chosen), nb.random.choice(TABLE["last"])]
    together(*(CHANGES[name] for name in names))(nb)


CHANGES = LOST | GIVEN | COPIES | CUT | MOVED | MARKS | ADDED | OUTPUTS | WRITTEN | TOOLS
CHANGES |= {"bad-day": bad_day, "bad-week": together(*(CHANGES[name] for name in STEPS))}
