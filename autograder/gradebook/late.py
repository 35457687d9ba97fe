"""Late penalties, by the policy of the assignment. Points are thousandths, times are UTC.

Lateness is measured from the due time (the student's own, if it was extended). Within the grace
period there is no penalty; after it, every started 24 hours since the due time count, including
the grace period.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import msgspec

from autograder.assignment.late import LateSpec
from autograder.gradebook.rounding import quotient

DAY_S, HOUR_S, MINUTE_S = 86_400, 3_600, 60


class Lateness(msgspec.Struct, frozen=True):
    """``late_s``: seconds after the due time, 0 if on time. ``days``: days charged.
    ``closed``: after the cutoff, when nothing counts any more."""

    late_s: int = 0
    days: int = 0
    closed: bool = False


IN_TIME = Lateness()


def lateness(
    policy: LateSpec | None, submitted_at: datetime | None, until: datetime | None = None
) -> Lateness:
    """How late a submission is. ``until`` is the student's own due time, if it was extended.

    Without a policy or a time nothing is late. Fractions of a second are ignored.
    """
    due = until or (policy.due_at if policy is not None else None)
    if due is None or submitted_at is None:
        return IN_TIME
    late_s = max(0, int((submitted_at - due) // timedelta(seconds=1)))
    if policy is None or late_s <= policy.grace_minutes * 60:
        return Lateness(late_s)
    days = -(-late_s // DAY_S)
    closed = policy.cutoff_days is not None and late_s > policy.cutoff_days * DAY_S
    return Lateness(late_s, days, closed)


def duration(seconds: int) -> str:
    """A duration in its two largest units, such as ``2 d 3 h``; "" for 0 seconds."""
    units = ((DAY_S, "d"), (HOUR_S, "h"), (MINUTE_S, "min"), (1, "s"))
    parts = []
    for size, name in units:
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2])


def penalty(
    policy: LateSpec | None,
    late: Lateness,
    *,
    earned: int,
    whole: int,
) -> int:
    """The penalty in thousandths, at most ``earned``. ``whole``: the maximum of the assignment.

    It is ``per_day`` percent for each day, at most ``most``, of the maximum or of the points
    earned. After the cutoff it is everything.
    """
    if policy is None or earned <= 0:
        return 0
    if late.closed:
        return earned
    percent = min(policy.per_day * late.days, policy.most)
    base = whole if policy.of == "maximum" else earned
    scaled = int(percent * 1000)  # at most three decimals
    # A penalty takes no more than was earned.
    return min(earned, quotient(base * scaled, 100 * 1000))
