"""Our own JSON of standings, read back: exact points, no unknown key, no student twice."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import msgspec

from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.interop.exports.plain_json import AMOUNTS, FORMAT
from autograder.wire.types import resolved


def read(data: bytes) -> tuple[tuple[Standing, ...], Roster]:
    """The standings and the persons."""
    shown = json.loads(data, parse_float=Decimal, object_hook=_amounts)
    assert set(shown) == {"format", "standings", "people"}
    assert shown["format"] == FORMAT
    for entry in shown["standings"]:
        assert set(entry) <= {*Standing.__struct_fields__}
    for person in shown["people"]:
        assert set(person) <= {*Person.__struct_fields__}
    standings = msgspec.convert(shown["standings"], resolved(tuple[Standing, ...]))
    assert len({standing.student for standing in standings}) == len(standings)
    return standings, Roster(msgspec.convert(shown["people"], resolved(tuple[Person, ...])))


def _amounts(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        key: _thousandths(value) if key in AMOUNTS and value is not None else value
        for key, value in entry.items()
    }


def _thousandths(points: int | Decimal) -> int:
    assert type(points) in (int, Decimal)
    assert points == round(Decimal(points), 3)
    return int(points * 1000)
