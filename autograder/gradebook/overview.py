"""What a command shows at its end for a class of any size: some students, and a summary of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from autograder.gradebook.grade import Grade
from autograder.gradebook.standing import Standing
from autograder.gradebook.summary import Summary

WHOLE = 200  # up to this many students, all are shown
FIRST = 40  # students shown of a larger class
NAMED = 10  # of the ungraded
_URGENCY = {"ungraded": 0, "rejected": 1, "graded": 2}


@dataclass(frozen=True, slots=True)
class Overview:
    """``shown``: all grades of a class of up to ``WHOLE``, sorted by student; otherwise the first
    ``FIRST`` to look at: ungraded, then rejected, then the lowest scores. ``ungraded``: the first
    ``NAMED`` of them. ``doubtful``: the first that are graded but have a reason to look at them.
    ``noted``: how many have notes about their file.
    ``levels``: the isolation levels, in words. ``standings``: the standings of
    the students shown, by student."""

    summary: Summary
    shown: tuple[Grade, ...]
    levels: frozenset[str]
    ungraded: tuple[str, ...]
    doubtful: tuple[str, ...]
    noted: int
    standings: Mapping[str, Standing] = field(default_factory=dict)

    @property
    def is_whole(self) -> bool:
        """Whether all students are shown."""
        return len(self.shown) == self.summary.students

    def counted(self, count: Callable[[str, Grade], Standing]) -> Overview:
        """A copy with the standings of the students shown."""
        return replace(self, standings={g.student: count(g.student, g) for g in self.shown})


def overview(grades: Iterable[Grade]) -> Overview:
    """The overview of grades sorted by student, in one pass that keeps only a few of them."""
    summary, levels = Summary(), set()
    ungraded, doubtful, noted = list[str](), list[str](), 0
    first: list[Grade] = []
    for grade in grades:
        summary.add(grade)
        levels.add(grade.isolation.level)
        noted += bool(grade.submission.repairs)
        if grade.status == "ungraded" and len(ungraded) < NAMED:
            ungraded.append(grade.student)
        if grade.status == "graded" and grade.reason and len(doubtful) < NAMED:
            doubtful.append(grade.student)
        first.append(grade)
        if len(first) > WHOLE:
            first = sorted(first, key=_urgency)[:FIRST]
    shown = sorted(first, key=_urgency)[:FIRST] if summary.students > WHOLE else first
    return Overview(
        summary, tuple(shown), frozenset(levels), tuple(ungraded), tuple(doubtful), noted
    )


def _urgency(grade: Grade) -> tuple[int, float, str]:
    share = (grade.score or 0) / grade.max_score if grade.max_score else 0.0
    return _URGENCY[grade.status], share, grade.student
