"""When an assignment is due, and the penalty for a late submission."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from typing import Annotated, Literal, Self
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, Field, model_validator

from autograder.assignment.kinds import Frozen


def time_zone(name: str) -> ZoneInfo:
    """Look up a time zone by its name in the IANA database; raises ``ValueError``."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(
            f"{name!r} is not a time zone; use a name such as Europe/Berlin, America/New_York "
            "or UTC"
        ) from None


def _zone_name(name: str) -> str:
    if name:
        time_zone(name)
    return name


def _three_decimals(number: Decimal) -> Decimal:
    if number != number.quantize(Decimal("0.001")):
        raise ValueError("write a percentage with at most three decimals")
    return number


Percent = Annotated[Decimal, Field(ge=0, le=100), AfterValidator(_three_decimals)]


class LateSpec(Frozen):
    """When the assignment is due, and the penalty for lateness."""

    due: datetime
    """local time in `timezone`, or a time with an offset. If that time occurs twice because clocks
    go back, the later one counts"""
    timezone: Annotated[str, AfterValidator(_zone_name)] = ""
    """a name such as "Europe/Berlin"; required if `due` has no offset"""
    grace_minutes: int = Field(default=0, ge=0)
    """lateness up to this costs nothing"""
    per_day: Percent = Decimal(0)
    """percent for every 24 hours, or part of 24 hours, after the due time"""
    of: Literal["maximum", "earned"] = "maximum"
    """of the assignment's points, or of the points earned"""
    most: Percent = Decimal(100)
    """percent, at most"""
    cutoff_days: int | None = Field(default=None, ge=0)
    """a submission that is later than this counts as 0"""

    @model_validator(mode="after")
    def _has_a_zone(self) -> Self:
        if self.due.tzinfo is None and not self.timezone:
            raise ValueError(
                "'due' has no time zone: add an offset (2026-10-25T23:59:00+01:00), or set "
                "'timezone'"
            )
        return self

    @property
    def due_at(self) -> datetime:
        """The due time in UTC."""
        if self.due.tzinfo is None:
            return self.due.replace(tzinfo=time_zone(self.timezone), fold=1).astimezone(UTC)
        return self.due.astimezone(UTC)
