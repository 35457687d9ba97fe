"""Where a student stands in one assignment when all is counted: the row that exporters write."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

import msgspec

State = Literal["final", "open", "absent", "excused", "rejected", "ungraded"]


class ExerciseStanding(msgspec.Struct, frozen=True):
    """One exercise: its automatic and manual points together. Points are thousandths.

    ``score`` is None while a person's points are open, or where nothing was judged.
    ``status`` is the machine's word ("passed", "failed", ...), "" where nothing was judged.
    ``automatic`` are the points of the checks, ``manual`` those given for written answers that
    count, ``waiting`` what can still be given. ``overridden``: ``score`` was set by an override
    in place of both.
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

    @property
    def earned(self) -> int:
        """The points that count so far."""
        if self.score is not None:
            return self.score
        return (self.automatic or 0) + self.manual


class Standing(msgspec.Struct, frozen=True):
    """One student in one assignment. Points are thousandths, times are UTC.

    ``state``: "final": there is a score. "open": handed in and judged, but a person's points are
    still to be given; ``score`` is None and ``so_far`` holds what there is. "absent": nothing was
    handed in. "excused": counts in no total. "rejected": the file could not be read.
    "ungraded": our side failed. An override makes any of them final.
    ``score`` is after penalty, extra credit and override, rounded. ``max_score`` counts automatic
    and manual points, without stretch exercises. ``penalty`` is what lateness cost (positive).
    ``overridden``: the score of the whole was set by a person, so that no penalty and no extra
    points are in it and no answer waits; an exercise says of itself whether it was.
    ``automatic`` is what the checks gave, ``manual`` what was given for written answers and
    counts, ``manual_open`` what can still be given.
    ``comments`` are for the student, ``note`` is for the instructor.
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
