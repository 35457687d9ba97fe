"""What is read of an otter assignment before it becomes files: frozen data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

Given = Fraction | tuple[Fraction | None, ...] | None  # a question's points as they were written


class SourceFault(Exception):
    """One thing that is wrong: the line it stands in (from 1, 0 for none) and what it is."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what

    def at(self, place: str) -> str:
        """The sentence with its place before it."""
        return f"{place}, line {self.line}: {self.what}" if self.line else f"{place}: {self.what}"


def shown(value: object) -> str:
    """A value for a sentence: the start of how Python writes it."""
    try:
        return repr(value)[:60]
    except (ValueError, RecursionError):  # a number of very many digits, very deep lists
        return "something very long"


@dataclass(frozen=True, slots=True)
class Example:
    """One doctest example. ``shows`` is the wanted output as doctest holds it, "" for none;
    ``raises`` the last line of a wanted exception; ``options`` the directives of its comment,
    with "-" before those that it switches off."""

    code: str
    shows: str
    raises: str = ""
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OtterCase:
    """One test case: either ``examples``, or the name of a ``function`` in the test's file."""

    title: str
    hidden: bool
    points: Fraction | None = None
    hint: str = ""
    praise: str = ""
    examples: tuple[Example, ...] = ()
    function: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """One test of otter. ``name`` is what ``grader.check`` calls it, ``title`` what its scores
    are called; ``source`` is the whole file where its cases are functions."""

    name: str
    title: str
    cases: tuple[OtterCase, ...]
    points: Given = None
    all_or_nothing: bool = False
    source: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class ScoredQuestion:
    """A question with the thousandths that each of its cases earns; all or nothing is resolved."""

    question: Question
    points: tuple[int, ...]

    @property
    def total(self) -> int:
        """Thousandths of the whole question."""
        return sum(self.points)


@dataclass(frozen=True, slots=True)
class ImportedAssignment:
    """An otter assignment, read. ``told`` are sentences for whoever brings it: what is named and
    not run, and what had to be decided. ``supports`` are the files that otter puts beside the
    notebook; ``template`` and ``solution`` are notebooks, where there are any."""

    title: str
    notebook: str
    questions: tuple[ScoredQuestion, ...]
    seed: int | None = None
    seed_variable: str = ""
    plugins: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    supports: Mapping[str, bytes] = field(default_factory=dict)
    solution: bytes | None = None
    template: bytes | None = None

    @property
    def total(self) -> int:
        """Thousandths of the whole assignment."""
        return sum(scored.total for scored in self.questions)

    def cases(self) -> Iterator[OtterCase]:
        """Every case of every question."""
        for scored in self.questions:
            yield from scored.question.cases
