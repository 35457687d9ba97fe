"""Whether a notebook's cells can give different results in another order.

They cannot if any two cells that change places are independent: neither binds a name that the other
reads, they do not both bind one that anybody reads, they share no object that can be changed, and
do not both draw random numbers. When in doubt, they can.

Covered: names, objects accessible through names, functions whose names are looked up when they are
called, what is read of an exercise after its cell, random numbers, settings, figures, prints. Not
covered: time and memory; a run in which either ran out proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from autograder.notebook.structure.effects import (
    ATTRIBUTE,
    MODULE,
    Effects,
    Link,
    read_effects,
    root,
    roots,
)
from autograder.notebook.structure.libraries import (
    Touch,
    touch_of,
    touch_of_attribute,
    touch_of_builtin,
    touch_of_import,
)
from autograder.notebook.structure.uses import ALWAYS_THERE, PROMPTS
from autograder.wire.messages import GIVEN, Cell

MAX_COMPARED = 200  # cells; with more than this nothing is determined
MAX_FOLLOWED = 300_000  # names that are followed or compared, over all cells


@dataclass(frozen=True, slots=True)
class Reordering:
    """Cells as they ran, and the proposed ``order`` of their numbers. ``kept``: for a cell the
    names that are read after it, in either order. ``failed``: cells that raised."""

    cells: Sequence[Cell]
    order: Sequence[int]
    kept: Mapping[int, frozenset[str]] = field(default_factory=dict)
    failed: Collection[int] = ()


def cannot_differ(asked: Reordering) -> bool:
    """Whether everything that is read of the notebook is equal in the other order."""
    if len(asked.cells) > MAX_COMPARED or sorted(asked.order) != sorted(
        cell.number for cell in asked.cells
    ):
        return False
    notebook = _Notebook(asked)
    if notebook.unread():
        return False
    alone = all(notebook.leave_alone(*pair) for pair in notebook.exchanged())
    return alone and notebook.left > 0


@dataclass(frozen=True, slots=True)
class _Reach:
    """What a cell uses that may have existed before it: names, objects that can be changed, and
    what is outside the notebook."""

    names: frozenset[str]
    objects: frozenset[str]
    touch: Touch


class _Notebook:
    """All cells of a notebook, and who binds and links which names."""

    def __init__(self, asked: Reordering) -> None:
        self._asked = asked
        self._effects = {cell.number: read_effects(cell.source) for cell in asked.cells}
        self._owner = {cell.number: cell.exercise for cell in asked.cells}
        self._was = {cell.number: at for at, cell in enumerate(asked.cells)}
        self._then = {number: at for at, number in enumerate(asked.order)}
        self._binders: dict[str, set[int]] = {}
        self._imports: dict[str, set[str]] = {}
        self._bodies: dict[str, set[str]] = {}
        self._links: dict[str, list[Link]] = {}
        self._reached: dict[int, _Reach] = {}
        self.left = MAX_FOLLOWED
        for number, effects in self._effects.items():
            self._note(number, effects)
        self._note_links()
        everything = self._effects.values()
        self._chains = {chain for one in everything for link in one.links for chain in link.reads}
        self._chains.update(*self._bodies.values())
        self._exposed = frozenset[str]().union(*(one.exposed for one in everything))
        self._varying = frozenset[str]().union(*(one.varying for one in everything))
        self._altered = frozenset[str]().union(*(one.altered for one in everything))
        self._stateful = self._with_state()
        kept = frozenset[str]().union(*asked.kept.values())
        self._wanted = self._exposed.union(kept, *map(roots, self._bodies.values()))
        self._late, _ = self._follow(kept)  # what functions may read that are called at the end

    def _note(self, number: int, effects: Effects) -> None:
        for name in effects.binds:
            self._binders.setdefault(name, set()).add(number)
        for name, paths in effects.imports.items():
            self._imports.setdefault(name, set()).update(paths)
        for name, reads in effects.bodies.items():
            self._bodies.setdefault(name, set()).update(reads)

    def _note_links(self) -> None:
        """Note for each name the statements that may link it with others, except those that call a
        function which reads it among them."""
        for link in (link for effect in self._effects.values() for link in effect.links):
            names = link.binds | self._with_bodies(roots(link.reads))
            self.left -= len(names)
            for name in names if self.left > 0 else ():
                self._links.setdefault(name, []).append(link)

    def _with_bodies(self, names: frozenset[str]) -> set[str]:
        """These names, and those that the functions among them read when they are called."""
        found, pending = set(names), [*(names & self._bodies.keys())]
        while pending:
            news = roots(self._bodies[pending.pop()]) - found
            found |= news
            pending += news & self._bodies.keys()
        return found

    def _with_state(self) -> frozenset[str]:
        """The functions and classes that may carry something from one cell to another: their
        attributes are set or read, or they are passed on and some object's are set."""
        asked = frozenset(root(chain) for chain in self._chains if "." in chain)
        by_attribute = asked & self._bodies.keys() | self._altered & self._bodies.keys()
        alters = any(effect.alters for effect in self._effects.values()) or bool(
            by_attribute | self._altered
        )
        handed = frozenset[str]().union(*(effect.handed for effect in self._effects.values()))
        return by_attribute | (handed & self._bodies.keys() if alters else frozenset())

    def unread(self) -> bool:
        """Whether some cell may do something that is not analysed here."""
        return (
            self.left <= 0
            or any(effect.unread for effect in self._effects.values())
            or any(PROMPTS.fullmatch(name) for name in self._exposed)
            or "" in self._altered
            or any(self._is_mixed(name) for name in self._imports)
            or any(Touch.UNKNOWN in self._touch(chain) for chain in self._chains)
        )

    def _is_mixed(self, name: str) -> bool:
        """Whether an imported name refers to something else as well, or its names are set."""
        imported = all(name in self._effects[number].imports for number in self._binders[name])
        others = self._varying | self._bodies.keys() | self._altered
        return not imported or len(self._imports[name]) > 1 or name in others

    def exchanged(self) -> Iterator[tuple[int, int]]:
        """The pairs of cells that change places: the first would run after the second."""
        numbers = [cell.number for cell in self._asked.cells]
        for at, first in enumerate(numbers):
            for second in numbers[at + 1 :]:
                if self._then[first] > self._then[second]:
                    yield first, second

    def leave_alone(self, one: int, other: int) -> bool:
        """Whether the order of two cells does not matter."""
        mine, theirs = self._reach(one), self._reach(other)
        self.left -= 1 + len(mine.names) + len(theirs.names)
        return (
            self.left > 0
            and self._outside_alone(one, other, mine.touch, theirs.touch)
            and mine.objects.isdisjoint(theirs.objects)
            and self._unmet(one, other)
            and self._unmet(other, one)
            and not self._bound_in_both(one, other)
        )

    def _outside_alone(self, one: int, other: int, mine: Touch, theirs: Touch) -> bool:
        """Whether their order does not matter outside the notebook: settings, random numbers,
        output."""
        if Touch.SETTINGS in mine | theirs or Touch.RANDOM in mine & theirs:
            return False
        owners = self._owner[one], self._owner[other]
        if GIVEN in owners:  # what given cells show counts for no exercise
            return True
        speak = self._effects[one].speaks and self._effects[other].speaks
        return Touch.DRAWS not in mine & theirs and not (speak and owners[0] == owners[1])

    def _unmet(self, binder: int, reader: int) -> bool:
        """Whether one cell binds nothing that the other reads, or that is read after it. All names
        are kept there for calls at the end: which of several values is then visible."""
        bound = self._effects[binder].binds
        if any(name in ALWAYS_THERE for name in bound):
            return False
        read = {*(bound & self._reach(reader).names)}
        if reader in self._asked.kept:
            read |= {name for name in bound & self._late if len(self._binders[name]) > 1}
        return all(name in self._imports and self._imported(name, reader) for name in read)

    def _imported(self, name: str, reader: int) -> bool:
        """Whether the name surely refers to its module before a cell runs, in either order."""
        return any(
            name in self._effects[number].opening
            and number not in self._asked.failed
            and self._was[number] <= self._was[reader]
            and self._then[number] <= self._then[reader]
            for number in self._binders[name]
        )

    def _bound_in_both(self, one: int, other: int) -> bool:
        both = self._effects[one].binds & self._effects[other].binds & self._wanted
        return bool(both - self._imports.keys())

    def _reach(self, number: int) -> _Reach:
        if number not in self._reached:
            self._reached[number] = self._work_out(number)
        return self._reached[number]

    def _work_out(self, number: int) -> _Reach:
        effects = self._effects[number]
        kept = self._asked.kept.get(number, frozenset())
        objects = {name for name in kept if name in self._varying}
        read = {chain for link in effects.links for chain in link.reads}
        own = effects.bodies.keys() & roots(read)
        start = {chain for chain in read if not self._is_private(chain, effects)}
        start = start.union(objects, *(effects.bodies[name] for name in own))
        names, touch = self._follow(start)
        shared = names & (self._varying | self._stateful)
        return _Reach(names | kept | effects.exposed, shared, touch)

    def _is_private(self, chain: str, effects: Effects) -> bool:
        """Whether a chain begins with a name that the cell has surely bound to something new."""
        name = root(chain)
        return name in self._binders and name not in self._imports and name not in effects.exposed

    def _follow(self, chains: Iterable[str]) -> tuple[frozenset[str], Touch]:
        """All names that can be reached from these, and all that they may do."""
        pending, names, touch = list(chains), set[str](), Touch.NONE
        seen, linked = set(pending), set[int]()
        while pending and self.left > 0:
            chain = pending.pop()
            touch |= self._touch(chain)
            name = root(chain)
            self.left -= 1
            if chain.startswith((ATTRIBUTE, MODULE)) or name in names:
                continue
            names.add(name)
            news = set(self._bodies.get(name, ()))
            for link in self._links.get(name, ()) if name in self._varying else ():
                if id(link) not in linked:
                    linked.add(id(link))
                    news |= link.reads | link.binds
            pending.extend(news - seen)
            seen |= news
        return frozenset(names), touch

    def _touch(self, chain: str) -> Touch:
        if chain.startswith(ATTRIBUTE):
            return touch_of_attribute(chain.removeprefix(ATTRIBUTE))
        if chain.startswith(MODULE):
            return touch_of_import(chain.removeprefix(MODULE))
        name = root(chain)
        if name in self._imports:
            return touch_of(min(self._imports[name]) + chain.removeprefix(name))
        return Touch.NONE if name in self._binders else touch_of_builtin(name)
