"""A validation's rows arranged for display: by exercise and sort, with or without problems."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from autograder.reports.validation.model import (
    LostPoints,
    Problem,
    Rule,
    Sort,
    Survivor,
    Validation,
    VariantRow,
)
from autograder.reports.validation.rules import FAULTS, SORTS, SYMBOLS

FOLDED: frozenset[Sort] = frozenset({"trivial", "equivalent"})
FEW = 2  # up to this many rows in order are not folded

# the sorts that a rule applies to, unless it applies to all: names may repeat between sorts
_SPEAKS_OF: dict[Rule, frozenset[Sort]] = {
    "solution": frozenset({"solution"}),
    "template": frozenset({"template"}),
    "trivial": frozenset({"trivial"}),
    "missed": frozenset({"mistake"}),
    "elsewhere": frozenset({"mistake"}),
    "diagnosis": frozenset({"mistake"}),
    "large loss": frozenset({"mistake"}),
    "unfair": frozenset({"equivalent"}),
    "small call": frozenset({"equivalent"}),
    "survivor": frozenset({"mutant"}),
}


@dataclass(frozen=True)
class ExerciseBlock:
    """An exercise's checks (names without the exercise) and the rows that concern it.

    Rows of the whole notebook are in every block. Mutants are apart.
    """

    exercise: str
    checks: tuple[str, ...]
    rows: tuple[VariantRow, ...]
    mutants: tuple[VariantRow, ...]

    def statuses(self, row: VariantRow) -> tuple[str, ...]:
        """The row's status at each check, empty where it was not asked."""
        return tuple(row.statuses.get(f"{self.exercise}/{check}", "") for check in self.checks)

    def caught(self, rows: Sequence[VariantRow]) -> tuple[int, ...]:
        """How many of these rows fail each check."""
        columns = [self.statuses(row) for row in rows]
        return tuple(
            sum(statuses[at] in FAULTS for statuses in columns) for at in range(len(self.checks))
        )

    def elsewhere(self, row: VariantRow) -> int:
        """How many checks of other exercises the row fails; 0 for a row of the whole notebook."""
        if not row.exercise:
            return 0
        own = f"{self.exercise}/"
        return sum(s in FAULTS and not at.startswith(own) for at, s in row.statuses.items())

    def of(self, sort: Sort) -> tuple[VariantRow, ...]:
        """The rows of one sort, in the validation's order."""
        return tuple(row for row in self.rows if row.sort == sort)


@dataclass(frozen=True)
class ValidationMatrix:
    """A validation and how its parts relate."""

    found: Validation

    @cached_property
    def blocks(self) -> tuple[ExerciseBlock, ...]:
        """By exercise, in the order of the checks; exercises without checks come last."""
        found = self.found
        split = [
            (exercise, check) for exercise, _, check in (c.partition("/") for c in found.checks)
        ]
        names = dict.fromkeys(
            [e for e, _ in split] + [r.exercise for r in found.rows if r.exercise]
        )
        return tuple(
            ExerciseBlock(
                name,
                tuple(check for exercise, check in split if exercise == name),
                tuple(r for r in found.rows if r.exercise in (name, "") and r.sort != "mutant"),
                tuple(r for r in found.rows if r.exercise == name and r.sort == "mutant"),
            )
            for name in names
        )

    @cached_property
    def _troubled(self) -> frozenset[tuple[str, str]]:
        every = frozenset(SORTS)
        return frozenset(
            (sort, problem.variant)
            for problem in self.found.problems
            if problem.variant
            for sort in _SPEAKS_OF.get(problem.rule, every)
        )

    def troubled(self, row: VariantRow) -> bool:
        """Whether a problem concerns this row."""
        return (row.sort, row.name) in self._troubled

    def folded(self, block: ExerciseBlock, sort: Sort) -> tuple[VariantRow, ...]:
        """The block's rows of the sort that are counted in one line: those in order, if many."""
        rows = block.of(sort) if sort in FOLDED else ()
        good = tuple(row for row in rows if not self.troubled(row))
        return good if len(good) > FEW else ()

    @cached_property
    def symbols(self) -> dict[str, str]:
        """The symbol of each status that occurs."""
        there = {status for row in self.found.rows for status in row.statuses.values()}
        return {status: symbol for status, symbol in SYMBOLS.items() if status in there}

    def told(self, row: VariantRow) -> str:
        """How feedback names a known mistake: right, wrong, ambiguous, none; else empty."""
        if row.sort != "mistake":
            return ""
        if len(row.diagnosed) != 1:
            return "ambiguous" if row.diagnosed else "none"
        return "right" if bare(row.diagnosed[0], row) == bare(row.name, row) else "wrong"

    def costs(self, row: VariantRow) -> str:
        """The share of its exercise that a known mistake costs, as ``67 %``; else empty."""
        solution = next((one for one in self.found.rows if one.sort == "solution"), None)
        if row.sort != "mistake" or solution is None:
            return ""
        return f"{row.costs(solution):.0%}".replace("%", " %")

    def in_order(self, sort: Sort) -> tuple[int, int]:
        """How many variants of the sort are as they should be, and how many there are."""
        if sort == "mutant":
            explained = sum(bool(survivor.why) for survivor in self.found.survivors)
            return self.found.killed + explained, self.found.mutants
        rows = [row for row in self.found.rows if row.sort == sort]
        return sum(not self.troubled(row) for row in rows), len(rows)

    @property
    def sorts(self) -> tuple[Sort, ...]:
        """The sorts of which there are variants."""
        return tuple(sort for sort in SORTS if self.in_order(sort)[1])

    @cached_property
    def problems(self) -> dict[Rule, list[Problem]]:
        """By rule, in the order in which the rules first appear."""
        found: dict[Rule, list[Problem]] = {}
        for problem in self.found.problems:
            found.setdefault(problem.rule, []).append(problem)
        return found

    @cached_property
    def rewrites(self) -> tuple[LostPoints, ...]:
        """Rewritten answers that lose points, each once."""
        return tuple({one.name: one for one in self.found.generated.lost if one.diff}.values())

    @cached_property
    def survivors(self) -> tuple[Survivor, ...]:
        """Those without an explanation first."""
        return tuple(sorted(self.found.survivors, key=lambda survivor: bool(survivor.why)))


def bare(name: str, row: VariantRow) -> str:
    """A variant's name without the exercise in front, which the heading already says."""
    return name.removeprefix(f"{row.exercise}/") if row.exercise else name
