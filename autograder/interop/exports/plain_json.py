"""All standings and persons in our own JSON format, "autograder-standings/1".

The top level has `format`, `standings` and `people`, each a list sorted by id. The keys of an entry
are the fields of `Standing` and `Person`. Points are decimal numbers of at most three decimals,
exact; `late_s` is seconds; times are ISO 8601. null means that there is no score.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import msgspec

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

FORMAT = "autograder-standings/1"
AMOUNTS = frozenset(
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


def plain_json(standings: Sequence[Standing], roster: Roster, options: Options) -> Exported:
    """The JSON in UTF-8, indented by two spaces, with a newline at the end."""
    ordered = in_order(standings)
    shown = {
        "format": FORMAT,
        "standings": [_standing(msgspec.to_builtins(s)) for s in ordered],
        "people": sorted(map(_person, roster), key=_place),
    }
    text = json.dumps(shown, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    # a lone surrogate can only come from an odd file name; JSON has an escape for it
    data = text.encode("utf-8", "backslashreplace")
    return Exported(data, all_with_score(ordered), all_without_score(ordered))


def _person(person: Person) -> dict[str, Any]:
    return {**msgspec.to_builtins(person), "keys": dict(sorted(person.keys.items()))}


def _place(person: dict[str, Any]) -> tuple[str, str]:
    return person["id"], json.dumps(person)


def _standing(entry: dict[str, Any]) -> dict[str, Any]:
    exercises = [_amounts(exercise) for exercise in entry["exercises"]]
    return {**_amounts(entry), "exercises": exercises}


def _amounts(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        key: as_points(value) if key in AMOUNTS and value is not None else value
        for key, value in entry.items()
    }
