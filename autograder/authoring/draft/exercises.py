"""Finds for each function the calls that can check it: some to be read, and some to be drawn."""

from __future__ import annotations

import ast
import builtins
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from autograder.authoring.draft.arguments import as_tuple, parts_of, trial_calls, trial_id
from autograder.authoring.draft.comparable import incomparable
from autograder.authoring.draft.drawings import SEEDS as DRAWN_SEEDS
from autograder.authoring.draft.drawings import DrawnCall, accepted, drawings
from autograder.authoring.draft.functions import DraftCell, DraftDefinition, DraftFunction
from autograder.authoring.draft.guesses import guesses
from autograder.authoring.draft.plausible import Rooms, every_rooms, is_plausible, rooms_of
from autograder.authoring.draft.refused import (
    RaisingLines,
    at_limits,
    changed_calls,
    is_number,
    raising_lines,
    refused,
)
from autograder.authoring.draft.source import DrawnForm, NoSourceError, drawn, literal
from autograder.authoring.draft.trial import RecordedCall, TrialCall, outcome, record, try_calls
from autograder.evidence.records import Run
from autograder.notebook.structure.names import parse
from autograder.sandbox.lazy import LazyBox
from autograder.wire.convert import from_wire
from autograder.wire.messages import Outcome
from autograder.wire.values import Array, Value

SEEDS = ((1, 1), (1, 2), (2, 2))  # of arguments and call, with which each call is tried
MOST_EXAMPLES = 3  # calls to be read, for each function
GUESSED = "guessed"
LIMIT = "a number that the function compares with"


@dataclass(frozen=True, slots=True)
class ExampleCall:
    """A call. ``source``: its arguments, as the source of a tuple. ``where`` it was found, and
    whether it ``raised`` an exception there; ``error``: the one that it raises."""

    source: str
    where: str
    raised: bool = False
    error: str = ""


@dataclass(frozen=True, slots=True)
class DraftChecks:
    """A function with calls that check it. ``number``: it returns a number. ``changes``: it
    changes its arguments. ``problem``: why nothing can check it; empty if these can."""

    target: str
    examples: tuple[ExampleCall, ...] = ()
    raising: tuple[ExampleCall, ...] = ()
    drawn: tuple[DrawnCall, ...] = ()
    number: bool = False
    changes: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DraftExercise:
    """A definition, and what checks it. ``left``: functions that nothing can check."""

    definition: DraftDefinition
    checks: tuple[DraftChecks, ...]
    left: tuple[DraftChecks, ...]


def find_exercises(
    cells: Sequence[DraftCell], box: LazyBox
) -> tuple[tuple[DraftExercise, ...], Run]:
    """The definitions of a notebook as exercises, and its last run. Raises ``SandboxError``."""
    recorded = record(cells, box)
    definitions = [cell.definition for cell in cells if cell.definition is not None]
    functions = [function for one in definitions for function in one.functions]
    libraries = libraries_of(cells)
    candidates = {f.target: _candidates(f, recorded[f.target], libraries) for f in functions}
    trials: list[TrialCall] = []
    for target, calls in candidates.items():
        trials += trial_calls(target, [call.source for call in calls], SEEDS)
    run = try_calls(cells, trials, box)
    chosen = [_chosen(function, candidates[function.target], run) for function in functions]
    raising = {
        f.target: raising_lines(cell)
        for cell in cells
        if cell.definition is not None
        for f in cell.definition.functions
    }
    ways = {
        one.target: _ways(one, function, raising[one.target])
        for one, function in zip(chosen, functions, strict=True)
    }
    changed = {
        one.target: changed_calls(one.examples[0].source, raising[one.target])
        for one in chosen
        if one.examples
    }
    trials = []
    for target, several in ways.items():
        sources = dict.fromkeys(call.source for call in chain.from_iterable(several))
        trials += trial_calls(target, list(sources), DRAWN_SEEDS)
        others = [source for source in changed.get(target, {}) if source not in sources]
        trials += trial_calls(target, others, SEEDS)
    run = try_calls(cells, trials, box)
    made = {
        one.target: replace(
            one,
            drawn=tuple(accepted(one.target, ways[one.target], run)),
            raising=(
                *one.raising,
                *_refused(one.target, changed.get(one.target, {}), raising[one.target], run),
            ),
        )
        for one in chosen
    }
    return tuple(_exercise(one, made) for one in definitions), run


def _ways(
    checks: DraftChecks, function: DraftFunction, raising: RaisingLines
) -> list[list[DrawnCall]]:
    """Ways to draw arguments, for each example; of the first also those at a limit, and those with
    another value of one parameter."""
    ways = [drawings(call.source, function) for call in checks.examples]
    for several, call in zip(ways[:1], checks.examples[:1], strict=True):
        limits = at_limits(call.source, raising, function)
        several[:0] = [DrawnCall(one, "corner", LIMIT) for one in limits]
        for name, source in variations(call.source, function):
            if source not in limits:
                several.append(DrawnCall(source, "varied", f"another `{name}`"))
    return ways


def _refused(
    target: str, changed: Mapping[str, int], raising: RaisingLines, run: Run
) -> Iterator[ExampleCall]:
    for source, error in refused(target, changed, SEEDS, raising, run):
        yield ExampleCall(source, GUESSED, True, error)


def _exercise(definition: DraftDefinition, made: Mapping[str, DraftChecks]) -> DraftExercise:
    every = [made[function.target] for function in definition.functions]
    good = tuple(one for one in every if not one.problem)
    return DraftExercise(definition, good, tuple(one for one in every if one.problem))


def libraries_of(cells: Sequence[DraftCell]) -> frozenset[str]:
    """The names of the modules that the notebook imports."""
    trees = (parse(cell.source) for cell in cells if cell.kind == "code")
    nodes = [node for tree in trees if tree is not None for node in ast.walk(tree)]
    names = [alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names]
    names += [str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)]
    return frozenset(name.partition(".")[0] for name in names)


def _candidates(
    function: DraftFunction, recorded: Sequence[RecordedCall], libraries: frozenset[str]
) -> list[ExampleCall]:
    """Calls that the notebook makes; where there are none that can be written down, guesses."""
    made: dict[str, ExampleCall] = {}
    for call in recorded:
        if source := _source(tuple(from_wire(argument) for argument in call.args)):
            made.setdefault(source, ExampleCall(source, call.where, call.raised))
    if made or function.keywords or "." in function.target:
        return list(made.values())
    tried = (_source(args) for args in guesses(function, libraries))
    return [ExampleCall(source, GUESSED) for source in dict.fromkeys(tried) if source]


def _source(args: tuple[Any, ...]) -> str:
    """Arguments as source, drawn if they are too many to be written out; empty if neither works."""
    for write in (literal, lambda value: drawn(value, DrawnForm(single=False))):
        try:
            return as_tuple(write(one) for one in args)
        except NoSourceError:
            continue
    return ""


def _chosen(function: DraftFunction, candidates: Sequence[ExampleCall], run: Run) -> DraftChecks:
    """The function with those of its candidates that can be compared."""
    good, raising, problems = [], [], []
    first: Outcome | None = None
    for call in candidates:
        result = _result(function, call.source, run)
        if isinstance(result, str):
            problems.append(result)
        elif result.status == "raised":
            raising.append(replace(call, error=result.error.types[0]))  # type: ignore[union-attr]
        else:
            first = first or result
            good.append(call)
    guessed = any(call.where == GUESSED for call in candidates)
    examples = tuple(good[: 1 if guessed else MOST_EXAMPLES])
    if first is None:
        return DraftChecks(function.target, problem=_problem(function, candidates, problems))
    number = _is_number(first.value)
    wanted = tuple(one for one in raising if one.raised and hasattr(builtins, one.error))
    return DraftChecks(function.target, examples, wanted, (), number, bool(first.changed))


def _problem(
    function: DraftFunction, candidates: Sequence[ExampleCall], problems: Sequence[str]
) -> str:
    if problems:
        return problems[0]
    if function.keywords:
        return "it must be called with keywords, and calls are made by position"
    if any(call.where != GUESSED for call in candidates):
        return "every call in the notebook raises an exception, or is made on an object in use"
    if "." in function.target:
        return "the notebook does not call it, and objects are not guessed"
    return "no arguments were found that it accepts"


def _result(function: DraftFunction, source: str, run: Run) -> Outcome | str:
    """What a call comes to with each pair of seeds; or why it cannot be compared."""
    first, second, other = (outcome(run, trial_id(function.target, source, s)) for s in SEEDS)
    if isinstance(first, str):
        return first
    if isinstance(second, str) or isinstance(other, str):
        return second if isinstance(second, str) else str(other)
    if first.status == "raised" and first.error is not None and first.error.types:
        return first
    if first.status != "returned":
        return "it could not be called"
    if kind := incomparable(first.value):
        return f"its result ({kind}) cannot be compared"
    if first.value != second.value:
        return "its result changes from call to call (random numbers?)"
    return first


def _is_number(value: Value) -> bool:
    """Whether a value is one number, not a truth value."""
    if isinstance(value, Array):
        return value.shape == () and value.dtype != "bool"
    return type(value) in (int, float)


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
