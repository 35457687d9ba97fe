"""The result of validating an assignment, as data for the terminal, JSON and the page."""

from __future__ import annotations

from typing import Literal

import msgspec

Sort = Literal["solution", "template", "trivial", "mistake", "equivalent", "mutant"]
Rule = Literal[
    "solution",
    "template",
    "trivial",
    "missed",
    "elsewhere",
    "unfair",
    "small call",
    "idle",
    "kill rate",
    "survivor",
    "tolerance",
    "diagnosis",
    "training",
    "ungraded",
    "message",
    "promise",
    "large loss",
    "personal",
]


class VariantRow(msgspec.Struct, frozen=True):
    """One variant of the solution and how every check that was asked went.

    ``exercise`` is the one that the variant changes, empty when it is the whole notebook.
    ``statuses`` maps "exercise/check" to a status word; a check that was not asked is absent.
    ``earned`` are thousandths by exercise. ``diagnosed`` names the known mistakes that the
    student's feedback would name.
    """

    sort: Sort
    name: str
    exercise: str
    title: str
    statuses: dict[str, str]
    earned: dict[str, int]
    diagnosed: tuple[str, ...] = ()

    def costs(self, solution: VariantRow) -> float:
        """The part of its exercise's automatic points, 0 to 1, that this variant loses."""
        full = solution.earned.get(self.exercise, 0)
        return 1 - self.earned.get(self.exercise, 0) / full if full else 0.0


class Promise(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a template's text promises or asks, the checks that test it, and a known mistake or
    mutant that breaks it."""

    exercise: str
    text: str  # quoted from the template
    checks: tuple[str, ...]
    broken_by: str


class ChargedAgain(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The text that permits charging an exercise's mistakes in another one as well."""

    exercise: str
    also: str
    text: str  # quoted from the template


class Problem(msgspec.Struct, frozen=True):
    """One reason why the assignment is not ready, with what to do about it."""

    rule: Rule
    text: str
    variant: str = ""
    check: str = ""


class Distance(msgspec.Struct, frozen=True):
    """The smallest absolute tolerance at which a variant would pass a check."""

    variant: str
    size: float  # math.inf where no tolerance would do (another shape, an exception)


class Window(msgspec.Struct, frozen=True):
    """The range for a tolerance: from what right answers need to what the nearest wrong one needs.

    Sizes are absolute tolerances at the check's own proportion of ``rtol`` to ``atol``.
    """

    check: str
    rtol: float
    atol: float
    source: Literal["measured", "written", "usual"]
    right: tuple[Distance, ...]
    wrong: tuple[Distance, ...]

    @property
    def spread(self) -> float:
        """What the worst right answer needs; 0 when all are equal to the reference."""
        return max((d.size for d in self.right), default=0.0)

    @property
    def nearest(self) -> float:
        """What the nearest wrong answer would need; infinite without any."""
        return min((d.size for d in self.wrong), default=float("inf"))


class TrainedVariant(msgspec.Struct, frozen=True):
    """How many of a variant's trainings, from as many seeds, were good."""

    variant: str
    good: int
    runs: int


class TrainingRates(msgspec.Struct, frozen=True):
    """The rates of a training check: the largest probabilities, with 95 % confidence, that right
    code fails and that a known mistake passes, next to the stated ones; and how many trainings
    right and wrong code need on average, out of at most ``most``."""

    check: str
    right: TrainedVariant
    wrong: tuple[TrainedVariant, ...]
    stated_false_alarm: float
    stated_miss: float
    false_alarm: float
    miss: float
    right_trainings: float
    wrong_trainings: float
    most: int


class Survivor(msgspec.Struct, frozen=True):
    """A mutant that lost no point. ``why`` is the instructor's explanation, if there is one."""

    name: str
    exercise: str
    operator: str
    line: int
    diff: str
    why: str = ""


class FamilyCount(msgspec.Struct, frozen=True):
    """Generated equivalents of a family: how many were made, how many of them turned out to mean
    something else, and how many lose points although they are right."""

    made: int
    different: int
    lost: int

    @property
    def right(self) -> int:
        """How many are equivalents."""
        return self.made - self.different


class LostPoints(msgspec.Struct, frozen=True):
    """A right answer that a check does not pass. ``parts``: what it was made from; of a whole
    notebook the fewest equivalents and layouts that lose it, and ``diff`` is empty."""

    name: str
    parts: str
    check: str
    message: str
    diff: str


class Generated(msgspec.Struct, frozen=True):
    """Generated equivalents, counted by family, and every check that one of them loses."""

    families: dict[str, FamilyCount] = {}
    lost: tuple[LostPoints, ...] = ()

    @property
    def tried(self) -> dict[str, FamilyCount]:
        """The families of which there is some equivalent."""
        return {name: one for name, one in self.families.items() if one.right or one.different}

    @property
    def right(self) -> int:
        """How many equivalents there are."""
        return sum(count.right for count in self.families.values())

    @property
    def losing(self) -> int:
        """How many of them lose points."""
        return sum(count.lost for count in self.families.values())


class Validation(msgspec.Struct, frozen=True):
    """A whole validation. ``ran`` and ``reused`` count variants' runs, new and stored.
    ``seconds``: since the command began, until the last of them."""

    assignment: str
    title: str
    seconds: float
    ran: int
    reused: int
    checks: tuple[str, ...]  # "exercise/check", in the assignment's order
    rows: tuple[VariantRow, ...]
    problems: tuple[Problem, ...]
    windows: tuple[Window, ...]
    mutants: int
    killed: int
    floor: float
    survivors: tuple[Survivor, ...]
    diagnosis: dict[str, int]  # right, wrong, ambiguous, none: over all known mistakes
    operators: dict[str, tuple[int, int]] = {}  # killed mutants and all, by operator
    generated: Generated = Generated()
    promises: tuple[Promise, ...] = ()
    trainings: tuple[TrainingRates, ...] = ()

    @property
    def rate(self) -> float:
        """Killed mutants as a share of all; 1 without any."""
        return self.killed / self.mutants if self.mutants else 1.0

    @property
    def valid(self) -> bool:
        """Whether no problem was found."""
        return not self.problems

    @property
    def untried(self) -> bool:
        """Whether the solution itself fails, so that nothing else was tried."""
        return not self.rows and not self.valid
