"""The corners of a function on another device and in another dtype.

A check of devices or dtypes asks only some calls. What other checks of the exercise ask of the same
function (no rows, zero vectors, one token) is also called there, with the smallest cases. On the
accelerator the result must equal that of the student's own function on the CPU, so that a wrong
corner is not charged again; in another dtype only the existence and the dtype of a result count.

Covered: constants of a branch that are on the CPU or have a fixed dtype.
Not covered: calls that the reference itself answers differently there; corners that are not reached
because simulated calls used up their share of the run, which must cost ordinary checks nothing.
"""

from __future__ import annotations

from typing import NamedTuple, get_args

import msgspec

from autograder.assignment.kinds import (
    Check,
    DeviceCheck,
    Narrow,
    PipelinePart,
    PrecisionCheck,
    RepeatedElsewhere,
)
from autograder.evidence.stops import TOO_MUCH
from autograder.judging.checks import device, precision
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import reference, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.device import PRETENDED, Leg, explained, lands, untold
from autograder.judging.checks.dtypes import dtypes
from autograder.judging.checks.explain import asked, sentences, short
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.kernels import has_no_kernel
from autograder.judging.checks.plan import IdentityKey, once
from autograder.judging.checks.precision import refusal
from autograder.judging.checks.stage import excuse, stand_ins_of
from autograder.judging.verdict import DeviceOutcome, Mismatch, Status, Verdict
from autograder.wire.messages import Call, CallEnvironment, Outcome, Probe

Parts = tuple[PipelinePart, ...]
_SAID = ("On a simulated ", *(f"In {dtype}: " for dtype in get_args(Narrow)))
MOST = 6  # cases
LARGEST = 16_384  # bytes of a case


class _Corner(NamedTuple):
    """One call twice: plain on the CPU, and on another device or in another dtype."""

    plain: Probe
    there: Probe
    place: CallEnvironment


def probes(check: Check, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """Both calls of each corner; none for a check that the exercise does not choose for any."""
    return tuple(
        probe
        for one in _elsewhere(check)
        for parts in _ways(one.check)
        for corner in _corners(one, exercise, cases, parts)
        for probe in (corner.plain, corner.there)
    )


def examine(check: Check, trial: Trial) -> Finding | None:
    """What is wrong or unknown at a corner; None if nothing is, or if the check of devices or
    dtypes itself finds something."""
    for one in _elsewhere(check):
        found = _first(one, trial, ())
        if found is None or not _fine(one.check, trial):
            continue
        if found.status is not Status.UNGRADED:
            for parts in _ways(one.check)[1:]:
                if _first(one, trial, parts) is None:
                    return excuse(parts)
        return found
    return None


def is_of_corner(verdict: Verdict) -> bool:
    """Whether a check passed on the CPU in float32, and failed on a device or in another dtype."""
    return verdict.kind in ("function", "relation", "pipeline") and verdict.message.startswith(
        _SAID
    )


def _elsewhere(check: Check) -> tuple[RepeatedElsewhere, ...]:
    return getattr(check, "elsewhere", ())


def _fine(check: DeviceCheck | PrecisionCheck, trial: Trial) -> bool:
    """Whether the other check passes: otherwise the mistake is charged there."""
    if isinstance(check, DeviceCheck):
        return device.examine(check, trial).status is Status.PASSED
    return precision.examine(check, trial).status is Status.PASSED


def _first(one: RepeatedElsewhere, trial: Trial, parts: Parts) -> Finding | None:
    for corner in _corners(one, trial.exercise, trial.cases, parts):
        plain, there = reference(trial, corner.plain), reference(trial, corner.there)
        own = returned(trial.actual, corner.plain)
        if isinstance(plain, Finding) or isinstance(there, Finding):
            continue  # the reference cannot do it there
        if isinstance(own, Finding):
            continue  # charged by the check that asks it
        if isinstance(one.check, DeviceCheck):
            leg = Leg(corner.place, DeviceOutcome(PRETENDED, "simulated", "right"))
            if not _same_in(leg, one.check, plain, there):
                continue  # the reference differs as well
            found = _on_device(leg, one.check, trial, corner, own)
        else:
            found = _in_dtype(one.check, trial, corner, there)
        if found.status is not Status.PASSED:
            return found
    return None


def _places(check: DeviceCheck | PrecisionCheck) -> list[CallEnvironment]:
    if isinstance(check, DeviceCheck):
        return [CallEnvironment(PRETENDED, simulated=True, stays=check.stays)]
    return [CallEnvironment(dtype=dtype, fixed=check.fixed) for dtype in check.dtypes]


def _ways(check: DeviceCheck | PrecisionCheck) -> tuple[Parts, ...]:
    """Without stand-ins, and with stand-ins for all earlier parts."""
    return ((), check.parts) if check.parts else ((),)


def _corners(
    one: RepeatedElsewhere, exercise: str, cases: Cases, parts: Parts
) -> tuple[_Corner, ...]:
    """The smallest cases, in each place."""
    key = ("corners", IdentityKey(one), exercise, stand_ins_of(parts))
    return once(cases, key, lambda: _corners_of(one, exercise, cases, parts))


def _corners_of(
    one: RepeatedElsewhere, exercise: str, cases: Cases, parts: Parts
) -> tuple[_Corner, ...]:
    several = cases.get(one.inputs, ())
    sizes = [len(msgspec.msgpack.encode(case)) for case in several]
    small = sorted(range(len(several)), key=sizes.__getitem__)[:MOST]
    chosen = [number for number in small if sizes[number] <= LARGEST]
    call = Call(exercise, one.check.call, (), stand_ins=stand_ins_of(parts))
    plain = ask.calls(call, one.inputs, cases)
    found: list[_Corner] = []
    for place in _places(one.check):
        there = ask.calls(msgspec.structs.replace(call, place=place), one.inputs, cases)
        found += [_Corner(plain[number], there[number], place) for number in chosen]
    return tuple(found)


def _same_in(leg: Leg, check: DeviceCheck, plain: Outcome, there: Outcome) -> bool:
    """Whether the reference's own result on the accelerator equals its plain one."""
    same = not compare(there.value, plain.value, where="it", rules=_rules(check))
    return same and lands(check, there.value, leg, "it").status is Status.PASSED


def _on_device(
    leg: Leg, check: DeviceCheck, trial: Trial, corner: _Corner, own: Outcome
) -> Finding:
    """Whether a call's result on the accelerator equals ``own``, that on the CPU, and stays
    there."""
    record = trial.actual.probe(corner.there.id)
    # Simulated calls that had their share cost nothing.
    if record is not None and record.stop == TOO_MUCH:
        return PASSED
    unknown = untold(trial, corner.there, leg)
    if unknown is not None:
        return unknown.finding or PASSED
    actual = returned(trial.actual, corner.there)
    if isinstance(actual, Finding):
        found = explained(actual, trial.actual.probe(corner.there.id), leg)
    elif off := compare(actual.value, own.value, where="result", rules=_rules(check)):
        text = sentences(off, subject=asked(corner.there))
        found = Finding(
            Status.FAILED, off, f"{text} The expected result is that of the same call on the CPU."
        )
    else:
        found = lands(check, actual.value, leg, "result")
    if found.status is Status.PASSED:
        return found
    return msgspec.structs.replace(found, message=f"{leg.words}: {found.message}")


def _rules(check: DeviceCheck) -> Rules:
    return Rules(check.tolerance, leading_ones=check.leading_ones)


def _in_dtype(check: PrecisionCheck, trial: Trial, corner: _Corner, there: Outcome) -> Finding:
    """Whether a call returns in another dtype, with the reference's dtype."""
    actual = returned(trial.actual, corner.there)
    words = f"In {corner.place.dtype}"
    if isinstance(actual, Finding):
        refused = refusal(trial.actual, corner.there)
        if refused and has_no_kernel(refused):
            return ungraded(
                f"{words}: not tried, because torch does not support it on the CPU "
                f"({short(refused, 100)})."
            )
        return msgspec.structs.replace(actual, message=f"{words}: {actual.message}")
    other = next(dtypes(actual.value, there.value), None) if check.keeps else None
    if other is None:
        return PASSED
    text = f"{asked(corner.there)} returns {other.actual}; the reference returns {other.expected}."
    mismatch = Mismatch("result", "dtype", other.expected, other.actual, other.path)
    return Finding(Status.FAILED, (mismatch,), f"{words}: {text}")
