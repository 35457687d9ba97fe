"""The input and output of a comparison of submissions: code by cells, and similar pairs.

Numbers named ``score`` lie between 0 (nothing uncommon in common) and 1.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

LOOK = 0.6  # the score from which a pair is worth a look


class CodeCell(msgspec.Struct, frozen=True):
    """A code cell by its number, and the exercises that it belongs to; none for other cells.

    ``given``: it is the template's own.
    """

    number: int
    source: str
    exercises: tuple[str, ...] = ()
    given: bool = False


class HandInCode(msgspec.Struct, frozen=True):
    """One submission's code cells, in order."""

    student: str
    cells: tuple[CodeCell, ...]

    def cell(self, number: int) -> str:
        """The text of a cell; "" if there is no such cell."""
        return next((one.source for one in self.cells if one.number == number), "")

    def of(self, exercise: str) -> tuple[CodeCell, ...]:
        """The cells that belong to an exercise."""
        return tuple(one for one in self.cells if exercise in one.exercises)


class CodeLines(msgspec.Struct, frozen=True, order=True):
    """Lines ``first`` to ``last`` of a cell, counted from 1."""

    cell: int
    first: int
    last: int


class Passage(msgspec.Struct, frozen=True):
    """Equivalent lines of two submissions. ``others``: how many more students have them;
    ``weight``: how much they add to the evidence, in nats."""

    exercise: str
    left: CodeLines
    right: CodeLines
    others: int
    weight: float


class SharedAnswer(msgspec.Struct, frozen=True):
    """A wrong answer to one check that several students gave.

    ``others``: how many more students gave it; ``known``: a known mistake explains it.
    """

    exercise: str
    check: str
    others: int
    known: bool
    weight: float


class Pair(msgspec.Struct, frozen=True):
    """Two submissions, why they are worth a look, and where.

    ``evidence``: how surprising their common parts would be in independent submissions, in nats.
    ``exercises``: the score of each exercise in which both have code. ``by_tokens``: one of them
    is not Python, so the words of the code were compared instead of its structure.
    """

    left: str
    right: str
    score: float
    evidence: float
    exercises: Mapping[str, float]
    passages: tuple[Passage, ...] = ()
    answers: tuple[SharedAnswer, ...] = ()
    by_tokens: bool = False


class ReachingLine(msgspec.Struct, frozen=True):
    """A line of a submission that reaches beyond its exercises, and how, in fixed words."""

    student: str
    what: str
    place: CodeLines
    line: str


class Fragment(msgspec.Struct, frozen=True):
    """A piece of code by a digest of its normal form.

    ``whole``: a statement or a table of numbers, which can be shown; others are parts of
    statements, or two statements where one uses the other. ``share``: its share of a statement's
    weight.
    """

    digest: int
    place: CodeLines
    share: float
    whole: bool


class Fingerprints(msgspec.Struct, frozen=True):
    """A submission's fragments, by structure and by words. ``parsed``: all of it is Python and
    small enough to be analyzed. ``slices``: the cells of each exercise."""

    student: str
    parsed: bool
    structure: tuple[Fragment, ...]
    words: tuple[Fragment, ...]
    slices: Mapping[str, tuple[int, ...]]
