"""The check of a function in other floating dtypes, under autocast and with more threads.

The numbers are compared with the reference's in float64 on inputs that are rounded the same way, so
the function in that dtype is judged, not the rounding of its inputs. A dtype in which torch cannot
run the reference on the CPU is left out, and the message says so.

Covered: numbers, infinities of a narrow dtype, the dtype of every floating tensor in a result.
Not covered: results on an accelerator; arguments that are changed in place, which a check of the
function covers. A dtype in which torch cannot run the student's operations on the CPU costs and
earns nothing, and has to be graded by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import msgspec

from autograder.assignment.kinds import PrecisionCheck, Tolerance
from autograder.evidence.records import Run
from autograder.judging.checks import probes as ask
from autograder.judging.checks import stage
from autograder.judging.checks.arrays import EXACT, Bounds, stated_bounds
from autograder.judging.checks.claims import (
    MAX_MISMATCHES,
    combine,
    reference,
    references,
    returned,
)
from autograder.judging.checks.compare import Rules, comparable, compare
from autograder.judging.checks.dtypes import cause_of, dtypes
from autograder.judging.checks.explain import asked, sentence, sentences, short
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.kernels import has_no_kernel
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Call, CallEnvironment, Outcome, Probe
from autograder.wire.simulation import NO_KERNEL

ALREADY = "Already wrong in float32: "
_NOT_TRIED = "not tried, because torch does not support it on the CPU"
# Wider than the usual tolerances, which are for single operations: here whole functions are run in
# a dtype. The numbers are measured or torch's own; each entry gives its source.
_FLOAT32 = (
    "float32 against float64: sums of products are within 1e-6 of their size, and a chain of them "
    "within 1e-4; atol is that of torch.testing. Tables of angles from exp, pow or a division "
    "differ by 1.2e-7, one rounding of a number near 1, for each row of the table."
)
_OLDER = (
    "As float32: a table that was made in float32 is right in a float64 model too, and is not "
    "more exact than float32."
)
_FLOAT16 = (
    "A layer norm of a product plus a table, 4 x 64 rows of 256 numbers, is off by 3.2e-3 in "
    "float16 (measured); the 1e-3 of torch.testing is for one operation."
)
_BFLOAT16 = (
    "A layer norm of a product plus a table, 4 x 64 rows of 256 numbers, is off by 2.6e-2 in "
    "bfloat16 (measured); the 1.6e-2 of torch.testing is for one operation."
)
USUAL: Mapping[str, Tolerance] = MappingProxyType(
    {
        "float64": Tolerance(rtol=1e-4, atol=1e-5, atol_per_row=1.2e-7, why=_OLDER),
        "float32": Tolerance(rtol=1e-4, atol=1e-5, atol_per_row=1.2e-7, why=_FLOAT32),
        "float16": Tolerance(rtol=1e-2, atol=1e-2, why=_FLOAT16),
        "bfloat16": Tolerance(rtol=5e-2, atol=5e-2, why=_BFLOAT16),
    }
)
_PARTS = {"complex64": "float32", "complex128": "float64"}


class CallMode(NamedTuple):
    """One way to call all cases: where, in words, and what the results are compared with.

    ``dtype`` names the tolerance. ``yardstick`` None: the plain calls.
    """

    words: str
    dtype: str
    place: CallEnvironment
    yardstick: CallEnvironment | None


def ways(check: PrecisionCheck) -> tuple[CallMode, ...]:
    """Every dtype, then every autocast."""
    found = []
    for dtype in check.dtypes:
        # Inputs of the yardstick are rounded alike.
        rounded = "" if dtype == "float64" else dtype
        exact = CallEnvironment(dtype="float64", rounded=rounded, fixed=check.fixed)
        found.append(
            CallMode(f"In {dtype}", dtype, CallEnvironment(dtype=dtype, fixed=check.fixed), exact)
        )
    for dtype in check.autocast:
        words = f"Under torch.autocast to {dtype}"
        found.append(CallMode(words, dtype, CallEnvironment(autocast=dtype), None))
    return tuple(found)


def probes(check: PrecisionCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The plain calls, those of every way with its yardstick, and one with more threads; all of
    them again with stand-ins for earlier parts."""
    places = [None, *(p for way in ways(check) for p in (way.place, way.yardstick))]
    found: list[Probe] = []
    for parts in ((), *stage.ways(check.parts)):
        asked_ = _Asked(check, exercise, cases, parts)
        found += [probe for place in dict.fromkeys(places) for probe in asked_.calls(place)]
        found += asked_.threaded()
    return tuple(found)


class _Asked(NamedTuple):
    """What a check asks, with stand-ins for some earlier parts."""

    check: PrecisionCheck
    exercise: str
    cases: Cases
    parts: stage.Way

    def calls(self, place: CallEnvironment | None) -> tuple[Probe, ...]:
        """Every case in a place; None is as it is."""
        stand_ins = stage.stand_ins_of(self.parts)
        call = Call(self.exercise, self.check.call, (), place=place, stand_ins=stand_ins)
        return ask.calls(call, self.check.inputs, self.cases)

    def threaded(self) -> tuple[Probe, ...]:
        """The first case with more threads, if the check wants that."""
        if self.check.threads == 1:
            return ()
        return self.calls(CallEnvironment(threads=self.check.threads))[:1]


def examine(check: PrecisionCheck, trial: Trial) -> Finding:
    """Judge the calls as they are, then, if they are wrong, with stand-ins for earlier parts."""
    found = _tried(check, trial, ())
    if found.status in (Status.PASSED, Status.UNGRADED):
        return found
    for parts in sorted(stage.ways(check.parts), key=len):  # so that no right part is blamed
        # An earlier mistake is not charged again.
        if _tried(check, trial, parts).status is Status.PASSED:
            return stage.excuse(parts)
    return found


def _tried(check: PrecisionCheck, trial: Trial, parts: stage.Way) -> Finding:
    """Judge the plain calls first: an error there has nothing to do with precision."""
    asked_ = _Asked(check, trial.exercise, trial.cases, parts)
    plain = _plain(asked_, trial)
    if plain.status is not Status.PASSED:  # what is wrong as it is comes first
        return plain
    left_out: list[str] = []
    found: list[tuple[str, Finding]] = []
    for way in ways(check):
        calls = asked_.calls(way.place)
        lacking = short(_lacking(trial, calls), 100)
        if lacking:
            left_out.append(f"{way.words}: {_NOT_TRIED} ({lacking}).")
        else:
            found.append((way.words, _way(asked_, trial, way)))
    if not found:
        return ungraded(" ".join(left_out))
    for probe in asked_.threaded():
        found.append((f"With {check.threads} threads", _same(asked_, trial, probe)))
    return _all(found, left_out)


def _plain(asked_: _Asked, trial: Trial) -> Finding:
    check, calls = asked_.check, asked_.calls(None)
    expected = references(trial, calls)
    if isinstance(expected, Finding):
        return expected
    if not all(comparable(outcome.value) for outcome in expected):
        return ungraded(f"The reference's result of `{check.call}` cannot be compared.")
    rules = _rules(check, "float32")
    pairs = enumerate(zip(calls, expected, strict=True), start=1)
    each = [_call(trial, probe, right, f"call {n}", rules) for n, (probe, right) in pairs]
    found = combine(each)
    if found.status not in (Status.FAILED, Status.RAISED):
        return found
    return msgspec.structs.replace(found, message=f"{ALREADY}{found.message}")


def _lacking(trial: Trial, calls: Sequence[Probe]) -> str:
    """Torch's error if it lacks a dtype on the CPU for the reference; else ""."""
    return next(filter(None, (refusal(trial.expected, probe) for probe in calls)), "")


def refusal(run: Run, probe: Probe) -> str:
    """What a call raised, if it is torch's error about an unsupported dtype; else ""."""
    record = run.probe(probe.id)
    claim = record.claim if record is not None else None
    error = claim.error if claim is not None and claim.status == "raised" else None
    # A lack of the CPU in torch's own words.
    if error is None or "NotImplementedError" not in error.types:
        return ""
    # Only a dtype that torch lacks is left out.
    return error.text if NO_KERNEL.fullmatch(error.text) else ""


def _way(asked_: _Asked, trial: Trial, way: CallMode) -> Finding:
    """All cases called in one way."""
    check, calls = asked_.check, asked_.calls(way.place)
    right = references(trial, asked_.calls(way.yardstick))
    if isinstance(right, Finding):
        return right
    own = references(trial, calls)
    if isinstance(own, Finding):
        return own
    rules = _rules(check, way.dtype)
    found = []
    for n, (probe, exact, same) in enumerate(zip(calls, right, own, strict=True), start=1):
        refused = refusal(trial.actual, probe)
        if refused:
            found.append(_refused(trial, probe, refused, way))
            continue
        where = f"call {n}, {_lowered(way.words)}"
        off = compare(same.value, exact.value, where="It", rules=rules)
        if off:  # the reference is within its own tolerance
            text = f"{way.words}, the reference itself is outside the tolerance."
            return ungraded(f"{text} {sentence(off[0], subject=asked(probe))}")
        one = _call(trial, probe, exact, where, rules)
        if one.status is Status.PASSED and check.keeps:
            one = _kept(trial, probe, same, way, where)
        found.append(_with_cause(one, way))
    return combine(found)


def _refused(trial: Trial, probe: Probe, refusal: str, way: CallMode) -> Finding:
    """A call that raised torch's error about an unsupported dtype: UNGRADED if torch really raises
    it, else RAISED, because the submission raised it by itself."""
    if has_no_kernel(refusal):  # a refusal in torch's words is one that torch says
        said = f"{_NOT_TRIED} ({short(refusal, 100)})"
        return ungraded(f"{way.words}: {said}. It has to be graded by hand.")
    found = returned(trial.actual, probe)
    assert isinstance(found, Finding), "a refused call has returned nothing"
    text = f"{found.message} No operator of the installed torch is known to raise this."
    return msgspec.structs.replace(found, message=text)


def _call(trial: Trial, probe: Probe, right: Outcome, where: str, rules: Rules) -> Finding:
    actual = returned(trial.actual, probe)
    if isinstance(actual, Finding):
        return actual
    found = compare(actual.value, right.value, where=f"result of {where}", rules=rules)
    if not found:
        return PASSED
    return Finding(Status.FAILED, found, sentences(found, subject=asked(probe), most=2))


def _kept(trial: Trial, probe: Probe, own: Outcome, way: CallMode, where: str) -> Finding:
    """Whether every floating tensor has the dtype of the reference's in such a call."""
    actual = returned(trial.actual, probe)
    if isinstance(actual, Finding):
        return actual
    other = next(dtypes(actual.value, own.value), None)
    if other is None:
        return PASSED
    given = "" if way.yardstick is None else f"{way.dtype} went in and "
    keeps = "keeps" if given and other.expected == way.dtype else "gives"
    ours = f"the reference {keeps} {other.expected}"
    text = f"{asked(probe)}: {given}{other.actual} came out; {ours}."
    mismatch = Mismatch(f"result of {where}", "dtype", other.expected, other.actual, other.path)
    return Finding(Status.FAILED, (mismatch,), text)


def _with_cause(found: Finding, way: CallMode) -> Finding:
    """A wrong call with the usual causes of the mistake."""
    words = cause_of(found, way.dtype, autocast=way.yardstick is None)
    if not words:
        return found
    return msgspec.structs.replace(found, message=f"{found.message} {words}")


def _same(asked_: _Asked, trial: Trial, probe: Probe) -> Finding:
    """Whether a call with more threads gives what each side's plain call gave."""
    check, plain = asked_.check, asked_.calls(None)[0]
    usual, own = reference(trial, plain), reference(trial, probe)
    if isinstance(usual, Finding):
        return usual
    if isinstance(own, Finding):
        return own
    rules = _rules(check, "float32")
    if compare(own.value, usual.value, where="It", rules=rules):
        return ungraded(f"The reference's {asked(probe)} depends on the number of threads.")
    mine = returned(trial.actual, plain)
    if isinstance(mine, Finding):
        return mine
    return _call(trial, probe, mine, f"call 1, with {check.threads} threads", rules)


def _all(findings: Sequence[tuple[str, Finding]], left_out: Sequence[str]) -> Finding:
    """One finding for all ways: the first wrong one is described, the others are named."""
    wrong = [
        (words, finding)
        for words, finding in findings
        if finding.status not in (Status.PASSED, Status.UNGRADED)
    ]
    if not wrong:
        # A call that is not known earns nothing.
        open_ = next((f for _, f in findings if f.status is Status.UNGRADED), PASSED)
        return msgspec.structs.replace(open_, message=" ".join((open_.message, *left_out)).strip())
    words, first = wrong[0]
    others = ", ".join(_lowered(other) for other, _ in wrong[1:])
    also = (f"Also wrong: {others}.",) if others else ()
    mismatches = tuple(m for _, finding in wrong for m in finding.mismatches)[:MAX_MISMATCHES]
    message = " ".join((f"{words}: {first.message}", *also, *left_out))
    return Finding(first.status, mismatches, message)


def _rules(check: PrecisionCheck, dtype: str) -> Rules:
    return Rules(tolerance_for(check, dtype), leading_ones=check.leading_ones, whole=True)


def _lowered(words: str) -> str:
    return words[0].lower() + words[1:]


def bounds(check: PrecisionCheck, actual: str, expected: str, shape: tuple[int, ...]) -> Bounds:
    """The bounds of the expected dtype."""
    own = tolerance_for(check, expected)
    return EXACT if own is None else stated_bounds(own, shape)


def tolerance_for(check: PrecisionCheck, dtype: str) -> Tolerance | None:
    """The check's own tolerance for a dtype, else the usual one; None for integers and text.

    A complex number counts as its parts do.
    """
    real = _PARTS.get(dtype, dtype)
    own = {str(name): tolerance for name, tolerance in check.tolerances.items()}
    return own.get(real) or USUAL.get(real)
