"""Finds for each function the calls that can check it: some to be read, and some to be drawn."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np

from autograder.assignment.course_code import functions_of
from autograder.authoring.draft.functions import DraftCell, DraftDefinition, DraftFunction
from autograder.authoring.draft.guesses import guesses
from autograder.authoring.draft.source import MADE, DrawnForm, NoSourceError, drawn, literal
from autograder.authoring.draft.trial import (
    Arguments,
    RecordedCall,
    TrialCall,
    outcome,
    record,
    try_calls,
)
from autograder.evidence.records import Run
from autograder.notebook.structure.names import parse
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Outcome
from autograder.wire.tensors import from_wire, to_wire
from autograder.wire.values import Array, ConstructedObject, Figure, Items, Module, Opaque, Value
from autograder.wire.values import Mapping as MappingValue

SEEDS = (1, 2)  # with which each call is tried
DRAWN_SEEDS = (1, 2, 3, 4, 5)  # and each that draws its arguments
MOST_EXAMPLES = 3  # calls to be read, for each function
GUESSED = "guessed"
WAYS = (DrawnForm(), DrawnForm(single=False), DrawnForm(single=False, longer=2))


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
    drawn: tuple[str, ...] = ()
    number: bool = False
    changes: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DraftExercise:
    """A definition, and what checks it. ``left``: functions that nothing can check."""

    definition: DraftDefinition
    checks: tuple[DraftChecks, ...]
    left: tuple[DraftChecks, ...]


@dataclass(slots=True)
class _Trials:
    """Calls to try in one run, by function and source."""

    calls: list[TrialCall] = field(default_factory=list)

    def add(self, target: str, sources: Sequence[str], seeds: Sequence[int]) -> None:
        """Try each of these arguments with each seed."""
        for seed in seeds:
            for source, args in zip(sources, _evaluated(sources, seed), strict=True):
                if args is not None:
                    own = f"{target}/{seed}/{source}"
                    self.calls.append(TrialCall(own, target, args, seed))


def find_exercises(
    cells: Sequence[DraftCell], box: LazyBox
) -> tuple[tuple[DraftExercise, ...], Run]:
    """The definitions of a notebook as exercises, and its last run. Raises ``SandboxError``."""
    recorded = record(cells, box)
    definitions = [cell.definition for cell in cells if cell.definition is not None]
    functions = [function for one in definitions for function in one.functions]
    libraries = _libraries(cells)
    candidates = {f.target: _candidates(f, recorded[f.target], libraries) for f in functions}
    trials = _Trials()
    for target, several in candidates.items():
        trials.add(target, [one.source for one in several], SEEDS)
    run = try_calls(cells, trials.calls, box)
    chosen = [_chosen(function, candidates[function.target], run) for function in functions]
    drawings = _Trials()
    ways = {one.target: [_drawings(example) for example in one.examples] for one in chosen}
    for target, several_ways in ways.items():
        drawings.add(target, list(dict.fromkeys(chain.from_iterable(several_ways))), DRAWN_SEEDS)
    run = try_calls(cells, drawings.calls, box)
    made = {one.target: _with_drawn(one, ways[one.target], run) for one in chosen}
    return tuple(_exercise(one, made) for one in definitions), run


def _exercise(definition: DraftDefinition, made: Mapping[str, DraftChecks]) -> DraftExercise:
    every = [made[function.target] for function in definition.functions]
    good = tuple(one for one in every if not one.problem)
    return DraftExercise(definition, good, tuple(one for one in every if one.problem))


def _libraries(cells: Sequence[DraftCell]) -> frozenset[str]:
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
            return _tuple(write(one) for one in args)
        except NoSourceError:
            continue
    return ""


def imports(source: str) -> str:
    """The imports that these sources need."""
    return "".join(
        f"import {module}\n"
        for module, prefix in (("numpy as np", "np."), ("torch", "torch."))
        if re.search(rf"\b{re.escape(prefix)}", source)
    ) + ("\nfrom autograder.assignment.arguments import made\n" if MADE in source else "")


def _tuple(parts: Iterable[str]) -> str:
    """The source of a tuple."""
    several = list(parts)
    return f"({', '.join(several)}{',' if len(several) == 1 else ''})"


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
    """What a call comes to with both seeds; or why it cannot be compared."""
    first, second = (outcome(run, f"{function.target}/{seed}/{source}") for seed in SEEDS)
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else str(second)
    if first.status == "raised" and first.error is not None and first.error.types:
        return first
    if first.status != "returned":
        return "it could not be called"
    if kind := _strange(first.value):
        return f"its result ({kind}) cannot be compared"
    if "rng." not in source and first.value != second.value:
        return "its result changes from call to call (random numbers?)"
    return first


def _strange(value: Value) -> str:
    """The type of what is in a result and cannot be compared; empty if there is nothing."""
    if isinstance(value, Opaque | Module):
        return value.type
    if value is None or isinstance(value, Figure):
        return "None" if value is None else "a figure"
    parts: list[Value] = []
    if isinstance(value, Items):
        parts = [item for item in value.items if item is not None]
    elif isinstance(value, MappingValue):
        parts = [part for pair in value.items for part in pair if part is not None]
    return next((kind for part in parts if (kind := _strange(part))), "")


def _is_number(value: Value) -> bool:
    """Whether a value is one number, not a truth value."""
    if isinstance(value, Array):
        return value.shape == () and value.dtype != "bool"
    return type(value) in (int, float)


def _drawings(example: ExampleCall) -> list[str]:
    """Sources that draw arguments like those of the example, the best first."""
    (args,) = _plain([example.source])
    made = []
    for way in WAYS:
        with suppress(NoSourceError):
            made.append(_tuple(drawn(argument, way) for argument in args))
    return [source for source in dict.fromkeys(made) if source != example.source]


def _with_drawn(checks: DraftChecks, ways: Sequence[Sequence[str]], run: Run) -> DraftChecks:
    """The checks with one drawn call for each example, and one more of another size."""
    target = checks.target
    working = [[source for source in several if _every(target, source, run)] for several in ways]
    best = [several[0] for several in working if several]
    longer = [several[-1] for several in working[:1] if several]
    return replace(checks, drawn=tuple(dict.fromkeys([*best, *longer])))


def _every(function: str, source: str, run: Run) -> bool:
    """Whether a drawn call returns with every seed."""
    found = [outcome(run, f"{function}/{seed}/{source}") for seed in DRAWN_SEEDS]
    return all(
        isinstance(one, Outcome) and one.status == "returned" and not _strange(one.value)
        for one in found
    )


def _evaluated(sources: Sequence[str], seed: int) -> list[Arguments | None]:
    """What the sources give, as wire values; None for one that cannot be drawn."""
    return [
        None if args is None else tuple(_wire(argument) for argument in args)
        for args in _plain(sources, seed)
    ]


def _wire(argument: Any) -> Value:
    return argument if isinstance(argument, ConstructedObject) else to_wire(argument)


def _plain(sources: Sequence[str], seed: int = SEEDS[0]) -> list[Any]:
    """What the sources give. They are ours: numbers and texts of the notebook are literals."""
    text = "".join(
        f"\n\ndef case_{number}(rng):\n    return {source}\n"
        for number, source in enumerate(sources)
    )
    functions = functions_of(f"{imports(text)}{text}".encode(), "inputs.py")
    made = []
    for number in range(len(sources)):
        try:
            made.append(functions[f"case_{number}"](np.random.default_rng(seed)))
        except (ValueError, TypeError, OverflowError):  # bounds without numbers between them
            made.append(None)
    return made
