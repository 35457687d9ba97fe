"""What a change of a right result is, and the axes along which one is looked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from autograder.judging.checks.arrays import Bounds, Plain


class ComparedPair(NamedTuple):
    """A result and what it is compared with, in the same dtype's tolerance."""

    actual: Plain
    expected: Plain
    bounds: Bounds


class Transform(NamedTuple):
    """``name`` for the data, ``words`` for the student.

    Not ``clear``: it proves less than the others, as an arbitrary factor does, or a change that
    loses most of the numbers.
    """

    name: str
    words: str
    clear: bool = True


class Equation(NamedTuple):
    """What must be equal for a change to hold, and what makes it visible.

    ``other``: what ``wanted`` must visibly differ from, of the same size; None if another shape
    shows it. ``slack``: how many times more rounding there is than in the results; above 1, numbers
    are computed, which could happen to be the same for many.
    """

    actual: Plain
    wanted: Plain
    other: Plain | None
    slack: float = 1.0


Rule = Callable[[ComparedPair], Equation | None]  # None: the change does not hold
Rest = Callable[[Sequence[ComparedPair]], str]


class Change(NamedTuple):
    """A row of the table of changes.

    The words follow "Your result is the right one, but"; ``of_vectors`` are those for vectors.
    ``narrower``: special cases, one of which is reported instead if no other one holds.
    ``by_row``: each row depends on the same row of the right result only, so that a few rows show
    whether it can hold. ``rest`` adds to the words what can be said of all results together.
    """

    name: str
    words: str
    rule: Rule
    of_vectors: str = ""
    narrower: tuple[Change, ...] = ()
    clear: bool = True
    by_row: bool = False
    rest: Rest | None = None

    def transform(self, pairs: Sequence[ComparedPair]) -> Transform:
        """The change in words for these results."""
        vectors = all(pair.expected.ndim <= 1 for pair in pairs)
        words = self.of_vectors if vectors and self.of_vectors else self.words
        return Transform(self.name, words + (self.rest(pairs) if self.rest else ""), self.clear)


class Axis(NamedTuple):
    """An axis: what one entry along it is called, several of them, and its number."""

    one: str
    many: str
    number: int
    least: int  # axes that a result must have

    def of(self, array: Plain) -> int:
        """The axis of this result, counted from the end. A vector's numbers are its rows."""
        return -1 if array.ndim == 1 and self.least == 1 else self.number

    def cut(self, array: Plain, start: int | None, stop: int | None) -> Plain:
        """The entries from ``start`` up to ``stop``."""
        behind = (slice(None),) * (-self.of(array) - 1)
        return array[(..., slice(start, stop), *behind)]

    def length(self, array: Plain) -> int:
        """How many entries there are."""
        return int(array.shape[self.of(array)])


ROWS = Axis("row", "rows", -2, 1)
COLUMNS = Axis("column", "columns", -1, 2)
BATCH = Axis("entry along the batch axis", "entries along the batch axis", -3, 3)
AXES = (ROWS, COLUMNS, BATCH)


def untouched(pair: ComparedPair) -> Equation:
    """Of a result that the change cannot change: it must be the right one."""
    return Equation(pair.actual, pair.expected, pair.expected)
