"""Runs a solution notebook in the sandbox: which calls it makes itself, and what calls return.

What comes out is a claim of the notebook's code: it is written down as data, never evaluated.
"""

from __future__ import annotations

import doctest
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from autograder.authoring.draft.functions import DraftCell
from autograder.evidence.records import ProbeRun, Run
from autograder.sandbox.lazy import LazyBox
from autograder.wire.messages import Call, Cell, Job, Outcome, Probe, Read
from autograder.wire.values import Items, Value

Arguments = tuple[Value, ...]
SEED = 1
# recorded for each function: calls by cells, calls by other functions; numbers of one call
MOST_CALLS, MOST_INNER, MOST_NUMBERS = 6, 2, 100_000
LATER = "after the notebook"  # the exercise under which what was recorded is read

_RECORDER = f"""
__autograder_running = []

def __autograder_recorded(function, outer, inner):
    import copy, functools, inspect
    signature, running = inspect.signature(function), __autograder_running

    def note(args, kwargs):
        bound = signature.bind(*args, **kwargs)
        if bound.kwargs:
            bound.apply_defaults()
        sizes = [getattr(argument, "size", 0) for argument in bound.args]
        small = sum(size for size in sizes if isinstance(size, int)) <= {MOST_NUMBERS}
        calls, most = (inner, {MOST_INNER}) if running else (outer, {MOST_CALLS})
        if small and not bound.kwargs and len(calls) < most:
            calls.append((__autograder_where, copy.deepcopy(bound.args)))

    @functools.wraps(function)
    def recorded(*args, **kwargs):
        try:
            note(args, kwargs)
        except Exception:
            pass
        running.append(function)
        try:
            return function(*args, **kwargs)
        finally:
            running.pop()

    return recorded
"""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call that the notebook makes. ``where``: "cell 4", or "the docstring"."""

    where: str
    args: Arguments


def record(cells: Sequence[DraftCell], box: LazyBox) -> Mapping[str, tuple[RecordedCall, ...]]:
    """Run the notebook and the examples in its docstrings; the calls of each of its functions.

    Raises ``SandboxError``.
    """
    made = [Cell(number, source) for number, source in enumerate(_recording(cells), start=1)]
    names = [cell.function.name for cell in cells if cell.function]
    probes = tuple(Probe(name, LATER, Read(LATER, _calls_of(name))) for name in names)
    run = box.run(Job(tuple(made), ((LATER, len(made)),), probes, SEED, draw=False))
    return {name: tuple(_read(run.probe(name))) for name in names}


def _recording(cells: Sequence[DraftCell]) -> Iterator[str]:
    """The notebook's cells, and ours before and after them."""
    yield _RECORDER
    for cell in cells:
        if cell.kind != "code":
            continue
        yield f"__autograder_where = 'cell {cell.origin}'"
        yield cell.source
        if cell.function is not None:
            name, calls = cell.function.name, _calls_of(cell.function.name)
            yield f"{calls} = [], []\n{name} = __autograder_recorded({name}, *{calls})"
    for cell in cells:
        if cell.function is not None:
            yield "__autograder_where = 'the docstring'"
            yield from _examples(cell.function.docstring)


def _examples(docstring: str) -> Iterator[str]:
    try:
        for example in doctest.DocTestParser().get_examples(docstring):
            yield example.source
    except ValueError:  # not written as doctest reads them
        return


def _calls_of(name: str) -> str:
    """The name under which a function's calls are recorded."""
    return f"__autograder_calls_{name}"


def _read(found: ProbeRun | None) -> Iterator[RecordedCall]:
    """The calls, each once; those that cells make come first."""
    value = found.claim.value if found is not None and found.claim is not None else None
    seen: set[Arguments] = set()
    for calls in value.items if isinstance(value, Items) else ():
        for entry in calls.items if isinstance(calls, Items) else ():
            match entry:
                case Items("tuple", (str() as where, Items("tuple", args))) if args not in seen:
                    seen.add(args)
                    yield RecordedCall(where, args)


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
    """A call to try: of which function, under which id and seed."""

    id: str
    function: str
    args: Arguments
    seed: int = SEED


def try_calls(cells: Sequence[DraftCell], calls: Sequence[TrialCall], box: LazyBox) -> Run:
    """Make calls as grading would: of the function as it is after its own cell. Raises
    ``SandboxError``."""
    numbered = [(number, cell) for number, cell in enumerate(cells, start=1) if cell.kind == "code"]
    made = tuple(
        Cell(number, cell.source, cell.function.name if cell.function else "")
        for number, cell in numbered
    )
    keep = tuple((cell.function.name, number) for number, cell in numbered if cell.function)
    probes = tuple(
        Probe(one.id, one.function, Call(one.function, one.function, one.args, one.seed))
        for one in calls
    )
    return box.run(Job(made, keep, probes, SEED, draw=False))


def outcome(run: Run, id_: str) -> Outcome | str:
    """What a call came to: its outcome, or why there is none."""
    found = run.probe(id_)
    if found is None or (found.claim is None and found.stop is None):
        return "it was not called"
    if found.claim is None:
        return found.stop.text if found.stop is not None else "it did not end"
    return found.claim
