"""Runs a solution notebook in the sandbox: which calls it makes itself, and what calls return.

What comes out is a claim of the notebook's code: it is written down as data, never evaluated.
"""

from __future__ import annotations

import doctest
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.authoring.draft.functions import DraftCell, DraftDefinition
from autograder.evidence.records import ProbeRun, Run
from autograder.sandbox.lazy import LazyBox
from autograder.wire.convert import from_wire
from autograder.wire.messages import Call, Cell, Job, Outcome, Probe, Read
from autograder.wire.values import Array, ConstructedObject, Items, Slot, Value

Arguments = tuple[Value, ...]
SEED = 1
# recorded for each function: calls by cells, calls by other functions; numbers of one call
MOST_CALLS, MOST_INNER, MOST_NUMBERS = 6, 2, 100_000
LATER = "after the notebook"  # the exercise under which what was recorded is read

_RECORDER = f"""
import copy as __autograder_copy, functools as __autograder_functools
import inspect as __autograder_inspect
from math import prod as __autograder_prod

__autograder_running, __autograder_made = [], {{}}

def __autograder_bound(function, args, kwargs):
    bound = __autograder_inspect.signature(function).bind(*args, **kwargs)
    if bound.kwargs:
        bound.apply_defaults()
    sizes = [getattr(argument, "size", 0) for argument in bound.args]
    small = sum(size for size in sizes if isinstance(size, int)) <= {MOST_NUMBERS}
    if bound.kwargs or not small:
        raise ValueError("it cannot be written down")
    return bound.args

def __autograder_shapes(target):
    named = getattr(target, "named_parameters", None)
    shapes = [tuple(numbers.shape) for _, numbers in named()] if callable(named) else []
    return shapes if sum(map(__autograder_prod, shapes)) <= {MOST_NUMBERS} else []

def __autograder_recorded(function, outer, inner, of_class=None):
    running, made = __autograder_running, __autograder_made

    def note(args, kwargs):
        calls, most = (inner, {MOST_INNER}) if running else (outer, {MOST_CALLS})
        if len(calls) >= most:
            return None
        given = __autograder_bound(function, args, kwargs)
        if of_class is None:
            parts = (None, [], given)
        elif type(given[0]) is of_class:
            parts = (made[id(given[0])][1], __autograder_shapes(given[0]), given[1:])
        else:
            return None
        entry = [__autograder_where, False, *__autograder_copy.deepcopy(parts)]
        calls.append(entry)
        return entry

    @__autograder_functools.wraps(function)
    def recorded(*args, **kwargs):
        entry = None
        try:
            entry = note(args, kwargs)
        except Exception:
            pass
        running.append(function)
        try:
            return function(*args, **kwargs)
        except Exception:
            if entry is not None:
                entry[1] = True
            raise
        finally:
            running.pop()

    return recorded

def __autograder_recorded_class(target, methods):
    begin = target.__init__

    @__autograder_functools.wraps(begin)
    def begun(self, *args, **kwargs):
        try:
            given = __autograder_bound(begin, (self, *args), kwargs)[1:]
            __autograder_made.setdefault(id(self), (self, __autograder_copy.deepcopy(given)))
        except Exception:
            pass
        if begin is not object.__init__:
            begin(self, *args, **kwargs)

    target.__init__ = begun
    for name, calls in methods.items():
        setattr(target, name, __autograder_recorded(getattr(target, name), *calls, of_class=target))
"""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that the notebook makes. ``where``: "cell 4", or "the docstring". ``raised``: it ended
    in an exception."""

    where: str
    raised: bool
    args: Arguments


def record(cells: Sequence[DraftCell], box: LazyBox) -> Mapping[str, tuple[RecordedCall, ...]]:
    """Run the notebook and the examples in its docstrings; the calls of its functions, by target.

    The first argument of a method is an object to be made. Raises ``SandboxError``.
    """
    made = [Cell(number, source) for number, source in enumerate(_recording(cells), start=1)]
    targets = [one.target for cell in cells if cell.definition for one in cell.definition.functions]
    probes = tuple(Probe(one, LATER, Read(LATER, _calls_of(one))) for one in targets)
    run = box.run(Job(tuple(made), ((LATER, len(made)),), probes, SEED, draw=False))
    return {one: tuple(_read(run.probe(one), one)) for one in targets}


def _recording(cells: Sequence[DraftCell]) -> Iterator[str]:
    """The notebook's cells, and ours before and after them."""
    yield _RECORDER
    for cell in cells:
        if cell.kind == "code":
            yield f"__autograder_where = 'cell {cell.origin}'"
            yield cell.source
        if cell.definition is not None:
            yield _wrapping(cell.definition)
    yield "__autograder_where = 'the docstring'"
    for cell in cells:
        for docstring in cell.definition.docstrings if cell.definition is not None else ():
            yield from _examples(docstring)


def _wrapping(definition: DraftDefinition) -> str:
    """Code after which the calls of a definition are recorded."""
    name, calls = definition.name, [_calls_of(one.target) for one in definition.functions]
    lines = [f"{one} = [], []" for one in calls]
    if definition.is_class:
        methods = (one.target.partition(".")[2] for one in definition.functions)
        pairs = ", ".join(f"{m!r}: {one}" for m, one in zip(methods, calls, strict=True))
        lines.append(f"__autograder_recorded_class({name}, {{{pairs}}})")
    else:
        lines.append(f"{name} = __autograder_recorded({name}, *{calls[0]})")
    return "\n".join(lines)


def _examples(docstring: str) -> Iterator[str]:
    try:
        for example in doctest.DocTestParser().get_examples(docstring):
            yield example.source
    except ValueError:  # not written as doctest reads them
        return


def _calls_of(target: str) -> str:
    """The name under which a function's calls are recorded."""
    return f"__autograder_calls_{target.replace('.', '_')}"


def _read(found: ProbeRun | None, target: str) -> Iterator[RecordedCall]:
    """The calls, each once; those that cells make come first."""
    value = found.claim.value if found is not None and found.claim is not None else None
    seen: set[Arguments] = set()
    for calls in value.items if isinstance(value, Items) else ():
        for entry in calls.items if isinstance(calls, Items) else ():
            match entry:
                case Items(
                    "list", (str() as where, bool() as raised, made, shapes, Items("tuple", args))
                ):
                    if isinstance(made, Items):
                        own = target.partition(".")[0]
                        args = (ConstructedObject(own, made.items, _slots(shapes)), *args)
                    if args not in seen:
                        seen.add(args)
                        yield RecordedCall(where, raised, args)


def _slots(claimed: Value) -> tuple[Slot, ...]:
    """Room for the parameters of an object, of the shapes that the notebook reports; none if they
    are no shapes, or too large."""
    shapes = from_wire(claimed) if isinstance(claimed, Items) else []
    lengths = [n for shape in shapes for n in (shape if isinstance(shape, tuple) else (-1,))]
    # The shapes that a notebook reports are checked.
    if not all(isinstance(n, int) and n >= 0 for n in lengths):
        return ()
    if sum(map(math.prod, shapes)) > MOST_NUMBERS:
        return ()
    zeros = (Array("float32", tuple(shape), bytes(4 * math.prod(shape))) for shape in shapes)
    return tuple(map(Slot, zeros))


def failures(cells: Sequence[DraftCell], run: Run) -> Iterator[str]:
    """A sentence for each cell of the notebook that does not run to its end."""
    origins = {number: cell.origin for number, cell in enumerate(cells, start=1)}
    for record in run.cells:
        if record.number not in origins:
            continue
        error = record.claim.error if record.claim is not None else None
        if record.stop is not None:
            yield f"cell {origins[record.number]} was stopped: {record.stop.text}"
        elif error is not None:
            kind = error.types[0] if error.types else "an exception"
            yield f"cell {origins[record.number]} raises {kind}: {error.text[:200]}"


@dataclass(frozen=True, slots=True)
class TrialCall:
    """A call to try: of which target, under which id and seed."""

    id: str
    target: str
    args: Arguments
    seed: int = SEED


def try_calls(cells: Sequence[DraftCell], calls: Sequence[TrialCall], box: LazyBox) -> Run:
    """Make calls as grading would: of the function as it is after its own cell. Raises
    ``SandboxError``."""
    numbered = [(number, cell) for number, cell in enumerate(cells, start=1) if cell.kind == "code"]
    made = tuple(
        Cell(number, cell.source, cell.definition.name if cell.definition else "")
        for number, cell in numbered
    )
    keep = tuple((cell.definition.name, number) for number, cell in numbered if cell.definition)
    probes = []
    for one in calls:
        exercise = one.target.partition(".")[0]
        probes.append(Probe(one.id, exercise, Call(exercise, one.target, one.args, one.seed)))
    return box.run(Job(made, keep, tuple(probes), SEED, draw=False))


def outcome(run: Run, id_: str) -> Outcome | str:
    """What a call came to: its outcome, or why there is none."""
    found = run.probe(id_)
    if found is None or (found.claim is None and found.stop is None):
        return "it was not called"
    if found.claim is None:
        return found.stop.text if found.stop is not None else "it did not end"
    return found.claim
