"""Calls that differ from an example in one number or flag, one that the example gives or leaves at
its default, or in the capitals of a sentence.

Not covered: texts that choose, such as "mean"; parameters whose default is no number.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from autograder.authoring.draft.arguments import as_tuple, parts_of
from autograder.authoring.draft.functions import DraftFunction
from autograder.authoring.draft.plausible import Rooms, every_rooms, is_plausible, rooms_of
from autograder.authoring.draft.refused import is_number
from autograder.authoring.draft.source import literal


def variations(example: str, function: DraftFunction) -> Iterator[tuple[str, str]]:
    """The parameter that differs, and the source of the arguments; the best first for each."""
    parts, values = parts_of(example)
    rooms = every_rooms(values, function)
    given = zip(function.names, values, rooms, strict=False)
    for place, (name, value, own) in enumerate(given):
        for other in _others(value, own):
            yield name, as_tuple([*parts[:place], literal(other), *parts[place + 1 :]])
    required = len(function.names) - len(function.optional)
    missing = function.optional[max(len(parts) - required, 0) :]
    for place, parameter in enumerate(missing):
        defaults = [one.default for one in missing[:place]]
        if not all(isinstance(_constant(default), int | float) for default in defaults):
            return
        value = _constant(parameter.default)
        for other in _others(value, rooms_of(values, parameter.name, value, function)):
            yield parameter.name, as_tuple([*parts, *defaults, literal(other)])


def _constant(source: str) -> object:
    """The value of a literal; None for any other expression."""
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return None


def _others(value: object, rooms: Rooms) -> list[bool | int | float | str]:
    """Other numbers of this kind, or both flags, or the sentence in other capitals; the likeliest
    to be accepted first."""
    if isinstance(value, str):
        return [value.lower() if value == value.title() else value.title()] if " " in value else []
    if isinstance(value, bool):
        return [not value, value]
    if not is_number(value):
        return []
    if isinstance(value, int):
        others = (value + 1, value - 1, value + 2)
        return [other for other in others if is_plausible(value, other, rooms)]
    assert isinstance(value, float)
    if not math.isfinite(value):
        return []
    return (
        [other for other in (0.5, 2.0, 0.25) if other != value]
        if 0 <= value <= 1
        else [float(f"{factor * value:.4g}") for factor in (1.5, 0.5)]
    )
