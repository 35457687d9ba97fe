"""What identifies a student's current grade, to detect changes without reading the grade."""

from __future__ import annotations

import msgspec


class Current(msgspec.Struct, frozen=True):
    """``digest``: of the result without its timing. ``score``: in thousandths, None if missing."""

    digest: str
    status: str
    score: int | None
