"""What people type for a decision: points and times, read as the gradebook keeps them."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation

from autograder.assignment.late import time_zone
from autograder.errors import UsageError


def points_entered(text: str, *, least: int | None = None, most: int | None = None) -> int:
    """Points as thousandths, with a point or a comma; raises ``UsageError``."""
    try:
        number = Decimal(text.replace(",", "."))
        amount = int(number * 1000) if number.is_finite() and abs(number) < 10**6 else None
    except InvalidOperation:
        amount = None
    if amount is None or amount != number * 1000:
        raise UsageError(f"{text!r}: points must be a number with at most three decimals")
    if (least is not None and amount < least) or (most is not None and amount > most):
        upper = "" if most is None else f" to {most / 1000:g}"
        raise UsageError(f"{text!r}: points must be from {(least or 0) / 1000:g}{upper}")
    return amount


def moment_entered(text: str, zone: str) -> datetime:
    """A time as UTC, in ``zone`` if it states none; raises ``UsageError``."""
    try:
        found = datetime.fromisoformat(text)
        if found.tzinfo is None and zone:
            found = found.replace(tzinfo=time_zone(zone), fold=1)
        moment = found.astimezone(UTC)  # without a zone it is not used
    except (ValueError, OverflowError) as bad:
        raise UsageError(
            f"{text!r} is not a valid time; write it like 2026-11-03T23:59 ({bad})"
        ) from None
    if found.tzinfo is None:
        raise UsageError(
            f"{text!r} has no time zone; add an offset such as +01:00, or --timezone Europe/Berlin"
        )
    return moment
