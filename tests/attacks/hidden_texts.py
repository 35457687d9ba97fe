"""What of the hidden checks would be known from a text: numbers of their inputs, and their titles.

Covered: three numbers in a row of a hidden input, none of them short, however they are separated
and however many digits are shown beyond four; whole titles.
Not covered: single numbers, which occur by chance; numbers in another order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from autograder.assignment.load import Cases
from autograder.assignment.model import Assignment
from autograder.authoring.leak_check.values import hidden_names
from autograder.wire.convert import from_wire
from autograder.wire.values import Array

IN_A_ROW = 3
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?")
Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HiddenTexts:
    """The hidden numbers of one seed in groups of ``IN_A_ROW``, and the titles of hidden checks."""

    numbers: frozenset[Row]
    titles: frozenset[str]

    @staticmethod
    def of(assignment: Assignment, cases: Cases) -> HiddenTexts:
        """Those of an assignment with these inputs."""
        arrays = (
            array for name in hidden_names(assignment, cases) for array in _arrays(cases[name])
        )
        checks = [check for exercise in assignment.exercise for check in exercise.check]
        public = {check.title for check in checks if check.public}
        return HiddenTexts(
            frozenset(row for array in arrays for row in _rows(array)),
            frozenset(check.title for check in checks if not check.public) - public,
        )

    def has_numbers(self, text: str) -> bool:
        """Whether hidden numbers are in a text."""
        return not self.numbers.isdisjoint(_rows(list(map(float, _NUMBER.findall(text)))))

    def titles_in(self, text: str) -> Iterator[str]:
        """The titles of hidden checks that are in a text."""
        return (title for title in sorted(self.titles) if title in text)


def _arrays(value: Any) -> Iterator[Sequence[float]]:
    """The real numbers of all arrays in these values."""
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, Array):
            if node.dtype.startswith(("float", "bfloat")):
                yield from_wire(node).flatten().tolist()
        elif isinstance(node, msgspec.Struct):
            pending += [getattr(node, name) for name in node.__struct_fields__]
        elif isinstance(node, tuple | list):
            pending += node


def _rows(numbers: Sequence[float]) -> Iterator[Row]:
    """Numbers in a row with four digits each; none with a short one, which is in many texts."""
    texts = [f"{number:.4g}" for number in numbers]
    telling = [text != f"{number:.2g}" for text, number in zip(texts, numbers, strict=True)]
    for start in range(len(texts) - IN_A_ROW + 1):
        if all(telling[start : start + IN_A_ROW]):
            yield tuple(texts[start : start + IN_A_ROW])
