"""The check of a function on several devices: the right result on each, on the right device.

The function is called on the CPU, on the CPU while a simulated accelerator is present, on that
accelerator and on every real one of the machine. Covered: values, devices, gradients; objects that
are moved, used before, copied, or loaded from a state dict. A device that the machine lacks costs
nothing and is reported. A call that the simulation does not support costs and earns nothing, and
has to be graded by hand; the claim that it is unsupported is accepted only if the simulation really
lacks it.
Not covered: what only real hardware shows (memory, asynchronous errors, its own rounding).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from autograder.assignment.kinds import DeviceCheck, PipelinePart
from autograder.evidence.records import ProbeRun
from autograder.evidence.stops import says_no_memory
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import ExpectedCall, combine, reference, returned
from autograder.judging.checks.compare import Rules, compare
from autograder.judging.checks.explain import asked, sentences, short
from autograder.judging.checks.faults import Explanation, of_error, of_fault, result_left
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.gradient import complete, differing
from autograder.judging.checks.kernels import has_no_kernel
from autograder.judging.checks.stage import excuse, stand_ins_of, ways
from autograder.judging.verdict import DeviceOutcome, Mismatch, Status
from autograder.wire.messages import COPYING, Call, CallEnvironment, Probe, StandIn
from autograder.wire.values import Array, ConstructedObject, Items, Mapping, Value

PRETENDED = "cuda"  # the device that is simulated
_WORDS = {
    "real": "On {0}",
    "simulated": "On a simulated {0}",
    "beside": "On {0} beside an accelerator",
}
_CALLED = {"cpu": "the CPU", "cuda": "CUDA device", "mps": "MPS device"}
_WRONG = (Status.FAILED, Status.RAISED)
WAYS = {
    "moved": "",
    "used": ", after a call on the CPU",
    "copied": ", as a deep copy",
    "loaded": ", loaded from a state dict",
}


class Leg(NamedTuple):
    """One way to try all calls, or the first of them: where, and its words in messages."""

    place: CallEnvironment | None
    ran: DeviceOutcome
    only_first: bool = False

    @property
    def way(self) -> str:
        """How objects are moved there."""
        return self.place.way if self.place is not None else "moved"

    @property
    def words(self) -> str:
        """The leg in words that begin a sentence, such as "On a simulated CUDA device"."""
        called = _CALLED[self.ran.device]
        said = called if self.ran.how != "real" or called.startswith("the") else f"the {called}"
        return _WORDS[self.ran.how].format(said) + WAYS[self.way]


def legs(check: DeviceCheck, cases: Cases) -> Iterator[Leg]:
    """Everything that is tried, the plainest first."""
    yield Leg(None, DeviceOutcome("cpu", "real", "not reached"))
    beside = CallEnvironment("cpu", simulated=True, stays=check.stays)
    yield Leg(beside, DeviceOutcome("cpu", "beside", "not reached"), only_first=True)
    given = (arg for args in cases.get(check.inputs, ()) for arg in args)
    objects = any(isinstance(arg, ConstructedObject) and not arg.ours for arg in given)
    places = [
        (
            CallEnvironment(PRETENDED, simulated=True),
            DeviceOutcome(PRETENDED, "simulated", "not reached"),
        )
    ]
    places += [
        (CallEnvironment(device), DeviceOutcome(device, "real", "not reached"))
        for device in check.devices
    ]
    for place, ran in places:
        for way in dict.fromkeys(("moved", *check.ways)) if objects else ("moved",):
            there = msgspec.structs.replace(place, way=way, stays=check.stays)
            yield Leg(there, ran, only_first=way != "moved")


def probes(check: DeviceCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The calls of every leg, without stand-ins and with stand-ins for earlier parts."""
    return tuple(
        probe
        for parts in ((), *ways(check.parts))
        for leg in _legs_with(parts, check, cases)
        for probe in _calls(check, exercise, cases, leg, stand_ins_of(parts))
    )


def _legs_with(parts: tuple[PipelinePart, ...], check: DeviceCheck, cases: Cases) -> Iterator[Leg]:
    """Every leg; if only some of the parts are replaced, those in which objects are moved by
    ``.to``."""
    whole = parts in ((), check.parts)
    yield from (leg for leg in legs(check, cases) if whole or leg.way == "moved")


def _calls(
    check: DeviceCheck, exercise: str, cases: Cases, leg: Leg, stand_ins: tuple[StandIn, ...]
) -> tuple[Probe, ...]:
    call = Call(
        exercise,
        check.call,
        (),
        gradient=check.wrt,
        output=check.output if check.wrt else 0,
        stand_ins=stand_ins,
        place=leg.place,
    )
    return ask.calls(call, check.inputs, cases)[: 1 if leg.only_first else None]


def examine(check: DeviceCheck, trial: Trial) -> Finding:
    """Leg by leg, up to the first that is wrong; then with stand-ins for earlier parts.

    A mistake that only another way to the device shows is excused only by all parts together,
    because only they are tried in every way.
    """
    found, way = _tried(check, trial, ())
    if found.status in (Status.PASSED, Status.UNGRADED):
        return found
    for parts in sorted(ways(check.parts), key=len):  # so that no right part is blamed
        alone, _ = _tried(check, trial, parts)
        seen = way == "moved" or parts == check.parts
        if seen and alone.status is Status.PASSED:
            return msgspec.structs.replace(excuse(parts), devices=alone.devices)
    return found


def _tried(
    check: DeviceCheck, trial: Trial, parts: tuple[PipelinePart, ...]
) -> tuple[Finding, str]:
    """The finding of the first wrong leg, with the outcomes of all of them; and that leg's way."""
    went: list[DeviceOutcome] = []
    wrong: tuple[Finding, str] | None = None
    unclear: Finding | None = None
    for leg in _legs_with(parts, check, trial.cases):
        if wrong is not None:
            went.append(leg.ran)
            continue
        asked_ = _calls(check, trial.exercise, trial.cases, leg, stand_ins_of(parts))
        found = _leg(check, trial, leg, asked_)
        if isinstance(found, UntestedLeg):
            went.append(found.ran)
            unclear = unclear or found.finding
            continue
        right = found.status is Status.PASSED
        went.append(msgspec.structs.replace(leg.ran, result="right" if right else "wrong"))
        wrong = None if right else (found, leg.way)
    devices = tuple(_together(went))
    if wrong is None:
        return msgspec.structs.replace(unclear or PASSED, devices=devices), ""
    return msgspec.structs.replace(wrong[0], devices=devices), wrong[1]


def _together(went: list[DeviceOutcome]) -> Iterator[DeviceOutcome]:
    """One record for each device: a wrong way decides, then one that could not be tried."""
    order = ("wrong", "not simulated", "absent", "not reached", "right")
    for device, how in dict.fromkeys((ran.device, ran.how) for ran in went):
        own = [ran for ran in went if (ran.device, ran.how) == (device, how)]
        reached = [ran for ran in own if ran.result != "not reached"] or own
        if own[0].result == "right":  # when moved; another way that cannot be tried does not matter
            reached = [ran for ran in reached if ran.result != "not simulated"]
        yield min(reached, key=lambda ran: order.index(ran.result))


class UntestedLeg(NamedTuple):
    """A leg that could not be tried, and its finding: none if the reference could not."""

    ran: DeviceOutcome
    finding: Finding | None = None


def _leg(
    check: DeviceCheck, trial: Trial, leg: Leg, calls: tuple[Probe, ...]
) -> Finding | UntestedLeg:
    """The finding of one leg."""
    real = leg.place is not None and not leg.place.simulated
    if real and not any(trial.expected.probe(p.id) for p in calls):
        return UntestedLeg(msgspec.structs.replace(leg.ran, result="absent"))
    findings: list[Finding] = []
    for number, probe in enumerate(calls, start=1):
        unknown = untold(trial, probe, leg)
        if unknown is not None and any(finding.status in _WRONG for finding in findings):
            # A wrong call beside one that is not simulated.
            break  # the earlier findings count
        if unknown is not None:
            return unknown
        expected = reference(trial, probe)
        if isinstance(expected, Finding):
            return expected
        if not complete(expected, len(check.wrt)):
            return ungraded(f"The reference's `{check.call}` has no gradient.")
        findings.append(_call(check, trial, leg, ExpectedCall(probe, number, expected)))
    found = combine(findings)
    if found.status in (Status.PASSED, Status.UNGRADED, Status.MISSING) or leg.place is None:
        return found
    told = next((f for f in findings if f.cause is not None), found)
    message = f"{leg.words}: {found.message}"
    return msgspec.structs.replace(found, message=message, cause=told.cause, advice=told.advice)


def untold(trial: Trial, probe: Probe, leg: Leg) -> UntestedLeg | None:
    """Why the result of a call in this leg is unknown; None if it is known."""
    if leg.place is None:
        return None
    lacks = _lacking(trial.expected.probe(probe.id))
    note = _unreached(trial.expected.probe(probe.id), leg.place) or lacks
    if note:
        return UntestedLeg(msgspec.structs.replace(leg.ran, result="not simulated", note=note))
    record = trial.actual.probe(probe.id)
    claimed = _lacking(record)
    believed = leg.way == "copied" and claimed.startswith(COPYING)
    # A simulated device lacks something, a real one nothing.
    if leg.place.simulated and not believed:
        # A claim about a simulated device is looked up.
        believed = _is_lacking(claimed) or has_no_kernel(claimed)
    note = _unreached(record, leg.place) or (claimed if believed else "")
    if not note:
        return None
    ran = msgspec.structs.replace(leg.ran, result="not simulated", note=short(note, 100))
    tried = f"{leg.words}: {asked(probe)} could not be tested ({ran.note})."
    text = f"{tried} It has to be graded by hand."
    return UntestedLeg(ran, ungraded(text))


def _is_lacking(claimed: str) -> bool:
    from autograder.wire.lacking import LACKING  # noqa: PLC0415  it imports torch

    return claimed in LACKING


def _unreached(record: ProbeRun | None, place: CallEnvironment) -> str:
    """What kept a simulated call from finishing, "" if nothing did."""
    if record is None or not place.simulated:
        return ""
    if record.stop is not None:
        return short(record.stop.text, 100)
    if record.claim is not None and record.claim.status == "missing":
        return "the cell that defines it does not finish there"
    error = record.claim.error if record.claim is not None else None
    lacks = error is not None and says_no_memory(error)
    return "there is not enough memory for a second copy" if lacks else ""


def _lacking(record: ProbeRun | None) -> str:
    """What one side claims cannot be done there, "" for nothing."""
    claim = record.claim if record is not None else None
    if claim is None or claim.status != "unsupported" or claim.error is None:
        return ""
    return claim.error.text


def _call(check: DeviceCheck, trial: Trial, leg: Leg, call: ExpectedCall) -> Finding:
    actual = returned(trial.actual, call.probe)
    if isinstance(actual, Finding):
        return explained(actual, trial.actual.probe(call.probe.id), leg)
    where = f"result of call {call.number}"
    rules = Rules(check.tolerance, leading_ones=check.leading_ones)
    found = compare(actual.value, call.expected.value, where=where, rules=rules)
    if found:
        return Finding(Status.FAILED, found, sentences(found, subject=asked(call.probe)))
    slopes = differing(check, actual, call)
    if slopes.status is not Status.PASSED:
        return slopes
    return lands(check, actual.value, leg, where)


def explained(found: Finding, record: ProbeRun | None, leg: Leg) -> Finding:
    """Adds the name of the underlying device mistake to an exception; other findings are
    unchanged."""
    claim = record.claim if record is not None else None
    if found.status is not Status.RAISED or claim is None or claim.error is None:
        return found
    if claim.status == "unsupported":
        text = f"{found.message} This is not a known limitation of the simulated accelerator."
        return msgspec.structs.replace(found, message=text)
    explanation = of_error(claim.error)
    if claim.fault is not None and leg.place is not None:
        on_cpu = leg.place.device == "cpu"
        explanation = of_fault(claim.fault, way=leg.place.way, on_cpu=on_cpu)
    return _told(found, explanation) if explanation is not None else found


def _told(found: Finding, explanation: Explanation) -> Finding:
    message = f"{found.message} {explanation.sentence}".strip()
    return msgspec.structs.replace(
        found, message=message, cause=explanation.cause, advice=explanation.advice
    )


def lands(check: DeviceCheck, value: Value, leg: Leg, where: str) -> Finding:
    """Whether every tensor of a result is where it belongs."""
    if leg.place is None or check.lands == "any":
        return PASSED
    wanted = leg.place.device if check.lands == "device" else "cpu"
    elsewhere = next((device for device in devices_in(value) if device != wanted), None)
    if elsewhere is None:
        return PASSED
    told = result_left(elsewhere, wanted)
    mismatch = Mismatch(where, "other", wanted, elsewhere[:40], text=told.sentence)
    return _told(Finding(Status.FAILED, (mismatch,)), told)


def devices_in(value: Value) -> Iterator[str]:
    """The devices of all tensors in a value; a NumPy array or a number has none."""
    if isinstance(value, Array) and value.container == "tensor":
        yield value.device
    elif isinstance(value, Items):
        for item in value.items:
            yield from devices_in(item)
    elif isinstance(value, Mapping):
        for _, item in value.items:
            yield from devices_in(item)
