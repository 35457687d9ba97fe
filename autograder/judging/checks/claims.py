"""Finds the claim that a check looks at in a run's records, or the reason why there is none.

Covered: no record, two records, a stop beside a claim, a call that raised, a reference that is not
right itself, a placeholder that was left in.
Not covered: whether a claim is true; nothing in a run can show that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from autograder.evidence.records import Run, Stop
from autograder.evidence.stops import says_no_memory
from autograder.judging.checks.explain import asked, not_filled_in, raised
from autograder.judging.checks.finding import PASSED, Finding, Trial, ungraded
from autograder.judging.checks.limit_messages import in_line, which_bound
from autograder.judging.verdict import Status
from autograder.wire.messages import Call, Error, Figures, GivenText, Limits, Outcome, Probe, Read
from autograder.wire.values import Opaque

MAX_MISMATCHES = 50
NO_SUCH_PARAMETER = ("NoSuchParameter (while the object was made)",)


class ExpectedCall(NamedTuple):
    """One of a check's calls: its ``number`` in messages, from 1, and the reference's outcome."""

    probe: Probe
    number: int
    expected: Outcome


def reference(trial: Trial, probe: Probe) -> Outcome | Finding:
    """What the reference returned; UNGRADED if it did not return."""
    record = trial.expected.probe(probe.id)
    if record is None or record.stop is not None or record.claim is None:
        return ungraded(f"There is no result from the reference for {asked(probe)}.")
    if record.claim.status != "returned":
        why = f": {raised(record.claim.error)}" if record.claim.error is not None else ""
        return ungraded(f"The reference has no value for {asked(probe)}{why}.")
    return record.claim


def references(trial: Trial, probes: Sequence[Probe]) -> tuple[Outcome, ...] | Finding:
    """What the reference returned for each probe; UNGRADED at the first without a result."""
    found = []
    for probe in probes:
        expected = reference(trial, probe)
        if isinstance(expected, Finding):
            return expected
        found.append(expected)
    return tuple(found)


def expected_calls(
    probes: Sequence[Probe], expected: Sequence[Outcome]
) -> tuple[ExpectedCall, ...]:
    """The calls of a check with the reference's outcomes, as many as there are probes."""
    pairs = enumerate(zip(probes, expected, strict=True), start=1)
    return tuple(ExpectedCall(probe, number, outcome) for number, (probe, outcome) in pairs)


def answer(run: Run, probe: Probe) -> Outcome | Finding:
    """What the student's side claims, returned or raised; else MISSING, STOPPED, UNGRADED.

    A claim that something is unsupported counts as an exception: an ordinary call does not use the
    simulation.
    """
    record = run.probe(probe.id)
    if record is not None and record.stop is not None:
        error = record.claim.error if record.claim is not None else None
        return stopped(f"{asked(probe)} was stopped{in_line(error)}", record.stop)
    if record is None or record.claim is None:
        return no_record(run, asked(probe))
    if record.claim.status == "missing":
        if isinstance(probe.request, Figures):
            return Finding(Status.MISSING, message="No figure was shown for this exercise.")
        if isinstance(probe.request, GivenText):
            return Finding(Status.MISSING, message="The cell is not in the notebook.")
        return Finding(Status.MISSING, message=f"`{_name(probe)}` is not defined.")
    if (
        record.claim.status == "unsupported"
    ):  # claims about a simulation are for the checks of devices
        error = record.claim.error or Error(("Exception",), "")
        # A claim about an ordinary call is an error like any other.
        return Outcome("raised", error=error)
    return record.claim


def returned(run: Run, probe: Probe) -> Outcome | Finding:
    """What the student's side returned; a claim that it raised becomes a finding."""
    claim = answer(run, probe)
    if isinstance(claim, Finding):
        return claim
    if claim.status == "raised":
        error = claim.error or Error(("Exception",), "")
        name = f"`{_name(probe)}`"
        return raised_finding(error, asked(probe), name=name, limits=run.measured.limits)
    if isinstance(claim.value, Opaque) and claim.value.type == "ellipsis":
        return Finding(Status.BLANK, message=f"{asked(probe)} is not filled in yet.")
    return claim


def both(trial: Trial, probe: Probe) -> tuple[Outcome, Outcome] | Finding:
    """What the student's side and the reference returned, in this order."""
    expected = reference(trial, probe)
    if isinstance(expected, Finding):
        return expected
    actual = returned(trial.actual, probe)
    return actual if isinstance(actual, Finding) else (actual, expected)


def raised_finding(error: Error, what: str, *, name: str, limits: Limits) -> Finding:
    """An exception as a finding; ``what`` raised it, ``name`` is what has to be filled in."""
    bound = which_bound(error, limits)
    if says_no_memory(error):
        message = f"{what} ran out of memory{in_line(error)}. {bound}"
        return Finding(Status.STOPPED, message=message)
    if not_filled_in(error):
        return Finding(Status.BLANK, message=f"{name} is not filled in yet.")
    if error.types[:1] == NO_SUCH_PARAMETER:  # our own: the student's code raised nothing
        return Finding(Status.RAISED, message=f"{what} cannot be called: {error.text}.")
    return Finding(Status.RAISED, message=f"{what} raised {raised(error)}. {bound}".rstrip())


def stopped(what: str, stop: Stop) -> Finding:
    """A stop as a finding; ``what`` says what was stopped."""
    return Finding(Status.STOPPED, message=f"{what}: {stop.text.rstrip('.')}.")


def no_record(run: Run, what: str) -> Finding:
    """A finding for a missing record: STOPPED where the run used up its limits, else UNGRADED."""
    if out_of_budget(run):
        limits = "time, size of results or restarts"
        message = f"{what} was not reached: a limit of the whole run was used up ({limits})."
        return Finding(Status.STOPPED, message=message)
    return ungraded(f"There is no evidence for {what}.")


def out_of_budget(run: Run) -> bool:
    """Whether any record of the run says that a limit of the whole run was used up."""
    return any(stop.cause == "budget" for stop in run.stops)


def combine(findings: Sequence[Finding], *, what: str = "calls") -> Finding:
    """Combine the findings of several calls into one, which describes the first wrong call.

    A wrong call decides; without one, a call without evidence leaves the check ungraded.
    UNGRADED too where there is no call at all, which is the grader's fault.
    """
    if not findings:
        return ungraded("There are no inputs to call it with.")
    wrong = [f for f in findings if f.status not in (Status.PASSED, Status.UNGRADED)]
    if not wrong:
        return next((f for f in findings if f.status is Status.UNGRADED), PASSED)
    if len(wrong) == len(findings) and len({f.message for f in wrong}) == 1:
        return wrong[0]  # one call, or the same of all: not defined, not filled in
    counted = " is wrong:" if len(wrong) == 1 else " are wrong. The first:"
    return Finding(
        wrong[0].status,
        tuple(m for f in wrong for m in f.mismatches)[:MAX_MISMATCHES],
        f"{len(wrong)} of {len(findings)} {what}{counted} {wrong[0].message}",
        wrong[0].picture,
    )


def _name(probe: Probe) -> str:
    if isinstance(probe.request, Read):
        return probe.request.name
    return probe.request.target if isinstance(probe.request, Call) else "figure"
