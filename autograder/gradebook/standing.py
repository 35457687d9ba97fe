"""A student's final result in one assignment: the row that exporters write."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

State = Literal["final", "open", "absent", "excused", "rejected", "ungraded"]


class ExerciseStanding(msgspec.Struct, frozen=True):
    """One exercise: its automatic and manual points together. Points are thousandths.

    ``score`` is None while manual grading is pending, or if nothing was judged.
    ``status`` is the automatic status ("passed", "failed", ...), "" if nothing was judged.
    ``automatic`` are the points of the checks, ``manual`` those given for written answers that
    count, ``waiting`` those that can still be given. ``overridden``: ``score`` was set by an
    override, which replaces both. ``comments`` are those about this exercise, for the student.
    """

    id: str
    title: str
    score: int | None
    max_score: int
    stretch: bool = False
    status: str = ""
    automatic: int | None = None
    manual: int = 0
    waiting: int = 0
    overridden: bool = False
    comments: tuple[str, ...] = ()

    @property
    def earned(self) -> int:
        """The points that count so far."""
        if self.score is not None:
            return self.score
        return (self.automatic or 0) + self.manual


class Standing(msgspec.Struct, frozen=True):
    """One student in one assignment. Points are thousandths, times are UTC.

    ``state``: "final": there is a score. "open": submitted and judged, but manual grading is
    pending; ``score`` is None and ``so_far`` holds the points so far. "absent": nothing was
    submitted. "excused": not counted in any total. "rejected": the file could not be read.
    "ungraded": the grader failed. An override makes any of them final.
    ``score`` is after penalty, extra credit and override, rounded. ``max_score`` counts automatic
    and manual points, without stretch exercises. ``penalty`` is what lateness cost (positive).
    ``overridden``: the whole score was set by an override, so it includes no penalty and no extra
    points, and no answer is waiting; exercises have their own flag.
    ``automatic`` are the points of the checks, ``manual`` those given for written answers that
    count, ``manual_open`` those that can still be given.
    ``comments`` are for the student, about exercises or the whole; ``note`` is for the instructor.
    """

    assignment: str
    student: str
    state: State
    score: int | None
    max_score: int
    so_far: int | None = None
    automatic: int | None = None
    manual: int = 0
    manual_open: int = 0
    extra: int = 0
    penalty: int = 0
    late_s: int = 0
    submitted_at: datetime | None = None
    overridden: bool = False
    exercises: tuple[ExerciseStanding, ...] = ()
    comments: tuple[str, ...] = ()
    note: str = ""
