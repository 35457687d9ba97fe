"""Which cells of a notebook depend on which, and an order in which each runs after those.

Covered: names read at once, and what the functions that a cell calls read in their turn. Not
covered: objects that a later cell changes; files that one cell writes and another reads.
"""

from __future__ import annotations

import heapq
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.notebook.structure.check_cells import GRADER
from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.scanned import ScannedCell
from autograder.notebook.structure.uses import NOTHING, STAR, Uses, read_uses
from autograder.notebook.submission import NotebookCell

MAX_CODE = 200_000  # characters of code in one notebook; beyond that nothing is determined
MAX_CELLS = 1_000
MAX_NEEDED = 300_000  # names that are followed, over all cells; likewise


@dataclass(frozen=True, slots=True)
class EarlyUse:
    """A cell uses a name that no cell above defines, but the cell ``definer`` below does.

    ``sure``: the text alone shows that the name must exist when the cell runs. Otherwise it depends
    on what is called, and only a run can show it.
    """

    cell: int
    name: str
    definer: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Dependencies:
    """``builds_on``: for a cell's number those of the cells whose names it uses, in the
    notebook's order. ``early``: names used above their definition."""

    builds_on: Mapping[int, tuple[int, ...]]
    early: tuple[EarlyUse, ...] = ()


@dataclass(slots=True)
class _Notebook:
    """Code cells in order, what each uses, and where names are defined (indices from 0)."""

    numbers: list[int]
    uses: list[Uses]
    bound: dict[str, list[int]] = field(default_factory=dict)
    functions: dict[str, list[int]] = field(default_factory=dict)
    left: int = MAX_NEEDED

    def definer(self, name: str, at: int) -> int:
        """The cell that defines a name for the cell ``at``: the last one above it, else the first
        one below; -1 for none."""
        return _nearest(self.bound.get(name, []), at)

    def needs(self, at: int, *, surely: bool) -> set[str]:
        """Names that must exist when a cell runs, and in the functions that it calls; unless
        ``surely``, also those that may have to exist. Nothing more once ``left`` is used up."""
        uses = self.uses[at]
        needed = set(uses.now if surely else uses.now | uses.perhaps)
        pending = list(uses.called if surely else uses.touched)
        seen = set(pending)
        while pending and self.left > 0:
            found = self._needed_by(pending.pop(), at, surely)
            self.left -= len(found)
            needed |= found - uses.bound
            pending.extend(found - seen)
            seen |= found
        self.left -= len(needed)
        return needed

    def _needed_by(self, function: str, at: int, surely: bool) -> frozenset[str]:
        """What the function of this name needs, as the cell ``at`` knows it."""
        places = self.functions.get(function, [])
        own = bisect_left(places, at)
        here = own < len(places) and places[own] == at
        place = at if here else _nearest(places, at)
        if place < 0:
            return frozenset()
        uses = self.uses[place]
        return (uses.first if surely else uses.later)[function]


def dependencies(cells: Sequence[NotebookCell]) -> Dependencies:
    """The dependencies among the code cells of a notebook, in its own order."""
    notebook, needs = _read(cells)
    numbers = notebook.numbers
    stars = notebook.bound.get(STAR, [len(numbers)])[0]  # below it any name may be there
    builds_on: dict[int, tuple[int, ...]] = {}
    early: list[EarlyUse] = []
    for at, number in enumerate(numbers):
        definers = {name: notebook.definer(name, at) for name in sorted(needs[at])}
        places = {place for place in definers.values() if place >= 0}
        builds_on[number] = tuple(sorted(numbers[place] for place in places))
        if max(places, default=-1) > at:
            sure = notebook.needs(at, surely=True) if at < stars else set()
            early += [
                EarlyUse(number, name, numbers[place], name in sure)
                for name, place in definers.items()
                if place > at
            ]
    return Dependencies(builds_on, tuple(early))


def dependency_order(cells: Sequence[NotebookCell]) -> tuple[int, ...]:
    """The cells' numbers, each after those that define what it uses, otherwise in the given order.

    If several cells define a name, the last one before its user counts, in the order of ``cells``;
    without one, the first after it. In a cycle, the first cell comes first.
    """
    notebook, needs = _read(cells)
    waits = [{notebook.definer(name, at) for name in names} - {-1} for at, names in needs.items()]
    users: dict[int, list[int]] = {}
    for at, needed in enumerate(waits):
        for other in needed:
            users.setdefault(other, []).append(at)
    ready = [at for at, needed in enumerate(waits) if not needed]
    heapq.heapify(ready)
    order: list[int] = []
    left = dict.fromkeys(range(len(waits)))
    while left:
        at = heapq.heappop(ready) if ready else next(iter(left))
        if at not in left:
            continue
        del left[at]
        order.append(notebook.numbers[at])
        for user in users.get(at, ()):
            waits[user].discard(at)
            if not waits[user] and user in left:
                heapq.heappush(ready, user)
    return tuple(order)


def _read(cells: Sequence[NotebookCell]) -> tuple[_Notebook, Mapping[int, set[str]]]:
    """A notebook, and for each of its code cells what it may need; nothing if that takes too much
    work."""
    code = [cell for cell in cells if cell.kind == "code"]
    numbers = [cell.number for cell in code]
    # Too much code is left in its order.
    if len(code) <= MAX_CELLS and sum(len(cell.source) for cell in code) <= MAX_CODE:
        notebook = _Notebook(numbers, [read_uses(cell.source) for cell in code])
        for at, uses in enumerate(notebook.uses):
            _note(notebook.bound, uses.bound, at)
            _note(notebook.functions, uses.later, at)
        needs = {at: notebook.needs(at, surely=False) for at in range(len(code))}
        if notebook.left > 0:
            notebook.left = MAX_NEEDED
            return notebook, needs
    return _Notebook(numbers, [NOTHING] * len(code)), {at: set() for at in range(len(code))}


def _note(places: dict[str, list[int]], names: Iterable[str], at: int) -> None:
    for name in names:
        places.setdefault(name, []).append(at)


def _nearest(places: Sequence[int], at: int) -> int:
    """Of sorted places, without ``at``: the last one before it, else the first after it."""
    before = bisect_left(places, at)
    if before:
        return places[before - 1]
    after = bisect_right(places, at)
    return places[after] if after < len(places) else -1


def mended(
    cells: Sequence[ScannedCell], keep_after: Mapping[str, int], outline: Outline
) -> tuple[tuple[int, ...], bool]:
    """The order of the cells in the template, each after those that it depends on; empty if that is
    the notebook's own order. And whether known cells are in another order than in the template: the
    cells that count for the exercises, and the given ones that define or change something, each at
    its first occurrence."""
    anchors, keyed, place = [], [], -1
    met: set[int] = set()
    for one in cells:
        own = one.place if one.given else outline.place_of(one.owner)
        again = one.given and own in met
        place = own if own >= 0 and not again else place
        keyed.append((place, one.number, one.cell))
        counts = _acts(one) if one.given else one.number == keep_after.get(one.owner)
        if own >= 0 and counts and not again:
            anchors.append(own)
        met.add(own)
    keyed.sort(key=lambda entry: entry[:2])
    order = dependency_order([cell for _, _, cell in keyed])
    own_order = tuple(cell.number for cell in cells)
    return (order if order != own_order else (), anchors != sorted(anchors))


def _acts(one: ScannedCell) -> bool:
    """Whether other cells may depend on a given cell; cells that only run the checks do not
    count."""
    return bool((one.names.defined | one.names.changed) - {GRADER})
