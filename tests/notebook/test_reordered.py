"""Where the text says that another order of cells can give nothing else, running them agrees."""

from __future__ import annotations

import builtins
import contextlib
import io
import itertools
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from autograder.notebook.structure.reordered import MAX_COMPARED, Reordering, cannot_differ
from autograder.wire.messages import GIVEN, Cell
from tests.support.effort import costs_at_most

DATA = ("a", "b", "c", "d")
CALLED = ("f", "g", "h")
OPENING = "import random, math, functools\nimport numpy as np"
# {x} and {y} are data, {f} and {g} what can be called, {k} is a number
DEFINITIONS = (
    "def {f}():\n    return {x}",
    "def {f}():\n    return {x}, {g}()",
    "def {f}(v=0):\n    {x}.append(v)\n    return {x}",
    "def {f}(v=[]):\n    v.append({k})\n    return v",
    "def {f}(v=0):\n    {y} = v\n    return [{y} for {y} in {x}]",
    "def {f}():\n    return [{k}]",
    "def {f}():\n    def inner():\n        {x} = {y}\n        return {x}\n    return inner()",
    "def {f}():\n    kept = []\n    def add(v=0):\n        kept.append(v)\n        return kept\n"
    "    return add\n{g} = {f}()",
    "def {f}(v=0):\n    v.n = {k}\n    return {k}",
    "def {f}(v=0):\n    return v",
    "def {f}(v=[]):\n    v = v or {x}\n    v.append({k})\n    return list(v)",
    "@functools.cache\ndef {f}():\n    return {x}",
    "@staticmethod\ndef {f}():\n    return {x}",
    "def {f}(n={x}):\n    return n",
    "def {f}():\n    return random.random()",
    "def {f}(v=0):\n    {x} = v\n    return (lambda: {x})()",
    "def {f}():\n    return {f}.n",
    "def {f}():\n    import random as r\n    return r.random()",
    "def {f}():\n    yield {x}\n    yield {y}",
    "class {f}:\n    n = []\n    def __init__(self, v=0):\n        self.n.append(v)\n"
    "    def m(self):\n        return self.n",
    "class {f}:\n    n = {k}\n    def m(self):\n        {x}.append({k})\n        return {x}",
    "class {f}:\n    n = 1\n    def m(self):\n        self.n = {y}\n        return {x}",
    "class {f}({g}):\n    def m(self):\n        return {x}",
    "class {f}:\n    n = {x}",
    "class {f}:\n    def __len__(self):\n        {x}.append({k})\n        return {k}",
    "class {f}:\n    @property\n    def n(self):\n        {x}.append({k})\n        return {x}",
)
STATEMENTS = (
    *DEFINITIONS,
    "{x} = {k}",
    "{x} = [{k}]",
    "{x} = {y}",
    "{x} = [{y}]",
    "{x} = {y}, {k}",
    "{x} = {{{k}: {y}}}",
    "{x}.append({k})",
    "{x}.append({y})",
    "{x}[0] = {k}",
    "{x} += [{k}]",
    "{x} += {k}",
    "del {x}",
    "del {x}[0]",
    "{x} = list({y})",
    "{x} = sorted({y})",
    "{x}, {y} = {y}, {x}",
    "print({x})",
    "print({x}, {y})",
    "print(len({x}))",
    "print({x} == {y})",
    "{x} = {k} if {y} else {y}",
    "{x} = ({y} := {k})",
    "{x} = {y} or ({y} := [{k}])",
    "print([{x} for {x} in {y}])",
    "{x} = [{y} for {y} in {y}]",
    "for {x} in {y}:\n    print({x})",
    "for {x} in range({k}):\n    print({x})\n    {y} = {x}",
    "while not {x}:\n    {x} = [{k}]",
    "if {x}:\n    {y} = {k}\nprint({y})",
    "try:\n    {x}\nexcept NameError:\n    {x} = [{k}]",
    "try:\n    print({x}.shape)\nexcept Exception as {y}:\n    pass",
    "{x} = iter({y})",
    "with contextlib.suppress(NameError):\n    {x} = {y}",
    "print(next({x}))",
    "print(sum({x}))",
    "{x} = (i for i in {y})",
    "{x} = functools.partial({f}, {y})",
    "{x}.n = {y}",
    "print({x}.n)",
    "match {x}:\n    case [{y}, *_]:\n        print({y})",
    "assert {x}",
    "{f} = lambda: {x}",
    "{f}.n = {k}",
    "print({f}.n)",
    "{x} = {f}",
    "print({x}.m())",
    "{f}.m = lambda self: {x}",
    "print({f}())",
    "print({f}({x}))",
    "{x} = {f}()",
    "{x} = {f}({y})",
    "{x} = [{f}({y}), {f}]",
    "print({x}())",
    "print({x}[1]())",
    "{f}({x})\n{f}({y})",
    "print(list(map({f}, list({x}))))",
    "{x}.m()",
    "{f}().m()",
    "print(getattr({x}, 'n', {k}))",
    "setattr({x}, 'n', {k})",
    "random.seed({k})",
    "print(random.random())",
    "{x} = random.random()",
    "random.shuffle({x})",
    "{x} = np.zeros({k})",
    "{x} = np.asarray({y})",
    "{x} = np.random.rand()",
    "np.random.seed({k})",
    "{x}[...] = {k}",
    "np.set_printoptions(precision={k})",
    "print(np.array([1.23456789, {k}]))",
    "print(np.zeros(2) + {x})",
    "{x} = {y}[:1]",
    "print(math.floor(2.5))",
    "import random\nprint(random.random())",
    "1 / 0",
    "{x} = {f}.m",
    "{x} = dict(n={y})",
)
# each of these alone makes the text prove nothing
UNREAD = (
    "def {f}():\n    global {x}\n    {x} = {k}",
    "class {f}:\n    def m(self):\n        type(self).n = {k}\n        return self.n",
    "class {f}:\n    @classmethod\n    def m(cls):\n        cls.n = {k}\n        return {x}",
    "setattr({f}, 'n', {k})",
    "from math import *",
    "print(pi)",
    "exec('{x} = {k}')",
    "print(eval('{x}'))",
    "globals()['{x}'] = {k}",
    "import math as {x}",
    "math.{x} = {k}",
    "print(math.{x})",
    "max = {k}",
    "print(max(1, 2))",
    "print(_)",
    "await {x}",
    "async def {f}():\n    return {x}",
    "from random import random as {f}",
    "type({x}).n = {k}",
)


@dataclass
class Outcome:
    """What running a notebook gave: of each cell how it ended and what it printed; what was read
    after cells; and what functions gave that were called in the end."""

    cells: dict[int, tuple[str, str]] = field(default_factory=dict)
    read: dict[tuple[int, str], str] = field(default_factory=dict)
    called: dict[tuple[int, str], str] = field(default_factory=dict)


def seen(value: Any) -> str:
    """A value's numbers, without addresses."""
    return "function" if callable(value) else repr(value).split(" at 0x")[0]


def called(function: Any) -> str:
    """What a call of it gives."""
    try:
        return seen(function()) if callable(function) else seen(function)
    except Exception as error:
        return type(error).__name__


def run(cells: Sequence[Cell], kept: Mapping[int, frozenset[str]]) -> Outcome:
    """Run cells as a session does, without a box: names are kept after a cell, and put in place
    for the calls in the end."""
    names: dict[str, Any] = {"__name__": "__main__", "contextlib": contextlib}
    snapshots: dict[int, dict[str, Any]] = {}
    outcome = Outcome()
    for cell in cells:
        printed, ended = io.StringIO(), "fine"
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(cell.source, "<cell>", "exec"), names)
            except Exception as error:
                ended = type(error).__name__
        text = "\n".join(line.split(" at 0x")[0] for line in printed.getvalue().splitlines())
        outcome.cells[cell.number] = ended, text
        if cell.number not in kept:
            continue
        for snapshot in snapshots.values():
            for name in names.keys() - snapshot.keys():
                snapshot[name] = names[name]
        snapshots[cell.number] = dict(names)
        for name in kept[cell.number]:
            outcome.read[cell.number, name] = seen(names.get(name, "missing"))
    present = dict(names)
    for number in sorted(snapshots):
        for name in (names.keys() & dir(builtins)) - snapshots[number].keys():
            del names[name]
        names.update(snapshots[number])
        for name in sorted(kept[number]):
            outcome.called[number, name] = called(names.get(name))
        names.clear()
        names.update(present)
    return outcome


@contextlib.contextmanager
def unspoiled() -> Iterator[None]:
    """What the generated code sets for all is as it was afterwards."""
    options = np.get_printoptions()
    random.seed(0)
    np.random.seed(0)
    try:
        yield
    finally:
        np.set_printoptions(**options)
        for name in DATA:
            vars(math).pop(name, None)


def notebook(draw: random.Random) -> tuple[list[Cell], dict[int, frozenset[str]]]:
    """Cells of a few statements each; after some of them names are read."""
    width = draw.choice((1, 2, 3, 4))

    def filled(statement: str) -> str:
        return statement.format(
            x=draw.choice(DATA[:width]),
            y=draw.choice(DATA[:width]),
            k=draw.randint(0, 3),
            f=draw.choice(CALLED[:width]),
            g=draw.choice(CALLED),
        )

    begun = [f"{DATA[0]} = [1]"]
    for name, other in itertools.pairwise(reversed(DATA)):
        begun.insert(1, draw.choice(("{} = [{}]", "{} = {}")).format(name, other))
    begun += [filled(draw.choice(DEFINITIONS)) for _ in CALLED]
    cells = [Cell(1, OPENING, GIVEN), Cell(2, "\n".join(begun), "e2")]
    for number in range(3, draw.randint(5, 8)):
        lines = [
            filled(draw.choice(STATEMENTS if draw.random() < 0.98 else UNREAD))
            for _ in range(draw.choice((1, 1, 2)))
        ]
        cells.append(Cell(number, "\n".join(lines), f"e{number}"))
    kept = {
        cell.number: frozenset(draw.sample((*DATA, *CALLED), 2))
        for cell in cells[1:]
        if draw.random() < 0.5
    }
    return cells, kept


def reordered(cells: Sequence[Cell], draw: random.Random) -> list[Cell]:
    """One cell at another place, or all of them in any order; mostly the imports stay first."""
    others = list(cells)
    if draw.random() < 0.8:
        moved = others.pop(draw.randrange(1, len(others)))
        others.insert(draw.randint(1, len(others)), moved)
    else:
        draw.shuffle(others)
    return others


def contradiction(seed: int) -> tuple[bool, str]:
    """Whether the order cannot matter to a notebook as far as its text tells, and where running
    it says otherwise."""
    draw = random.Random(seed)
    cells, kept = notebook(draw)
    others = reordered(cells, draw)
    with unspoiled():
        before = run(cells, kept)
    failed = {number for number, (ended, _) in before.cells.items() if ended != "fine"}
    order = [cell.number for cell in others]
    if not cannot_differ(Reordering(cells, order, kept, failed)):
        return False, ""
    with unspoiled():
        after = run(others, kept)
    text = "\n# ----\n".join(cell.source for cell in cells)
    return True, "" if before == after else f"{seed}: {order}\n{text}\n{before}\n{after}"


def test_where_the_order_cannot_matter_it_does_not() -> None:
    found = [contradiction(seed) for seed in range(1_200)]
    assert [problem for _, problem in found if problem] == []
    assert sum(same for same, _ in found) > 120


def told(sources: Sequence[str], order: Sequence[int], **asked: Any) -> bool:
    """Whether cells cannot differ in that order; each is of an exercise of its own."""
    cells = [Cell(n, source, f"e{n}") for n, source in enumerate(sources, 1)]
    return cannot_differ(Reordering(cells, order, **asked))


PAIRS = "pairs = []\nfor first in 'ab':\n    pairs.append(first)\nprint(len(pairs), 'pairs')"
ALONE = (
    ("a = 1", "b = 2"),
    ("def f(): return g()", "def g(): return 1"),
    (PAIRS, "import torch.nn as nn\nlayer = nn.Linear(2, 2)"),
    (PAIRS, "class A:\n    def m(self):\n        first = pairs = 1\n        return first, pairs"),
    ("for i in range(3):\n    print(i)", "for i in range(4):\n    print(i)"),
    ("SIZE = 3", "def f(SIZE): return [SIZE for SIZE in SIZE]"),
    ("import numpy as np\nx = np.zeros(3)\nx[0] = 1", "import numpy as np\ny = np.ones(2)"),
    ("%matplotlib inline\nx = 1", "import warnings\nwarnings.filterwarnings('ignore')"),
    ("import matplotlib.pyplot as plt\nplt.plot([1])", "print('nothing is drawn')"),
)


@pytest.mark.parametrize("sources", ALONE)
def test_cells_that_leave_each_other_alone(sources: tuple[str, str]) -> None:
    assert told(sources, (2, 1)) and told(sources, (1, 2))


LINKED = (
    ("a = 1", "print(a)"),
    ("a = 1", "a = 2", "print(a)"),
    ("a = 1", "del a"),
    ("import torch\nx = torch.rand(1)", "import torch\ntorch.manual_seed(0)"),
    ("import torch\nw = torch.zeros(1).normal_()", "import torch\nw2 = torch.nn.Linear(1, 1)"),
    ("import torch\ntorch.set_default_dtype(torch.float64)", "import torch\nx = torch.ones(1)"),
    ("import matplotlib.pyplot as plt\nplt.rcParams['x'] = 1", "y = 1"),
    ("open('f')", "y = 1"),
    ("x = 1", "import pylab"),
    *[("import matplotlib.pyplot as plt\nplt.plot([1])",) * 2],
    ("x = 1", "from math import *"),
    ("x = 1", "exec('y = 2')"),
    ("x = 1", "%run other.py"),
    ("x = 1", "not python ("),
    ("x = 1", "get_ipython()"),
    ("x = 1", "_"),
    ("x = 1", "import sys"),
    ("def f():\n    global x\n    x = 1", "y = 1"),
    ("sum = 3", "y = 1"),
    ("import numpy as np\nnp.pi = 3", "y = 1"),
    ("import math as a", "a = 2"),
)


@pytest.mark.parametrize("sources", LINKED, ids=repr)
def test_cells_that_may_matter_to_each_other(sources: tuple[str, ...]) -> None:
    assert not told(sources, (2, 1, 3)[: len(sources)])


def test_an_import_that_surely_came_before_stands_for_its_module() -> None:
    sources = ("import numpy as np", "x = np.ones(1)", "import numpy as np")
    assert told(sources, (1, 3, 2))
    assert not told(sources, (1, 3, 2), failed={1})
    assert not told(sources, (3, 2, 1)) and not told(sources[1:], (2, 1))
    late = ("1 / 1\nimport numpy as np", *sources[1:])
    assert not told(late, (1, 3, 2))


def test_what_is_read_after_a_cell_is_read_by_it() -> None:
    """Values at once, functions in the end; then what they read counts where there are several."""
    sources = ("def f():\n    return size", "size = 1", "print(1)")
    kept = {1: frozenset({"f"})}
    assert told(sources, (2, 1, 3), kept=kept)
    assert not told((*sources[:2], "size = 2"), (2, 1, 3), kept=kept)
    assert not told(("f = [1]", "f.append(2)"), (2, 1), kept=kept)
    assert not told(("print(1)", "size = 1"), (2, 1), kept={1: frozenset({"size"})})


def test_objects_are_followed_through_what_functions_keep() -> None:
    """What is handed to `keep` can be changed through what `move` moved it to."""
    keeps = ("kept = []\ndef keep(value): kept.append(value)", "mine = []\nkeep(mine)")
    moves = ("other = []\ndef move(): other.append(kept[0])", "move()")
    assert not told((*keeps, "kept[0].append(1)", "print(mine)"), (1, 2, 4, 3))
    assert not told((*keeps, *moves, "other[0].append(1)", "print(mine)"), (1, 2, 3, 4, 6, 5))
    assert told((*keeps, *moves, "third = [1]", "print(mine)"), (1, 2, 3, 4, 6, 5))


def test_what_one_exercise_prints_keeps_its_order() -> None:
    cells = [Cell(1, "print(1)", "e"), Cell(2, "print(2)", "e")]
    assert not cannot_differ(Reordering(cells, (2, 1)))
    given = [Cell(1, "print(1)", GIVEN), Cell(2, "print(2)", GIVEN)]
    assert cannot_differ(Reordering(given, (2, 1)))


def test_too_much_code_is_not_worked_out() -> None:
    assert told(("a = 1",) * MAX_COMPARED, range(1, MAX_COMPARED + 1))
    assert not told(("b = 1",) * (MAX_COMPARED + 1), range(1, MAX_COMPARED + 2))
    assert not told(("a = 1", "b = 1"), (1,)) and not told(("a = 1", "#" * 30_000), (2, 1))
    names = ", ".join(f"n{n}" for n in range(2_000))
    reading = (f"def f(): return ({names})", *["f()"] * 100)
    with costs_at_most(10):
        assert not told(reading, range(len(reading), 0, -1))
        told(("-" * 15_000 + "1", "b = 1", "a" + ".a" * 9_000), (2, 1, 3))
