"""The check by a relation: a function of the assignment's checks.py looks at one run.

A relation is ``def name(seen: RelationView) -> Iterator[str | Mismatch]``. It yields one sentence
or mismatch for each thing that is wrong, nothing if all is right, and runs on the trusted side over
decoded evidence only.

Covered: missing names, failed calls and values of the wrong kind end the check before or inside the
relation with a sentence; an exception of the relation itself is our fault.
Not covered: a relation that never ends, or one whose comparisons accept NaN.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from autograder.assignment.kinds import PipelinePart, RelationCheck, Tolerance
from autograder.errors import UsageError
from autograder.evidence.records import Run
from autograder.judging.checks import probes as ask
from autograder.judging.checks.arrays import TRAINED, Bounds, usual_bounds
from autograder.judging.checks.claims import references, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.decoded_value import DecodedValue, Wrong
from autograder.judging.checks.explain import call_text, sentences, short
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.stage import (
    Stage,
    Way,
    by_tolerance,
    declared_calls,
    excuse,
    ways,
)
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.convert import to_wire
from autograder.wire.messages import Call, Probe
from autograder.wire.values import Figure, Items, Module, Opaque

if TYPE_CHECKING:
    import torch

__all__ = ["CallView", "DecodedValue", "Relation", "RelationView", "Wrong", "examine", "probes"]

MAX_YIELDED = 50


@dataclass(frozen=True, slots=True)
class CallView:
    """One call: its arguments, its result, the arguments that it changed in place."""

    held: DecodedValue
    given: tuple[DecodedValue, ...]
    changed: tuple[int, ...]
    after: tuple[DecodedValue, ...] = ()  # the requested arguments, as they are after the call

    @property
    def args(self) -> tuple[Any, ...]:
        """The decoded arguments, as ``DecodedValue.plain``."""
        return tuple(value.plain() for value in self.given)

    @property
    def where(self) -> str:
        """The call as Python code."""
        return self.held.where

    @property
    def result(self) -> Any:
        """The decoded result, as ``DecodedValue.plain``."""
        return self.held.plain()

    def tensor(
        self, *, shape: tuple[int, ...] | None = None, leading_ones: bool = False
    ) -> torch.Tensor:
        """The result as ``DecodedValue.tensor``."""
        return self.held.tensor(shape=shape, leading_ones=leading_ones)

    def array(self, *, shape: tuple[int, ...] | None = None, leading_ones: bool = False) -> Any:
        """The result as ``DecodedValue.array``."""
        return self.held.array(shape=shape, leading_ones=leading_ones)

    def number(self) -> float:
        """The result as ``DecodedValue.number``."""
        return self.held.number()

    def boolean(self) -> bool:
        """The result as ``DecodedValue.boolean``."""
        return self.held.boolean()

    def text(self) -> str:
        """The result as ``DecodedValue.text``."""
        return self.held.text()

    def table(self, rows: int, columns: int) -> Any:
        """The result as ``DecodedValue.table``."""
        return self.held.table(rows, columns)

    def module(self) -> Module:
        """The result as ``DecodedValue.module``."""
        return self.held.module()

    def with_arrays(self) -> CallView:
        """This call with NumPy arrays in place of tensors."""
        held, *given = (replace(one, arrays=True) for one in (self.held, *self.given))
        after = tuple(replace(one, arrays=True) for one in self.after)
        return replace(self, held=held, given=tuple(given), after=after)


@dataclass(frozen=True, slots=True)
class RelationView:
    """What a relation sees of one run: the names and calls that its check declares.

    All accessors raise ``Wrong`` if a value does not fit. ``reference`` is the same view of the
    reference's run, None inside itself. ``parts`` are replaced by stand-ins in every call.
    """

    check: RelationCheck
    exercise: str
    run: Run
    cases: Cases
    reference: RelationView | None = None
    parts: tuple[PipelinePart, ...] = ()
    arrays: bool = False  # numbers are NumPy arrays

    def with_arrays(self) -> RelationView:
        """This view with NumPy arrays in place of tensors."""
        own = self.reference.with_arrays() if self.reference is not None else None
        return replace(self, reference=own, arrays=True)

    @property
    def tolerance(self) -> Tolerance | None:
        """The check's own tolerance."""
        return self.check.tolerance

    def held(self, name: str) -> DecodedValue:
        """A declared name with its value."""
        if name not in self.check.reads:
            raise UsageError(f"the relation uses {name!r}, which is not listed in `reads`")
        claim = returned(self.run, ask.read(self.exercise, name))
        assert not isinstance(claim, Finding)  # decided before the relation runs
        return DecodedValue(name, claim.value, self.reference is None, self.arrays)

    def value(self, name: str) -> Any:
        """The decoded value, as ``DecodedValue.plain``."""
        return self.held(name).plain()

    def tensor(
        self, name: str, *, shape: tuple[int, ...] | None = None, leading_ones: bool = False
    ) -> torch.Tensor:
        """The value as ``DecodedValue.tensor``."""
        return self.held(name).tensor(shape=shape, leading_ones=leading_ones)

    def array(
        self, name: str, *, shape: tuple[int, ...] | None = None, leading_ones: bool = False
    ) -> Any:
        """The value as ``DecodedValue.array``."""
        return self.held(name).array(shape=shape, leading_ones=leading_ones)

    def number(self, name: str) -> float:
        """The value as ``DecodedValue.number``."""
        return self.held(name).number()

    def boolean(self, name: str) -> bool:
        """The value as ``DecodedValue.boolean``."""
        return self.held(name).boolean()

    def text(self, name: str) -> str:
        """The value as ``DecodedValue.text``."""
        return self.held(name).text()

    def table(self, name: str, rows: int, columns: int) -> Any:
        """The value as ``DecodedValue.table``."""
        return self.held(name).table(rows, columns)

    def module(self, name: str) -> Module:
        """The value as ``DecodedValue.module``."""
        return self.held(name).module()

    def calls(self, target: str, inputs: str, *, stood_in: bool = False) -> list[CallView]:
        """The declared calls of ``target`` with every case of ``inputs``.

        ``stood_in`` picks those that are declared with stand-ins for earlier parts.
        """
        wanted = (c for c in self.check.calls if bool(c.stand_ins) == stood_in)
        declared = {(c.call, c.inputs): c for c in wanted}
        if (target, inputs) not in declared:
            raise UsageError(
                f"the relation uses {target}({inputs}), which is not listed in `calls`"
            )
        asked = declared_calls(declared[target, inputs], self.exercise, self.cases, self.parts)
        seen = [call_seen(self.run, probe, ours=self.reference is None) for probe in asked]
        return [one.with_arrays() for one in seen] if self.arrays else seen

    def figures(self) -> tuple[Figure, ...]:
        """The figures that the exercise's cells showed."""
        shown, _ = self._shown()
        return shown

    def printed(self) -> str:
        """What the exercise's cells printed, at most some thousand characters."""
        return self._shown()[1]

    def _shown(self) -> tuple[tuple[Figure, ...], str]:
        if not self.check.figures:
            raise UsageError("the relation uses figures: set `figures = true`")
        claim = returned(self.run, ask.figures(self.exercise, printed=True))
        assert not isinstance(claim, Finding)  # decided before the relation runs
        pair = claim.value.items if isinstance(claim.value, Items) else ()
        shown = pair[0].items if len(pair) == 2 and isinstance(pair[0], Items) else ()
        text = pair[1] if len(pair) == 2 and isinstance(pair[1], str) else ""
        return tuple(figure for figure in shown if isinstance(figure, Figure)), text

    def differs(self, where: str, actual: Any, expected: Any) -> Iterator[Mismatch]:
        """The differences of two values under the check's tolerance, or the dtypes' usual one."""
        rules = Rules(self.check.tolerance)
        yield from compare(to_wire(actual), to_wire(expected), where=where, rules=rules)


Relation = Callable[[RelationView], Iterator[str | Mismatch]]


def call_seen(run: Run, probe: Probe, *, ours: bool) -> CallView:
    """One call as a relation sees it; one that did not return has a value without a type."""
    request = probe.request
    assert isinstance(request, Call)
    given = tuple(DecodedValue("argument", arg, True) for arg in request.args)
    where = call_text(request.target, request.args)
    claim = returned(run, probe)
    if isinstance(claim, Finding):
        return CallView(DecodedValue(where, Opaque("nothing", claim.message), ours), given, ())
    places = zip(request.after, claim.after, strict=False)
    after = tuple(
        DecodedValue(f"argument {n + 1} after {where}", value, ours) for n, value in places
    )
    return CallView(DecodedValue(where, claim.value, ours), given, claim.changed, after)


def probes(
    check: RelationCheck,
    exercise: str,
    cases: Cases,
    *,
    optional: bool = True,
    parts: tuple[PipelinePart, ...] = (),
) -> tuple[Probe, ...]:
    """The declared names and calls, with or without the optional ones."""
    names = [ask.read(exercise, name) for name in check.reads]
    wanted = [c for c in check.calls if optional or not c.optional]
    calls = [declared_calls(call, exercise, cases, parts) for call in wanted]
    shown = [ask.figures(exercise, printed=True)] if check.figures else []
    return (*names, *itertools.chain.from_iterable(calls), *shown)


def stage_calls(
    check: RelationCheck, exercise: str, cases: Cases, way: Way, optional: bool
) -> Iterator[Probe]:
    """The declared calls with stand-ins for earlier parts."""
    for call in check.calls:
        if optional or not call.optional:
            yield from declared_calls(call, exercise, cases, way)


STAGE = Stage(stage_calls, by_tolerance, same_dtype=True)


def bounds(check: RelationCheck, actual: str, expected: str, shape: tuple[int, ...]) -> Bounds:
    """The usual bounds; wide ones for figures without a tolerance, which may show results of
    training."""
    # A figure may show what training left.
    if check.figures and check.tolerance is None:
        return TRAINED
    return usual_bounds(check.tolerance, actual, expected, shape)


def examine(check: RelationCheck, trial: Trial) -> Finding:
    """Check that both sides have what it needs, then run the relation; if something is wrong, run
    it again on the calls with stand-ins for the parts."""
    found = _examine(check, trial, ())
    if not check.parts or found.status in (Status.PASSED, Status.UNGRADED):
        return found
    right = (w for w in ways(check.parts) if _examine(check, trial, w).status is Status.PASSED)
    return next(map(excuse, right), found)


def _examine(check: RelationCheck, trial: Trial, parts: tuple[PipelinePart, ...]) -> Finding:
    relation = trial.relations.get(check.relation)
    if relation is None:
        return ungraded(f"checks.py does not define the relation `{check.relation}`.")
    if any(not trial.cases.get(call.inputs) for call in check.calls):
        return ungraded(f"There are no inputs for the calls of `{check.relation}`.")
    asked = probes(check, trial.exercise, trial.cases, parts=parts)
    broken = references(trial, asked)
    if isinstance(broken, Finding):
        return broken
    failed = list(_failed(check, trial, parts))
    if failed:  # the student's side decides first, then evidence that we lost
        return next((f for f in failed if f.status is not Status.UNGRADED), failed[0])
    own = RelationView(check, trial.exercise, trial.expected, trial.cases, None, parts)
    return _look(
        relation, RelationView(check, trial.exercise, trial.actual, trial.cases, own, parts)
    )


def _failed(
    check: RelationCheck, trial: Trial, parts: tuple[PipelinePart, ...]
) -> Iterator[Finding]:
    """What is required but missing, except calls that return with stand-ins for the parts."""

    def lacking(probes: Sequence[Probe]) -> list[Finding]:
        answers = [returned(trial.actual, probe) for probe in probes]
        return [answer for answer in answers if isinstance(answer, Finding)]

    required = probes(check, trial.exercise, trial.cases, optional=False, parts=parts)
    yield from lacking([probe for probe in required if not isinstance(probe.request, Call)])
    for call in check.calls:
        same = [c for c in check.calls if (c.call, c.inputs) == (call.call, call.inputs)]
        ways = [lacking(declared_calls(one, trial.exercise, trial.cases, parts)) for one in same]
        if not call.optional and all(ways):  # a call that returns with stand-ins is enough
            yield from ways[same.index(call)]


def _look(relation: Relation, seen: RelationView) -> Finding:
    try:
        yielded = list(itertools.islice(relation(seen), MAX_YIELDED))
        mismatches = tuple(_mismatch(problem) for problem in yielded)
    except Wrong as wrong:
        mismatches = (wrong.mismatch,)
    except Exception as bad:  # noqa: BLE001  instructor's code: whatever it raises is our fault
        said = short(f"{type(bad).__name__}: {bad}")
        return ungraded(f"The relation `{seen.check.relation}` could not be evaluated: {said}.")
    if not mismatches:
        return PASSED
    return Finding(Status.FAILED, mismatches, sentences(mismatches))


def _mismatch(yielded: object) -> Mismatch:
    if isinstance(yielded, Mismatch):
        return yielded
    if isinstance(yielded, str) and yielded.strip():
        return Mismatch("relation", "other", "", "", text=yielded)
    raise UsageError(
        f"it yielded {short(repr(yielded), 60)}, which is not a sentence or a mismatch"
    )
