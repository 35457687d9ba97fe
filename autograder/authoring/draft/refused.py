"""Calls that a function refuses: those of an example with one argument changed, where they reach a
`raise` of the function; and calls at the limits that it compares its arguments with.

Not covered: a `raise` that only several changed arguments reach together, or that is in a function
which this one calls.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from autograder.authoring.draft.arguments import as_tuple, parts_of, trial_id
from autograder.authoring.draft.functions import DraftCell, DraftFunction
from autograder.authoring.draft.plausible import every_rooms, is_plausible
from autograder.authoring.draft.source import NoSourceError, lengths, literal
from autograder.authoring.draft.trial import outcome
from autograder.evidence.records import Run
from autograder.notebook.structure.names import parse_plain
from autograder.wire.messages import Outcome

MOST_LIMITS = 4  # numbers that a function compares with
MOST_REFUSED = 3  # calls that reach the same `raise` by the same argument

# for arrays and tensors, whose source stands for {0}
_CHANGED_ARRAYS = ("{0}[:-1]", "{0}[:0]", "-abs({0}) - 1")
_OF_TABLES = ("{0}[..., :-1]",)
_OF_FLOATS = ("0 * {0}",)
_OTHER_AXES = ("{0}[0]", "{0}[None]")
_NAN = "0 * {0} + float('nan')"
# What a function refuses only by the way, a right answer may accept or refuse in another way. What
# it looks at, by the words that it must have for that.
_AXES = re.compile(r"\bndim\b|\bdim\(|len\([^()]*\.shape\)")
_TYPES = re.compile(r"\bisinstance\(|\btype\(|\bdtype\b|\bis_integer\(|\bindex\(")
_NANS = re.compile(r"nan|finite", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RaisingLines:
    """The built-in exceptions that a cell raises itself: for each line of these statements the
    first line, the exception, and the text of the line. ``limits``: numbers that it compares
    with. ``axes``, ``types``, ``nans``: whether it looks at these."""

    lines: Mapping[int, tuple[int, str, str]]
    limits: tuple[int | float, ...]
    axes: bool
    types: bool
    nans: bool


def raising_lines(cell: DraftCell) -> RaisingLines:
    """What the cell of a definition raises."""
    tree = parse_plain(cell.source)
    nodes = list(ast.walk(tree)) if tree is not None else []
    text = cell.source.split("\n")
    lines: dict[int, tuple[int, str, str]] = {}
    for node in nodes:
        name = _raised(node)
        if isinstance(node, ast.Raise) and name and hasattr(builtins, name):
            for number in range(node.lineno, (node.end_lineno or node.lineno) + 1):
                lines[number] = (node.lineno, name, text[number - 1].strip())
    compared = [
        part
        for node in nodes
        if isinstance(node, ast.Compare)
        for part in (node.left, *node.comparators)
    ]
    limits: list[Any] = [
        part.value for part in compared if isinstance(part, ast.Constant) and is_number(part.value)
    ]
    return RaisingLines(
        lines,
        tuple(dict.fromkeys(limits))[:MOST_LIMITS],
        # Only what a function looks at is refused.
        *(bool(words.search(cell.source)) for words in (_AXES, _TYPES, _NANS)),
    )


def _raised(node: ast.AST) -> str:
    """The name of the exception that a statement raises; empty if it is no name."""
    raised = node.exc if isinstance(node, ast.Raise) else None
    raised = raised.func if isinstance(raised, ast.Call) else raised
    return raised.id if isinstance(raised, ast.Name) else ""


def changed_calls(example: str, raising: RaisingLines) -> Mapping[str, int]:
    """Sources of an example's arguments with one of them changed, and which; none if nothing
    raises."""
    if not raising.lines:
        return {}
    parts, values = parts_of(example)
    limits = _limits(values, raising)
    made: dict[str, int] = {}
    for place, value in enumerate(values):
        for other in _changed(value, parts[place], limits, raising):
            made[as_tuple([*parts[:place], other, *parts[place + 1 :]])] = place
    made.pop(example, None)
    return made


def at_limits(example: str, raising: RaisingLines, function: DraftFunction) -> list[str]:
    """Sources of an example's arguments with one number at a limit, whose two sides may differ."""
    if not raising.lines:
        return []
    parts, values = parts_of(example)
    rooms = every_rooms(values, function)
    made = {
        as_tuple([*parts[:place], literal(type(value)(limit)), *parts[place + 1 :]]): None
        for place, value in enumerate(values)
        if is_number(value)
        for limit in _limits(values, raising)
        if isinstance(value, float) or is_plausible(value, int(limit), rooms[place])
    }
    made.pop(example, None)
    return list(made)


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _limits(values: Sequence[Any], raising: RaisingLines) -> list[int | float]:
    """The numbers that a function compares with, and the lengths of its arguments."""
    return [*raising.limits, *sorted(set().union(*map(lengths, values)))]


def _changed(
    value: Any, source: str, limits: Sequence[int | float], raising: RaisingLines
) -> Iterator[str]:
    """Sources of arguments that a function may refuse in place of this one."""
    others: list[Any] = []
    match value:
        case bool():
            return
        case int():
            others = [*(int(n) + step for n in limits for step in (-1, 1)), -value - 1, 0]
            others += [value + 0.5, str(value)] if raising.types else []
        case float():
            others = [*(n + step for n in limits for step in (-0.5, 0.5)), -value - 1, 0.0]
            others += [float("nan")] if raising.nans else []
            others += [str(value)] if raising.types else []
        case str():
            others = ["", "?", value.upper(), *([0] if raising.types else [])]
        case dict():
            others = [{}]
        case list() | tuple():
            others = [value[:0], value[:-1], (*value, *value[:1]), *_other_items(value)]
            others = [type(value)(other) for other in others]
        case object(shape=shape, dtype=_):  # an array or a tensor
            inside = f"({source})" if " " in source.partition("(")[0] else source
            of_floats = "float" in str(value.dtype)
            kinds = _CHANGED_ARRAYS + _OF_FLOATS * of_floats + _OF_TABLES * (len(shape) > 1)
            kinds += _OTHER_AXES * raising.axes + (_NAN,) * (raising.nans and of_floats)
            yield from (kind.format(inside) for kind in kinds if shape)
    for other in others:
        try:
            yield literal(other)
        except NoSourceError:
            continue


def _other_items(value: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Lists in which the last item is refused, or all are 0."""
    if value and all(map(is_number, value)):
        yield [*value[:-1], -abs(value[-1]) - 1]
        yield [type(item)(0) for item in value]
    elif value and all(isinstance(item, list) for item in value):
        yield [*value[:-1], value[-1][:-1]]


def refused(
    target: str,
    changed: Mapping[str, int],
    seeds: Sequence[tuple[int, int]],
    raising: RaisingLines,
    run: Run,
) -> Iterator[tuple[str, str]]:
    """Of the changed calls those that reach a `raise`, whatever the seeds: the source and the
    exception; a few for each line and argument."""
    found: dict[tuple[int, int], int] = defaultdict(int)
    for source, argument in changed.items():
        places = {_place(outcome(run, trial_id(target, source, seed)), raising) for seed in seeds}
        # A call that is refused reaches a raise of the function.
        if len(places) != 1 or (place := places.pop()) is None:
            continue
        line, name = place
        found[line, argument] += 1
        if found[line, argument] <= MOST_REFUSED:
            yield source, name


def _place(result: Outcome | str, raising: RaisingLines) -> tuple[int, str] | None:
    """The first line of the `raise` that a call reached, and the exception; None for any other."""
    error = result.error if isinstance(result, Outcome) and result.status == "raised" else None
    if error is None or not error.types or error.line not in raising.lines:
        return None
    line, name, text = raising.lines[error.line]
    return (line, name) if error.types[0] == name and error.source.strip() == text else None
