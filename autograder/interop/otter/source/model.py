"""An otter assignment between reading and writing: frozen data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

Given = Fraction | tuple[Fraction | None, ...] | None  # a question's points as written


class SourceFault(Exception):
    """A problem in a source: its line (from 1; 0 for none) and a message."""

    def __init__(self, line: int, what: str) -> None:
        super().__init__(what)
        self.line = line
        self.what = what

    def at(self, place: str) -> str:
        """The message, preceded by its place."""
        return f"{place}, line {self.line}: {self.what}" if self.line else f"{place}: {self.what}"


def shown(value: object) -> str:
    """A value for a message: the first 60 characters of its ``repr``."""
    try:
        return repr(value)[:60]
    except (ValueError, RecursionError):  # huge numbers, deeply nested lists
        return "something very long"


@dataclass(frozen=True, slots=True)
class Example:
    """One doctest example. ``shows`` is the expected output in doctest's form, "" for none;
    ``raises`` the last line of an expected exception; ``options`` the directives of its comment,
    with "-" before those that it disables."""

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
    """One otter test. ``name`` is its name in ``grader.check``, ``title`` its name in scores;
    ``source`` is the test file if its cases are functions."""

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
    """An otter assignment that has been read. ``told`` are notes for the instructor: what is not
    run, and what had to be decided. ``supports`` are the files that are next to the notebook,
    ``student_files`` patterns of those that students submit; ``template`` and ``solution`` are
    notebooks, if there are any."""

    title: str
    notebook: str
    questions: tuple[ScoredQuestion, ...]
    seed: int | None = None
    seed_variable: str = ""
    plugins: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    supports: Mapping[str, bytes] = field(default_factory=dict)
    student_files: tuple[str, ...] = ()
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
