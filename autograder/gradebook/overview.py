"""What a command says at its end of a class of any size: whom it shows, and how all did."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from autograder.gradebook.grade import Grade
from autograder.gradebook.standing import Standing
from autograder.gradebook.summary import Summary

WHOLE = 200  # students of whom all are shown
FIRST = 40  # that are shown of a larger class
NAMED = 10  # of the ungraded
_URGENCY = {"ungraded": 0, "rejected": 1, "graded": 2}


@dataclass(frozen=True, slots=True)
class Overview:
    """``shown``: all grades of a class of up to ``WHOLE``, sorted by student; else the ``FIRST``
    at whom to look: ungraded, then rejected, then those with the fewest points. ``ungraded``:
    the first ``NAMED`` of them. ``levels``: how code was kept apart, in words. ``standings``:
    what counts of those shown, by student."""

    summary: Summary
    shown: tuple[Grade, ...]
    levels: frozenset[str]
    ungraded: tuple[str, ...]
    standings: Mapping[str, Standing] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether everybody is shown."""
        return len(self.shown) == self.summary.students

    def counted(self, count: Callable[[str, Grade], Standing]) -> Overview:
        """With what counts of those who are shown."""
        return replace(self, standings={g.student: count(g.student, g) for g in self.shown})


def overview(grades: Iterable[Grade]) -> Overview:
    """Of grades that are sorted by student; goes through them once and keeps few."""
    summary, levels = Summary(), set()
    ungraded: list[str] = []
    first: list[Grade] = []
    for grade in grades:
        summary.add(grade)
        levels.add(grade.isolation.level)
        if grade.status == "ungraded" and len(ungraded) < NAMED:
            ungraded.append(grade.student)
        first.append(grade)
        if len(first) > WHOLE:
            first = sorted(first, key=_urgency)[:FIRST]
    shown = sorted(first, key=_urgency)[:FIRST] if summary.students > WHOLE else first
    return Overview(summary, tuple(shown), frozenset(levels), tuple(ungraded))


def _urgency(grade: Grade) -> tuple[int, float, str]:
    share = (grade.score or 0) / grade.max_score if grade.max_score else 0.0
    return _URGENCY[grade.status], share, grade.student
