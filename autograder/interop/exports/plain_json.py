"""All standings and persons in our own JSON format, "autograder-standings/1", and its reader.

The top level has `format`, `standings` and `people`, each a list sorted by id. The keys of an entry
are the fields of `Standing` and `Person`. Points are decimal numbers of at most three decimals,
exact; `late_s` is seconds; times are ISO 8601. null means that there is no score.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from typing import Any

import msgspec

from autograder.errors import StoreError
from autograder.gradebook.grade import as_points
from autograder.gradebook.people import Person, Roster
from autograder.gradebook.standing import Standing
from autograder.interop.exports.model import (
    Exported,
    Options,
    all_with_score,
    all_without_score,
    in_order,
)
from autograder.wire.types import resolved

FORMAT = "autograder-standings/1"
_AMOUNTS = frozenset(
    {
        "score",
        "max_score",
        "so_far",
        "automatic",
        "manual",
        "manual_open",
        "extra",
        "penalty",
    }
)
_MOST = 10**12  # points; nothing real is near it


def plain_json(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The JSON in UTF-8, indented by two spaces, with a newline at the end."""
    ordered = in_order(standings)
    shown = {
        "format": FORMAT,
        "standings": [_standing(msgspec.to_builtins(s), as_points) for s in ordered],
        "people": sorted(map(_person, roster), key=_place),
    }
    text = json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # a lone surrogate can only come from an odd file name; JSON has an escape for it
    data = text.encode("utf-8", "backslashreplace")
    return Exported(data, all_with_score(ordered), all_without_score(ordered))


def read_plain_json(data: bytes, *, name: str = "standings") -> tuple[tuple[Standing, ...], Roster]:
    """Read what ``plain_json`` wrote; ``name`` is used in errors.

    Raises ``StoreError`` for anything else: another format, unknown keys, points with more than
    three decimals, a student listed twice.
    """
    try:
        shown = json.loads(data, parse_float=Decimal, parse_constant=_refuse)
        if not isinstance(shown, dict) or set(shown) != {"format", "standings", "people"}:
            raise ValueError("its top level is not format, standings and people")
        if shown["format"] != FORMAT:
            raise ValueError(f"its format is not {FORMAT}")
        entries = [_standing(entry, _amount) for entry in shown["standings"]]
        _known_fields(entries, Standing)
        _known_fields(shown["people"], Person)
        standings = msgspec.convert(entries, resolved(tuple[Standing, ...]))
        people = msgspec.convert(shown["people"], resolved(tuple[Person, ...]))
        _once([standing.student for standing in standings])
    except RecursionError:
        raise StoreError(f"{name}: nested too deeply to be a file of standings") from None
    except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as bad:
        raise StoreError(
            f"{name}: not a file of standings ({bad}). Export it again with the format json."
        ) from None
    return standings, Roster(people)


def _person(person: Person) -> dict[str, Any]:
    return {**msgspec.to_builtins(person), "keys": dict(sorted(person.keys.items()))}


def _place(person: dict[str, Any]) -> tuple[str, str]:
    return person["id"], json.dumps(person)


def _standing(entry: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    exercises = [_amounts(exercise, change) for exercise in entry["exercises"]]
    return {**_amounts(entry, change), "exercises": exercises}


def _amounts(entry: dict[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    return {
        key: change(value) if key in _AMOUNTS and value is not None else value
        for key, value in entry.items()
    }


def _amount(shown: Any) -> int:
    if isinstance(shown, bool) or not isinstance(shown, int | Decimal):
        raise ValueError(f"{shown!r} is not a number of points")
    points = Decimal(shown)
    # Points of at most three decimals in our own JSON.
    if abs(points) > _MOST or points != round(points, 3):  # the bound first, so the rest is exact
        raise ValueError(f"{points} points: at most three decimals are allowed")
    return int(points.scaleb(3))


def _known_fields(entries: Iterable[dict[str, Any]], kind: type[msgspec.Struct]) -> None:
    strange = {key for entry in entries for key in entry} - set(kind.__struct_fields__)
    if strange:
        raise ValueError(f"{kind.__name__} has no {', '.join(sorted(strange))}")


def _once(ids: Sequence[str]) -> None:
    twice = [id_ for id_, count in Counter(ids).items() if count > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} is listed twice")


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not a number")
