"""The check of a stage that builds on earlier parts: end to end, and with stand-ins for the parts.

A stand-in is not an answer: it is a function of ours with other numbers, given to the reference as
well. The stage is right if it is right end to end, with stand-ins for all parts, or for one, so an
earlier mistake is not charged again; the blame names the part. One is enough if the others are not
used: a layer that makes its own table is given only the function that turns.

Covered: parts that raise, return nothing of use, or are not used at all.
Not covered: a part whose result was computed when its cell ran and kept in a variable.
"""

from __future__ import annotations

import msgspec

from autograder.assignment.kinds import PipelineCheck
from autograder.judging.checks import probes as ask
from autograder.judging.checks.claims import combine, references, returned
from autograder.judging.checks.compare import Rules, comparable, compare
from autograder.judging.checks.explain import asked, sentences
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial, ungraded
from autograder.judging.checks.stage import END_TO_END, Way, named, stand_ins_of, ways
from autograder.judging.verdict import Blame, Status
from autograder.wire.messages import Call, Outcome, Probe


def probes(check: PipelineCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """Every case end to end, with stand-ins for all parts, and for each part alone."""
    return tuple(probe for way in _ways(check) for probe in _asked(check, exercise, way, cases))


def examine(check: PipelineCheck, trial: Trial) -> Finding:
    """PASSED if right in one of the ways; otherwise what is wrong in the stage itself."""
    found: dict[Way, Finding] = {}
    for way in _ways(check):
        calls = _asked(check, trial.exercise, way, trial.cases)
        expected = references(trial, calls)
        if isinstance(expected, Finding):
            return expected
        if not all(comparable(outcome.value) for outcome in expected):
            return ungraded(f"The reference's result of `{check.call}` cannot be compared.")
        pairs = zip(calls, expected, strict=True)
        found[way] = combine([_call(check, trial, probe, other) for probe, other in pairs])
    whole, alone = found[()], found[check.parts]
    blame = tuple(
        Blame(_says(way), finding.status is Status.PASSED) for way, finding in found.items()
    )
    if whole.status is Status.PASSED:
        return PASSED
    # A stage is right with one part stood in.
    if any(finding.status is Status.PASSED for finding in found.values()):
        text = f"This step is right. The final result differs because of {_culprits(check, found)}."
        return Finding(Status.PASSED, (), text, blame=blame)
    if alone.status is Status.UNGRADED:
        return alone
    # its arguments are a stand-in's: describe the end-to-end result if there is one
    shown = whole if whole.status is Status.FAILED else alone
    return msgspec.structs.replace(shown, blame=blame)


def _ways(check: PipelineCheck) -> tuple[Way, ...]:
    return ((), *ways(check.parts))


def _asked(check: PipelineCheck, exercise: str, way: Way, cases: Cases) -> tuple[Probe, ...]:
    call = Call(exercise, check.call, (), stand_ins=stand_ins_of(way))
    return ask.calls(call, check.inputs, cases)


def _call(check: PipelineCheck, trial: Trial, probe: Probe, expected: Outcome) -> Finding:
    actual = returned(trial.actual, probe)
    if isinstance(actual, Finding):
        return actual
    rules = Rules(check.tolerance)
    found = compare(actual.value, expected.value, where=f"result of {check.call}", rules=rules)
    if not found:
        return PASSED
    return Finding(Status.FAILED, found, sentences(found, subject=asked(probe), most=2))


def _culprits(check: PipelineCheck, findings: dict[Way, Finding]) -> str:
    """The parts whose stand-in alone makes the final result right; all of them if none does."""
    right = [p for p in check.parts if _passed(findings.get((p,)))]
    return named(tuple(right) or check.parts)


def _passed(finding: Finding | None) -> bool:
    return finding is not None and finding.status is Status.PASSED


def _says(way: Way) -> str:
    return f"with a stand-in for {named(way)}" if way else END_TO_END
