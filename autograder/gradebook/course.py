"""Each student's total in a course, from the standings in its assignments.

The total is the weighted mean of the shares (points over maximum) of the assignments that count,
in percent, rounded half up to two decimals. Excused assignments are left out, missing submissions
count as 0, and extra credit adds its weighted share. There is no total until all scores are
final. If shares are equal, the earlier assignment is dropped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

import msgspec

from autograder.assignment.course import CourseSpec
from autograder.gradebook.rounding import quotient
from autograder.gradebook.standing import Standing

HUNDREDTHS = 100


class CourseTotal(msgspec.Struct, frozen=True):
    """One student. ``total`` is in hundredths of a percent, None while something is open.

    ``dropped`` are ids of assignments; ``open`` those without a final score.
    """

    student: str
    standings: tuple[Standing | None, ...]
    total: int | None
    dropped: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


def course_totals(
    course: CourseSpec, standings: Mapping[str, Sequence[Standing]]
) -> tuple[CourseTotal, ...]:
    """The totals, sorted by student. ``standings`` by the assignment's id."""
    by_student: dict[str, dict[str, Standing]] = {}
    for id_, found in standings.items():
        for one in found:
            by_student.setdefault(one.student, {})[id_] = one
    return tuple(_total(course, s, by_student[s]) for s in sorted(by_student))


def _total(course: CourseSpec, student: str, found: Mapping[str, Standing]) -> CourseTotal:
    standings = tuple(found.get(one.id) for one in course.assignment)
    pairs = list(zip(course.assignment, standings, strict=True))
    counted = [(c, s) for c, s in pairs if s is None or s.state != "excused"]
    open_ = tuple(c.id for c, s in counted if s is not None and s.state not in ("final", "absent"))
    if open_:
        return CourseTotal(student, standings, None, open=open_)
    parts = {c.id: _part(s) for c, s in counted}
    regular = [c for c, _ in counted if not c.extra_credit and parts[c.id] is not None]
    lowest = sorted(regular, key=lambda c: parts[c.id] or 0)
    many = max(0, min(course.drop_lowest, len(lowest) - 1))
    dropped = {one.id for one in lowest[:many]}
    kept = [c for c in regular if c.id not in dropped]
    extra = [c for c, _ in counted if c.extra_credit and parts[c.id] is not None]
    weight = sum(Fraction(c.weight) for c in kept)
    if not weight:
        return CourseTotal(student, standings, None)
    earned = sum(Fraction(c.weight) * (parts[c.id] or 0) for c in (*kept, *extra))
    share = earned / weight * 100 * HUNDREDTHS
    return CourseTotal(
        student,
        standings,
        quotient(share.numerator, share.denominator),
        tuple(c.id for c in course.assignment if c.id in dropped),
    )


def _part(one: Standing | None) -> Fraction | None:
    """Points over maximum; 0 for what was not handed in, None where there is nothing to earn."""
    if one is None or one.state == "absent":
        return Fraction(0)
    if one.max_score == 0:
        return None
    return Fraction(one.score or 0, one.max_score)
