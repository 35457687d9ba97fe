"""The numbers of a class report: spread of scores, pass rates, points, discrimination, times.

Discrimination is the corrected item-total correlation, Pearson's r between an exercise's points and
the points of all other exercises together (Henrysson, Psychometrika 28, 1963, pp. 211-218); for an
exercise that is right or wrong it is the point-biserial correlation with the rest. It is undefined
for fewer than ``FEWEST`` students, or where the exercise or the rest is the same for all.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import count
from statistics import mean, median

import msgspec

from autograder.gradebook.grade import CheckGrade, ExerciseGrade, Grade, exercise_ids
from autograder.judging.verdict import Status

FEWEST = 30  # students for a discrimination
SLOWEST = 5
BINS = 12


class Spread(msgspec.Struct, frozen=True):
    """Scores in thousandths of a point; all None for nobody."""

    count: int
    mean: float | None = None
    median: float | None = None
    lowest: int | None = None
    highest: int | None = None


class Bin(msgspec.Struct, frozen=True):
    """How many scores lie between ``low`` and ``high``, in thousandths; the last bin holds
    ``high``, too."""

    low: float
    high: float
    count: int


class Item(msgspec.Struct, frozen=True):
    """An exercise or a check over the class. ``share``: the mean share of its points, from 0 to 1,
    over the students for whom it was judged. ``r``: an exercise's discrimination, which ``low`` and
    ``high`` bound with 95 % confidence (Fisher's z). None where undefined."""

    exercise: str
    check: str
    title: str
    public: bool
    judged: int
    passed: int
    possible: int
    share: float | None
    r: float | None = None
    low: float | None = None
    high: float | None = None

    @property
    def pass_rate(self) -> float | None:
        """The share of those judged that passed."""
        return self.passed / self.judged if self.judged else None

    @property
    def mean(self) -> float | None:
        """The mean of its points, in thousandths."""
        return None if self.share is None else self.share * self.possible

    @property
    def lost(self) -> float:
        """The mean of the points that were not earned, in thousandths."""
        return 0.0 if self.share is None else (1 - self.share) * self.possible


class Times(msgspec.Struct, frozen=True):
    """One kind of time or amount over the class: median, 90th percentile, largest."""

    name: str
    unit: str
    middle: float
    high: float
    largest: float


def spread(scores: Sequence[int]) -> Spread:
    """Mean, median, lowest and highest."""
    if not scores:
        return Spread(0)
    return Spread(len(scores), mean(scores), median(scores), min(scores), max(scores))


def bins(scores: Sequence[int], max_score: int) -> tuple[Bin, ...]:
    """Scores in equal round steps from 0 to the maximum, or to a higher score."""
    top = max(max_score, *scores, 0)
    step = next(s for s in _steps() if s * BINS >= top)
    many = max(math.ceil(top / step), 1)
    counts = [0] * many
    for score in scores:
        counts[min(max(score // step, 0), many - 1)] += 1
    return tuple(Bin(at * step, (at + 1) * step, found) for at, found in enumerate(counts))


def _steps() -> Iterator[int]:
    """1, 2, 5, 10, 20, 50, ... thousandths."""
    for power in count():
        yield from (one * 10**power for one in (1, 2, 5))


def items(grades: Sequence[Grade]) -> tuple[tuple[Item, tuple[Item, ...]], ...]:
    """For each exercise its numbers and those of its checks, in the order of the assignment."""
    graded = [grade for grade in grades if grade.exercises]
    return tuple(_exercise(graded, id_) for id_ in exercise_ids(graded))


def times(grades: Sequence[Grade], memory_mb: Iterable[float]) -> tuple[Times, ...]:
    """Times of waiting, running and judging of submissions that were run; memory if known."""
    ran = [grade.timing for grade in grades if grade.timing.run > 0]
    kinds = (
        ("Waiting for a worker", "s", [one.queued for one in ran]),
        ("Running", "s", [one.run for one in ran]),
        ("Judging", "s", [one.judged for one in ran]),
        ("Peak memory", "MB", list(memory_mb)),
    )
    return tuple(
        Times(name, unit, percentile(values, 0.5), percentile(values, 0.9), max(values))
        for name, unit, values in kinds
        if values
    )


def slowest(grades: Sequence[Grade]) -> tuple[Grade, ...]:
    """The submissions that ran longest, the longest first."""
    ran = [grade for grade in grades if grade.timing.run > 0]
    return tuple(sorted(ran, key=lambda one: (-one.timing.run, one.student))[:SLOWEST])


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least this share of them do not exceed."""
    ordered = sorted(values)
    return ordered[max(math.ceil(share * len(ordered)), 1) - 1]


def correlation(item: Sequence[float], rest: Sequence[float]) -> float | None:
    """Pearson's r; None for too few, or where one side is the same for all."""
    if len(item) < FEWEST or len(set(item)) < 2 or len(set(rest)) < 2:
        return None
    middle = mean(item), mean(rest)
    apart = [(a - middle[0], b - middle[1]) for a, b in zip(item, rest, strict=True)]
    both = math.fsum(a * b for a, b in apart)
    sizes = math.fsum(a * a for a, _ in apart), math.fsum(b * b for _, b in apart)
    return max(-1.0, min(1.0, both / math.sqrt(sizes[0] * sizes[1])))


def _exercise(grades: Sequence[Grade], id_: str) -> tuple[Item, tuple[Item, ...]]:
    found = [(grade, one) for grade in grades for one in grade.exercises if one.id == id_]
    first = found[0][1]
    judged = [(grade, one) for grade, one in found if _is_judged(one)]
    seen = _numbers([one for _, one in judged])
    own = Item(id_, "", first.title, True, *seen, *_discrimination(judged))
    checks = dict.fromkeys(check.id for _, one in found for check in one.checks)
    return own, tuple(_check(judged, id_, check) for check in checks)


def _check(judged: Sequence[tuple[Grade, ExerciseGrade]], exercise: str, id_: str) -> Item:
    found = [
        check
        for _, one in judged
        for check in one.checks
        if check.id == id_ and not check.by_hand and check.status is not Status.UNGRADED
    ]
    every = [check for _, one in judged for check in one.checks if check.id == id_]
    title, public = (every[0].title, every[0].public) if every else (id_, False)
    return Item(exercise, id_, title, public, *_numbers(found))


def _numbers(
    found: Sequence[ExerciseGrade | CheckGrade],
) -> tuple[int, int, int, float | None]:
    """How many were judged and passed, the points, and the mean share of them."""
    passed = sum(one.status is Status.PASSED for one in found)
    possible = max((one.max_score for one in found), default=0)
    scores = [one.score for one in found if one.score is not None]
    share = mean(scores) / possible if scores and possible else None
    return len(found), passed, possible, share


def _discrimination(
    judged: Sequence[tuple[Grade, ExerciseGrade]],
) -> tuple[float | None, float | None, float | None]:
    """An exercise's correlation with all others, and its bounds."""
    scored = [(_total(grade), one.score) for grade, one in judged if one.score is not None]
    r = correlation([score for _, score in scored], [whole - score for whole, score in scored])
    return r, *_bounds(r, len(scored))


def _total(grade: Grade) -> int:
    """All automatic points; what has none counts as none earned."""
    return sum(one.score or 0 for one in grade.exercises)


def _bounds(r: float | None, students: int) -> tuple[float | None, float | None]:
    if r is None or abs(r) >= 1 or students <= 3:
        return None, None
    reach = 1.96 / math.sqrt(students - 3)
    return math.tanh(math.atanh(r) - reach), math.tanh(math.atanh(r) + reach)


def _is_judged(exercise: ExerciseGrade) -> bool:
    automatic = any(not check.by_hand for check in exercise.checks)
    return automatic and not exercise.left_out and exercise.status is not Status.UNGRADED
