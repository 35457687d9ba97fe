"""What one check asked about an exercise: the names it is about, and the probes to compare."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from autograder.assignment.kinds import (
    Check,
    RelationCheck,
)
from autograder.evidence.records import Run
from autograder.judging.checks import corners
from autograder.judging.checks.explain import not_filled_in
from autograder.judging.checks.finding import Cases
from autograder.judging.checks.precision import ALREADY
from autograder.judging.checks.registry import KINDS, probes
from autograder.judging.verdict import Status, Verdict
from autograder.wire.messages import Call, Probe

ELSEWHERE = frozenset({"device", "precision"})  # the same calls again, elsewhere
BY_VALUE = frozenset({"value", "function", "gradient", "raises"}) | ELSEWHERE  # by results alone
# Training amplifies rounding: in a course's exercise of 200 steps the same mistake differed between
# processors by 2e-4 of the largest number (about 5), and any two mistakes by 1e-2 or more.
_WRONG = frozenset({Status.FAILED, Status.RAISED})


@dataclass(frozen=True, slots=True)
class JudgedCheck:
    """A check with its verdict. ``subject``: the names that it is about; checks that share one are
    near each other. ``probes`` ask only for those names."""

    check: Check
    verdict: Verdict
    subject: frozenset[str]
    probes: tuple[Probe, ...]

    @property
    def wrong(self) -> bool:
        """Whether there is something to explain."""
        return self.verdict.status in _WRONG

    @property
    def by_value(self) -> bool:
        """Whether the results alone decide; otherwise they may depend on a student's own tables."""
        return self.check.kind in BY_VALUE

    @property
    def elsewhere(self) -> bool:
        """Whether it asks the same on other devices or in other dtypes: a second mistake there does
        not rule out a first one here."""
        return self.check.kind in ELSEWHERE

    @property
    def only_on_devices(self) -> bool:
        """Whether the plain calls were right, so that no change of all numbers explains it."""
        return self.check.kind == "device" and not _wrong_as_it_is(self.verdict)

    def looks_at(self, probe: Probe) -> bool:
        """Whether a call counts: if the plain calls on the CPU are wrong, only those do."""
        # What is wrong as it is is explained by plain small calls.
        return not (_wrong_as_it_is(self.verdict) and _elsewhere(probe))

    def within(self, run: Run) -> JudgedCheck:
        """Without probes that were not asked, e.g. on a missing device; ``run``: the reference's,
        which was asked everything else."""
        return replace(self, probes=tuple(p for p in self.probes if run.probe(p.id) is not None))

    def near(self, other: JudgedCheck) -> bool:
        """Whether both are about the same function or name."""
        return not self.subject.isdisjoint(other.subject)


def ask(
    check: Check,
    verdict: Verdict,
    cases: Cases,
    *,
    defines: Collection[str] = (),
    stood_in: bool = True,
) -> JudgedCheck:
    """Find the subject by the keys that checks share; for a new kind, by what it asks for.

    ``defines``: the names of the exercise; optional calls of others only help to judge it.
    ``stood_in``: if there are calls with stand-ins for earlier parts, look at those. A pipeline is
    always looked at in the way that depends least on a student's other parts. If the plain calls on
    the CPU are wrong, only those are looked at.
    """
    every = probes(check, verdict.exercise, cases)
    calls = check.calls if isinstance(check, RelationCheck) else ()
    beside = {c.call for c in calls if c.optional and c.call.partition(".")[0] not in defines}
    names = frozenset(_names(check)) or frozenset(probe.target for probe in every) - beside - {""}
    subject = names | {name.partition(".")[0] for name in names}  # methods share their class
    own = [probe for probe in every if probe.target in names or not probe.target]
    if _wrong_as_it_is(verdict):
        own = [probe for probe in own if not _elsewhere(probe)]
    elif not corners.is_of_corner(verdict):
        there = {probe.id for probe in corners.probes(check, verdict.exercise, cases)}
        own = [probe for probe in own if probe.id not in there or not _elsewhere(probe)]
    most = stood_in or KINDS[check.kind].least_parts
    parts = (max if most else min)((_stood_in(probe) for probe in own), default=0)
    return JudgedCheck(check, verdict, subject, tuple(p for p in own if _stood_in(p) == parts))


def blank(asked: JudgedCheck, run: Run) -> bool:
    """Whether the template's own exception is still there."""
    records = (run.probe(probe.id) for probe in asked.probes)
    claims = [r.claim for r in records if r is not None and r.claim is not None]
    return any(claim.error is not None and not_filled_in(claim.error) for claim in claims)


def _names(check: Check) -> Iterator[str]:
    for key in ("name", "call", "shows"):
        name = getattr(check, key, None)
        if isinstance(name, str):
            yield name
    yield from getattr(check, "reads", ())
    yield from (call.call for call in getattr(check, "calls", ()) if not call.optional)


def _wrong_as_it_is(verdict: Verdict) -> bool:
    """Whether the plain calls were wrong already, so that no other calls were looked at."""
    on_cpu = bool(verdict.devices) and verdict.devices[0].result == "wrong"
    # What is wrong as it is is known by its plain calls.
    return on_cpu or verdict.message.startswith(ALREADY)


def _elsewhere(probe: Probe) -> bool:
    return isinstance(probe.request, Call) and probe.request.place is not None


def _stood_in(probe: Probe) -> int:
    return len(probe.request.stand_ins) if isinstance(probe.request, Call) else 0
