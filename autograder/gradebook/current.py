"""Of a student's current grade what tells whether it is another one, without reading it."""

from __future__ import annotations

import msgspec


class Current(msgspec.Struct, frozen=True):
    """``digest`` of the result without its timing; ``score`` in thousandths, None for none."""

    digest: str
    status: str
    score: int | None
