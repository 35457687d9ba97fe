"""Calls that differ from an example in one number or flag: one that the example gives, or one that
it leaves at its default.

Not covered: texts that choose, such as "mean"; parameters whose default is no number.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from autograder.authoring.draft.arguments import as_tuple, parts_of
from autograder.authoring.draft.functions import DraftFunction
from autograder.authoring.draft.refused import is_number
from autograder.authoring.draft.source import literal


def variations(example: str, function: DraftFunction) -> Iterator[tuple[str, str]]:
    """The parameter that differs, and the source of the arguments; the best first for each."""
    parts, values = parts_of(example)
    before = ["self"] if "." in function.target else []
    required = [*before, *(parameter.name for parameter in function.parameters)]
    names = [*required, *(parameter.name for parameter in function.optional)]
    for place, (name, value) in enumerate(zip(names, values, strict=False)):
        for other in _others(value):
            yield name, as_tuple([*parts[:place], literal(other), *parts[place + 1 :]])
    missing = function.optional[max(len(parts) - len(required), 0) :]
    for place, parameter in enumerate(missing):
        defaults = [one.default for one in missing[:place]]
        if not all(isinstance(_constant(default), int | float) for default in defaults):
            return
        for other in _others(_constant(parameter.default)):
            yield parameter.name, as_tuple([*parts, *defaults, literal(other)])


def _constant(source: str) -> object:
    """The value of a literal; None for any other expression."""
    try:
        return ast.literal_eval(source)
    except (ValueError, SyntaxError):
        return None


def _others(value: object) -> list[bool | int | float]:
    """Other numbers of this kind, or both flags; the likeliest to be accepted first."""
    if isinstance(value, bool):
        return [not value, value]
    if not is_number(value):
        return []
    if isinstance(value, int):
        return [value + 1, value - 1, value + 2]
    assert isinstance(value, float)
    if not math.isfinite(value):
        return []
    return (
        [other for other in (0.5, 2.0, 0.25) if other != value]
        if 0 <= value <= 1
        else [float(f"{factor * value:.4g}") for factor in (1.5, 0.5)]
    )
