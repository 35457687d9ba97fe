"""The smallest call that goes wrong, for each function of an exercise that fails, and the lines
that run only in calls that go wrong."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence

import msgspec

from autograder.evidence.records import Run
from autograder.judging.checks.device import WAYS, devices_in
from autograder.judging.checks.explain import position, raised
from autograder.judging.checks.finding import Reference
from autograder.judging.diagnosis.case_trial import CaseOutcome, CaseTrial
from autograder.judging.diagnosis.decoded_run import decode
from autograder.judging.diagnosis.likeness import same_answer
from autograder.judging.diagnosis.literals import both_written, call_code, tables_of, written
from autograder.judging.verdict import RanLine, SmallestCall
from autograder.wire.messages import Call, Outcome
from autograder.wire.values import Array, ConstructedObject, DataFrame, Items, Module, Value
from autograder.wire.values import Mapping as MappingValue

_SPECIAL = frozenset({"gradient", "device"})
WEIGHTED = "# of a weighted sum of the result"  # see ``Call.gradient``
MOST_TEXT = 400  # characters of a call or a result
MOST = 24  # lines; more say nothing about where a fault is

Lines = frozenset[tuple[int, int]]


def smallest(
    found: Sequence[CaseOutcome], run: Run, reference: Reference
) -> dict[str, SmallestCall]:
    """By check: the smallest call of a function that goes wrong, for the first check that asks it.
    Checks of one function share one."""
    best: dict[str, CaseOutcome] = {}
    first: dict[str, str] = {}
    for outcome in found:
        target = target_of(outcome.trial)
        if outcome.wrong and target:
            first.setdefault(target, outcome.trial.check.id)
            if target not in best or (_order(outcome, reference) < _order(best[target], reference)):
                best[target] = outcome
    calls: dict[str, SmallestCall] = {}
    for target in separate(best):
        call = _described(best[target], run, reference)
        if call is not None:
            check = best[target].trial.check.id
            quoted = _raised_at(best[target].trial, run)
            apart = lines_apart([o for o in found if o.trial.check.id == check], run)
            ran = tuple(one for one in apart if one.line not in quoted)
            calls.setdefault(first[target], msgspec.structs.replace(call, ran=ran))
    return calls


def separate(targets: Collection[str]) -> list[str]:
    """The functions and methods that fail, without methods of objects that cannot even be made."""
    return [
        target for target in targets if "." not in target or target.partition(".")[0] not in targets
    ]


def _order(outcome: CaseOutcome, reference: Reference) -> tuple[bool, bool, bool, int]:
    """The smallest call is shown, of those that went wrong again and of plain ones if there are
    any, and of those whose right result has numbers."""
    records = filter(None, (reference.run.probe(probe.id) for probe in outcome.trial.probes))
    values = [record.claim.value for record in records if record.claim is not None]
    empty = any(isinstance(value, Array) and 0 in value.shape for value in values)
    special = outcome.trial.check.kind in _SPECIAL
    return not outcome.steady, special, empty, size_of(outcome.trial.args)


def target_of(trial: CaseTrial) -> str:
    """The function, class or method that a trial calls first."""
    names = (p.request.target for p in trial.probes if isinstance(p.request, Call))
    return next(names, "")


def _raised_at(trial: CaseTrial, run: Run) -> frozenset[int]:
    """The lines of exceptions, which are quoted with them."""
    records = filter(None, (run.probe(probe.id) for probe in trial.probes))
    errors = (record.claim.error for record in records if record.claim is not None)
    return frozenset(error.line for error in errors if error is not None)


def _described(outcome: CaseOutcome, run: Run, reference: Reference) -> SmallestCall | None:
    """The first call of the trial that differs from the solution's, as text."""
    trial = outcome.trial
    records = [(run.probe(probe.id), reference.run.probe(probe.id)) for probe in trial.probes]
    ours = decode(run, [own for own, _ in records if own is not None])
    theirs = decode(reference.run, [right for _, right in records if right is not None])
    for probe in trial.probes:
        own, right = ours.claim(probe.id), theirs.claim(probe.id)
        if not isinstance(probe.request, Call) or own is None or right is None:
            continue
        if not same_answer(trial.check, probe, ours, theirs):
            expected, actual, of = _texts(probe.request, right, own)
            code = (
                tables_of(probe.request),
                *of,
                _place(probe.request),
                call_code(probe.request),
            )
            return SmallestCall(
                "\n".join(_cut(line) for line in code if line),
                _cut(expected),
                _cut(actual),
            )
    return None


def _cut(text: str) -> str:
    """Cut with an ellipsis when it is long; the spaces in quotes stay as they are."""
    return text if len(text) <= MOST_TEXT else f"{text[: MOST_TEXT - 1]}…"


def _texts(call: Call, right: Outcome, own: Outcome) -> tuple[str, str, tuple[str, ...]]:
    """What is expected of a call, what it gives; and comments if that is not its result."""
    if own.status == "raised" and own.error is not None:
        return _did(right), raised(own.error, ticks=""), ()
    if right.status == "raised":
        return _did(right), written(own.value), ()
    if own.changed != right.changed:
        places = " and ".join(position(index) for index in own.changed)
        changed = f"the {places} argument is changed" if places else "no argument is changed"
        kept = "every argument stays as it is" if not right.changed else "it changes"
        return kept, changed, ()
    pairs = zip(call.gradient, right.gradients, own.gradients, strict=False)
    for place, wanted, given in pairs:
        expected, actual = both_written(wanted, given)
        if expected != actual:
            what = (f"# the gradient for the {position(place)} argument", WEIGHTED)
            return _gradient(expected, wanted), _gradient(actual, given), what
    there, here = (" and ".join(dict.fromkeys(devices_in(o.value))) for o in (right, own))
    if there and here and there != here:
        return f"{written(right.value)} on {there}", f"{written(own.value)} on {here}", ()
    return *both_written(right.value, own.value), ()


def _place(call: Call) -> str:
    """A comment that says on which device a call is made; "" for the CPU of every machine."""
    place = call.place
    if place is None or (place.device == "cpu" and not place.simulated):
        return ""
    if place.device == "cpu":
        return "# on the CPU beside a simulated accelerator"
    where = "a simulated accelerator" if place.simulated else place.device
    return f"# with its arguments on {where}{WAYS[place.way]}"


def _gradient(text: str, gradient: Value) -> str:
    return "no gradient" if gradient is None else text


def _did(outcome: Outcome) -> str:
    if outcome.status == "raised" and outcome.error is not None:
        return outcome.error.types[0] if outcome.error.types else "an exception"
    if isinstance(outcome.value, Module):
        return "no exception"
    return written(outcome.value)


def size_of(value: object) -> int:
    """How many numbers and words there are in arguments."""
    match value:
        case Array(shape=shape):
            return math.prod(shape)
        case DataFrame(columns=columns):
            return value.rows * len(columns)
        case tuple() | list():
            return sum(map(size_of, value))
        case Items(items=items) | MappingValue(items=items):
            return 1 + sum(map(size_of, items))
        case ConstructedObject(args=args, slots=slots):
            return size_of(args) + sum(size_of(slot.array) for slot in slots)
        case Module(entries=entries):
            return sum(size_of(entry.array) for entry in entries)
        case str():
            return len(value.split())
    return 1


def lines_apart(outcomes: Iterable[CaseOutcome], run: Run) -> tuple[RanLine, ...]:
    """The lines by which the wrong ones of these calls differ from the right ones; none if all are
    wrong, or all right, or some of what ran is not known.

    What ran is a claim by code that the student controls: it is shown to this student, and nothing
    else depends on it.
    """
    wrong, right = list[Lines](), list[Lines]()
    for outcome in outcomes:
        if outcome.known:
            (wrong if outcome.wrong else right).append(_ran(outcome.trial, run))
    # A right call that was not traced says nothing.
    if not wrong or not right or not all(right):
        return ()
    found = frozenset.intersection(*wrong).difference(*right)
    return tuple(RanLine(*place) for place in sorted(found)) if len(found) <= MOST else ()


def _ran(trial: CaseTrial, run: Run) -> Lines:
    """The lines that ran in the calls of a trial; none if those of one call are not known."""
    records = (run.probe(probe.id) for probe in trial.probes)
    every = [record.claim.lines if record and record.claim else () for record in records]
    return frozenset(line for lines in every for line in lines) if all(every) else frozenset()
